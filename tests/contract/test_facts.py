"""Assertions and the facts that derive from them: versions, slots, both clocks, lists."""

from __future__ import annotations

from dataclasses import replace

import pytest

from muniment.engine.ports.store import FactQuery, Page, TenantStore
from muniment.graph_schema.errors import NotFound
from muniment.graph_schema.ids import AssertionId, EntityId, EpisodeId, FactId, ReceiptId
from muniment.graph_schema.records import Assertion, Document, Fact, Kind, Quote, Says, Status
from muniment.graph_schema.temporal import BEGINNING_MS, FOREVER_MS, from_ms, to_ms
from tests.builders import NOW, assertion, at, entity, fact, ref, scope

F1 = FactId("f1")


@pytest.fixture
async def people(store: TenantStore) -> None:
    async with store.write() as unit:
        await unit.put_entities([entity("ana"), entity("acme"), entity("beta"), entity("bob")])


async def put(store: TenantStore, *facts: Fact) -> None:
    async with store.write() as unit:
        await unit.put_facts(facts)


async def tell(store: TenantStore, *assertions: Assertion) -> None:
    async with store.write() as unit:
        await unit.put_assertions(assertions)


def ids(found: list[Assertion] | list[Fact]) -> list[str]:
    return [one.id for one in found]


async def listed(store: TenantStore, **query: object) -> list[str]:
    return ids(await store.list_facts(FactQuery(**{"as_of": NOW} | query), Page()))  # type: ignore[arg-type]


# assertions


async def test_an_assertion_comes_back_as_given(store: TenantStore) -> None:
    given = assertion(
        kind=Kind.PREFERENCE,
        says=Says.CORRECTED,
        text="Ana likes tea.",
        valid_from=at(1),
        valid_to=at(2, ms=5),
        told_at=at(3),
        recorded_at=at(4),
        withdrawn_at=at(5),
        confidence=0.25,
        importance=5,
        rank=3,
        episode=EpisodeId("e1"),
        quote="likes tea",
        start=4,
        end=13,
        rule="likes",
        actor="ana",
        receipt=ReceiptId("r1"),
        order=7,
        scope=scope("u", "a", "s"),
        attributes={"strength": 0.5, "nested": [{"x": None}]},
    )
    await tell(store, given, assertion("as2"))
    found = await store.assertions([AssertionId("as2"), AssertionId("as1"), AssertionId("nobody")])
    assert found == [assertion("as2"), given]


async def test_a_slots_evidence_is_in_the_order_told(store: TenantStore) -> None:
    await tell(
        store,
        assertion("d", recorded_at=at(1), order=1),
        assertion("c", recorded_at=at(1), order=2),
        assertion("b", recorded_at=at(1), order=1, withdrawn_at=at(2)),
        assertion("a", recorded_at=at(2)),
        assertion("e", slot="other"),
        assertion("f", slot="third"),
    )
    assert ids(await store.assertions_of_slots(["slot", "other", "none"])) == ["e", "b", "d", "c", "a"]


async def test_evidence_is_found_by_episode_receipt_and_entity(store: TenantStore) -> None:
    await tell(
        store,
        assertion("a", episode=EpisodeId("e1"), receipt=ReceiptId("r1")),
        assertion("b", episode=EpisodeId("e2"), receipt=ReceiptId("r1"), order=-1, subject=EntityId("bob")),
        assertion("c", object=EntityId("ana")),
        assertion("d", subject=EntityId("x"), object=EntityId("y")),
    )
    assert ids(await store.assertions_of_episodes([EpisodeId("e1"), EpisodeId("none")])) == ["a"]
    assert ids(await store.assertions_of_receipt(ReceiptId("r1"))) == ["b", "a"]
    assert ids(await store.assertions_of_receipt(ReceiptId(""))) == []
    assert ids(await store.assertions_of_entities([EntityId("ana")])) == ["a", "c"]
    assert ids(await store.assertions_of_entities([EntityId("ana"), EntityId("y"), EntityId("bob")])) == [*"bacd"]


