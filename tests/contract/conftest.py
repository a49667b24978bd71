"""Opens the store of the leg."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from muniment.engine.bootstrap import open_database
from muniment.engine.ports.store import Database, TenantStore
from muniment.graph_schema.ids import space_of
from tests.builders import NOW

OpenStore = Callable[..., TenantStore]


@pytest_asyncio.fixture
async def database(store_url: str) -> AsyncIterator[Database]:
    """An empty database of environment `dev`."""
    opened = await open_database(store_url, environment="dev", clock=lambda: NOW)
    yield opened
    await opened.close()


@pytest.fixture
def open_store(database: Database) -> OpenStore:
    """`open_store("globex", walls={"deal"})`: a tenant's store behind the walls named."""

    def open_(tenant: str = "acme", *, walls: set[str] | None = None, all_walls: bool = False) -> TenantStore:
        return database.space(space_of("dev", tenant), walls=frozenset(walls or ()), all_walls=all_walls)

    return open_


@pytest.fixture
def store(open_store: OpenStore) -> TenantStore:
    """The tenant `acme`, open area only."""
    return open_store()


@pytest.fixture
def other(open_store: OpenStore) -> TenantStore:
    """Another tenant of the same database."""
    return open_store("globex")


@pytest.fixture
def walled(open_store: OpenStore) -> TenantStore:
    """The tenant `acme` for a caller who may see what stands behind the wall `deal`."""
    return open_store(walls={"deal"})
