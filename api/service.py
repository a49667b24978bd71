"""What the routes share: the opened engine and what hangs on it, made once with the application."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection

from muniment.api.auth import Caller, Throttle
from muniment.api.health import Health
from muniment.api.metrics import Metrics
from muniment.api.oidc.tokens import token_verifier
from muniment.engine.answers import KeptAnswers
from muniment.engine.keys import KeyRing
from muniment.engine.ports.clock import Clock, system_clock
from muniment.engine.system import record, system_store, tenant_store
from muniment.graph_schema.errors import RateLimited

if TYPE_CHECKING:
    from muniment.engine.bootstrap import Engine
    from muniment.engine.memory import Memory


class Service:
    """One running service."""

    def __init__(self, engine: Engine, *, clock: Clock = system_clock) -> None:
        settings = engine.settings
        self.engine = engine
        self.settings = settings
        self.clock = clock
        self.keys = KeyRing(engine.database, clock=clock)
        self.tokens = token_verifier(settings)
        keep = timedelta(hours=settings.idempotency_hours)
        self.answers = KeptAnswers(engine.database, keep=keep, clock=clock, turns=engine.tools.turns)
        self.calls = Throttle(settings.rate_limit_per_minute)
        self.failures = Throttle(settings.failed_keys_per_minute)
        self.metrics = Metrics(most_tenants=settings.metrics_tenants)
        self.health = Health(engine.database, settings, clock=clock)

    def memory(self, caller: Caller) -> Memory:
        """The caller's tenant, behind the caller's walls; `record_missing` notes what was not found, reads included."""
        return self.engine.for_tenant(caller.tenant, actor=caller.actor, walls=caller.walls, notes_missing=False)

    async def record_unknown(self, *, verb: str, request_id: str) -> None:
        """Notes a call without a good key in the database's own audit chain."""
        await record(
            system_store(self.engine.database),
            at=self.clock(),
            actor="anonymous",
            verb=verb,
            outcome="refused",
            code="unauthenticated",
            request_id=request_id,
        )

    async def record_refused(self, caller: Caller, *, verb: str, code: str, request_id: str) -> None:
        """Notes a refused try in the chain of the caller's tenant, or of the database for a caller of none."""
        if caller.tenant:
            await self.memory(caller).refused(verb, detail={"code": code, "request_id": request_id})
            return
        await record(
            system_store(self.engine.database),
            at=self.clock(),
            actor=caller.actor,
            verb=verb,
            outcome="refused",
            code=code,
            request_id=request_id,
        )

    async def record_seen(self, caller: Caller, *, verb: str, route: str, ids: Iterable[str]) -> None:
        """Notes what a key of administration looked at: which route and which id, never what stood in the answer."""
        database = self.engine.database
        await record(
            tenant_store(database, caller.tenant) if caller.tenant else system_store(database),
            at=self.clock(),
            actor=caller.actor,
            verb=verb,
            outcome="done",
            ids=tuple(ids),
            route=route,
        )

    async def record_missing(self, caller: Caller, *, verb: str, code: str, request_id: str) -> None:
        """Notes a try at what is not there, or is another's, in the caller's chain: the same row for both, up to a number
        a minute."""
        try:
            self.failures.count(caller.key_id)
        except RateLimited:
            return
        await self.record_refused(caller, verb=verb, code=code, request_id=request_id)


def service_of(connection: HTTPConnection) -> Service:
    """The service that a request belongs to."""
    service: Service = connection.app.state.service
    return service
