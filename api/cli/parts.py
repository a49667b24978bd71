"""What commands have in common: options, the way to a tenant's memory, exit codes, output."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import typer
from typer.core import TyperGroup

from muniment.graph_schema.errors import MunimentError, NoStore
from muniment.graph_schema.ids import space_of

if TYPE_CHECKING:
    from muniment.engine.bootstrap import Engine
    from muniment.engine.memory import Memory

Result = TypeVar("Result")

_NOWHERE: Final = "sqlite://"

OK: Final = 0
UNEXPECTED: Final = 1
WRONG: Final = 2  # a value or an option is wrong, as every command line says it
NOT_FOUND: Final = 3
REFUSED: Final = 4
UNAVAILABLE: Final = 5
CONFLICT: Final = 6

# By the error's stable code; what has no line here is a wrong value.
EXITS: Final = {
    "not_found": NOT_FOUND,
    "forbidden": REFUSED,
    "unauthenticated": REFUSED,
    "held": REFUSED,
    "wrong_environment": REFUSED,
    "rate_limited": UNAVAILABLE,
    "unavailable": UNAVAILABLE,
    "store_unavailable": UNAVAILABLE,
    "lane_unavailable": UNAVAILABLE,
    "model_unavailable": UNAVAILABLE,
    "conflict": CONFLICT,
    "ambiguous": CONFLICT,
    "internal": UNEXPECTED,
}

Tenant = Annotated[str, typer.Option("--tenant", "-t", help="Whose memory.")]
Store = Annotated[
    str | None, typer.Option("--store", help="Store URL; else MUNIMENT_STORE_URL, else a file of your account.")
]
Walls = Annotated[list[str] | None, typer.Option("--wall", help="A closed area that you may see; repeat it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what it would do, and write nothing.")]
Reason = Annotated[str, typer.Option("--reason", help="Why; it stands in the receipt.")]
Limit = Annotated[int, typer.Option("--limit", min=1, max=200, help="How many at most.")]
Cursor = Annotated[str | None, typer.Option("--cursor", help="Where to go on, as the last answer said.")]
AsOf = Annotated[str | None, typer.Option("--as-of", help="As it was true then, such as 2026-03-01T00:00:00Z.")]
KnownAt = Annotated[str | None, typer.Option("--known-at", help="As it was known then.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Whose memory a command works on, and where."""

    tenant: str
    store: str | None = None
    walls: Sequence[str] = ()

    def options(self) -> str:
        """What leads a further command here, to be shown to a person: ` --tenant acme --store sqlite:///memory.db`.

        A store's URL with a password in it is left out.
        """
        given = [("--tenant", self.tenant), ("--store", "" if "@" in (self.store or "") else self.store)]
        given += [("--wall", wall) for wall in self.walls]
        return "".join(f" {name} {shlex.quote(value)}" for name, value in given if value)


class Commands(TyperGroup):
    """Commands whose errors are one clear line on standard error and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except MunimentError as error:
            typer.echo(f"error: {printable(str(error))}", err=True)
            raise typer.Exit(exit_code(error)) from error


def exit_code(error: MunimentError) -> int:
    """The exit code of an error raised on purpose."""
    return EXITS.get(error.code, WRONG)


def group(help: str) -> typer.Typer:
    """A group of commands."""
    return typer.Typer(cls=Commands, help=help, no_args_is_help=True)


class Absent(Enum):
    """What becomes of a command where there is no store yet at the path that it names."""

    REFUSED = "refused"  # a misspelt path is told, and no empty file is left behind
    MADE = "made"  # a first write
    EMPTY = "empty"  # as on an empty store, which is gone afterwards


def for_write(*, dry_run: bool) -> Absent:
    """What a write wants that may be a store's first: tried without being done, it makes no file."""
    return Absent.EMPTY if dry_run else Absent.MADE


def with_memory(
    target: Target, work: Callable[[Memory], Awaitable[Result]], *, absent: Absent = Absent.REFUSED
) -> Result:
    """The result of some work on a tenant's memory; the store is opened before and closed after it."""

    async def on(engine: Engine) -> Result:
        return await work(engine.for_tenant(target.tenant, actor="cli", walls=target.walls))

    try:
        return with_engine(target.store, on, absent=absent)
    except NoStore:
        space_of("any", target.tenant)  # raises for a name that is none: that comes first
        raise


def with_engine(
    store: str | None, work: Callable[[Engine], Awaitable[Result]], *, absent: Absent = Absent.REFUSED
) -> Result:
    """The result of some work on an opened engine. Raises NoStore where there is none, unless `absent` says otherwise."""

    async def run(url: str | None) -> Result:
        from muniment.engine.bootstrap import open_engine
        from muniment.engine.settings import read_settings

        async with open_engine(url, settings=read_settings(), must_exist=absent is not Absent.MADE) as engine:
            return await work(engine)

    try:
        return asyncio.run(run(store))
    except NoStore:
        if absent is not Absent.EMPTY:
            raise
    return asyncio.run(run(_NOWHERE))


def print_json(value: Any) -> None:
    """One JSON value on standard output."""
    from muniment.api.rendering import json_text

    sys.stdout.write(json_text(value, indent=2 if sys.stdout.isatty() else None) + "\n")


def say(text: str) -> None:
    """A line for a person on standard output."""
    typer.echo(printable(text))


def printable(text: str) -> str:
    """The text without control characters, by which a stored text could steer a terminal."""
    return "".join(c if c in "\n\t" or (ord(c) >= 32 and not 127 <= ord(c) < 160) else "\ufffd" for c in text)
