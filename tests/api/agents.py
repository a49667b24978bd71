"""The service on a real port, and agents that talk to it, or to a process of their own, with the protocol's own client."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TextIO

import httpx2
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.api.client.live import Live, live

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ("-c", "from muniment.api.cli.main import main; main()")
ANSWERS_WITHIN_S = 60.0


class Served:
    """A service that listens on a port of this machine."""

    def __init__(self, running: Live, store: str) -> None:
        self._live = running
        self.store = store
        self.url = running.url
        self.key = running.key

    def revoke(self, key: str) -> None:
        self._live.run(self._live.service.keys.revoke(key.split("_")[1], actor="test"))

    def audit(self, tenant: str) -> list[dict[str, Any]]:
        """The tenant's audit rows, newest first."""
        memory = self._live.service.engine.for_tenant(tenant, all_walls=True)
        rows = self._live.run(memory.audit(limit=200)).items
        return [{"verb": one.verb, "outcome": one.outcome, "actor": one.actor, **one.detail} for one in rows]


@contextmanager
def served(store: str, **settings: Any) -> Iterator[Served]:
    """The service for as long as this is open."""
    with live(store, **settings) as running:
        yield Served(running, store)


@asynccontextmanager
async def over_http(url: str, key: str, *, mode: str = "auto", **headers: str) -> AsyncIterator[Client]:
    """An agent's connection to `/mcp`."""
    async with httpx2.AsyncClient(
        headers={"Authorization": f"Bearer {key}", **headers}, timeout=ANSWERS_WITHIN_S
    ) as client:
        transport = streamable_http_client(f"{url}/mcp", http_client=client)
        async with Client(transport, mode=mode, read_timeout_seconds=ANSWERS_WITHIN_S) as agent:
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
    async with Client(stdio_client(started, errlog=log), mode=mode, read_timeout_seconds=ANSWERS_WITHIN_S) as agent:
        yield agent
