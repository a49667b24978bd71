"""Trouble between a client and a server: answers that come before the real ones, and connections that break."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from muniment.engine.stores.neo4j.local.ports import free_port


class Moody:
    """Gives the answers that a test has put into `first`, then lets the real service answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.first: list[Response] = []
        self.keys: list[str] = []  # the idempotency keys of the calls that came in

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            self.keys.append(dict(scope["headers"]).get(b"idempotency-key", b"").decode())
            if self.first:
                await self.first.pop(0)(scope, receive, send)
                return
        await self._app(scope, receive, send)


class Cutter:
    """A way to a server that breaks: it hands a request on, and the first answers of the server are lost."""

    def __init__(self, port: int, *, losing: int) -> None:
        self._port = port
        self._losing = losing

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self._port)
        going = asyncio.create_task(_copy(reader, up_writer))
        try:
            while answer := await up_reader.read(65536):
                if self._losing:
                    self._losing -= 1
                    return
                writer.write(answer)
                await writer.drain()
        finally:
            going.cancel()
            writer.close()
            up_writer.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while some := await reader.read(65536):
        writer.write(some)
        await writer.drain()


@asynccontextmanager
async def cutting(port: int, *, losing: int = 1) -> AsyncIterator[str]:
    """The URL of a way to the server at `port` on which the first `losing` answers are lost."""
    server = await asyncio.start_server(Cutter(port, losing=losing).serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


def nobodys_url() -> str:
    """A URL of this machine where nothing listens."""
    return f"http://127.0.0.1:{free_port()}"
