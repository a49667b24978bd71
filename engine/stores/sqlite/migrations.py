"""Whether a file is ours, of which version and environment, and how it is brought up to date."""

from __future__ import annotations

import logging
import re
import sqlite3
from collections.abc import Iterator
from importlib.resources import files
from typing import Final, NamedTuple

from muniment.engine.stores.sqlite.connection import Location
from muniment.graph_schema.errors import StoreUnavailable, WrongEnvironment

logger = logging.getLogger(__name__)

APPLICATION_ID: Final = 0x4D554E49
"""`MUNI` in the file's header, by which our databases are known."""
_FILE_NAME: Final = re.compile(r"(\d{4})_\w+\.sql")


class Migration(NamedTuple):
    version: int
    name: str
    script: str


def migrations() -> list[Migration]:
    """All numbered migrations, in order."""
    found = []
    for file in (files("muniment.graph_schema") / "sqlite").iterdir():
        if numbered := _FILE_NAME.fullmatch(file.name):
            found.append(Migration(int(numbered[1]), file.name, file.read_text(encoding="utf-8")))
    return sorted(found)


def migrate(connection: sqlite3.Connection, location: Location, environment: str) -> int:
    """Brings the database to the newest schema and stamps a new one; gives the schema's version.

    Checks and changes happen under the write lock, so two processes opening one file migrate it once.
    Raises StoreUnavailable where the file is not ours or newer than this program, WrongEnvironment where it carries
    another environment's stamp. A refused file is left as it was.
    """
    known = migrations()
    # Before the file has any content, and outside a transaction, as SQLite asks.
    if not connection.execute("PRAGMA page_count").fetchone()[0]:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    _refuse_strangers(connection, location)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _refuse_strangers(connection, location)
        if version > known[-1].version:
            raise StoreUnavailable(
                f"{location.path} has schema version {version}, this program knows up to {known[-1].version}: "
                "use the newer program that wrote it"
            )
        if version:
            _check_environment(connection, location, environment)
        for migration in known:
            if migration.version > version:
                _apply(connection, migration)
        if not version:
            _stamp(connection, environment)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return known[-1].version


def _refuse_strangers(connection: sqlite3.Connection, location: Location) -> int:
    """The schema's version, 0 for an empty file. Raises StoreUnavailable where the file is another program's."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if application == APPLICATION_ID and version > 0:
        return version
    if application == 0 and version == 0 and not tables:
        return 0
    raise StoreUnavailable(
        f"{location.path} is a SQLite database of another program (application id {application:#010x}, "
        f"{tables} tables): name a new file or one made by Muniment"
    )


def _check_environment(connection: sqlite3.Connection, location: Location, environment: str) -> None:
    row = connection.execute("SELECT value FROM meta WHERE key = 'environment'").fetchone()
    stamped = row[0] if row else ""
    if stamped != environment:
        raise WrongEnvironment(
            f"{location.path} belongs to environment {stamped!r} and was opened as {environment!r}: "
            "open it as what it is, or name another file"
        )


def _apply(connection: sqlite3.Connection, migration: Migration) -> None:
    for statement in _split(migration.script):
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {migration.version}")
    logger.info("migration applied", extra={"migration": migration.name})


def _stamp(connection: sqlite3.Connection, environment: str) -> None:
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.executemany(
        "INSERT INTO meta (key, value) VALUES (?, ?)", [("environment", environment), ("counter_floor", "0")]
    )


def _split(script: str) -> Iterator[str]:
    """The single statements of a script; `executescript` would end our transaction."""
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""
