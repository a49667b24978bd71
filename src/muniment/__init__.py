"""Muniment: a knowledge-graph memory engine for agents.

`connect` and `open` give a tenant's memory at a URL, embedded or on a server, with and without `await`; `AsyncClient` and
`Client` are those of a server; `every` and `each` walk through lists page by page; `trim` cuts chat history to a budget. The
errors that verbs raise stand here too. Each is loaded when it is first used.
"""

from __future__ import annotations

import logging
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from muniment.api.client.client import AsyncClient
    from muniment.api.client.opening import connect, open
    from muniment.api.client.sync import Client
    from muniment.api.client.transport import RetryPolicy
    from muniment.engine.assemble.trim import trim
    from muniment.engine.bootstrap import open_engine
    from muniment.engine.paging import each, every
    from muniment.graph_schema.errors import (
        Ambiguous,
        Conflict,
        ContextHardStop,
        Forbidden,
        Held,
        Invalid,
        LaneUnavailable,
        ModelUnavailable,
        MunimentError,
        NotFound,
        NotYetReadable,
        RateLimited,
        StoreUnavailable,
        TenantRequired,
        TooLarge,
        Unauthenticated,
        Unavailable,
        UnderWay,
        WrongEnvironment,
    )

__version__ = "0.1.0"
logging.getLogger(__name__).addHandler(logging.NullHandler())  # a program that sets up no logging is told nothing
__all__ = [
    "Ambiguous",
    "AsyncClient",
    "Client",
    "Conflict",
    "ContextHardStop",
    "Forbidden",
    "Held",
    "Invalid",
    "LaneUnavailable",
    "ModelUnavailable",
    "MunimentError",
    "NotFound",
    "NotYetReadable",
    "RateLimited",
    "RetryPolicy",
    "StoreUnavailable",
    "TenantRequired",
    "TooLarge",
    "Unauthenticated",
    "Unavailable",
    "UnderWay",
    "WrongEnvironment",
    "connect",
    "each",
    "every",
    "open",
    "open_engine",
    "trim",
]

_HOMES = {
    "AsyncClient": "muniment.api.client.client",
    "Client": "muniment.api.client.sync",
    "RetryPolicy": "muniment.api.client.transport",
    "connect": "muniment.api.client.opening",
    "each": "muniment.engine.paging",
    "every": "muniment.engine.paging",
    "open": "muniment.api.client.opening",
    "open_engine": "muniment.engine.bootstrap",
    "trim": "muniment.engine.assemble.trim",
}
_ERRORS = "muniment.graph_schema.errors"  # the home of every other public name


def __getattr__(name: str) -> object:
    if name in __all__:
        return getattr(import_module(_HOMES.get(name, _ERRORS)), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
