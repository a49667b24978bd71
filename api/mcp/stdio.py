"""The tools over standard input and output: for a program that starts this one and is the only one to talk to it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp.server.stdio import stdio_server

from muniment.api.auth import Caller, caller_of
from muniment.api.context import request_id_from
from muniment.api.mcp.server import Context, Visit, memory_server
from muniment.api.service import Service
from muniment.engine.keys import Role, walls_of
from muniment.graph_schema.errors import Forbidden

if TYPE_CHECKING:
    from muniment.engine.bootstrap import Engine

LOCAL = "local"
"""Stands in the audit chain (`key:local`) for who started the program without a key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Whom the program acts for: the holder of a key, or the person who may open the store anyway."""

    tenant: str = ""
    role: Role = Role.CURATOR
    walls: frozenset[str] = frozenset()
    key: str = ""


async def serve_stdio(engine: Engine, identity: Identity) -> None:
    """Answers until standard input ends.

    Raises Unauthenticated for a key that is none, Forbidden for one of another tenant. Without a key the tenant must be a
    name.
    """
    service = Service(engine)
    who = _who(service, identity)
    await who()  # fails at the start, not at the first question

    async def receive(context: Context) -> Visit:
        caller = await who()
        service.calls.count(caller.key_id)
        return Visit(service=service, caller=caller, request_id=request_id_from(None))

    server = memory_server(receive)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def _who(service: Service, identity: Identity) -> Callable[[], Awaitable[Caller]]:
    """Finds the caller anew for every message, so that a revoked key stops working at once."""

    async def by_key() -> Caller:
        caller = caller_of(await service.keys.authenticate(identity.key))
        if identity.tenant and identity.tenant != caller.tenant:
            raise Forbidden("the key is of another tenant than the one named")
        return caller

    async def by_hand() -> Caller:
        return Caller(key_id=LOCAL, tenant=identity.tenant, role=identity.role, walls=walls_of(identity.walls))

    return by_key if identity.key else by_hand
