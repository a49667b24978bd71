"""Lists of memories, page by page: what analysts and programs browse."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

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
from muniment.graph_schema.records import Entity, Episode, Fact
from muniment.graph_schema.temporal import to_ms

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice(Generic[Item]):
    """Part of a list, newest first; `next_cursor` continues it and is None at its end."""

    items: tuple[Item, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityPage:
    """An entity and what is known of it in numbers."""

    entity: Entity
    counts: EntityCounts


async def list_episodes(reader: Reader, query: EpisodeQuery, *, limit: int, cursor: str | None) -> Slice[Episode]:
    rows = await reader.list_episodes(query, _page(limit, cursor))
    return _slice(rows, limit, [(row.recorded_at, row.id) for row in rows])


async def list_facts(reader: Reader, query: FactQuery, *, limit: int, cursor: str | None) -> Slice[Fact]:
    rows = await reader.list_facts(query, _page(limit, cursor))
    return _slice(rows, limit, [(row.created_at, row.id) for row in rows])


async def list_entities(
    reader: Reader, query: EntityQuery, *, at: datetime, limit: int, cursor: str | None
) -> Slice[EntityPage]:
    rows = await reader.list_entities(query, _page(limit, cursor))
    pages = await entity_pages(reader, rows, at)
    return _slice(pages, limit, [(row.created_at, row.id) for row in rows])


async def entity_pages(reader: Reader, entities: Sequence[Entity], at: datetime) -> list[EntityPage]:
    """Each entity with its counts at a moment."""
    counts = await reader.entity_counts([e.id for e in entities], at)
    none = EntityCounts(facts=0, first_seen=None, last_seen=None)
    return [EntityPage(entity=e, counts=counts.get(e.id, none)) for e in entities]


async def entities_named(reader: Reader, name_or_id: str) -> frozenset[EntityId]:
    """The entities that an id or a name means: through merges, every namesake."""
    by_id = await reader.entities([EntityId(name_or_id)])
    if by_id:
        return frozenset({by_id[0].merged_into or by_id[0].id})
    found = await reader.entities_by_alias(lookup_keys(name_or_id))
    return frozenset(e.id for entities in found.values() for e in entities)


def _page(limit: int, cursor: str | None) -> Page:
    return Page(limit=limit + 1, after=_read_cursor(cursor) if cursor else None)


def _slice(rows: Sequence[Item], limit: int, places: Sequence[tuple[datetime, str]]) -> Slice[Item]:
    if len(rows) <= limit:
        return Slice(items=tuple(rows), next_cursor=None)
    at, id = places[limit - 1]
    return Slice(items=tuple(rows[:limit]), next_cursor=_write_cursor(to_ms(at), id))


def _write_cursor(ms: int, id: str) -> str:
    return base64.urlsafe_b64encode(json.dumps([ms, id]).encode()).decode().rstrip("=")


def _read_cursor(cursor: str) -> tuple[int, str]:
    try:
        ms, id = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        return int(ms), str(id)
    except (ValueError, TypeError, binascii.Error) as cause:
        raise Invalid(
            f"cursor {cursor!r} is not one that a list gave: use next_cursor of the last answer", field="cursor"
        ) from cause
