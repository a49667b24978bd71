"""The records of the graph: what is stored, as frozen values.

Everything that can be *held true* (facts, preferences, skills) has one life: assertions say it, an interval of a
slot's timeline derives from them (`Fact`, whose `kind` tells which of the three it is). So history, provenance, undo
and supersession are the same for all three and are built once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

from muniment.graph_schema.ids import (
    AssertionId,
    EntityId,
    EpisodeId,
    FactId,
    JobId,
    ReceiptId,
    SummaryId,
    TraceId,
)

NO_RECEIPT = ReceiptId("")
VALUE_TYPE = "value"
"""The entity type of a literal value: it is a node so that an edge can end there, but no walk passes through it."""


class EpisodeKind(StrEnum):
    MESSAGE = "message"
    DOCUMENT = "document"
    NOTE = "note"
    EVENT = "event"
    TOOL = "tool"


class Kind(StrEnum):
    """What a found memory is."""

    FACT = "fact"
    EPISODE = "episode"
    PREFERENCE = "preference"
    SKILL = "skill"
    SUMMARY = "summary"
    ENTITY = "entity"


FORGOTTEN: Final = "evidence.forgotten"
"""The rule by which a fact went whose episodes were forgotten."""

HELD_KINDS = (Kind.FACT, Kind.PREFERENCE, Kind.SKILL)
"""The kinds that derive from assertions and are stored as `Fact`."""


class Says(StrEnum):
    """What one piece of evidence says about a claim."""

    HOLDS = "holds"  # it is so: from, until, in between, at an instant, or undated
    ENDED = "ended"  # it was so and is no longer
    CORRECTED = "corrected"  # it was never so, as told until now; telling it again later counts again
    REJECTED = "rejected"  # it is not so, and telling it again does not bring it back
    RESTATED = "restated"  # the same again without news: supports what is there, opens nothing


class Status(StrEnum):
    CURRENT = "current"
    FUTURE = "future"
    ENDED = "ended"
    SUPERSEDED = "superseded"
    REJECTED = "rejected"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Whose memory it is inside the tenant; an empty field means shared.

    A read sees a memory when every field of the memory's scope is empty or equals the reader's.
    """

    user: str = ""
    agent: str = ""
    session: str = ""


SHARED = Scope()
GUESSED_BELOW = 0.5
"""What is told with less confidence is a guess."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One thing that happened, kept raw: the evidence.

    `thread` groups episodes that belong together without hiding them from others (a conversation's past, a mail
    thread, the parts of one document); `position` is the place within it. `scope.session` does hide: it is the live run.
    `recorded_at` is when the store heard of it. `metadata` is any JSON object and comes back as given.
    """

    id: EpisodeId
    text: str
    kind: EpisodeKind
    occurred_at: datetime
    recorded_at: datetime
    external_id: str | None = None
    speaker: str = ""
    title: str = ""
    source: str = ""
    lang: str = ""
    thread: str = ""
    position: int = 0
    scope: Scope = SHARED
    wall: str = ""
    importance: int = 3
    metadata: Mapping[str, Any] = field(default_factory=dict)
    content_hash: str = ""
    archived: bool = False
    pinned: bool = False
    degraded: tuple[str, ...] = ()
    receipt: ReceiptId = NO_RECEIPT


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityRef:
    id: EntityId
    name: str
    type: str

    @property
    def is_value(self) -> bool:
        return self.type == VALUE_TYPE

    @property
    def value(self) -> str | None:
        """The literal that it is; None for an entity."""
        return self.name if self.is_value else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """One spelling of an entity; `key` is its folded form, by which it is looked up."""

    key: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """Something that facts are about. Unique per (space, wall, type, key).

    `key` is the canonical form of the name; `aliases` hold every spelling met, the name's own included.
    `merged_into` names the survivor of a merge; such an entity is kept so that its id still leads somewhere.
    """

    id: EntityId
    name: str
    type: str
    key: str
    aliases: tuple[Alias, ...] = ()
    identifiers: tuple[str, ...] = ()  # strong ones, as `kind:value` (`email:ana@acme.example`)
    summary: str = ""
    scope: Scope = SHARED
    wall: str = ""
    merged_into: EntityId | None = None
    created_at: datetime
    archived: bool = False
    attributes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def ref(self) -> EntityRef:
        return EntityRef(id=self.id, name=self.name, type=self.type)

    @property
    def spellings(self) -> tuple[str, ...]:
        """What its aliases say, each once."""
        return tuple(dict.fromkeys(alias.name for alias in self.aliases if alias.name))


