"""A port of this machine that a server may listen on."""

from __future__ import annotations

import random
import socket
from pathlib import Path

from muniment.engine.stores.neo4j.local.state import HOST
from muniment.graph_schema.errors import StoreUnavailable

_LOWEST = 10_240  # below are the usual ports of well-known servers
_LENT_FROM = 32_768  # where Linux begins unless told otherwise; other systems begin higher
_LINUX_RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")
_TRIES = 200


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on, outside the range that the system lends to outgoing connections.

    Nothing keeps it: a port out of that range could be lent to any connection before the server that it is meant for has
    started, which takes Neo4j seconds. Raises StoreUnavailable when there is none.
    """
    end = _lent_from()
    for port in random.sample(range(_LOWEST, end), min(_TRIES, end - _LOWEST)):
        if is_free(port):
            return port
    raise StoreUnavailable(f"no free port was found on {HOST} between {_LOWEST} and {end - 1}")


def is_free(port: int) -> bool:
    """Whether a server could listen on that port of 127.0.0.1 now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def _lent_from() -> int:
    try:
        lowest = int(_LINUX_RANGE.read_text(encoding="ascii").split()[0])
    except (OSError, ValueError, IndexError):
        return _LENT_FROM
    return lowest if lowest > 2 * _LOWEST else 65_536  # a machine that lends nearly all of them leaves no choice
