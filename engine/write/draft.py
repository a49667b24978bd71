"""What one write is to do, before it is known what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from muniment.engine.extract.candidates import Named
from muniment.engine.extract.change.notes import NoteReading
from muniment.engine.ports.models import Vector
from muniment.engine.ports.search import IndexEntry
from muniment.engine.resolve.identity import Learned
from muniment.engine.resolve.statements import Statement
from muniment.engine.write.receipts import Flag
from muniment.graph_schema.ids import AssertionId, EpisodeId
from muniment.graph_schema.records import (
    Assertion,
    Change,
    Document,
    Entity,
    Episode,
    EpisodeStatus,
    Job,
    Mention,
    MentionRole,
    Rejection,
    Screening,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedIn:
    """An episode names something."""

    episode: EpisodeId
    named: Named
    role: MentionRole = MentionRole.MENTIONED


@dataclass(frozen=True, slots=True, kw_only=True)
class Adopted:
    """Records that come whole, with the ids and times they had elsewhere; none of them is stored yet."""

    episodes: tuple[Episode, ...] = ()
    mentions: tuple[Mention, ...] = ()
    assertions: tuple[Assertion, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A write as the caller asked for it.

    New episodes carry draft ids (any that are distinct), which `statements`, `mentions` and `index` refer to; the
    commit gives them lasting ones; a job whose payload lists `episodes` gets those too. `vectors` are those of sentences, by sentence. `cause` is the rule named for changes
    that no timeline rule explains.
    """

    verb: str
    actor: str
    at: datetime
    cause: str
    reason: str = ""
    episodes: tuple[Episode, ...] = ()
    stored: tuple[Episode, ...] = ()  # episodes that are kept already, of which more is said now
    index: tuple[IndexEntry, ...] = ()  # of new and of stored episodes
    mentions: tuple[NamedIn, ...] = ()
    statements: tuple[Statement, ...] = ()
    notes: tuple[NoteReading, ...] = ()  # the sentences of new and stored episodes that are notes
    withdraw: tuple[AssertionId, ...] = ()
    restore: tuple[AssertionId, ...] = ()
    forgets: bool = False  # facts that go with what it withdraws are archived, not gone
    moved: tuple[Assertion, ...] = ()  # stored assertions in a new place: after a merge, under another ontology
    turned: frozenset[AssertionId] = frozenset()  # of these, the ones that are withdrawn or restored by it
    slots: tuple[str, ...] = ()  # further slots to recompute: the places that moved assertions left
    retold: tuple[str, ...] = ()  # slots to make all versions of anew: evidence was erased, or came with its past
    adopted: Adopted | None = None
    entities: tuple[Entity, ...] = ()  # stored entities as they are to be from now on
    moved_mentions: tuple[Mention, ...] = ()  # as they are to be, after those in `dropped_mentions` went
    dropped_mentions: tuple[Mention, ...] = ()
    learned: tuple[Learned, ...] = ()  # spellings that entities have by this write
    unlearned: tuple[Learned, ...] = ()  # spellings that they would have but for this write
    flags: tuple[Flag, ...] = ()
    documents: tuple[Document, ...] = ()
    changes: tuple[Change, ...] = ()  # those that show in nothing else here
    jobs: tuple[Job, ...] = ()  # they get their ids with the write
    claimed: Job | None = None  # the running job that this write does; it is done with it, or nothing is
    vectors: Mapping[str, Mapping[str, Vector]] = field(default_factory=dict)
    existing: tuple[EpisodeStatus, ...] = ()
    inputs: tuple[int, ...] = ()  # which input of the call each episode is, the new ones and then the existing
    rejected: tuple[Rejection, ...] = ()
    degraded: tuple[str, ...] = ()  # what was not at hand when this was drawn
    screened: tuple[Screening, ...] = ()  # what was taken out of the inputs
    special: Mapping[str, Any] | None = None
    walls: frozenset[str] = frozenset()  # that what it changes stands behind, beside those of its evidence and marks
    about: tuple[str, ...] = ()  # further ids for the audit entry
    counts: Mapping[str, int] = field(default_factory=dict)  # further counts for it
