"""The LangGraph store: it does what the framework's own in-memory store does, and its items are memories."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore
from typing_extensions import TypedDict

from muniment.api.adapters.langgraph import MunimentStore
from muniment.engine.memory import Memory
from muniment.engine.sync import SyncMemory

ANA, BO = ("users", "ana"), ("users", "bo/=%")


@pytest.fixture
async def store(memory: Memory) -> MunimentStore:
    return MunimentStore(memory)


async def plain(store: BaseStore, ops: list[Any]) -> list[Any]:
    """Results without what differs by clock and order."""
    shown: list[Any] = []
    for result in await store.abatch(ops):
        if isinstance(result, list):
            shown.append(sorted((r if isinstance(r, tuple) else (r.namespace, r.key, r.value)) for r in result))
        else:
            shown.append(None if result is None else (result.namespace, result.key, result.value))
    return shown


STEPS: list[list[Any]] = [
    [
        PutOp(ANA, "a", {"text": "tea", "n": 1}),
        PutOp(ANA, "b", {"text": "jam", "n": 2, "deep": {"x": [1, {"y": None}]}}),
    ],
    [
        PutOp((*ANA, "notes"), "a", {"n": 3}),
        PutOp(BO, "a/=b", {"n": 4}),
        PutOp(("docs",), "a", {"text": "tea", "n": 5}),
    ],
    [GetOp(ANA, "a"), GetOp(ANA, "c"), GetOp(BO, "a/=b"), PutOp(ANA, "a", {"n": 9})],
    [GetOp(ANA, "a"), SearchOp(ANA), SearchOp(("users",)), SearchOp(()), SearchOp(("use",)), SearchOp(("nobody",))],
    [SearchOp((), filter={"n": {"$gte": 3, "$lt": 9}}), SearchOp((), filter={"text": {"$ne": "tea"}, "n": 2})],
    [
        SearchOp((), filter={"deep": {"x": [1, {"y": None}]}}),
        SearchOp((), filter={"text": "tea"}),
        SearchOp(ANA, limit=1000),
    ],
    [ListNamespacesOp(), ListNamespacesOp(max_depth=1), ListNamespacesOp(limit=2, offset=1)],
    [
        ListNamespacesOp(
            match_conditions=(MatchCondition("prefix", ("users", "*")), MatchCondition("suffix", ("notes",)))
        ),
        ListNamespacesOp(match_conditions=(MatchCondition("prefix", ("users", "ana")),), max_depth=2),
    ],
    [PutOp(ANA, "a", None), PutOp(ANA, "nothing", None), PutOp(ANA, "b", {"n": 1}), PutOp(ANA, "b", {"n": 7})],
    [GetOp(ANA, "a"), GetOp(ANA, "b"), SearchOp(ANA)],
]


async def test_it_does_what_the_frameworks_own_store_does(store: MunimentStore) -> None:
    reference = InMemoryStore()
    for step in STEPS:
        assert await plain(store, step) == await plain(reference, step)


async def test_pages_of_a_search_hold_each_item_once(store: MunimentStore) -> None:
    await store.abatch([PutOp(("n",), f"k{n:03}", {"n": n}) for n in range(205)])
    seen = [item.key for start in range(0, 300, 60) for item in await store.asearch(("n",), limit=60, offset=start)]
    assert sorted(seen) == [f"k{n:03}" for n in range(205)]


async def test_a_query_ranks_by_meaning_and_words_within_the_prefix(store: MunimentStore) -> None:
    await store.aput(ANA, "coffee", {"text": "Ana drinks her coffee without sugar."})
    await store.aput(ANA, "train", {"text": "The train to Lyon leaves at nine."})
    await store.aput(ANA, "hidden", {"text": "coffee coffee coffee"}, index=False)
    await store.aput(ANA, "title", {"title": "Coffee beans from Lima", "body": "train"}, index=["title"])
    await store.aput(("users", "bo"), "coffee", {"text": "Bo drinks his coffee with milk."})
    found = await store.asearch(ANA, query="How does she take her coffee?")
    assert found[0].key == "coffee"
    scored = [item.key for item in found if item.score is not None]
    assert scored[0] == "coffee"
    assert "hidden" not in scored
    assert {item.key for item in found} == {"coffee", "train", "hidden", "title"}
    assert [i.key for i in await store.asearch(ANA, query="coffee", filter={"body": "train"})] == ["title"]


async def test_items_are_memories_and_a_new_value_takes_back_what_the_old_one_proved(
    store: MunimentStore, memory: Memory
) -> None:
    await store.aput(("notes",), "employer", {"text": "Ana Ruiz works for Globex."})
    first = await store.aget(("notes",), "employer")
    assert [fact.object.name for fact in (await memory.facts(subject="Ana Ruiz")).items] == ["Globex"]
    await store.aput(("notes",), "employer", {"text": "Ana Ruiz works for Initech."})
    again = await store.aget(("notes",), "employer")
    assert [fact.object.name for fact in (await memory.facts(subject="Ana Ruiz")).items] == ["Initech"]
    assert first is not None
    assert again is not None
    assert (again.created_at, again.updated_at > first.updated_at) == (first.created_at, True)
    await store.adelete(("notes",), "employer")
    assert (await memory.facts(subject="Ana Ruiz")).items == ()
    assert (await memory.episodes()).items == ()


async def test_what_a_user_put_is_met_by_that_users_questions_only(store: MunimentStore, memory: Memory) -> None:
    await store.aput(ANA, "coffee", {"text": "Coffee without sugar, please."})
    for scope, seen in (({"user": "ana"}, 1), ({"user": "bo"}, 0), (None, 0)):
        hits = (await memory.recall("coffee", scope=scope, kinds=["episode"])).recall.hits
        assert len(hits) == seen
    other = MunimentStore(memory, scope_of=lambda namespace: {"agent": namespace[0]}, extract="none")
    await other.aput(("helper", "facts"), "x", {"text": "Ana Ruiz works for Globex."})
    assert (await memory.facts(subject="Ana Ruiz")).items == ()
    assert len((await memory.recall("Globex", scope={"agent": "helper"})).recall.hits) == 1


async def test_wrong_names_are_refused_as_by_the_framework(store: MunimentStore) -> None:
    for namespace in ((), ("a.b",), ("langgraph",), ("a", "")):
        with pytest.raises(InvalidNamespaceError):
            await store.aput(namespace, "k", {"n": 1})
    with pytest.raises(InvalidNamespaceError):
        await store.abatch([GetOp(("a.b",), "k")])
    await store.aput(("a",), "k", {"n": 1})
    with pytest.raises(ValueError, match="operator"):
        await store.asearch(("a",), filter={"n": {"$near": 1}})


class State(TypedDict, total=False):
    seen: list[str]


async def test_a_graph_uses_it_from_plain_and_from_asynchronous_nodes(store: MunimentStore) -> None:
    def keep(state: State, *, store: BaseStore) -> State:
        store.put(("users", "ana"), "tea", {"text": "Ana likes green tea."})
        store.put(("users", "ana"), "gone", {"text": "x"})
        store.delete(("users", "ana"), "gone")
        assert store.list_namespaces() == [("users", "ana")]
        item = store.get(("users", "ana"), "tea")
        assert item is not None
        return {"seen": [item.key]}

    async def find(state: State, *, store: BaseStore) -> State:
        found = await store.asearch(("users",), query="Which tea does Ana like?")
        return {"seen": [*state.get("seen", []), *(item.value["text"] for item in found)]}

    graph = StateGraph(State).add_node(keep).add_node(find)
    graph.add_edge(START, "keep").add_edge("keep", "find").add_edge("find", END)
    assert await graph.compile(store=store).ainvoke({}) == {"seen": ["tea", "Ana likes green tea."]}


async def test_a_plain_call_that_would_wait_for_ever_says_so(store: MunimentStore, memory: Memory) -> None:
    with pytest.raises(RuntimeError, match="await the asynchronous method"):
        store.get(ANA, "a")
    without_loop = await asyncio.to_thread(MunimentStore, memory)
    with pytest.raises(RuntimeError, match="is asynchronous"):
        await asyncio.to_thread(without_loop.get, ANA, "a")


def test_plain_code_has_the_same_store(plain_memory: SyncMemory) -> None:
    store = MunimentStore(plain_memory)
    store.put(ANA, "tea", {"text": "Ana likes green tea."})
    assert [item.key for item in store.search(ANA, query="tea")] == ["tea"]
    assert store.list_namespaces() == [ANA]
