"""Commands that erase for good, and forbid erasing."""

from __future__ import annotations

from typing import Annotated, Any

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
    group,
    print_json,
    say,
    with_memory,
)
from muniment.api.cli.showing import say_next
from muniment.graph_schema.errors import Invalid

holds = group("Legal holds: what is under one cannot be erased.")

Episode = Annotated[str | None, typer.Option("--episode", help="Id of an episode.")]
Fact = Annotated[str | None, typer.Option("--fact", help="Id of a fact.")]
Subject = Annotated[str | None, typer.Option("--subject", help="Name or id of an entity.")]
User = Annotated[str | None, typer.Option("--user", help="All of one user.")]
Session = Annotated[str | None, typer.Option("--session", help="All of one session.")]
External = Annotated[str | None, typer.Option("--id", help="Your own id of an episode.")]
OfWall = Annotated[str | None, typer.Option("--of-wall", help="All that stands in a closed area.")]
Everything = Annotated[bool, typer.Option("--everything", help="All of the tenant.")]


def register(app: typer.Typer) -> None:
    """Adds the commands to the program."""
    app.command()(purge)
    app.add_typer(holds, name="hold")


def purge(
    tenant: Tenant,
    episode: Episode = None,
    external_id: External = None,
    fact: Fact = None,
    subject: Subject = None,
    user: User = None,
    session: Session = None,
    of_wall: OfWall = None,
    everything: Everything = False,
    reason: Reason = "",
    when_released: Annotated[bool, typer.Option("--when-released", help="Wait for the end of a hold.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    dry_run: DryRun = False,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Erase for good, with everything derived, and print the certificate; it cannot be undone."""
    from muniment.api import shapes

    scope = _scope(episode, external_id, fact, subject, user, session, of_wall, everything)
    if not (yes or dry_run):
        typer.confirm(f"Erase {_told(scope)} of {tenant} for good?", abort=True, err=True)
    made = with_memory(
        Target(tenant=tenant, store=store, walls=_seen(wall, of_wall)),
        lambda memory: memory.purge(scope, reason=reason, when_released=when_released, dry_run=dry_run),
    )
    _show(shapes.certificate(made), as_json=as_json)


@holds.command("place")
def hold_place(
    tenant: Tenant,
    reason: Annotated[str, typer.Option("--reason", help="On what ground.")],
    episode: Episode = None,
    external_id: External = None,
    fact: Fact = None,
    subject: Subject = None,
    user: User = None,
    session: Session = None,
    of_wall: OfWall = None,
    everything: Everything = False,
    dry_run: DryRun = False,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Forbid erasing anything of a scope."""
    from muniment.api import shapes

    scope = _scope(episode, external_id, fact, subject, user, session, of_wall, everything)
    made = with_memory(
        Target(tenant=tenant, store=store, walls=_seen(wall, of_wall)),
        lambda memory: memory.hold(scope, reason=reason, dry_run=dry_run),
    )
    _show(shapes.hold(made), as_json=as_json)


@holds.command("list")
def hold_list(
    tenant: Tenant,
    include_released: Annotated[bool, typer.Option("--include-released", help="Also those that ended.")] = False,
    limit: Limit = 50,
    cursor: Cursor = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Holds, oldest first."""
    from muniment.api import shapes
    from muniment.api.cli import tables

    found = with_memory(
        Target(tenant=tenant, store=store),
        lambda m: m.holds(include_released=include_released, limit=limit, cursor=cursor),
    )
    shown = shapes.items(map(shapes.hold, found.items), found.next_cursor)
    if as_json:
        print_json(shown)
        return
    tables.table(
        ["id", "scope", "reason", "actor", "since", "until"],
        (
            [h["id"], _told(h["scope"]), h["reason"], h["actor"], h["created_at"], h["released_at"]]
            for h in shown["items"]
        ),
    )
    say_next(shown)


@holds.command("release")
def hold_release(
    id: Annotated[str, typer.Argument(help="Id of the hold.")],
    tenant: Tenant,
    reason: Reason = "",
    dry_run: DryRun = False,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """End a hold; purges that waited for it run now."""
    from muniment.api import shapes

    ended = shapes.released(
        with_memory(
            Target(tenant=tenant, store=store), lambda memory: memory.release(id, reason=reason, dry_run=dry_run)
        )
    )
    if as_json:
        print_json(ended)
        return
    what = "would be released" if dry_run else "is released"
    say(f"hold {id} {what}; {len(ended['purged'])} purges had waited for it")


def _scope(
    episode: str | None,
    external_id: str | None,
    fact: str | None,
    subject: str | None,
    user: str | None,
    session: str | None,
    wall: str | None,
    everything: bool,
) -> dict[str, Any]:
    """The scope that the options name. Raises Invalid where they name none or several."""
    named = {
        "episode": episode,
        "external_id": external_id,
        "fact": fact,
        "subject": subject,
        "user": user,
        "session": session,
        "wall": wall,
        "tenant": everything or None,
    }
    scope = {name: value for name, value in named.items() if value is not None}
    if not scope:
        raise Invalid("say what: --episode, --id, --fact, --subject, --user, --session, --of-wall or --everything")
    return scope


def _seen(walls: list[str] | None, of_wall: str | None) -> list[str]:
    return sorted({*(walls or ()), *([of_wall] if of_wall else ())})


def _told(scope: dict[str, Any]) -> str:
    return ", ".join("everything" if name == "tenant" else f"{name} {value}" for name, value in scope.items())


def _show(record: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(record)
        return
    from muniment.api.cli import tables

    tables.record(record)
