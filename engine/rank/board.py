"""The candidates of one question with the parts of their scores, as the channels add to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from muniment.engine.rank.base import Parts, ScoringInput, base_parts, total
from muniment.engine.retrieve.pool import Key, Pool
from muniment.graph_schema.ids import EpisodeId
from muniment.graph_schema.records import Episode, EpisodeKind, Kind


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

    def episodes(self) -> Mapping[EpisodeId, Episode]:
        """The episodes here, by id."""
        return self.pool.episodes()


def episode_key(id: EpisodeId) -> Key:
    """The key of an episode."""
    return Kind.EPISODE, id


def is_chat(episode: Episode) -> bool:
    """A turn of a conversation; a single message (a mail, a memo) reads like a note."""
    return episode.kind is EpisodeKind.MESSAGE and bool(episode.thread)


def best_first(scores: Mapping[EpisodeId, float], ids: Iterable[EpisodeId] | None = None) -> list[EpisodeId]:
    """Episodes by score, highest first, ties by id."""
    return sorted(scores if ids is None else ids, key=lambda id: (-scores[id], id))
