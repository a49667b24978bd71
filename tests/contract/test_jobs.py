"""Jobs: accepted once, claimed by one worker at a time, finished by whoever holds the lease."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta

from muniment.engine.jobs.worker import LONGEST_PAUSE_S
from muniment.engine.ports.leases import FARTHEST
from muniment.engine.ports.store import Database, TenantStore
from muniment.engine.webhooks.delivery import LONGEST_PAUSE_S as DELIVERY_PAUSE_S
from muniment.graph_schema.ids import JobId, ReceiptId, Space
from muniment.graph_schema.records import Job, JobState
from tests.builders import at, job

ACME, GLOBEX = Space("dev/acme"), Space("dev/globex")
J1 = JobId("j1")


def minute(number: int) -> datetime:
    return at(ms=60_000 * number)


async def put(store: TenantStore, *jobs: Job) -> None:
    async with store.write() as unit:
        await unit.put_jobs(jobs)


async def claimed(
    database: Database, now: datetime, *, owner: str = "w1", lease_s: float = 60, limit: int = 1
) -> list[tuple[str, str]]:
    found = await database.claim_jobs(["embed"], owner=owner, now=now, lease_s=lease_s, limit=limit)
    return [(space, one.id) for space, one in found]


async def test_a_job_comes_back_as_given(store: TenantStore, other: TenantStore) -> None:
    given = job(
        payload={"ids": ["a", {"b": [1]}]},
        state=JobState.FAILED,
        attempts=3,
        reason="why",
        updated_at=at(1),
        due_at=at(2, ms=1),
        owner="w",
        lease_until=at(3),
        receipt=ReceiptId("r"),
        dedup_key="k",
    )
    await put(store, given, job("j2"))
    assert await store.job(J1) == given
    assert await store.job(JobId("none")) is None
    assert await other.job(J1) is None
    assert await other.jobs() == []


async def test_jobs_are_listed_in_order_of_id(store: TenantStore) -> None:
    await put(store, *(job(f"j{n}") for n in (3, 1, 2)), job("j4", state=JobState.DONE))
    assert [one.id for one in await store.jobs()] == ["j1", "j2", "j3", "j4"]
    assert [one.id for one in await store.jobs(limit=2)] == ["j1", "j2"]
    assert [one.id for one in await store.jobs(after=JobId("j2"))] == ["j3", "j4"]
    assert [one.id for one in await store.jobs(state=JobState.DONE)] == ["j4"]


async def test_the_same_work_is_queued_once(store: TenantStore, other: TenantStore) -> None:
    await put(store, job("j1", dedup_key="k"), job("j2", dedup_key="k"), job("j3", dedup_key="l"))
    await put(store, job("j4", dedup_key="k"), job("j5"), job("j6"))
    await put(other, job("theirs", dedup_key="k"))
    assert [one.id for one in await store.jobs()] == ["j1", "j3", "j5", "j6"]
    assert [one.id for one in await other.jobs()] == ["theirs"]
    await put(store, job("j1", dedup_key="k", reason="replaced"))
    assert [one.reason for one in await store.jobs(limit=1)] == ["replaced"]
    await put(store, job("j1", dedup_key="k", state=JobState.RUNNING))
    await put(store, job("j7", dedup_key="k"))
    assert [one.id for one in await store.jobs(state=JobState.QUEUED)] == ["j3", "j5", "j6", "j7"]


async def test_due_jobs_of_all_spaces_are_claimed_longest_due_first(
    database: Database, store: TenantStore, other: TenantStore
) -> None:
    await put(store, job("b", due_at=minute(2)), job("a", due_at=minute(2)), job("later", due_at=minute(5)))
    await put(store, job("else", kind="forget", due_at=minute(1)), job("done", state=JobState.DONE))
    await put(other, job("first", due_at=minute(1)), job("a", due_at=minute(2)))
    assert await claimed(database, minute(1) - timedelta(milliseconds=1)) == []
    assert await claimed(database, minute(2)) == [(GLOBEX, "first")]
    assert await claimed(database, minute(2), limit=9) == [(ACME, "a"), (ACME, "b"), (GLOBEX, "a")]
    assert await claimed(database, minute(2), limit=9) == []


async def test_a_claimed_job_is_running_under_a_lease(database: Database, store: TenantStore) -> None:
    await put(store, job(attempts=1))
    found = await database.claim_jobs(["other", "embed"], owner="w1", now=at(1), lease_s=1.5)
    expected = job(state=JobState.RUNNING, attempts=2, owner="w1", lease_until=at(1, ms=1500), updated_at=at(1))
    assert found == [(ACME, expected)]
    assert await store.job(J1) == expected


async def test_a_lapsed_lease_is_claimed_by_another(database: Database, store: TenantStore) -> None:
    await put(store, job())
    assert await claimed(database, at(1), lease_s=1) == [(ACME, "j1")]
    assert await claimed(database, at(1, ms=999), owner="w2") == []
    assert await claimed(database, at(1, ms=1000), owner="w2") == [(ACME, "j1")]
    again = await store.job(J1)
    assert again is not None
    assert (again.attempts, again.owner) == (2, "w2")


def test_no_pause_between_two_tries_looks_like_a_wrong_clock() -> None:
    assert 1.2 * max(LONGEST_PAUSE_S, DELIVERY_PAUSE_S) < FARTHEST.total_seconds()  # pauses differ by a fifth


async def test_a_job_of_a_clock_that_was_set_back_does_not_wait_for_it(database: Database, store: TenantStore) -> None:
    ahead = minute(180)
    await put(store, job("j2", due_at=ahead), job("j3", state=JobState.DONE, due_at=ahead))
    await put(store, job("j1", state=JobState.RUNNING, owner="dead", due_at=minute(1), lease_until=ahead))
    assert await claimed(database, minute(2), limit=9) == [(ACME, "j1"), (ACME, "j2")]
    await put(store, job("j4", due_at=minute(12)), job("j5", state=JobState.RUNNING, owner="w", lease_until=minute(12)))
    assert await claimed(database, minute(2), limit=9) == []
    assert await claimed(database, minute(2), lease_s=9000, limit=9) == []


async def test_only_the_holder_finishes_a_job(database: Database, store: TenantStore) -> None:
    await put(store, job())
    [(space, held)] = await database.claim_jobs(["embed"], owner="w1", now=at(1), lease_s=1)
    await claimed(database, at(2), owner="w2")
    done = replace(held, state=JobState.DONE, receipt=ReceiptId("r"), lease_until=None)
    assert not await database.finish_job(space, done, owner="w1")
    assert (await store.job(J1)) != done
    mine = replace(done, owner="w2")
    assert not await database.finish_job(GLOBEX, mine, owner="w2")
    assert await database.finish_job(space, mine, owner="w2")
    assert await store.job(J1) == mine
    assert not await database.finish_job(space, mine, owner="w2")
    assert not await database.finish_job(space, replace(mine, id=JobId("none")), owner="w2")


async def test_a_failed_job_comes_again_when_due(database: Database, store: TenantStore) -> None:
    await put(store, job())
    [(space, held)] = await database.claim_jobs(["embed"], owner="w1", now=minute(1), lease_s=9)
    retry = replace(held, state=JobState.QUEUED, due_at=minute(3), owner="", lease_until=None, reason="try again")
    assert await database.finish_job(space, retry, owner="w1")
    assert await claimed(database, minute(2)) == []
    assert await claimed(database, minute(3)) == [(ACME, "j1")]


async def test_workers_never_share_a_job(database: Database, store: TenantStore) -> None:
    await put(store, *(job(f"j{n:02}") for n in range(20)))
    rounds = await asyncio.gather(*(claimed(database, at(1), owner=f"w{n}", limit=3) for n in range(8)))
    taken = [one for found in rounds for one in found]
    assert len(taken) == len(set(taken)) == 20


async def test_the_load_counts_what_failed_and_what_waits_in_all_spaces(
    database: Database, store: TenantStore, other: TenantStore
) -> None:
    load = await database.job_load(now=at(5), failed_since=at(-5))
    assert (load.failed, load.waiting, load.oldest) == (0, 0, None)
    await put(
        store,
        job("f1", state=JobState.FAILED, due_at=at(-5)),
        job("f2", state=JobState.FAILED, due_at=at(-6)),
        job("q1", due_at=at(2)),
        job("q2", due_at=at(6)),
        job("d1", state=JobState.DONE),
    )
    await put(
        other,
        job("f3", state=JobState.FAILED, due_at=at(1)),
        job("r1", state=JobState.RUNNING, owner="w", lease_until=at(1), due_at=at(-9)),
        job("r2", state=JobState.RUNNING, owner="w", lease_until=at(9), due_at=at(-9)),
    )
    load = await database.job_load(now=at(5), failed_since=at(-5))
    assert (load.failed, load.waiting, load.oldest) == (2, 2, at(1))
    await put(
        other, job("o1", kind="apart", due_at=at(1)), job("o2", kind="apart", state=JobState.FAILED, due_at=at(1))
    )
    load = await database.job_load(now=at(5), failed_since=at(-5))
    assert (load.failed, load.waiting) == (3, 3)
    load = await database.job_load(now=at(5), failed_since=at(-5), without=["apart"])
    assert (load.failed, load.waiting) == (2, 2)
