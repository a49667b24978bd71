"""What a step from one memory to another finds of the question that the first one does not have."""

from __future__ import annotations

from muniment.engine.rank.board import Board, episode_key
from muniment.graph_schema.ids import EpisodeId


class Rest:
    """The question's terms that episodes of a board have, each episode read once."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._weights = board.given.weights
        self._met: dict[EpisodeId, frozenset[str]] = {}

    def share(self, start: EpisodeId, target: EpisodeId) -> float:
        """Of what `start` lacks of the question, by the rarity of its terms, the share that `target` has, in [0, 1]; 0 where
        `start` lacks nothing."""
        has = self.met(start)
        left = {term: weight for term, weight in self._weights.items() if term not in has}
        whole = sum(left.values())
        if whole <= 0:
            return 0.0
        found = self.met(target)
        return sum(weight for term, weight in left.items() if term in found) / whole

    def met(self, id: EpisodeId) -> frozenset[str]:
        """The question's terms that the episode has; it must be on the board."""
        if id not in self._met:
            words = self._board.pool.found[episode_key(id)].words
            self._met[id] = frozenset(self._weights.keys() & set(words.split(" ")))
        return self._met[id]
