"""Commands of who runs the database: tenants, keys, audit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muniment.api.cli.parts import (
    Absent,
    AsJson,
    Commands,
    Cursor,
    Limit,
    Store,
    Target,
    Tenant,
    print_json,
    say,
    with_engine,
    with_memory,
)
from muniment.api.cli.showing import say_next
from muniment.graph_schema.errors import Invalid

if TYPE_CHECKING:
    from muniment.engine.bootstrap import Engine
    from muniment.engine.keys import ApiKey, NewKey
    from muniment.engine.retrieve.browse import Slice

ACTOR = "cli"
EXIT_BROKEN_CHAIN = 1

KeysOf = Annotated[str | None, typer.Option("--tenant", "-t", help="Only this tenant's.")]

jobs = typer.Typer(help="Accepted work and its state.", invoke_without_command=True)
tenants = typer.Typer(cls=Commands, help="Tenants of this database.", invoke_without_command=True)
keys = typer.Typer(
    cls=Commands, help="API keys: each of one tenant, with a role, walls and an end.", invoke_without_command=True
)
audit = typer.Typer(help="Who did or tried what.", invoke_without_command=True)


def register(app: typer.Typer) -> None:
    """Adds the commands to the program."""
    app.add_typer(tenants, name="tenants")
    app.add_typer(keys, name="keys")
    app.add_typer(audit, name="audit")
    app.add_typer(jobs, name="jobs")


@tenants.callback()
def tenants_bare(
    ctx: typer.Context, limit: Limit = 50, cursor: Cursor = None, store: Store = None, as_json: AsJson = False
) -> None:
    """Tenants of this database; without a further command they are listed, by name."""
    if ctx.invoked_subcommand is None:
        tenants_list(limit=limit, cursor=cursor, store=store, as_json=as_json)


@tenants.command("list")
def tenants_list(limit: Limit = 50, cursor: Cursor = None, store: Store = None, as_json: AsJson = False) -> None:
    """Tenants by name."""
    from muniment.api import shapes
    from muniment.api.cli import tables
    from muniment.engine.tenants import list_tenants

    found = with_engine(store, lambda engine: list_tenants(engine.database, limit=limit, cursor=cursor))
    shown = shapes.items(map(shapes.tenant, found.items), found.next_cursor)
    if as_json:
        print_json(shown)
    else:
        tables.table(["name", "since"], ([t["name"], t["created_at"]] for t in shown["items"]))
        say_next(shown)


@tenants.command("create")
def tenants_create(
    name: Annotated[str, typer.Argument(help="Letters, digits, '_', '.' and '-'.")],
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Make a tenant; remembering for one makes it too."""
    from muniment.api import shapes
    from muniment.engine.tenants import create_tenant

    made = with_engine(store, lambda engine: create_tenant(engine.database, name), absent=Absent.MADE)
    if as_json:
        print_json(shapes.tenant(made))
    else:
        say(f"tenant {made.name} made; next: muniment keys create --tenant {made.name} --role writer")


