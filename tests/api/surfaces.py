"""One tenant seen through each way in: Python, HTTP, the command line, agents' tools; the same steps, the same answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from muniment.engine.bootstrap import Engine, open_engine
from muniment.engine.settings import read_settings
from tests.api.running import Running, serving
from tests.api.ways.agent import OverMcp
from tests.api.ways.http import OverHttp
from tests.api.ways.program import OverCommandLine
from tests.api.ways.python import OverPython
from tests.api.ways.said import FactSaid, Json


class Asked(Protocol):
    """What every way in has, agents' tools too. A fact is said as `fact()` makes it; answers have the contract's shapes."""

    def tell(self, said: FactSaid) -> Json: ...
    def tell_all(self, said: Sequence[FactSaid]) -> None: ...
    def tell_at_once(self, said: Sequence[FactSaid]) -> None:
        """Tells facts by as many callers at the same time."""
        ...

    def note(self, text: str, *, at: str, id: str) -> Json: ...
    def keep(self, body: Mapping[str, Any]) -> Json:
        """Keeps one episode, told as the contract has it, and derives nothing; gives the receipt."""
        ...

    def facts(self, **filters: Any) -> list[Json]: ...
    def fact(self, id: str) -> Json: ...
    def history(self, id: str) -> Json: ...
    def entities(self, q: str = "") -> list[Json]: ...
    def paths(self, a: str, b: str, **options: Any) -> list[Json]: ...
    def episode(self, id: str) -> Json: ...
    def retract(self, id: str) -> Json: ...
    def recall(self, query: str, **options: Any) -> list[Json]: ...
    def recall_at_once(self, query: str, limits: Sequence[int]) -> list[int]:
        """How many hits each of as many callers gets at the same time."""
        ...

    def context(self, query: str, **options: Any) -> Json: ...
    def block(self, query: str, **options: Any) -> str: ...


class Surface(Asked, Protocol):
    """What the cases need of a tenant beyond what agents' tools can do."""

    def command(self, body: Mapping[str, Any]) -> Json: ...
    def entity(self, id: str) -> Json: ...
    def forget(self, id: str) -> Json: ...
    def reviews(self) -> list[Json]: ...
    def merge(self, ids: Sequence[str]) -> Json: ...
    def purge(self, episode: str) -> Json: ...
    def export(self) -> str: ...
    def audit(self) -> list[Json]: ...
    def reopen(self) -> None:
        """Closes the store and opens it anew, where the surface keeps it open."""
        ...


class Surfaces:
    """The ways into one store: an engine, a service, the program, and agents' tools."""

    def __init__(self, store_url: str, running: Running, runner: asyncio.Runner, folder: Path) -> None:
        self._url, self._running, self._runner, self._folder = store_url, running, runner, folder
        self._engine: Engine | None = None
        self._agents: list[OverMcp] = []

    def of(self, name: str, tenant: str, walls: Sequence[str] = ()) -> Surface:
        """A tenant through the surface of this name, for a caller who sees these walls."""
        if name == "python":
            return OverPython(self._runner.run, self._opened, self._reopen, tenant, walls)
        if name == "http":
            return OverHttp(self._running.caller(tenant, "admin", *walls))
        return OverCommandLine(self._url, tenant, self._folder, walls)

    def way(self, name: str, tenant: str, walls: Sequence[str] = ()) -> Asked:
        """The same, `mcp` among the names."""
        return self.agent(tenant, walls) if name == "mcp" else self.of(name, tenant, walls)

    def agent(self, tenant: str, walls: Sequence[str] = ()) -> OverMcp:
        """A tenant as an agent sees it, over the protocol of its tools."""
        self._agents.append(OverMcp(self._runner.run, self._opened, tenant, walls))
        return self._agents[-1]

    @property
    def engine(self) -> Engine:
        """The engine of the Python surface; `run` runs what it does."""
        return self._opened()

    @property
    def run(self) -> Callable[[Any], Any]:
        return self._runner.run

    @property
    def running(self) -> Running:
        return self._running

    @property
    def url(self) -> str:
        return self._url

    @property
    def folder(self) -> Path:
        return self._folder

    def close(self) -> None:
        for agent in self._agents:
            agent.leave()
        self._agents.clear()
        self._reopen()

    def _opened(self) -> Engine:
        if self._engine is None:
            self._engine = self._runner.run(_open(self._url))
        return self._engine

    def _reopen(self) -> None:
        if self._engine is not None:
            self._runner.run(self._engine.close())
            self._engine = None


async def _open(url: str) -> Engine:
    return await open_engine(url, settings=read_settings(store_url=url))


@contextmanager
def surfaces_on(store_url: str, folder: Path) -> Iterator[Surfaces]:
    """All surfaces on a store."""
    with serving(store_url) as running, asyncio.Runner() as runner:
        surfaces = Surfaces(store_url, running, runner, folder)
        try:
            yield surfaces
        finally:
            surfaces.close()
