"""Requests to a server: the key, the idempotency key, time limits, and what is tried again.

What the server surely did not do (no connection, 429, 503) is tried again whatever it was. What it may have done (a
connection that broke, a proxy's 502 or 504) is tried again only where that cannot do it twice: reads, and writes whose
answer the server keeps for the idempotency key, which stays the same over the tries.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
from collections.abc import AsyncIterable, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import uuid4

from muniment.api.client.problems import error_of
from muniment.api.rendering import json_bytes
from muniment.graph_schema import errors

try:
    import httpx
except ImportError as cause:
    raise ImportError("the client of a server needs httpx: pip install 'muniment[client]'") from cause

logger = logging.getLogger(__name__)

IDEMPOTENCY_HEADER: Final = "Idempotency-Key"
TENANT_HEADER: Final = "X-Muniment-Tenant"
READ_AFTER_HEADER: Final = "X-Muniment-Read-After"
_CONNECT_WITHIN_S: Final = 10.0
_NOT_DONE: Final = (429, 503)  # the server says that nothing was done
_MAYBE_DONE: Final = (502, 504)  # a proxy does not know
_FINAL: Final = frozenset({errors.NotYetReadable.code, errors.ModelUnavailable.code})  # time alone does not mend these


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often and how long to try: pauses double from `first_pause_s`, each shortened by chance so that callers spread.

    A longer `Retry-After` is obeyed, up to `longest_pause_s`; one beyond it is told to the caller at once.
    """

    attempts: int = 5
    first_pause_s: float = 0.2
    longest_pause_s: float = 30.0

    def pause_s(self, attempt: int, retry_after_s: float | None) -> float:
        """How long to wait after this attempt, the first being 1."""
        ceiling = min(self.longest_pause_s, self.first_pause_s * 2 ** (attempt - 1))
        return max(random.uniform(ceiling / 2, ceiling), retry_after_s or 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request. `repeats` says that doing it again changes nothing more."""

    method: str
    path: str
    query: Sequence[tuple[str, str]] = ()
    body: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    repeats: bool = True


class Transport:
    """The connection to one server, with a key that no text of it shows. Bound to one event loop."""

    def __init__(
        self,
        url: str,
        *,
        key: str,
        timeout_s: float,
        retry: RetryPolicy,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
            raise errors.Invalid("url is not that of a server: use https://host[:port], the key apart", field="url")
        if not key or key.strip() != key or not key.isascii() or not key.isprintable():
            raise errors.Invalid("key is empty or no key: give the text that was shown when it was made", field="key")
        self.url = url.rstrip("/")
        self._retry = retry
        self._http = httpx.AsyncClient(
            base_url=self.url,
            headers={"Authorization": f"Bearer {key}", "Accept": "application/json"},
            timeout=httpx.Timeout(timeout_s, connect=min(timeout_s, _CONNECT_WITHIN_S)),
            transport=transport,
        )

    def __repr__(self) -> str:
        return f"Transport(url={self.url!r})"

    async def close(self) -> None:
        await self._http.aclose()

    async def json(self, call: Call) -> Any:
        """The body of the answer. Raises the error that the server's problem stands for, Unavailable where none came."""
        response = await self._answered(call)
        try:
            return response.json()
        except ValueError as cause:
            raise errors.Unavailable(f"the server's answer to {call.method} is no JSON: is it a Muniment?") from cause

    async def send(self, call: Call, content: AsyncIterable[bytes], *, media_type: str) -> Any:
        """The body of the answer to a stream, which is sent once only."""
        self._check_open()
        headers = {**call.headers, "Content-Type": media_type}
        try:
            response = await self._http.request(
                call.method, call.path, params=list(call.query), content=content, headers=headers, timeout=None
            )
        except httpx.TransportError as cause:
            raise _unreachable(call, cause) from cause
        _raise_for(response)
        return response.json()

    async def lines(self, call: Call) -> AsyncIterator[Any]:
        """The lines of a streamed answer, each parsed."""
        self._check_open()
        try:
            async with self._streamed(call) as response:
                async for line in response.aiter_lines():
                    if line:
                        yield json.loads(line)
        except httpx.TransportError as cause:
            raise _unreachable(call, cause) from cause

    @asynccontextmanager
    async def _streamed(self, call: Call) -> AsyncIterator[httpx.Response]:
        async with self._http.stream(
            call.method, call.path, params=list(call.query), headers=dict(call.headers)
        ) as response:
            if not response.is_success:
                await response.aread()
                _raise_for(response)
            yield response

    async def _answered(self, call: Call) -> httpx.Response:
        self._check_open()
        content = None if call.body is None else json_bytes(call.body)
        headers = dict(call.headers)
        if content is not None:
            headers["Content-Type"] = "application/json"
        if call.method != "GET":
            headers.setdefault(IDEMPOTENCY_HEADER, f"py-{uuid4().hex}")
        attempt = 1
        while True:
            last = attempt >= self._retry.attempts
            retry_after_s: float | None = None
            try:
                response = await self._http.request(
                    call.method, call.path, params=list(call.query), content=content, headers=headers
                )
            except httpx.TransportError as cause:
                if last or not (call.repeats or _never_sent(cause)):
                    raise _unreachable(call, cause) from cause
                reason = type(cause).__name__
            else:
                retry_after_s = _retry_after_s(response)
                if last or not self._may_repeat(call, response, retry_after_s):
                    _raise_for(response)
                    return response
                reason = str(response.status_code)
            pause_s = self._retry.pause_s(attempt, retry_after_s)
            logger.info("request tried again", extra={"attempt": attempt, "reason": reason, "pause_s": pause_s})
            await asyncio.sleep(pause_s)
            attempt += 1

    def _may_repeat(self, call: Call, response: httpx.Response, retry_after_s: float | None) -> bool:
        if response.is_success or (retry_after_s or 0.0) > self._retry.longest_pause_s:
            return False
        if response.status_code in _NOT_DONE:
            return _code(response) not in _FINAL
        if response.status_code == 409:
            return retry_after_s is not None  # the same request is under way, and its answer will be kept
        return response.status_code in _MAYBE_DONE and call.repeats

    def _check_open(self) -> None:
        if self._http.is_closed:
            raise errors.Unavailable("this client is closed: make another, or call it inside its `with` block")


def _never_sent(error: httpx.TransportError) -> bool:
    return isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)


def _unreachable(call: Call, cause: httpx.TransportError) -> errors.Unavailable:
    known = "nothing was done" if _never_sent(cause) else "whether the server did it is not known"
    reads = call.method == "GET"
    return errors.Unavailable(f"the server did not answer ({type(cause).__name__})" + ("" if reads else f"; {known}"))


def _raise_for(response: httpx.Response) -> None:
    if not response.is_success:
        raise error_of(response.status_code, _body(response), retry_after_s=_retry_after_s(response))


def _code(response: httpx.Response) -> str:
    body = _body(response)
    return str(body.get("code", "")) if isinstance(body, Mapping) else ""


def _body(response: httpx.Response) -> object:
    try:
        body: object = response.json()
    except ValueError:
        return None
    return body


def _retry_after_s(response: httpx.Response) -> float | None:
    """Seconds from a number or a date; None where the server does not say, or says what is neither."""
    text = response.headers.get("Retry-After", "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        moment = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    return max(0.0, (moment - datetime.now(UTC)).total_seconds()) if moment.tzinfo else None
