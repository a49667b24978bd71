"""Routes that answer questions."""

from __future__ import annotations

from fastapi import APIRouter, Response

from muniment.api import shapes
from muniment.api.guard import guarded_router, needs
from muniment.api.roles import Verb
from muniment.api.routes.parts import MemoryDep, ServiceDep, answer
from muniment.api.schemas.explaining import ReplayOut, WhyNotIn, WhyNotOut
from muniment.api.schemas.reading import ContextIn, ContextOut, RecallOut, RecordsIn, TraceOut, TrimIn, TrimOut
from muniment.engine.assemble.trim import trim

router: APIRouter = guarded_router("read")


@router.post(
    "/recall", summary="Ranked memories for a question", response_model=RecallOut, openapi_extra=needs(Verb.RECALL)
)
async def recall(body: RecordsIn, memory: MemoryDep, service: ServiceDep) -> Response:
    """Each hit says what its score is made of, over which path it was found, and which episodes prove it."""
    options = body.given()
    at = (body.as_of or service.clock()) if options.pop("records", False) else None
    return answer(shapes.recall(await memory.recall(options.pop("query"), **options), records_at=at))


@router.post("/context", summary="The block for a prompt", response_model=ContextOut, openapi_extra=needs(Verb.CONTEXT))
async def context(body: ContextIn, memory: MemoryDep) -> Response:
    """Ordered, inside the budget, fenced off from instructions; what was left out is named with its reason."""
    options = body.given()
    return answer(shapes.context(await memory.context(options.pop("query"), **options)))


@router.post("/trim", summary="Chat history into a budget", response_model=TrimOut, openapi_extra=needs(Verb.TRIM))
async def trim_messages(body: TrimIn, service: ServiceDep) -> Response:
    """The oldest messages go first, system messages never; tool calls stay with their results."""
    given = body.given()
    return answer(shapes.trimmed(trim(given.pop("messages"), count_tokens=service.engine.tools.count_tokens, **given)))


@router.get(
    "/traces/{id}",
    summary="Why each hit, why not each near miss",
    response_model=TraceOut,
    openapi_extra=needs(Verb.EXPLAIN),
)
async def explain(id: str, memory: MemoryDep) -> Response:
    """The trace of an earlier recall or context, by its `trace_id`."""
    return answer(await memory.explain(id))


@router.get(
    "/traces/{id}/why-not/{memory_id}",
    summary="Why not this memory",
    response_model=WhyNotOut,
    openapi_extra=needs(Verb.EXPLAIN),
)
async def why_not_in_trace(id: str, memory_id: str, memory: MemoryDep) -> Response:
    """What stopped one memory from being a hit of an earlier answer: a filter, what took its place, its rank."""
    return answer(shapes.why_not(await memory.why_not(memory_id, trace_id=id)))


@router.post(
    "/why-not",
    summary="Why not this memory, for a question",
    response_model=WhyNotOut,
    openapi_extra=needs(Verb.EXPLAIN),
)
async def why_not(body: WhyNotIn, memory: MemoryDep) -> Response:
    """The same for a question that was not asked yet."""
    options = body.given()
    return answer(shapes.why_not(await memory.why_not(options.pop("id"), query=options.pop("query"), **options)))


@router.get(
    "/traces/{id}/replay",
    summary="An earlier answer given once more",
    response_model=ReplayOut,
    openapi_extra=needs(Verb.EXPLAIN),
)
async def replay(id: str, memory: MemoryDep) -> Response:
    """Under its clocks and weights, over what is stored now; tells what differs."""
    return answer(shapes.replay(await memory.replay(id)))
