"""Keys, tenants and settings over the client, with and without `await`."""

from __future__ import annotations

import inspect
from uuid import uuid4

import pytest

from muniment import AsyncClient, Client
from muniment.api.client.administering import AdministeringClient
from muniment.engine.extract.assisted.purse import Usage
from muniment.engine.keys import Role
from muniment.engine.write.spending import Budget
from muniment.graph_schema.errors import Conflict, Forbidden, NotFound, Unauthenticated
from tests.api.client.live import Live


async def test_an_operator_makes_tenants_and_their_keys(server: Live) -> None:
    tenant = f"t-{uuid4().hex[:12]}"
    async with AsyncClient(server.url, server.key("", "operator")) as operator:
        assert (await operator.create_tenant(tenant)).name == tenant
        assert (await operator.set_tenant(tenant, log_only=True)).settings == {"log_only": True}
        assert tenant in [one.name for one in await operator.tenants()]
        with pytest.raises(Conflict):
            await operator.create_tenant(tenant)
        with pytest.raises(Forbidden):
            await operator.facts()
        made = await operator.create_key(Role.ADMIN, tenant=tenant, walls=["deal"], name="ours")
        assert made.key in await operator.keys(tenant=tenant)
        assert made.text not in repr(made)
    async with AsyncClient(server.url, made.text) as admin:
        assert (await admin.settings()).settings == {"log_only": True}
        assert (await admin.set_settings(log_only=None)).settings == {}


def test_an_administrator_turns_keys_over(server: Live) -> None:
    with Client(server.url, server.key(f"t-{uuid4().hex[:12]}")) as admin:
        made = admin.create_key("reader")
        turned = admin.rotate_key(made.key.id, overlap_s=60)
        assert admin.key(made.key.id).expires_at is not None
        assert admin.revoke_key(turned.key.id).revoked_at is not None
        with pytest.raises(NotFound):
            admin.key("0123456789abcdef")
        found = admin.keys()
        assert [key.role for key in found] == [Role.ADMIN, Role.READER, Role.READER]
    with Client(server.url, turned.text) as reader, pytest.raises(Unauthenticated):
        reader.facts()


def test_what_language_models_cost_is_told_to_administrators_and_operators(server: Live) -> None:
    ours, theirs = f"t-{uuid4().hex[:12]}", f"t-{uuid4().hex[:12]}"
    keys = [server.key(tenant) for tenant in (ours, theirs)]
    used = Usage(calls=2, tokens_in=1_000, tokens_out=500, rejected_statements=1)
    server.spend(ours, used, Budget(price_in=2.0, price_out=4.0))
    with Client(server.url, keys[0]) as admin, Client(server.url, server.key("", "operator")) as operator:
        (day,) = admin.model_use(days=1)
        assert (day.usage, day.cost, day.set_aside) == (used, 0.004, 0)
        assert list(operator.model_use(tenant=ours)) == [day]
        with pytest.raises(Forbidden):
            admin.model_use(tenant=theirs)
        with pytest.raises(Forbidden):
            operator.model_use()
        with pytest.raises(NotFound):
            operator.model_use(tenant="nobody-here")
    with Client(server.url, keys[1]) as other:
        assert list(other.model_use()) == []


def test_both_clients_have_the_same_calls() -> None:
    for name, call in inspect.getmembers(AdministeringClient, inspect.isfunction):
        if name in vars(AdministeringClient) and not name.startswith("_"):
            assert inspect.signature(call).parameters == inspect.signature(getattr(Client, name)).parameters


def test_an_administrator_says_who_is_told(server: Live) -> None:
    with Client(server.url, server.key(f"t-{uuid4().hex[:12]}")) as admin:
        made = admin.create_webhook("https://crm.example/hook", events=["job.failed"])
        assert made.secret.startswith("whsec_")
        assert made.secret not in repr(made)
        assert list(admin.webhooks()) == [made.webhook] == [admin.webhook(made.webhook.id)]
        assert made.webhook.events == ("job.failed",)
        assert admin.delete_webhook(made.webhook.id) == made.webhook
        with pytest.raises(NotFound):
            admin.webhook(made.webhook.id)
