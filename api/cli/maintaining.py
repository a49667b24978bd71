"""The command that an operator runs regularly."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muniment.api.cli.parts import AsJson, DryRun, Store, print_json, say, with_engine

if TYPE_CHECKING:
    from muniment.engine.bootstrap import Engine

# What each task is, for a person.
_SAID = {
    "traces": "traces of answers past their time: dropped",
    "answers": "answers kept for repeated requests, past their time: dropped",
    "jobs": "jobs that ended long ago: dropped",
    "vectors": "memories whose vectors are of another model, or missing: made anew",
    "statistics": "changes of statistics: folded into one",
}


def register(app: typer.Typer) -> None:
    """Adds the command to the program."""
    app.command()(maintain)


def maintain(
    tenant: Annotated[str, typer.Option("--tenant", "-t", help="Only this one; else the whole database.")] = "",
    vectors: Annotated[
        bool, typer.Option("--vectors/--no-vectors", help="Whether to make vectors anew after a change of the model.")
    ] = True,
    store: Store = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Drop what is past its time, fold statistics, renew vectors, tend the store; safe while it is in use, best once a day.

    It may be stopped: what was done stays done, and the next round goes on.
    """

    async def work(engine: Engine) -> dict[str, Any]:
        return asdict(await engine.maintain(tenant=tenant, vectors=vectors, dry_run=dry_run, actor="cli"))

    report = with_engine(store, work)
    if as_json:
        print_json(report)
        return
    from muniment.api.cli import tables

    rows = ([t["tenant"] or "(database)", _SAID[t["name"]], t["count"], t["waiting"] or ""] for t in report["tasks"])
    tables.table(["tenant", "what", "rows", "waiting"], rows, title="would do" if dry_run else "done")
    if report["store"]:
        tables.table(["store", "value"], report["store"].items())
    if not report["tasks"]:
        say("nothing to do for the tenants")
