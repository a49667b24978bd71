"""Connections to one database file: how they are opened, shared among threads, and bound to a space."""

from __future__ import annotations

import queue
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from muniment.engine.stores.sqlite.codec import listed, stored
from muniment.engine.stores.sqlite.rows import Row
from muniment.engine.stores.sqlite.statements import statement
from muniment.graph_schema.errors import StoreUnavailable

BUSY_TIMEOUT_S: Final = 30.0
"""How long a write waits for another process's write."""
_PAGE_SIZE: Final = 8192  # five 384-d vectors a page, where 4096 would hold two and waste a quarter
# Pages that a connection keeps to itself; the system keeps the file's beside. Readers mostly search the image of a space, and
# larger caches of theirs only filled for an hour before a server's memory stood still.
_CACHE_KB: Final = 16_384
_READING_CACHE_KB: Final = 4_096
# 32 MB of log before it is copied: pages that every write touches are then copied once for many.
_LOG_PAGES: Final = 4_000
OLDEST: Final = (3, 35, 0)  # RETURNING


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """Where a database lies: a file, kept or (`is_temporary`) gone when it is closed."""

    path: str
    is_temporary: bool = False
    busy_timeout_s: float = BUSY_TIMEOUT_S


def connect(location: Location) -> sqlite3.Connection:
    """A connection in autocommit mode with our pragmas. Raises StoreUnavailable where the file is no database."""
    if sqlite3.sqlite_version_info < OLDEST:
        raise StoreUnavailable(f"SQLite {sqlite3.sqlite_version} is too old: 3.35 or newer is needed")
    with translated(location):
        connection = sqlite3.connect(
            location.path,
            timeout=location.busy_timeout_s,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=256,
        )
        try:
            _prepare(connection, location)
        except BaseException:
            connection.close()
            raise
    return connection


def _prepare(connection: sqlite3.Connection, location: Location) -> None:
    connection.execute(f"PRAGMA page_size = {_PAGE_SIZE}")
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KB}")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
    # Erased content is overwritten with zeros, not only unlinked.
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute(f"PRAGMA synchronous = {'OFF' if location.is_temporary else 'FULL'}")
    connection.create_function("lowered", 1, str.lower, deterministic=True)


@contextmanager
def translated(location: Location) -> Iterator[None]:
    """Errors of the driver that mean "the store does not answer" become StoreUnavailable."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except sqlite3.OperationalError as cause:
        raise StoreUnavailable(f"the database {location.path} does not answer: {cause}") from cause
    except sqlite3.ProgrammingError as cause:
        if "closed" not in str(cause):
            raise
        raise StoreUnavailable(f"the database {location.path} is closed") from cause
    except sqlite3.DatabaseError as cause:
        raise StoreUnavailable(f"{location.path} is not a database of ours, or is damaged: {cause}") from cause


@contextmanager
def snapshot(connection: sqlite3.Connection) -> Iterator[None]:
    """Reads inside see one state of the database."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("COMMIT")


class Pool:
    """A few reading connections, handed out one to a thread; made when first needed."""

    def __init__(self, location: Location, size: int) -> None:
        self._location = location
        self._idle: queue.LifoQueue[sqlite3.Connection | None] = queue.LifoQueue()
        for _ in range(size):
            self._idle.put(None)
        self._size = size
        self._closed = False

    @contextmanager
    def taken(self) -> Iterator[sqlite3.Connection]:
        """One of the connections, as soon as one is free. Raises StoreUnavailable after `close`."""
        connection = self._idle.get()
        try:
            if self._closed:
                raise StoreUnavailable(f"the database {self._location.path} is closed")
            if connection is None:
                connection = connect(self._location)
                connection.execute("PRAGMA query_only = ON")
                connection.execute(f"PRAGMA cache_size = -{_READING_CACHE_KB}")
            yield connection
        finally:
            self._idle.put(connection)

    def close(self) -> None:
        """Closes each connection once nobody reads with it. Whoever waits for one meanwhile is told that it is closed."""
        self._closed = True
        for connection in [self._idle.get() for _ in range(self._size)]:
            if connection is not None:
                connection.close()
            self._idle.put(None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A connection bound to a space and the walls its caller may see: what every statement of a tenant runs through."""

    connection: sqlite3.Connection
    space: str
    walls: frozenset[str]
    all_walls: bool
    _base: dict[str, Any] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        base = {"space": stored(self.space), "walls": listed(sorted(self.walls)), "all_walls": self.all_walls}
        object.__setattr__(self, "_base", base)

    def rows(self, name: str, **parameters: Any) -> list[Row]:
        """All rows of a named statement."""
        return self.connection.execute(statement(name), self._base | parameters).fetchall()

    def run(self, name: str, **parameters: Any) -> int:
        """Runs a named statement; gives how many rows it changed."""
        return self.connection.execute(statement(name), self._base | parameters).rowcount

    def run_many(self, name: str, rows: list[Row]) -> None:
        self.connection.executemany(statement(name), rows)

    def may_see(self, wall: str) -> bool:
        return self.all_walls or wall in self.walls
