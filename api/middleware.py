"""What happens around every request: its id, the size of its body, headers, counters, and the last catch."""

from __future__ import annotations

import logging
from time import perf_counter
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from muniment.api.auth import RATE_KEY, Rate
from muniment.api.context import REQUEST_ID_HEADER, request_id_from
from muniment.api.errors import Problem, problem_of, problem_response, unexpected
from muniment.api.service import service_of
from muniment.engine.ports.request import current_request_id
from muniment.engine.ports.spans import Span, observing, span
from muniment.graph_schema.errors import Invalid, TooLarge

logger = logging.getLogger(__name__)

_MAX_HEAD_BYTES: Final = 65_536
UNREADABLE: Final = Problem(
    code=Invalid.code,
    detail="this is no HTTP request that can be read: use at most 64 KiB for the address and for the headers",
    status=400,
)
"""What is said to who sends no request, or one with a longer head than is taken."""
SECURITY_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_HTTPS_FOR: Final = "max-age=31536000"  # a year, once it was reached by TLS, its own or a proxy's
STREAMED_PATHS: Final = frozenset({"/v1/import"})  # read line by line, each of them bounded

_READ_OFF: Final = (
    4  # limits' worth of a body over the limit that is read on, so that its sender hears why; then it is cut
)


class Edge:
    """The outermost layer of the service."""

    def __init__(self, app: ASGIApp, *, max_body_bytes: int) -> None:
        self._app = app
        self._most = max_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = _Exchange(scope, send)
        token = current_request_id.set(exchange.id)
        metrics = service_of(Request(scope)).metrics
        metrics.began()
        try:
            with (
                observing(metrics.stage),
                span(scope["method"], kind="server", headers=Headers(scope=scope)) as opened,
            ):
                await self._answer(scope, receive, exchange)
                _described(opened, scope, exchange)
        finally:
            current_request_id.reset(token)
            seconds = perf_counter() - exchange.began
            route = str(getattr(scope.get("route"), "path", "other"))
            caller = scope.get("state", {}).get("caller")
            metrics.ended(
                route=route,
                method=scope["method"],
                status=exchange.status,
                seconds=seconds,
                tenant=caller.tenant if caller is not None else "",
            )
            logger.info(
                "request answered",
                extra={"route": route, "method": scope["method"], "status": exchange.status, "seconds": seconds},
            )

    async def _answer(self, scope: Scope, receive: Receive, exchange: _Exchange) -> None:
        if _is_too_long(scope):
            await problem_response(UNREADABLE, exchange.id)(scope, receive, exchange.send)
            return
        try:
            limited = receive if scope["path"] in STREAMED_PATHS else await _limited(scope, receive, self._most)
            await self._app(scope, limited, exchange.send)
        except TooLarge as error:
            if exchange.has_begun:
                raise
            await problem_response(problem_of(error), exchange.id)(scope, receive, exchange.send)
        except Exception as error:
            if exchange.has_begun:
                raise  # the status is out already: cutting the connection is the only honest sign left
            await problem_response(unexpected(error), exchange.id)(scope, receive, exchange.send)


def _is_too_long(scope: Scope) -> bool:
    """Whether address and headers are over the limit; the server's reader finds that out only where they come in pieces."""
    address = len(scope.get("raw_path") or b"") + len(scope.get("query_string", b""))
    return address + sum(len(name) + len(value) for name, value in scope["headers"]) > _MAX_HEAD_BYTES


def _described(opened: Span, scope: Scope, exchange: _Exchange) -> None:
    """Says on the span what was asked for and how it was answered; the route's pattern, never the path."""
    route = str(getattr(scope.get("route"), "path", "other"))
    opened.rename(f"{scope['method']} {route}")
    opened.set_plain(
        {
            "http.request.method": scope["method"],
            "http.route": route,
            "http.response.status_code": exchange.status,
        }
    )
    opened.set(request_id=exchange.id)
    if exchange.status >= 500:
        opened.failed(str(exchange.status))


class _Exchange:
    """One request and what has been sent of its answer."""

    def __init__(self, scope: Scope, send: Send) -> None:
        given = Request(scope).headers.get(REQUEST_ID_HEADER)
        self.id = request_id_from(given)
        self.began = perf_counter()
        self.status = 500
        self.has_begun = False
        self._send = send
        self._scope = scope
        scope["muniment_request_id"] = self.id

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.has_begun = True
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            headers[REQUEST_ID_HEADER] = self.id
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
            if self._scope.get("scheme") == "https":
                headers.setdefault("Strict-Transport-Security", _HTTPS_FOR)
            rate: Rate | None = self._scope.get(RATE_KEY)
            for name, value in rate.headers().items() if rate is not None else ():
                headers.setdefault(name, value)
        await self._send(message)


async def _limited(scope: Scope, receive: Receive, most: int) -> Receive:
    """Gives up on a body over the limit, at its announcement or at the first byte too many."""
    announced = Request(scope).headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > most:
        if not Request(scope).headers.get("expect"):  # that one waits to hear whether it shall send
            await _read_off(receive, _READ_OFF * most)
        raise _too_large(most)
    got = 0

    async def counted() -> Message:
        nonlocal got
        message = await receive()
        got += len(message.get("body", b""))
        if got > most:
            if message.get("more_body"):
                await _read_off(receive, _READ_OFF * most)
            raise _too_large(most)
        return message

    return counted


async def _read_off(receive: Receive, most: int) -> None:
    """Reads what is still coming and drops it; many clients see the answer only once they have sent their body."""
    got = 0
    while got <= most:
        message = await receive()
        got += len(message.get("body", b""))
        if not message.get("more_body"):
            return


def _too_large(most: int) -> TooLarge:
    return TooLarge(f"the body is over {most} bytes: send fewer items a call")
