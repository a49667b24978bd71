"""One space of a Neo4j database, bound to the walls that its caller may see."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from muniment.engine.ports.clock import Clock
from muniment.engine.stores.neo4j.connection import Connection
from muniment.engine.stores.neo4j.filters import Walls
from muniment.engine.stores.neo4j.reader import Neo4jReader
from muniment.engine.stores.neo4j.search import Means
from muniment.engine.stores.neo4j.unit import Neo4jUnit
from muniment.graph_schema.ids import Space


class Neo4jTenantStore(Neo4jReader):
    """What the `TenantStore` port promises, on a Neo4j database."""

    def __init__(self, connection: Connection, *, space: Space, walls: Walls, means: Means, clock: Clock) -> None:
        super().__init__(connection.read, space=space, walls=walls, means=means)
        self._connection = connection
        self._clock = clock

    @property
    def space(self) -> Space:
        return self._space

    @property
    def walls(self) -> frozenset[str]:
        return self._walls.names

    @property
    def all_walls(self) -> bool:
        return self._walls.all

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Neo4jUnit]:
        """A unit; raises StoreUnavailable where it cannot begin or commit, then nothing of it is stored."""
        async with self._connection.transaction("space_lock", {"space": self._space}) as transaction:
            unit = Neo4jUnit(transaction, space=self._space, walls=self._walls, means=self._means, clock=self._clock)
            yield unit
            await unit.finish()
