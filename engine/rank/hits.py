"""A memory found for a question, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from muniment.engine.ports.search import Memory
from muniment.graph_schema.ids import EpisodeId, FactId
from muniment.graph_schema.records import Entity, EntityRef, Episode, Fact, Kind, Quote, Status

NAMED_PARTS: Final[Mapping[str, float]] = dict.fromkeys(
    ("dense", "lexical", "graph", "recency", "importance", "use"), 0.0
)
"""The parts that every hit names, nothing included; the others stand where they count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PathStep:
    """One step of a walk: the fact that was followed, from where to where (which may run against the fact's direction)."""

    fact: FactId
    source: EntityRef
    target: EntityRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A memory found for a question.

    `score` is comparable within one answer only, higher is better; it is the sum of `parts`, each named after what it
    measures (`dense`, `lexical`, `graph`, `names`, `title`, `time`, `speaker`, `neighbours`, `session`, `recency`,
    `importance`, `superseded` …). `path` leads from an entity of the question to the memory. `copies` counts
    memories with nearly the same words that this hit stands for, itself not included. An entity is a hit only where the kind
    was asked for; its parts are `name`, `graph`, `facts` and `mentions`. An episode whose words tell what has not begun is `future`,
    from `valid_at` on; one of which what is asked for was corrected or rejected is `rejected`, one that tells only what is over
    is `superseded`.
    Those of `NAMED_PARTS` always stand, 0.0 where they add nothing.
    """

    kind: Kind
    id: str
    text: str
    score: float
    parts: Mapping[str, float]
    memory: Memory | Entity
    path: tuple[PathStep, ...] = ()
    evidence: tuple[Quote, ...] = ()
    status: Status = Status.CURRENT
    superseded: bool = False
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    occurred_at: datetime | None = None
    copies: int = 0

    @property
    def episodes(self) -> tuple[EpisodeId, ...]:
        """The episodes that this hit is or cites, itself first."""
        own = (self.memory.id,) if isinstance(self.memory, Episode) else ()
        return tuple(dict.fromkeys((*own, *(quote.episode for quote in self.evidence))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Omitted:
    """A memory that was nearly shown, and what stopped it: limit, superseded, future, archived, duplicate, budget."""

    id: str
    reason: str
    kind: Kind = Kind.EPISODE


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A memory with the parts of its score, before it becomes a hit."""

    memory: Memory
    parts: Mapping[str, float]
    path: tuple[PathStep, ...] = ()
    evidence: tuple[Quote, ...] = field(default=())

    @property
    def score(self) -> float:
        return sum(self.parts.values())


def kind_of(memory: Memory | Entity) -> Kind:
    """What a found memory is."""
    if isinstance(memory, Entity):
        return Kind.ENTITY
    if isinstance(memory, Episode):
        return Kind.EPISODE
    if isinstance(memory, Fact):
        return memory.kind
    return Kind.SUMMARY


def hit_of(scored: Scored, *, at: datetime, copies: int = 0) -> Hit:
    """The hit of a scored memory, with its status at the moment `at` of valid time."""
    memory = scored.memory
    hit = Hit(
        kind=kind_of(memory),
        id=memory.id,
        text=memory.text,
        score=scored.score,
        parts={**NAMED_PARTS, **scored.parts},
        memory=memory,
        path=scored.path,
        copies=copies,
        status=Status.ARCHIVED if memory.archived else Status.CURRENT,
    )
    if isinstance(memory, Fact):
        status = memory.status_at(at)
        return replace(
            hit,
            evidence=memory.evidence or scored.evidence,
            status=status,
            superseded=status in (Status.SUPERSEDED, Status.ENDED),
            valid_at=memory.valid_at,
            invalid_at=memory.invalid_at,
        )
    if isinstance(memory, Episode):
        stale = scored.parts.get("superseded", 0.0) < 0
        return replace(
            hit,
            evidence=scored.evidence or (Quote(episode=memory.id),),
            superseded=stale,
            status=Status.SUPERSEDED if stale and not memory.archived else hit.status,
            occurred_at=memory.occurred_at,
        )
    return replace(
        hit, evidence=tuple(Quote(episode=EpisodeId(covered)) for covered in memory.covers), occurred_at=memory.end
    )
