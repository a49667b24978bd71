"""`muniment serve` as a process of its own: it starts, answers, says nothing of what it was told, and stops in order."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import httpx
import pytest

from muniment.engine.bootstrap import open_engine
from muniment.engine.settings import read_settings
from muniment.engine.stores.neo4j.local.ports import free_port
from tests.api.calling import EPISODE
from tests.api.marking import marked
from tests.api.test_routes import DOCUMENT

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-c", "from muniment.api.cli.main import main; main()"]
MARKER = "xyzzymarker"
ANSWERS_WITHIN_S = 60.0
HOOKS = {"MUNIMENT_WEBHOOKS": "true", "MUNIMENT_WEBHOOK_NETWORKS": "127.0.0.0/8"}


class Server:
    def __init__(self, store: str, log: IO[bytes]) -> None:
        self.port = free_port()
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
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT / "src"),
        "MUNIMENT_LOG_LEVEL": "debug",
        "OMP_NUM_THREADS": "1",
        **HOOKS,
    }


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


def test_the_first_start_makes_one_key_and_no_log_holds_what_was_told_asked_or_shown(
    server: Server, log: Path, store: str
) -> None:
    lines = log.read_text(encoding="utf-8").splitlines()
    key = next(line for line in lines if line.startswith("mk_"))
    headers = {"Authorization": f"Bearer {key}", "Accept": "application/json, text/event-stream"}
    hook = {"url": f"http://127.0.0.1:9/{MARKER}", "events": ["receipt.written"]}  # nobody listens there
    assert server.client.post("/v1/webhooks", json=hook, headers=headers).status_code < 300
    told = {**EPISODE, "text": f"Ana likes {MARKER}.", "title": MARKER, "speaker": MARKER, "metadata": {MARKER: MARKER}}
    later = {"episodes": [{**told, "external_id": MARKER}], "mode": "async"}
    answers = [server.client.post("/v1/episodes", json=later, headers=headers)]
    job = f"/v1/jobs/{answers[0].json()['job']}"
    for one in marked(DOCUMENT, MARKER):
        answers.append(server.client.request(one.method, one.path, json=one.body, params=one.query, headers=headers))
    for name in (
        "Idempotency-Key",
        "If-None-Match",
        "User-Agent",
        "X-Muniment-Read-After",
        "X-Muniment-Tenant",
        "tracestate",
    ):
        for method, path in (("GET", "/v1/facts"), ("POST", "/v1/forget")):
            body = {"ids": ["f_0"]} if method == "POST" else None
            answers.append(server.client.request(method, path, json=body, headers={**headers, name: MARKER}))
    for tool, arguments in (
        ("recall", {"query": MARKER}),
        ("remember", {"episodes": [told]}),
        (MARKER, {}),
        ("history", {"id": MARKER}),
    ):
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        answers.append(server.client.post("/mcp", json=call, headers=headers))
    answers.append(server.client.get("/v1/facts", headers={"Authorization": f"Bearer mk_{MARKER}_x"}))
    assert {one.status_code for one in answers} >= {200, 202, 401, 403, 404, 422}
    assert max(one.status_code for one in answers) < 500
    assert sum(one.is_success for one in answers) > len(answers) / 5
    wait_until(lambda: server.client.get(job, headers=headers).json()["state"] == "done")
    assert server.stop() == 0
    asyncio.run(_leave_a_job(store, told))
    with log.open("ab") as sink:
        worker = [*PROGRAM, "worker", "--until-idle", "--store", store]
        subprocess.run(worker, cwd=ROOT, env=environment(), stdout=sink, stderr=sink, check=True)
    written = log.read_text(encoding="utf-8")
    assert '"message": "request answered"' in written
    assert not re.search(r"^0 jobs done", written, flags=re.MULTILINE)
    assert [line for line in written.splitlines() if MARKER in line] == []
    assert written.count(key.split("_")[2]) == 1  # where it was shown
    assert "Traceback" not in written


async def _leave_a_job(store: str, told: dict[str, Any]) -> None:
    async with open_engine(settings=read_settings(store_url=store)) as engine:
        memory = engine.for_tenant("later", actor="test")
        await memory.remember([{**told, "external_id": f"{MARKER}-2"}], mode="async")


def wait_until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + ANSWERS_WITHIN_S
    while not holds():
        assert time.monotonic() < until, "it did not come to pass"
        time.sleep(0.1)


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


@pytest.mark.parametrize(
    "sent", [b"GET /v1/facts?q=%s HTTP/1.1\r\nHost: x\r\n\r\n" % (b"%C3%B2" * 20_000), b"\x16\x03\x01 hello\r\n\r\n"]
)
def test_what_is_no_request_is_told_so_as_a_problem(sent: bytes, server: Server) -> None:
    server.wait()
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as plain:
        for start in range(0, len(sent), 8_192):  # also a sender that is still at it is answered
            plain.sendall(sent[start : start + 8_192])
        answer = http.client.HTTPResponse(plain)
        answer.begin()
        problem = json.loads(answer.read())
    assert (answer.status, answer.headers["Content-Type"]) == (400, "application/problem+json")
    assert (problem["code"], problem["status"]) == ("invalid", 400)
    assert problem["request_id"] == answer.headers["X-Request-Id"]
    assert server.client.get("/healthz").status_code == 200
