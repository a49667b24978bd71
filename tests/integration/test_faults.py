"""Accepted means recoverable: a service and a worker that are killed at random, a full disk, a store that goes away.

`MUNIMENT_TEST_KILLS=20` makes the runs long; the tests' own is a first look.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from muniment.engine.stores.neo4j.local.ports import free_port
from muniment.engine.stores.neo4j.local.server import LocalNeo4j
from tests.benchmarks.serving import PROGRAM, create_key, environment
from tests.benchmarks.workload import firm

KILLS = int(os.environ.get("MUNIMENT_TEST_KILLS", "2"))
CHANCE = random.Random(KILLS)
PATIENCE_S = 120.0
# Leases that lapse soon, so that a killed worker's job need not wait a minute for another.
SETTINGS = {"MUNIMENT_WORKER_LEASE_S": "2", "MUNIMENT_WORKER_POLL_S": "0.1", "OMP_NUM_THREADS": "1"}
BETWEEN_KILLS = 4  # acknowledged writes, at least


class Deployment:
    """A service and a worker on one store, each of which can be killed and started again."""

    def __init__(self, url: str) -> None:
        self.key = create_key(url)
        self._url = url
        self.port = free_port()
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, *names: str) -> None:
        for name in names:
            more = ["serve", "--no-worker", "--port", str(self.port)] if name == "serve" else ["worker"]
            command = [*PROGRAM, more[0], "--store", self._url, *more[1:]]
            self._running[name] = subprocess.Popen(
                command, env=environment(**SETTINGS), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )

    def ended(self) -> list[str]:
        """Those that have ended by themselves."""
        return [name for name, process in self._running.items() if process.poll() is not None]

    def kill(self, name: str) -> None:
        process = self._running.pop(name)
        process.kill()
        process.wait()

    def stop(self) -> None:
        for name in list(self._running):
            self.kill(name)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        return httpx.request(
            method,
            f"http://127.0.0.1:{self.port}/v1{path}",
            json=body,
            headers={"Authorization": f"Bearer {self.key}", **headers},
            timeout=30,
        )

    def all(self, path: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        cursor: dict[str, str] = {}
        while True:
            page = self.ask("GET", path + "".join(f"&cursor={one}" for one in cursor.values())).json()
            found += page["items"]
            if page["next_cursor"] is None:
                return found
            cursor = {"cursor": page["next_cursor"]}


class Writer(threading.Thread):
    """Sends async writes one after the other, each again with its key until it is acknowledged."""

    def __init__(self, to: Deployment) -> None:
        super().__init__(daemon=True)
        self._to = to
        self._ended = threading.Event()
        self.acknowledged: list[str] = []
        self.surprises: list[str] = []

    def run(self) -> None:
        while not self._ended.is_set():
            self._send(len(self.acknowledged))

    def _send(self, number: int) -> None:
        name = f"n{number}"
        told = {
            "text": f"{firm(number).people[1]} works for {firm(number).name}.",
            "kind": "note",
            "occurred_at": "2026-03-05T09:00:00Z",
            "external_id": name,
        }
        key = name
        while not self._ended.is_set():
            try:
                body = {"episodes": [told], "mode": "async"}
                answer = self._to.ask("POST", "/episodes", body, **{"Idempotency-Key": key})
            except httpx.HTTPError:
                time.sleep(0.1)
                continue
            if answer.is_success:
                self.acknowledged.append(name)
                return
            if answer.status_code == 409:  # held by the server that was killed: what a client does that will not wait
                key += "+"
            elif answer.status_code != 503:
                self.surprises.append(answer.text)
            time.sleep(0.1)

    def wait_for(self, count: int) -> None:
        _until(lambda: len(self.acknowledged) >= count, f"{count} writes were not acknowledged")

    def end(self) -> None:
        self._ended.set()
        self.join()


def _until(holds: Callable[[], bool], else_: str) -> None:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        try:
            if holds():
                return
        except (httpx.HTTPError, KeyError, ValueError):
            pass  # it is not up yet
        time.sleep(0.1)
    raise AssertionError(else_)


@pytest.fixture
def deploy() -> Iterator[Callable[[str], Deployment]]:
    made: list[Deployment] = []

    def on(url: str) -> Deployment:
        made.append(Deployment(url))
        return made[-1]

    yield on
    for one in made:
        one.stop()


def _check(deployment: Deployment, acknowledged: Sequence[str]) -> None:
    """Every acknowledged episode is there once, every job has ended well, and nothing took effect twice."""

    def states() -> Counter[str]:
        return Counter(job["state"] for job in deployment.all("/jobs?limit=200"))

    _until(lambda: states().keys() == {"done"}, "a job did not end")
    episodes = Counter(one["external_id"] for one in deployment.all("/episodes?limit=200"))
    assert {name: episodes[name] for name in acknowledged} == dict.fromkeys(acknowledged, 1)
    assert sum(states().values()) == len(episodes)
    facts = deployment.all("/facts?limit=200&relation=works_for&include_superseded=true")
    assert len({fact["subject"]["name"] for fact in facts}) == len(facts) == len(episodes)
    assert {len(fact["evidence"]) for fact in facts} == {1}


def _kill_at_random(deployment: Deployment, writer: Writer, names: Sequence[str]) -> None:
    for name in names:
        writer.wait_for(len(writer.acknowledged) + BETWEEN_KILLS)
        time.sleep(CHANCE.random() / 2)
        deployment.kill(name)
        deployment.start(name)


def test_kills_at_random_lose_nothing_and_do_nothing_twice(tmp_path: Path, deploy: Callable[[str], Deployment]) -> None:
    deployment = deploy(f"sqlite:///{tmp_path / 'm.db'}")
    deployment.start("serve", "worker")
    writer = Writer(deployment)
    writer.start()
    _kill_at_random(deployment, writer, (["serve", "worker"] * KILLS)[:KILLS])
    writer.wait_for(len(writer.acknowledged) + BETWEEN_KILLS)
    writer.end()
    assert writer.surprises == []
    _check(deployment, writer.acknowledged)


def test_neither_kills_nor_a_store_that_stops_and_starts_lose_anything(
    local_neo4j: Callable[..., LocalNeo4j], deploy: Callable[[str], Deployment]
) -> None:
    server = local_neo4j("2026")
    running = server.start()
    deployment = deploy(running.url)
    deployment.start("serve", "worker")
    writer = Writer(deployment)
    writer.start()
    _kill_at_random(deployment, writer, (["worker", "serve"] * KILLS)[: KILLS - 1])
    writer.wait_for(len(writer.acknowledged) + BETWEEN_KILLS)
    server.stop(timeout_s=0)
    _until(lambda: deployment.ask("GET", "/facts").status_code == 503, "the service did not say that its store is gone")
    assert deployment.ask("GET", "/facts").json()["code"] == "store_unavailable"
    local_neo4j("2026", port=running.port).start()
    deployment.start(*deployment.ended())  # one that was just starting has ended; a supervisor starts it anew
    writer.wait_for(len(writer.acknowledged) + BETWEEN_KILLS)
    writer.end()
    assert writer.surprises == []
    _check(deployment, writer.acknowledged)


FULL = """
import asyncio, os, resource, sys
from muniment.engine.bootstrap import open_engine
from muniment.graph_schema.errors import StoreUnavailable

