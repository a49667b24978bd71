"""Searching: each question is one round trip for what is held and one for what was told, at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
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
from muniment.engine.stores.neo4j.texts import decode, key, words_query
from muniment.graph_schema.records import HELD_KINDS, Kind

Run = Callable[[str, Mapping[str, Any]], Awaitable[list[list[Any]]]]

# Where the indexes let through more than the filter shows, this many times the limit is fetched at first …
_OVERFETCH = 4
# … and each time that was too little, this many times more; then every row is looked at.
_DEEPER = 10
_DEEPEST = 5000


async def search(run: Run, *, space: str, walls: Walls, request: SearchRequest, is_indexed: bool) -> list[Found]:
    """Everything that a channel found or that is wanted, once each.

    The answer equals that of comparing every row: a channel whose cut might hide a better row is asked again, deeper, and
    at last without an index. `is_indexed` is whether the filtered vector index may be used: the server has one, and no
    uncommitted write of this transaction, which no vector index shows, matters.
    """
    base = {
        **walls.parameters,
        **filter_parameters(request.filter),
        "vectors": _vectors(request.vectors),
        "fingerprints": list(request.vectors),
        "cells": cells(walls, request.filter),
        "limit": request.limit,
        "words": words_query(space, areas(walls, request.filter), request.terms, request.idf),
    }
    held = request.filter.kinds & set(HELD_KINDS)
    told = request.filter.kinds & set(TOLD_KINDS)
    asks = []
    if held:
        wanted = [key(id) for kind, id in sorted(request.wanted) if kind in held]
        ranges = {**kind_range(held), **name_range(request.filter)}
        asks.append(
            _one_group(run, space, "search_held", {**base, **ranges, "wanted": wanted}, walls, request, is_indexed)
        )
    if told:
        pairs = [[kind.value, key(id)] for kind, id in sorted(request.wanted) if kind in told]
        parameters = {**base, **kind_range(told), "wanted": pairs}
        asks.append(_one_group(run, space, "search_told", parameters, walls, request, is_indexed))
    return [found for group in await asyncio.gather(*asks) for found in group]


async def _one_group(
    run: Run,
    space: str,
    name: str,
    parameters: Mapping[str, Any],
    walls: Walls,
    request: SearchRequest,
    is_indexed: bool,
) -> list[Found]:
    depth = request.limit * (_OVERFETCH if is_cut_after(walls, request.filter) else 1)
    # Several passages of one episode, and words whose weights the index knows only by its own measure.
    words_depth = depth = max(depth, request.limit + 20) if name == "search_told" else depth
    words_depth = max(words_depth, 2 * request.limit)
    while True:
        is_last = depth > _DEEPEST
        exactly = not is_indexed or is_last
        # Without a limit the full text index gives every match.
        options = {} if is_last else {"limit": words_depth}
        open_channels, found = (
            await run(
                f"{name}_exact" if exactly else name,
                {
                    "space": space,
                    "given": {
                        **parameters,
                        "depth": depth,
                        "words_depth": words_depth if options else 2**31,
                        "words_options": options,
                    },
                },
            )
        )[0]
        if is_last or not open_channels:
            return [_found(*row) for row in found]
        depth *= _DEEPER
        words_depth *= _DEEPER


def _found(kind: str, text: str, rest: str, words: str | None, score: float | None, fingerprint: str | None) -> Found:
    has_vector = score is not None
    return Found(
        memory=memory_of(kind, text, rest),
        cosine=2.0 * score - 1.0 if score is not None else None,
        fingerprint=(fingerprint or "") if has_vector else "",
        words=decode(words or ""),
    )


def _vectors(asked: Mapping[str, Vector]) -> list[dict[str, Any]]:
    """The question's vectors, each with the fingerprints that go before it."""
    earlier: list[str] = []
    vectors: list[dict[str, Any]] = []
    for fingerprint, vector in asked.items():
        vectors.append({"fingerprint": fingerprint, "vector": vector.tolist(), "earlier": list(earlier)})
        earlier.append(fingerprint)
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
