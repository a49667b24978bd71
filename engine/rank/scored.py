"""A question whose candidates have their scores, before its answer is cut from them."""

from __future__ import annotations

from dataclasses import dataclass, field

from muniment.engine.rank.asked import Asked
from muniment.engine.rank.board import Board
from muniment.engine.rank.sentences import Sentences
from muniment.engine.rank.standing import Standing
from muniment.engine.rank.walked import NOTHING, Walked
from muniment.engine.retrieve.pool import Key


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What scores alone do not say: which memories come first and in what order, the walk, and what is closed.

    `apart` are facts in force that stand above what tells them, which lost for something else that it tells.
    """

    first: tuple[Key, ...] = ()
    walked: Walked = NOTHING
    standing: Standing = field(default_factory=Standing)
    sentences: Sentences = field(default_factory=Sentences)
    apart: frozenset[Key] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A question whose candidates have their scores, before its answer is cut from them."""

    asked: Asked
    board: Board
    findings: Findings
    reread: str = "off"
