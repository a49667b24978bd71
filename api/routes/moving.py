"""Routes of the tenant's own administration: audit, export, import, jobs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import StreamingResponse

from muniment.api import shapes
from muniment.api.guard import guarded_router, needs
from muniment.api.lines import lines_of
from muniment.api.rendering import json_bytes
from muniment.api.roles import Verb
from muniment.api.routes.parts import AsOf, Cursor, KnownAt, Limit, MemoryDep, answer, moment
from muniment.api.schemas.changing import AuditCheckOut, AuditOut, ImportedOut
from muniment.api.schemas.reading import JobOut, JobsOut
from muniment.graph_schema.errors import Invalid

router: APIRouter = guarded_router("administer")
JSON_LINES: Final = "application/x-ndjson"


@router.get(
    "/audit", summary="Who did or tried what, newest first", response_model=AuditOut, openapi_extra=needs(Verb.AUDIT)
)
async def audit(
    memory: MemoryDep,
    verb: Annotated[str, Query(max_length=200, description="Only of this verb.")] = "",
    outcome: Annotated[Literal["", "done", "refused", "failed"], Query(description="Only what ended so.")] = "",
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    found = await memory.audit(verb=verb, outcome=outcome, limit=limit, cursor=cursor)
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


@router.get(
    "/export",
    summary="The tenant's data as JSON Lines",
    response_class=StreamingResponse,
    responses={200: {"content": {JSON_LINES: {}}, "description": "One record a line: a header, then all else."}},
    openapi_extra=needs(Verb.EXPORT),
)
async def export(
    memory: MemoryDep,
    vectors: Annotated[bool, Query(description="Also the vectors of the index.")] = False,
    as_of: AsOf = None,
    known_at: KnownAt = None,
) -> Response:
    """What stands behind walls that the key does not see is left out. `known_at` leaves out what was heard of later. With `as_of` it
    is a picture: the facts in force then, with the entities and episodes behind them; no import takes it in.
    """
    records = memory.export(vectors=vectors, as_of=moment(as_of), known_at=moment(known_at))
    first = await anext(aiter(records), None)  # what is wrong with the request shows before the answer begins

    async def lines() -> AsyncIterator[bytes]:
        if first is not None:
            yield json_bytes(first) + b"\n"
        async for record in records:
            yield json_bytes(record) + b"\n"

    return StreamingResponse(lines(), media_type=JSON_LINES)


@router.post(
    "/import",
    summary="Take in an export",
    response_model=ImportedOut,
    openapi_extra=needs(
        Verb.IMPORT,
        streams=True,
        requestBody={"content": {JSON_LINES: {"schema": {"type": "string"}}}, "required": True},
    ),
)
async def import_(
    request: Request,
    memory: MemoryDep,
    reason: Annotated[str, Query(max_length=2000, description="Why.")] = "",
    dry_run: Annotated[bool, Query(description="Answer with what would be done, and do nothing.")] = False,
) -> Response:
    """Read line by line, so it may be longer than other bodies. The same lines again change nothing; what was purged here
    stays purged. At a broken line everything before it is kept.
    """
    return answer(shapes.imported(await memory.import_(lines_of(request.stream()), reason=reason, dry_run=dry_run)))


@router.get("/jobs", summary="Accepted work and its state", response_model=JobsOut, openapi_extra=needs(Verb.JOBS))
async def jobs(
    memory: MemoryDep,
    state: Annotated[
        Literal["", "queued", "running", "done", "failed", "cancelled"], Query(description="Only in this state.")
    ] = "",
    status: Annotated[
        Literal["", "queued", "running", "done", "failed", "cancelled"], Query(description="Another name for `state`.")
    ] = "",
    kind: Annotated[str, Query(max_length=200, description="Only of this kind, such as `derive`.")] = "",
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    if state and status and state != status:
        raise Invalid(f"status is {status!r} but state is {state!r}: give one of them", field="status")
    found = await memory.jobs(state=state or status, kind=kind, limit=limit, cursor=cursor)
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
