"""What people do to a job: try it again, or take it out of the queue."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from muniment.engine.ports.store import TenantStore, Unit
from muniment.engine.write.audit import append
from muniment.engine.write.units import in_unit
from muniment.graph_schema.errors import Conflict, NotFound
from muniment.graph_schema.ids import JobId
from muniment.graph_schema.records import Job, JobState


async def retry(store: TenantStore, id: JobId, *, at: datetime, actor: str) -> Job:
    """Queues a failed or cancelled job again. Raises NotFound, Conflict in any other state."""
    allowed = (JobState.FAILED, JobState.CANCELLED)
    return await _turn(store, id, allowed, state=JobState.QUEUED, at=at, said=("retry_job", actor), attempts=0)


async def cancel(store: TenantStore, id: JobId, *, at: datetime, actor: str) -> Job:
    """Takes a waiting job out of the queue. Raises NotFound, Conflict where it runs or is over."""
    return await _turn(store, id, (JobState.QUEUED,), state=JobState.CANCELLED, at=at, said=("cancel_job", actor))


async def _turn(
    store: TenantStore,
    id: JobId,
    allowed: tuple[JobState, ...],
    *,
    state: JobState,
    at: datetime,
    said: tuple[str, str],
    attempts: int | None = None,
) -> Job:
    async def work(unit: Unit) -> Job:
        job = await unit.job(id)
        if job is None:
            raise NotFound.of("job", id)
        if job.state not in allowed:
            raise Conflict(f"job {id!r} is {job.state}: only a {' or '.join(allowed)} one can become {state}")
        turned = replace(
            job,
            state=state,
            attempts=job.attempts if attempts is None else attempts,
            reason="" if state is JobState.QUEUED else job.reason,
            updated_at=at,
            due_at=at,
        )
        await unit.put_jobs([turned])
        verb, actor = said
        detail = {"kind": job.kind}
        await append(unit, at=at, actor=actor, verb=verb, outcome="done", ids=(id,), detail=detail)
        return turned

    return await in_unit(store, work)