def limit(bytes_):
    resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, resource.RLIM_INFINITY))

def episodes(n):
    at = "2026-03-05T09:00:00Z"
    return [{"text": f"{n} {k} " + "wide " * 400, "kind": "note", "occurred_at": at, "external_id": f"{n}-{k}"} for k in range(5)]

async def main(path):
    async with open_engine(f"sqlite:///{path}") as engine:
        memory = engine.for_tenant("acme", actor="test")
        kept = 0
        await memory.remember(episodes("first"), extract="none")
        limit(max(os.path.getsize(path + end) for end in ("", "-wal")) + 100_000)
        try:
            for kept in range(1000):
                await memory.remember(episodes(kept), extract="none")
        except StoreUnavailable as error:
            print("refused", kept, str(error).partition(": ")[2], flush=True)
        held = [one.external_id async for one in everything(memory)]
        print("held", len(held), len(set(held)), flush=True)
        limit(resource.RLIM_INFINITY)
        await memory.remember(episodes("after"), extract="none")
        held = [one.external_id async for one in everything(memory)]
        print("after", len(held), len(set(held)), (await memory.verify_audit()).ok, flush=True)

async def everything(memory):
    from muniment.engine.paging import every
    async for one in every(memory.episodes, limit=200):
        yield one

asyncio.run(main(sys.argv[1]))
"""


def test_a_full_disk_refuses_a_write_whole_and_takes_the_next_when_there_is_room(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path)], env=environment(), capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    (refused, kept, *why), held, after = (line.split() for line in done.stdout.splitlines())
    assert (refused, bool(why)) == ("refused", True)
    whole = (int(kept) + 1) * 5  # those of before, and no part of the one that was refused
    assert held == ["held", str(whole), str(whole)]
    assert after == ["after", str(whole + 5), str(whole + 5), "True"]
