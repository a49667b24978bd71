"""Commands that run the service."""

from __future__ import annotations

import asyncio
import ipaddress
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from muniment.api.cli import allocator
from muniment.api.cli.parts import Absent, Store, say, with_engine
from muniment.graph_schema.errors import Invalid

if TYPE_CHECKING:
    from muniment.engine.bootstrap import Engine
    from muniment.engine.keys import NewKey

DEFAULT_PORT = 8377
# Longer than the 60 s after which proxies and clients drop an idle connection by default, so that it is they who drop it: a
# request sent into a connection that the server just closed fails.
KEEP_ALIVE_S = 75


def register(app: typer.Typer) -> None:
    """Adds the commands to the program."""
    app.command()(serve)
    app.command()(worker)


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
