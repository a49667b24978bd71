"""The HTTP service as an application."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Final

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware

from muniment import __version__
from muniment.api import errors
from muniment.api.auth import RATE_HEADERS
from muniment.api.context import REQUEST_ID_HEADER
from muniment.api.docs import page
from muniment.api.guard import IDEMPOTENCY_HEADER, READ_AFTER_HEADER, REPLAYED_HEADER
from muniment.api.mcp import http as mcp
from muniment.api.middleware import Edge
from muniment.api.openapi import DESCRIPTION, describe
from muniment.api.routes import ROUTERS
from muniment.api.service import Service
from muniment.engine.keys import Grant, NewKey, Role
from muniment.engine.ports.spans import observing
from muniment.engine.settings import Settings, read_settings

if TYPE_CHECKING:
    from muniment.engine.bootstrap import Engine

_GZIP_FROM_BYTES: Final = 1024
FIRST_TENANT: Final = "default"


def create_app(
    engine: Engine | None = None,
    *,
    settings: Settings | None = None,
    on_first_key: Callable[[NewKey], None] | None = None,
    with_worker: bool = False,
) -> FastAPI:
    """The service on an opened engine, or on one that it opens when it starts and closes when it stops.

    An engine given is left open. Without one, `settings` (or the environment) say which store.
    With `on_first_key`, a database without any key gets one of an admin, which is handed to it once. `with_worker` does the
    jobs in this process too, beside whatever workers run elsewhere.
    """
    settings = engine.settings if engine is not None else settings or read_settings()
    endpoint = mcp.McpEndpoint(settings) if settings.mcp_http and mcp.is_installed() else None

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with endpoint.running() if endpoint is not None else nullcontext(), serving(app):
            yield

    @asynccontextmanager
    async def serving(app: FastAPI) -> AsyncIterator[None]:
        if engine is not None:
            app.state.service = Service(engine)
            yield
            return
        from muniment.engine.bootstrap import open_engine  # the drivers and the stores load when a service starts

        async with open_engine(settings=settings) as opened:
            app.state.service = Service(opened)
            if on_first_key is not None and await app.state.service.keys.is_empty():
                grant = Grant(tenant=FIRST_TENANT, role=Role.ADMIN, name="first key")
                on_first_key(await app.state.service.keys.create(grant, actor="serve"))
            if not with_worker:
                yield
                return
            with observing(app.state.service.metrics.stage):
                async with _working(opened):
                    yield

    app = FastAPI(
        title="Muniment",
        version=__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        strict_content_type=False,
        middleware=_middleware(settings),
        docs_url=None,  # ours loads nothing from elsewhere
        redoc_url=None,
        # The framework's own spans and logs hold paths, queries and messages of errors, and so words of memories.
        telemetry={
            "tracing": False,
            "metrics": False,
            "logs": False,
            "operation_spans": False,
            "auto_configure": False,
        },
    )
    if engine is not None:
        app.state.service = Service(engine)
    errors.install(app)
    for router in ROUTERS:
        app.include_router(router)
    page.install(app)
    if endpoint is not None:
        app.add_route(mcp.PATH, endpoint, methods=["POST"], include_in_schema=False)  # type: ignore[arg-type]  # an ASGI application too
    describe(app)
    return app


@asynccontextmanager
async def _working(engine: Engine) -> AsyncIterator[None]:
    """Workers for as long as the service runs; the jobs in hand are finished before it ends."""
    workers = (engine.worker(), *engine.deliverers())  # names of their own: the leases are held by them
    tasks = [asyncio.create_task(worker.run()) for worker in workers]
    try:
        yield
    finally:
        for worker in workers:
            worker.stop()
        await asyncio.gather(*tasks)


def _middleware(settings: Settings) -> list[Middleware]:
    layers: list[Any] = [Middleware(Edge, max_body_bytes=settings.max_body_bytes)]
    if settings.cors_origins:
        layers.append(
            Middleware(
                CORSMiddleware,
                allow_origins=list(settings.cors_origins),
                allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
                allow_headers=[
                    "Authorization",
                    "Content-Type",
                    "If-None-Match",
                    IDEMPOTENCY_HEADER,
                    READ_AFTER_HEADER,
                    REQUEST_ID_HEADER,
                ],
                expose_headers=[REQUEST_ID_HEADER, REPLAYED_HEADER, "ETag", "Retry-After", *RATE_HEADERS],
            )
        )
    return [*layers, Middleware(GZipMiddleware, minimum_size=_GZIP_FROM_BYTES)]
