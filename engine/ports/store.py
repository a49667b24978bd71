"""The store port: what the domain needs from a database, the same on every one.

A `Database` is opened once a process; `space(...)` gives a `TenantStore` bound to one space and to the walls its caller
may see, and no method below takes a tenant. A row behind a wall that the caller may not see, in another space, or
absent are the same thing: not there. Walls bind reads *and* writes through `Unit`: writing to a wall outside the
grant raises NotFound.

Ids are made by the caller, so a retried transaction writes the same rows. Order is always total: ties by id, ascending.
Reads by ids answer in the order asked, each id once. Records come back exactly as put (times at millisecond
precision, texts with NUL and lone surrogates, nested JSON), the entity names and types inside a fact included: renaming
an entity does not touch its facts, the caller puts those again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, Protocol

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
from muniment.graph_schema.temporal import Clocks


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreCapabilities:
    """What a store is and what it cannot do."""

    name: str  # sqlite | neo4j
    version: str
    filtered_vector_index: bool  # False: the tenant's rows are picked out after, or compared exactly
    many_processes: bool
    remote: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Where a list goes on: after the row with this (recorded milliseconds, id); newest first, then by id ascending.

    Recorded is `recorded_at` of an episode, `created_at` of an entity and of a fact's version.
    """

    limit: int = 50
    after: tuple[int, str] | None = None


LONGEST_THREAD_PREFIX: Final = 250  # indexes hold the beginning of long names only


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeQuery:
    """`text` is a case-insensitive substring; `known_at` keeps what was recorded by then, `as_of` what had happened by then
    (`occurred_at`); empty fields do not restrict.

    `user` and `session` must equal the scope's, a shared episode does not match a named user. `thread` is one thread's
    name; one that ends with `/` stands for every thread that begins so (at most `LONGEST_THREAD_PREFIX` characters).
    """

    text: str = ""
    kind: str = ""
    thread: str = ""
    user: str = ""
    session: str = ""
    as_of: datetime | None = None
    known_at: datetime | None = None
    include_archived: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FactQuery:
    """Facts, preferences and skills by their parts, in the versions of `known_at` (None: the unexpired ones), and what is kept of
    forgotten ones, which is archived.

    With a `status`: exactly those whose `status_at(as_of)` it is, whatever the include flags say. Without: never
    rejected ones, archived ones only with `include_archived`, others than those in force at `as_of` only with
    `include_superseded`. `subjects` / `objects` None does not restrict, an empty set matches nothing. `text` is a
    case-insensitive substring of the fact's text; with `types` the subject or the object is of one of them; `user` and `session` must equal the scope's. With `standing` only
    preferences whose attribute `constraint` is true, found however many preferences there are; not with `subjects` or `objects`.
    """

    kinds: frozenset[Kind] = frozenset({Kind.FACT})
    subjects: frozenset[EntityId] | None = None
    objects: frozenset[EntityId] | None = None
    relations: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    text: str = ""
    status: Status | None = None
    user: str = ""
    session: str = ""
    as_of: datetime
    known_at: datetime | None = None
    include_superseded: bool = False
    include_archived: bool = False
    standing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityQuery:
    """`prefix` and `text` are folded, then matched against the start of, or anywhere in, the `key` of any alias.

    `types` are those of which an entity may be, any where empty; literal values are listed only when theirs is among them.
    With `user` or `session` only entities of which a memory of that scope tells: an episode that mentions it, or an unexpired fact
    with it as an end, put away or denied ones not.
    """

    prefix: str = ""
    text: str = ""
    types: frozenset[str] = frozenset()
    user: str = ""
    session: str = ""
    include_archived: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityCounts:
    """What is known of an entity: facts, preferences and skills that touch it and are current at the moment asked
    (unexpired, in force, neither rejected nor archived), and the earliest and latest `occurred_at` of the episodes
    that mention it and were recorded by then."""

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
    """Documents of one kind, by ref and status where given, in order of (seq, id), or the reverse with `newest_first`.

    `after_seq` is exclusive: only higher numbers, with `newest_first` only lower ones. Expired ones are given too.
    """

    kind: str
    ref: str | None = None
    status: str | None = None
    after_seq: int | None = None
    newest_first: bool = False
    limit: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotBook:
    """What a write of some slots must know: all that was told of them, the facts that stand in them, what is open about
    them, and how far the statistics were counted."""

    assertions: tuple[Assertion, ...]
    facts: tuple[Fact, ...]
    open: tuple[Document, ...]
    last_seq: int