class MentionRole(StrEnum):
    MENTIONED = "mentioned"
    TITLE = "title"  # the episode is about it
    SPEAKER = "speaker"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """An episode names an entity."""

    episode: EpisodeId
    entity: EntityId
    role: MentionRole = MentionRole.MENTIONED
    wall: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """The words of an episode that are the evidence; offsets are in characters of its text, -1 where unknown."""

    episode: EpisodeId
    quote: str = ""
    start: int = -1
    end: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Assertion:
    """One piece of evidence about a claim `subject -relation-> object`.

    `slot` is the place the claim competes for, `claim` the value it puts there; both are keys made by the ontology
    (see `engine/resolve/slots.py`), stored so that a slot's evidence is one index look-up away.
    `valid_from` / `valid_to` are as told, None where the words give none; `told_at` is the event time of the telling,
    `recorded_at` when we heard. `rank` orders sources of different standing (0 hearsay … 3 system of record).
    `withdrawn_at` is set while the assertion does not count; `turned_by` names the writes that withdrew it and let it count
    again, in turn.
    """

    id: AssertionId
    kind: Kind = Kind.FACT
    slot: str
    claim: str
    says: Says = Says.HOLDS
    subject: EntityId
    relation: str
    object: EntityId
    text: str = ""
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    told_at: datetime
    recorded_at: datetime
    withdrawn_at: datetime | None = None
    turned_by: tuple[ReceiptId, ...] = ()
    confidence: float = 1.0
    importance: int = 3
    rank: int = 2
    episode: EpisodeId | None = None
    quote: str = ""
    start: int = -1
    end: int = -1
    rule: str = ""
    actor: str = ""
    receipt: ReceiptId = NO_RECEIPT
    order: int = 0  # place within its write: breaks ties of recorded_at
    scope: Scope = SHARED
    wall: str = ""
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One interval of a slot's timeline, as known during [created_at, expired_at).

    `id` stays the same while what it says changes; each change of anything but more evidence expires the old version
    (`version` counts from 1) and writes a new one, so that `known_at` can be asked of any moment. `rejected` marks an interval
    that evidence denies: kept to be shown, never recalled. `closed_by` is the id of the rule that set `invalid_at`.
    For a preference `attributes` holds topic, polarity, strength, constraint; for a skill trigger and steps.
    `as_of` is the moment that whoever read it asked for; it is not stored, and two facts that differ in it only are equal.
    """

    id: FactId
    version: int = 1
    kind: Kind = Kind.FACT
    slot: str
    claim: str
    subject: EntityRef
    relation: str
    object: EntityRef
    text: str
    valid_at: datetime
    invalid_at: datetime | None = None
    created_at: datetime
    expired_at: datetime | None = None
    rejected: bool = False
    archived: bool = False
    pinned: bool = False
    confidence: float = 1.0
    importance: int = 3
    scope: Scope = SHARED
    wall: str = ""
    evidence: tuple[Quote, ...] = ()
    assertions: tuple[AssertionId, ...] = ()
    closed_by: str = ""
    superseded_by: FactId | None = None
    conflicts_with: tuple[FactId, ...] = ()
    attributes: Mapping[str, Any] = field(default_factory=dict)
    as_of: datetime | None = field(default=None, compare=False, repr=False)

    @property
    def is_forgotten(self) -> bool:
        """Whether it is what is kept of a fact whose episodes were forgotten: a last version, in force at no moment of record
        time, by which lists of what is archived show it."""
        return self.closed_by == FORGOTTEN

    @property
    def is_guess(self) -> bool:
        """Whether nobody said it plainly: what was supposed, or read with little confidence."""
        return self.confidence < GUESSED_BELOW

    @property
    def status(self) -> Status:
        """What the fact is at the moment asked for, else now by this machine's clock; `status_at` tells of any other."""
        return self.status_at(self.as_of or datetime.now(UTC))

    def status_at(self, moment: datetime) -> Status:
        """What the fact is at a moment of valid time; computed, never stored."""
        if self.rejected:
            return Status.REJECTED
        if self.archived:
            return Status.ARCHIVED
        if moment < self.valid_at:
            return Status.FUTURE
        if self.invalid_at is None or moment < self.invalid_at:
            return Status.CURRENT
        return Status.SUPERSEDED if self.superseded_by else Status.ENDED


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Text over a time range of episodes or a topic, with pointers to all it covers."""

    id: SummaryId
    text: str
    topic: str = ""
    start: datetime
    end: datetime
    covers: tuple[str, ...]
    created_at: datetime
    scope: Scope = SHARED
    wall: str = ""
    archived: bool = False


class Action(StrEnum):
    CREATED = "created"
    CLOSED = "closed"
    REOPENED = "reopened"
    MERGED = "merged"
    UPDATED = "updated"
    ARCHIVED = "archived"
    ERASED = "erased"


@dataclass(frozen=True, slots=True, kw_only=True)
class Because:
    """Why a change was made: the rule, the memories that caused it, the episodes that prove it."""

    rule: str
    by: tuple[str, ...] = ()
    evidence: tuple[EpisodeId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    action: Action
    kind: Kind
    id: str
    because: Because


class EpisodeOutcome(StrEnum):
    CREATED = "created"
    EXISTS = "exists"


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeStatus:
    id: EpisodeId
    external_id: str | None
    status: EpisodeOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """An input that was not taken: which one, the error code, and what would be right."""

    input: str
    code: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Screening:
    """Secrets or personal data of one kind that stood in an input: how many, and whether they were `redacted` or the
    input was `refused` for them. Never the values."""

    input: str
    kind: str
    count: int
    done: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What one write did. `undo` names what taking it back needs: ids only, so that it holds no memory's text.

    `degraded` says what was not at hand, `screened` what was taken out of the inputs. `trace` is where the whole of what a
    tenant in log-only mode would have learned can be read for some days.
    """

    id: ReceiptId
    dry_run: bool = False
    actor: str = ""
    verb: str = ""
    reason: str = ""
    created_at: datetime
    episodes: tuple[EpisodeStatus, ...] = ()
    changes: tuple[Change, ...] = ()
    reviews: tuple[str, ...] = ()
    rejected: tuple[Rejection, ...] = ()
    job: JobId | None = None
    degraded: tuple[str, ...] = ()
    screened: tuple[Screening, ...] = ()
    trace: TraceId | None = None
    undo: Mapping[str, Any] = field(default_factory=dict)
    undone_by: ReceiptId | None = None

    @property
    def token(self) -> str:
        """What a read takes as `read_after` to see this write whole; empty for one that wrote nothing."""
        return "" if self.dry_run else self.job or self.id


