"""Routes that hide, erase, and forbid erasing."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from muniment.api import shapes
from muniment.api.guard import guarded_router, needs
from muniment.api.roles import Verb
from muniment.api.routes.parts import Cursor, Limit, MemoryDep, answer
from muniment.api.schemas.changing import (
    CertificateOut,
    CertificatesOut,
    ForgetIn,
    HoldIn,
    HoldOut,
    HoldsOut,
    PurgeIn,
    ReasonIn,
    ReleasedOut,
)
from muniment.api.schemas.writing import ReceiptOut

router: APIRouter = guarded_router("erase")
_PURGE = needs(Verb.PURGE)
_HOLD = needs(Verb.HOLD)


@router.post("/forget", summary="Hide memories softly", response_model=ReceiptOut, openapi_extra=needs(Verb.FORGET))
async def forget(body: ForgetIn, memory: MemoryDep) -> Response:
    """Gone from every answer, kept for undo and audit."""
    given = body.given()
    return answer(shapes.receipt(await memory.forget(given.pop("ids"), **given)))


@router.post(
    "/purge", summary="Erase for good, with a certificate", response_model=CertificateOut, openapi_extra=_PURGE
)
async def purge(body: PurgeIn, memory: MemoryDep) -> Response:
    """What happened, and everything derived from it alone; it cannot be undone. A legal hold in the way is `held`."""
    given = body.given()
    return answer(shapes.certificate(await memory.purge(given.pop("scope"), **given)))


@router.get("/certificates", summary="What was erased", response_model=CertificatesOut, openapi_extra=_PURGE)
async def certificates(memory: MemoryDep, limit: Limit = 50, cursor: Cursor = None) -> Response:
    """Oldest first; names in their scopes are hashes."""
    found = await memory.certificates(limit=limit, cursor=cursor)
    return answer(shapes.items(map(shapes.certificate, found.items), found.next_cursor))


@router.get("/certificates/{id}", summary="One certificate", response_model=CertificateOut, openapi_extra=_PURGE)
async def certificate(id: str, memory: MemoryDep) -> Response:
    return answer(shapes.certificate(await memory.certificate(id)))


@router.post("/holds", summary="Forbid erasing", response_model=HoldOut, openapi_extra=_HOLD)
async def hold(body: HoldIn, memory: MemoryDep) -> Response:
    given = body.given()
    return answer(shapes.hold(await memory.hold(given.pop("scope"), **given)))


@router.get("/holds", summary="Holds, oldest first", response_model=HoldsOut, openapi_extra=_HOLD)
async def holds(
    memory: MemoryDep,
    include_released: Annotated[bool, Query(description="Also those that ended.")] = False,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    found = await memory.holds(include_released=include_released, limit=limit, cursor=cursor)
    return answer(shapes.items(map(shapes.hold, found.items), found.next_cursor))


@router.delete("/holds/{id}", summary="End a hold", response_model=ReleasedOut, openapi_extra=_HOLD)
async def release(
    id: str,
    memory: MemoryDep,
    reason: Annotated[str, Query(max_length=2000, description="Why.")] = "",
    dry_run: Annotated[bool, Query(description="Answer with what would be done, and do nothing.")] = False,
) -> Response:
    """Purges that waited for it run now."""
    return answer(shapes.released(await memory.release(id, reason=reason, dry_run=dry_run)))


@router.post("/holds/{id}/release", summary="End a hold", response_model=ReleasedOut, openapi_extra=_HOLD)
async def release_hold(id: str, memory: MemoryDep, body: ReasonIn | None = None) -> Response:
    """The same as `DELETE`, with a body for the reason: purges that waited for it run now."""
    given = body.given() if body is not None else {}
    return answer(shapes.released(await memory.release(id, **given)))
