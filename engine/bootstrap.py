"""Puts the engine together: the one place that knows stores and models by name."""

from __future__ import annotations

from importlib import import_module
from typing import Final, cast
from urllib.parse import unquote

from muniment.engine.ports.clock import Clock, system_clock
from muniment.engine.ports.store import Database
from muniment.graph_schema.errors import Invalid, StoreUnavailable

NEO4J_SCHEMES: Final = frozenset({"neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc"})
_MIB: Final = 1024 * 1024


async def open_database(
    url: str,
    *,
    environment: str,
    clock: Clock = system_clock,
    vector_memory_mb: int = 1024,
    neo4j_user: str = "",
    neo4j_password: str = "",
    neo4j_database: str = "",
) -> Database:
    """The store at a URL: `sqlite:///relative/file.db`, `sqlite:////absolute/file.db`, `sqlite://` for one in memory that is
    gone when closed, or `neo4j://…`, `bolt://…`, with `+s` or `+ssc` for TLS.

    Raises Invalid for another URL, StoreUnavailable where the store does not answer or is not ours, WrongEnvironment
    where it carries another environment's stamp.
    """
    scheme, mark, rest = url.partition("://")
    if scheme == "sqlite" and mark and (not rest or rest.startswith("/")):
        from muniment.engine.stores.sqlite.database import open_sqlite

        return await open_sqlite(
            unquote(rest[1:]), environment=environment, clock=clock, image_budget_bytes=vector_memory_mb * _MIB
        )
    if scheme in NEO4J_SCHEMES and rest:
        try:
            module = import_module("muniment.engine.stores.neo4j.database")
        except ImportError as cause:
            raise StoreUnavailable(f"the Neo4j store cannot be loaded: {cause}") from cause
        database = await module.open_neo4j(
            url,
            environment=environment,
            clock=clock,
            user=neo4j_user,
            password=neo4j_password,
            database=neo4j_database,
        )
        return cast(Database, database)
    raise Invalid(
        f"store URL {url.partition('@')[2] or url!r} is not one we know: use sqlite:///file.db, sqlite://, or "
        "neo4j://host:7687",
        field="store_url",
    )
