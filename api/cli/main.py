"""The command line: `muniment …`.

Exit codes: 0 done, 1 unexpected, 2 a value or option is wrong, 3 there is no such thing, 4 refused (not allowed, held,
another environment), 5 something needed does not answer, 6 changed meanwhile or ambiguous.
"""

from __future__ import annotations

import logging
import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from muniment.api.cli import (
    administering,
    asking,
    changing,
    demo,
    erasing,
    examining,
    ingesting,
    judging,
    maintaining,
    mcp,
    moving,
    neo4j,
    remembering,
    serving,
    showing,
    webhooks,
)
from muniment.api.cli.parts import Commands

app = typer.Typer(
    name="muniment",
    cls=Commands,
    help="A knowledge-graph memory for agents: every answer dated, traced, undone and walled.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,  # locals may hold memories
    epilog="Exit codes: 0 done, 1 unexpected, 2 wrong value, 3 not found, 4 refused, 5 unavailable, 6 conflict.",
)


def _tell_version(asked: bool) -> None:
    if asked:
        from muniment import __version__

        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def program(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_tell_version)
    ] = False,
) -> None:
    """Options that stand before a command."""


for part in (
    remembering,
    ingesting,
    asking,
    judging,
    showing,
    changing,
    erasing,
    moving,
    administering,
    serving,
    webhooks,
    maintaining,
    mcp,
    demo,
    examining,
):
    part.register(app)
app.add_typer(neo4j.app, name="neo4j")

# What a person wants to do, as in the README; commands stand in their order under each.
PANELS = {
    "Keeping": "remember ingest assert extract rules commands",
    "Asking": "recall context explain eval rank",
    "Looking": "show facts history entities paths ontology",
    "Changing": "retract end correct reject pin unpin merge unmerge forbid-merge reviews resolve record-outcome undo",
    "Forgetting": "forget purge hold",
    "Moving": "export import backup restore",
    "Running": "serve mcp worker jobs webhooks maintain doctor demo neo4j keys tenants audit",
}
_PANEL_OF = {name: panel for panel, names in PANELS.items() for name in names.split()}
for command in app.registered_commands:
    name = str(command.name or getattr(command.callback, "__name__", ""))
    command.rich_help_panel = _PANEL_OF.get(name, "Running")
for group in app.registered_groups:
    group.rich_help_panel = _PANEL_OF.get(group.name or "", "Running")


def main() -> None:
    """Runs the program on this process's arguments."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show a letter is no reason to stop
    logging.getLogger().addHandler(
        logging.NullHandler()
    )  # `serve` and `worker` say what they log; other commands answer
    app()
