"""Erasing: what went is gone from every read, others' rows stay."""

from __future__ import annotations

import pytest

from muniment.engine.ports.search import SearchRequest
from muniment.engine.ports.store import Database, EntityCounts, Erasable, TenantStore, Use
from muniment.graph_schema.ids import AssertionId, EntityId, EpisodeId, FactId, SummaryId
from muniment.graph_schema.records import Kind
from muniment.graph_schema.temporal import Clocks
from tests.builders import (
    EMBEDDER,
    NOW,
    assertion,
    at,
    document,
    entity,
    episode,
    fact,
    indexed,
    job,
    mention,
    read_filter,
    ref,
    summary,
    unit_vector,
)

EVERYTHING = SearchRequest(
    filter=read_filter(scope=None, include_superseded=True, include_archived=True),
    terms=("zebra",),
    vectors={EMBEDDER: unit_vector(1)},
    wanted=frozenset({(Kind.FACT, "f1"), (Kind.EPISODE, "ep1"), (Kind.SUMMARY, "su1"), (Kind.PREFERENCE, "liking")}),
)


async def fill(store: TenantStore, wall: str = "") -> None:
    async with store.write() as unit:
        await unit.put_entities([entity("ana", wall=wall, identifiers=("email:x",)), entity("acme", wall=wall)])
        await unit.put_episodes(
            [episode(wall=wall, thread="t", external_id="x"), episode("ep2", wall=wall, thread="t")]
        )
        await unit.put_mentions([mention(wall=wall), mention("ep2", wall=wall)])
        await unit.put_assertions([assertion(wall=wall, episode=EpisodeId("ep1")), assertion("as2", wall=wall)])
        await unit.put_facts(
            [
                fact(wall=wall, expired_at=at(1)),
                fact(wall=wall, version=2, created_at=at(1)),
                fact("liking", kind=Kind.PREFERENCE, subject=ref("acme"), wall=wall),
            ]
        )
        await unit.put_summaries([summary(wall=wall)])
        keys = [(Kind.FACT, "f1"), (Kind.PREFERENCE, "liking"), (Kind.EPISODE, "ep1"), (Kind.SUMMARY, "su1")]
        await unit.put_index([indexed(kind, id, "zebra", unit_vector(1)) for kind, id in keys])
        await unit.add_uses([Use(kind=kind, id=id, count=1, last_at=at(1)) for kind, id in keys])
        await unit.put_documents([document(), document("d2", seq=7)])
        await unit.put_jobs([job()])


async def erase(store: TenantStore, kind: Erasable, *ids: str) -> int:
    async with store.write() as unit:
        return await unit.erase(kind, ids)


async def found(store: TenantStore) -> list[str]:
    return sorted(one.memory.id for one in await store.search(EVERYTHING))


async def used(store: TenantStore) -> list[str]:
    return sorted(one.id for one in (await store.uses(sorted(EVERYTHING.wanted))).values())


ALL = ["ep1", "f1", "liking", "su1"]


async def test_an_erased_episode_takes_its_mentions_entry_and_uses_along(store: TenantStore) -> None:
    await fill(store)
    assert (await found(store), await used(store)) == (ALL, ALL)
    assert await erase(store, Erasable.EPISODE, "ep1", "none") == 1
    assert await store.episodes([EpisodeId("ep1"), EpisodeId("ep2")]) == [episode("ep2", thread="t")]
    assert await store.episodes_by_external_id(["x"]) == {}
    assert await store.mentions_of_episodes([EpisodeId("ep1"), EpisodeId("ep2")]) == [mention("ep2")]
    assert (await store.mentions_of_entities([EntityId("ana")], read_filter())).counts == {"ana": 1}
    assert (await store.neighbours([EpisodeId("ep2")], read_filter()))[EpisodeId("ep2")].previous is None
    assert await found(store) == await used(store) == ["f1", "liking", "su1"]
    assert len(await store.assertions_of_episodes([EpisodeId("ep1")])) == 1
    assert await erase(store, Erasable.EPISODE, "ep1") == 0


