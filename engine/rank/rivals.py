"""Newest first among rivals: hits that tell the same thing at different times."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

Item = TypeVar("Item")


def newest_first(
    order: Sequence[Item],
    *,
    score: Callable[[Item], float],
    told_at: Callable[[Item], datetime],
    alike: Callable[[Item, Item], float],
    threshold: float,
    close: float,
    depth: int,
) -> list[Item]:
    """`order` with groups of rivals among the first `depth` put newest first on their own places.

    Rivals of a hit are those below it that are `alike` by at least the threshold and have at least the share `close` of
    its score. Which hits are in the first `depth` does not change.
    """
    top = list(order[:depth])
    left = list(range(len(top)))
    out = list(top)
    while left:
        first = left.pop(0)
        floor = close * score(top[first])
        group = [first] + [i for i in left if score(top[i]) >= floor and alike(top[first], top[i]) >= threshold]
        left = [i for i in left if i not in group]
        newest = sorted((top[i] for i in group), key=lambda item: (told_at(item), score(item)), reverse=True)
        for place, item in zip(group, newest, strict=True):
            out[place] = item
    return [*out, *order[depth:]]


def word_likeness(one: str, other: str, idf: Callable[[str], float]) -> float:
    """Cosine of two texts' index terms, each weighed by its rarity and damped frequency, in [0, 1]."""
    a, b = _bag(one, idf), _bag(other, idf)
    shared = sum(weight * b[term] for term, weight in a.items() if term in b)
    size = math.sqrt(sum(w * w for w in a.values()) * sum(w * w for w in b.values()))
    return shared / size if size else 0.0


def _bag(words: str, idf: Callable[[str], float]) -> Mapping[str, float]:
    return {term: (1 + math.log(n)) * idf(term) for term, n in Counter(words.split()).items()}
