"""What a verb of several transactions would do: all of it runs in one, which is left without keeping anything."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar, cast

from muniment.engine.ports.store import TenantStore, Unit
from muniment.engine.write.units import in_unit
from muniment.graph_schema.ids import Space

Found = TypeVar("Found")


class _Left(Exception):
    """Ends the transaction; what was found out goes out beside it."""


async def rehearsed(store: TenantStore, work: Callable[[TenantStore], Awaitable[Found]]) -> Found:
    """What `work` gives, done on the store as it is and taken back whole. Raises what it raises.

    While it runs, other writers of the space wait: it is one transaction, however many the work itself makes.
    """
    found: list[Found] = []

    async def leaving(unit: Unit) -> None:
        found.append(await work(cast(TenantStore, _Within(store, unit))))
        raise _Left

    try:
        await in_unit(store, leaving)
    except _Left:
        return found[-1]
    raise AssertionError("unreachable: the work leaves or raises")


class _Within:
    """A tenant's store as it is inside an open transaction: reads see what was written in it, a write is part of it."""

    def __init__(self, store: TenantStore, unit: Unit) -> None:
        self._store = store
        self._unit = unit

    @property
    def space(self) -> Space:
        return self._store.space

    @property
    def walls(self) -> frozenset[str]:
        return self._store.walls

    @property
    def all_walls(self) -> bool:
        return self._store.all_walls

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Unit]:
        yield self._unit

    def __getattr__(self, name: str) -> Any:
        return getattr(self._unit, name)
