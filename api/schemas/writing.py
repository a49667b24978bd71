"""Shapes of what is written, and of the receipt that every write gives."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field, JsonValue

from muniment.api.schemas.base import NOT_EMPTY, Flag, Importance, In, Moment, Number, Out, ScopeIn, Wall, Whole, Words
from muniment.engine.ingest.inputs import MAX_LANG

Ids = Annotated[list[str], Field(description="Ids, as other answers gave them.")]
DryRun = Annotated[Flag, Field(description="Answer with the receipt that the write would give, and write nothing.")]
Reason = Annotated[str, Field(max_length=2000, description="Why; it stands in the receipt.")]

EPISODE: Final[dict[str, JsonValue]] = {
    "text": "Ana Ruiz now works for Globex as head of purchasing.",
    "kind": "note",
    "occurred_at": "2026-03-02T10:15:00+01:00",
    "external_id": "crm-note-881",
    "speaker": "Tom Berg",
    "title": "Call with Ana Ruiz",
    "metadata": {"channel": "phone"},
}
FACT: Final[dict[str, JsonValue]] = {
    "subject": {"name": "Ana Ruiz", "type": "person"},
    "relation": "works_for",
    "object": {"name": "Globex", "type": "organization"},
    "valid_at": "2026-03-01T00:00:00Z",
    "confidence": 0.95,
}


class EpisodeIn(In):
    """One thing that happened, kept raw: the evidence."""

    model_config = ConfigDict(json_schema_extra={"examples": [EPISODE]})

    text: Annotated[Words, Field(description="The words themselves, at most 200,000 characters.")]
    kind: Annotated[
        Literal["message", "document", "note", "event", "tool"], Field(description="What kind of thing it is.")
    ] = "message"
    occurred_at: Annotated[Moment, Field(description="When it was said or happened.")]
    external_id: Annotated[
        str | None, Field(description="Your own id for it; the same one again is the same episode.")
    ] = None
    speaker: Annotated[str | None, Field(description="Who said or wrote it.")] = None
    title: Annotated[str | None, Field(description="What it is about; names in it count as its subject.")] = None
    source: Annotated[str | None, Field(description="Where it comes from, such as a file or a system.")] = None
    lang: Annotated[
        str | None,
        Field(description="Language tag; found out where absent.", json_schema_extra={"maxLength": MAX_LANG}),
    ] = None
    thread: Annotated[
        str | None, Field(description="Groups episodes that belong together, such as a mail thread; hides nothing.")
    ] = None
    scope: Annotated[ScopeIn | None, Field(description="Whose memory it is.")] = None
    wall: Wall = ""
    importance: Importance | None = None
    metadata: Annotated[dict[str, Any] | None, Field(description="Any JSON object; it comes back as given.")] = None
    recorded_at: Annotated[
        Moment | None, Field(description="When it was first heard of, for imports of old records; now where absent.")
    ] = None


class RememberIn(In):
    """Episodes to keep, at most 1,000."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"episodes": [EPISODE]}]})

    episodes: Annotated[
        list[EpisodeIn], Field(description="In the order in which they happened.", json_schema_extra=NOT_EMPTY)
    ]
    extract: Annotated[Literal["auto", "none"], Field(description="Whether facts are derived from the text.")] = "auto"
    mode: Annotated[
        Literal["sync", "async"],
        Field(description="sync answers when all is readable; async keeps the episodes, answers 202 and names a job."),
    ] = "sync"
    dry_run: DryRun = False


class EndIn(In):
    """One end of a fact: a name with an optional type, or the id of an entity; an object may be a value."""

    model_config = ConfigDict(
        json_schema_extra={"anyOf": [{"required": ["name"]}, {"required": ["id"]}, {"required": ["value"]}]}
    )

    name: Words | None = None
    type: Annotated[str | None, Field(description="A type of the ontology, such as person or organization.")] = None
    id: Words | None = None
    identifiers: Annotated[
        list[str] | None, Field(description="Strong ones, as kind:value: what has the same is the same thing.")
    ] = None
    value: Annotated[
        str | Whole | Number | Flag | None,
        Field(description="A literal: an amount, a date, a text; 99 and 99.0 are one."),
    ] = None


