"""Lists of memories, page by page: what analysts and programs browse."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Generic, TypeVar

from muniment.engine.ingest.names import lookup_keys
from muniment.engine.ports.store import (
    EntityCounts,
    EntityQuery,
    EpisodeQuery,
    FactQuery,
    Page,
    Reader,
)
from muniment.graph_schema.errors import Invalid
from muniment.graph_schema.ids import EntityId
from muniment.graph_schema.ontology import Direction, Ontology
from muniment.graph_schema.records import Entity, Episode, Fact, Scope
from muniment.graph_schema.temporal import Clocks, to_ms

Item = TypeVar("Item")

_MAX_NUMBER = 2**63 - 1  # what both stores can hold


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice(Generic[Item]):
    """Part of a list, newest first; `next_cursor` continues it and is None at its end."""

    items: tuple[Item, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityPage:
    """An entity and what is known of it in numbers; it reads as the entity itself, under the names of the outward shape."""

    entity: Entity
    counts: EntityCounts

    @property
    def id(self) -> EntityId:
        return self.entity.id

    @property
    def name(self) -> str:
        return self.entity.name

    @property
    def type(self) -> str:
        return self.entity.type

    @property
    def aliases(self) -> tuple[str, ...]:
        """Every spelling met, its name included, each once."""
        return self.entity.spellings

    @property
    def identifiers(self) -> tuple[str, ...]:
        return self.entity.identifiers

    @property
    def summary(self) -> str:
        return self.entity.summary

    @property
    def scope(self) -> Scope:
        return self.entity.scope

    @property
    def wall(self) -> str:
        return self.entity.wall

    @property
    def merged_into(self) -> EntityId | None:
        return self.entity.merged_into

    @property
    def created_at(self) -> datetime:
        return self.entity.created_at

    @property
    def archived(self) -> bool:
        return self.entity.archived

    @property
    def attributes(self) -> Mapping[str, Any]:
        return self.entity.attributes

    @property
    def facts(self) -> int:
        """How many current facts touch it."""
        return self.counts.facts

    @property
    def first_seen(self) -> datetime | None:
        return self.counts.first_seen

    @property
    def last_seen(self) -> datetime | None:
        return self.counts.last_seen


async def list_episodes(reader: Reader, query: EpisodeQuery, *, limit: int, cursor: str | None) -> Slice[Episode]:
    rows = await reader.list_episodes(query, _page("episodes", limit, cursor))
    return _slice("episodes", rows, limit, [(row.recorded_at, row.id) for row in rows])


async def list_facts(reader: Reader, queries: Sequence[FactQuery], *, limit: int, cursor: str | None) -> Slice[Fact]:
    """What any of the queries finds, in one order."""
    kinds = "+".join(sorted({kind for query in queries for kind in query.kinds}))
    page = _page(kinds, limit, cursor)
    found = {row.id: row for query in queries for row in await reader.list_facts(query, page)}
    rows = sorted(found.values(), key=lambda row: (-to_ms(row.created_at), row.id))
    return _slice(kinds, rows, limit, [(row.created_at, row.id) for row in rows])


def as_stored(query: FactQuery, relation: str, ontology: Ontology) -> tuple[FactQuery, ...]:
    """The queries that ask for a relation in the direction in which its facts are stored: `ceo_of` of a person is
    `has_ceo` with that person as object. A symmetric fact has no direction, so both are asked; no relation is every one."""
    turned = replace(query, subjects=query.objects, objects=query.subjects)
    bound = query.subjects is not None or query.objects is not None
    if not relation:
        symmetric = frozenset(r.name for r in ontology.relations if r.symmetric)
        return (query, replace(turned, relations=symmetric)) if bound and symmetric else (query,)
    reading = ontology.relation(relation)
    names = frozenset({reading.relation.name})
    if reading.relation.symmetric and bound:
        return replace(query, relations=names), replace(turned, relations=names)
    return (replace(turned if reading.direction is Direction.BACKWARD else query, relations=names),)


async def list_entities(
    reader: Reader, query: EntityQuery, *, clocks: Clocks, limit: int, cursor: str | None
) -> Slice[EntityPage]:
    rows = await reader.list_entities(query, _page("entities", limit, cursor))
    pages = await entity_pages(reader, rows, clocks)
    return _slice("entities", pages, limit, [(row.created_at, row.id) for row in rows])


async def entity_pages(reader: Reader, entities: Sequence[Entity], clocks: Clocks) -> list[EntityPage]:
    """Each entity with its counts at a moment, as known at one."""
    counts = await reader.entity_counts([e.id for e in entities], clocks)
    none = EntityCounts(facts=0, first_seen=None, last_seen=None)
    return [EntityPage(entity=e, counts=counts.get(e.id, none)) for e in entities]


async def entities_named(reader: Reader, name_or_id: str) -> frozenset[EntityId]:
    """The entities that an id or a name means: through merges, every namesake."""
    by_id = await reader.entities([EntityId(name_or_id)])
    if by_id:
        return frozenset({by_id[0].merged_into or by_id[0].id})
    found = await reader.entities_by_alias(lookup_keys(name_or_id))
    return frozenset(e.id for entities in found.values() for e in entities)


def number_cursor(cursor: str | None) -> int | None:
    """The number after which a numbered list goes on. Raises Invalid."""
    if not cursor:
        return None
    if not (cursor.isascii() and cursor.isdigit()) or len(cursor) > 19 or int(cursor) > _MAX_NUMBER:
        raise _no_cursor(cursor)
    return int(cursor)


def id_cursor(cursor: str, mark: str) -> str:
    """The id after which a list in the order of ids goes on; such ids begin with `mark`. Raises Invalid."""
    if not re.fullmatch(f"{mark}[0-9a-f]{{1,64}}", cursor):
        raise _no_cursor(cursor)
    return cursor


def _page(name: str, limit: int, cursor: str | None) -> Page:
    return Page(limit=limit + 1, after=_read_cursor(name, cursor) if cursor else None)


def _slice(name: str, rows: Sequence[Item], limit: int, places: Sequence[tuple[datetime, str]]) -> Slice[Item]:
    if len(rows) <= limit:
        return Slice(items=tuple(rows), next_cursor=None)
    at, id = places[limit - 1]
    return Slice(items=tuple(rows[:limit]), next_cursor=_write_cursor(name, to_ms(at), id))


def _write_cursor(name: str, ms: int, id: str) -> str:
    return base64.urlsafe_b64encode(json.dumps([name, ms, id]).encode()).decode().rstrip("=")


def _read_cursor(name: str, cursor: str) -> tuple[int, str]:
    """The place that a cursor of the list of that name tells. Raises Invalid for any other."""
    try:
        given, ms, id = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        if not isinstance(ms, int) or not isinstance(id, str) or abs(ms) > _MAX_NUMBER:
            raise ValueError("other values than a list gives")
        if given != name:
            raise ValueError("a cursor of another list")
        id.encode()
    except (ValueError, TypeError, RecursionError, binascii.Error) as cause:
        raise _no_cursor(cursor) from cause
    return ms, id


def _no_cursor(cursor: str) -> Invalid:
    return Invalid(
        f"cursor {cursor[:100]!r} is not one that this list gave: use next_cursor of the last answer", field="cursor"
    )
