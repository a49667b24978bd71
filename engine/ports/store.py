"""The store port: what the domain needs from a database, the same on every one.

A `Database` is opened once a process; `space(...)` gives a `TenantStore` bound to one space and to the walls its caller
may see, and no method below takes a tenant. A row behind a wall that the caller may not see, in another space, or
absent are the same thing: not there. Walls bind reads *and* writes through `Unit`: writing to a wall outside the
grant raises NotFound.

Ids are made by the caller, so a retried transaction writes the same rows. Order is always total: ties by id.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from muniment.engine.ports.search import Edges, Found, IndexEntry, Mentions, Neighbours, ReadFilter, SearchRequest
from muniment.graph_schema.ids import (
    AssertionId,
    EntityId,
    EpisodeId,
    FactId,
    JobId,
    ReceiptId,
    Space,
    SummaryId,
)
from muniment.graph_schema.records import (
    Assertion,
    Document,
    Entity,
    Episode,
    Fact,
    Job,
    JobState,
    Kind,
    Mention,
    Status,
    Summary,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreCapabilities:
    """What a store is and what it cannot do."""

    name: str  # sqlite | neo4j
    version: str
    filtered_vector_index: bool  # False: vectors are compared exactly over the tenant's rows
    many_processes: bool
    remote: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Where a list goes on: after the row with this (recorded milliseconds, id), newest first."""

    limit: int = 50
    after: tuple[int, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeQuery:
    """`text` is a case-insensitive substring; empty fields do not restrict."""

    text: str = ""
    kind: str = ""
    user: str = ""
    session: str = ""
    known_at: datetime | None = None
    include_archived: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FactQuery:
    """Facts, preferences and skills by their parts. `status` is taken at `as_of`; rejected ones only by asking for them."""

    kinds: frozenset[Kind] = frozenset({Kind.FACT})
    subjects: frozenset[EntityId] | None = None
    objects: frozenset[EntityId] | None = None
    relations: frozenset[str] = frozenset()
    text: str = ""
    status: Status | None = None
    user: str = ""
    session: str = ""
    as_of: datetime
    known_at: datetime | None = None
    include_superseded: bool = False
    include_archived: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityQuery:
    """`prefix` is matched against the folded start of any alias, `text` against a folded substring of any alias."""

    prefix: str = ""
    text: str = ""
    type: str = ""
    include_archived: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityCounts:
    facts: int
    first_seen: datetime | None
    last_seen: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityKey:
    wall: str
    type: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """How often and when last a memory was handed out."""

    kind: Kind
    id: str
    count: int
    last_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentQuery:
    """Documents of one kind, by ref and status where given, in order of (seq, id); `after_seq` is exclusive."""

    kind: str
    ref: str | None = None
    status: str | None = None
    after_seq: int | None = None
    newest_first: bool = False
    limit: int = 100


class Erasable(StrEnum):
    """What can be erased for good."""

    EPISODE = "episode"
    ENTITY = "entity"
    ASSERTION = "assertion"
    FACT = "fact"  # every version of it, with its index entry
    SUMMARY = "summary"


class Reader(Protocol):
    """Reads of one space, behind its walls. Missing ids are left out of an answer, never an error."""

    # episodes
    async def episodes(self, ids: Sequence[EpisodeId]) -> list[Episode]: ...
    async def episodes_by_external_id(self, external_ids: Sequence[str]) -> Mapping[str, EpisodeId]: ...
    async def list_episodes(self, query: EpisodeQuery, page: Page) -> list[Episode]: ...
    async def neighbours(self, ids: Sequence[EpisodeId], filter: ReadFilter) -> Mapping[EpisodeId, Neighbours]: ...
    async def thread_ends(self, threads: Sequence[str]) -> Mapping[str, int]:
        """The highest `position` in each thread; a thread not met before is left out."""
        ...

    # entities
    async def entities(self, ids: Sequence[EntityId]) -> list[Entity]:
        """Merged-away and archived ones included; the caller follows `merged_into`."""
        ...

    async def entities_by_key(self, keys: Sequence[EntityKey]) -> list[Entity]: ...
    async def entities_by_alias(self, keys: Sequence[str]) -> Mapping[str, tuple[Entity, ...]]:
        """Live entities (not merged away, not archived) having an alias with one of these folded keys, ordered by id."""
        ...

    async def entities_by_identifier(self, identifiers: Sequence[str]) -> Mapping[str, tuple[Entity, ...]]: ...
    async def list_entities(self, query: EntityQuery, page: Page) -> list[Entity]:
        """Newest first, live only; merged-away ones are never listed."""
        ...

    async def entity_counts(self, ids: Sequence[EntityId], at: datetime) -> Mapping[EntityId, EntityCounts]: ...

    # assertions and what derives from them
    async def assertions(self, ids: Sequence[AssertionId]) -> list[Assertion]: ...
    async def assertions_of_slots(self, slots: Sequence[str]) -> list[Assertion]:
        """Withdrawn ones included, in order of (recorded_at, order, id)."""
        ...

    async def assertions_of_episodes(self, ids: Sequence[EpisodeId]) -> list[Assertion]: ...
    async def assertions_of_receipt(self, id: ReceiptId) -> list[Assertion]: ...
    async def assertions_of_entities(self, ids: Sequence[EntityId]) -> list[Assertion]: ...
    def all_assertions(self, *, batch: int = 1000) -> AsyncIterator[list[Assertion]]: ...

    async def facts(self, ids: Sequence[FactId], *, known_at: datetime | None = None) -> list[Fact]:
        """The latest version of each (even if it has expired), or the one in force at `known_at`."""
        ...

    async def fact_versions(self, id: FactId) -> list[Fact]:
        """Every version, oldest first."""
        ...

    async def facts_of_slots(self, slots: Sequence[str]) -> list[Fact]:
        """The unexpired versions, rejected ones included."""
        ...

    async def list_facts(self, query: FactQuery, page: Page) -> list[Fact]: ...

    # search and graph
    async def search(self, request: SearchRequest) -> list[Found]:
        """Everything that a channel found, or that is wanted, once each, in no promised order."""
        ...

    async def edges(self, ids: Sequence[EntityId], filter: ReadFilter, *, per_node: int = 100) -> Edges:
        """Facts with one of these entities as subject or object; most important, then newest first, capped per entity."""
        ...

    async def mentions_of_episodes(self, ids: Sequence[EpisodeId]) -> list[Mention]: ...
    async def mentions_of_entities(
        self, ids: Sequence[EntityId], filter: ReadFilter, *, per_entity: int = 100
    ) -> Mentions: ...

    # summaries, documents, jobs, use
    async def summaries(self, ids: Sequence[SummaryId]) -> list[Summary]: ...
    async def document(self, kind: str, id: str) -> Document | None: ...
    async def documents(self, query: DocumentQuery) -> list[Document]: ...
    async def last_seq(self, kind: str) -> int:
        """The highest `seq` of the kind, 0 where there is none."""
        ...

    async def jobs(
        self, *, state: JobState | None = None, limit: int = 100, after: JobId | None = None
    ) -> list[Job]: ...
    async def job(self, id: JobId) -> Job | None: ...
    async def uses(self, keys: Sequence[tuple[Kind, str]]) -> Mapping[tuple[Kind, str], Use]: ...
    async def recently_used(self, filter: ReadFilter, *, limit: int) -> list[tuple[Use, Found]]: ...


class Unit(Reader, Protocol):
    """A serial transaction of one space: reads see what it wrote; everything commits together or not at all.

    Two units of one space never run at the same time, in this process or another. Every `put_*` inserts or replaces
    by id. Putting a fact version does not touch its earlier ones: the caller puts those too, expired.
    """

    async def put_episodes(self, episodes: Sequence[Episode]) -> None: ...
    async def put_entities(self, entities: Sequence[Entity]) -> None: ...
    async def put_mentions(self, mentions: Sequence[Mention]) -> None: ...
    async def put_assertions(self, assertions: Sequence[Assertion]) -> None: ...
    async def put_facts(self, facts: Sequence[Fact]) -> None: ...
    async def put_summaries(self, summaries: Sequence[Summary]) -> None: ...
    async def put_index(self, entries: Sequence[IndexEntry]) -> None: ...
    async def drop_index(self, keys: Sequence[tuple[Kind, str]]) -> None: ...
    async def put_documents(self, documents: Sequence[Document]) -> None: ...
    async def drop_documents(self, kind: str, ids: Sequence[str]) -> None: ...
    async def put_jobs(self, jobs: Sequence[Job]) -> None:
        """A queued job whose `dedup_key` equals that of another queued one is not added."""
        ...

    async def add_uses(self, uses: Sequence[Use]) -> None:
        """Adds `count` to what is there and moves `last_at` forward, never back."""
        ...

    async def erase(self, kind: Erasable, ids: Sequence[str]) -> int:
        """Deletes rows for good, with mentions, uses and index entries that hang on them; gives how many went."""
        ...


class TenantStore(Reader, Protocol):
    """One space behind its walls."""

    @property
    def space(self) -> Space: ...
    @property
    def walls(self) -> frozenset[str]: ...

    def write(self) -> AbstractAsyncContextManager[Unit]:
        """A transaction; commits at the end of the block, rolls back when the block raises."""
        ...


class Database(Protocol):
    """An opened database: migrated, of the right environment, ready."""

    @property
    def capabilities(self) -> StoreCapabilities: ...
    @property
    def environment(self) -> str: ...

    def space(self, space: Space, *, walls: frozenset[str] = frozenset(), all_walls: bool = False) -> TenantStore:
        """The store of one space. Walls: the open area (`""`) is always seen; `all_walls` sees every one (for the
        tenant's own administration: export, purge, recomputing)."""
        ...

    async def spaces(self) -> list[Space]:
        """Every space that has any row."""
        ...

    async def claim_jobs(
        self, kinds: Sequence[str], *, owner: str, now: datetime, lease_s: float, limit: int = 1
    ) -> list[tuple[Space, Job]]:
        """Takes due jobs of any space (queued, or running with a lapsed lease): running, attempts + 1, lease set."""
        ...

    async def finish_job(self, space: Space, job: Job, *, owner: str) -> bool:
        """Writes the job's new state if `owner` still holds it; False where the lease went to another."""
        ...

    async def erase_space(self, space: Space) -> int: ...
    async def scrub(self) -> None:
        """Overwrites what erased rows may have left in files (free pages, log); nothing where the server does it."""
        ...

    async def describe(self) -> Mapping[str, str]:
        """For a health page: version, schema version, where, sizes. No secrets."""
        ...

    async def close(self) -> None: ...