class Erasable(StrEnum):
    """What can be erased for good."""

    EPISODE = "episode"
    ENTITY = "entity"  # with every fact that touches it
    ASSERTION = "assertion"
    FACT = "fact"  # every version of it, with its index entry
    SUMMARY = "summary"


class Reader(Protocol):
    """Reads of one space, behind its walls. Missing ids are left out of an answer, never an error."""

    # episodes
    async def episodes(self, ids: Sequence[EpisodeId]) -> list[Episode]: ...
    async def episodes_by_external_id(
        self, external_ids: Sequence[str], *, wall: str | None = None
    ) -> Mapping[str, EpisodeId]:
        """External ids are unique behind one wall; `wall` None looks behind all that are seen and gives the least id."""
        ...

    async def list_episodes(self, query: EpisodeQuery, page: Page) -> list[Episode]: ...
    async def neighbours(self, ids: Sequence[EpisodeId], filter: ReadFilter) -> Mapping[EpisodeId, Neighbours]:
        """The nearest episodes by (position, id) in the same thread, among those behind open walls; one that the filter
        hides is given as None, not skipped. Every asked episode that is there has an entry; the empty thread is none."""
        ...

    async def thread_ends(self, threads: Sequence[str]) -> Mapping[str, int]:
        """The highest `position` in each thread; a thread not met before is left out."""
        ...

    # entities
    async def entities(self, ids: Sequence[EntityId]) -> list[Entity]:
        """Merged-away and archived ones included; the caller follows `merged_into`."""
        ...

    async def entities_by_key(self, keys: Sequence[EntityKey]) -> list[Entity]:
        """Merged-away and archived ones included, ordered by id."""
        ...

    async def entities_by_alias(self, keys: Sequence[str]) -> Mapping[str, tuple[Entity, ...]]:
        """Live entities (not merged away, not archived) having an alias with one of these folded keys, ordered by id."""
        ...

    async def entities_by_identifier(self, identifiers: Sequence[str]) -> Mapping[str, tuple[Entity, ...]]:
        """Live entities with one of these identifiers, ordered by id."""
        ...

    async def list_entities(self, query: EntityQuery, page: Page) -> list[Entity]:
        """Newest first, live only; merged-away ones are never listed."""
        ...

    async def entity_counts(self, ids: Sequence[EntityId], clocks: Clocks) -> Mapping[EntityId, EntityCounts]:
        """What touched each entity at `as_of`, and when it was seen, as known at `known_at`."""
        ...

    # assertions and what derives from them
    async def assertions(self, ids: Sequence[AssertionId]) -> list[Assertion]: ...
    async def assertions_of_slots(self, slots: Sequence[str]) -> list[Assertion]:
        """Withdrawn ones included, in order of (recorded_at, order, id)."""
        ...

    # the three below likewise: withdrawn ones included, in the same order
    async def assertions_of_episodes(self, ids: Sequence[EpisodeId]) -> list[Assertion]: ...
    async def assertions_of_receipt(self, id: ReceiptId) -> list[Assertion]: ...
    async def assertions_of_entities(self, ids: Sequence[EntityId], *, groups: Sequence[str] = ()) -> list[Assertion]:
        """Those whose subject or object is one of the entities; with `groups` (`places.group_of`) only in slots of these."""
        ...

    def all_assertions(self, *, batch: int = 1000) -> AsyncIterator[list[Assertion]]:
        """Every assertion in order of id, in lists of at most `batch`."""
        ...

    async def facts(self, ids: Sequence[FactId], *, known_at: datetime | None = None) -> list[Fact]:
        """The latest version of each (even if it has expired), or the one in force at `known_at`."""
        ...

    async def fact_versions(self, id: FactId) -> list[Fact]:
        """Every version, oldest first."""
        ...

    async def facts_of_slots(self, slots: Sequence[str]) -> list[Fact]:
        """The unexpired versions, rejected and archived ones included, in order of (valid_at, id)."""
        ...

    async def slot_book(self, slots: Sequence[str], *, kind: str, status: str, counted: str) -> SlotBook:
        """`assertions_of_slots`, `facts_of_slots`, the documents of a kind and status whose ref is one of the slots, in order
        of (seq, id), and `last_seq` of the kind `counted`; in one way to the store, for every write needs them all."""
        ...

    async def fact_ids_of_slots(self, slots: Sequence[str]) -> list[FactId]:
        """Every fact with a version in one of the slots, expired ones included, ordered by id."""
        ...

    def all_facts(self, *, batch: int = 1000) -> AsyncIterator[list[Fact]]:
        """Every version of every fact in order of (id, version), in lists of at most `batch`."""
        ...

    async def list_facts(self, query: FactQuery, page: Page) -> list[Fact]: ...

    # search and graph
    async def index_entries(self, keys: Sequence[tuple[Kind, str]]) -> list[IndexEntry]:
        """How these memories are found, as `put_index` was told, in no promised order; those without an entry are left
        out."""
        ...

    async def search(self, request: SearchRequest) -> list[Found]:
        """Everything that a channel found, or that is wanted, once each, in no promised order."""
        ...

    async def edges(
        self, ids: Sequence[EntityId], filter: ReadFilter, *, per_node: int = 100, per_kind: int | None = None
    ) -> Edges:
        """Facts with one of these entities as subject or object, once each; most important first, then the latest
        `valid_at`, then id; capped per entity. With `per_kind` first at most so many of one relation and direction of
        each entity: a city has thousands of residents, of whom a walk looks at a few."""
        ...

    async def mentions_of_episodes(self, ids: Sequence[EpisodeId]) -> list[Mention]:
        """In order of (episode, entity, role)."""
        ...

    async def mentions_of_entities(
        self, ids: Sequence[EntityId], filter: ReadFilter, *, per_entity: int = 100
    ) -> Mentions:
        """Mentions in episodes that the filter shows, latest `occurred_at` first, then by (episode, role, entity)."""
        ...

    # summaries, documents, jobs, use
    async def summaries(self, ids: Sequence[SummaryId]) -> list[Summary]: ...
    def all_summaries(self, *, batch: int = 1000) -> AsyncIterator[list[Summary]]:
        """Every summary in order of id, in lists of at most `batch`."""
        ...

    async def document(self, kind: str, id: str) -> Document | None: ...
    async def documents_by_id(self, kind: str, ids: Sequence[str]) -> list[Document]:
        """The documents of one kind with these ids; expired ones are given too."""
        ...

    async def document_kinds(self) -> list[str]:
        """The kinds of which there is a document, in order."""
        ...

    async def documents(self, query: DocumentQuery) -> list[Document]: ...
    async def last_seq(self, kind: str) -> int:
        """The highest `seq` of the kind, 0 where there is none."""
        ...

    async def jobs(
        self, *, state: JobState | None = None, kind: str = "", limit: int = 100, after: JobId | None = None
    ) -> list[Job]:
        """In order of id, after the one named."""
        ...

    async def job(self, id: JobId) -> Job | None: ...
    async def uses(self, keys: Sequence[tuple[Kind, str]]) -> Mapping[tuple[Kind, str], Use]: ...
    async def recently_used(self, filter: ReadFilter, *, limit: int) -> list[tuple[Use, Found]]:
        """Used memories that the filter shows, latest `last_at` first, then by (kind, id); without a cosine."""
        ...


