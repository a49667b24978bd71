"""Searching: each question is one round trip for what is held and one for what was told, at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any

from muniment.engine.ports.models import Vector
from muniment.engine.ports.search import Found, SearchRequest
from muniment.engine.stores.neo4j.filters import (
    TOLD_KINDS,
    Walls,
    areas,
    cells,
    filter_parameters,
    is_cut_after,
    kind_range,
    name_range,
)
from muniment.engine.stores.neo4j.memory_rows import memory_of
from muniment.engine.stores.neo4j.texts import decode, encode, key, words_query
from muniment.graph_schema.records import HELD_KINDS, Kind

Run = Callable[[str, Mapping[str, Any]], Awaitable[list[list[Any]]]]

# What only its status hides is looked at together with the rest, this share of the limit more: most tenants have more that
# holds than what is over.
_HIDDEN_SHARE = 0.25
# Where the indexes let through more than the filter shows, this many times the limit is fetched at first …
_OVERFETCH = 4
# … and each time that was too little, this many times more; then every row is looked at.
_DEEPER = 10
_DEEPEST = 5000
_PASSAGES = 20
_ALL = 2**31 - 1
_LEAST_WEIGHT = 1e-3
_LEAST_WORDS = 50  # what the index puts first is not what we do, so a few are not enough to choose from
# The channel by which a statement says that its vector index does not have all that was asked for.
_ASIDE = "aside"


class Means(Enum):
    """Which indexes a search may use."""

    INDEXES = auto()  # both, the vector index with filters inside
    NEIGHBOURS = auto()  # both, but the vector index is over all spaces and cannot filter
    NO_INDEX = auto()  # inside a unit that has written: neither index shows a transaction's own rows reliably


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """One of the two groups that a question is put to."""

    name: str  # of its statement
    parameters: Mapping[str, Any]
    wanted: list[list[str]]  # pairs of kind and id


async def search(run: Run, *, space: str, walls: Walls, request: SearchRequest, means: Means) -> list[Found]:
    """Everything that a channel found or that is wanted, once each.

    The answer equals that of comparing every row: a channel whose cut might hide a better row is asked again, deeper, and
    at last without an index.
    """
    terms = list(dict.fromkeys(encode(term) for term in request.terms if term.strip()))
    by_index = means is not Means.NO_INDEX and request.limit > 0
    base = {
        **walls.parameters,
        **filter_parameters(request.filter),
        "vectors": _vectors(request.vectors),
        "fingerprints": [encode(fingerprint) for fingerprint in request.vectors],
        # Who asks for memories by name only needs no channel.
        "cells": cells(walls, request.filter) if request.limit > 0 else [],
        "limit": request.limit,
        "cut": is_cut_after(walls, request.filter),
        "words": words_query(space, areas(walls, request.filter), request.terms, request.idf) if by_index else "",
        "terms": terms,
        "least_weight": _LEAST_WEIGHT,
        "weights": {encode(term): max(request.idf.get(term, 1.0), _LEAST_WEIGHT) for term in request.terms},
    }
    held = request.filter.kinds & set(HELD_KINDS)
    told = request.filter.kinds & set(TOLD_KINDS)
    groups: list[_Group] = []
    if held:
        parameters = {**base, **kind_range(held), **name_range(request.filter)}
        groups.append(_Group(name="search_held", parameters=parameters, wanted=_pairs(request, held)))
    if told:
        parameters = {**base, **kind_range(told)}
        groups.append(_Group(name="search_told", parameters=parameters, wanted=_pairs(request, told)))
    answers = await asyncio.gather(
        *(
            _ask(run, space, group, means=means, hidden=request.hidden, seen=_status(request))
            for group in groups
            if request.limit > 0 or group.wanted
        )
    )
    return [found for answer in answers for found in answer]


async def _ask(
    run: Run, space: str, group: _Group, *, means: Means, hidden: int, seen: Mapping[str, Any]
) -> list[Found]:
    """What one group answers, and of what only its status hides (`seen` shows it too) so many of each channel's best.

    The filtered index is asked for both at once, and again only where it gave too little of what is shown.
    """
    shown = {name: group.parameters[name] for name in seen}
    if not hidden or dict(seen) == shown or group.parameters["limit"] <= 0:
        return await _ask_deeper(run, space, group, means=means, seen=shown)
    if means is not Means.INDEXES:
        beside = replace(group, parameters={**group.parameters, "limit": hidden}, wanted=[])
        found, more = await asyncio.gather(
            _ask_deeper(run, space, group, means=means, seen=shown),
            _ask_deeper(run, space, beside, means=means, seen=seen, aside=hidden),
        )
        return [*found, *(one for one in more if one.hidden)]
    limit = int(group.parameters["limit"])
    depth = _first_depth(group) + max(hidden, int(limit * _HIDDEN_SHARE))
    given = _given(
        group,
        wanted=group.wanted,
        seen=seen,
        aside=hidden,
        depth=depth,
        words_depth=max(depth, 2 * limit, _LEAST_WORDS),
    )
    open_channels, rows = (await run(_statement_of(group, means), {"space": space, "given": given}))[0]
    found = [_found(*row) for row in rows]
    if not open_channels:
        return found
    shown_ones = await _ask_deeper(run, space, group, means=means, seen=shown)
    return [*shown_ones, *(one for one in found if one.hidden)]


async def _ask_deeper(
    run: Run, space: str, group: _Group, *, means: Means, seen: Mapping[str, Any], aside: int = 0
) -> list[Found]:
    limit = int(group.parameters["limit"])
    wanted = group.wanted
    if means is Means.NO_INDEX and group.parameters["terms"]:
        parameters = {**group.parameters, **seen}
        rows = await run(f"{group.name}_words", {"space": space, "given": parameters})
        wanted = [*wanted, *(row[0] for row in rows)]
    depth = _first_depth(group, is_cut=means is Means.NEIGHBOURS)
    words_depth = max(depth, 2 * limit, _LEAST_WORDS)
    is_last = means is Means.NO_INDEX
    while True:
        given = _given(
            group, wanted=wanted, seen=seen, aside=aside, depth=depth, words_depth=None if is_last else words_depth
        )
        name = f"{group.name}_exact" if is_last else _statement_of(group, means)
        open_channels, found = (await run(name, {"space": space, "given": given}))[0]
        if is_last or not open_channels:
            return [_found(*row) for row in found]
        depth *= _DEEPER
        words_depth *= _DEEPER
        is_last = depth > _DEEPEST or _ASIDE in open_channels


def _statement_of(group: _Group, means: Means) -> str:
    """The statement that asks the indexes. A range of names costs a fifth of the look into the index, so it has one of its own."""
    if means is Means.NEIGHBOURS:
        return f"{group.name}_near"
    return f"{group.name}_named" if "name_low" in group.parameters else group.name


def _first_depth(group: _Group, *, is_cut: bool = False) -> int:
    # An episode may take several places with its passages; words are weighed a little otherwise than we asked for.
    overfetch = _OVERFETCH if is_cut or group.parameters["cut"] else 1
    return max(int(group.parameters["limit"]), 1) * overfetch + (_PASSAGES if group.name == "search_told" else 0)


def _given(
    group: _Group,
    *,
    wanted: Sequence[Sequence[str]],
    seen: Mapping[str, Any],
    aside: int,
    depth: int,
    words_depth: int | None,
) -> dict[str, Any]:
    """The statement's parameters. Without a `words_depth` the full text index gives every match."""
    return {
        **group.parameters,
        "wanted": wanted,
        "seen": dict(seen),
        "aside": aside,
        "depth": depth,
        "words_depth": _ALL if words_depth is None else words_depth,
        "words_options": {} if words_depth is None else {"limit": words_depth},
    }


