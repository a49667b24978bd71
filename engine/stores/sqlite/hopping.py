"""Edges and recent use over an image: the read filter is worked out once for all of a question's hops."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from muniment.engine.ports.search import Edges, Found, ReadFilter
from muniment.engine.ports.store import Use
from muniment.engine.stores.sqlite.codec import restored, stored
from muniment.engine.stores.sqlite.connection import Bound
from muniment.engine.stores.sqlite.image import Image, Ints, ints
from muniment.engine.stores.sqlite.rows import use_of
from muniment.engine.stores.sqlite.searching import Hit, read_found, shown_rows
from muniment.graph_schema.ids import EntityId
from muniment.graph_schema.records import Fact

_FIRST_USES: Final = 64
_MORE_USES: Final = 8


def edges(
    image: Image, bound: Bound, ids: Sequence[EntityId], filter: ReadFilter, per_node: int, per_kind: int | None
) -> Edges:
    """Facts that touch the entities, as the port has it. The image's lock must be held."""
    degrees: dict[EntityId, int] = {}
    crowds: dict[tuple[EntityId, str, bool], int] = {}
    chosen: dict[int, None] = {}
    if len(image):
        shown = shown_rows(image, bound, filter)
        for id in dict.fromkeys(ids):
            rows = image.touching(stored(id))
            rows = rows[shown[rows]]
            if not len(rows):
                continue
            degrees[id] = len(rows)
            if per_kind is not None:
                kinds = _kinds(image, stored(id), rows)
                crowds |= {(id, relation, out): len(some) for (relation, out), some in kinds.items()}
                rows = np.concatenate([_some(image, some, per_kind) for some in kinds.values()])
            chosen.update(dict.fromkeys(_first(image, rows, per_node)))
    found = read_found(image, bound, _hits(image, _first(image, ints(chosen), len(chosen))))
    facts = tuple(one.memory for one in found if isinstance(one.memory, Fact))
    return Edges(facts=facts, degrees=degrees, crowds=crowds)


def _kinds(image: Image, entity: str, rows: Ints) -> dict[tuple[str, bool], Ints]:
    """The rows by relation and whether the entity is their subject."""
    is_subject = image.column("subject")[rows] == image.codes[entity]
    keys = image.column("relation")[rows].astype(np.int64) * 2 + is_subject
    return {(restored(image.texts[key >> 1]), bool(key & 1)): rows[keys == key] for key in np.unique(keys).tolist()}


def recently_used(image: Image, bound: Bound, filter: ReadFilter, limit: int) -> list[tuple[Use, Found]]:
    """The memories last handed out that the filter shows, latest first. The image's lock must be held."""
    if not len(image) or limit <= 0:
        return []
    shown = shown_rows(image, bound, filter)
    asked = max(_FIRST_USES, limit)
    while True:
        rows = bound.rows("use_recent", limit=asked)
        used = {place: row for row in rows for place in image.rows_of.get((row[0], row[1]), ()) if shown[place]}
        if len(used) >= limit or len(rows) < asked:
            break
        asked *= _MORE_USES
    places = list(used)[:limit]
    found = read_found(image, bound, _hits(image, places))
    return [(use_of(used[place]), one) for place, one in zip(places, found, strict=True)]


def _some(image: Image, rows: Ints, count: int) -> Ints:
    """The first of the rows, in any order."""
    return rows if len(rows) <= count else ints(_first(image, rows, count))


def _first(image: Image, rows: Ints, count: int) -> list[int]:
    """The first of the rows: by importance, then by beginning, both falling, ties by id."""
    if len(rows) <= 1:
        return [int(row) for row in rows[:count]]
    importance, valid = image.column("importance")[rows], image.column("valid")[rows]
    if len(rows) > count:
        # Only those at or above the last place are compared by id.
        order = np.lexsort((-valid, -importance))
        last = order[count - 1] if count else 0
        near = _not_after(importance, valid, importance[last], valid[last])
        rows, importance, valid = rows[near], importance[near], valid[near]
    ranked = zip((-importance).tolist(), (-valid).tolist(), rows.tolist(), strict=True)
    return [row for *_, row in heapq.nsmallest(count, ranked, key=lambda one: (one[0], one[1], image.ids[one[2]]))]


def _not_after(importance: Ints, valid: Ints, last_importance: int, last_valid: int) -> NDArray[np.bool_]:
    level = importance == last_importance
    near: NDArray[np.bool_] = (importance > last_importance) | (level & (valid >= last_valid))
    return near


def _hits(image: Image, places: Sequence[int]) -> list[Hit]:
    kinds, rows = (image.column(name)[list(places)].tolist() for name in ("kind", "row"))
    return [Hit(place, row, image.texts[kind], None, "") for place, kind, row in zip(places, kinds, rows, strict=True)]
