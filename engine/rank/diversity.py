"""Near copies fold into one hit with a count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

Item = TypeVar("Item")

_MIN_TERMS: Final = 4  # shorter texts are alike too easily


def fold_copies(
    order: Sequence[Item], *, words: Callable[[Item], str], same: float, group: Callable[[Item], str]
) -> tuple[list[Item], dict[int, list[Item]]]:
    """The items without near copies of better ones, and by place in that list the copies that each stands for.

    Two items of one group are copies when they share at least the part `same` of their different terms.
    """
    kept: list[Item] = []
    by_size: dict[tuple[str, int], list[tuple[int, frozenset[str]]]] = {}
    copies: dict[int, list[Item]] = {}
    for item in order:
        own = group(item)
        bag = frozenset(words(item).split())
        reach = int(len(bag) * (1 - same) / max(same, 0.5))  # sets of other sizes cannot share enough
        near = (row for size in range(len(bag) - reach, len(bag) + reach + 1) for row in by_size.get((own, size), ()))
        place = min((place for place, other in near if _alike(bag, other, same)), default=None)
        if place is None:
            by_size.setdefault((own, len(bag)), []).append((len(kept), bag))
            kept.append(item)
        else:
            copies.setdefault(place, []).append(item)
    return kept, copies


def _alike(one: frozenset[str], other: frozenset[str], same: float) -> bool:
    if min(len(one), len(other)) < _MIN_TERMS:
        return False
    return len(one & other) >= same * len(one | other)
