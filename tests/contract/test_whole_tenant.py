"""Reads over all of a tenant: what erasing and export need."""

from collections.abc import AsyncIterator
from typing import TypeVar

import numpy as np

from muniment.engine.ports.store import TenantStore
from muniment.graph_schema.records import Kind
from tests.builders import at, document, entity, episode, fact, indexed, summary, unit_vector
from tests.contract.conftest import OpenStore

R = TypeVar("R")


async def _all(batches: AsyncIterator[list[R]]) -> list[R]:
    return [record async for batch in batches for record in batch]


async def test_all_facts_gives_every_version_in_order_across_batches(store: TenantStore, other: TenantStore) -> None:
    versions = [
        fact("f1", slot="s", expired_at=at(2)),
        fact("f1", slot="s", version=2, created_at=at(2)),
        fact("f2", slot="s", rejected=True),
        fact("f3", slot="t", archived=True),
    ]
    async with store.write() as unit:
        await unit.put_entities([entity("ana"), entity("acme", type="organisation")])
        await unit.put_facts(versions)
    async with other.write() as unit:
        await unit.put_entities([entity("ana"), entity("acme", type="organisation")])
        await unit.put_facts([fact("f9", slot="s")])
    assert await _all(store.all_facts(batch=2)) == versions
    assert await store.fact_ids_of_slots(["s", "none"]) == ["f1", "f2"]


async def test_a_fact_that_left_a_slot_is_still_found_by_it(store: TenantStore) -> None:
    async with store.write() as unit:
        await unit.put_entities([entity("ana"), entity("acme", type="organisation")])
        await unit.put_facts([fact("f1", slot="old", expired_at=at(2)), fact("f1", slot="new", version=2)])
    assert await store.fact_ids_of_slots(["old"]) == ["f1"]
    assert await store.facts_of_slots(["old"]) == []


async def test_walls_bind_reads_over_everything(open_store: OpenStore) -> None:
    whole = open_store(all_walls=True)
    async with whole.write() as unit:
        await unit.put_entities([entity("ana"), entity("acme", type="organisation")])
        await unit.put_facts([fact("f1", slot="s", wall="deal"), fact("f2", slot="s")])
        await unit.put_summaries([summary("s1", wall="deal"), summary("s2")])
        await unit.put_index([indexed(Kind.FACT, "f1", "one"), indexed(Kind.FACT, "f2", "two")])
    keys = [(Kind.FACT, "f1"), (Kind.FACT, "f2")]
    assert [f.id for f in await _all(whole.all_facts())] == ["f1", "f2"]
    assert [s.id for s in await _all(whole.all_summaries(batch=1))] == ["s1", "s2"]
    assert {e.id for e in await whole.index_entries(keys)} == {"f1", "f2"}
    shut = open_store()
    assert [f.id for f in await _all(shut.all_facts())] == ["f2"]
    assert [s.id for s in await _all(shut.all_summaries())] == ["s2"]
    assert await shut.fact_ids_of_slots(["s"]) == ["f2"]
    assert {e.id for e in await shut.index_entries(keys)} == {"f2"}
    assert (whole.all_walls, shut.all_walls) == (True, False)


async def test_index_entries_come_back_as_put(store: TenantStore) -> None:
    given = [
        indexed(Kind.EPISODE, "ep1", "alder birch", unit_vector(1), unit_vector(1, 2)),
        indexed(Kind.FACT, "f1", "cedar", unit_vector(3, 1)),
        indexed(Kind.FACT, "f2", "two parts", unit_vector(0, 1), unit_vector(1, 1)),
        indexed(Kind.SUMMARY, "s1", "no vector"),
    ]
    async with store.write() as unit:
        await unit.put_episodes([episode("ep1"), episode("ep2")])
        await unit.put_entities([entity("ana"), entity("acme", type="organisation")])
        await unit.put_facts([fact("f1"), fact("f2", expired_at=at(1)), fact("f2", version=2)])
        await unit.put_summaries([summary("s1")])
        await unit.put_index(given)
    asked = [(e.kind, e.id) for e in given] + [(Kind.EPISODE, "ep2"), (Kind.EPISODE, "none")]
    found = {(e.kind, e.id): e for e in await store.index_entries(asked)}
    assert set(found) == {(e.kind, e.id) for e in given}
    for entry in given:
        got = found[entry.kind, entry.id]
        assert got.words == entry.words
        assert set(got.vectors) == set(entry.vectors)
        for fingerprint, rows in entry.vectors.items():
            assert np.allclose(got.vectors[fingerprint], rows)


async def test_the_kinds_of_documents_are_known(store: TenantStore, other: TenantStore) -> None:
    async with store.write() as unit:
        await unit.put_documents([document("d1", "note"), document("d2", "note"), document("d1", "mark")])
    assert await store.document_kinds() == ["mark", "note"]
    assert await other.document_kinds() == []