async def test_evidence_of_an_entity_is_narrowed_to_groups_of_slots(store: TenantStore) -> None:
    await tell(
        store,
        assertion("a", slot="one.ana"),
        assertion("b", slot="two.ana"),
        assertion("c", slot="one.bob", subject=EntityId("bob"), object=EntityId("ana")),
        assertion("d", slot="one"),
        assertion("e", slot="one.cy", subject=EntityId("cy"), object=EntityId("dan")),
    )
    ana = [EntityId("ana")]
    assert ids(await store.assertions_of_entities(ana, groups=["one"])) == ["a", "c", "d"]
    assert ids(await store.assertions_of_entities(ana, groups=["one", "two"])) == ["a", "b", "c", "d"]
    assert ids(await store.assertions_of_entities(ana, groups=["on", "one."])) == []
    assert len(await store.assertions_of_entities(ana)) == 4


async def test_all_assertions_come_in_batches_in_order_of_id(store: TenantStore, other: TenantStore) -> None:
    await tell(store, *(assertion(f"a{n}") for n in (3, 1, 4, 0, 2)))
    await tell(other, assertion("theirs"))
    batches = [ids(batch) async for batch in store.all_assertions(batch=2)]
    assert batches == [["a0", "a1"], ["a2", "a3"], ["a4"]]


async def test_evidence_stays_behind_its_wall(store: TenantStore, walled: TenantStore, other: TenantStore) -> None:
    secret = assertion(wall="deal", episode=EpisodeId("e1"), receipt=ReceiptId("r1"))
    await tell(walled, secret)
    for reader, expected in ((store, []), (other, []), (walled, [secret])):
        assert await reader.assertions([secret.id]) == expected
        assert await reader.assertions_of_slots(["slot"]) == expected
        assert await reader.assertions_of_episodes([EpisodeId("e1")]) == expected
        assert await reader.assertions_of_receipt(ReceiptId("r1")) == expected
        assert await reader.assertions_of_entities([EntityId("ana")]) == expected
        assert [one async for batch in reader.all_assertions() for one in batch] == expected
    with pytest.raises(NotFound, match="as1"):
        await tell(store, assertion())


# facts


@pytest.mark.usefixtures("people")
async def test_a_fact_comes_back_as_given(store: TenantStore) -> None:
    given = fact(
        version=3,
        kind=Kind.SKILL,
        subject=replace(ref("ana"), name="Ana as she was called"),
        text="Ana works for Acme.",
        valid_at=from_ms(BEGINNING_MS),
        invalid_at=from_ms(FOREVER_MS),
        created_at=at(1),
        expired_at=at(2, ms=1),
        rejected=True,
        archived=True,
        pinned=True,
        confidence=0.1,
        importance=1,
        scope=scope("u", "a", "s"),
        evidence=(Quote(episode=EpisodeId("e1"), quote="works", start=4, end=9), Quote(episode=EpisodeId("e2"))),
        assertions=(AssertionId("a1"), AssertionId("a2")),
        closed_by="rule",
        superseded_by=FactId("f2"),
        conflicts_with=(FactId("f3"),),
        attributes={"steps": [{"do": "x", "then": None}]},
    )
    await put(store, given, fact("f2"))
    assert await store.facts([FactId("f2"), F1, FactId("none")]) == [fact("f2"), given]


@pytest.mark.usefixtures("people")
async def test_two_facts_between_one_pair_are_two(store: TenantStore) -> None:
    await put(store, fact("f1", relation="buys_from"), fact("f2", relation="complained_about"))
    assert {one.relation for one in await store.facts([F1, FactId("f2")])} == {"buys_from", "complained_about"}


@pytest.mark.usefixtures("people")
async def test_each_version_is_known_while_it_was_in_force(store: TenantStore) -> None:
    first = fact(expired_at=at(2))
    second = fact(version=2, created_at=at(2), expired_at=at(5), invalid_at=at(1))
    third = fact(version=3, created_at=at(7), text="third")
    await put(store, third, first, second)
    assert await store.fact_versions(F1) == [first, second, third]
    assert await store.facts([F1]) == [third]
    for moment, expected in (
        (at(ms=-1), []),
        (at(), [first]),
        (at(2, ms=-1), [first]),
        (at(2), [second]),
        (at(5, ms=-1), [second]),
        (at(5), []),
        (at(7), [third]),
    ):
        assert await store.facts([F1], known_at=moment) == expected


@pytest.mark.usefixtures("people")
async def test_the_latest_version_is_given_even_when_it_has_expired(store: TenantStore) -> None:
    await put(store, fact(expired_at=at(2)))
    assert await store.facts([F1]) == [fact(expired_at=at(2))]
    await put(store, fact(expired_at=at(3)))
    assert await store.fact_versions(F1) == [fact(expired_at=at(3))]


