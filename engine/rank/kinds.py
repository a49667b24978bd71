"""Episodes that tell something of the kind that is asked for: a sum, a length of time, a rule."""

from __future__ import annotations

from typing import Final

from muniment.engine.rank.board import Board, episode_key
from muniment.engine.retrieve.answer_kinds import AnswerKind, asked_kinds, telling_share, tells

_LOOKED_AT: Final = 60
_RULE: Final = frozenset({AnswerKind.RULE})


def lift_kinds(board: Board) -> None:
    """Lifts the best episodes that tell what kind of thing is asked for.

    Words of wishing and forbidding are common, so what tells a rule earns by the share of its sentences that do.
    """
    asked = asked_kinds(board.given.question.text)
    if not asked:
        return
    policy, episodes = board.given.policy, board.episodes()
    for id in board.best_first(board.episode_scores())[:_LOOKED_AT]:
        episode = episodes[id]
        if tells(asked - _RULE, episode.text):
            board.add(episode_key(id), "kind", policy.kind)
        if asked & _RULE:
            board.add(episode_key(id), "kind", policy.rule * telling_share(_RULE, episode.text))
