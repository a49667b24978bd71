"""Summaries, documents, and how often memories were used."""

from __future__ import annotations

import pytest

from muniment.engine.ports.search import Found
from muniment.engine.ports.store import DocumentQuery, TenantStore, Use
from muniment.graph_schema.errors import NotFound
from muniment.graph_schema.ids import SummaryId
from muniment.graph_schema.records import Document, Kind
from tests.builders import NOW, at, clocks, document, entity, episode, fact, indexed, read_filter, scope, summary


async def put(store: TenantStore, *documents: Document) -> None:
    async with store.write() as unit:
        await unit.put_documents(documents)


async def listed(store: TenantStore, **query: object) -> list[str]:
    return [one.id for one in await store.documents(DocumentQuery(**{"kind": "note"} | query))]  # type: ignore[arg-type]


# summaries


async def test_a_summary_comes_back_as_given(store: TenantStore, walled: TenantStore, other: TenantStore) -> None:
    given = summary(topic="Prices", covers=("e1", "f2"), scope=scope("u", "a", "s"), wall="deal", archived=True)
    async with walled.write() as unit:
        await unit.put_summaries([given, summary("open")])
    ids = [SummaryId("open"), SummaryId("su1"), SummaryId("none")]
    assert await walled.summaries(ids) == [summary("open"), given]
    assert await store.summaries(ids) == [summary("open")]
    assert await other.summaries(ids) == []
    with pytest.raises(NotFound, match="su1"):
        async with store.write() as unit:
            await unit.put_summaries([summary()])


# documents


async def test_a_document_comes_back_as_given(store: TenantStore, other: TenantStore) -> None:
    given = document(
        ref="r", status="open", seq=7, created_at=at(ms=3), expires_at=at(1), body={"deep": [{"x": [None, 1.5, "é"]}]}
    )
    await put(store, given, document(kind="else", body={"a": 1}))
    assert await store.document("note", "d1") == given
    assert await store.document("else", "d1") == document(kind="else", body={"a": 1})
    assert await store.document("note", "none") is None
    assert await other.document("note", "d1") is None


async def test_documents_are_in_order_of_their_numbers(store: TenantStore, other: TenantStore) -> None:
    await put(store, *(document(id, seq=seq) for id, seq in (("d", 3), ("b", 1), ("c", 1), ("a", 2))))
    await put(store, document("x", kind="else", seq=99))
    await put(other, document("theirs", seq=50))
    assert await listed(store) == ["b", "c", "a", "d"]
    assert await listed(store, newest_first=True) == ["d", "a", "c", "b"]
    assert await listed(store, after_seq=1) == ["a", "d"]
    assert await listed(store, after_seq=3, newest_first=True) == ["a", "c", "b"]
    assert await listed(store, limit=2) == ["b", "c"]
    assert (await store.last_seq("note"), await store.last_seq("else"), await store.last_seq("none")) == (3, 99, 0)
    assert await other.last_seq("note") == 50


async def test_documents_are_found_by_ref_and_status(store: TenantStore) -> None:
    await put(store, document("a", ref="x", status="open"), document("b", ref="x"), document("c", status="open"))
    assert await listed(store, ref="x") == ["a", "b"]
    assert await listed(store, status="open") == ["a", "c"]
    assert await listed(store, ref="x", status="open") == ["a"]
    assert await listed(store, ref="") == ["c"]
    await put(store, document("a", ref="y", status="closed"))
    assert await listed(store, ref="x") == ["b"]
    assert await listed(store, status="closed") == ["a"]


async def test_many_documents_are_given_in_the_order_asked_those_of_the_kind_only(
    store: TenantStore, other: TenantStore
) -> None:
    await put(store, *(document(id) for id in ("a", "b", "c")), document("d", kind="else"))
    await put(other, document("x"))
    found = await store.documents_by_id("note", ["c", "a", "c", "d", "x", "gone"])
    assert [one.id for one in found] == ["c", "a"]
    assert await store.documents_by_id("note", []) == []


async def test_documents_are_dropped(store: TenantStore, other: TenantStore) -> None:
    await put(store, document("a"), document("b"), document("a", kind="else"))
    await put(other, document("a"))
    async with store.write() as unit:
        await unit.drop_documents("note", ["a", "none"])
    assert await listed(store) == ["b"]
    assert await store.document("else", "a") is not None
    assert await other.document("note", "a") is not None


# uses


def use(id: str = "f1", kind: Kind = Kind.FACT, count: int = 1, days: float = 1) -> Use:
    return Use(kind=kind, id=id, count=count, last_at=at(days))


async def used(store: TenantStore, *uses: Use) -> None:
    async with store.write() as unit:
        await unit.add_uses(uses)


async def memories(store: TenantStore, wall: str = "") -> None:
    async with store.write() as unit:
        await unit.put_entities([entity("ana"), entity("acme")])
        await unit.put_facts([fact(wall=wall), fact("liking", kind=Kind.PREFERENCE)])
        await unit.put_episodes([episode("ep1"), episode("old", archived=True), episode("mine", scope=scope("u"))])
        await unit.put_summaries([summary()])
        await unit.put_index([indexed(Kind.EPISODE, "ep1", "some words")])


async def test_uses_add_up_and_never_go_back(store: TenantStore) -> None:
    await memories(store)
    await used(store, use(count=2, days=5), use("ep1", Kind.EPISODE))
    await used(store, use(count=3, days=2), use(count=1, days=3))
    keys = [(Kind.FACT, "f1"), (Kind.EPISODE, "ep1"), (Kind.SUMMARY, "su1"), (Kind.FACT, "ep1")]
    assert await store.uses(keys) == {keys[0]: use(count=6, days=5), keys[1]: use("ep1", Kind.EPISODE)}


async def test_a_use_needs_its_memory_and_stays_behind_its_wall(
    store: TenantStore, walled: TenantStore, other: TenantStore
) -> None:
    await memories(walled, wall="deal")
    await used(walled, use())
    for reader in (store, other):
        with pytest.raises(NotFound, match="f1"):
            await used(reader, use())
        assert await reader.uses([(Kind.FACT, "f1")]) == {}
        assert await reader.recently_used(read_filter(), limit=9) == []
    assert await walled.uses([(Kind.FACT, "f1")]) == {(Kind.FACT, "f1"): use()}
    assert [one.id for one, _ in await walled.recently_used(read_filter(), limit=9)] == ["f1"]


async def test_recently_used_memories_come_latest_first(store: TenantStore) -> None:
    await memories(store)
    await used(
        store,
        use(days=1),
        use("liking", Kind.PREFERENCE, days=3),
        use("ep1", Kind.EPISODE, days=2),
        use("su1", Kind.SUMMARY, days=2),
        use("old", Kind.EPISODE, days=9),
        use("mine", Kind.EPISODE, days=9),
    )
    found = await store.recently_used(read_filter(), limit=9)
    assert [one.id for one, _ in found] == ["liking", "ep1", "su1", "f1"]
    assert found[1] == (use("ep1", Kind.EPISODE, days=2), Found(memory=episode("ep1"), words="some words"))
    assert found[3][1] == Found(memory=fact())
    assert [one.id for one, _ in await store.recently_used(read_filter(), limit=2)] == ["liking", "ep1"]
    mine = read_filter(scope=scope("u"), include_archived=True, kinds=frozenset({Kind.EPISODE}))
    assert [one.id for one, _ in await store.recently_used(mine, limit=9)] == ["mine", "old", "ep1"]
    early = read_filter(clocks=clocks(as_of=NOW, known_at=at(ms=-1)))
    assert await store.recently_used(early, limit=9) == []
