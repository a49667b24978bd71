"""A LangChain retriever on a tenant's memory: `MunimentRetriever(memory=memory)`."""

from __future__ import annotations

from typing import Any

try:
    from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
except ImportError as cause:
    raise ImportError("LangChain is not installed: pip install 'muniment[langchain]'") from cause
from pydantic import Field, PrivateAttr

from muniment.api.adapters.bridge import Bridge
from muniment.api.adapters.documents import metadata_of


class MunimentRetriever(BaseRetriever):
    """Documents for a question, best first: the memory's text, and beside it `metadata_of` the hit.

    `memory` is what `for_tenant` gives, a client of a server, or a plain face of either. `options` are those of `recall`
    (`scope`, `kinds`, `as_of`, `known_at`, `hops` …); each call of `invoke` may bring more, which win. The texts are data:
    put them where the model reads data, never into a system message.
    """

    memory: Any = Field(exclude=True, repr=False)
    limit: int = Field(default=10, ge=1, le=200)
    options: dict[str, Any] = Field(default_factory=dict)
    _bridge: Bridge = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        super().model_post_init(context)
        self._bridge = Bridge(self.memory)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **options: Any
    ) -> list[Document]:
        return self._bridge.run(lambda: self._documents(query, options))

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, **options: Any
    ) -> list[Document]:
        return await self._bridge.arun(lambda: self._documents(query, options))

    async def _documents(self, query: str, options: dict[str, Any]) -> list[Document]:
        answer = await self._bridge.memory.recall(query, **{"limit": self.limit, **self.options, **options})
        return [
            Document(id=hit.id, page_content=hit.text, metadata=metadata_of(hit, trace_id=answer.trace_id))
            for hit in answer.recall.hits
        ]
