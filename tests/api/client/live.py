"""A real server on a port of this machine, in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, TypeVar

import uvicorn
from starlette.types import ASGIApp

from muniment.api.app import create_app
from muniment.api.service import Service
from muniment.engine.extract.assisted.purse import Usage
from muniment.engine.keys import Grant, Role
from muniment.engine.settings import read_settings
from muniment.engine.write.spending import Budget, StoredPurse
from muniment.graph_schema.ids import space_of

T = TypeVar("T")
STARTS_WITHIN_S = 60.0


class Live:
    """A server that listens."""

    def __init__(self, app: Any, server: uvicorn.Server, loop: asyncio.AbstractEventLoop) -> None:
        self.app = app
        self._loop = loop
        self.port: int = server.servers[0].sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    @property
    def service(self) -> Service:
        service: Service = self.app.state.service
        return service

    def spend(self, tenant: str, usage: Usage, budget: Budget) -> None:
        """Counts a use of a language model as an extractor does."""
        database = self.service.engine.database
        store = database.space(space_of(database.environment, tenant))
        StoredPurse(store, self._loop, budget, self.service.clock).settle(usage, tokens_in=0, tokens_out=0)

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """What a coroutine gives in the server's own loop."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(60)

    def key(self, tenant: str, role: str = "admin", *walls: str) -> str:
        """The text of a new key."""
        grant = Grant(tenant=tenant, role=Role(role), walls=frozenset(walls))
        return self.run(self.service.keys.create(grant, actor="test")).text


def _as_it_is(app: ASGIApp) -> ASGIApp:
    return app


@contextmanager
def live(
    store_url: str, *, around: Callable[[ASGIApp], ASGIApp] = _as_it_is, with_worker: bool = False, **settings: Any
) -> Iterator[Live]:
    """The service on a store, behind whatever `around` puts before it."""
    settings = {"failed_keys_per_minute": 100_000, "webhooks": True, **settings}
    app = create_app(settings=read_settings(store_url=store_url, **settings), with_worker=with_worker)
    server = uvicorn.Server(uvicorn.Config(around(app), host="127.0.0.1", port=0, log_config=None, lifespan="on"))
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        await server.serve()
        over.set()

    over = threading.Event()
    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()), name="live-server")
    thread.start()
    try:
        until = monotonic() + STARTS_WITHIN_S
        while not server.started:
            assert not over.wait(0.01)
            assert monotonic() < until
        yield Live(app, server, loop)
    finally:
        server.should_exit = True
        thread.join(STARTS_WITHIN_S)
        loop.close()
