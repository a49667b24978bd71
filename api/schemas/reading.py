"""Shapes of questions and answers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from muniment.api.schemas.base import Flag, Importance, In, Moment, Out, ScopeIn, ScopeOut, Whole, Words

KindName = Literal["fact", "episode", "preference", "skill", "summary", "entity"]
SectionName = Literal["constraints", "preferences", "facts", "events", "skills", "knowledge"]


class RecallIn(In):
    """A question to memory."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"query": "Who is head of purchasing at Globex?", "limit": 5}]}
    )

    query: Annotated[Words, Field(description="The question, at most 8,000 characters.")]
    limit: Annotated[Whole, Field(ge=1, le=200, description="How many hits at most.")] = 10
    as_of: Annotated[Moment | None, Field(description="Answer as the world was then; now where absent.")] = None
    known_at: Annotated[
        Moment | None, Field(description="Answer from what was recorded by then; now where absent.")
    ] = None
    asked_at: Annotated[
        Moment | None, Field(description="The asker's clock, to read 'last Tuesday' by; it filters nothing.")
    ] = None
    scope: Annotated[ScopeIn | None, Field(description="Who asks: user, agent, session.")] = None
    kinds: Annotated[
        list[KindName] | None,
        Field(description="Only these kinds of memory; entities are hits only where they are named here."),
    ] = None
    hops: Annotated[Whole, Field(ge=0, le=4, description="How far the graph is walked.")] = 2
    types: Annotated[list[str] | None, Field(description="Only facts that touch an entity of these types.")] = None
    relations: Annotated[list[str] | None, Field(description="Only facts of these relations.")] = None
    min_importance: Importance | None = None
    include_superseded: Annotated[Flag, Field(description="Also what held before or will hold later, marked so.")] = (
        False
    )
    include_archived: Annotated[Flag, Field(description="Also what was put away.")] = False
    speaker: Annotated[str | None, Field(description="Name of who asks, to read 'I' and 'my' by.")] = None
    read_time_words: Annotated[Flag, Field(description="Whether 'in March' in the question is read as a time.")] = True


class RecordsIn(RecallIn):
    """A question to memory, and how much of the answer is wanted."""

    records: Annotated[Flag, Field(description="Also the whole record of each hit, and every episode ranked.")] = False


class MessageIn(In):
    model_config = ConfigDict(extra="allow")

    role: Annotated[str, Field(description="system, user, assistant or tool.")]
    content: Annotated[str | list[Any] | None, Field(description="Text, or parts as chat APIs write them.")] = None


class ContextIn(RecallIn):
    """A question whose answer goes into a prompt."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"query": "Prepare my call with Ana Ruiz", "budget_tokens": 600}]}
    )

    budget_tokens: Annotated[Whole, Field(ge=1, le=1_000_000, description="The block is never longer.")] = 900
    sections: Annotated[list[SectionName] | None, Field(description="Only these sections.")] = None
    messages: Annotated[list[MessageIn] | None, Field(description="The conversation so far.")] = None


class EvidenceOut(Out):
    """Where a memory is told; the place of the quote in the episode's text with `records`, -1 where unknown."""

    episode: str
    quote: str
    start: int = -1
    end: int = -1


class StepOut(Out):
    model_config = ConfigDict(populate_by_name=True, extra="forbid")

    fact: str
    source: Annotated[EntityRefOut, Field(alias="from")]
    target: Annotated[EntityRefOut, Field(alias="to")]


class EntityRefOut(Out):
    id: str
    name: str
    type: str


class HitOut(Out):
    """A memory found for the question, and why."""

    kind: KindName
    id: str
    text: str
    score: Annotated[float, Field(description="Sum of the parts; compares within one answer only.")]
    parts: Annotated[
        dict[str, float],
        Field(
            description="What the score is made of: always dense, lexical, graph, recency, importance and use, and what else counts."
        ),
    ]
    valid_at: str | None
    invalid_at: str | None
    occurred_at: str | None
    status: str
    path: Annotated[list[StepOut], Field(description="From an entity of the question to this memory.")]
    evidence: list[EvidenceOut]
    superseded: bool
    copies: Annotated[int, Field(description="With `records`: memories with nearly the same words.")] = 0
    memory: Annotated[
        EpisodeOut | FactOut | SummaryOut | EntityRecordOut | None,
        Field(description="With `records`: the record itself."),
    ] = None


class OmittedOut(Out):
    id: str
    reason: Annotated[str, Field(description="budget, superseded, future, archived, duplicate or limit.")]
    kind: str


