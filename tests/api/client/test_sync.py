"""The verbs without `await`: from many threads, until it is closed."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import muniment
from muniment.engine.loop_thread import LoopThread
from muniment.engine.settings import Settings
from muniment.engine.sync import SyncEngine
from muniment.graph_schema.errors import Invalid, TenantRequired, Unavailable

THREADS = 4
ROOT = Path(__file__).resolve().parents[3]
PROBE = """
import sys, muniment
assert not {"httpx", "numpy", "pydantic"} & {name.partition(".")[0] for name in sys.modules}
sys.modules["httpx"] = None
with muniment.open("sqlite://") as engine:
    assert engine.for_tenant("acme").episodes().items == ()
try:
    muniment.Client
except ImportError as error:
    print(error)
"""


@pytest.fixture
def engine() -> Iterator[SyncEngine]:
    with muniment.open("sqlite://") as engine:
        yield engine


def note(number: int) -> dict[str, str]:
    return {
        "text": f"Note {number}.",
        "kind": "note",
        "occurred_at": "2026-03-05T09:00:00Z",
        "external_id": f"n{number}",
    }


def test_threads_share_one_memory(engine: SyncEngine) -> None:
    memory = engine.for_tenant("acme")
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda number: memory.remember([note(number)], extract="none"), range(3 * THREADS)))
    found = [episode.external_id for episode in muniment.each(memory.episodes, limit=5)]
    assert sorted(map(str, found)) == sorted(f"n{number}" for number in range(3 * THREADS))


def test_threads_share_one_memory_on_neo4j(neo4j_store_url: str) -> None:
    with muniment.open(neo4j_store_url, settings=Settings(environment="test")) as engine:
        memory = engine.for_tenant("acme")
        with ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(lambda number: memory.remember([note(number)], extract="none"), range(THREADS)))
        assert len(memory.episodes().items) == THREADS


async def test_lists_are_walked_page_by_page_with_await_too() -> None:
    async with muniment.connect("sqlite://", tenant="acme") as memory:
        await memory.remember([note(number) for number in range(5)], extract="none")
        found = [episode.external_id async for episode in muniment.every(memory.episodes, limit=2)]
    assert sorted(map(str, found)) == [f"n{number}" for number in range(5)]


def test_a_stream_may_be_left_early(engine: SyncEngine) -> None:
    memory = engine.for_tenant("acme")
    memory.remember([note(1)], extract="none")
    lines = memory.export()
    assert next(lines)["record"] == "header"
    lines.close()  # type: ignore[attr-defined]  # it is a generator


def test_a_closed_engine_says_so_and_its_thread_is_gone(engine: SyncEngine) -> None:
    memory = engine.for_tenant("acme")
    engine.close()
    engine.close()
    with pytest.raises(Unavailable, match="closed"):
        memory.recall("Who?")
    assert not [thread for thread in threading.enumerate() if thread.name == "muniment"]


def test_what_cannot_be_opened_leaves_no_thread_behind() -> None:
    with pytest.raises(Invalid):
        muniment.open("mongo://127.0.0.1")
    with pytest.raises(Invalid, match="key"):
        muniment.open("http://127.0.0.1:1")
    assert not [thread for thread in threading.enumerate() if thread.name == "muniment"]


def test_nobody_is_no_tenant(engine: SyncEngine) -> None:
    with pytest.raises(TenantRequired):
        engine.for_tenant("*")


def test_closing_waits_for_the_call_under_way() -> None:
    loop = LoopThread(name="muniment")
    begun, go_on = threading.Event(), threading.Event()

    async def slow() -> str:
        begun.set()
        while not go_on.is_set():
            await _turn()
        return "done"

    with ThreadPoolExecutor(2) as pool:
        call = pool.submit(loop.run, slow())
        assert begun.wait(30)
        closing = pool.submit(loop.close)
        go_on.set()
        assert call.result(30) == "done"
        closing.result(30)


def test_a_call_from_its_own_thread_is_refused_instead_of_hanging() -> None:
    loop = LoopThread(name="muniment")

    async def inside() -> str:
        with pytest.raises(RuntimeError, match="await"):
            loop.run(_turn())
        return "refused"

    assert loop.run(inside()) == "refused"
    loop.close()


def test_the_package_loads_little_and_says_what_the_client_needs() -> None:
    environment = {"PYTHONPATH": str(ROOT / "src"), "PATH": ""}
    command = [sys.executable, "-c", PROBE]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=environment)
    assert ran.returncode == 0, ran.stderr
    assert "pip install 'muniment[client]'" in ran.stdout


async def _turn() -> None:
    import asyncio

    await asyncio.sleep(0.001)