class Unit(Reader, Protocol):
    """A serial transaction of one space: reads see what it wrote; everything commits together or not at all.

    Two units of one space never run at the same time, in this process or another. Every `put_*` inserts or replaces
    by id (facts by id and version, mentions by episode, entity and role). Putting a fact version does not touch its
    earlier ones: the caller puts those too, expired.

    The wall of a stored id is fixed: putting it with another wall raises NotFound, as does what needs a row that is not
    there: a fact or a mention without its entities, a mention without its episode, an index entry or a use without its
    memory. Order inside a unit matters accordingly.

    A write that raises dooms its unit, whoever catches the error: nothing of it is stored, further writes and the end of
    the block raise the same error again. A store may gather writes that give nothing back: then what one raises comes with
    the next read or at the end of the block.
    """

    async def put_episodes(self, episodes: Sequence[Episode]) -> None:
        """Raises Conflict where another id holds the same `external_id` behind the same wall."""
        ...

    async def put_entities(self, entities: Sequence[Entity]) -> None:
        """Raises Conflict where another id holds the same (wall, type, key)."""
        ...

    async def put_mentions(self, mentions: Sequence[Mention]) -> None: ...
    async def drop_mentions(self, mentions: Sequence[Mention]) -> None:
        """Those that are not there, or not to be seen, are left alone."""
        ...

    async def put_assertions(self, assertions: Sequence[Assertion]) -> None: ...
    async def put_facts(self, facts: Sequence[Fact]) -> None: ...
    async def put_summaries(self, summaries: Sequence[Summary]) -> None: ...
    async def put_index(self, entries: Sequence[IndexEntry]) -> None: ...
    async def drop_index(self, keys: Sequence[tuple[Kind, str]]) -> None: ...
    async def put_documents(self, documents: Sequence[Document]) -> None: ...
    async def drop_documents(self, kind: str, ids: Sequence[str]) -> None: ...
    async def drop_expired(self, kind: str, *, before: datetime, limit: int) -> int:
        """Deletes at most `limit` documents of a kind whose `expires_at` is not after `before`; gives how many."""
        ...

    async def put_jobs(self, jobs: Sequence[Job]) -> None:
        """A queued job whose `dedup_key` (not empty) equals that of another queued one of the space is not added."""
        ...

    async def drop_ended_jobs(self, *, before: datetime, limit: int) -> int:
        """Deletes at most `limit` jobs that are done, failed or cancelled and were due before that; gives how many."""
        ...

    async def add_uses(self, uses: Sequence[Use]) -> None:
        """Adds `count` to what is there and moves `last_at` forward, never back."""
        ...

    async def erase(self, kind: Erasable, ids: Sequence[str]) -> int:
        """Deletes rows for good, with mentions, uses and index entries that hang on them.

        Gives how many of the ids were there; what hangs on them is not counted."""
        ...


