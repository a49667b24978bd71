"""What a local server's data folder says about it: who holds it, on which port, whether it is ready.

Files: `server.lock` (held by the server's process for its whole life, so a stale process id is never believed), `server.json`
(the state it last wrote), `release.json` (which release made the folder, and the port it last had), `server.log`, `home/`.
"""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import IO

# `localhost` may be ::1 on the client's side; one fixed address cannot be mistaken.
HOST = "127.0.0.1"


class Phase(StrEnum):
    """How far a server's process has come."""

    STARTING = "starting"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerState:
    """What the server's process last wrote about itself."""

    phase: Phase
    pid: int
    version: str
    port: int
    auth: bool
    detail: str = ""  # why it failed

    @property
    def url(self) -> str:
        """The store URL to use, without credentials."""
        return f"bolt://{HOST}:{self.port}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """The release that made a data folder, and the port that it last used."""

    version: str
    port: int


def log_file(data_dir: Path) -> Path:
    """Where the server's process writes what it prints."""
    return data_dir / "server.log"


def write_state(data_dir: Path, state: ServerState) -> None:
    """Replaces the state, whole or not at all."""
    _write_json(data_dir / "server.json", json.dumps(asdict(state)))


def read_state(data_dir: Path) -> ServerState | None:
    """The last state written, or None when there is none that can be read."""
    try:
        raw = json.loads((data_dir / "server.json").read_text(encoding="utf-8"))
        return ServerState(
            phase=Phase(raw["phase"]),
            pid=int(raw["pid"]),
            version=str(raw["version"]),
            port=int(raw["port"]),
            auth=bool(raw["auth"]),
            detail=str(raw["detail"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def clear_state(data_dir: Path) -> None:
    """Removes what a server that is gone left behind."""
    (data_dir / "server.json").unlink(missing_ok=True)


def write_release(data_dir: Path, release: Release) -> None:
    """Stamps the folder with the release that owns its files."""
    _write_json(data_dir / "release.json", json.dumps(asdict(release)))


def read_release(data_dir: Path) -> Release | None:
    """The stamp of the folder, or None for a folder in which no server ever ran."""
    try:
        raw = json.loads((data_dir / "release.json").read_text(encoding="utf-8"))
        return Release(version=str(raw["version"]), port=int(raw["port"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def hold_lock(data_dir: Path) -> IO[str] | None:
    """The folder's lock with our process id in it, kept until the returned file is closed; None when another holds it."""
    file = open(data_dir / "server.lock", "a+", encoding="utf-8")  # noqa: SIM115  the caller keeps it open
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    file.seek(0)
    file.truncate()
    file.write(str(os.getpid()))
    file.flush()
    return file


def lock_holder(data_dir: Path) -> int | None:
    """The process id of the server that holds the folder now; None when nobody does, whatever the files say."""
    path = data_dir / "server.lock"
    try:
        file = open(path, encoding="utf-8")  # noqa: SIM115  closed below, on every path
    except FileNotFoundError:
        return None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            with suppress(ValueError):  # taken, and its id not written yet: say so by 0
                return int(file.read())
            return 0
        fcntl.flock(file, fcntl.LOCK_UN)
    return None


def _write_json(path: Path, text: str) -> None:
    staged = path.with_suffix(".tmp")
    staged.write_text(text, encoding="utf-8")
    staged.replace(path)
