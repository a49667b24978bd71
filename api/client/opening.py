"""One way in for both: a store URL opens the embedded engine, an http(s) URL the client of a server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from muniment.engine.sync import SyncEngine
from muniment.engine.verbs import Tenants, Verbs
from muniment.graph_schema.errors import Invalid

if TYPE_CHECKING:
    from muniment.engine.assemble.tokens import TokenCounter
    from muniment.engine.settings import Settings

_SERVER_SCHEMES: Final = frozenset({"http", "https"})
DEFAULT_TIMEOUT_S: Final = 60.0


@asynccontextmanager
async def connect(
    url: str | None = None,
    *,
    tenant: str,
    key: str = "",
    actor: str = "anonymous",
    walls: Iterable[str] = (),
    timeout_s: float = DEFAULT_TIMEOUT_S,
    settings: Settings | None = None,
    count_tokens: TokenCounter | None = None,
) -> AsyncIterator[Verbs]:
    """One tenant's memory at a URL: `async with muniment.connect("sqlite:///memory.db", tenant="acme") as memory`.

    `sqlite://…`, `neo4j://…` and `bolt://…` open the embedded engine (without a URL the store of the settings), where
    `actor` and `walls` say who calls and `count_tokens` counts for the budgets of blocks. `https://…` is a server: `key` is
    needed and says both itself, and it counts as its own settings say. Raises what `open_engine` raises, Invalid for a URL or
    key that is none, or a counter for a server.
    """
    tenants = await _open(url, key=key, timeout_s=timeout_s, settings=settings, count_tokens=count_tokens)
    try:
        yield tenants.for_tenant(tenant, actor=actor, walls=walls)
    finally:
        await tenants.close()


def open(
    url: str | None = None,
    *,
    key: str = "",
    timeout_s: float = DEFAULT_TIMEOUT_S,
    settings: Settings | None = None,
    count_tokens: TokenCounter | None = None,
) -> SyncEngine:
    """The same without `await`: `with muniment.open("sqlite:///memory.db") as engine: engine.for_tenant("acme")`."""
    return SyncEngine(_open(url, key=key, timeout_s=timeout_s, settings=settings, count_tokens=count_tokens))


async def _open(
    url: str | None, *, key: str, timeout_s: float, settings: Settings | None, count_tokens: TokenCounter | None
) -> Tenants:
    if url is not None and urlsplit(url).scheme in _SERVER_SCHEMES:
        if count_tokens is not None:
            raise Invalid("count_tokens is not sent to a server: set MUNIMENT_COUNT_TOKENS there", field="count_tokens")
        from muniment.api.client.client import AsyncClient  # brings httpx, which the embedded engine does not need

        return AsyncClient(url, key, timeout_s=timeout_s)
    from muniment.engine.bootstrap import open_engine

    return await open_engine(url, settings=settings, count_tokens=count_tokens)
