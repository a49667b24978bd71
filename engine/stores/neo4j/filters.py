"""What a read may see, as parameters of statements and as ranges that an index can filter by.

A vector index filters by equality and ranges joined by AND: no list, no OR, no "is nothing". So open ends are sentinels, and
lists become the ranges that cover them; what a range lets through too much, the statement's own filter takes out again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any

from muniment.engine.ports.search import ReadFilter
from muniment.engine.stores.neo4j.memory_rows import HIDDEN_ARCHIVED, HIDDEN_NOT
from muniment.engine.stores.neo4j.texts import (
    area_of,
    area_of_scope,
    area_of_wall,
    audience,
    encode,
    key,
    wall_prefix,
)
from muniment.graph_schema.records import HELD_KINDS, Kind, Scope
from muniment.graph_schema.temporal import BEGINNING_MS, FOREVER_MS, to_ms

ALWAYS_MS = FOREVER_MS - 1
"""Record time at which exactly the unexpired rows are known: only theirs ends later."""

TOLD_KINDS = (Kind.EPISODE, Kind.SUMMARY)

# Each cell is a search of its own in the index, a few milliseconds; more are covered by one range and filtered after.
_MOST_CELLS = 6
_MOST_AREAS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Walls:
    """The walls that a caller may see; the open one always."""

    names: frozenset[str]
    all: bool

    def has(self, wall: str) -> bool:
        """Whether the caller may see what stands behind this wall."""
        return self.all or wall in self.names

    @property
    def parameters(self) -> dict[str, Any]:
        return {"walls": sorted(encode(name) for name in self.names), "all_walls": self.all}


def filter_parameters(filter: ReadFilter) -> dict[str, Any]:
    """The filter's part of a statement's parameters."""
    as_of = to_ms(filter.clocks.as_of)
    scope = filter.scope or Scope()
    return {
        "known": min(to_ms(filter.clocks.known_at), ALWAYS_MS),
        "hidden": HIDDEN_ARCHIVED if filter.include_archived else HIDDEN_NOT,
        "valid_high": FOREVER_MS if filter.include_superseded or filter.include_future else as_of,
        "invalid_low": BEGINNING_MS - 1 if filter.include_superseded else min(as_of, ALWAYS_MS),
        "kinds": sorted(kind.value for kind in filter.kinds),
        "importance": filter.min_importance,
        "any_scope": filter.scope is None,
        "users": _with_shared(scope.user),
        "agents": _with_shared(scope.agent),
        "sessions": _with_shared(scope.session),
        "relations": sorted(key(relation) for relation in filter.relations),
        "types": sorted(encode(name) for name in filter.types),
    }


def kind_range(kinds: Iterable[Kind]) -> dict[str, str]:
    """The least range of kind names that covers these."""
    names = sorted(kind.value for kind in kinds)
    return {"kind_low": names[0], "kind_high": names[-1]} if names else {"kind_low": "", "kind_high": ""}


def name_range(filter: ReadFilter) -> dict[str, str]:
    """The least range of relation names that covers those asked for; empty where there is none.

    Preferences and skills are not restricted by relations.
    """
    names = sorted(key(relation) for relation in filter.relations)
    if not names or filter.kinds & {Kind.PREFERENCE, Kind.SKILL}:
        return {}
    return {"name_low": names[0], "name_high": names[-1]}


def cells(walls: Walls, filter: ReadFilter) -> list[dict[str, str]]:
    """The ranges of `audience` in which everything lies that the caller and the filter may see."""
    if walls.all:
        return [{"low": "@", "high": "A"}]
    names = sorted(walls.names)
    if filter.scope is not None:
        exact = [audience(wall, scope) for wall, scope in product(names, _scopes(filter.scope))]
        if len(exact) <= _MOST_CELLS:
            return [{"low": one, "high": one + "g"} for one in exact]
    prefixes = sorted(wall_prefix(name) for name in names)
    if len(prefixes) <= _MOST_CELLS:
        return [{"low": prefix, "high": prefix + "g"} for prefix in prefixes]
    return [{"low": prefixes[0], "high": prefixes[-1] + "g"}]


def areas(walls: Walls, filter: ReadFilter) -> list[str]:
    """The area words of the full text index, one of which a memory must have; none where all may be seen."""
    names = sorted(walls.names)
    if walls.all:
        found = [] if filter.scope is None else [area_of_scope(scope) for scope in _scopes(filter.scope)]
    elif filter.scope is None:
        found = [area_of_wall(wall) for wall in names]
    else:
        found = [area_of(wall, scope) for wall, scope in product(names, _scopes(filter.scope))]
    return found if len(found) <= _MOST_AREAS else []


def is_cut_after(walls: Walls, filter: ReadFilter) -> bool:
    """Whether the indexes let through more than the filter shows, so that more must be fetched than wanted."""
    kinds = {kind for kind in filter.kinds if kind in HELD_KINDS}
    if filter.types or len(kinds) not in (1, len(HELD_KINDS)):
        return True
    if filter.relations and (len(filter.relations) > 1 or kinds != {Kind.FACT}):
        return True
    if walls.all:
        return filter.scope is not None
    scopes = 1 if filter.scope is None else len(_scopes(filter.scope))
    return len(walls.names) * scopes > _MOST_CELLS


def _scopes(reader: Scope) -> list[Scope]:
    """Every scope a memory can have that this reader sees."""
    return [
        Scope(user=user, agent=agent, session=session)
        for user, agent, session in product(
            *(dict.fromkeys(("", part)) for part in (reader.user, reader.agent, reader.session))
        )
    ]


def _with_shared(name: str) -> list[str]:
    return [""] if not name else ["", encode(name)]
