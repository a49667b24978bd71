"""What is asked of a store when something is looked for, and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from muniment.engine.ports.models import Vector
from muniment.graph_schema.ids import EntityId, EpisodeId
from muniment.graph_schema.records import SHARED, Episode, Fact, Kind, Mention, Scope, Summary
from muniment.graph_schema.temporal import Clocks

Memory = Episode | Fact | Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFilter:
    """Which memories a read may see, beyond space and walls, which the store is bound to. Applied inside the store.

    Facts, preferences and skills: recorded by `clocks.known_at` (and not expired then), in force at `clocks.as_of`
    unless `include_superseded`, never rejected. Episodes and summaries: recorded by `known_at`; `as_of` does not
    filter them, since when a thing was told says nothing about when it was true.
    `scope` None means that scopes do not restrict (an analyst browsing); otherwise a memory is seen when each field of
    its scope is empty or equal to the reader's.
    `types` keeps facts (Kind.FACT) whose subject or object has one of the entity types, `relations` facts of these
    relations; both leave other kinds alone. Empty means no restriction. `min_importance` leaves summaries alone, which
    have none. `include_superseded` shows ended and future ones alike, `include_future` only those not in force yet.
    """

    clocks: Clocks
    scope: Scope | None = SHARED
    kinds: frozenset[Kind] = frozenset({Kind.FACT, Kind.EPISODE, Kind.PREFERENCE, Kind.SKILL, Kind.SUMMARY})
    types: frozenset[str] = frozenset()
    relations: frozenset[str] = frozenset()
    min_importance: int = 1
    include_superseded: bool = False
    include_archived: bool = False
    include_future: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """One question to the search indexes.

    `vectors`: the question's vector by embedder fingerprint, the preferred first; only stored vectors of the same
    fingerprint are compared, each fingerprint is a channel, and a memory with vectors of several counts for the first.
    `terms`: index terms as `engine/ingest/terms.py` cuts them; a memory matches when it has any of them. `idf` weighs
    them for the cut to `limit` (a term without one weighs 1; a store may use it or its own BM25; the engine scores again).
    `limit`: how many each channel may give for each of two groups, held memories (facts, preferences, skills) and told
    ones (episodes, summaries), so that neither crowds the other out.
    `wanted`: memories whose features are wanted whatever the channels find; those the filter hides are left out.
    `hidden`: of so many of each channel's best under the same filter with `include_superseded` and `include_archived`, for
    each of the two groups, those that the filter itself does not show are given too, marked `Found.hidden`; none where `limit` is 0.
    """

    filter: ReadFilter
    vectors: Mapping[str, Vector] = field(default_factory=dict)
    terms: tuple[str, ...] = ()
    idf: Mapping[str, float] = field(default_factory=dict)
    limit: int = 100
    wanted: frozenset[tuple[Kind, str]] = frozenset()
    hidden: int = 0

    @property
    def without_status(self) -> ReadFilter:
        """The filter with everything shown that only its status hides."""
        return replace(self.filter, include_superseded=True, include_archived=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A memory that some channel found, with the raw features from which the engine scores.

    `cosine` is that of its best part, in [-1, 1]; None where it has no vector of an asked fingerprint (then `fingerprint`
    is empty). It is given for every found memory that has a vector, whichever channel found it. `words` are its
    index terms in order, space-separated, likewise always given. `hidden`: only its status keeps it from being shown.
    """

    memory: Memory
    cosine: float | None = None
    fingerprint: str = ""
    words: str = ""
    hidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Edges:
    """Facts that touch the asked entities, and how many each entity has under the same filter (before any cap).

    `crowds`, where a cap on each kind was asked for: how many facts of one relation each entity has as their subject
    (True) or object (False), before any cap.
    """

    facts: tuple[Fact, ...]
    degrees: Mapping[EntityId, int]
    crowds: Mapping[tuple[EntityId, str, bool], int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions:
    """Mentions found, and how many each asked entity has in all under the same filter (before any cap)."""

    mentions: tuple[Mention, ...]
    counts: Mapping[EntityId, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbours:
    """The episodes before and after one in its thread; None at an edge of it, or where the filter hides them."""

    previous: EpisodeId | None = None
    next: EpisodeId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexEntry:
    """How a memory is found: its index terms and its vectors. Writing one replaces the memory's earlier entry.

    `vectors`: by embedder fingerprint, (parts, dim) float32 of unit rows; a long episode has several parts (windows).
    """

    kind: Kind
    id: str
    words: str = ""
    vectors: Mapping[str, Vector] = field(default_factory=dict)
