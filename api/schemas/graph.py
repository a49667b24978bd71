"""Shapes of the graph as one browses it, and of the ontology."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field, JsonValue

from muniment.api.schemas.base import Flag, In, Out
from muniment.api.schemas.reading import EntityRefOut, FactOut

OVERLAY: Final[dict[str, JsonValue]] = {
    "relations": [
        {"name": "account_manager_of", "cardinality": "one", "aliases": ["looks after", "is account manager of"]}
    ]
}


class AssertionOut(Out):
    """One piece of evidence."""

    id: str
    says: Literal["holds", "ended", "corrected", "rejected", "restated"]
    relation: str
    subject: str
    object: str
    text: str
    valid_from: str | None
    valid_to: str | None
    told_at: str | None
    recorded_at: str | None
    withdrawn_at: str | None
    confidence: float
    rule: str
    actor: str
    episode: str | None
    quote: str
    receipt: str | None


class StoryLineOut(Out):
    at: str | None
    what: str
    rule: str
    actor: str
    ids: list[str]


class HistoryOut(Out):
    """How a fact came about."""

    fact: FactOut
    versions: list[FactOut]
    rivals: Annotated[list[FactOut], Field(description="Other values of the same slot.")]
    assertions: list[AssertionOut]
    story: list[StoryLineOut]


class NeighbourOut(EntityRefOut):
    distance: Annotated[int, Field(description="Hops from the nearest start.")]


class NeighbourhoodOut(Out):
    entities: list[NeighbourOut]
    facts: list[FactOut]
    capped: Annotated[list[str], Field(description="Entities that have more facts than were shown.")]


class PathOut(Out):
    entities: list[EntityRefOut]
    facts: list[FactOut]


class PathsOut(Out):
    items: list[PathOut]
    next_cursor: str | None
    empty: Annotated[str | None, Field(description="Where there is no path: what was looked at.")]


class OntologyIn(In):
    """Declarations laid over the base ontology."""

    model_config = ConfigDict(json_schema_extra={"examples": [OVERLAY]})

    default_cardinality: Annotated[
        Literal["one", "many"] | None, Field(description="Of relations that nobody declared; one makes all so.")
    ] = None
    entity_types: Annotated[list[dict[str, Any]] | None, Field(description="{name, aliases} each.")] = None
    relations: Annotated[
        list[dict[str, Any]] | None,
        Field(description="{name, cardinality, aliases, from?, to?, inverse?, opposites?, symmetric?} each."),
    ] = None
    time_zone: Annotated[
        str | None,
        Field(max_length=100, description="In which days begin and end: Asia/Shanghai, or +08:00; UTC where absent."),
    ] = None
    dry_run: Flag = False


class OntologyOut(Out):
    overlay: Annotated[dict[str, Any], Field(description="What the tenant declared itself.")]
    fingerprint: str
    default_cardinality: Literal["one", "many"]
    entity_types: list[dict[str, Any]]
    relations: list[dict[str, Any]]
    time_zone: Annotated[str, Field(description="In which days begin and end; UTC where empty.")]


class OutcomeIn(In):
    model_config = ConfigDict(json_schema_extra={"examples": [{"ok": True}]})

    ok: Annotated[Flag, Field(description="Whether the skill did what it is for.")]
    reason: Annotated[str, Field(max_length=2000, description="Why; it stands in the receipt.")] = ""
    dry_run: Annotated[Flag, Field(description="Answer with the receipt that it would give.")] = False
