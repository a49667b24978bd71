"""Bringing a database to our schema, and its stamp: which environment it belongs to, which schema version it has."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from importlib import resources

from muniment.engine.ports.clock import Clock
from muniment.engine.stores.neo4j.connection import Connection
from muniment.graph_schema.errors import StoreUnavailable, WrongEnvironment
from muniment.graph_schema.temporal import to_ms

logger = logging.getLogger(__name__)

_PACKAGE = "muniment.graph_schema"
# Each constraint has an index of its own name. Asking once is quicker than forty times "if not exists".
_CREATED = re.compile(r"CREATE [A-Z ]+ (\w+) IF NOT EXISTS")
_NUMBERED = re.compile(r"(\d{4})_\w+\.cypher")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """What a database says about itself; empty and 0 where it says nothing."""

    environment: str
    schema_version: int
    vectors: str  # filtered | plain: which kind of vector indexes it has


async def migrate(connection: Connection, *, environment: str, vectors: str, clock: Clock) -> int:
    """Stamps the database and brings it up to date; gives its schema version.

    A database without our stamp is taken where it is empty or was written by Graphiti, which groups every node as we do.
    Raises WrongEnvironment for another environment's stamp, StoreUnavailable for a schema newer than ours and for a
    database of another program; all before anything is changed. Several processes may open a database at once: one works,
    the others wait.
    """
    migrations = _migrations()
    newest = max(migrations)
    stamp = _checked(await _read_stamp(connection), environment, newest)
    if stamp == Stamp(environment=environment, schema_version=newest, vectors=vectors):
        return newest
    if not stamp.environment:
        await _refuse_strangers(connection)
    await connection.run("CREATE CONSTRAINT muniment_meta IF NOT EXISTS FOR (n:Muniment) REQUIRE (n.name) IS UNIQUE")
    async with connection.transaction("meta_lock", {"name": "meta"}) as transaction:
        rows = await transaction.run("meta_get", {"name": "meta"})
        stamp = _checked(_stamp_of(rows), environment, newest)
        # Schema changes are transactions of their own; the lock on the stamp is what keeps other openers out.
        for number, name in sorted(migrations.items()):
            if number > stamp.schema_version:
                await _run_file(connection, name)
        # When an older server is upgraded, the stamp tells that its vector indexes are of the older kind.
        if stamp.vectors != vectors:
            await _run_file(connection, f"vectors_{vectors}.cypher")
        await connection.run("CALL db.awaitIndexes(600)")
        await transaction.run(
            "meta_set",
            {
                "name": "meta",
                "environment": environment,
                "schema_version": newest,
                "vectors": vectors,
                "at": to_ms(clock()),
            },
        )
    logger.info("neo4j schema is up to date", extra={"schema_version": newest, "vectors": vectors})
    return newest


def _checked(stamp: Stamp, environment: str, newest: int) -> Stamp:
    if stamp.environment not in ("", environment):
        raise WrongEnvironment(
            f"this database belongs to the environment {stamp.environment!r} and is not opened as {environment!r}"
        )
    if stamp.schema_version > newest:
        raise StoreUnavailable(
            f"this database has schema version {stamp.schema_version}, newer than {newest}: use a newer release"
        )
    return stamp


async def _refuse_strangers(connection: Connection) -> None:
    if found := await connection.read("meta_strangers", {}):
        named = ":".join(found[0][0]) or "no label"
        raise StoreUnavailable(
            f"the database {connection.address.database!r} holds nodes of another program (such as one with {named}): "
            "name an empty database, or one made by Muniment"
        )


async def _read_stamp(connection: Connection) -> Stamp:
    return _stamp_of(await connection.read("meta_get", {"name": "meta"}))


def _stamp_of(rows: list[list[object]]) -> Stamp:
    if not rows:
        return Stamp(environment="", schema_version=0, vectors="")
    environment, version, vectors = rows[0]
    return Stamp(
        environment=str(environment or ""),
        schema_version=version if isinstance(version, int) else 0,
        vectors=str(vectors or ""),
    )


def _migrations() -> dict[int, str]:
    """The numbered migrations by number."""
    names = (file.name for file in resources.files(_PACKAGE).joinpath("neo4j").iterdir())
    return {int(match[1]): name for name in names if (match := _NUMBERED.fullmatch(name))}


async def _run_file(connection: Connection, name: str) -> None:
    text = resources.files(_PACKAGE).joinpath("neo4j").joinpath(name).read_text(encoding="utf-8")
    bare = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("//"))
    there = {str(name) for (name,) in await connection.run("SHOW INDEXES YIELD name")}
    # One after another: index creations side by side get into each other's way.
    for one in bare.split(";"):
        named = _CREATED.search(one)
        if one.strip() and not (named and named[1] in there):
            await connection.run(one.strip())  # pyright: ignore[reportArgumentType]
