"""What a ranking is worth on a tenant's own questions, and what another policy changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from muniment.engine.asking import AskedMemory
from muniment.engine.rank.answer import Recall
from muniment.engine.rank.policy import RankingPolicy
from muniment.graph_schema.errors import Invalid
from muniment.graph_schema.records import Episode

DEEPEST: Final = 50  # places of a ranking that are looked at
DRAWS: Final = 2000
_LISTS: Final = ("gold", "path", "stale", "forbidden")
_OPTIONS: Final = ("as_of", "known_at", "asked_at", "speaker", "scope", "kinds", "hops")

Draw = Callable[[NDArray[np.float64]], NDArray[np.float64]]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedQuestion:
    """A question with what should and should not be found: ids of memories, or external ids of episodes.

    `gold`: what answers it. `path`: the evidence of every step, where that is more than the gold. `stale`: what told it
    before and does not hold. `forbidden`: what must not be found at all. `options` are those of recall.
    """

    id: str
    text: str
    category: str = ""
    gold: frozenset[str] = frozenset()
    path: frozenset[str] = frozenset()
    stale: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure over `n` questions, with the 95 % interval of its bootstrap (2,000 draws, the same on every run)."""

    name: str
    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One policy's figures: shares of questions or gold in [0, 1], latencies in milliseconds. `leaks` counts forbidden
    memories among all that was ranked; `missed` are the questions without all their gold in the first k. `categories`
    tells the share of gold found by the questions' category, where they have one."""

    name: str
    figures: tuple[Figure, ...]
    categories: tuple[Figure, ...]
    leaks: int
    missed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The figures of one policy or two; with two also the second less the first, question by question.
    `unknown` names what a question wants found, or not found for being old, and is not here: it is never found."""

    k: int
    questions: int
    judged: tuple[Judged, ...]
    differences: tuple[Figure, ...] = ()
    better: tuple[str, ...] = ()
    worse: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def judged_question(row: Mapping[str, Any], *, where: str) -> JudgedQuestion:
    """A question from its JSON; fields that it does not know (an answer in words, a note) are left aside.

    Raises Invalid naming the place, the field and what would be right.
    """
    for name in ("id", "text"):
        if not isinstance(row.get(name), str) or not row[name].strip():
            raise Invalid(f"{where}: {name} is {row.get(name)!r}: give a text", field=name)
    lists = {name: _ids(row.get(name, []), name, where) for name in _LISTS}
    if not any(lists.values()):
        raise Invalid(f"{where}: nothing to judge by: give gold, path, stale or forbidden", field="gold")
    options = {name: row[name] for name in _OPTIONS if row.get(name) is not None}
    return JudgedQuestion(
        id=row["id"], text=row["text"], category=str(row.get("category") or ""), options=options, **lists
    )


def _ids(value: Any, name: str, where: str) -> frozenset[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
        raise Invalid(f"{where}: {name} is {value!r}: give a list of ids", field=name)
    return frozenset(value)


async def judge(
    memory: AskedMemory,
    questions: Sequence[JudgedQuestion],
    policies: Mapping[str, RankingPolicy | None],
    *,
    k: int = 10,
) -> Verdict:
    """Asks every question under each policy (None: the tenant's own) and scores the rankings; nothing counts as used.

    Raises Invalid for no questions, or options that recall refuses.
    """
    if not questions:
        raise Invalid("there are no questions", field="questions")
    await memory.ranked(questions[0].text, **questions[0].options)  # loads models, which is not a question's own time
    unknown = await _unknown(memory, questions)
    rows: dict[str, list[dict[str, float]]] = {name: [] for name in policies}
    for question in questions:
        for name, policy in policies.items():
            rows[name].append(await _figures(memory, question, policy, k=k))
    judged = tuple(_judged(name, found, questions, k=k) for name, found in rows.items())
    if len(rows) != 2:
        return Verdict(k=k, questions=len(questions), judged=judged, unknown=unknown)
    first, second = rows.values()
    return Verdict(
        k=k,
        questions=len(questions),
        judged=judged,
        differences=tuple(_differences(first, second)),
        unknown=unknown,
        better=tuple(q.id for q, a, b in zip(questions, first, second, strict=True) if _worth(b) > _worth(a)),
        worse=tuple(q.id for q, a, b in zip(questions, first, second, strict=True) if _worth(b) < _worth(a)),
    )


async def _unknown(memory: AskedMemory, questions: Sequence[JudgedQuestion]) -> tuple[str, ...]:
    """Each id that is no memory here, as far as the caller sees, with its question."""
    named = {question.id: question.gold | question.path | question.stale for question in questions}
    here = await memory.known_among(sorted(frozenset[str]().union(*named.values())))
    return tuple(f"{question}: {id}" for question, ids in named.items() for id in sorted(ids - here))


async def _figures(
    memory: AskedMemory, question: JudgedQuestion, policy: RankingPolicy | None, *, k: int
) -> dict[str, float]:
    started = time.perf_counter()
    found = await memory.ranked(question.text, policy=policy, limit=max(k, DEEPEST), **question.options)
    took_ms = (time.perf_counter() - started) * 1000
    place = await _places(memory, found)
    return {**scored(question, place, k=k), "ms": took_ms}


async def _places(memory: AskedMemory, found: Recall) -> dict[str, int]:
    """The place of each memory that was ranked, from 0, by id and by external id: episodes among the episodes that are hits
    or evidence of hits, other memories among the hits."""
    place = {hit.id: number for number, hit in enumerate(found.hits) if not isinstance(hit.memory, Episode)}
    for number, episode in enumerate(await memory.episodes_of(found)):
        place.setdefault(episode.id, number)
        if episode.external_id:
            place.setdefault(episode.external_id, number)
    return place


def scored(question: JudgedQuestion, place: Mapping[str, int], *, k: int) -> dict[str, float]:
    """The figures of one ranking; those for which the question says nothing are left out."""

    def shown(ids: Iterable[str]) -> int:
        return sum(place.get(id, k) < k for id in ids)

    out: dict[str, float] = {"leaks": float(sum(id in place for id in question.forbidden))}
    path = question.path or question.gold
    if question.gold:
        first = min((place[id] for id in question.gold if id in place), default=None)
        out[f"recall@{k}"] = shown(question.gold) / len(question.gold)
        out["right first"] = float(first == 0)
        if question.stale:
            oldest = min((place[id] for id in question.stale if id in place), default=DEEPEST)
            out["fresh"] = float(first is not None and first < oldest)
    if path:
        out[f"path@{k}"] = float(shown(path) == len(path))
    if question.stale:
        out["stale"] = float(shown(question.stale) > 0)
    return out


def _worth(row: Mapping[str, float]) -> float:
    """One number for "better": what is found and in place, less what is stale or leaks."""
    good = sum(value for name, value in row.items() if name.startswith(("recall@", "path@")) or name == "fresh")
    return good + 0.5 * row.get("right first", 0.0) - row.get("stale", 0.0) - 10 * row["leaks"]


def _judged(name: str, rows: Sequence[Mapping[str, float]], questions: Sequence[JudgedQuestion], *, k: int) -> Judged:
    figures = []
    for figure in (f"recall@{k}", f"path@{k}", "right first", "fresh", "stale"):
        values = [row[figure] for row in rows if figure in row]
        if values:
            figures.append(_interval(figure, values, _mean))
    times = [row["ms"] for row in rows]
    for percent in (50, 95):
        figures.append(_interval(f"p{percent} ms", times, _percentile(percent)))
    main, pairs = f"recall@{k}", list(zip(questions, rows, strict=True))
    return Judged(
        name=name,
        figures=tuple(figures),
        categories=tuple(
            _interval(category, values, _mean)
            for category in sorted({q.category for q in questions if q.category})
            if (values := [row[main] for q, row in pairs if q.category == category and main in row])
        ),
        leaks=int(sum(row["leaks"] for row in rows)),
        missed=tuple(q.id for q, row in pairs if row.get(main, 1.0) < 1.0),
    )


def _mean(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(drawn.mean(axis=-1))


def _percentile(percent: float) -> Draw:
    return lambda drawn: np.asarray(np.percentile(drawn, percent, axis=-1))


def _differences(first: Sequence[Mapping[str, float]], second: Sequence[Mapping[str, float]]) -> Iterable[Figure]:
    """The mean of the second less the first over the same questions, which says more than two intervals that overlap."""
    for name in dict.fromkeys(name for row in first for name in row):
        pairs = [b[name] - a[name] for a, b in zip(first, second, strict=True) if name in a]
        yield _interval(name, pairs, _mean)


def _interval(name: str, values: Sequence[float], figure: Draw) -> Figure:
    """A figure with its percentile bootstrap (Efron and Tibshirani 1993)."""
    given = np.asarray(values, dtype=np.float64)
    draws = np.random.default_rng(0).integers(0, len(given), size=(DRAWS, len(given)))
    low, high = np.percentile(figure(given[draws]), (2.5, 97.5))
    return Figure(name=name, value=float(figure(given)), low=float(low), high=float(high), n=len(given))