class FactIn(In):
    """A structured fact; nothing is extracted."""

    model_config = ConfigDict(json_schema_extra={"examples": [FACT]})

    subject: Annotated[EndIn | Words, Field(description="What the fact is about; a bare string is a name.")]
    relation: Annotated[Words, Field(description="Name or wording of a relation.")]
    object: Annotated[EndIn | Words, Field(description="What is said of it; a bare string is a name.")]
    text: Annotated[str | None, Field(description="The sentence that says it; made from the parts where absent.")] = (
        None
    )
    valid_at: Annotated[Moment | None, Field(description="Since when it is true.")] = None
    invalid_at: Annotated[Moment | None, Field(description="Until when, that moment excluded.")] = None
    confidence: Annotated[Number | None, Field(description="Above 0, at most 1.")] = None
    importance: Importance | None = None
    evidence: Annotated[list[str] | None, Field(description="Ids of the episodes that prove it.")] = None
    scope: ScopeIn | None = None
    wall: Wall = ""


class AssertIn(In):
    """Facts to hold true, at most 1,000."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"facts": [FACT]}]})

    facts: Annotated[
        list[FactIn], Field(description="In the order in which they were told.", json_schema_extra=NOT_EMPTY)
    ]
    dry_run: DryRun = False


class ExtractIn(In):
    """Episodes to look through; nothing is stored."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"episodes": [EPISODE]}]})

    episodes: Annotated[list[EpisodeIn], Field(json_schema_extra=NOT_EMPTY)]


class CandidateOut(Out):
    """Something that a text seems to say, with the words that say it."""

    kind: Literal["entity", "fact", "preference", "skill", "event"]
    text: str
    start: int
    end: int
    rule: str
    confidence: float
    type: str | None
    subject: dict[str, Any] | None
    relation: str | None
    object: dict[str, Any] | None
    valid_at: str | None
    invalid_at: str | None
    assertion: Literal["holds", "ended", "corrected", "rejected"]
    episode: str
    attributes: dict[str, Any]


class ExtractOut(Out):
    candidates: list[CandidateOut]
    degraded: list[str]


class CommandIn(In):
    """One memory command of a language model."""

    op: Literal["create", "update", "delete"]
    type: Literal["preference", "fact", "constraint", "skill", "event"]
    content: Annotated[str | dict[str, Any] | None, Field(description="What is to be held.")] = None
    target: Annotated[str | None, Field(description="Content hash or id of what an update or delete means.")] = None
    importance: Importance | None = None
    expires_at: Moment | None = None
    metadata: dict[str, Any] | None = None


COMMANDS: Final[dict[str, JsonValue]] = {
    "memory_commands": [
        {"op": "create", "type": "preference", "content": "Prefers calls before noon.", "importance": 4}
    ],
    "subject": {"name": "Ana Ruiz"},
}


class CommandsIn(In):
    """A model's memory commands: checked like any other input, and refused one by one where they are wrong."""

    model_config = ConfigDict(json_schema_extra={"examples": [COMMANDS]})

    memory_commands: list[CommandIn | dict[str, Any]]
    subject: Annotated[EndIn | None, Field(description="Whom the commands are about.")] = None
    scope: ScopeIn | None = None
    evidence: list[str] | None = None
    dry_run: DryRun = False


class BecauseOut(Out):
    rule: Annotated[str, Field(description="Id of the rule that decided.")]
    by: Annotated[list[str], Field(description="Memories that caused it.")]
    evidence: Annotated[list[str], Field(description="Episodes that prove it.")]


class ChangeOut(Out):
    action: Literal["created", "closed", "reopened", "merged", "updated", "archived", "erased"]
    kind: Annotated[str, Field(description="entity, fact, preference, skill, summary or episode.")]
    id: str
    because: BecauseOut


class EpisodeStatusOut(Out):
    id: str
    external_id: str | None
    status: Literal["created", "exists"]


class RejectedOut(Out):
    input: Annotated[str, Field(description="Which input, such as facts[3].")]
    code: str
    detail: str


class ScreeningOut(Out):
    """What stood in an input by kind and count, never the value."""

    input: str
    kind: str
    count: int
    done: Literal["redacted", "refused"]


class ReceiptOut(Out):
    """What one write did."""

    id: str
    dry_run: bool
    verb: str
    actor: str
    reason: str | None
    created_at: str | None
    episodes: list[EpisodeStatusOut]
    changes: list[ChangeOut]
    reviews: Annotated[list[str], Field(description="What a person should decide.")]
    rejected: list[RejectedOut]
    job: Annotated[str | None, Field(description="The job that does the rest, with mode async.")]
    degraded: Annotated[list[str], Field(description="What was not at hand; the rest was done.")]
    screened: Annotated[list[ScreeningOut], Field(description="Secrets and personal data that were taken out.")]
    trace_id: Annotated[
        str | None, Field(description="In log-only mode: the trace with all that would have been learned.")
    ]
    undone_by: str | None
    token: Annotated[str, Field(description="For `X-Muniment-Read-After`: a read with it sees this write whole.")]
