"""Lists of memories, page by page: what analysts and programs browse."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from typing import Any, Generic, TypeVar

from muniment.engine.ingest.names import lookup_keys
from muniment.engine.ingest.value_keys import value_keys
from muniment.engine.ports.store import (
    DocumentQuery,
    EntityCounts,
    EntityQuery,
    EpisodeQuery,
    FactQuery,
    Page,
    Reader,
    TenantStore,
)
from muniment.engine.retrieve.heirs import stands_for
from muniment.graph_schema.errors import NotThisLists
from muniment.graph_schema.ids import EntityId, digest
from muniment.graph_schema.ontology import Direction, Ontology
from muniment.graph_schema.records import Document, Entity, Episode, Fact, Scope
from muniment.graph_schema.temporal import Clocks, format_time, to_ms

Item = TypeVar("Item")

_MAX_NUMBER = 2**63 - 1  # what both stores can hold
_MOST_ALIKE = 100  # documents that may have one number: only such as were taken in from two places


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice(Generic[Item]):
    """Part of a list; `next_cursor` continues it and is None at its end. It can be gone through as its items can."""

    items: tuple[Item, ...]
    next_cursor: str | None

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, place: int) -> Item:
        return self.items[place]


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

    def was_known(self, moment: datetime) -> bool:
        """Whether it was there by then, or something that was heard by then tells of it, as in an import of older records."""
        return self.created_at <= moment or self.first_seen is not None or self.facts > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Which part of which list is asked for. A cursor holds for the list that gave it, of the same tenant behind the same
    walls and under the same filters: another would go on somewhere in the middle."""

    name: str
    whose: str  # a digest of whom the list belongs to: see `seen_by`
    limit: int
    cursor: str | None = None
    filters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def bound_to(self) -> str:
        """The list with the filters given, as it stands in a cursor."""
        given = {name: _told(value) for name, value in self.filters.items() if value}
        return f"{self.name}?{digest(json.dumps(given, sort_keys=True), size=8)}" if given else self.name

    def place(self) -> tuple[int, str] | None:
        """After which number and id it goes on; None at the beginning. Raises NotThisLists for another list's cursor."""
        return _read_cursor(self, self.cursor) if self.cursor else None

    def slice(self, rows: Sequence[Item], places: Sequence[tuple[int, str]]) -> Slice[Item]:
        """The first `limit` rows; `places` are theirs, and one row more than the limit says that the list goes on."""
        if len(rows) <= self.limit:
            return Slice(items=tuple(rows), next_cursor=None)
        return Slice(items=tuple(rows[: self.limit]), next_cursor=_write_cursor(self, *places[self.limit - 1]))


def seen_by(store: TenantStore) -> str:
    """Whom a list belongs to that is read from there: the tenant, behind these walls."""
    return digest(store.space, *(["*"] if store.all_walls else sorted(f"/{wall}" for wall in store.walls)), size=8)


async def list_episodes(reader: Reader, query: EpisodeQuery, listing: Listing) -> Slice[Episode]:
    rows = await reader.list_episodes(query, _page(listing))
    return listing.slice(rows, [(to_ms(row.recorded_at), row.id) for row in rows])


async def list_facts(reader: Reader, queries: Sequence[FactQuery], listing: Listing) -> Slice[Fact]:
    """What any of the queries finds, in one order."""
    page = _page(listing)
    found = {row.id: row for query in queries for row in await reader.list_facts(query, page)}
    rows = sorted(found.values(), key=lambda row: (-to_ms(row.created_at), row.id))
    return listing.slice(rows, [(to_ms(row.created_at), row.id) for row in rows])


