"""Routes of the tenant's own administration: audit, export, import, jobs."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response

from muniment.api import shapes
from muniment.api.guard import guarded_router, needs
from muniment.api.roles import Verb
from muniment.api.routes.parts import Cursor, Limit, MemoryDep, answer
from muniment.api.schemas.changing import AuditCheckOut, AuditOut
from muniment.api.schemas.reading import JobOut, JobsOut

router: APIRouter = guarded_router("administer")


@router.get(
    "/audit", summary="Who did or tried what, newest first", response_model=AuditOut, openapi_extra=needs(Verb.AUDIT)
)
async def audit(memory: MemoryDep, limit: Limit = 50, cursor: Cursor = None) -> Response:
    found = await memory.audit(limit=limit, cursor=cursor)
    return answer(shapes.items(map(shapes.audit_entry, found.items), found.next_cursor))


@router.get(
    "/audit/verify",
    summary="Is the chain whole?",
    response_model=AuditCheckOut,
    openapi_extra=needs(Verb.AUDIT),
)
async def verify_audit(memory: MemoryDep) -> Response:
    """Keep `last_hash` elsewhere: a cut at the chain's end shows only against it."""
    return answer(shapes.audit_check(await memory.verify_audit()))


@router.get("/jobs", summary="Accepted work and its state", response_model=JobsOut, openapi_extra=needs(Verb.JOBS))
async def jobs(
    memory: MemoryDep,
    state: Annotated[
        Literal["", "queued", "running", "done", "failed", "cancelled"], Query(description="Only in this state.")
    ] = "",
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    found = await memory.jobs(state=state, limit=limit, cursor=cursor)
    return answer(shapes.items(map(shapes.job, found.items), found.next_cursor))


@router.get("/jobs/{id}", summary="One job", response_model=JobOut, openapi_extra=needs(Verb.JOBS))
async def job(id: str, memory: MemoryDep) -> Response:
    return answer(shapes.job(await memory.job(id)))


@router.post(
    "/jobs/{id}/retry", summary="Try a failed job again", response_model=JobOut, openapi_extra=needs(Verb.JOBS)
)
async def retry_job(id: str, memory: MemoryDep) -> Response:
    return answer(shapes.job(await memory.retry_job(id)))


@router.post(
    "/jobs/{id}/cancel", summary="Give up a job that waits", response_model=JobOut, openapi_extra=needs(Verb.JOBS)
)
async def cancel_job(id: str, memory: MemoryDep) -> Response:
    return answer(shapes.job(await memory.cancel_job(id)))
