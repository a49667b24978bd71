"""A LlamaIndex retriever on a tenant's memory: `MunimentRetriever(memory)`.

A retriever rather than a memory block, because LlamaIndex puts blocks into the system message unless it is told otherwise, and
what memory says is data.
"""

from __future__ import annotations

from typing import Any

try:
    from llama_index.core.base.base_retriever import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
except ImportError as cause:
    raise ImportError("LlamaIndex is not installed: pip install 'muniment[llama-index]'") from cause

from muniment.api.adapters.bridge import Bridge
from muniment.api.adapters.documents import metadata_of
from muniment.engine.sync import SyncMemory
from muniment.engine.verbs import Verbs

_FOR_THE_MODEL = frozenset({"valid_at", "invalid_at", "occurred_at", "status"})


class MunimentRetriever(BaseRetriever):
    """Nodes for a question, best first: the memory's text, its score, and `metadata_of` the hit.

    Dates and status go to the model with the text; the other metadata stay beside it. `options` are those of `recall`
    (`scope`, `kinds`, `as_of`, `known_at`, `hops` …).
    """

    def __init__(self, memory: Verbs | SyncMemory, *, limit: int = 10, **options: Any) -> None:
        super().__init__()
        self._bridge = Bridge(memory)
        self._options = {"limit": limit, **options}

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return self._bridge.run(lambda: self._nodes(query_bundle.query_str))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await self._bridge.arun(lambda: self._nodes(query_bundle.query_str))

    async def _nodes(self, query: str) -> list[NodeWithScore]:
        answer = await self._bridge.memory.recall(query, **self._options)
        nodes = []
        for hit in answer.recall.hits:
            metadata = metadata_of(hit, trace_id=answer.trace_id)
            node = TextNode(
                id_=hit.id,
                text=hit.text,
                metadata=metadata,
                excluded_llm_metadata_keys=[name for name in metadata if name not in _FOR_THE_MODEL],
                excluded_embed_metadata_keys=list(metadata),
            )
            nodes.append(NodeWithScore(node=node, score=hit.score))
        return nodes
