"""Commands for a tenant's webhooks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from muniment.api.cli.parts import Absent, AsJson, Store, Tenant, group, print_json, say, with_engine

if TYPE_CHECKING:
    from muniment.engine.bootstrap import Engine
    from muniment.engine.webhooks.subscriptions import Webhooks

Result = TypeVar("Result")

webhooks = group("Who is told of what happens to a tenant; the service must run with MUNIMENT_WEBHOOKS.")


def register(app: typer.Typer) -> None:
    """Adds the commands to the program."""
    app.add_typer(webhooks, name="webhooks")


@webhooks.command("create")
def webhooks_create(
    url: Annotated[str, typer.Argument(help="An https:// address that is public.")],
    tenant: Tenant,
    event: Annotated[list[str] | None, typer.Option("--event", help="Such as receipt.written; repeat it.")] = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Tell a receiver of events, of all where none is named; the secret is shown this once."""
    from muniment.api import shapes_admin

    made = _on(store, tenant, lambda own: own.create(url, event or (), actor="cli"), absent=Absent.MADE)
    if as_json:
        print_json({**shapes_admin.webhook(made.webhook), "secret": made.secret})
        return
    say(f"webhook {made.webhook.id}; its secret, shown this once:")
    say(made.secret)


@webhooks.command("list")
def webhooks_list(tenant: Tenant, store: Store = None, as_json: AsJson = False) -> None:
    """Webhooks, oldest first; never their secrets."""
    from muniment.api import shapes, shapes_admin
    from muniment.api.cli import tables

    found = _on(store, tenant, lambda own: own.list())
    shown = shapes.items(map(shapes_admin.webhook, found))
    if as_json:
        print_json(shown)
    else:
        rows = ([one["id"], one["url"], ", ".join(one["events"]), one["created_at"]] for one in shown["items"])
        tables.table(["id", "url", "events", "since"], rows)


@webhooks.command("delete")
def webhooks_delete(
    id: Annotated[str, typer.Argument(help="Id of the webhook.")],
    tenant: Tenant,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Tell it no more; deliveries that wait are not made."""
    from muniment.api import shapes_admin

    gone = _on(store, tenant, lambda own: own.delete(id, actor="cli"))
    if as_json:
        print_json(shapes_admin.webhook(gone))
    else:
        say(f"webhook {gone.id} is deleted")


def _on(
    store: str | None, tenant: str, work: Callable[[Webhooks], Awaitable[Result]], absent: Absent = Absent.REFUSED
) -> Result:
    async def on(engine: Engine) -> Result:
        from muniment.engine.webhooks.addresses import networks_in
        from muniment.engine.webhooks.subscriptions import Webhooks

        return await work(Webhooks(engine.database, tenant, networks=networks_in(engine.settings.webhook_networks)))

    return with_engine(store, on, absent=absent)
