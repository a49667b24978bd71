"""Commands to look around."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muniment.api.cli.parts import (
    AsJson,
    AsOf,
    Cursor,
    DryRun,
    KnownAt,
    Limit,
    Reason,
    Store,
    Target,
    Tenant,
    Walls,
    for_write,
    group,
    print_json,
    say,
    with_memory,
)
from muniment.graph_schema.errors import Invalid, NotFound
from muniment.graph_schema.records import HELD_KINDS, Kind

if TYPE_CHECKING:
    from muniment.engine.memory import Memory

IncludeArchived = Annotated[bool, typer.Option("--include-archived", help="Also what was put away.")]

ontology = group("The tenant's types, relations and wordings.")


def register(app: typer.Typer) -> None:
    """Adds the commands to the program."""
    app.command()(show)
    app.command()(history)
    app.command()(facts)
    app.command()(entities)
    app.command()(paths)
    app.add_typer(ontology, name="ontology")


def show(
    id: Annotated[str, typer.Argument(help="Id of an episode, fact, entity or receipt.")],
    tenant: Tenant,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """One memory, whole."""
    shown = with_memory(Target(tenant=tenant, store=store, walls=wall or ()), lambda m: _found(m, id, as_of, known_at))
    if as_json:
        print_json(shown)
        return
    from muniment.api.cli import tables

    tables.record(shown)


def history(
    id: Annotated[str, typer.Argument(help="Id of a fact, preference or skill.")],
    tenant: Tenant,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Every assertion and closing of a fact, with its reason."""
    from muniment.api import shapes

    found = with_memory(Target(tenant=tenant, store=store, walls=wall or ()), lambda memory: memory.history(id))
    shown = shapes.history(found, at=datetime.now(UTC))
    if as_json:
        print_json(shown)
        return
    from muniment.api.cli import tables

    tables.facts([shown["fact"], *shown["rivals"]], title="the slot")
    tables.table(
        ["known since", "what", "rule", "actor"],
        ([line["at"], line["what"], line["rule"], line["actor"]] for line in shown["story"]),
        title="how it came about",
    )


