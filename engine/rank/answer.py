"""What is asked of recall and what it answers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from muniment.engine.rank.hits import Hit, Omitted
from muniment.graph_schema.ids import EpisodeId
from muniment.graph_schema.records import SHARED, Kind, Scope

DEFAULT_LIMIT: Final = 10
DEFAULT_HOPS: Final = 2
MAX_RANKED_EPISODES: Final = 50
FOUND_KINDS: Final = frozenset({Kind.FACT, Kind.EPISODE, Kind.PREFERENCE, Kind.SKILL, Kind.SUMMARY})


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRequest:
    """One question. Clocks default to now; `asked_at` is the asker's clock, by which "last week" is read.

    `kinds` empty means all. `scope` None looks past scopes (an analyst). `speaker` is who asks, so that "I" is theirs.
    `hops`: 0 follows no edge and no name, 1 one; from 2 on a walk takes as many steps as the question asks for (at most
    five), and chains over names one more than this.
    `read_time_words` off leaves time words in the question alone. `time_zone` is whose days "on 25 July" means: a question of one
    day, without an `as_of` of its own, is asked as of that day.
    """

    query: str
    limit: int = DEFAULT_LIMIT
    as_of: datetime | None = None
    known_at: datetime | None = None
    asked_at: datetime | None = None
    scope: Scope | None = SHARED
    kinds: frozenset[Kind] = frozenset()
    hops: int = DEFAULT_HOPS
    types: frozenset[str] = frozenset()
    relations: frozenset[str] = frozenset()
    min_importance: int = 1
    include_superseded: bool = False
    include_archived: bool = False
    speaker: str = ""
    read_time_words: bool = True
    time_zone: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Why the answer is what it is, as plain data: the question as it was read, the clocks, what was looked at, and
    the parts of every hit and near miss. Nothing in it comes from behind a wall."""

    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """Hits, best first; `recent` are lately used memories that are no hits; `omitted` what was nearly shown.

    `episodes` are the episodes that the ranking holds or cites as evidence, best first, further than the hits go. `empty` says
    of an answer without hits what was looked at.
    """

    hits: tuple[Hit, ...]
    recent: tuple[Hit, ...] = ()
    omitted: tuple[Omitted, ...] = ()
    degraded: tuple[str, ...] = ()
    episodes: tuple[EpisodeId, ...] = ()
    empty: str = ""
    trace: Trace


def ranked_episodes(
    hits: Sequence[Hit],
    *,
    later: Collection[EpisodeId] = (),
    apart: Collection[str] = (),
    limit: int = MAX_RANKED_EPISODES,
) -> list[EpisodeId]:
    """The episodes that hits are or cite, in order, each once.

    Those of `later` stand where they do by themselves, not beside what else proves a fact, nor beside a hit of `apart`.
    """
    out: dict[EpisodeId, None] = {}
    for hit in hits:
        cited = list(hit.episodes)
        out |= dict.fromkeys([id for id in cited if id not in later] or ([] if hit.id in apart else cited))
    return [*out, *dict.fromkeys(id for hit in hits for id in hit.episodes if id not in out)][:limit]
