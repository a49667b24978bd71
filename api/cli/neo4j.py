"""`muniment neo4j start|stop|status`: a local Neo4j server in one command.

Errors of the engine pass through; the main program turns them into a message and an exit code.
"""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from muniment.engine.local_neo4j import (
    DEFAULT_VERSION,
    KNOWN_VERSIONS,
    DownloadProgress,
    RunningNeo4j,
    default_folder,
    start_local_neo4j,
    status_of_local_neo4j,
    stop_local_neo4j,
)

LICENCE = (
    "Neo4j Community Edition is GPLv3 software of Neo4j, Inc.: your command downloads it and runs it as a process of its own; "
    "it is no part of Muniment."
)
# As service managers answer "is it running?" when it is not.
EXIT_NOT_RUNNING = 3

app = typer.Typer(help="A local Neo4j server, without Java and without Docker.", no_args_is_help=True)

Version = Annotated[str, typer.Option("--version", help=f"Neo4j release: {', '.join(KNOWN_VERSIONS)}.")]
Data = Annotated[Path | None, typer.Option("--data", help="Folder of its data; one of your user account by default.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@app.command()
def start(
    version: Version = DEFAULT_VERSION,
    data: Data = None,
    port: Annotated[
        int | None, typer.Option("--port", help="Port on 127.0.0.1; the last one, 7687 or a free one by default.")
    ] = None,
    auth: Annotated[bool, typer.Option("--auth", help="Ask for a password for the user neo4j.")] = False,
    password: Annotated[
        str | None,
        typer.Option(
            envvar="MUNIMENT_NEO4J_PASSWORD",
            help="With --auth; better by the variable or the prompt, arguments can be read by others.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Start the server, and the first time download it (about 150 MB)."""
    # Progress goes to standard error, so that --json and a pipe see the answer alone.
    console = Console(stderr=True)
    if not auth:
        password = None
    elif password is None:
        password = typer.prompt("Password for the user neo4j", hide_input=True, confirmation_prompt=True, err=True)
    if not as_json:
        console.print(LICENCE, style="dim", soft_wrap=True)
    with _Steps(console) as steps:
        running = start_local_neo4j(
            version=version, data_dir=data, port=port, password=password, on_progress=steps.downloaded
        )
    _print_running(running, as_json=as_json, said="is running already" if running.reused else "is running")


@app.command()
def status(version: Version = DEFAULT_VERSION, data: Data = None, as_json: Json = False) -> None:
    """Say whether the server runs, and its URL; exit code 3 when it does not."""
    running = status_of_local_neo4j(version=version, data_dir=data)
    if running is not None:
        _print_running(running, as_json=as_json, said="is running")
        return
    folder = data or default_folder(version)
    if as_json:
        _print_json({"state": "stopped", "data_dir": str(folder)})
    else:
        chosen = ([] if version == DEFAULT_VERSION else ["--version", version]) + (
            ["--data", str(data)] if data else []
        )
        command = shlex.join(["muniment", "neo4j", "start", *chosen])
        typer.echo(f"No Neo4j is running on {folder}. Start it: {command}")
    raise typer.Exit(EXIT_NOT_RUNNING)


@app.command()
def stop(version: Version = DEFAULT_VERSION, data: Data = None, as_json: Json = False) -> None:
    """Stop the server; its data stays."""
    folder = data or default_folder(version)
    was_running = stop_local_neo4j(version=version, data_dir=data)
    if as_json:
        _print_json({"state": "stopped", "was_running": was_running, "data_dir": str(folder)})
    else:
        typer.echo(
            f"Neo4j stopped; its data stays in {folder}." if was_running else f"No Neo4j was running on {folder}."
        )


class _Steps:
    """What a person sees while waiting: the download as a bar, then the boot with a clock."""

    def __init__(self, console: Console) -> None:
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            DownloadColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._console = console
        self._download: TaskID | None = None
        self._boot: TaskID | None = None

    def __enter__(self) -> _Steps:
        self._progress.start()
        self._boot = self._progress.add_task("Starting Neo4j (about ten seconds)", total=None)
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def downloaded(self, done: DownloadProgress) -> None:
        if self._download is None:
            if not self._console.is_terminal:
                self._console.print(f"Downloading Neo4j: {done.total_files} files, {done.total_bytes // 10**6} MB")
            self._download = self._progress.add_task("Downloading Neo4j", total=done.total_bytes)
        self._progress.update(self._download, completed=done.bytes)


def _print_running(running: RunningNeo4j, *, as_json: bool, said: str) -> None:
    if as_json:
        _print_json(
            {
                "state": "running",
                "url": running.url,
                "version": running.version,
                "pid": running.pid,
                "port": running.port,
                "auth": running.auth,
                "data_dir": str(running.data_dir),
            }
        )
        return
    typer.echo(f"Neo4j {running.version} {said}: process {running.pid}, data in {running.data_dir}")
    login = "user neo4j and your password" if running.auth else "no password, for this machine only"
    typer.echo(f"Store URL: {running.url}  ({login})")
    typer.echo(f'Try: muniment remember "Ada works for Acme." --tenant demo --store {running.url}')


def _print_json(value: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
