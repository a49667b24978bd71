"""The tools over HTTP: one endpoint of the service, with the keys, the limits and the audit chain of all others."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from muniment.api.auth import check_named_tenants, named_tenants
from muniment.api.context import request_id_of
from muniment.api.guard import known
from muniment.api.service import service_of
from muniment.graph_schema.errors import Forbidden, StoreUnavailable, TenantRequired

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from mcp.server.transport_security import TransportSecuritySettings

    from muniment.api.mcp.server import Context, Visit
    from muniment.engine.settings import Settings

PATH: Final = "/mcp"
_VISIT: Final = "muniment_visit"
_OWN_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")


def is_installed() -> bool:
    """Whether the protocol's SDK is there (`pip install 'muniment[mcp]'`)."""
    return find_spec("mcp") is not None


class McpEndpoint:
    """Answers `POST /mcp`. Every message stands alone and shows its key: there are no sessions to keep, share or steal."""

    path = PATH  # what logs and counters call it

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._manager: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Answers for as long as this is open; may be opened again after it was closed."""
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        from muniment.api.mcp.server import memory_server

        manager = StreamableHTTPSessionManager(
            memory_server(_visit_of),
            json_response=True,
            stateless=True,
            security_settings=_allowed(self._settings),
            max_request_body_size=self._settings.max_body_bytes,
        )
        async with manager.run():
            self._manager = manager
            try:
                yield
            finally:
                self._manager = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from muniment.api.mcp.server import Visit

        scope["route"] = self
        request = Request(scope, receive)
        service = service_of(request)
        caller = await known(request, service)
        request.state.caller = caller
        try:
            check_named_tenants(named_tenants(request, None), caller)
        except (Forbidden, TenantRequired) as error:
            await service.record_refused(caller, verb="mcp", code=error.code, request_id=request_id_of(request))
            raise
        if self._manager is None:
            raise StoreUnavailable("the service is starting or stopping")
        scope[_VISIT] = Visit(service=service, caller=caller, request_id=request_id_of(request))
        await self._manager.handle_request(scope, receive, send)


async def _visit_of(context: Context) -> Visit:
    assert context.request is not None  # over HTTP each message comes with its request
    visit: Visit = context.request.scope[_VISIT]
    return visit


def _allowed(settings: Settings) -> TransportSecuritySettings:
    """Which names the server answers to, and which pages may call it: a page that resolves its own name to this machine
    (DNS rebinding) is turned away."""
    from mcp.server.transport_security import TransportSecuritySettings

    names = (*_OWN_NAMES, *settings.mcp_hosts)
    pages = (*(f"http://{name}" for name in _OWN_NAMES), *(f"https://{name}" for name in settings.mcp_hosts))
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=_at_any_port(names),
        allowed_origins=[*_at_any_port(pages), *settings.cors_origins],
    )


def _at_any_port(names: Sequence[str]) -> list[str]:
    return [form for name in names for form in (name, f"{name}:*")]
