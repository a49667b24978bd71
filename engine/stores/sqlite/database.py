"""An opened SQLite database: its spaces, its jobs, its upkeep."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from muniment.engine.ports.leases import unbelievable_from
from muniment.engine.ports.store import JobLoad, StoreCapabilities, TenantStore
from muniment.engine.stores.sqlite.codec import listed, restored, stored
from muniment.engine.stores.sqlite.connection import BUSY_TIMEOUT_S, Bound, Location
from muniment.engine.stores.sqlite.loading import Images
from muniment.engine.stores.sqlite.migrations import migrate
from muniment.engine.stores.sqlite.rows import job_of, job_row
from muniment.engine.stores.sqlite.searching import tokens_of
from muniment.engine.stores.sqlite.statements import statement, statements
from muniment.engine.stores.sqlite.tenant import SqliteTenantStore
from muniment.engine.stores.sqlite.threads import Threads
from muniment.graph_schema.errors import NoStore, StoreUnavailable
from muniment.graph_schema.ids import Space
from muniment.graph_schema.records import Job
from muniment.graph_schema.temporal import from_ms, to_ms

logger = logging.getLogger(__name__)

IMAGE_BUDGET_BYTES: Final = 1 << 30
"""How much memory the search images of all spaces may take together."""
_ERASE_BATCH: Final = 5_000
_CHECKPOINT_TRIES: Final = 50
_CHECKPOINT_PAUSE_S: Final = 0.1
_VACUUM_FROM_BYTES: Final = 16 << 20
_VACUUM_FROM_SHARE: Final = 0.2
"""How much of a file must be free before it is written anew: that takes as long as a copy, and twice the room meanwhile."""
MEMORY: Final = ":memory:"


async def open_sqlite(
    path_or_memory: str,
    *,
    environment: str,
    image_budget_bytes: int = IMAGE_BUDGET_BYTES,
    busy_timeout_s: float = BUSY_TIMEOUT_S,
    must_exist: bool = False,
) -> SqliteDatabase:
    """The database in a file (made with its folder where it is not there), or for `:memory:` and the empty string one
    of this process alone, which is gone when it is closed. `busy_timeout_s` is how long a write waits for another process's.

    Raises NoStore where the file `must_exist` and is not there, StoreUnavailable where it cannot be opened, is not SQLite, not ours, or newer than this program;
    WrongEnvironment where it carries another environment's stamp.
    """
    # Not SQLite's own in-memory databases: there a writer locks readers out.
    folder = TemporaryDirectory(prefix="muniment-") if path_or_memory in ("", MEMORY) else None
    path = _ready_path(f"{folder.name}/memory.db") if folder else _ready_path(path_or_memory, must_exist=must_exist)
    location = Location(path=path, is_temporary=folder is not None, busy_timeout_s=busy_timeout_s)
    threads = Threads(location)
    try:
        writer = await threads.open()
        schema = await threads.on_writer(lambda: migrate(writer, location, environment))
    except BaseException:
        await threads.close()
        if folder:
            folder.cleanup()
        raise
    logger.info("store opened", extra={"store": "sqlite", "schema_version": schema, "temporary": location.is_temporary})
    return SqliteDatabase(
        threads,
        location,
        environment=environment,
        schema_version=schema,
        images=Images(image_budget_bytes),
        folder=folder,
    )


def _ready_path(name: str, *, must_exist: bool = False) -> str:
    """The whole path, in a folder that is there. Raises NoStore for a file that `must_exist` and is not there."""
    path = Path(name).expanduser().absolute()
    if must_exist and not path.exists():
        raise NoStore(f"there is no store at {path}: the first write there makes one")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as cause:
        raise StoreUnavailable(f"cannot make the folder of {path}: {cause.strerror}") from cause
    return str(path)


class SqliteDatabase:
    """See the port `Database`."""

    def __init__(
        self,
        threads: Threads,
        location: Location,
        *,
        environment: str,
        schema_version: int,
        images: Images,
        folder: TemporaryDirectory[str] | None,
    ) -> None:
        self._threads, self._location, self._images = threads, location, images
        self._environment, self._schema_version, self._folder = environment, schema_version, folder

    @property
    def capabilities(self) -> StoreCapabilities:
        return StoreCapabilities(
            name="sqlite",
            version=sqlite3.sqlite_version,
            filtered_vector_index=False,
            many_processes=not self._location.is_temporary,
            remote=False,
        )

    @property
    def environment(self) -> str:
        return self._environment

    def space(self, space: Space, *, walls: frozenset[str] = frozenset(), all_walls: bool = False) -> TenantStore:
        return SqliteTenantStore(self._threads, self._images, space=space, walls=walls, all_walls=all_walls)

    async def spaces(self) -> list[Space]:
        rows = await self._threads.on_reader(lambda reader: reader.execute(statement("space_list")).fetchall())
        return [Space(restored(row[0])) for row in rows]

    async def claim_jobs(
        self, kinds: Sequence[str], *, owner: str, now: datetime, lease_s: float, limit: int = 1
    ) -> list[tuple[Space, Job]]:
        parameters = {
            "kinds": listed(kinds),
            "owner": stored(owner),
            "now": to_ms(now),
            "never": to_ms(unbelievable_from(now, lease_s)),
            "lease_until": to_ms(now + timedelta(seconds=lease_s)),
            "limit": limit,
        }
        async with self._threads.transaction() as writer:
            rows = await self._threads.on_writer(lambda: writer.execute(statement("job_claim"), parameters).fetchall())
        claimed = [(Space(restored(row[0])), job_of(row[1:])) for row in rows]
        return sorted(claimed, key=lambda pair: (pair[1].due_at, pair[0], pair[1].id))

    async def finish_job(self, space: Space, job: Job, *, owner: str) -> bool:
        parameters = (*job_row(job), stored(space), stored(job.id), stored(owner))
        async with self._threads.transaction() as writer:
            done = await self._threads.on_writer(lambda: writer.execute(statement("job_finish"), parameters).rowcount)
        return done > 0

    async def job_load(self, *, now: datetime, failed_since: datetime, without: Sequence[str] = ()) -> JobLoad:
        given = {"now": to_ms(now), "failed_since": to_ms(failed_since), "without": listed(without)}
        row = await self._threads.on_reader(lambda reader: reader.execute(statement("job_load"), given).fetchone())
        return JobLoad(failed=row[0], waiting=row[1], oldest=None if row[2] is None else from_ms(row[2]))

    async def erase_space(self, space: Space) -> int:
        async with self._threads.transaction() as writer:
            bound = Bound(connection=writer, space=space, walls=frozenset(), all_walls=True)
            return await self._threads.on_writer(lambda: _erase_space(bound))

    async def scrub(self) -> None:
        self._images.forget()
        await self._threads.alone(self._scrub)

    def _scrub(self, writer: sqlite3.Connection) -> None:
        writer.execute("BEGIN IMMEDIATE")
        try:
            for one in statements("gone_forget"):
                writer.execute(one)
            # Merges all segments of the word index into one, without what was deleted.
            writer.execute("INSERT INTO tokens (tokens) VALUES ('optimize')")
            writer.execute("COMMIT")
        except BaseException:
            writer.execute("ROLLBACK")
            raise
        # Deleted cells are zeroed at once, but rows that moved between pages may leave copies: rewrite the file, and
        # empty the log that still has the old pages.
        writer.execute("VACUUM")
        for _ in range(_CHECKPOINT_TRIES):
            busy = writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            if not busy:
                return
            time.sleep(_CHECKPOINT_PAUSE_S)
        raise StoreUnavailable(f"the log of {self._location.path} is being read by another process: scrub again later")

    async def tend(self, *, dry_run: bool = False) -> Mapping[str, int]:
        if dry_run:
            return await self._threads.on_reader(lambda reader: {"free_bytes": _free_bytes(reader)[0]})
        done = await self._threads.alone(_tend)
        logger.info("store tended", extra=done)
        return done

    @property
    def search_memory_bytes(self) -> int:
        return self._images.nbytes

    async def describe(self) -> Mapping[str, str]:
        def sizes(reader: sqlite3.Connection) -> tuple[int, int]:
            pages, size = (reader.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
            return pages, size

        pages, size = await self._threads.on_reader(sizes)
        return {
            "store": "sqlite",
            "version": sqlite3.sqlite_version,
            "schema_version": str(self._schema_version),
            "environment": self._environment,
            "where": MEMORY if self._folder else self._location.path,
            "size_bytes": str(pages * size),
            "search_memory_bytes": str(self.search_memory_bytes),
        }

    async def close(self) -> None:
        await self._threads.close()
        if self._folder:
            self._folder.cleanup()


def _free_bytes(connection: sqlite3.Connection) -> tuple[int, int]:
    """Bytes of the file that hold nothing, and all of them."""
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return free * size, pages * size


def _tend(writer: sqlite3.Connection) -> dict[str, int]:
    """Empties the log as far as nobody reads it, gives free pages back where they are many, renews the planner's statistics."""
    done: dict[str, int] = {}
    free, whole = _free_bytes(writer)
    if free >= _VACUUM_FROM_BYTES and free >= whole * _VACUUM_FROM_SHARE:
        writer.execute("VACUUM")
        done["given_back_bytes"] = whole - _free_bytes(writer)[1]
    writer.execute("ANALYZE")
    done["analyzed"] = 1
    _, in_log, copied = writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    done["log_emptied"] = int(in_log == copied)
    return done


def _erase_space(bound: Bound) -> int:
    after = 0
    while page := bound.rows("entry_page", after=after, limit=_ERASE_BATCH):
        bound.run_many("token_drop", [(n, tokens_of(bound.space, words)) for n, words in page if words])
        after = page[-1][0]
    bound.run("space_floor")
    parameters = {"space": stored(bound.space)}
    return sum(bound.connection.execute(one, parameters).rowcount for one in statements("space_erase"))
