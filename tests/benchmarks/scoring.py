"""What a ranking is worth against gold episodes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

FIGURES = ("recall@1", "recall@5", "recall@10", "all@10", "mrr", "first right", "fresh")
"""Shares of questions or of their gold episodes, higher is better; `fresh` is over questions that name stale episodes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One question with its figures; `leaked` are episodes of another tenant that were ranked."""

    id: str
    category: str
    figures: Mapping[str, float]
    leaked: tuple[str, ...] = ()


def score(question: Mapping[str, Any], ranked: Sequence[str], *, foreign: frozenset[str] = frozenset()) -> Scored:
    """The figures of one ranking, best first. A question without gold counts for leaks only."""
    gold, stale = set(question["gold"]), set(question.get("stale", ()))
    place = {episode: number for number, episode in reversed(list(enumerate(ranked)))}
    figures: dict[str, float] = {}
    if gold:
        first = min((place[episode] for episode in gold if episode in place), default=None)
        for depth in (1, 5, 10):
            figures[f"recall@{depth}"] = len(gold & set(ranked[:depth])) / len(gold)
        figures["all@10"] = float(gold <= set(ranked[:10]))
        figures["mrr"] = 0.0 if first is None else 1 / (first + 1)
        figures["first right"] = float(first == 0)
        if stale:
            oldest = min((place[episode] for episode in stale if episode in place), default=len(ranked))
            figures["fresh"] = float(first is not None and first < oldest)
    leaked = tuple(episode for episode in ranked if episode in foreign)
    return Scored(id=question["id"], category=question["category"], figures=figures, leaked=leaked)


def means(scored: Iterable[Scored]) -> dict[str, float]:
    """The mean of each figure over the questions that have it."""
    values: dict[str, list[float]] = defaultdict(list)
    for one in scored:
        for name, value in one.figures.items():
            values[name].append(value)
    return {name: fmean(values[name]) for name in FIGURES if name in values}


def by_category(scored: Iterable[Scored]) -> dict[str, list[Scored]]:
    """The questions of each category, in order of name."""
    groups: dict[str, list[Scored]] = defaultdict(list)
    for one in scored:
        groups[one.category].append(one)
    return dict(sorted(groups.items()))
