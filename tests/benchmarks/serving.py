"""A store served by `muniment serve` in a process of its own, for runs that go over HTTP."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from muniment.engine.stores.neo4j.local.ports import free_port

ROOT: Final = Path(__file__).resolve().parents[2]
PROGRAM: Final = (sys.executable, "-c", "from muniment.api.cli.main import main; main()")
TENANT: Final = "load"
_UP_WITHIN_S: Final = 120.0


def environment(**more: str) -> dict[str, str]:
    """What a process of this very tree needs."""
    paths = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    return {**os.environ, "PYTHONPATH": paths, "MUNIMENT_LOG_LEVEL": "warning", **more}


def create_key(url: str, *, tenant: str = TENANT, role: str = "admin") -> str:
    """The text of a new key."""
    create = [*PROGRAM, "keys", "create", "--tenant", tenant, "--role", role, "--store", url, "--json"]
    made = subprocess.run(create, env=environment(), stdout=subprocess.PIPE, check=True)
    return str(json.loads(made.stdout)["key"])


@contextmanager
def served(url: str, **settings: str) -> Iterator[tuple[int, str, int]]:
    """Port, an administrator's key and the process id of a server on the store."""
    key = create_key(url)
    port = free_port()
    serve = [*PROGRAM, "serve", "--store", url, "--port", str(port)]
    server = subprocess.Popen(serve, env=environment(**settings), stdout=sys.stderr)
    try:
        _wait_for(port, server)
        yield port, key, server.pid
    finally:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(timeout=60)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _UP_WITHIN_S
    while time.monotonic() < until and server.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=10):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise RuntimeError("the server did not answer")