@pytest.mark.usefixtures("people")
async def test_a_slot_gives_its_unexpired_intervals(store: TenantStore) -> None:
    await put(
        store,
        fact("late", slot="s", valid_at=at(5)),
        fact("b", slot="s", rejected=True),
        fact("a", slot="s", archived=True),
        fact("gone", slot="s", expired_at=at(1)),
        fact("else", slot="t"),
        fact("third", slot="u"),
    )
    assert ids(await store.facts_of_slots(["s", "t", "none"])) == ["a", "b", "else", "late"]


async def test_a_fact_needs_its_entities(store: TenantStore, walled: TenantStore, other: TenantStore) -> None:
    async with other.write() as unit:
        await unit.put_entities([entity("acme")])
    async with walled.write() as unit:
        await unit.put_entities([entity("ana"), entity("hidden", wall="deal")])
    with pytest.raises(NotFound, match="acme"):
        await put(store, fact())
    with pytest.raises(NotFound, match="hidden"):
        await put(store, fact(object=ref("hidden")))
    await put(walled, fact(object=ref("hidden"), wall="deal"))
    assert len(await walled.facts([F1])) == 1


@pytest.mark.usefixtures("people")
async def test_facts_stay_behind_their_wall(store: TenantStore, walled: TenantStore, other: TenantStore) -> None:
    secret = fact(wall="deal", slot="s")
    await put(walled, secret)
    for reader, expected in ((store, []), (other, []), (walled, [secret])):
        assert await reader.facts([F1]) == expected
        assert await reader.facts([F1], known_at=NOW) == expected
        assert await reader.fact_versions(F1) == expected
        assert await reader.facts_of_slots(["s"]) == expected
        assert await listed(reader) == ids(expected)
    for wall in ("", "deal"):
        with pytest.raises(NotFound, match="f1"):
            await put(store, fact(version=2, wall=wall))
    assert await walled.fact_versions(F1) == [secret]


# lists


@pytest.mark.usefixtures("people")
async def test_facts_are_listed_by_their_parts(store: TenantStore) -> None:
    await put(
        store,
        fact("a", text="Ana WORKS for Acme", scope=scope("u1")),
        fact("b", subject=ref("bob"), scope=scope(session="s1")),
        fact("c", subject=ref("bob"), object=ref("beta"), relation="buys_from", created_at=at(1)),
        fact("d", kind=Kind.PREFERENCE),
    )
    assert await listed(store) == ["c", "a", "b"]
    assert await listed(store, kinds=frozenset({Kind.PREFERENCE, Kind.FACT})) == ["c", "a", "b", "d"]
    assert await listed(store, subjects=frozenset({EntityId("bob")})) == ["c", "b"]
    assert await listed(store, objects=frozenset({EntityId("acme")})) == ["a", "b"]
    both = {"subjects": frozenset({EntityId("bob")}), "objects": frozenset({EntityId("acme"), EntityId("x")})}
    assert await listed(store, **both) == ["b"]
    assert await listed(store, subjects=frozenset()) == []
    assert await listed(store, objects=frozenset(), subjects=frozenset({EntityId("bob")})) == []
    assert await listed(store, relations=frozenset({"buys_from", "x"})) == ["c"]
    assert await listed(store, text="works FOR") == ["a"]
    assert await listed(store, user="u1") == ["a"]
    assert await listed(store, session="s1") == ["b"]


@pytest.mark.usefixtures("people")
async def test_facts_are_listed_by_status(store: TenantStore) -> None:
    await put(
        store,
        fact("current"),
        fact("ends_later", invalid_at=at(999)),
        fact("ended", invalid_at=at(1)),
        fact("superseded", invalid_at=at(1), superseded_by=FactId("current")),
        fact("future", valid_at=at(999)),
        fact("rejected", rejected=True, archived=True),
        fact("archived", archived=True),
    )
    for status in Status:
        expected = ["current", "ends_later"] if status is Status.CURRENT else [status.value]
        assert await listed(store, status=status) == expected
        assert await listed(store, status=status, include_archived=True, include_superseded=True) == expected
    assert await listed(store) == ["current", "ends_later"]
    assert await listed(store, include_archived=True) == ["archived", "current", "ends_later"]
    held = ["current", "ended", "ends_later", "future", "superseded"]
    assert await listed(store, include_superseded=True) == held


