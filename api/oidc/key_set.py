"""The public keys of a token issuer (a JSON Web Key Set, RFC 7517): from a file or from one URL, kept for a while.

Only the place that the settings name is asked, never one that a token names, and no redirect is followed. A key that is not
known makes it look again, so that a rotation shows at once, but seldom, so that made-up key ids cannot make it ask all the time.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import Any, Final
from urllib.parse import urlsplit

from muniment.graph_schema.errors import Invalid, Unavailable

logger = logging.getLogger(__name__)

LOOK_AGAIN_S: Final = 10.0
"""Least time between two looks, whatever tokens say."""
MAY_BE_STALE_S: Final = 3600.0
"""For how long keys go on being taken while their place does not answer."""
_TIMEOUT_S: Final = 5.0
_MOST_BYTES: Final = 1 << 20
_MOST_KEYS: Final = 200

Key = Mapping[str, Any]
"""One JSON Web Key as it was published."""


class KeySet:
    """The keys at a place: `https://…`, `http://` of this machine, or a file. Bound to one event loop."""

    def __init__(self, place: str, *, keep_s: float, passing: Callable[[], float] = monotonic) -> None:
        """Raises Invalid where the place is neither; nothing is read yet."""
        self._place = _checked(place)
        self._keep_s = keep_s
        self._passing = passing
        self._keys: tuple[Key, ...] = ()
        self._read_at: float | None = None
        self._tried_at: float | None = None
        self._reading = asyncio.Lock()

    async def named(self, kid: str | None) -> list[Key]:
        """The keys of that id, or all of them where a token names none. Raises Unavailable where none can be had."""
        if self._age() >= self._keep_s:
            await self._read()
        found = self._matching(kid)
        if not found:
            await self._read()
            found = self._matching(kid)
        return found

    def _matching(self, kid: str | None) -> list[Key]:
        return [key for key in self._keys if kid is None or key.get("kid") == kid]

    def _age(self) -> float:
        return float("inf") if self._read_at is None else self._passing() - self._read_at

    async def _read(self) -> None:
        """Reads the keys anew unless that was tried a moment ago."""
        async with self._reading:
            now = self._passing()
            if self._tried_at is None or now - self._tried_at >= LOOK_AGAIN_S:
                self._tried_at = now
                try:
                    self._keys, self._read_at = _keys_in(await _bytes_at(self._place)), now
                except (OSError, ValueError) as error:
                    logger.warning("keys of the token issuer not read", extra={"error": type(error).__name__})
        if self._age() >= self._keep_s + MAY_BE_STALE_S:
            raise Unavailable("the keys of the token issuer cannot be read; API keys go on working")


def _checked(place: str) -> str:
    parts = urlsplit(place)
    if parts.scheme == "https" and parts.hostname:
        return place
    if parts.scheme == "http" and parts.hostname and _is_this_machine(parts.hostname):
        return place
    if "://" in place or not place:
        raise Invalid("MUNIMENT_OIDC_JWKS is neither a file nor an https:// address", field="oidc_jwks")
    return place


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def _bytes_at(place: str) -> bytes:
    """What stands there. Raises OSError, ValueError."""
    if "://" not in place:
        return await asyncio.to_thread(_file, Path(place))
    import httpx

    told = bytearray()
    try:
        async with (
            httpx.AsyncClient(timeout=_TIMEOUT_S, follow_redirects=False, trust_env=False) as client,
            client.stream("GET", place, headers={"Accept": "application/json"}) as response,
        ):
            if response.status_code != 200:
                raise OSError(f"status {response.status_code}")
            async for part in response.aiter_bytes():
                told += part
                if len(told) > _MOST_BYTES:
                    raise ValueError("too long")
    except httpx.HTTPError as cause:
        raise OSError(type(cause).__name__) from cause
    return bytes(told)


def _file(path: Path) -> bytes:
    with path.open("rb") as file:
        told = file.read(_MOST_BYTES + 1)
    if len(told) > _MOST_BYTES:
        raise ValueError("too long")
    return told


def _keys_in(text: bytes) -> tuple[Key, ...]:
    """The keys of a set that could have signed a token. Raises ValueError where it is no key set."""
    try:
        told = json.loads(text)
    except RecursionError as cause:
        raise ValueError("nested too deeply") from cause
    keys = told.get("keys") if isinstance(told, dict) else None
    if not isinstance(keys, list):
        raise ValueError("no key set")
    return tuple(key for key in keys if isinstance(key, dict) and key.get("use", "sig") == "sig")[:_MOST_KEYS]
