"""The best hits read once more with the question, by a cross-encoder: optional, behind a gate and inside a time budget."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from muniment.engine.ingest.language import has_han
from muniment.engine.ports.models import Reranker
from muniment.engine.rank.board import Board
from muniment.engine.rank.present import rank
from muniment.engine.rank.scored import Ranked
from muniment.engine.retrieve.pool import Key
from muniment.graph_schema.errors import ModelUnavailable

_ENGLISH: Final = 0.8  # of the hits: the model reads nothing else, and would put the rest last
_LEAST: Final = 2

logger = logging.getLogger(__name__)


class Reread(StrEnum):
    """Whether hits were read once more, for the trace."""

    OFF = "off"  # no model, or no weight
    CLOSED = "closed"  # the gate: another language, or the best hit is clear
    LATE = "late"  # the time was over, and the order stayed as it was
    DONE = "done"


async def reread(ranked: Ranked, reranker: Reranker, *, bounded: bool = True) -> Reread:
    """Adds the part `rerank` to the best hits: the weight times how much better than their mean each answers, in [-1, 1].

    Only for English questions over English hits whose first two are close, where no sure walk leads. With `bounded`
    nothing changes where the policy's `rerank_ms` do not suffice. Raises nothing: a model that fails changes nothing.
    """
    board, policy = ranked.board, ranked.asked.policy
    keys = _best(ranked)
    if not _is_open(ranked, keys):
        return Reread.CLOSED
    texts = [board.pool.found[key].memory.text for key in keys]
    budget_s = policy.rerank_ms / 1000 if bounded else math.inf
    try:
        scores = await asyncio.to_thread(_scores, reranker, ranked.asked.question.text, texts, budget_s)
    except ModelUnavailable as cause:
        logger.warning("reranker failed", extra={"error": type(cause).__name__})
        return Reread.OFF
    if scores is None:
        return Reread.LATE
    mean = sum(scores) / len(scores)
    for key, score in zip(keys, scores, strict=True):
        board.add(key, "rerank", policy.rerank * (score - mean))
    return Reread.DONE


def _best(ranked: Ranked) -> list[Key]:
    kinds = ranked.asked.request.kinds
    order = rank(ranked.asked, ranked.board, ranked.findings)
    return [key for key in order if not kinds or key[0] in kinds][: ranked.asked.policy.rerank_depth]


def _is_open(ranked: Ranked, keys: Sequence[Key]) -> bool:
    asked, board = ranked.asked, ranked.board
    if asked.question.lang != "en" or ranked.findings.walked.sure or len(keys) < _LEAST:
        return False
    english = sum(not has_han(board.pool.found[key].memory.text) for key in keys)
    return english >= _ENGLISH * len(keys) and _is_close(board, keys, asked.policy.rerank_close)


def _is_close(board: Board, keys: Sequence[Key], share: float) -> bool:
    first, second = sorted((board.score(key) for key in keys), reverse=True)[:2]
    return second >= share * first


def _scores(reranker: Reranker, question: str, texts: Sequence[str], budget_s: float) -> list[float] | None:
    """The chance that each text answers, in [0, 1]; None where the time is over before all are read."""
    until = time.monotonic() + budget_s
    out: list[float] = []
    for text in texts:
        if time.monotonic() > until:
            return None
        out.append(1 / (1 + math.exp(-float(reranker.score(question, [text])[0]))))
    return out
