"""The candidates of one question with the parts of their scores, as the channels add to them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from itertools import groupby
from typing import Final, TypeVar

from muniment.engine.ports.search import Memory
from muniment.engine.rank.base import Parts, ScoringInput, base_parts, total
from muniment.engine.retrieve.pool import Key, Pool
from muniment.graph_schema.ids import EpisodeId
from muniment.graph_schema.records import Episode, EpisodeKind, Fact, Kind
from muniment.graph_schema.temporal import to_ms

_PLACES: Final = 6  # of a score: vectors that a server compares differ by about so little from what we compare


K = TypeVar("K", bound=Hashable)


class Board:
    """Scores by memory. Reading a score sees what was added so far."""

    def __init__(self, pool: Pool, given: ScoringInput) -> None:
        self.pool = pool
        self.given = given
        self.parts: dict[Key, Parts] = {}
        self._totals: dict[Key, float] = {}
        self.refresh()

    def refresh(self) -> None:
        """Gives a first score to what came into the pool since."""
        for key, found in self.pool.new_since(len(self.parts)):
            self.parts[key] = base_parts(found, self.given)
            self._totals[key] = total(self.parts[key])

    def score(self, key: Key) -> float:
        """The sum of a memory's parts so far; 0 for one that is not here."""
        return self._totals.get(key, 0.0)

    def add(self, key: Key, part: str, value: float) -> None:
        """Adds to a part of a memory's score; memories that are not here (the filter hides them) stay out."""
        if value and key in self.parts:
            self.parts[key][part] = self.parts[key].get(part, 0.0) + value
            self._totals[key] += value

    def episode_scores(self) -> dict[EpisodeId, float]:
        """All episodes' scores so far."""
        return {id: self._totals[Kind.EPISODE, id] for id in self.pool.episodes()}

    def best_first(self, scores: Mapping[EpisodeId, float], ids: Iterable[EpisodeId] | None = None) -> list[EpisodeId]:
        """Episodes by these scores, highest first; ties as `in_order` has them."""
        episodes = self.episodes()
        return _highest_first({id: scores[id] for id in (scores if ids is None else ids)}, episodes.__getitem__)

    def in_order(self) -> list[Key]:
        """All candidates by score, highest first. Of those whose scores are the same but for rounding the latest comes first,
        then by text: in an order that no store and no chance decides."""
        return _highest_first(self._totals, lambda key: self.pool.found[key].memory)

    def episodes(self) -> Mapping[EpisodeId, Episode]:
        """The episodes here, by id."""
        return self.pool.episodes()


def episode_key(id: EpisodeId) -> Key:
    """The key of an episode."""
    return Kind.EPISODE, id


def is_chat(episode: Episode) -> bool:
    """A turn of a conversation; a single message (a mail, a memo) reads like a note."""
    return episode.kind is EpisodeKind.MESSAGE and bool(episode.thread)


def _highest_first(scores: Mapping[K, float], memory_of: Callable[[K], Memory]) -> list[K]:
    rounded = {key: round(score, _PLACES) for key, score in scores.items()}
    ordered: list[K] = []
    for _, same in groupby(sorted(rounded, key=rounded.__getitem__, reverse=True), key=rounded.__getitem__):
        tied = list(same)
        ordered += tied if len(tied) == 1 else sorted(tied, key=lambda key: _place(memory_of(key)))
    return ordered


def _place(memory: Memory) -> tuple[int, str, str]:
    if isinstance(memory, Episode):
        at = memory.occurred_at
    elif isinstance(memory, Fact):
        at = memory.valid_at
    else:
        at = memory.created_at
    return -to_ms(at), memory.text, memory.id
