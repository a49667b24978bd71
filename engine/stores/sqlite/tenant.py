"""One space of the database: its reads, and its transactions, moved off the event loop."""

from __future__ import annotations

import sqlite3
from abc import abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime
from typing import Protocol, TypeVar

from muniment.engine.ports.search import Edges, Found, IndexEntry, Mentions, Neighbours, ReadFilter, SearchRequest
from muniment.engine.ports.store import (
    DocumentQuery,
    EntityCounts,
    EntityKey,
    EntityQuery,
    EpisodeQuery,
    Erasable,
    FactQuery,
    Page,
    SlotBook,
    Unit,
    Use,
)
from muniment.engine.stores.sqlite import hopping, reading, searching
from muniment.engine.stores.sqlite.connection import Bound
from muniment.engine.stores.sqlite.loading import Images, Look
from muniment.engine.stores.sqlite.threads import Threads, do_gathered
from muniment.engine.stores.sqlite.writing import Writer
from muniment.graph_schema.errors import StoreUnavailable
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
    Summary,
)
from muniment.graph_schema.temporal import Clocks

T = TypeVar("T")


class SqliteReader(Protocol):
    """The port's `Reader` over any way to run a read in a thread."""

    @abstractmethod
    async def _read(self, work: Callable[[Bound], T]) -> T: ...

    @abstractmethod
    async def _look(self, work: Look[T]) -> T: ...

    async def search(self, request: SearchRequest) -> list[Found]:
        return await self._look(lambda image, bound: searching.search(image, bound, request))

    async def episodes(self, ids: Sequence[EpisodeId]) -> list[Episode]:
        return await self._read(lambda bound: reading.episodes(bound, ids))

    async def episodes_by_external_id(
        self, external_ids: Sequence[str], *, wall: str | None = None
    ) -> Mapping[str, EpisodeId]:
        return await self._read(lambda bound: reading.episodes_by_external_id(bound, external_ids, wall))

    async def list_episodes(self, query: EpisodeQuery, page: Page) -> list[Episode]:
        return await self._read(lambda bound: reading.list_episodes(bound, query, page))

    async def neighbours(self, ids: Sequence[EpisodeId], filter: ReadFilter) -> Mapping[EpisodeId, Neighbours]:
        return await self._read(lambda bound: reading.neighbours(bound, ids, filter))

    async def thread_ends(self, threads: Sequence[str]) -> Mapping[str, int]:
        return await self._read(lambda bound: reading.thread_ends(bound, threads))

    async def entities(self, ids: Sequence[EntityId]) -> list[Entity]:
        return await self._read(lambda bound: reading.entities(bound, ids))

    async def entities_by_key(self, keys: Sequence[EntityKey]) -> list[Entity]:
        return await self._read(lambda bound: reading.entities_by_key(bound, keys))

    async def entities_by_alias(self, keys: Sequence[str]) -> Mapping[str, tuple[Entity, ...]]:
        return await self._read(lambda bound: reading.entities_by_name(bound, "alias", keys))

    async def entities_by_identifier(self, identifiers: Sequence[str]) -> Mapping[str, tuple[Entity, ...]]:
        return await self._read(lambda bound: reading.entities_by_name(bound, "identifier", identifiers))

    async def list_entities(self, query: EntityQuery, page: Page) -> list[Entity]:
        return await self._read(lambda bound: reading.list_entities(bound, query, page))

    async def entity_counts(self, ids: Sequence[EntityId], clocks: Clocks) -> Mapping[EntityId, EntityCounts]:
        return await self._read(lambda bound: reading.entity_counts(bound, ids, clocks))

    async def assertions(self, ids: Sequence[AssertionId]) -> list[Assertion]:
        return await self._read(lambda bound: reading.assertions(bound, ids))

    async def assertions_of_slots(self, slots: Sequence[str]) -> list[Assertion]:
        return await self._read(lambda bound: reading.assertions_of_slots(bound, slots))

    async def assertions_of_episodes(self, ids: Sequence[EpisodeId]) -> list[Assertion]:
        return await self._read(lambda bound: reading.assertions_of_episodes(bound, ids))

    async def assertions_of_receipt(self, id: ReceiptId) -> list[Assertion]:
        return await self._read(lambda bound: reading.assertions_of_receipt(bound, id))

    async def assertions_of_entities(self, ids: Sequence[EntityId], *, groups: Sequence[str] = ()) -> list[Assertion]:
        return await self._read(lambda bound: reading.assertions_of_entities(bound, ids, groups))

    async def all_assertions(self, *, batch: int = 1000) -> AsyncIterator[list[Assertion]]:
        found = await self._assertion_page("", batch)
        while found:
            yield found
            found = await self._assertion_page(found[-1].id, batch)

    async def _assertion_page(self, after: str, limit: int) -> list[Assertion]:
        return await self._read(lambda bound: reading.assertion_page(bound, after, limit))

    async def facts(self, ids: Sequence[FactId], *, known_at: datetime | None = None) -> list[Fact]:
        return await self._read(lambda bound: reading.facts(bound, ids, known_at))

    async def fact_versions(self, id: FactId) -> list[Fact]:
        return await self._read(lambda bound: reading.fact_versions(bound, id))

    async def facts_of_slots(self, slots: Sequence[str]) -> list[Fact]:
        return await self._read(lambda bound: reading.facts_of_slots(bound, slots))

    async def slot_book(self, slots: Sequence[str], *, kind: str, status: str, counted: str) -> SlotBook:
        return await self._read(lambda bound: reading.slot_book(bound, slots, kind, status, counted))

    async def fact_ids_of_slots(self, slots: Sequence[str]) -> list[FactId]:
        return await self._read(lambda bound: reading.fact_ids_of_slots(bound, slots))

    async def all_facts(self, *, batch: int = 1000) -> AsyncIterator[list[Fact]]:
        found = await self._fact_page(("", 0), batch)
        while found:
            yield found
            found = await self._fact_page((found[-1].id, found[-1].version), batch)

    async def _fact_page(self, after: tuple[str, int], limit: int) -> list[Fact]:
        return await self._read(lambda bound: reading.fact_page(bound, after, limit))

    async def list_facts(self, query: FactQuery, page: Page) -> list[Fact]:
        return await self._read(lambda bound: reading.list_facts(bound, query, page))

    async def index_entries(self, keys: Sequence[tuple[Kind, str]]) -> list[IndexEntry]:
        return await self._read(lambda bound: reading.index_entries(bound, keys))

    async def edges(
        self, ids: Sequence[EntityId], filter: ReadFilter, *, per_node: int = 100, per_kind: int | None = None
    ) -> Edges:
        return await self._look(lambda image, bound: hopping.edges(image, bound, ids, filter, per_node, per_kind))

    async def mentions_of_episodes(self, ids: Sequence[EpisodeId]) -> list[Mention]:
        return await self._read(lambda bound: reading.mentions_of_episodes(bound, ids))

    async def mentions_of_entities(
        self, ids: Sequence[EntityId], filter: ReadFilter, *, per_entity: int = 100
    ) -> Mentions:
        return await self._read(lambda bound: reading.mentions_of_entities(bound, ids, filter, per_entity))

    async def summaries(self, ids: Sequence[SummaryId]) -> list[Summary]:
        return await self._read(lambda bound: reading.summaries(bound, ids))

    async def all_summaries(self, *, batch: int = 1000) -> AsyncIterator[list[Summary]]:
        found = await self._summary_page("", batch)
        while found:
            yield found
            found = await self._summary_page(found[-1].id, batch)

    async def _summary_page(self, after: str, limit: int) -> list[Summary]:
        return await self._read(lambda bound: reading.summary_page(bound, after, limit))

    async def document_kinds(self) -> list[str]:
        return await self._read(reading.document_kinds)

    async def document(self, kind: str, id: str) -> Document | None:
        return await self._read(lambda bound: reading.document(bound, kind, id))

    async def documents_by_id(self, kind: str, ids: Sequence[str]) -> list[Document]:
        return await self._read(lambda bound: reading.documents_by_id(bound, kind, ids)) if ids else []

    async def documents(self, query: DocumentQuery) -> list[Document]:
        return await self._read(lambda bound: reading.documents(bound, query))

    async def last_seq(self, kind: str) -> int:
        return await self._read(lambda bound: reading.last_seq(bound, kind))

    async def jobs(
        self, *, state: JobState | None = None, kind: str = "", limit: int = 100, after: JobId | None = None
    ) -> list[Job]:
        return await self._read(lambda bound: reading.jobs(bound, state, kind, limit, after))

    async def job(self, id: JobId) -> Job | None:
        return await self._read(lambda bound: reading.job(bound, id))

    async def uses(self, keys: Sequence[tuple[Kind, str]]) -> Mapping[tuple[Kind, str], Use]:
        return await self._read(lambda bound: reading.uses(bound, keys))

    async def recently_used(self, filter: ReadFilter, *, limit: int) -> list[tuple[Use, Found]]:
        return await self._look(lambda image, bound: hopping.recently_used(image, bound, filter, limit))


