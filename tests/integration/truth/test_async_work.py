"""Accepted means recoverable: raw first, derived by a worker, once."""

from __future__ import annotations

import pytest

from muniment.graph_schema.errors import Conflict, NotFound
from muniment.graph_schema.records import JobState
from tests.engines import Hands, engine_on, objects

NOTE = {
    "text": "Petra Novak works for Kestrel Freight.",
    "kind": "note",
    "occurred_at": "2026-05-01T09:00:00Z",
    "external_id": "note-1",
}


async def test_worker_derives_what_a_sync_call_would(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        later, now = engine.for_tenant("later"), engine.for_tenant("now")
        await now.remember([NOTE])
        receipt = await later.remember([NOTE], mode="async")
        assert receipt.job is not None
        assert await objects(later) == set()
        assert (await later.recall("Petra Novak")).recall.hits[0].text == NOTE["text"]
        assert await engine.worker().run_until_idle() == 1
        assert (await later.job(receipt.job)).state is JobState.DONE
        assert await objects(later) == await objects(now) == {"Kestrel Freight"}


async def test_lapsed_lease_goes_to_another_and_the_first_changes_nothing(store_url: str) -> None:
    clock = Hands()
    async with engine_on(store_url, clock) as engine:
        memory = engine.for_tenant("acme")
        receipt = await memory.remember([NOTE], mode="async")
        ((space, mine),) = await engine.database.claim_jobs(["derive"], owner="first", now=clock(), lease_s=10)
        assert await engine.worker(name="second").run_until_idle() == 0
        clock.forward(seconds=11)
        assert await engine.worker(name="second").run_until_idle() == 1
        with pytest.raises(Conflict):
            await engine._derive(space, mine)
        facts = (await memory.facts()).items
        assert [len(f.evidence) for f in facts] == [1]
        assert (await memory.job(str(receipt.job))).attempts == 2


async def test_job_that_cannot_be_done_fails_with_its_reason_and_can_be_tried_again(store_url: str) -> None:
    clock = Hands()
    async with engine_on(store_url, clock) as engine:
        memory = engine.for_tenant("acme")
        receipt = await memory.remember([NOTE], mode="async")
        job = str(receipt.job)

        def broken(_: object) -> object:
            raise RuntimeError

        working, engine.tools.extractor = engine.tools.extractor, broken  # type: ignore[method-assign,assignment]
        for _ in range(engine.settings.job_attempts):
            assert await engine.worker().run_until_idle() == 1
            clock.forward(seconds=400)
        failed = await memory.job(job)
        assert (failed.state, failed.reason) == (JobState.FAILED, "RuntimeError")
        engine.tools.extractor = working  # type: ignore[method-assign]
        await memory.retry_job(job)
        assert await engine.worker().run_until_idle() == 1
        assert await objects(memory) == {"Kestrel Freight"}
        with pytest.raises(Conflict, match="done"):
            await memory.retry_job(job)


async def test_jobs_of_others_are_not_there(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        mine, theirs = engine.for_tenant("acme"), engine.for_tenant("globex")
        job = str((await mine.remember([NOTE], mode="async")).job)
        assert [j.id for j in (await mine.jobs()).items] == [job]
        assert (await theirs.jobs()).items == ()
        with pytest.raises(NotFound):
            await theirs.job(job)
        with pytest.raises(NotFound):
            await theirs.cancel_job(job)
        assert (await mine.cancel_job(job)).state is JobState.CANCELLED
