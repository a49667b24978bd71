"""What the tools take, where it differs from what the HTTP API takes: one flat object of arguments each."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import Field

from muniment.api.schemas.base import Flag, In, Moment, Whole, Words
from muniment.api.schemas.changing import CorrectIn, EndFactIn, ReasonIn
from muniment.api.schemas.writing import DryRun, EpisodeIn

FactId = Annotated[Words, Field(description="Id of a fact, as recall, facts or a receipt gave it.")]
AsOf = Annotated[Moment | None, Field(description="As it was true then; now where absent.")]
KnownAt = Annotated[Moment | None, Field(description="As it was known then; now where absent.")]
Limit = Annotated[Whole, Field(ge=1, le=200, description="How many at most.")]
Cursor = Annotated[str | None, Field(description="Where to go on: next_cursor of the last answer.")]


class SaidIn(EpisodeIn):
    """One thing that was said or happened; it happened just now where nobody says when."""

    # An agent often does not know the time. What is not given is filled in from the service's clock, not from here.
    occurred_at: Moment = Field(
        default_factory=lambda: datetime.now(UTC), description="When it was said or happened; now where absent."
    )


class RememberToolIn(In):
    """Episodes to keep, at most 1,000."""

    episodes: Annotated[list[SaidIn], Field(description="In the order in which they happened, at most 1,000.")]
    extract: Annotated[Literal["auto", "none"], Field(description="Whether facts are derived from the text.")] = "auto"
    dry_run: DryRun = False


class HistoryToolIn(In):
    id: FactId


class EpisodeToolIn(In):
    id: Annotated[Words, Field(description="Id of an episode, as the evidence of a hit or a receipt names it.")]


class ExplainToolIn(In):
    trace_id: Annotated[Words, Field(description="trace_id of an earlier recall or context.")]
    why_not: Annotated[
        str | None,
        Field(description="Id of one memory: only what stopped it from being a hit, in `stopped_by` and `why`."),
    ] = None


class FactsToolIn(In):
    subject: Annotated[str | None, Field(description="Name or id of an entity.")] = None
    object: Annotated[str | None, Field(description="Name or id of an entity, or a value.")] = None
    relation: Annotated[str | None, Field(description="Any name that the ontology knows.")] = None
    q: Annotated[str | None, Field(max_length=8000, description="A part of the text.")] = None
    type: Annotated[str | None, Field(description="A type of the ontology, which the subject or the object has.")] = (
        None
    )
    status: Annotated[
        Literal["current", "future", "ended", "superseded", "rejected", "archived"] | None,
        Field(description="Those that have it at as_of; where absent, those in force."),
    ] = None
    as_of: AsOf = None
    known_at: KnownAt = None
    include_superseded: Annotated[Flag, Field(description="Also what held before or will hold later.")] = False
    include_archived: Annotated[Flag, Field(description="Also what was put away.")] = False
    limit: Limit = 20
    cursor: Cursor = None


class EntitiesToolIn(In):
    q: Annotated[str | None, Field(max_length=1000, description="A part of any of its spellings.")] = None
    type: Annotated[str | None, Field(description="A type of the ontology, such as person.")] = None
    as_of: AsOf = None
    known_at: KnownAt = None
    limit: Limit = 20
    cursor: Cursor = None


class PathsToolIn(In):
    a: Annotated[Words, Field(description="Name or id of an entity.")]
    b: Annotated[Words, Field(description="Name or id of another.")]
    hops: Annotated[Whole, Field(ge=1, le=4, description="How long a path may be.")] = 4
    k: Annotated[Whole, Field(ge=1, le=20, description="How many paths at most.")] = 3
    relations: Annotated[list[str] | None, Field(description="Only over these relations.")] = None
    as_of: AsOf = None
    known_at: KnownAt = None


class RetractToolIn(ReasonIn):
    id: Annotated[Words, Field(description="Id of a fact, or of an episode: all that only it proves goes with it.")]


class EndToolIn(EndFactIn):
    id: FactId


class CorrectToolIn(CorrectIn):
    id: FactId


class UndoToolIn(ReasonIn):
    id: Annotated[Words, Field(description="Id of the receipt of the write to take back.")]
