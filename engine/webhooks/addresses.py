"""Where a delivery may go: public addresses only, unless a network is named in the settings.

An address is checked after its name was resolved, and then called by number, so that a name which resolves otherwise a
moment later (DNS rebinding) leads nowhere else.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final
from urllib.parse import SplitResult, urlsplit

from muniment.graph_schema.errors import Forbidden, Invalid, Unavailable

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""The addresses of a host name, as texts; raises OSError where it has none."""

_LONGEST: Final = 2048
_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")
# What some versions of Python call global though it is of one network only (RFC 6890, RFC 8215, RFC 3879).
_NOT_PUBLIC: Final = tuple(map(ipaddress.ip_network, ("192.0.0.0/24", "64:ff9b:1::/48", "fec0::/10")))
_COMPATIBLE: Final = ipaddress.ip_network("::/96")


def networks_in(texts: Iterable[str]) -> tuple[Network, ...]:
    """Networks as `10.2.0.0/16`. Raises Invalid."""
    try:
        return tuple(ipaddress.ip_network(text) for text in texts)
    except ValueError as cause:
        raise Invalid(f"MUNIMENT_WEBHOOK_NETWORKS: {cause}", field="webhook_networks") from cause


def url_in(text: str, *, allowed: Sequence[Network] = ()) -> str:
    """The address of a receiver, as it may be kept. Raises Invalid.

    Without allowed networks it must be `https://`, and a literal address must be public.
    """
    try:
        parts, port = urlsplit(text), urlsplit(text).port
    except ValueError as cause:
        raise Invalid(f"url is no address: {cause}", field="url") from cause
    if len(text) > _LONGEST or not text.isascii() or any(c.isspace() or not c.isprintable() for c in text):
        raise Invalid(f"url has other characters than an address may, or over {_LONGEST}", field="url")
    schemes = ("https", "http") if allowed else ("https",)
    if parts.scheme not in schemes or not parts.hostname or port == 0:
        raise Invalid(f"url is not an address that starts with {' or '.join(s + '://' for s in schemes)}", field="url")
    if parts.username is not None or parts.password is not None or parts.fragment or "\\" in text:
        raise Invalid("url holds a user, a password, a fragment or a backslash: leave them out", field="url")
    literal = _literal(parts)
    if literal is not None and not is_allowed(literal, allowed):
        raise Invalid("url leads to an address that is not public", field="url")
    return text


async def address_of(url: str, *, allowed: Sequence[Network], resolve: Resolve) -> str:
    """The address to call for a URL. Raises Forbidden where any that its name has is not allowed, Unavailable for none."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    try:
        found = await resolve(host, port)
    except OSError as cause:
        raise Unavailable("the receiver's name has no address") from cause
    addresses = [ipaddress.ip_address(text.partition("%")[0]) for text in found]
    if not addresses:
        raise Unavailable("the receiver's name has no address")
    for address in addresses:
        if not is_allowed(address, allowed):
            raise Forbidden("the receiver's address is not public, and not in MUNIMENT_WEBHOOK_NETWORKS")
        if parts.scheme != "https" and not _within(address, allowed):
            raise Forbidden("http:// goes to the networks in MUNIMENT_WEBHOOK_NETWORKS only")
    return str(addresses[0])


def is_allowed(address: Address, allowed: Sequence[Network]) -> bool:
    """Whether an address is public, or in one of the networks. What wraps an older address counts as that one."""
    if _within(address, allowed):
        return True
    inner = _wrapped(address)
    if inner is not None:
        return is_allowed(inner, allowed)
    if _within(address, _NOT_PUBLIC):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


async def resolved(host: str, port: int) -> list[str]:
    """What the system's resolver says."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(row[4][0]) for row in found))


def _within(address: Address, networks: Sequence[Network]) -> bool:
    return any(address.version == network.version and address in network for network in networks)


def _wrapped(address: Address) -> Address | None:
    """The IPv4 address inside an IPv6 one: mapped, compatible, 6to4, Teredo, NAT64."""
    if isinstance(address, ipaddress.IPv4Address):
        return None
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    if address in _NAT64 or (address in _COMPATIBLE and int(address) > 1):
        return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    return None


def _literal(parts: SplitResult) -> Address | None:
    try:
        return ipaddress.ip_address(parts.hostname or "")
    except ValueError:
        return None
