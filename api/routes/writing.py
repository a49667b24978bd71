"""Routes that keep what happened and what is held true."""

from __future__ import annotations

from fastapi import APIRouter, Response

from muniment.api import shapes
from muniment.api.guard import guarded_router, needs
from muniment.api.roles import Verb
from muniment.api.routes.parts import MemoryDep, answer
from muniment.api.schemas.writing import AssertIn, CommandsIn, ExtractIn, ExtractOut, ReceiptOut, RememberIn

router: APIRouter = guarded_router("write")


@router.post(
    "/episodes",
    summary="Keep what happened, and derive what follows",
    response_model=ReceiptOut,
    responses={202: {"model": ReceiptOut, "description": "Kept; the job in the receipt derives the rest."}},
    openapi_extra=needs(Verb.REMEMBER),
)
async def remember(body: RememberIn, memory: MemoryDep) -> Response:
    """Each episode is stored raw before anything is derived from it; the same `external_id` again changes nothing."""
    episodes = [one.given() for one in body.episodes]
    receipt = await memory.remember(episodes, extract=body.extract, mode=body.mode, dry_run=body.dry_run)
    return answer(shapes.receipt(receipt), status=202 if receipt.job else 200)


@router.post(
    "/facts",
    summary="Hold structured facts true",
    response_model=ReceiptOut,
    openapi_extra=needs(Verb.ASSERT),
)
async def assert_facts(body: AssertIn, memory: MemoryDep) -> Response:
    """No extraction, the same rules: a newer value of a single-valued relation ends the older one."""
    receipt = await memory.assert_facts([one.given() for one in body.facts], dry_run=body.dry_run)
    return answer(shapes.receipt(receipt))


@router.post(
    "/extract",
    summary="See what would be derived",
    response_model=ExtractOut,
    openapi_extra=needs(Verb.EXTRACT),
)
async def extract(body: ExtractIn, memory: MemoryDep) -> Response:
    """Candidates with quote, rule and confidence; nothing is stored."""
    return answer(shapes.extraction(await memory.extract([one.given() for one in body.episodes])))


@router.post(
    "/commands",
    summary="Apply a model's memory commands",
    response_model=ReceiptOut,
    openapi_extra=needs(Verb.COMMANDS),
)
async def commands(body: CommandsIn, memory: MemoryDep) -> Response:
    """A wrong command is refused alone and named in `rejected`; a target that fits several memories is `ambiguous`."""
    given = body.given()
    dry_run = bool(given.pop("dry_run", False))
    return answer(shapes.receipt(await memory.apply_commands(given, dry_run=dry_run)))
