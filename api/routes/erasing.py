"""Routes that hide, erase, and forbid erasing."""

from __future__ import annotations

from fastapi import APIRouter, Response

from muniment.api import shapes
from muniment.api.guard import guarded_router, needs
from muniment.api.roles import Verb
from muniment.api.routes.parts import MemoryDep, answer
from muniment.api.schemas.changing import ForgetIn
from muniment.api.schemas.writing import ReceiptOut

router: APIRouter = guarded_router("erase")


@router.post("/forget", summary="Hide memories softly", response_model=ReceiptOut, openapi_extra=needs(Verb.FORGET))
async def forget(body: ForgetIn, memory: MemoryDep) -> Response:
    """Gone from every answer, kept for undo and audit."""
    given = body.given()
    return answer(shapes.receipt(await memory.forget(given.pop("ids"), **given)))
