"""Health: ok, degraded while jobs fail or wait too long, unavailable where the store does not answer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from muniment.api.health import Health, Report
from muniment.engine.bootstrap import open_database
from muniment.engine.jobs.queue import retry
from muniment.engine.ports.store import Database
from muniment.engine.settings import Settings
from muniment.graph_schema.ids import JobId, space_of
from muniment.graph_schema.records import JobState
from tests.api.calling import EPISODE
from tests.api.running import serving
from tests.builders import NOW, at, job


@pytest.fixture
async def database() -> AsyncIterator[Database]:
    opened = await open_database("sqlite://", environment="test")
    yield opened
    await opened.close()


class Passing:
    """Seconds that a test lets pass."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


async def test_it_follows_the_jobs_of_all_tenants_and_asks_the_store_seldom(database: Database) -> None:
    passing = Passing()
    settings = Settings(environment="test", job_late_s=60, job_failed_hours=2)
    health = Health(database, settings, clock=lambda: NOW, passing=passing)
    store = database.space(space_of("test", "acme"))

    async def put(*jobs: object) -> Report:
        async with store.write() as unit:
            await unit.put_jobs(jobs)  # type: ignore[arg-type]
        passing.seconds += 3
        return await health.report()

    assert await health.report() == Report(status="ok")
    assert await put(job("q", due_at=NOW - timedelta(seconds=59))) == Report(status="ok", waiting=1, lag_s=59.0)
    late = Report(status="degraded", causes=("jobs_late",), waiting=2, lag_s=61.0)
    assert await put(job("r", due_at=NOW - timedelta(seconds=61))) == late
    both = await put(job("f", state=JobState.FAILED, due_at=NOW - timedelta(hours=1)))
    assert both.causes == ("jobs_failed", "jobs_late")
    await retry(store, JobId("f"), at=NOW, actor="tester")
    assert await health.report() == both
    passing.seconds += 3
    assert (await health.report()).causes == ("jobs_late",)
    old = await put(job("g", state=JobState.FAILED, due_at=NOW - timedelta(hours=3)))
    assert (old.causes, old.failed) == (("jobs_late",), 0)


async def test_a_store_that_does_not_answer_is_unavailable() -> None:
    closed = await open_database("sqlite://", environment="test")
    await closed.close()
    report = await Health(closed, Settings(environment="test"), clock=lambda: at(0)).report()
    assert report == Report(status="unavailable", causes=("store_unavailable",))


def test_a_job_that_nobody_does_makes_the_service_degraded_and_still_ready() -> None:
    with serving("sqlite://", job_late_s=1e-6) as running:
        accepted = running.caller("acme")("POST", "/v1/episodes", {"episodes": [EPISODE], "mode": "async"})
        assert accepted.status_code == 202
        for path, status in (("/healthz", "degraded"), ("/readyz", "degraded")):
            answer = running.client.get(path)
            assert (answer.status_code, answer.json()["status"]) == (200, status)
            assert answer.json()["causes"] == ["jobs_late"]
        metrics = running.client.get("/metrics").text
        assert 'muniment_degraded{cause="jobs_late"} 1' in metrics
        assert 'muniment_jobs{state="waiting"} 1' in metrics
        assert "muniment_store_up 1" in metrics
        assert "acme" not in metrics