@tenants.command("show")
def tenants_show(
    name: Annotated[str, typer.Argument(help="Name of the tenant.")],
    days: Annotated[int, typer.Option(min=1, max=366, help="Days of language model use.")] = 31,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """A tenant's settings, and what its use of a language model cost, by day."""
    from muniment.api import shapes
    from muniment.api.cli import tables
    from muniment.engine.tenants import find_tenant

    async def work(engine: Engine) -> dict[str, Any]:
        found = await find_tenant(engine.database, name)
        used = await engine.for_tenant(name).model_use(limit=days)
        return {**shapes.tenant(found), "model_use": [shapes.day_of_use(one) for one in used]}

    shown = with_engine(store, work)
    if as_json:
        print_json(shown)
        return
    say(f"tenant {shown['name']}, since {shown['created_at']}")
    tables.table(["setting", "value"], _flat(shown["settings"]), title="settings of its own")
    tables.table(
        ["day", "calls", "tokens in", "tokens out", "cost", "failed", "repaired", "rejected"],
        (
            [
                d["day"], d["calls"], d["tokens_in"], d["tokens_out"], f"{d['cost']:.4f}", d["failed_calls"],
                d["repaired_answers"], f"{d['rejected_answers']} answers, {d['rejected_statements']} statements",
            ]
            for d in shown["model_use"]
        ),
        title="language model",
    )  # fmt: skip


@tenants.command("set")
def tenants_set(
    name: Annotated[str, typer.Argument(help="Name of the tenant.")],
    changes: Annotated[
        list[str],
        typer.Argument(
            metavar="SETTING=VALUE…",
            help="log_only=on|off, language_model=on|off, secrets= and personal_data=refuse|redact|keep, ranking.WEIGHT=NUMBER, "
            "context.language=en|zh, context.headings.SECTION=WORDS; =default takes one back.",
        ),
    ],
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Change a tenant's settings, from its next call on.

    log_only: what is told is read and shown (muniment explain TRACE), and nothing is stored. language_model: whether its texts
    may go to the configured endpoint. secrets, personal_data: what happens to texts that hold such.
    ranking: how its memories are ranked; context: the words of its context blocks.
    """
    from muniment.api import shapes
    from muniment.engine.tenants import set_tenant_settings

    given = _settings(changes)
    changed = with_engine(store, lambda engine: set_tenant_settings(engine.database, name, given, actor=ACTOR))
    shown = shapes.tenant(changed)
    if as_json:
        print_json(shown)
    else:
        say(f"tenant {shown['name']}: " + (", ".join(f"{k} {v}" for k, v in _flat(shown["settings"])) or "defaults"))


@keys.callback()
def keys_bare(
    ctx: typer.Context,
    tenant: KeysOf = None,
    limit: Limit = 50,
    cursor: Cursor = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """API keys: each of one tenant, with a role, walls and an end; without a further command they are listed."""
    if ctx.invoked_subcommand is None:
        keys_list(tenant=tenant, limit=limit, cursor=cursor, store=store, as_json=as_json)


@keys.command("create")
def keys_create(
    tenant: Annotated[str, typer.Option("--tenant", "-t", help="Whose key; empty for an operator's only.")],
    role: Annotated[str, typer.Option(help="reader, writer, curator, admin or operator.")],
    wall: Annotated[list[str] | None, typer.Option("--wall", help="A closed area that it may see; repeat it.")] = None,
    name: Annotated[str, typer.Option(help="What it is for.")] = "",
    days: Annotated[
        int | None, typer.Option("--days", min=1, help="How long it works; without end by default.")
    ] = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Make a key and its tenant; the key is shown this once."""
    from muniment.engine.keys import Grant, KeyRing, Role, walls_of

    if role not in set(Role):
        raise Invalid(f"role is {role!r}: use {', '.join(Role)}", field="role")
    expires_at = datetime.now(UTC) + timedelta(days=days) if days else None
    grant = Grant(tenant=tenant, role=Role(role), walls=walls_of(wall or ()), name=name, expires_at=expires_at)
    made: NewKey = with_engine(
        store, lambda engine: KeyRing(engine.database).create(grant, actor=ACTOR), absent=Absent.MADE
    )
    if as_json:
        print_json({"id": made.key.id, "key": made.text})
        return
    say(f"key {made.key.id} for {made.key.role.value} of {made.key.tenant or 'the database'}, shown this once:")
    say(made.text)


@keys.command("list")
def keys_list(
    tenant: KeysOf = None,
    limit: Limit = 50,
    cursor: Cursor = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Keys, oldest first; never their secrets."""
    from muniment.api import shapes
    from muniment.api.cli import tables
    from muniment.engine.keys import KeyRing

    found: Slice[ApiKey] = with_engine(
        store, lambda engine: KeyRing(engine.database).list(tenant=tenant, limit=limit, cursor=cursor)
    )
    shown = shapes.items(map(shapes.key, found.items), found.next_cursor)
    if as_json:
        print_json(shown)
        return
    tables.table(
        ["id", "tenant", "role", "walls", "name", "since", "until", "revoked"],
        (
            [k["id"], k["tenant"], k["role"], ", ".join(k["walls"]), k["name"], *map(_day, _times(k))]
            for k in shown["items"]
        ),
    )
    say_next(shown)


@keys.command("revoke")
def keys_revoke(
    id: Annotated[str, typer.Argument(help="Id of the key.")], store: Store = None, as_json: AsJson = False
) -> None:
    """Make a key useless at once."""
    from muniment.api import shapes
    from muniment.engine.keys import KeyRing

    revoked = with_engine(store, lambda engine: KeyRing(engine.database).revoke(id, actor=ACTOR))
    if as_json:
        print_json(shapes.key(revoked))
    else:
        say(f"key {revoked.id} is revoked")


@keys.command("rotate")
def keys_rotate(
    id: Annotated[str, typer.Argument(help="Id of the key.")],
    overlap: Annotated[int, typer.Option(min=0, help="Minutes for which the old key goes on working.")] = 60,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Make a new key for an old one, with the same grant."""
    from muniment.engine.keys import KeyRing

    pause = timedelta(minutes=overlap)
    made = with_engine(store, lambda engine: KeyRing(engine.database).rotate(id, actor=ACTOR, overlap=pause))
    if as_json:
        print_json({"id": made.key.id, "key": made.text})
        return
    say(f"key {made.key.id} takes the place of {id}, which works for {overlap} more minutes; shown this once:")
    say(made.text)


@audit.callback()
def audit_list(
    ctx: typer.Context,
    tenant: Annotated[str, typer.Option("--tenant", "-t", help="Whose.")] = "",
    verb: Annotated[str, typer.Option(help="Only of this verb.")] = "",
    outcome: Annotated[str, typer.Option(help="done, refused or failed.")] = "",
    limit: Limit = 50,
    cursor: Cursor = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Who did or tried what, newest first."""
    if ctx.invoked_subcommand is not None:
        return
    from muniment.api import shapes
    from muniment.api.cli import tables

    found = with_memory(
        Target(tenant=tenant, store=store),
        lambda memory: memory.audit(verb=verb, outcome=outcome, limit=limit, cursor=cursor),
    )
    shown = shapes.items(map(shapes.audit_entry, found.items), found.next_cursor)
    if as_json:
        print_json(shown)
        return
    tables.table(
        ["#", "at", "actor", "verb", "outcome", "what"],
        ([e["seq"], e["at"], e["actor"], e["verb"], e["outcome"], _told(e)] for e in shown["items"]),
    )
    say_next(shown)


@audit.command("verify")
def audit_verify(tenant: Tenant, store: Store = None, as_json: AsJson = False) -> None:
    """Whether the chain is whole; exit code 1 where it is not."""
    from muniment.api import shapes

    check = with_memory(Target(tenant=tenant, store=store), lambda memory: memory.verify_audit())
    if as_json:
        print_json(shapes.audit_check(check))
    elif check.ok:
        say(f"whole: {check.entries} entries, the last hash is {check.last_hash}")
    else:
        say(f"broken: {check.reason}")
    if not check.ok:
        raise typer.Exit(EXIT_BROKEN_CHAIN)


@jobs.callback()
def jobs_list(
    ctx: typer.Context,
    tenant: Annotated[str, typer.Option("--tenant", "-t", help="Whose.")] = "",
    state: Annotated[str, typer.Option("--state", "--status", help="queued, running, done, failed or cancelled.")] = "",
    kind: Annotated[str, typer.Option(help="Only of this kind, such as derive.")] = "",
    limit: Limit = 50,
    cursor: Cursor = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Accepted work and its state."""
    if ctx.invoked_subcommand is not None:
        return
    from muniment.api import shapes
    from muniment.api.cli import tables

    found = with_memory(
        Target(tenant=tenant, store=store),
        lambda memory: memory.jobs(state=state, kind=kind, limit=limit, cursor=cursor),
    )
    shown = shapes.items(map(shapes.job, found.items), found.next_cursor)
    if as_json:
        print_json(shown)
        return
    tables.table(
        ["id", "kind", "state", "tries", "since", "reason"],
        ([j["id"], j["kind"], j["state"], j["attempts"], j["created_at"], j["reason"]] for j in shown["items"]),
    )
    say_next(shown)


@jobs.command("retry")
def jobs_retry(
    id: Annotated[str, typer.Argument(help="Id of a failed job.")],
    tenant: Tenant,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Try a failed job again."""
    from muniment.api import shapes

    job = with_memory(Target(tenant=tenant, store=store), lambda memory: memory.retry_job(id))
    if as_json:
        print_json(shapes.job(job))
    else:
        say(f"job {job.id} is {job.state.value}")


@jobs.command("cancel")
def jobs_cancel(
    id: Annotated[str, typer.Argument(help="Id of a job that waits.")],
    tenant: Tenant,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Give up a job that waits."""
    from muniment.api import shapes

    job = with_memory(Target(tenant=tenant, store=store), lambda memory: memory.cancel_job(id))
    if as_json:
        print_json(shapes.job(job))
    else:
        say(f"job {job.id} is {job.state.value}")


_WORDS: dict[str, bool | None] = {"on": True, "off": False, "true": True, "false": False, "default": None}


def _settings(told: list[str]) -> dict[str, Any]:
    """`log_only=on` as a change. Raises Invalid for what is no pair."""
    changes: dict[str, Any] = {}
    for one in told:
        name, mark, value = one.partition("=")
        if not (name and mark and value):
            raise Invalid(f"{one!r}: say SETTING=VALUE, such as log_only=on", field="settings")
        *above, last = name.split(".")
        inside = changes
        for part in above:
            inside = inside.setdefault(part, {})
            if not isinstance(inside, dict):
                raise Invalid(f"{one!r}: {part} is set twice", field="settings")
        inside[last] = _value(value, is_weight=name.startswith(("ranking.", "context.shares.")), is_top=not above)
    return changes


def _value(told: str, *, is_weight: bool, is_top: bool) -> Any:
    if is_top or told == "default":
        return _WORDS.get(told, told)
    try:
        return float(told) if is_weight else told
    except ValueError:
        return told


def _flat(settings: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Settings as they are set: `ranking.lexical`."""
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def _times(key: dict[str, Any]) -> list[str | None]:
    return [key["created_at"], key["expires_at"], key["revoked_at"]]


def _day(moment: str | None) -> str:
    return (moment or "")[:10]


def _told(entry: dict[str, Any]) -> str:
    detail = ", ".join(f"{name} {value}" for name, value in entry["detail"].items())
    return " ".join(filter(None, [", ".join(entry["ids"][:3]), detail]))
