"""Writers beside a purge: what comes before it goes with it, what comes after it stays, nothing is half."""

from __future__ import annotations

import asyncio

import pytest

from muniment.engine.ingest.inputs import facts_in
from muniment.engine.write.assert_facts import draft_facts
from muniment.graph_schema.errors import MunimentError, NotFound
from tests.engines import engine_on, memory_on, told
from tests.integration.erasing.test_purge import MARKER, kept, said
from tests.integration.erasing.traces import places_of


async def test_writers_beside_a_purge_lose_nothing_of_their_own(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme", actor="tester")
        await memory.remember(
            [said(f"The {MARKER} {n} is sold.", scope={"user": "u1"}) for n in range(5)], extract="none"
        )

        async def write(n: int) -> None:
            await memory.remember([said(f"Note {n}.", scope={"user": "u2"})], extract="none")
            await memory.assert_facts([told(f"Person {n}", "works_for", "Northwind")])

        purging = asyncio.create_task(memory.purge({"user": "u1"}))
        await asyncio.gather(*(write(n) for n in range(6)))
        certificate = await purging
        assert (certificate.counts["episode"], certificate.remaining) == (5, 0)
        assert {e.text for e in (await memory.episodes()).items} == {f"Note {n}." for n in range(6)}
        assert len((await memory.facts(object="Northwind")).items) == 6
        assert (await memory.verify_audit()).ok
        await memory.purge({"user": "nobody"})
    assert places_of(MARKER, store_url) == []


async def test_evidence_that_was_purged_meanwhile_refuses_the_write(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        (episode,) = await kept(memory, f"The {MARKER} is sold.", scope={"user": "u1"})
        given = facts_in([told("Mira Holt", "uses", MARKER, evidence=[episode])])
        draft = await draft_facts(
            memory._store, given, actor="tester", now=memory._tools.clock(), indexer=memory._tools.indexer
        )
        await memory.purge({"episode": episode})
        with pytest.raises(NotFound, match=episode):
            await memory._commit(draft, dry_run=False)
    assert places_of(MARKER, store_url) == []


async def test_recalls_beside_a_purge_leave_no_trace_of_it(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme", actor="tester")
        await kept(memory, f"The {MARKER} is sold.", scope={"user": "u1"})
        await kept(memory, "The chair is sold.")
        await asyncio.gather(
            *(memory.recall(f"who sold the {MARKER}?", scope={"user": "u1"}) for _ in range(4)),
            memory.purge({"user": "u1"}),
            return_exceptions=False,
        )
        await memory.purge({"user": "u1"})
    assert places_of(MARKER, store_url) == []


async def test_two_purges_of_one_thing_erase_it_once(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        (episode,) = await kept(memory, f"The {MARKER} is sold.")
        found = await asyncio.gather(
            memory.purge({"episode": episode}), memory.purge({"episode": episode}), return_exceptions=True
        )
        assert sum(isinstance(one, NotFound) for one in found) == 1
        assert sum(isinstance(one, MunimentError) for one in found) == 1