async def list_documents(
    reader: Reader, query: DocumentQuery, listing: Listing, read: Callable[[Document], Item]
) -> Slice[Item]:
    """Documents that are numbered, in the order that the query asks for, each as what `read` makes of it."""
    place = listing.place()
    if place is not None:
        # From its number on, not after it: where two documents have one number, the cut may lie between them.
        query = replace(query, after_seq=min(place[0] + (1 if query.newest_first else -1), _MAX_NUMBER))
    found = await reader.documents(replace(query, limit=listing.limit + 1 + (_MOST_ALIKE if place else 0)))
    rows = [row for row in found if place is None or _is_past((row.seq, row.id), place, query)]
    rows = rows[: listing.limit + 1]
    return listing.slice([read(row) for row in rows], [(row.seq, row.id) for row in rows])


def list_by_id(rows: Iterable[Item], listing: Listing, id_of: Callable[[Item], str]) -> Slice[Item]:
    """A list that is at hand whole, page by page in the order of its ids."""
    place = listing.place()
    kept = sorted((row for row in rows if place is None or id_of(row) > place[1]), key=id_of)
    return listing.slice(kept, [(0, id_of(row)) for row in kept])


def _is_past(at: tuple[int, str], place: tuple[int, str], query: DocumentQuery) -> bool:
    return at < place if query.newest_first else at > place


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


async def list_entities(reader: Reader, query: EntityQuery, listing: Listing, *, clocks: Clocks) -> Slice[EntityPage]:
    rows = await reader.list_entities(query, _page(listing))
    pages = await entity_pages(reader, rows, clocks)
    return listing.slice(pages, [(to_ms(row.created_at), row.id) for row in rows])


async def entity_pages(reader: Reader, entities: Sequence[Entity], clocks: Clocks) -> list[EntityPage]:
    """Each entity with its counts at a moment, as known at one."""
    counts = await reader.entity_counts([e.id for e in entities], clocks)
    none = EntityCounts(facts=0, first_seen=None, last_seen=None)
    return [EntityPage(entity=e, counts=counts.get(e.id, none)) for e in entities]


async def entities_named(reader: Reader, name_or_id: str) -> frozenset[EntityId]:
    """The entities that an id or a name means: through merges, every namesake."""
    by_id = await stands_for(reader, [EntityId(name_or_id)])
    if by_id:
        return frozenset(e.id for e in by_id.values())
    found = await reader.entities_by_alias([*lookup_keys(name_or_id), *value_keys(name_or_id)])
    return frozenset(e.id for entities in found.values() for e in entities)


def _page(listing: Listing) -> Page:
    return Page(limit=listing.limit + 1, after=listing.place())


def _told(value: Any) -> Any:
    """A filter's value as it stands in a cursor's digest: moments and sets alike however they were given."""
    if isinstance(value, datetime):
        return format_time(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, frozenset | set | tuple | list):
        return sorted(map(str, map(_told, value)))
    return value


def _write_cursor(listing: Listing, ms: int, id: str) -> str:
    place = [listing.bound_to, ms, id, _seal(listing, ms, id)]
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")


def _seal(listing: Listing, ms: int, id: str) -> str:
    """What says in a cursor whose it is. It guards nothing that the store does not: whoever makes one up for a list of its own
    sees that list only."""
    return digest(listing.whose, listing.bound_to, str(ms), id, size=8)


def _read_cursor(listing: Listing, cursor: str) -> tuple[int, str]:
    """The place that a cursor of that very list tells. Raises NotThisLists for any other, whatever is wrong with it."""
    try:
        given, ms, id, seal = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        if not isinstance(ms, int) or not isinstance(id, str) or abs(ms) > _MAX_NUMBER:
            raise ValueError("other values than a list gives")
        id.encode()
        if given != listing.bound_to or seal != _seal(listing, ms, id):
            raise ValueError("a cursor of another list, or of another's")
    except (ValueError, TypeError, RecursionError, binascii.Error) as cause:
        raise _no_cursor(cursor) from cause
    return ms, id


def _no_cursor(cursor: str) -> NotThisLists:
    return NotThisLists(
        f"cursor {cursor[:100]!r} is not one that this list gave: use next_cursor of the last answer", field="cursor"
    )
