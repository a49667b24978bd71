"""`muniment serve` as a process of its own: it starts, answers, says nothing of what it was told, and stops in order."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import httpx
import pytest

from tests.api.calling import EPISODE, INITECH

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-c", "from muniment.api.cli.main import main; main()"]
MARKER = "xyzzymarker"
ANSWERS_WITHIN_S = 60.0


class Server:
    def __init__(self, store: str, log: IO[bytes]) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        command = [*PROGRAM, "serve", "--store", store, "--port", str(self.port)]
        self.process = subprocess.Popen(command, cwd=ROOT, env=environment(), stdout=log, stderr=log)
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=30)

    def wait(self) -> None:
        until = time.monotonic() + ANSWERS_WITHIN_S
        while time.monotonic() < until:
            try:
                self.client.get("/readyz").raise_for_status()
                return
            except httpx.HTTPError:
                time.sleep(0.1)
        raise AssertionError("the server did not answer")

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=30)


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "src"), "MUNIMENT_LOG_LEVEL": "debug", "OMP_NUM_THREADS": "1"}


@pytest.fixture
def store(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'served.db'}"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "server.log"


@pytest.fixture
def server(store: str, log: Path) -> Iterator[Server]:
    with log.open("wb") as sink:
        running = Server(store, sink)
        try:
            running.wait()
            yield running
        finally:
            running.client.close()
            if running.process.poll() is None:
                running.process.kill()
                running.process.wait()


def test_the_first_start_makes_one_key_that_works_and_the_log_holds_no_memory(server: Server, log: Path) -> None:
    lines = log.read_text(encoding="utf-8").splitlines()
    key = next(line for line in lines if line.startswith("mk_"))
    headers = {"Authorization": f"Bearer {key}"}
    episode = {
        **EPISODE,
        "text": f"Ana likes {MARKER}.",
        "title": MARKER,
        "speaker": MARKER,
        "metadata": {MARKER: MARKER},
    }
    bodies = [
        ("/v1/episodes", {"episodes": [episode]}),
        ("/v1/episodes", {"episodes": [{**episode, "occurred_at": MARKER}]}),
        ("/v1/facts", {"facts": [{**INITECH, "object": {"name": MARKER}, "text": MARKER}]}),
        ("/v1/recall", {"query": MARKER}),
        ("/v1/context", {"query": MARKER}),
    ]
    for path, body in bodies:
        assert server.client.post(path, json=body, headers=headers).status_code < 500
    for path in (f"/v1/facts?q={MARKER}", f"/v1/facts?subject={MARKER}", f"/{MARKER}"):
        assert server.client.get(path, headers=headers).status_code < 500
    server.client.get("/v1/facts", headers={"Authorization": f"Bearer mk_{MARKER}_x"})
    assert server.stop() == 0
    written = log.read_text(encoding="utf-8")
    assert '"message": "request answered"' in written
    assert MARKER not in written
    assert written.count(key.split("_")[2]) == 1  # where it was shown
    assert "Traceback" not in written


def test_what_was_acknowledged_is_there_after_the_server_was_killed(server: Server, store: str, tmp_path: Path) -> None:
    made = subprocess.run(
        [*PROGRAM, "keys", "create", "--tenant", "acme", "--role", "writer", "--store", store, "--json"],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        check=True,
    )
    key = httpx.Response(200, content=made.stdout).json()["key"]
    headers = {"Authorization": f"Bearer {key}"}
    for n in range(5):
        body = {"episodes": [{**EPISODE, "external_id": f"n{n}"}], "mode": "async"}
        assert server.client.post("/v1/episodes", json=body, headers=headers).status_code == 202
    server.process.kill()
    server.process.wait()
    with (tmp_path / "second.log").open("wb") as sink:
        second = Server(store, sink)
        try:
            second.wait()
            kept = second.client.get("/v1/episodes", headers=headers).json()["items"]
            assert sorted(e["external_id"] for e in kept) == [f"n{n}" for n in range(5)]
            until = time.monotonic() + ANSWERS_WITHIN_S
            states: set[str] = set()
            while time.monotonic() < until:
                states = {j["state"] for j in second.client.get("/v1/jobs", headers=headers).json()["items"]}
                if states == {"done"}:
                    break
                time.sleep(0.2)
            assert states == {"done"}
        finally:
            second.client.close()
            second.process.kill()
            second.process.wait()


def test_a_client_that_reads_only_once_it_has_sent_hears_that_its_body_is_too_large(server: Server) -> None:
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}/v1/facts", data=b"x" * 9 * 2**20)
    with pytest.raises(urllib.error.HTTPError) as answer:
        urllib.request.urlopen(request, timeout=30)
    assert answer.value.code == 413
