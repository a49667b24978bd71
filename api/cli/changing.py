"""Commands that change what is held true, and take such changes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from muniment.api.cli.parts import (
    AsJson,
    Cursor,
    DryRun,
    Limit,
    Reason,
    Store,
    Target,
    Tenant,
    Walls,
    print_json,
    with_memory,
)
from muniment.api.cli.receipts import write
from muniment.api.cli.showing import say_next

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from muniment.engine.memory import Memory
    from muniment.graph_schema.records import Receipt

FactId = Annotated[str, typer.Argument(help="Id of a fact, preference or skill.")]


def register(app: typer.Typer) -> None:
    """Adds the commands to the program."""
    for command in (retract, end, correct, reject, pin, unpin, merge, unmerge, reviews, resolve, undo, forget):
        app.command()(command)
    app.command("forbid-merge")(forbid_merge)
    app.command("record-outcome")(record_outcome)


def retract(
    id: Annotated[str, typer.Argument(help="Id of a fact, an episode or an assertion.")],
    tenant: Tenant,
    reason: Reason = "",
    dry_run: DryRun = False,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Take back evidence; what it had closed opens again."""
    _change(tenant, store, wall, as_json, lambda m: m.retract(id, reason=reason, dry_run=dry_run))


def end(
    id: FactId,
    tenant: Tenant,
    at: Annotated[str | None, typer.Option("--at", help="Since when it is no longer so; now by default.")] = None,
    reason: Reason = "",
    dry_run: DryRun = False,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Say that a fact is no longer so."""
    _change(tenant, store, wall, as_json, lambda m: m.end(id, at, reason=reason, dry_run=dry_run))


def correct(
    id: FactId,
    tenant: Tenant,
    object: Annotated[str | None, typer.Option("--object", help="The right object, by name.")] = None,
    value: Annotated[bool, typer.Option("--value", help="The object is a bare value.")] = False,
    since: Annotated[str | None, typer.Option("--since", help="The right beginning.")] = None,
    until: Annotated[str | None, typer.Option("--until", help="The right end.")] = None,
    text: Annotated[str, typer.Option(help="The right sentence.")] = "",
    reason: Reason = "",
    dry_run: DryRun = False,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Say that a fact was told wrong, and what is right."""
    right: dict[str, str] | None = None
    if object is not None:
        right = {"value": object} if value else {"name": object}
    _change(
        tenant,
        store,
        wall,
        as_json,
        lambda m: m.correct(
            id, object=right, valid_at=since, invalid_at=until, text=text, reason=reason, dry_run=dry_run
        ),
    )


def reject(
    id: FactId,
    tenant: Tenant,
    reason: Reason = "",
    dry_run: DryRun = False,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Say that a fact is not so; telling it again does not bring it back."""
    _change(tenant, store, wall, as_json, lambda m: m.reject(id, reason=reason, dry_run=dry_run))


def record_outcome(
    id: Annotated[str, typer.Argument(help="Id of a skill.")],
    ok: Annotated[bool, typer.Option("--worked/--failed", help="Whether it went well.")],
    tenant: Tenant,
    reason: Reason = "",
    dry_run: DryRun = False,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Count one use of a skill that went well or not."""
    _change(tenant, store, wall, as_json, lambda m: m.record_outcome(id, ok, reason=reason, dry_run=dry_run))


def pin(
    id: Annotated[str, typer.Argument(help="Id of a memory.")],
    tenant: Tenant,
    reason: Reason = "",
    dry_run: DryRun = False,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Always show a memory."""
    _change(tenant, store, wall, as_json, lambda m: m.pin(id, reason=reason, dry_run=dry_run))


def unpin(
    id: Annotated[str, typer.Argument(help="Id of a memory.")],
    tenant: Tenant,
    reason: Reason = "",
    dry_run: DryRun = False,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Take the pin off."""
    _change(tenant, store, wall, as_json, lambda m: m.unpin(id, reason=reason, dry_run=dry_run))


def merge(
    ids: Annotated[list[str], typer.Argument(help="Ids of entities; the first stays.")],
    tenant: Tenant,
    reason: Reason = "",
    dry_run: DryRun = False,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Say that entities are one."""
    _change(tenant, store, wall, as_json, lambda m: m.merge(ids, reason=reason, dry_run=dry_run))


def unmerge(
    id: Annotated[str, typer.Argument(help="Id of the merge, as its receipt names it.")],
    tenant: Tenant,
    reason: Reason = "",
    dry_run: DryRun = False,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Take a merge apart."""
    _change(tenant, store, wall, as_json, lambda m: m.unmerge(id, reason=reason, dry_run=dry_run))


def forbid_merge(
    a: Annotated[str, typer.Argument(help="Id of an entity.")],
    b: Annotated[str, typer.Argument(help="Id of another.")],
    tenant: Tenant,
    reason: Reason = "",
    dry_run: DryRun = False,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Say that two entities are never one."""
    _change(tenant, store, wall, as_json, lambda m: m.forbid_merge(a, b, reason=reason, dry_run=dry_run))


def reviews(
    tenant: Tenant,
    status: Annotated[str, typer.Option(help="open or resolved.")] = "open",
    kind: Annotated[str, typer.Option(help="Only of this kind: the rule that raised it.")] = "",
    limit: Limit = 50,
    cursor: Cursor = None,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """What a person should decide."""
    from datetime import UTC, datetime

    from muniment.api import shapes

    found = with_memory(
        Target(tenant=tenant, store=store, walls=wall or ()),
        lambda memory: memory.reviews(status=status, kind=kind, limit=limit, cursor=cursor),
    )
    at = datetime.now(UTC)
    shown = shapes.items((shapes.review(one, at=at) for one in found.items), found.next_cursor)
    if as_json:
        print_json(shown)
        return
    from muniment.api.cli import tables

    tables.table(
        ["id", "why", "choice", "effect"],
        (
            [review["id"], review["kind"], choice["choice"], choice["effect"]]
            for review in shown["items"]
            for choice in review["choices"]
        ),
    )
    say_next(shown)


def resolve(
    id: Annotated[str, typer.Argument(help="Id of a review.")],
    choice: Annotated[str, typer.Argument(help="One of its choices.")],
    tenant: Tenant,
    reason: Reason = "",
    dry_run: DryRun = False,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Decide a review."""
    _change(tenant, store, wall, as_json, lambda m: m.resolve_review(id, choice, reason=reason, dry_run=dry_run))


def undo(
    receipt: Annotated[str, typer.Argument(help="Id of a receipt.")],
    tenant: Tenant,
    reason: Reason = "",
    dry_run: DryRun = False,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Take back one write, whole."""
    _change(tenant, store, wall, as_json, lambda m: m.undo(receipt, reason=reason, dry_run=dry_run))


def forget(
    ids: Annotated[list[str], typer.Argument(help="Ids of memories.")],
    tenant: Tenant,
    reason: Reason = "",
    dry_run: DryRun = False,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Hide memories softly: gone from every answer, kept for undo and audit."""
    _change(tenant, store, wall, as_json, lambda m: m.forget(ids, reason=reason, dry_run=dry_run))


def _change(
    tenant: str,
    store: str | None,
    walls: list[str] | None,
    as_json: bool,
    work: Callable[[Memory], Awaitable[Receipt]],
) -> None:
    target = Target(tenant=tenant, store=store, walls=walls or ())
    write(target, work, as_json=as_json)