def facts(
    tenant: Tenant,
    subject: Annotated[str, typer.Option(help="Name or id.")] = "",
    relation: Annotated[str, typer.Option(help="Any name that the ontology knows.")] = "",
    object: Annotated[str, typer.Option(help="Name or id.")] = "",
    q: Annotated[str, typer.Option("--q", "--text", help="A part of the text.")] = "",
    type: Annotated[
        str, typer.Option("--type", help="A type of the ontology, which the subject or the object has.")
    ] = "",
    kind: Annotated[
        list[str] | None, typer.Option("--kind", help="fact, preference or skill; repeat it. Facts by default.")
    ] = None,
    status: Annotated[str, typer.Option(help="current, future, ended, superseded, rejected or archived.")] = "",
    user: Annotated[str, typer.Option("--user", help="Only memories of this user.")] = "",
    session: Annotated[str, typer.Option("--session", help="Only memories of this session.")] = "",
    include_superseded: Annotated[bool, typer.Option("--include-superseded", help="Also what held before.")] = False,
    include_archived: IncludeArchived = False,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    limit: Limit = 50,
    cursor: Cursor = None,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Facts, newest first."""
    from muniment.api import shapes
    from muniment.engine.ingest.inputs import time_in

    at = time_in(as_of, field="as_of") or datetime.now(UTC)
    found = with_memory(
        Target(tenant=tenant, store=store, walls=wall or ()),
        lambda memory: memory.facts(
            subject=subject,
            relation=relation,
            object=object,
            q=q,
            type=type,
            kinds=_kinds(kind or ("fact",)),
            status=status,
            user=user,
            session=session,
            include_superseded=include_superseded,
            include_archived=include_archived,
            as_of=as_of,
            known_at=known_at,
            limit=limit,
            cursor=cursor,
        ),
    )
    shown = shapes.items((shapes.fact(one, at=at) for one in found.items), found.next_cursor)
    if as_json:
        print_json(shown)
        return
    from muniment.api.cli import tables

    tables.facts(shown["items"])
    say_next(shown)


def entities(
    tenant: Tenant,
    q: Annotated[str, typer.Argument(help="A part of any of their spellings.")] = "",
    type: Annotated[str, typer.Option("--type", help="A type of the ontology.")] = "",
    user: Annotated[str, typer.Option("--user", help="Only those of which a memory of this user tells.")] = "",
    session: Annotated[str, typer.Option("--session", help="Only those of which a memory of this session tells.")] = "",
    include_archived: IncludeArchived = False,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    limit: Limit = 50,
    cursor: Cursor = None,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Persons, organisations and other things that facts are about."""
    from muniment.api import shapes

    found = with_memory(
        Target(tenant=tenant, store=store, walls=wall or ()),
        lambda memory: memory.entities(
            q=q,
            type=type,
            user=user,
            session=session,
            include_archived=include_archived,
            as_of=as_of,
            known_at=known_at,
            limit=limit,
            cursor=cursor,
        ),
    )
    shown = shapes.items(map(shapes.entity_page, found.items), found.next_cursor)
    if as_json:
        print_json(shown)
        return
    from muniment.api.cli import tables

    tables.table(
        ["name", "type", "facts", "also", "seen", "id"],
        (
            [e["name"], e["type"], e["facts"], ", ".join(e["aliases"][1:6]), (e["last_seen"] or "")[:10], e["id"]]
            for e in shown["items"]
        ),
    )
    say_next(shown)


def paths(
    a: Annotated[str, typer.Argument(help="Name or id of an entity.")],
    b: Annotated[str, typer.Argument(help="Name or id of another.")],
    tenant: Tenant,
    hops: Annotated[int, typer.Option(min=1, max=4)] = 4,
    k: Annotated[int, typer.Option("--count", min=1, max=20, help="How many paths at most.")] = 3,
    relation: Annotated[
        list[str] | None, typer.Option("--relation", "--relations", help="Only over these relations; repeat it.")
    ] = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """How two entities hang together."""
    from muniment.api import shapes

    found = with_memory(
        Target(tenant=tenant, store=store, walls=wall or ()),
        lambda memory: memory.paths(a, b, hops=hops, k=k, relations=relation or (), as_of=as_of, known_at=known_at),
    )
    shown = shapes.paths(found, at=datetime.now(UTC))
    if as_json:
        print_json(shown)
        return
    if not shown["items"]:
        say(shown["empty"])
    for one in shown["items"]:
        line = one["entities"][0]["name"]
        for before, fact, entity in zip(one["entities"], one["facts"], one["entities"][1:], strict=False):
            arrow = f"—{fact['relation']}→" if fact["subject"]["id"] == before["id"] else f"←{fact['relation']}—"
            line += f" {arrow} {entity['name']}"
        say(line)


@ontology.command("show")
def ontology_show(tenant: Tenant, store: Store = None, as_json: AsJson = False) -> None:
    """Types and relations in force."""

    async def work(memory: Memory) -> dict[str, Any]:
        return (await memory.ontology()).to_json()

    shown = with_memory(Target(tenant=tenant, store=store), work)
    if as_json:
        print_json(shown)
        return
    from muniment.api.cli import tables

    tables.table(
        ["relation", "values", "inverse", "opposites", "wordings"],
        (
            [r["name"], r["cardinality"], r["inverse"], ", ".join(r["opposites"]), ", ".join(r["aliases"][:6])]
            for r in shown["relations"]
        ),
    )
    say(f"relations that nobody declared hold {shown['default_cardinality']} value(s) at a time")


@ontology.command("set")
def ontology_set(
    file: Annotated[
        Path, typer.Argument(help="JSON with default_cardinality, entity_types, relations; - reads standard input.")
    ],
    tenant: Tenant,
    reason: Reason = "",
    dry_run: DryRun = False,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Lay the tenant's own over the base; timelines are computed anew."""
    from muniment.api.cli.receipts import write
    from muniment.api.cli.remembering import read_json

    given = read_json(file)
    target = Target(tenant=tenant, store=store)
    write(
        target,
        lambda memory: memory.set_ontology(given, reason=reason, dry_run=dry_run),
        as_json=as_json,
        absent=for_write(dry_run=dry_run),
    )


def _kinds(names: Sequence[str]) -> list[Kind]:
    """Kinds of facts by name. Raises Invalid."""
    for name in names:
        if name not in HELD_KINDS:
            raise Invalid(f"kind is {name!r}: use one of {', '.join(HELD_KINDS)}", field="kind")
    return [Kind(name) for name in names]


def say_next(shown: dict[str, Any]) -> None:
    """How to go on, where there is more."""
    if shown["next_cursor"]:
        say(f"there is more: --cursor {shown['next_cursor']}")


async def _found(memory: Memory, id: str, as_of: str | None, known_at: str | None) -> dict[str, Any]:
    """The shape of whatever the id is of. Raises NotFound."""
    from muniment.api import shapes
    from muniment.engine.ingest.inputs import time_in

    async def fact() -> dict[str, Any]:
        at = time_in(as_of, field="as_of") or datetime.now(UTC)
        return shapes.fact(await memory.fact(id, as_of=as_of, known_at=known_at), at=at)

    async def episode() -> dict[str, Any]:
        return shapes.episode(await memory.episode(id))

    async def entity() -> dict[str, Any]:
        return shapes.entity_page(await memory.entity(id, as_of=as_of, known_at=known_at))

    async def receipt() -> dict[str, Any]:
        return shapes.receipt(await memory.receipt(id))

    ways: list[Callable[[], Awaitable[dict[str, Any]]]] = [episode, fact, entity, receipt]
    for way in ways:
        try:
            return await way()
        except NotFound:
            continue
    raise NotFound.of("memory", id)