class RecallOut(Out):
    """Hits, best first, and what was nearly one."""

    hits: list[HitOut]
    recent: Annotated[list[HitOut], Field(description="Recently used, whatever the question.")]
    episodes: Annotated[
        list[str] | None, Field(description="With `records`: episodes ranked or cited, further than the hits go.")
    ] = None
    omitted: list[OmittedOut]
    degraded: Annotated[list[str], Field(description="What works less well than it could, in plain words.")]
    empty: Annotated[str | None, Field(description="Of an answer without hits: what was looked at.")]
    trace_id: str | None
    took_ms: float


class ContextItemOut(Out):
    id: str
    text: str
    date: str | None
    source: str
    shortened: bool


class ContextSectionOut(Out):
    name: SectionName
    tokens: int
    items: list[ContextItemOut]


class ContextOut(Out):
    """The block for the prompt: fenced text, and what it is made of."""

    text: str
    tokens: int
    sections: list[ContextSectionOut]
    omitted: list[OmittedOut]
    degraded: Annotated[list[str], Field(description="What works less well than it could, in plain words.")]
    empty: Annotated[str | None, Field(description="Of a block that holds nothing: what was looked at, or left out.")]
    trace_id: str | None


class TrimIn(In):
    """Chat history to cut down to a budget."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"messages": [{"role": "user", "content": "Hello"}], "soft": 3000, "hard": 4000}]
        }
    )

    messages: list[MessageIn]
    soft: Annotated[Whole, Field(ge=1, description="Oldest messages go until this many tokens are left.")]
    hard: Annotated[Whole, Field(ge=1, description="Never more than this many tokens.")]
    on_overflow: Annotated[
        Literal["raise", "degrade"], Field(description="Over the hard limit: an error, or a notice and the tail.")
    ] = "raise"
    keep_last: Annotated[Whole, Field(ge=1, description="The soft limit never drops the last messages.")] = 4


class TrimOut(Out):
    messages: list[dict[str, Any]]
    tokens: int
    dropped: int
    degraded: bool


class EpisodeOut(Out):
    """The evidence itself."""

    id: str
    text: str
    kind: str
    occurred_at: str | None
    recorded_at: str | None
    external_id: str | None
    speaker: str | None
    title: str | None
    source: str | None
    lang: str | None
    thread: str | None
    position: int
    scope: ScopeOut
    wall: str
    importance: int
    metadata: dict[str, Any]
    archived: bool
    pinned: bool
    degraded: list[str]


class QuoteOut(Out):
    episode: str
    quote: str
    start: int
    end: int


class FactOut(Out):
    """A fact, preference or skill, with its interval and its status."""

    id: str
    kind: Literal["fact", "preference", "skill"]
    subject: EntityRefOut
    relation: str
    object: EntityRefOut | dict[str, Any]
    text: str
    valid_at: Annotated[str | None, Field(description="Since when it is true; null where nobody told.")]
    invalid_at: Annotated[str | None, Field(description="Until when, that moment excluded.")]
    created_at: Annotated[str | None, Field(description="When this version became known.")]
    expired_at: Annotated[str | None, Field(description="When another version took its place.")]
    status: Literal["current", "future", "ended", "superseded", "rejected", "archived"]
    confidence: float
    importance: int
    pinned: bool
    scope: ScopeOut
    wall: str
    evidence: list[QuoteOut]
    superseded_by: str | None
    conflicts_with: list[str]
    closed_by: Annotated[str | None, Field(description="Id of the rule that ended it.")]
    version: int
    attributes: dict[str, Any]


class SummaryOut(Out):
    """Text over a time range of episodes or a topic."""

    id: str
    text: str
    topic: str
    start: str | None
    end: str | None
    covers: list[str]
    created_at: str | None
    scope: ScopeOut
    wall: str
    archived: bool


class EntityRecordOut(Out):
    """What something is that facts are about."""

    id: str
    name: str
    type: str
    aliases: list[str]
    identifiers: list[str]
    summary: str
    scope: ScopeOut
    wall: str
    merged_into: str | None
    created_at: str | None
    archived: bool
    attributes: dict[str, Any]


class EntityOut(EntityRecordOut):
    facts: Annotated[int, Field(description="How many current facts touch it.")]
    first_seen: str | None
    last_seen: str | None


class JobOut(Out):
    id: str
    kind: str
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    attempts: int
    reason: str | None
    created_at: str | None
    updated_at: str | None
    receipt: str | None
    token: Annotated[str, Field(description="For `X-Muniment-Read-After`: a read with it sees what the job makes.")]


class EpisodesOut(Out):
    items: list[EpisodeOut]
    next_cursor: str | None


class FactsOut(Out):
    items: list[FactOut]
    next_cursor: str | None


class EntitiesOut(Out):
    items: list[EntityOut]
    next_cursor: str | None


class JobsOut(Out):
    items: list[JobOut]
    next_cursor: str | None


class TraceOut(Out):
    """Why each hit, and why not each near miss."""

    model_config = ConfigDict(extra="allow")

    trace_id: str
