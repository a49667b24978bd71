"""Commands that run the service and say how it is."""

from __future__ import annotations

import asyncio
import ipaddress
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muniment.api.cli import allocator
from muniment.api.cli.parts import UNAVAILABLE, Absent, AsJson, Store, exit_code, print_json, say, with_engine
from muniment.graph_schema.errors import Invalid, MunimentError

if TYPE_CHECKING:
    from muniment.engine.bootstrap import Engine
    from muniment.engine.keys import NewKey

DEFAULT_PORT = 8377
_IN_MEMORY = ":memory:"  # where a store is that no file holds
# Longer than the 60 s after which proxies and clients drop an idle connection by default, so that it is they who drop it: a
# request sent into a connection that the server just closed fails.
KEEP_ALIVE_S = 75


def register(app: typer.Typer) -> None:
    """Adds the commands to the program."""
    app.command()(serve)
    app.command()(worker)
    app.command()(doctor)


def serve(
    store: Store = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535)] = DEFAULT_PORT,
    behind_proxy: Annotated[
        bool, typer.Option("--behind-proxy", help="A proxy before it speaks TLS to the outside.")
    ] = False,
    tls_certificate: Annotated[Path | None, typer.Option(exists=True, dir_okay=False, help="PEM file.")] = None,
    tls_key: Annotated[Path | None, typer.Option(exists=True, dir_okay=False, help="PEM file.")] = None,
    with_worker: Annotated[
        bool, typer.Option("--worker/--no-worker", help="Whether this process does jobs too.")
    ] = True,
) -> None:
    """Serve the HTTP API.

    Listens on this machine only, unless it speaks TLS or stands behind a proxy that does: keys must not cross a network in
    the clear.
    """
    if not (behind_proxy or tls_certificate or is_loopback(host)):
        raise Invalid(
            f"--host {host} is open to other machines: give --tls-certificate and --tls-key, or --behind-proxy where a proxy "
            "before it speaks TLS",
            field="host",
        )
    try:
        import uvicorn

        from muniment.api.app import create_app
    except ImportError as cause:
        raise Invalid(
            f"the server is not installed ({cause.name} is missing): pip install 'muniment[server]'"
        ) from cause
    from muniment.api.logs import configure
    from muniment.api.unreadable import http_protocol
    from muniment.engine.settings import read_settings

    allocator.settle()
    settings = read_settings(store_url=store) if store else read_settings()
    configure(settings.log_level)
    app = create_app(settings=settings, on_first_key=_show_first_key, with_worker=with_worker)
    typer.echo(
        f"Muniment on http{'s' if tls_certificate else ''}://{host}:{port}  (docs at /docs, stop with Ctrl-C)", err=True
    )
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _already_heeded)
    allocator.leave_alone_what_stays()
    uvicorn.run(
        app,
        host=host,
        port=port,
        http=http_protocol(),
        log_config=None,
        access_log=False,  # request lines hold queries; the service writes its own, without them
        proxy_headers=behind_proxy,
        server_header=False,
        ssl_certfile=str(tls_certificate) if tls_certificate else None,
        ssl_keyfile=str(tls_key) if tls_key else None,
        timeout_graceful_shutdown=30,
        timeout_keep_alive=KEEP_ALIVE_S,
    )


def worker(
    store: Store = None,
    until_idle: Annotated[bool, typer.Option("--until-idle", help="Do what is due now, then end.")] = False,
) -> None:
    """Do accepted jobs; many workers may run, here and on other hosts."""
    from muniment.api.logs import configure
    from muniment.engine.settings import read_settings

    allocator.settle()
    configure(read_settings().log_level)
    done = with_engine(store, lambda engine: _work(engine, until_idle=until_idle), absent=Absent.MADE)
    if until_idle:
        say(f"{done} jobs done")


async def _work(engine: Engine, *, until_idle: bool) -> int:
    """Works until a signal asks to stop; the jobs in hand are finished first."""
    workers = (engine.worker(), *engine.deliverers())
    if until_idle:
        return sum([await worker.run_until_idle() for worker in workers])
    loop = asyncio.get_running_loop()

    def stop() -> None:
        for worker in workers:
            worker.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    typer.echo("Muniment worker: waiting for jobs (stop with Ctrl-C)", err=True)
    await asyncio.gather(*(worker.run() for worker in workers))
    return 0


def doctor(
    store: Store = None,
    server: Annotated[
        str,
        typer.Option("--server", help="Ask a running server at this address instead, such as http://127.0.0.1:8377."),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """What is live here: store, models, versions, limits, and how to mend what is missing.

    With --server: whether it lives, answers and is well; and with a key in MUNIMENT_KEY whether that is taken.
    """
    if server:
        _doctor_of_server(server, as_json=as_json)
        return
    try:
        report = _examined(store)
    except MunimentError as error:
        report = {"ok": False, "version": _version(), "error": {"code": error.code, "detail": str(error)}}
        if not as_json:
            raise
        print_json(report)
        raise typer.Exit(exit_code(error)) from error
    if as_json:
        print_json(report)
        return
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


def _examined(store: str | None) -> dict[str, Any]:
    """The report. Where no store was named, neither here nor by a setting, a machine is looked at that may have none yet."""
    from muniment.engine.settings import read_settings

    settings = read_settings()
    if store or "store_url" in settings.model_fields_set:
        return with_engine(store, _report)
    report = with_engine(store, _report, absent=Absent.EMPTY)
    if report["store"]["where"] == _IN_MEMORY:
        report["store"]["where"] = f"{settings.store_url}: not there yet, the first write makes it"
    return report


async def _report(engine: Engine) -> dict[str, Any]:
    described: dict[str, Any] = await engine.describe()
    from muniment.engine.ingest.inputs import MAX_ITEMS, MAX_TEXT
    from muniment.engine.requests import MAX_HOPS, MAX_LIMIT, MAX_QUERY

    limits = {
        "body, bytes": engine.settings.max_body_bytes,
        "episodes or facts a call": MAX_ITEMS,
        "text, characters": MAX_TEXT,
        "query, characters": MAX_QUERY,
        "limit": MAX_LIMIT,
        "hops": MAX_HOPS,
    }
    return {"ok": True, "version": _version(), **described, "limits": limits}


def _version() -> str:
    from muniment import __version__

    return __version__


def is_loopback(host: str) -> bool:
    """Whether the address is reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _already_heeded(*_: object) -> None:
    """The server raises the signal that stopped it once more after it has ended in order; that is no reason to fail."""


def _show_first_key(made: NewKey) -> None:
    typer.echo(f"No key yet, so here is one of an admin of tenant {made.key.tenant!r}, shown this once:", err=True)
    typer.echo(made.text, err=True)