async def test_an_erased_fact_goes_in_every_version(store: TenantStore) -> None:
    await fill(store)
    assert await erase(store, Erasable.FACT, "f1") == 1
    assert await store.fact_versions(FactId("f1")) == []
    assert await store.facts([FactId("f1")], known_at=at()) == []
    assert (await store.edges([EntityId("ana")], read_filter(include_superseded=True))).facts == ()
    assert await found(store) == await used(store) == ["ep1", "liking", "su1"]
    assert await erase(store, Erasable.FACT, "liking", "f1") == 1
    assert await found(store) == await used(store) == ["ep1", "su1"]


async def test_erased_assertions_and_summaries_go(store: TenantStore) -> None:
    await fill(store)
    assert await erase(store, Erasable.ASSERTION, "as1") == 1
    assert [one.id for one in await store.assertions_of_slots(["slot"])] == ["as2"]
    assert await store.assertions([AssertionId("as1")]) == []
    assert await erase(store, Erasable.SUMMARY, "su1") == 1
    assert await store.summaries([SummaryId("su1")]) == []
    assert await found(store) == await used(store) == ["ep1", "f1", "liking"]


async def test_an_erased_entity_takes_its_facts_and_names_along(store: TenantStore) -> None:
    await fill(store)
    assert await erase(store, Erasable.ENTITY, "ana", "none") == 1
    assert [one.id for one in await store.entities([EntityId("ana"), EntityId("acme")])] == ["acme"]
    assert await store.entities_by_alias(["ana"]) == {}
    assert await store.entities_by_identifier(["email:x"]) == {}
    assert await store.mentions_of_episodes([EpisodeId("ep1")]) == []
    assert await store.fact_versions(FactId("f1")) == []
    assert await found(store) == await used(store) == ["ep1", "liking", "su1"]
    counts = await store.entity_counts([EntityId("ana"), EntityId("acme")], Clocks(as_of=NOW, known_at=NOW))
    assert counts == {"acme": EntityCounts(facts=1, first_seen=None, last_seen=None)}


@pytest.mark.parametrize(
    ("kind", "id"),
    [
        (Erasable.EPISODE, "ep1"),
        (Erasable.ENTITY, "ana"),
        (Erasable.ASSERTION, "as1"),
        (Erasable.FACT, "f1"),
        (Erasable.SUMMARY, "su1"),
    ],
)
async def test_what_is_not_yours_stays(
    kind: Erasable, id: str, store: TenantStore, walled: TenantStore, other: TenantStore
) -> None:
    await fill(walled, wall="deal")
    before = await walled.search(EVERYTHING)
    assert await erase(store, kind, id) == 0
    assert await erase(other, kind, id) == 0
    assert sorted(one.memory.id for one in before) == ALL == await found(walled)
    assert await walled.uses(sorted(EVERYTHING.wanted)) != {}
    assert await erase(walled, kind, id) == 1


async def test_what_was_erased_can_be_written_anew(store: TenantStore) -> None:
    await fill(store)
    assert await found(store) == ALL
    await erase(store, Erasable.FACT, "f1", "liking")
    await erase(store, Erasable.EPISODE, "ep1")
    async with store.write() as unit:
        await unit.put_facts([fact(text="anew")])
        await unit.put_index([indexed(Kind.FACT, "f1", "horse")])
    assert await found(store) == ["f1", "su1"]
    assert await store.search(SearchRequest(filter=read_filter(), terms=("horse",))) != []
    assert await store.fact_versions(FactId("f1")) == [fact(text="anew")]


async def test_an_erased_space_leaves_nothing(database: Database, store: TenantStore, other: TenantStore) -> None:
    await fill(store)
    await fill(other)
    assert await database.spaces() == [store.space, other.space]
    assert await found(store) == ALL
    assert await database.erase_space(store.space) >= 15
    assert await database.spaces() == [other.space]
    assert await found(store) == []
    assert await store.jobs() == []
    assert await store.last_seq("note") == 0
    assert [batch async for batch in store.all_assertions()] == []
    assert await found(other) == ALL
    assert await database.erase_space(store.space) == 0
    await fill(store)
    assert await found(store) == ALL


async def test_a_database_is_scrubbed_and_goes_on(database: Database, store: TenantStore) -> None:
    await fill(store)
    assert await found(store) == ALL
    await erase(store, Erasable.EPISODE, "ep1")
    await database.scrub()
    assert await found(store) == ["f1", "liking", "su1"]
    async with store.write() as unit:
        await unit.put_episodes([episode()])
    assert await found(store) == ALL
