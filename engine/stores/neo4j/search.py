"""Searching: each question is one round trip for what is held and one for what was told, at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
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

# Where the indexes let through more than the filter shows, this many times the limit is fetched at first …
_OVERFETCH = 4
# … and each time that was too little, this many times more; then every row is looked at.
_DEEPER = 10
_DEEPEST = 5000
_PASSAGES = 20
_ALL = 2**31 - 1
_LEAST_WEIGHT = 1e-3
# The channel by which a statement says that its vector index does not have all that was asked for.
_ASIDE = "aside"


class Means(Enum):
    """Which indexes a search may use."""

    INDEXES = auto()  # both, the vector index with filters inside
    NEIGHBOURS = auto()  # both, but the vector index is over all spaces and cannot filter
    NO_INDEX = auto()  # inside a unit that has written: neither index shows a transaction's own rows reliably


_SUFFIX = {Means.INDEXES: "", Means.NEIGHBOURS: "_near"}


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
        "words": words_query(space, areas(walls, request.filter), request.terms, request.idf) if by_index else "",
        "terms": terms,
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
    is_cut = is_cut_after(walls, request.filter)
    answers = await asyncio.gather(*(_ask(run, space, group, means=means, is_cut=is_cut) for group in groups))
    return [found for answer in answers for found in answer]


async def _ask(run: Run, space: str, group: _Group, *, means: Means, is_cut: bool) -> list[Found]:
    limit = int(group.parameters["limit"])
    wanted = group.wanted
    if means is Means.NO_INDEX and group.parameters["terms"]:
        rows = await run(f"{group.name}_words", {"space": space, "given": group.parameters})
        wanted = [*wanted, *(row[0] for row in rows)]
    # An episode may take several places with its passages; words are weighed a little otherwise than we asked for.
    overfetch = _OVERFETCH if is_cut or means is Means.NEIGHBOURS else 1
    depth = max(limit, 1) * overfetch + (_PASSAGES if group.name == "search_told" else 0)
    words_depth = max(depth, 2 * limit)
    is_last = means is Means.NO_INDEX
    while True:
        given = {
            **group.parameters,
            "wanted": wanted,
            "depth": depth,
            "words_depth": _ALL if is_last else words_depth,
            # Without a limit the full text index gives every match.
            "words_options": {} if is_last else {"limit": words_depth},
        }
        name = group.name + ("_exact" if is_last else _SUFFIX[means])
        open_channels, found = (await run(name, {"space": space, "given": given}))[0]
        if is_last or not open_channels:
            return [_found(*row) for row in found]
        depth *= _DEEPER
        words_depth *= _DEEPER
        is_last = depth > _DEEPEST or _ASIDE in open_channels


def _found(kind: str, text: str, rest: str, words: str | None, score: float | None, fingerprint: str | None) -> Found:
    has_vector = score is not None
    return Found(
        memory=memory_of(kind, text, rest),
        cosine=min(max(2.0 * score - 1.0, -1.0), 1.0) if score is not None else None,
        fingerprint=decode(fingerprint or "") if has_vector else "",
        words=decode(words or ""),
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
