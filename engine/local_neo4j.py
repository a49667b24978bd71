"""A local Neo4j server for whoever asks from outside the engine: start, status, stop.

A door of its own, beside `bootstrap`: it starts a server and opens no store, so it needs no driver and loads fast.
"""

from __future__ import annotations

from pathlib import Path

from muniment.engine.stores.neo4j.local.jars import DownloadProgress, OnProgress
from muniment.engine.stores.neo4j.local.server import LocalNeo4j, RunningNeo4j
from muniment.engine.stores.neo4j.local.versions import DEFAULT_VERSION, SERVER_VERSIONS

__all__ = [
    "DEFAULT_VERSION",
    "KNOWN_VERSIONS",
    "DownloadProgress",
    "OnProgress",
    "RunningNeo4j",
    "default_folder",
    "start_local_neo4j",
    "status_of_local_neo4j",
    "stop_local_neo4j",
]

KNOWN_VERSIONS = tuple(version.series for version in SERVER_VERSIONS)


def start_local_neo4j(
    *,
    version: str = DEFAULT_VERSION,
    data_dir: Path | None = None,
    port: int | None = None,
    password: str | None = None,
    on_progress: OnProgress | None = None,
) -> RunningNeo4j:
    """The running server, started and, the first time, downloaded now; with a password, authentication is on.

    Raises Invalid, Conflict or StoreUnavailable as `LocalNeo4j` does.
    """
    server = LocalNeo4j(version, data_dir=data_dir, port=port, auth=password is not None, password=password)
    return server.start(on_progress=on_progress)


def status_of_local_neo4j(*, version: str = DEFAULT_VERSION, data_dir: Path | None = None) -> RunningNeo4j | None:
    """The server that runs in that folder, or None."""
    return LocalNeo4j(version, data_dir=data_dir).status()


def stop_local_neo4j(*, version: str = DEFAULT_VERSION, data_dir: Path | None = None) -> bool:
    """Ends the server of that folder; False when none was running."""
    return LocalNeo4j(version, data_dir=data_dir).stop()


def default_folder(version: str = DEFAULT_VERSION) -> Path:
    """Where that release keeps its data when no folder is named."""
    return LocalNeo4j(version).data_dir
