"""The service on a real port, and agents that talk to it, or to a process of their own, with the protocol's own client."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TextIO

import httpx2
import uvicorn
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from muniment.api.app import create_app
from muniment.engine.keys import Grant, Role
from muniment.engine.settings import read_settings

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ("-c", "from muniment.api.cli.main import main; main()")
STARTS_WITHIN_S = 60.0


class Served:
    """A service that listens on a port of this machine, in a thread."""

    def __init__(self, store: str, **settings: Any) -> None:
        self.store = store
        self.app = create_app(settings=read_settings(store_url=store, failed_keys_per_minute=100_000, **settings))
        self._server = uvicorn.Server(
            uvicorn.Config(self.app, host="127.0.0.1", port=0, log_config=None, access_log=False)
        )
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        await self._server.serve()

    def start(self) -> None:
        self._thread.start()
        until = time.monotonic() + STARTS_WITHIN_S
        while not self._server.started:
            assert self._thread.is_alive(), "the server did not start"
            assert time.monotonic() < until, "the server did not start in time"
            time.sleep(0.02)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=STARTS_WITHIN_S)

    @property
    def url(self) -> str:
        port: int = self._server.servers[0].sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}"

    def call(self, work: Any) -> Any:
        """The result of a coroutine, run where the service runs."""
        assert self._loop is not None
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=STARTS_WITHIN_S)

    def key(self, tenant: str, role: str = "admin", *walls: str) -> str:
        grant = Grant(tenant=tenant, role=Role(role), walls=frozenset(walls))
        return str(self.call(self.app.state.service.keys.create(grant, actor="test")).text)

    def revoke(self, key: str) -> None:
        self.call(self.app.state.service.keys.revoke(key.split("_")[1], actor="test"))

    def audit(self, tenant: str) -> list[dict[str, Any]]:
        """The tenant's audit rows, newest first."""
        memory = self.app.state.service.engine.for_tenant(tenant, all_walls=True)
        rows = self.call(memory.audit(limit=200)).items
        return [{"verb": one.verb, "outcome": one.outcome, "actor": one.actor, **one.detail} for one in rows]


@contextmanager
def served(store: str, **settings: Any) -> Iterator[Served]:
    """The service for as long as this is open."""
    service = Served(store, **settings)
    service.start()
    try:
        yield service
    finally:
        service.stop()


@asynccontextmanager
async def over_http(url: str, key: str, *, mode: str = "auto", **headers: str) -> AsyncIterator[Client]:
    """An agent's connection to `/mcp`."""
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}", **headers}) as client:
        transport = streamable_http_client(f"{url}/mcp", http_client=client)
        async with Client(transport, mode=mode, read_timeout_seconds=60) as agent:
            yield agent


@asynccontextmanager
async def over_stdio(
    store: str, *options: str, log: TextIO, mode: str = "auto", **variables: str
) -> AsyncIterator[Client]:
    """An agent's connection to a process that it starts."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1", **variables}
    started = StdioServerParameters(
        command=sys.executable, args=[*PROGRAM, "mcp", "--store", store, *options], env=environment, cwd=ROOT
    )
    async with Client(stdio_client(started, errlog=log), mode=mode, read_timeout_seconds=60) as agent:
        yield agent