def _status(request: SearchRequest) -> dict[str, Any]:
    """The part of the filter's parameters that is about status, of the filter that shows what only its status hides."""
    parameters = filter_parameters(request.without_status)
    return {name: parameters[name] for name in ("hidden", "valid_high", "invalid_low")}


def _found(
    kind: str, text: str, rest: str, words: str | None, score: float | None, fingerprint: str | None, hidden: bool
) -> Found:
    has_vector = score is not None
    return Found(
        memory=memory_of(kind, text, rest),
        cosine=min(max(2.0 * score - 1.0, -1.0), 1.0) if score is not None else None,
        fingerprint=decode(fingerprint or "") if has_vector else "",
        words=decode(words or ""),
        hidden=hidden,
    )


def _pairs(request: SearchRequest, kinds: Iterable[Kind]) -> list[list[str]]:
    return [[kind.value, key(id)] for kind, id in sorted(request.wanted) if kind in kinds]


def _vectors(asked: Mapping[str, Vector]) -> list[dict[str, Any]]:
    """The question's vectors, each with the fingerprints that go before it."""
    earlier: list[str] = []
    vectors: list[dict[str, Any]] = []
    for fingerprint, vector in asked.items():
        vectors.append({"fingerprint": encode(fingerprint), "vector": vector.tolist(), "earlier": list(earlier)})
        earlier.append(encode(fingerprint))
    return vectors


def is_told(kind: Kind) -> bool:
    """Whether memories of this kind are episodes or summaries."""
    return kind in TOLD_KINDS


def split_keys(keys: Sequence[tuple[Kind, str]]) -> dict[str, list[tuple[Kind, str]]]:
    """The keys by where their memories stand: held, told, entities."""
    groups: dict[str, list[tuple[Kind, str]]] = {"held": [], "told": [], "entities": []}
    for kind, id in keys:
        groups["held" if kind in HELD_KINDS else "told" if is_told(kind) else "entities"].append((kind, id))
    return groups
