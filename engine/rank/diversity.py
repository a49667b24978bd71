"""Near copies fold into one hit with a count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

Item = TypeVar("Item")

_MIN_TERMS: Final = 4  # shorter texts are alike too easily


def fold_copies(
    order: Sequence[Item], *, words: Callable[[Item], str], same: float, group: Callable[[Item], str]
) -> tuple[list[Item], dict[int, int], list[Item]]:
    """The items without near copies of better ones; by place in that list how many it stands for; the copies.

    Two items of one group are copies when they share at least the part `same` of their different terms.
    """
    kept: list[Item] = []
    bags: list[tuple[str, frozenset[str]]] = []
    copies: dict[int, int] = {}
    dropped: list[Item] = []
    for item in order:
        own = group(item)
        bag = frozenset(words(item).split())
        place = next((i for i, (other, b) in enumerate(bags) if other == own and _alike(bag, b, same)), None)
        if place is None:
            bags.append((own, bag))
            kept.append(item)
        else:
            copies[place] = copies.get(place, 0) + 1
            dropped.append(item)
    return kept, copies, dropped


def _alike(one: frozenset[str], other: frozenset[str], same: float) -> bool:
    if min(len(one), len(other)) < _MIN_TERMS:
        return False
    return len(one & other) >= same * len(one | other)
