"""Routes to look around: evidence, facts, entities, the graph, preferences, skills, the ontology."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import WithJsonSchema

from muniment.api import shapes
from muniment.api.guard import guarded_router, needs
from muniment.api.roles import Verb
from muniment.api.routes.parts import (
    TIME,
    Archived,
    AsOf,
    Cursor,
    EndType,
    KnownAt,
    Limit,
    MemoryDep,
    ServiceDep,
    Session,
    Status,
    Superseded,
    Text,
    User,
    answer,
    moment,
)
from muniment.api.schemas.graph import HistoryOut, NeighbourhoodOut, OntologyIn, OntologyOut, OutcomeIn, PathsOut
from muniment.api.schemas.reading import EntitiesOut, EntityOut, EpisodeOut, EpisodesOut, FactOut, FactsOut
from muniment.api.schemas.writing import ReceiptOut
from muniment.engine.ingest.inputs import time_in
from muniment.graph_schema.errors import Invalid
from muniment.graph_schema.records import Kind

router: APIRouter = guarded_router("browse")
_BROWSE = needs(Verb.BROWSE)
_MOST_STARTS = 50
Subject = Annotated[str, Query(description="Name or id of an entity.")]
Object = Annotated[str, Query(description="Name or id of an entity, or a value.")]
Relation = Annotated[str, Query(description="Any name that the ontology knows.")]


@router.get("/episodes", summary="Episodes, newest first", response_model=EpisodesOut, openapi_extra=_BROWSE)
async def episodes(
    memory: MemoryDep,
    q: Text = "",
    kind: Annotated[
        Literal["", "message", "document", "note", "event", "tool"], Query(description="Only of this kind.")
    ] = "",
    thread: Annotated[
        str, Query(description="Only of this thread; ending with `/`, of every thread that begins so.")
    ] = "",
    user: User = "",
    session: Session = "",
    as_of: Annotated[
        str | None,
        Query(description="Only what had happened by then (RFC 3339 with an offset)."),
        WithJsonSchema(TIME),
    ] = None,
    known_at: KnownAt = None,
    include_archived: Archived = False,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    found = await memory.episodes(
        q=q,
        kind=kind,
        thread=thread,
        user=user,
        session=session,
        as_of=moment(as_of),
        known_at=moment(known_at),
        include_archived=include_archived,
        limit=limit,
        cursor=cursor,
    )
    return answer(shapes.items(map(shapes.episode, found.items), found.next_cursor))


@router.get("/episodes/{id}", summary="The evidence itself", response_model=EpisodeOut, openapi_extra=_BROWSE)
async def episode(id: str, memory: MemoryDep, include_archived: Archived = False) -> Response:
    return answer(shapes.episode(await memory.episode(id, include_archived=include_archived)))


@router.get("/facts", summary="Facts, newest first", response_model=FactsOut, openapi_extra=_BROWSE)
async def facts(
    memory: MemoryDep,
    service: ServiceDep,
    subject: Subject = "",
    object: Object = "",
    relation: Relation = "",
    kind: Annotated[
        list[Literal["fact", "preference", "skill"]] | None,
        Query(description="Of these kinds; repeat it. Facts where absent."),
    ] = None,
    q: Text = "",
    type: EndType = "",
    status: Status = "",
    user: User = "",
    session: Session = "",
    as_of: AsOf = None,
    known_at: KnownAt = None,
    include_superseded: Superseded = False,
    include_archived: Archived = False,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """Without a `status` those in force at `as_of`."""
    found = await memory.facts(
        subject=subject,
        object=object,
        relation=relation,
        kinds=[Kind(one) for one in kind or ("fact",)],
        q=q,
        type=type,
        status=status,
        user=user,
        session=session,
        as_of=moment(as_of),
        known_at=moment(known_at),
        include_superseded=include_superseded,
        include_archived=include_archived,
        limit=limit,
        cursor=cursor,
    )
    return _facts(found, service, as_of)


@router.get("/facts/{id}", summary="One fact", response_model=FactOut, openapi_extra=_BROWSE)
async def fact(
    id: str,
    memory: MemoryDep,
    service: ServiceDep,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    include_archived: Archived = False,
) -> Response:
    """As it stands, or as it was known then; its status is the one at `as_of`."""
    at = time_in(moment(as_of), field="as_of") or service.clock()
    return answer(
        shapes.fact(await memory.fact(id, known_at=moment(known_at), include_archived=include_archived), at=at)
    )


@router.get(
    "/facts/{id}/history", summary="Every assertion and closing", response_model=HistoryOut, openapi_extra=_BROWSE
)
async def history(id: str, memory: MemoryDep, service: ServiceDep) -> Response:
    """How the fact came about: its versions, the rivals of its slot, all evidence, and the story they tell."""
    return answer(shapes.history(await memory.history(id), at=service.clock()))


@router.get("/entities", summary="Entities, newest first", response_model=EntitiesOut, openapi_extra=_BROWSE)
async def entities(
    memory: MemoryDep,
    q: Annotated[str, Query(max_length=1000, description="A part of any of its spellings.")] = "",
    type: Annotated[str, Query(description="A type of the ontology.")] = "",
    user: Annotated[str, Query(description="Only those of which a memory of this user tells.")] = "",
    session: Annotated[str, Query(description="Only those of which a memory of this session tells.")] = "",
    as_of: AsOf = None,
    known_at: KnownAt = None,
    include_archived: Archived = False,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """The clocks are those of the facts that are counted."""
    clocks = {"as_of": moment(as_of), "known_at": moment(known_at)}
    found = await memory.entities(
        q=q,
        type=type,
        user=user,
        session=session,
        include_archived=include_archived,
        limit=limit,
        cursor=cursor,
        **clocks,
    )
    return answer(shapes.items(map(shapes.entity_page, found.items), found.next_cursor))


@router.get("/entities/{id}", summary="One entity", response_model=EntityOut, openapi_extra=_BROWSE)
async def entity(id: str, memory: MemoryDep, as_of: AsOf = None, known_at: KnownAt = None) -> Response:
    """Followed through merges: the id of an entity that was merged away leads to the survivor."""
    return answer(shapes.entity_page(await memory.entity(id, as_of=moment(as_of), known_at=moment(known_at))))


@router.get(
    "/graph/neighbourhood",
    summary="What is around some entities",
    response_model=NeighbourhoodOut,
    openapi_extra=_BROWSE,
)
async def neighbourhood(
    memory: MemoryDep,
    service: ServiceDep,
    id: Annotated[list[str] | None, Query(max_length=50, description="Entities to start from; repeat it.")] = None,
    ids: Annotated[list[str] | None, Query(max_length=50, description="The same by its other name.")] = None,
    hops: Annotated[int, Query(ge=1, le=4, description="How far from them.")] = 1,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    limit: Limit = 100,
) -> Response:
    clocks = {"as_of": moment(as_of), "known_at": moment(known_at)}
    starts = [*(id or ()), *(ids or ())]
    if not 1 <= len(starts) <= _MOST_STARTS:
        raise Invalid(f"id has {len(starts)} entities: name 1 to {_MOST_STARTS}, repeating it", field="id")
    found = await memory.neighbourhood(starts, hops=hops, limit=limit, **clocks)
    at = time_in(moment(as_of), field="as_of") or service.clock()
    return answer(shapes.neighbourhood(found, at=at))


@router.get("/graph/paths", summary="How two entities hang together", response_model=PathsOut, openapi_extra=_BROWSE)
async def paths(
    memory: MemoryDep,
    service: ServiceDep,
    a: Annotated[str, Query(min_length=1, description="Name or id of an entity.")],
    b: Annotated[str, Query(min_length=1, description="Name or id of another.")],
    hops: Annotated[int, Query(ge=1, le=4, description="How long a path may be.")] = 4,
    k: Annotated[int, Query(ge=1, le=20, description="How many paths at most.")] = 3,
    relation: Annotated[list[str] | None, Query(description="Only over these relations; repeat it.")] = None,
    relations: Annotated[list[str] | None, Query(description="The same by its other name.")] = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
) -> Response:
    """The shortest chains of facts between them, shortest first."""
    clocks = {"as_of": moment(as_of), "known_at": moment(known_at)}
    found = await memory.paths(a, b, hops=hops, k=k, relations=[*(relation or ()), *(relations or ())], **clocks)
    at = time_in(moment(as_of), field="as_of") or service.clock()
    return answer(shapes.paths(found, at=at))


@router.get("/preferences", summary="Preferences and constraints", response_model=FactsOut, openapi_extra=_BROWSE)
async def preferences(
    memory: MemoryDep,
    service: ServiceDep,
    subject: Annotated[str, Query(description="Name or id of whose they are.")] = "",
    object: Object = "",
    relation: Relation = "",
    q: Text = "",
    type: EndType = "",
    status: Status = "",
    user: User = "",
    session: Session = "",
    as_of: AsOf = None,
    known_at: KnownAt = None,
    include_superseded: Superseded = False,
    include_archived: Archived = False,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    clocks = {"as_of": moment(as_of), "known_at": moment(known_at)}
    flags = {"include_superseded": include_superseded, "include_archived": include_archived}
    filters = {"subject": subject, "object": object, "relation": relation, "q": q, "type": type, "status": status}
    found = await memory.preferences(
        **filters, user=user, session=session, **clocks, **flags, limit=limit, cursor=cursor
    )
    return _facts(found, service, as_of)


@router.get("/skills", summary="Skills: procedures with their outcomes", response_model=FactsOut, openapi_extra=_BROWSE)
async def skills(
    memory: MemoryDep,
    service: ServiceDep,
    subject: Subject = "",
    object: Object = "",
    relation: Relation = "",
    q: Text = "",
    type: EndType = "",
    status: Status = "",
    user: User = "",
    session: Session = "",
    as_of: AsOf = None,
    known_at: KnownAt = None,
    include_superseded: Superseded = False,
    include_archived: Archived = False,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    clocks = {"as_of": moment(as_of), "known_at": moment(known_at)}
    flags = {"include_superseded": include_superseded, "include_archived": include_archived}
    filters = {"subject": subject, "object": object, "relation": relation, "q": q, "type": type, "status": status}
    found = await memory.skills(**filters, user=user, session=session, **clocks, **flags, limit=limit, cursor=cursor)
    return _facts(found, service, as_of)


@router.post(
    "/skills/{id}/outcomes",
    summary="Say whether a skill worked",
    response_model=ReceiptOut,
    openapi_extra=needs(Verb.OUTCOME),
)
async def record_outcome(id: str, body: OutcomeIn, memory: MemoryDep) -> Response:
    """The list of skills tells the counts, in `attributes.outcomes`; undoing the receipt takes this one out again."""
    receipt = await memory.record_outcome(id, body.ok, reason=body.reason, dry_run=body.dry_run)
    return answer(shapes.receipt(receipt))


@router.get("/ontology", summary="Types and relations in force", response_model=OntologyOut, openapi_extra=_BROWSE)
async def ontology(memory: MemoryDep) -> Response:
    return answer((await memory.ontology()).to_json())


@router.put(
    "/ontology",
    summary="Lay types, relations and wordings over the base",
    response_model=ReceiptOut,
    openapi_extra=needs(Verb.ONTOLOGY),
)
async def set_ontology(
    body: OntologyIn,
    memory: MemoryDep,
    dry_run: Annotated[bool, Query(description="Answer with the receipt that it would give.")] = False,
    reason: Annotated[str, Query(max_length=2000, description="Why.")] = "",
) -> Response:
    """Replaces the tenant's earlier declarations; timelines are computed anew."""
    given = body.given()
    dry_run = bool(given.pop("dry_run", False)) or dry_run
    return answer(shapes.receipt(await memory.set_ontology(given, reason=reason, dry_run=dry_run)))


def _facts(found: Any, service: ServiceDep, as_of: str | None) -> Response:
    at = time_in(moment(as_of), field="as_of") or service.clock()
    return answer(shapes.items((shapes.fact(one, at=at) for one in found.items), found.next_cursor))
