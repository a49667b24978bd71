"""The ranking's arithmetic: pure functions from features to the parts of a score."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from muniment.engine.rank.policy import RankingPolicy

_DAY_S: Final = 86_400.0


def word_share(
    words: str, weights: Mapping[str, float], *, average_length: float, k1: float = 1.2, b: float = 0.75
) -> float:
    """BM25 of a memory for a question, divided by the most that this question could get: in [0, 1).

    `words` are index terms separated by spaces, `weights` the question's terms with their rarity. Terms that no memory
    has count in what could be got, so that a question about the unknown scores low everywhere. (Robertson and Walker
    1994; the division is ours: it makes scores of different questions and other channels comparable.)
    """
    whole = sum(weights.values())
    if whole <= 0 or not words:
        return 0.0
    met = [
        (term, weight) for term, weight in weights.items() if term in words
    ]  # most that meaning found have no word of it
    if not met:
        return 0.0
    norm = k1 * (1 - b + b * (words.count(" ") + 1) / max(1.0, average_length))
    # Two spaces between, so that counting one occurrence does not eat the border of the next.
    padded = f" {words.replace(' ', '  ')} "
    got = 0.0
    for term, weight in met:
        n = padded.count(f" {term} ")
        if n:
            got += weight * n / (n + norm)
    return got / whole


def recency_part(age_s: float, half_life_days: float, policy: RankingPolicy) -> float:
    """`recency * exp(-age / half_life)`; a memory from the future counts as new."""
    return policy.recency * math.exp(-max(0.0, age_s) / (half_life_days * _DAY_S))


def importance_part(importance: int, policy: RankingPolicy) -> float:
    """Nothing at importance 3, plus or minus the weight at 5 and 1."""
    return policy.importance * (importance - 3) / 2


def age_s(moment: datetime, now: datetime) -> float:
    """Seconds from `moment` to `now`."""
    return (now - moment).total_seconds()
