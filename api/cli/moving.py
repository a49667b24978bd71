"""Commands that take a tenant's data out and in, and whole databases."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import fields, is_dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muniment.api.cli.parts import (
    Absent,
    AsJson,
    AsOf,
    DryRun,
    KnownAt,
    Reason,
    Store,
    Tenant,
    Walls,
    for_write,
    print_json,
    say,
    with_engine,
)
from muniment.graph_schema.errors import Invalid
from muniment.graph_schema.temporal import format_time

if TYPE_CHECKING:
    from muniment.engine.bootstrap import Engine


def register(app: typer.Typer) -> None:
    """Adds the commands to the program."""
    app.command()(export)
    app.command("import")(import_)
    app.command()(backup)
    app.command()(restore)


def export(
    tenant: Tenant,
    out: Annotated[Path | None, typer.Option("--out", help="File to write; standard output by default.")] = None,
    vectors: Annotated[bool, typer.Option("--vectors", help="Also the vectors of the index.")] = False,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    all_walls: Annotated[bool, typer.Option("--all-walls", help="What stands behind every wall, too.")] = False,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Write the tenant's data as JSON Lines; with --as-of a picture of what was true then, which no import takes in."""
    from muniment.api.rendering import json_text

    async def work(engine: Engine) -> int:
        memory = engine.for_tenant(tenant, actor="cli", walls=wall or (), all_walls=all_walls)
        count = 0
        with nullcontext(sys.stdout) if out is None else out.open("x", encoding="utf-8") as lines:
            async for record in memory.export(vectors=vectors, as_of=as_of, known_at=known_at):
                lines.write(json_text(record) + "\n")
                count += 1
        return count

    if out is not None and out.exists():
        raise Invalid(f"{out} is there already: name another file", field="out")
    count = with_engine(store, work)
    if out is not None and as_json:
        print_json({"lines": count, "out": str(out)})
    elif out is not None:
        say(f"{count} lines written: {out}")


def import_(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="What an export wrote.")],
    tenant: Tenant,
    reason: Reason = "",
    dry_run: DryRun = False,
    store: Store = None,
    wall: Walls = None,
    all_walls: Annotated[bool, typer.Option("--all-walls", help="What stands behind every wall, too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Take an export in; the same again changes nothing, and what was purged here stays purged."""
    from muniment.api import shapes

    async def work(engine: Engine) -> Any:
        memory = engine.for_tenant(tenant, actor="cli", walls=wall or (), all_walls=all_walls)
        return await memory.import_(_lines(file), reason=reason, dry_run=dry_run)

    shown = shapes.imported(with_engine(store, work, absent=for_write(dry_run=dry_run)))
    if as_json:
        print_json(shown)
        return
    from muniment.api.cli import tables

    tables.record(shown)


def backup(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="File to write; it must not be there.")],
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Write every tenant, key and memory to a file, while all is in use."""
    _report(with_engine(store, lambda engine: engine.backup(file)), as_json=as_json)


def restore(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="What a backup wrote.")],
    purges: Annotated[
        list[Path] | None,
        typer.Option("--purges", help="A newer backup or export whose purges and rejections are obeyed; repeat it."),
    ] = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Take a backup into an empty store."""
    done = with_engine(store, lambda engine: engine.restore(file, purges=purges or ()), absent=Absent.MADE)
    _report(done, as_json=as_json)


def _report(report: Any, *, as_json: bool) -> None:
    shown = _plain(report)
    if as_json:
        print_json(shown)
        return
    from muniment.api.cli import tables

    tables.record(shown)


def _plain(value: Any) -> Any:
    """A record of records as JSON."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return format_time(value) if isinstance(value, datetime) else value


def _lines(file: Path) -> Iterator[str]:
    """The lines of a file. Raises Invalid where it is not UTF-8."""
    try:
        with file.open(encoding="utf-8") as lines:
            yield from lines
    except UnicodeDecodeError as cause:
        raise Invalid(f"{file}: not UTF-8: {cause}", field="file") from cause
