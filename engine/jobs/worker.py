"""Does accepted work: claims by lease, keeps the lease alive, tries again with growing pauses, gives up with a reason.

Many workers may run, on one host or several. A job and what it makes are written in one transaction, and only while
the lease is held: so nothing takes effect twice, whoever is killed when.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from muniment.engine.ports.clock import Clock
from muniment.engine.ports.spans import span
from muniment.engine.ports.store import Database
from muniment.engine.write.audit import append
from muniment.engine.write.units import in_unit
from muniment.graph_schema.errors import Conflict, MunimentError
from muniment.graph_schema.ids import Space
from muniment.graph_schema.records import Job, JobState

logger = logging.getLogger(__name__)

Handler = Callable[[Space, Job], Awaitable[None]]
"""Does a job and marks it done in its own transaction; raises where it could not."""

FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerPolicy:
    """How a worker works. `lease_s`: how long a job is its own without a sign of life; `attempts`: then it has failed."""

    lease_s: float = 60.0
    poll_s: float = 0.5
    attempts: int = 5
    first_pause_s: float = FIRST_PAUSE_S
    longest_pause_s: float = LONGEST_PAUSE_S


class Worker:
    """Claims and does jobs until it is stopped."""

    def __init__(
        self,
        database: Database,
        handlers: Mapping[str, Handler],
        *,
        name: str,
        clock: Clock,
        policy: WorkerPolicy | None = None,
        before: Callable[[], Awaitable[object]] | None = None,
    ) -> None:
        """`before` runs before each look for work: it may make some."""
        self._database = database
        self._handlers = dict(handlers)
        self._name = name
        self._clock = clock
        self._policy = policy or WorkerPolicy()
        self._before = before
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        """Ends `run` after the job in hand."""
        self._stopping.set()

    async def run(self) -> None:
        """Works until stopped. A store that does not answer is tried again after a pause, whatever it answers instead."""
        while not self._stopping.is_set():
            try:
                worked = await self.run_once()
            except Exception as error:  # a worker that ends with its store would leave all work undone
                logger.warning("no work was got", extra={"worker": self._name, "error": type(error).__name__})
                worked = False
            if not worked:
                await self._pause(self._policy.poll_s)

    async def run_until_idle(self) -> int:
        """Does all that is due now; gives how many jobs that were."""
        count = 0
        while await self.run_once():
            count += 1
        return count

    async def run_once(self) -> bool:
        """Does one job; False where none is due."""
        if self._before is not None:
            await self._before()
        claimed = await self._database.claim_jobs(
            sorted(self._handlers), owner=self._name, now=self._clock(), lease_s=self._policy.lease_s, limit=1
        )
        for space, job in claimed:
            await self._do(space, job)
        return bool(claimed)

    async def _do(self, space: Space, job: Job) -> None:
        if job.attempts > self._policy.attempts:  # its worker died each time
            await self._finish(space, job, JobState.FAILED, job.reason or "the worker ended before the job did")
            return
        beat = asyncio.create_task(self._keep_lease(space, job))
        try:
            with span("job", kind="consumer", space=space, job=job.id, job_kind=job.kind, attempt=job.attempts):
                await self._handlers[job.kind](space, job)
        except Conflict:
            logger.info("job was another worker's", extra={"job": job.id})
        except Exception as error:  # whatever it is, the job must end in a state that says so
            await self._failed(space, job, error)
        finally:
            beat.cancel()

    async def _failed(self, space: Space, job: Job, error: Exception) -> None:
        reason = f"{type(error).__name__}: {error}" if isinstance(error, MunimentError) else type(error).__name__
        logger.warning("job failed", extra={"job": job.id, "attempt": job.attempts, "error": type(error).__name__})
        if job.attempts >= self._policy.attempts:
            await self._finish(space, job, JobState.FAILED, reason)
        else:
            await self._finish(space, job, JobState.QUEUED, reason)

    async def _finish(self, space: Space, job: Job, state: JobState, reason: str) -> None:
        now = self._clock()
        policy = self._policy
        again = pause_s(job.attempts, first_s=policy.first_pause_s, longest_s=policy.longest_pause_s)
        pause = timedelta(seconds=again if state is JobState.QUEUED else 0)
        ended = replace(job, state=state, reason=reason, updated_at=now, due_at=now + pause, owner="", lease_until=None)
        is_ended = await self._database.finish_job(space, ended, owner=self._name)
        if is_ended and state is JobState.FAILED:
            store, detail = self._database.space(space), {"kind": job.kind, "attempts": job.attempts}
            await in_unit(
                store,
                lambda unit: append(
                    unit, at=now, actor="worker", verb="job", outcome="failed", ids=(job.id,), detail=detail
                ),
            )

    async def _keep_lease(self, space: Space, job: Job) -> None:
        while True:
            await asyncio.sleep(self._policy.lease_s / 3)
            now = self._clock()
            alive = replace(job, updated_at=now, lease_until=now + timedelta(seconds=self._policy.lease_s))
            if not await self._database.finish_job(space, alive, owner=self._name):
                return

    async def _pause(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._stopping.wait(), timeout=seconds)
        except TimeoutError:
            return


def pause_s(attempts: int, *, first_s: float = FIRST_PAUSE_S, longest_s: float = LONGEST_PAUSE_S) -> float:
    """How long to wait after so many attempts: doubling from the first pause to the longest, give or take a fifth."""
    return float(min(longest_s, first_s * 2 ** max(0, attempts - 1)) * random.uniform(0.8, 1.2))
