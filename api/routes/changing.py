"""Routes that change what is held true, with a reason, and take such changes back."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response

from muniment.api import shapes
from muniment.api.guard import guarded_router, needs
from muniment.api.roles import Verb
from muniment.api.routes.parts import Cursor, Limit, MemoryDep, ServiceDep, answer
from muniment.api.schemas.changing import (
    ChoiceIn,
    CorrectIn,
    EndFactIn,
    ForbidMergeIn,
    MergeIn,
    ReasonIn,
    ReviewsOut,
)
from muniment.api.schemas.writing import ReceiptOut

router: APIRouter = guarded_router("change")
_CORRECT: dict[str, Any] = {"response_model": ReceiptOut, "openapi_extra": needs(Verb.CORRECT)}
_MERGE: dict[str, Any] = {"response_model": ReceiptOut, "openapi_extra": needs(Verb.MERGE)}
Reasons = ReasonIn | None


@router.post("/facts/{id}/retract", summary="Take back the evidence of a fact", **_CORRECT)
async def retract(id: str, memory: MemoryDep, body: Reasons = None) -> Response:
    """What it had closed opens again."""
    return answer(shapes.receipt(await memory.retract(id, **_said(body))))


@router.post("/episodes/{id}/retract", summary="Take back an episode as evidence", **_CORRECT)
async def retract_episode(id: str, memory: MemoryDep, body: Reasons = None) -> Response:
    """All that only this episode proves is taken back with it."""
    return answer(shapes.receipt(await memory.retract(id, **_said(body))))


@router.post("/facts/{id}/end", summary="Say that a fact is no longer so", **_CORRECT)
async def end(id: str, memory: MemoryDep, body: EndFactIn | None = None) -> Response:
    return answer(shapes.receipt(await memory.end(id, **_said(body))))


@router.post("/facts/{id}/correct", summary="Say that a fact was told wrong, and what is right", **_CORRECT)
async def correct(id: str, body: CorrectIn, memory: MemoryDep) -> Response:
    return answer(shapes.receipt(await memory.correct(id, **_said(body))))


@router.post("/facts/{id}/reject", summary="Say that a fact is not so", **_CORRECT)
async def reject(id: str, memory: MemoryDep, body: Reasons = None) -> Response:
    """Telling it again does not bring it back; undoing the rejection does."""
    return answer(shapes.receipt(await memory.reject(id, **_said(body))))


@router.post("/facts/{id}/pin", summary="Always show it", **_CORRECT)
async def pin(id: str, memory: MemoryDep, body: Reasons = None) -> Response:
    return answer(shapes.receipt(await memory.pin(id, **_said(body))))


@router.post("/facts/{id}/unpin", summary="Take the pin off", **_CORRECT)
async def unpin(id: str, memory: MemoryDep, body: Reasons = None) -> Response:
    return answer(shapes.receipt(await memory.unpin(id, **_said(body))))


@router.post("/merges", summary="Say that entities are one", **_MERGE)
async def merge(body: MergeIn, memory: MemoryDep) -> Response:
    """The first id stays; the others lead to it."""
    return answer(shapes.receipt(await memory.merge(body.ids, **_said(body, without=("ids",)))))


@router.post("/merges/forbidden", summary="Say that two entities are never one", **_MERGE)
async def forbid_merge(body: ForbidMergeIn, memory: MemoryDep) -> Response:
    return answer(shapes.receipt(await memory.forbid_merge(body.a, body.b, **_said(body, without=("a", "b")))))


@router.delete("/merges/{id}", summary="Take a merge apart", **_MERGE)
async def unmerge(
    id: str,
    memory: MemoryDep,
    dry_run: Annotated[bool, Query(description="Answer with the receipt that it would give.")] = False,
    reason: Annotated[str, Query(max_length=2000, description="Why; it stands in the receipt.")] = "",
) -> Response:
    return answer(shapes.receipt(await memory.unmerge(id, dry_run=dry_run, reason=reason)))


@router.get(
    "/reviews",
    summary="What a person should decide",
    response_model=ReviewsOut,
    openapi_extra=needs(Verb.REVIEW),
)
async def reviews(
    memory: MemoryDep,
    service: ServiceDep,
    status: Annotated[Literal["", "open", "resolved"], Query(description="Empty for both.")] = "open",
    kind: Annotated[str, Query(max_length=200, description="Only of this kind: the rule that raised it.")] = "",
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    found = await memory.reviews(status=status, kind=kind, limit=limit, cursor=cursor)
    at = service.clock()
    return answer(shapes.items((shapes.review(one, at=at) for one in found.items), found.next_cursor))


@router.post("/reviews/{id}", summary="Decide it", response_model=ReceiptOut, openapi_extra=needs(Verb.REVIEW))
async def resolve_review(id: str, body: ChoiceIn, memory: MemoryDep) -> Response:
    return answer(shapes.receipt(await memory.resolve_review(id, body.choice, **_said(body, without=("choice",)))))


@router.get(
    "/receipts/{id}",
    summary="The receipt of an earlier write",
    response_model=ReceiptOut,
    openapi_extra=needs(Verb.BROWSE),
)
async def receipt(id: str, memory: MemoryDep) -> Response:
    return answer(shapes.receipt(await memory.receipt(id)))


@router.post(
    "/receipts/{id}/undo",
    summary="Take back one write, whole",
    response_model=ReceiptOut,
    openapi_extra=needs(Verb.UNDO),
)
async def undo(id: str, memory: MemoryDep, body: Reasons = None) -> Response:
    return answer(shapes.receipt(await memory.undo(id, **_said(body))))


def _said(body: ReasonIn | None, *, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """What the body says beside what is passed by name."""
    given = body.given() if body is not None else {}
    return {name: value for name, value in given.items() if name not in without}
