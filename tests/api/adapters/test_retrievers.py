"""The retrievers of LangChain and LlamaIndex: the hits of `recall`, with what proves them, plain and asynchronous."""

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from llama_index.core.schema import MetadataMode, QueryBundle

from muniment.api.adapters import langchain, llama_index
from muniment.engine.memory import Memory
from muniment.engine.sync import SyncMemory

NOTES: list[dict[str, Any]] = [
    {"kind": "note", "occurred_at": "2026-01-10T09:00:00Z", "text": "Ana Ruiz works for Globex.", "external_id": "n1"},
    {"kind": "note", "occurred_at": "2026-02-10T09:00:00Z", "text": "Globex bought the Harbour Plan."},
    {"kind": "note", "occurred_at": "2026-02-11T09:00:00Z", "text": "Bo likes tea.", "scope": {"user": "bo"}},
]
QUESTION = "Who does Ana Ruiz work for?"


async def documents(memory: Any, **options: Any) -> list[tuple[str, dict[str, Any], float]]:
    limit = options.pop("limit", 10)
    found = await langchain.MunimentRetriever(memory=memory, limit=limit, options=options).ainvoke(QUESTION)
    return [(one.page_content, {**one.metadata, "id": one.id}, one.metadata["score"]) for one in found]


async def nodes(memory: Any, **options: Any) -> list[tuple[str, dict[str, Any], float]]:
    found = await llama_index.MunimentRetriever(memory, **options).aretrieve(QUESTION)
    return [(one.node.get_content(), {**one.node.metadata, "id": one.node.node_id}, one.get_score()) for one in found]


@pytest.mark.parametrize("retrieve", [documents, nodes])
async def test_what_is_found_is_what_recall_finds_with_its_evidence(retrieve: Any, memory: Memory) -> None:
    await memory.remember(NOTES)
    answer = await memory.recall(QUESTION)
    found = await retrieve(memory)
    assert [(text, told["id"]) for text, told, _ in found] == [(hit.text, hit.id) for hit in answer.recall.hits]
    text, told, score = next(one for one in found if one[1]["kind"] == "fact")
    episode = (await memory.episodes(q="works for")).items[0]
    assert text == "Ana Ruiz works for Globex."
    assert (told["valid_at"], told["invalid_at"], told["status"]) == ("2026-01-10T09:00:00Z", None, "current")
    assert told["evidence"] == [{"episode": episode.id, "quote": "Ana Ruiz works for Globex."}]
    assert told["episodes"] == [episode.id]
    assert score == pytest.approx(sum(told["parts"].values()))
    assert (await memory.explain(told["trace_id"]))["trace_id"] == told["trace_id"]
    assert json.loads(json.dumps(told)) == told


@pytest.mark.parametrize("retrieve", [documents, nodes])
async def test_the_options_of_recall_hold(retrieve: Any, memory: Memory) -> None:
    await memory.remember(NOTES)
    assert len(await retrieve(memory, limit=1)) == 1
    assert {told["kind"] for _, told, _ in await retrieve(memory, kinds=["fact"])} == {"fact"}
    assert "Bo likes tea." not in [text for text, _, _ in await retrieve(memory)]
    assert "Bo likes tea." in [text for text, _, _ in await retrieve(memory, scope={"user": "bo"})]
    assert await retrieve(memory, as_of="2025-01-01T00:00:00Z", kinds=["fact"]) == []


def test_both_work_in_plain_code(plain_memory: SyncMemory) -> None:
    plain_memory.remember(NOTES)
    texts = [hit.text for hit in plain_memory.recall(QUESTION, limit=3).recall.hits]
    found = langchain.MunimentRetriever(memory=plain_memory, limit=3).invoke(QUESTION)
    assert [one.page_content for one in found] == texts
    assert [
        n.node.get_content() for n in llama_index.MunimentRetriever(plain_memory, limit=3).retrieve(QUESTION)
    ] == texts


async def test_a_plain_memory_serves_asynchronous_code_too(plain_memory: SyncMemory) -> None:
    plain_memory.remember(NOTES)
    assert [text for text, _, _ in await documents(plain_memory)] == [text for text, _, _ in await nodes(plain_memory)]


async def test_a_chain_puts_what_was_found_into_a_message_of_the_user(memory: Memory) -> None:
    await memory.remember(NOTES)

    def joined(found: list[Document]) -> str:
        return "\n".join(one.page_content for one in found)

    prompt = ChatPromptTemplate.from_messages([("system", "Answer."), ("user", "{known}\n\n{question}")])
    retriever = langchain.MunimentRetriever(memory=memory)
    chain = {"known": retriever | RunnableLambda(joined), "question": RunnablePassthrough()} | prompt
    messages = (await chain.ainvoke(QUESTION)).to_messages()
    assert [message.type for message in messages] == ["system", "human"]
    assert "Ana Ruiz works for Globex." in str(messages[1].content)
    assert repr(memory) not in repr(retriever)


async def test_a_model_is_shown_dates_and_status_but_no_scores(memory: Memory) -> None:
    await memory.remember(NOTES)
    found = await llama_index.MunimentRetriever(memory, kinds=["fact"]).aretrieve(QueryBundle(QUESTION))
    shown = found[0].node.get_content(metadata_mode=MetadataMode.LLM)
    assert "valid_at: 2026-01-10T09:00:00Z" in shown
    assert "score" not in shown
    assert found[0].node.get_content(metadata_mode=MetadataMode.EMBED) == "Ana Ruiz works for Globex."