@pytest.mark.usefixtures("people")
async def test_lists_are_of_both_clocks_half_open(store: TenantStore) -> None:
    await put(
        store,
        fact(created_at=at(10), expired_at=at(20), valid_at=at(1)),
        fact(version=2, created_at=at(20), valid_at=at(1), invalid_at=at(3)),
    )
    assert await listed(store, as_of=at(1)) == ["f1"]
    assert await listed(store, as_of=at(1, ms=-1)) == []
    assert await listed(store, as_of=at(3, ms=-1)) == ["f1"]
    assert await listed(store, as_of=at(3)) == []
    assert await listed(store, as_of=at(3), known_at=at(19)) == ["f1"]
    assert await listed(store, as_of=at(3), known_at=at(20)) == []
    assert await listed(store, as_of=at(3), known_at=at(10, ms=-1)) == []
    assert await listed(store, as_of=at(3), known_at=at(10)) == ["f1"]


@pytest.mark.usefixtures("people")
async def test_pages_of_facts_go_on(store: TenantStore) -> None:
    await put(store, *(fact(f"f{n}", created_at=at(n // 3)) for n in range(8)))
    seen: list[Fact] = []
    while page := await store.list_facts(
        FactQuery(as_of=NOW), Page(limit=2, after=(to_ms(seen[-1].created_at), seen[-1].id) if seen else None)
    ):
        seen += page
    assert ids(seen) == ["f6", "f7", "f3", "f4", "f5", "f0", "f1", "f2"]
    subject = FactQuery(as_of=NOW, subjects=frozenset({EntityId("ana")}))
    assert ids(await store.list_facts(subject, Page(limit=2, after=(to_ms(at(1)), "f4")))) == ["f5", "f0"]


async def test_a_slot_book_is_all_that_a_write_must_know_of_its_slots(store: TenantStore, people: None) -> None:
    await tell(store, assertion("a2", slot="s", recorded_at=at(2)), assertion("a1", slot="s"), assertion("b", slot="t"))
    await put(store, fact("f", slot="s"), fact("g", slot="t"), fact("over", slot="s", expired_at=at(3)))
    async with store.write() as unit:
        rows = [("r1", "s", "open", 2), ("r2", "s", "shut", 1), ("r3", "t", "open", 3), ("r4", "s", "open", 1)]
        documents = [
            Document(kind="review", id=id, ref=ref, status=status, seq=seq, created_at=at(1), body={})
            for id, ref, status, seq in rows
        ]
        counted = [Document(kind="count", id=f"c{n}", seq=n, created_at=at(1), body={}) for n in (3, 7)]
        await unit.put_documents([*documents, *counted])
        book = await unit.slot_book(["s", "none"], kind="review", status="open", counted="count")
    assert ids(list(book.assertions)) == ["a1", "a2"] == ids(await store.assertions_of_slots(["s", "none"]))
    assert ids(list(book.facts)) == ["f"] == ids(await store.facts_of_slots(["s", "none"]))
    assert [one.id for one in book.open] == ["r4", "r1"]
    assert book.last_seq == 7
    nothing = await store.slot_book(["none"], kind="review", status="open", counted="other")
    assert (nothing.assertions, nothing.facts, nothing.open, nothing.last_seq) == ((), (), (), 0)


async def test_constraints_are_found_among_any_number_of_preferences(store: TenantStore, people: None) -> None:
    wishes = [
        fact(f"w{n}", kind=Kind.PREFERENCE, created_at=at(n), attributes={"topic": "tea", "constraint": False})
        for n in range(20)
    ]
    rule = fact("rule", kind=Kind.PREFERENCE, attributes={"topic": "calls", "constraint": True})
    told = fact("told", attributes={"constraint": True})  # no preference
    over = replace(rule, id=FactId("over"), slot="other", invalid_at=at(5))
    await put(store, *wishes, rule, told, over)
    kinds = frozenset({Kind.PREFERENCE})
    found = await store.list_facts(FactQuery(kinds=kinds, as_of=NOW, standing=True), Page(limit=2))
    assert ids(found) == ["rule"]
    assert await listed(store, kinds=kinds, standing=True, include_superseded=True) == ["over", "rule"]
    assert await listed(store, standing=True) == []
    assert len(await store.list_facts(FactQuery(kinds=kinds, as_of=NOW), Page(limit=50))) == 21
