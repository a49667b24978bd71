"""`muniment doctor`: what is live on this machine, or on a server, and how to mend what is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from muniment.api.cli.parts import UNAVAILABLE, Absent, AsJson, Store, exit_code, print_json, say, with_engine
from muniment.graph_schema.errors import Invalid, MunimentError, Unavailable

if TYPE_CHECKING:
    from muniment.engine.bootstrap import Engine
    from muniment.engine.settings import Settings

_IN_MEMORY = ":memory:"  # where a store is that no file holds
_START_NEO4J = "start the server, or give the URL that `muniment neo4j start` prints"


def register(app: typer.Typer) -> None:
    """Adds the command to the program."""
    app.command()(doctor)


def doctor(
    store: Store = None,
    server: Annotated[
        str,
        typer.Option("--server", help="Ask a running server at this address instead, such as http://127.0.0.1:8377."),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """What is live here: store, models, versions, limits, and how to mend what is missing.

    With --server: whether it lives, answers and is well; and with a key in MUNIMENT_KEY whether that is taken. Ends with
    another exit code than 0 where what is asked for does not work.
    """
    if server:
        _doctor_of_server(server, as_json=as_json)
        return
    report, error = _examined(store)
    if as_json:
        print_json(report)
    else:
        _show(report)
    if error is None:
        return
    if as_json:
        raise typer.Exit(exit_code(error)) from error
    raise error


def _show(report: dict[str, Any]) -> None:
    from muniment.api.cli import tables

    say(f"Muniment {report['version']}, environment {report['environment']}")
    tables.record(report["store"])
    tables.table(
        ["job", "health", "done by", "version", "note"],
        (
            [m["job"], m["health"], m["implementation"], m["version"], "; ".join(filter(None, [m["note"], m["mend"]]))]
            for m in report["models"]
        ),
        title="models",
    )
    tables.table(["limit", "value"], report["limits"].items(), title="limits")


def _doctor_of_server(server: str, *, as_json: bool) -> None:
    """Tells how a server is; ends with another exit code than 0 where it is not well."""
    try:
        from muniment.api.client.probe import probe
    except ImportError as cause:
        raise Invalid(
            f"the client is not installed ({cause.name} is missing): pip install 'muniment[client]'"
        ) from cause
    from muniment.engine.settings import read_settings

    report = probe(server, key=read_settings().key.get_secret_value())
    if as_json:
        print_json(report)
    else:
        from muniment.api.cli import tables

        tables.record({name: ", ".join(value) if isinstance(value, list) else value for name, value in report.items()})
    if not report["ok"]:
        raise typer.Exit(UNAVAILABLE)


def _examined(store: str | None) -> tuple[dict[str, Any], MunimentError | None]:
    """The report, and what does not work. Raises Invalid for settings or a URL that are wrong in themselves."""
    from muniment.engine.bootstrap import describe_models
    from muniment.engine.settings import read_settings

    settings = read_settings()
    error: MunimentError | None = None
    try:
        told = _of_the_store(store, settings)
    except Invalid:
        raise
    except MunimentError as refused:
        error = refused
        told = {"error": str(refused)}
        if (store or settings.store_url).startswith(("neo4j", "bolt")):
            told["mend"] = _START_NEO4J
    models = describe_models(settings)
    if error is None and (broken := [m for m in models if m["health"] == "broken"]):
        error = Unavailable("; ".join(f"{m['job']}: {m['note']}" for m in broken))
    report: dict[str, Any] = {
        "ok": error is None,
        "version": _version(),
        "environment": settings.environment,
        "store": told,
        "models": models,
        "limits": _limits(settings),
    }
    if error is not None:
        report["error"] = {"code": error.code, "detail": str(error)}
    return report, error


def _of_the_store(store: str | None, settings: Settings) -> dict[str, Any]:
    """What the store says. Where none was named, neither here nor by a setting, this machine may have none yet."""
    if store or "store_url" in settings.model_fields_set:
        return with_engine(store, _described)
    told = with_engine(store, _described, absent=Absent.EMPTY)
    if told["where"] == _IN_MEMORY:
        told["where"] = f"{settings.store_url}: not there yet, the first write makes it"
    return told


async def _described(engine: Engine) -> dict[str, Any]:
    return await engine.describe_store()


def _limits(settings: Settings) -> dict[str, int]:
    from muniment.engine.ingest.inputs import MAX_ITEMS, MAX_TEXT
    from muniment.engine.requests import MAX_HOPS, MAX_LIMIT, MAX_QUERY

    return {
        "body, bytes": settings.max_body_bytes,
        "episodes or facts a call": MAX_ITEMS,
        "text, characters": MAX_TEXT,
        "query, characters": MAX_QUERY,
        "limit": MAX_LIMIT,
        "hops": MAX_HOPS,
    }


def _version() -> str:
    from muniment import __version__

    return __version__
