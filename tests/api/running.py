"""A service under test, and keys of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from starlette.testclient import TestClient

from muniment.api.app import create_app
from muniment.engine.keys import Grant, Role
from muniment.engine.settings import read_settings
from tests.api.calling import Caller


class Running:
    """A running service."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def key(self, tenant: str, role: str = "admin", *walls: str) -> str:
        """The text of a new key."""
        app: Any = self.client.app
        grant = Grant(tenant=tenant, role=Role(role), walls=frozenset(walls))
        assert self.client.portal is not None
        return str(self.client.portal.call(lambda: app.state.service.keys.create(grant, actor="test")).text)

    def caller(self, tenant: str, role: str = "admin", *walls: str) -> Caller:
        return Caller(self.client, self.key(tenant, role, *walls))


@contextmanager
def serving(store_url: str, **settings: Any) -> Iterator[Running]:
    """The service on a store."""
    app = create_app(settings=read_settings(store_url=store_url, **{"failed_keys_per_minute": 100_000, **settings}))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield Running(client)
