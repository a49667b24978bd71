"""Near copies fold into one hit with a count."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Final, TypeVar

Item = TypeVar("Item")

_MIN_TERMS: Final = 4  # shorter texts are alike too easily


def fold_copies(
    order: Sequence[Item], *, words: Callable[[Item], str], same: float, group: Callable[[Item], str]
) -> tuple[list[Item], dict[int, list[Item]]]:
    """The items without near copies of better ones, and by place in that list the copies that each stands for.

    Two items of one group are copies when they share at least the part `same` of their different terms.

    Sets that share so much must meet in the rarest few terms of each (Chaudhuri, Ganti and Kaushik 2006, prefix
    filtering), so only those that do are compared.
    """
    bags = [frozenset(words(item).split()) for item in order]
    counts = Counter(term for bag in bags for term in bag)
    kept: list[Item] = []
    kept_bags: list[frozenset[str]] = []
    by_term: dict[tuple[str, str], list[int]] = defaultdict(list)
    copies: dict[int, list[Item]] = {}
    for item, bag in zip(order, bags, strict=True):
        keys = [(group(item), term) for term in _rarest(bag, counts, same)]
        near = sorted({place for key in keys for place in by_term.get(key, ())})
        place = next((place for place in near if _alike(bag, kept_bags[place], same)), None)
        if place is not None:
            copies.setdefault(place, []).append(item)
            continue
        for key in keys:
            by_term[key].append(len(kept))
        kept.append(item)
        kept_bags.append(bag)
    return kept, copies


def fold_told_together(
    order: Sequence[Item], *, told: Callable[[Item], Hashable | None]
) -> tuple[list[Item], dict[int, list[Item]]]:
    """The same for items that say the same: those of which `told` gives one value; None stands for nothing else."""
    kept: list[Item] = []
    places: dict[Hashable, int] = {}
    copies: dict[int, list[Item]] = {}
    for item in order:
        value = told(item)
        if value is not None and value in places:
            copies.setdefault(places[value], []).append(item)
            continue
        if value is not None:
            places[value] = len(kept)
        kept.append(item)
    return kept, copies


def _rarest(bag: frozenset[str], counts: Mapping[str, int], same: float) -> list[str]:
    """The terms of which two copies share at least one; none for a text that is too short to have copies."""
    if len(bag) < _MIN_TERMS:
        return []
    return sorted(bag, key=lambda term: (counts[term], term))[: len(bag) - math.ceil(same * len(bag) - 1e-9) + 1]


def _alike(one: frozenset[str], other: frozenset[str], same: float) -> bool:
    return len(one & other) >= same * len(one | other)
