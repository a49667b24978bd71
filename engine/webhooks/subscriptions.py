"""Subscriptions of a tenant: who is told of what. They are records of the database, as keys are, and in no export."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from muniment.engine.ports.clock import Clock, system_clock
from muniment.engine.ports.store import Database, DocumentQuery, Unit
from muniment.engine.retrieve.browse import Listing, Slice, list_documents, seen_by
from muniment.engine.system import record, system_store, tenant_store
from muniment.engine.webhooks.addresses import Network, url_in
from muniment.engine.webhooks.events import EventType
from muniment.engine.write.audit import AUDIT
from muniment.engine.write.units import in_unit
from muniment.graph_schema.errors import Conflict, Invalid, NotFound
from muniment.graph_schema.records import Document
from muniment.graph_schema.temporal import to_ms

WEBHOOK: Final = "webhook"
MOST: Final = 20
"""Subscriptions that a tenant may have."""
SECRET_MARK: Final = "whsec_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """One subscription; its secret is not shown again."""

    id: str
    url: str
    events: tuple[str, ...]
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NewWebhook:
    """A subscription just made, with the secret that signs its deliveries, shown this once."""

    webhook: Webhook
    secret: str = field(repr=False)


class Webhooks:
    """The subscriptions of one tenant."""

    def __init__(
        self, database: Database, tenant: str, *, networks: Sequence[Network] = (), clock: Clock = system_clock
    ) -> None:
        self._system = system_store(database)
        self._store = tenant_store(database, tenant)
        self._tenant = tenant
        self._networks = networks
        self._clock = clock

    async def create(self, url: str, events: Iterable[str] = (), *, actor: str) -> NewWebhook:
        """A new subscription, to all events where none is named; it hears of what happens from now on.

        Raises Invalid, Conflict where the tenant has as many as it may.
        """
        checked, wanted = url_in(url, allowed=self._networks), _events(events)
        now = self._clock()
        secret = SECRET_MARK + base64.b64encode(secrets.token_bytes(32)).decode()
        cursor = await self._store.last_seq(AUDIT)

        async def work(unit: Unit) -> Document:
            there = await unit.documents(DocumentQuery(kind=WEBHOOK, ref=self._tenant, limit=MOST))
            if len(there) >= MOST:
                raise Conflict(f"the tenant has {MOST} webhooks, as many as it may: delete one")
            document = Document(
                kind=WEBHOOK,
                id="w_" + secrets.token_hex(10),
                ref=self._tenant,
                seq=max(to_ms(now), await unit.last_seq(WEBHOOK) + 1),
                created_at=now,
                body={"url": checked, "events": wanted, "secret": secret, "cursor": cursor},
            )
            await unit.put_documents([document])
            return document

        document = await in_unit(self._system, work)
        await self._audit("webhooks.create", document.id, actor=actor)
        return NewWebhook(webhook=_webhook_of(document), secret=secret)

    async def list(self, *, limit: int = MOST, cursor: str | None = None) -> Slice[Webhook]:
        """Subscriptions, oldest first. Raises Invalid for another list's cursor."""
        listing = Listing(name="webhooks", whose=seen_by(self._store), limit=limit, cursor=cursor)
        return await list_documents(self._system, DocumentQuery(kind=WEBHOOK, ref=self._tenant), listing, _webhook_of)

    async def get(self, id: str) -> Webhook:
        """One subscription. Raises NotFound, for another tenant's too."""
        return _webhook_of(await self._find(id))

    async def delete(self, id: str, *, actor: str) -> Webhook:
        """Ends a subscription; deliveries that wait are not made any more. Raises NotFound."""
        gone = await self._find(id)
        await in_unit(self._system, lambda unit: unit.drop_documents(WEBHOOK, [id]))
        await self._audit("webhooks.delete", id, actor=actor)
        return _webhook_of(gone)

    async def _find(self, id: str) -> Document:
        # Among its own: to read another tenant's and then refuse it takes longer than to find none.
        rows = await self._system.documents(DocumentQuery(kind=WEBHOOK, ref=self._tenant, limit=MOST))
        found = next((row for row in rows if row.id == id), None)
        if found is None:
            raise NotFound.of("webhook", id)
        return found

    async def _audit(self, verb: str, id: str, *, actor: str) -> None:
        await record(self._store, at=self._clock(), actor=actor, verb=verb, outcome="done", ids=(id,))


def _events(names: Iterable[str]) -> list[str]:
    wanted = list(dict.fromkeys(names))
    for name in wanted:
        if name not in set(EventType):
            raise Invalid(f"events holds {name!r}: use some of {', '.join(EventType)}", field="events")
    return wanted or [type.value for type in EventType]


def _webhook_of(document: Document) -> Webhook:
    return Webhook(
        id=document.id,
        url=str(document.body["url"]),
        events=tuple(document.body["events"]),
        created_at=document.created_at,
    )