class JobState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Accepted work. `due_at` is when it may next be claimed; a running job is claimed by `owner` until `lease_until`."""

    id: JobId
    kind: str
    payload: Mapping[str, Any]
    state: JobState = JobState.QUEUED
    attempts: int = 0
    reason: str = ""
    created_at: datetime
    updated_at: datetime
    due_at: datetime
    owner: str = ""
    lease_until: datetime | None = None
    receipt: ReceiptId | None = None
    dedup_key: str = ""

    @property
    def token(self) -> str:
        """What a read takes as `read_after` to see what the job makes."""
        return self.id


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One link of a tenant's audit chain: who did or tried what. Ids only, never a memory's text.

    `hash` covers every field and the hash of the entry before, so that a changed, removed or reordered row shows.
    """

    seq: int
    at: datetime
    actor: str
    verb: str
    outcome: str  # done | refused | failed
    ids: tuple[str, ...] = ()
    detail: Mapping[str, Any] = field(default_factory=dict)
    previous: str = ""
    hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A small JSON record that only the engine reads: receipts, reviews, merges, holds, traces, keys, settings …

    Looked up by (kind, id), by (kind, ref) or in order of `seq`; `body` is any JSON object.
    """

    kind: str
    id: str
    ref: str = ""
    status: str = ""
    seq: int = 0
    created_at: datetime
    expires_at: datetime | None = None
    body: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenant:
    """A tenant of this database, as the operator sees it."""

    name: str
    created_at: datetime
    settings: Mapping[str, Any] = field(default_factory=dict)