class SqliteUnit(SqliteReader):
    """A transaction of one space, on the writing connection, all in the writing thread.

    Writes that give nothing back are gathered and done before the next read, so that they cost no way to the thread of
    their own.
    """

    def __init__(self, threads: Threads, images: Images, bound: Bound, gathered: list[Callable[[], object]]) -> None:
        """`gathered` is what is to be done before anything else; what is in it at the end, the transaction does."""
        self._threads, self._images, self._bound = threads, images, bound
        self._writer = Writer(bound)
        self._gathered = gathered
        self._is_doomed = False
        self._failure: Exception | None = None  # the first, after which nothing may be committed

    async def _read(self, work: Callable[[Bound], T]) -> T:
        return await self._caught_up(lambda: work(self._bound))

    async def _write(self, work: Callable[[Writer], T]) -> T:
        self.check()
        return await self._caught_up(lambda: self._done(work))

    def _gather(self, work: Callable[[Writer], object]) -> None:
        self.check()
        self._gathered.append(lambda: self._done(work))

    def check(self) -> None:
        """Raises what a write has raised, whoever caught it."""
        if self._failure is not None:
            raise self._failure
        if self._is_doomed:  # while nobody waited for it any more
            raise StoreUnavailable("a write of this transaction failed, so nothing of it is kept")

    async def _caught_up(self, work: Callable[[], T]) -> T:
        """Does work after what was gathered, in one go."""

        def catch_up() -> T:
            do_gathered(self._gathered)
            return work()

        try:
            return await self._threads.on_writer(catch_up)
        except Exception as error:
            # Where the transaction did not begin, or SQLite took it back, nothing may go on outside of it.
            if self._is_doomed or not self._bound.connection.in_transaction:
                self._failure = self._failure or error
            raise

    def _done(self, work: Callable[[Writer], T]) -> T:
        try:
            return work(self._writer)
        except BaseException:
            self._is_doomed = True  # whoever catches the error
            raise

    async def _look(self, work: Look[T]) -> T:
        return await self._read(lambda bound: self._images.look(bound, work, private=self._writer.dirty))

    async def put_episodes(self, episodes: Sequence[Episode]) -> None:
        if rows := tuple(episodes):
            self._gather(lambda writer: writer.put_episodes(rows))

    async def put_entities(self, entities: Sequence[Entity]) -> None:
        if rows := tuple(entities):
            self._gather(lambda writer: writer.put_entities(rows))

    async def put_mentions(self, mentions: Sequence[Mention]) -> None:
        if rows := tuple(mentions):
            self._gather(lambda writer: writer.put_mentions(rows))

    async def drop_mentions(self, mentions: Sequence[Mention]) -> None:
        if rows := tuple(mentions):
            self._gather(lambda writer: writer.drop_mentions(rows))

    async def put_assertions(self, assertions: Sequence[Assertion]) -> None:
        if rows := tuple(assertions):
            self._gather(lambda writer: writer.put_assertions(rows))

    async def put_facts(self, facts: Sequence[Fact]) -> None:
        if rows := tuple(facts):
            self._gather(lambda writer: writer.put_facts(rows))

    async def put_summaries(self, summaries: Sequence[Summary]) -> None:
        if rows := tuple(summaries):
            self._gather(lambda writer: writer.put_summaries(rows))

    async def put_index(self, entries: Sequence[IndexEntry]) -> None:
        if rows := tuple(entries):
            self._gather(lambda writer: writer.put_index(rows))

    async def drop_index(self, keys: Sequence[tuple[Kind, str]]) -> None:
        if rows := tuple(keys):
            self._gather(lambda writer: writer.drop_index(rows))

    async def put_documents(self, documents: Sequence[Document]) -> None:
        if rows := tuple(documents):
            self._gather(lambda writer: writer.put_documents(rows))

    async def drop_documents(self, kind: str, ids: Sequence[str]) -> None:
        if rows := tuple(ids):
            self._gather(lambda writer: writer.drop_documents(kind, rows))

    async def drop_expired(self, kind: str, *, before: datetime, limit: int) -> int:
        return await self._write(lambda writer: writer.drop_expired(kind, before=before, limit=limit))

    async def drop_ended_jobs(self, *, before: datetime, limit: int) -> int:
        return await self._write(lambda writer: writer.drop_ended_jobs(before=before, limit=limit))

    async def put_jobs(self, jobs: Sequence[Job]) -> None:
        if rows := tuple(jobs):
            self._gather(lambda writer: writer.put_jobs(rows))

    async def add_uses(self, uses: Sequence[Use]) -> None:
        if rows := tuple(uses):
            self._gather(lambda writer: writer.add_uses(rows))

    async def erase(self, kind: Erasable, ids: Sequence[str]) -> int:
        return await self._write(lambda writer: writer.erase(kind, ids))


