"""The threads in which the database is used: one that writes, a few that read."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final, TypeVar

from muniment.engine.stores.sqlite.connection import Location, Pool, connect, translated
from muniment.engine.stores.sqlite.workers import Workers
from muniment.graph_schema.errors import StoreUnavailable

T = TypeVar("T")

READERS: Final = 4


def do_gathered(gathered: list[Callable[[], object]]) -> None:
    """Does what was gathered, in order, once."""
    work = gathered.copy()
    gathered.clear()
    for one in work:
        one()


class Threads:
    """Runs work on the writing connection or on a reading one, off the event loop.

    Transactions follow one another: within the process by a lock, among processes by `BEGIN IMMEDIATE`.
    """

    def __init__(self, location: Location) -> None:
        self._location = location
        self._writing = Workers(1, "muniment-write")
        self._reading = Workers(READERS, "muniment-read")
        self._pool = Pool(location, READERS)
        self._turn = asyncio.Lock()
        self._holder: asyncio.Task[object] | None = None
        self._closed = False
        self.writer: sqlite3.Connection | None = None

    async def open(self) -> sqlite3.Connection:
        """Opens the writing connection; an in-memory database lives as long as it."""
        self.writer = await self._submit(self._writing, lambda: connect(self._location))
        return self.writer

    async def on_writer(self, work: Callable[[], T]) -> T:
        return await self._submit(self._writing, work)

    async def on_reader(self, work: Callable[[sqlite3.Connection], T]) -> T:
        def taken() -> T:
            with self._pool.taken() as connection:
                return work(connection)

        return await self._submit(self._reading, taken)

    @asynccontextmanager
    async def transaction(
        self, gathered: list[Callable[[], object]] | None = None
    ) -> AsyncIterator[sqlite3.Connection]:
        """The writing connection inside a transaction: committed at the end, rolled back when the block raises.

        `gathered` is work that the block leaves for later, for whoever does it first: the block itself, before other work
        on the writer, or this one right before the commit. With it the transaction begins as its first piece of work.
        """
        writer = self._open_writer()
        task = asyncio.current_task()
        if self._holder is task:
            raise RuntimeError("a transaction inside a transaction of the same task would wait for itself")
        rest = [] if gathered is None else gathered
        async with self._turn:
            self._holder = task
            try:
                rest.append(lambda: writer.execute("BEGIN IMMEDIATE"))
                if gathered is None:
                    await self._settled(lambda: do_gathered(rest))
                yield writer
                rest.append(lambda: writer.execute("COMMIT"))
                await self._settled(lambda: do_gathered(rest))
            except BaseException:
                await self._settled(lambda: writer.execute("ROLLBACK") if writer.in_transaction else None)
                raise
            finally:
                self._holder = None

    async def alone(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Runs work on the writing connection between transactions."""
        writer = self._open_writer()
        async with self._turn:
            return await self._settled(lambda: work(writer))

    async def close(self) -> None:
        async with self._turn:
            if self._closed:
                return
            self._closed = True
            await self._settled(self._close)
        self._reading.close()
        self._writing.close()

    def _close(self) -> None:
        self._pool.close()
        if self.writer is not None:
            self.writer.close()

    def _open_writer(self) -> sqlite3.Connection:
        if self.writer is None or self._closed:
            raise StoreUnavailable(f"the database {self._location.path} is closed")
        return self.writer

    async def _submit(self, workers: Workers, work: Callable[[], T]) -> T:
        def run() -> T:
            with translated(self._location):
                return work()

        try:
            future = workers.submit(run)
        except RuntimeError as cause:
            raise StoreUnavailable(f"the database {self._location.path} is closed") from cause
        return await future

    async def _settled(self, work: Callable[[], T]) -> T:
        """Runs work on the writer to its end even where the task is cancelled meanwhile: a thread cannot be stopped, and the
        next transaction must not begin in the middle of this one."""
        task = asyncio.ensure_future(self._submit(self._writing, work))
        cancelled: asyncio.CancelledError | None = None
        while not task.done():
            try:
                await asyncio.shield(task)
            except asyncio.CancelledError as cause:
                if task.cancelled():
                    raise
                cancelled = cause
            except BaseException:
                break
        if cancelled is not None:
            raise cancelled
        return task.result()
