"""The client of a server without `await`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from muniment.api.client.client import DEFAULT_TIMEOUT_S, AsyncClient
from muniment.engine.loop_thread import LoopThread
from muniment.engine.sync import SyncMemory

if TYPE_CHECKING:
    from muniment.api.client.transport import RetryPolicy
    from muniment.engine.assemble.trim import Trimmed
    from muniment.engine.keys import ApiKey, NewKey, Role
    from muniment.engine.retrieve.browse import Slice
    from muniment.engine.webhooks.events import EventType
    from muniment.engine.webhooks.subscriptions import NewWebhook, Webhook
    from muniment.engine.write.spending import DayOfUse
    from muniment.graph_schema.records import Tenant


class Client(SyncMemory):
    """`AsyncClient` for plain code: the same verbs and records. A context manager; threads may share it."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        tenant: str = "",
        timeout_s: float = DEFAULT_TIMEOUT_S,
        retry: RetryPolicy | None = None,
    ) -> None:
        self._client = AsyncClient(url, key, tenant=tenant, timeout_s=timeout_s, retry=retry)
        super().__init__(self._client, LoopThread(name="muniment-client"))

    def __repr__(self) -> str:
        return repr(self._client).replace("AsyncClient", "Client", 1)

    def trim(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        soft: int,
        hard: int,
        on_overflow: str = "raise",
        keep_last: int = 4,
    ) -> Trimmed:
        """Chat history cut to a budget by the server."""
        return self._loop.run(
            self._client.trim(messages, soft=soft, hard=hard, on_overflow=on_overflow, keep_last=keep_last)
        )

    def create_key(
        self,
        role: Role | str,
        *,
        tenant: str | None = None,
        walls: Iterable[str] = (),
        name: str = "",
        expires_at: datetime | str | None = None,
    ) -> NewKey:
        """A new key, whose text is in this one answer; `tenant` is for operators. Raises Forbidden, TenantRequired."""
        made = self._client.create_key(role, tenant=tenant, walls=walls, name=name, expires_at=expires_at)
        return self._loop.run(made)

    def keys(self, *, tenant: str | None = None, limit: int = 50, cursor: str | None = None) -> Slice[ApiKey]:
        """The keys that the caller may see, oldest first, without secrets."""
        return self._loop.run(self._client.keys(tenant=tenant, limit=limit, cursor=cursor))

    def key(self, id: str) -> ApiKey:
        """One key. Raises NotFound."""
        return self._loop.run(self._client.key(id))

    def revoke_key(self, id: str) -> ApiKey:
        """Makes a key useless at once. Raises NotFound."""
        return self._loop.run(self._client.revoke_key(id))

    def rotate_key(self, id: str, *, overlap_s: int = 3600) -> NewKey:
        """A new key for an old one, which goes on working for the overlap. Raises NotFound, Conflict."""
        return self._loop.run(self._client.rotate_key(id, overlap_s=overlap_s))

    def create_webhook(self, url: str, *, events: Iterable[EventType | str] = ()) -> NewWebhook:
        """A new subscription, whose secret is in this one answer; to all events where none is named. Raises Invalid."""
        return self._loop.run(self._client.create_webhook(url, events=events))

    def webhooks(self, *, limit: int = 50, cursor: str | None = None) -> Slice[Webhook]:
        """The tenant's subscriptions, oldest first, without secrets."""
        return self._loop.run(self._client.webhooks(limit=limit, cursor=cursor))

    def webhook(self, id: str) -> Webhook:
        """One subscription. Raises NotFound."""
        return self._loop.run(self._client.webhook(id))

    def delete_webhook(self, id: str) -> Webhook:
        """Ends a subscription. Raises NotFound."""
        return self._loop.run(self._client.delete_webhook(id))

    def create_tenant(self, name: str) -> Tenant:
        """A new tenant. Raises Conflict where it is there already."""
        return self._loop.run(self._client.create_tenant(name))

    def tenants(self, *, limit: int = 50, cursor: str | None = None) -> Slice[Tenant]:
        """Tenants by name."""
        return self._loop.run(self._client.tenants(limit=limit, cursor=cursor))

    def set_tenant(self, name: str, **settings: Any) -> Tenant:
        """A tenant with these settings changed; None takes one back to the default. Raises NotFound, Invalid."""
        return self._loop.run(self._client.set_tenant(name, **settings))

    def model_use(self, *, tenant: str | None = None, days: int = 31, cursor: str | None = None) -> Slice[DayOfUse]:
        """What a language model cost on the last days it was used, newest first; `tenant` is for operators."""
        return self._loop.run(self._client.model_use(tenant=tenant, days=days, cursor=cursor))

    def settings(self) -> Tenant:
        """The key's own tenant, with its settings."""
        return self._loop.run(self._client.settings())

    def set_settings(self, **settings: Any) -> Tenant:
        """The key's own tenant with these settings changed; None takes one back to the default. Raises Invalid."""
        return self._loop.run(self._client.set_settings(**settings))

    def close(self) -> None:
        """Ends the connections, once the calls under way are over. Closing again changes nothing."""
        if not self._loop.is_closed:
            self._loop.close(self._client.close())

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