class SqliteTenantStore(SqliteReader):
    """One space behind its walls, read through the pool."""

    def __init__(
        self, threads: Threads, images: Images, *, space: Space, walls: frozenset[str], all_walls: bool
    ) -> None:
        self._threads, self._images = threads, images
        self._space, self._walls, self._all_walls = space, walls | {""}, all_walls

    @property
    def space(self) -> Space:
        return self._space

    @property
    def walls(self) -> frozenset[str]:
        return self._walls

    @property
    def all_walls(self) -> bool:
        return self._all_walls

    async def _read(self, work: Callable[[Bound], T]) -> T:
        return await self._threads.on_reader(lambda connection: work(self._bound(connection)))

    async def _look(self, work: Look[T]) -> T:
        return await self._read(lambda bound: self._images.look(bound, work))

    def write(self) -> AbstractAsyncContextManager[Unit]:
        return self._transaction()

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[Unit]:
        gathered: list[Callable[[], object]] = []
        async with self._threads.transaction(gathered) as connection:
            unit = SqliteUnit(self._threads, self._images, self._bound(connection), gathered)
            yield unit
            unit.check()
            gathered.append(unit.check)  # a read that was cancelled may still be at work for it

    def _bound(self, connection: sqlite3.Connection) -> Bound:
        return Bound(connection=connection, space=self._space, walls=self._walls, all_walls=self._all_walls)
