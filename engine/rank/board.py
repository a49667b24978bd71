"""The candidates of one question with the parts of their scores, as the channels add to them."""

from __future__ import annotations

from collections.abc import Iterable

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
        self.refresh()

    def refresh(self) -> None:
        """Gives a first score to what came into the pool since."""
        for key, found in self.pool.found.items():
            if key not in self.parts:
                self.parts[key] = base_parts(found, self.given)

    def score(self, key: Key) -> float:
        """The sum of a memory's parts so far; 0 for one that is not here."""
        parts = self.parts.get(key)
        return total(parts) if parts else 0.0

    def add(self, key: Key, part: str, value: float) -> None:
        """Adds to a part of a memory's score; memories that are not here (the filter hides them) stay out."""
        if value and key in self.parts:
            self.parts[key][part] = self.parts[key].get(part, 0.0) + value

    def episode_scores(self) -> dict[EpisodeId, float]:
        """All episodes' scores so far."""
        return {EpisodeId(id): total(parts) for (kind, id), parts in self.parts.items() if kind is Kind.EPISODE}

    def episodes(self) -> dict[EpisodeId, Episode]:
        """The episodes here, by id."""
        return self.pool.episodes()


def episode_key(id: EpisodeId) -> Key:
    """The key of an episode."""
    return Kind.EPISODE, id


def is_chat(episode: Episode) -> bool:
    """A turn of a conversation; a single message (a mail, a memo) reads like a note."""
    return episode.kind is EpisodeKind.MESSAGE and bool(episode.thread)


def best_first(scores: dict[EpisodeId, float], ids: Iterable[EpisodeId] | None = None) -> list[EpisodeId]:
    """Episodes by score, highest first, ties by id."""
    return sorted(scores if ids is None else ids, key=lambda id: (-scores[id], id))
