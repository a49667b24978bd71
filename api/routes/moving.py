"""Routes of the tenant's own administration: audit, export, import, jobs."""

from __future__ import annotations

from fastapi import APIRouter, Response

from muniment.api import shapes
from muniment.api.guard import guarded_router, needs
from muniment.api.roles import Verb
from muniment.api.routes.parts import Cursor, Limit, MemoryDep, answer
from muniment.api.schemas.changing import AuditCheckOut, AuditOut

router: APIRouter = guarded_router("administer")
JSON_LINES = "application/x-ndjson"


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