class TenantStore(Reader, Protocol):
    """One space behind its walls."""

    @property
    def space(self) -> Space: ...
    @property
    def walls(self) -> frozenset[str]: ...
    @property
    def all_walls(self) -> bool:
        """Whether every wall is open to it, whatever `walls` names."""
        ...

    def write(self) -> AbstractAsyncContextManager[Unit]:
        """A transaction; commits at the end of the block, rolls back when the block raises."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class JobLoad:
    """How the work of all spaces goes: `waiting` jobs could be claimed now, the longest of them since `oldest`."""

    failed: int
    waiting: int
    oldest: datetime | None = None


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
        """Takes due jobs of any space (queued and `due_at` not after `now`, or running with `lease_until` not after
        `now`), longest due first, then by space and id: running, attempts + 1, `updated_at` now, lease set.

        A time more than `FARTHEST` (or two leases, where they are longer) after `now` was written by a clock that has been
        set back since: such a job is due, or the work of a worker that died then would wait as long as the clock was wrong.
        """
        ...

    async def finish_job(self, space: Space, job: Job, *, owner: str) -> bool:
        """Writes the job as given if it is running and `owner` still holds it; False where the lease went to another."""
        ...

    async def job_load(self, *, now: datetime, failed_since: datetime, without: Sequence[str] = ()) -> JobLoad:
        """The load at `now`, `without` jobs of some kinds; of failed jobs those that failed at `failed_since` or later."""
        ...

    async def erase_space(self, space: Space) -> int:
        """Deletes all of a space; gives how many rows went."""
        ...

    async def scrub(self) -> None:
        """Overwrites what erased rows may have left in files (free pages, log); nothing where the server does it."""
        ...

    async def tend(self, *, dry_run: bool = False) -> Mapping[str, int]:
        """What the store itself needs now and then: statistics of its planner, an emptied log, a smaller file.

        Gives what was done, by name, in bytes or 1; nothing where a server does it by itself. With `dry_run` what would be.
        """
        ...

    @property
    def search_memory_bytes(self) -> int:
        """How much of the data this process keeps in its own memory to search it; 0 where the server does."""
        ...

    async def describe(self) -> Mapping[str, str]:
        """For a health page: version, schema version, where, sizes. No secrets."""
        ...

    async def close(self) -> None: ...
