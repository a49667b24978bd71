"""What an operator, or a tenant's own administrator, does on a server: keys, tenants, settings."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from muniment.api.client import readers
from muniment.api.client.reading import ReadOnlyClient, path_of
from muniment.api.client.wire import body_of, query_of
from muniment.engine.keys import ApiKey, NewKey, Role
from muniment.engine.retrieve.browse import Slice
from muniment.engine.webhooks.events import EventType
from muniment.engine.webhooks.subscriptions import NewWebhook, Webhook
from muniment.engine.write.spending import DayOfUse
from muniment.graph_schema.records import Tenant


class AdministeringClient(ReadOnlyClient):
    """The calls of administration; none of them is tried again where a connection broke."""

    async def create_key(
        self,
        role: Role | str,
        *,
        tenant: str | None = None,
        walls: Iterable[str] = (),
        name: str = "",
        expires_at: datetime | str | None = None,
    ) -> NewKey:
        """A new key, whose text is in this one answer; `tenant` is for operators. Raises Forbidden, TenantRequired."""
        body = body_of(role=role, tenant=tenant, walls=list(walls), name=name or None, expires_at=expires_at)
        return readers.record(NewKey, await self._do("POST", "/v1/keys", body, repeats=False))

    async def keys(self, *, tenant: str | None = None, limit: int = 50, cursor: str | None = None) -> Slice[ApiKey]:
        """The keys that the caller may see, oldest first, without secrets."""
        query = query_of(tenant=tenant, limit=limit, cursor=cursor)
        return readers.page(ApiKey, await self._get("/v1/keys", query))

    async def key(self, id: str) -> ApiKey:
        """One key. Raises NotFound."""
        return readers.record(ApiKey, await self._get(path_of("/v1/keys/{}", id)))

    async def revoke_key(self, id: str) -> ApiKey:
        """Makes a key useless at once. Raises NotFound."""
        return readers.record(ApiKey, await self._do("DELETE", path_of("/v1/keys/{}", id)))

    async def rotate_key(self, id: str, *, overlap_s: int = 3600) -> NewKey:
        """A new key for an old one, which goes on working for the overlap. Raises NotFound, Conflict."""
        path, body = path_of("/v1/keys/{}/rotate", id), body_of(overlap_s=overlap_s)
        return readers.record(NewKey, await self._do("POST", path, body, repeats=False))

    async def create_webhook(self, url: str, *, events: Iterable[EventType | str] = ()) -> NewWebhook:
        """A new subscription, whose secret is in this one answer; to all events where none is named. Raises Invalid."""
        told = await self._do("POST", "/v1/webhooks", body_of(url=url, events=list(events)), repeats=False)
        secret = told.pop("secret")
        return NewWebhook(webhook=readers.record(Webhook, told), secret=secret)

    async def webhooks(self, *, limit: int = 50, cursor: str | None = None) -> Slice[Webhook]:
        """The tenant's subscriptions, oldest first, without secrets."""
        return readers.page(Webhook, await self._get("/v1/webhooks", query_of(limit=limit, cursor=cursor)))

    async def webhook(self, id: str) -> Webhook:
        """One subscription. Raises NotFound."""
        return readers.record(Webhook, await self._get(path_of("/v1/webhooks/{}", id)))

    async def delete_webhook(self, id: str) -> Webhook:
        """Ends a subscription. Raises NotFound."""
        return readers.record(Webhook, await self._do("DELETE", path_of("/v1/webhooks/{}", id)))

    async def create_tenant(self, name: str) -> Tenant:
        """A new tenant. Raises Conflict where it is there already."""
        return readers.record(Tenant, await self._do("POST", "/v1/tenants", body_of(name=name), repeats=False))

    async def tenants(self, *, limit: int = 50, cursor: str | None = None) -> Slice[Tenant]:
        """Tenants by name."""
        return readers.page(Tenant, await self._get("/v1/tenants", query_of(limit=limit, cursor=cursor)))

    async def set_tenant(self, name: str, **settings: Any) -> Tenant:
        """A tenant with these settings changed; None takes one back to the default. Raises NotFound, Invalid."""
        return readers.record(Tenant, await self._do("PATCH", path_of("/v1/tenants/{}", name), settings))

    async def model_use(
        self, *, tenant: str | None = None, days: int = 31, cursor: str | None = None
    ) -> Slice[DayOfUse]:
        """What a language model cost on the last days it was used, newest first; `tenant` is for operators. Raises NotFound."""
        path = "/v1/model-use" if tenant is None else path_of("/v1/tenants/{}/model-use", tenant)
        told = await self._get(path, query_of(days=days, cursor=cursor))
        return Slice(items=tuple(map(readers.day_of_use, told["items"])), next_cursor=told["next_cursor"])

    async def settings(self) -> Tenant:
        """The key's own tenant, with its settings."""
        return readers.record(Tenant, await self._get("/v1/settings"))

    async def set_settings(self, **settings: Any) -> Tenant:
        """The key's own tenant with these settings changed; None takes one back to the default. Raises Invalid."""
        return readers.record(Tenant, await self._do("PATCH", "/v1/settings", settings))
