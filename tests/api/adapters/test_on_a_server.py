"""The adapters on a server's memory: the same as on an embedded one, with what the key allows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment import AsyncClient, Client
from muniment.api.adapters.langchain import MunimentRetriever
from muniment.api.adapters.langgraph import MunimentStore
from muniment.api.adapters.messages import ChatMemory, Conversation, is_context_block
from muniment.graph_schema.errors import Forbidden
from tests.api.client.live import Live, live

ANA = ("users", "ana")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder: Path = tmp_path_factory.mktemp("adapters")
    with live(f"sqlite:///{folder / 'muniment.db'}") as running:
        yield running


async def test_asynchronous_code_talks_to_a_server(server: Live) -> None:
    async with AsyncClient(server.url, server.key("acme", "curator")) as memory:
        store = MunimentStore(memory)
        await store.aput(ANA, "tea", {"text": "Ana likes green tea."})
        await store.aput(ANA, "tea", {"text": "Ana likes black tea."})
        found = await store.asearch(("users", "ana"), query="Which tea does Ana like?")
        assert [(item.key, item.value, item.score is not None) for item in found] == [
            ("tea", {"text": "Ana likes black tea."}, True)
        ]
        chat = ChatMemory(memory, Conversation(id="c", user="ana", speaker="Ana Ruiz"))
        await chat.aafter([{"role": "user", "content": "Globex is headquartered in Lyon."}])
        assert await chat.aafter([{"role": "user", "content": "Globex is headquartered in Lyon."}]) == []
        sent = await chat.abefore([{"role": "user", "content": "Where is Globex headquartered?"}])
        assert [is_context_block(one) for one in sent] == [True, False]
        documents = await MunimentRetriever(memory=memory, options={"scope": {"user": "ana"}}).ainvoke("Globex")
        assert documents[0].metadata["evidence"] or documents[0].metadata["kind"] == "episode"


def test_plain_code_talks_to_a_server_and_a_writer_may_not_overwrite(server: Live) -> None:
    with Client(server.url, server.key("globex", "writer")) as memory:
        store = MunimentStore(memory)
        store.put(ANA, "tea", {"text": "Ana likes green tea."})
        assert [item.key for item in store.search(ANA, query="tea")] == ["tea"]
        with pytest.raises(Forbidden):
            store.delete(ANA, "tea")
        assert store.get(ANA, "tea") is not None
