"""Several processes on one SQLite file: each sees the others' writes, and a killed one loses nothing it acknowledged."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment.engine.ports.search import SearchRequest
from muniment.engine.ports.store import Erasable
from muniment.engine.stores.sqlite.database import open_sqlite
from muniment.graph_schema.ids import FactId, Space
from muniment.graph_schema.records import Kind
from tests.builders import EMBEDDER, episode, indexed, read_filter, unit_vector

ROOT = Path(__file__).parents[2]
ACME = Space("dev/acme")
PRELUDE = """
import asyncio, sys
from muniment.engine.stores.sqlite.database import open_sqlite
from muniment.engine.ports.search import SearchRequest
from muniment.engine.ports.store import Erasable
from muniment.graph_schema.ids import EpisodeId, Space
from muniment.graph_schema.records import Kind
from tests.builders import *
ACME = Space("dev/acme")
"""
# Writes one fact a transaction, with its entities, assertion, index entry and job, and says so when it is committed.
STREAM = """
async def main(path, start):
    database = await open_sqlite(path, environment="dev")
    store = database.space(ACME)
    for n in range(start, start + 100_000):
        async with store.write() as unit:
            await unit.put_entities([entity("ana"), entity("acme")])
            await unit.put_assertions([assertion(f"a{n}")])
            await unit.put_facts([fact(f"f{n}")])
            await unit.put_index([indexed(Kind.FACT, f"f{n}", f"zebra word{n}", unit_vector(1, n))])
            await unit.put_jobs([job(f"j{n}")])
        print(n, flush=True)
asyncio.run(main(sys.argv[1], int(sys.argv[2])))
"""
COUNT = """
async def main(path):
    database = await open_sqlite(path, environment="dev")
    store = database.space(ACME)
    for _ in range(25):
        async with store.write() as unit:
            found = await unit.document("counter", "c")
            await unit.put_documents([document("c", "counter", body={"n": (found.body["n"] if found else 0) + 1})])
    await database.close()
asyncio.run(main(sys.argv[1]))
"""
# Answers each line with what a search finds, in one process that lives on.
SEARCH = """
async def main(path):
    database = await open_sqlite(path, environment="dev")
    store = database.space(ACME)
    request = SearchRequest(filter=read_filter(), terms=("zebra",), vectors={EMBEDDER: unit_vector(1)})
    for _ in sys.stdin:
        print(*sorted(one.memory.id for one in await store.search(request)), flush=True)
    await database.close()
asyncio.run(main(sys.argv[1]))
"""


def start(script: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PRELUDE + script, *map(str, arguments)],
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "OMP_NUM_THREADS": "1", "PATH": ""},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def searcher(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    process = start(SEARCH, tmp_path / "m.db")
    yield process
    process.kill()
    process.communicate()


def asked(searcher: subprocess.Popen[str]) -> list[str]:
    assert searcher.stdin is not None
    assert searcher.stdout is not None
    searcher.stdin.write("\n")
    searcher.stdin.flush()
    return searcher.stdout.readline().split()


async def test_another_process_finds_what_was_written_changed_and_erased(
    tmp_path: Path, searcher: subprocess.Popen[str]
) -> None:
    database = await open_sqlite(str(tmp_path / "m.db"), environment="dev")
    store = database.space(ACME)
    assert asked(searcher) == []
    async with store.write() as unit:
        await unit.put_episodes([episode("e1"), episode("e2")])
        await unit.put_index([indexed(Kind.EPISODE, id, "zebra", unit_vector(1)) for id in ("e1", "e2")])
    assert asked(searcher) == ["e1", "e2"]
    async with store.write() as unit:
        await unit.put_episodes([episode("e1", archived=True), episode("e3")])
        await unit.put_index([indexed(Kind.EPISODE, "e3", "zebra", unit_vector(1))])
    assert asked(searcher) == ["e2", "e3"]
    async with store.write() as unit:
        await unit.erase(Erasable.EPISODE, ["e2"])
        await unit.drop_index([(Kind.EPISODE, "e3")])
    assert asked(searcher) == []
    async with store.write() as unit:
        await unit.put_episodes([episode("e2")])
        await unit.put_index([indexed(Kind.EPISODE, "e2", "zebra")])
    assert asked(searcher) == ["e2"]
    await database.scrub()
    assert asked(searcher) == ["e2"]
    await database.erase_space(ACME)
    assert asked(searcher) == []
    async with store.write() as unit:
        await unit.put_episodes([episode("e4")])
        await unit.put_index([indexed(Kind.EPISODE, "e4", "zebra")])
    assert asked(searcher) == ["e4"]
    await database.close()


async def test_transactions_of_two_processes_are_serial(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    processes = [start(COUNT, path) for _ in range(2)]
    for process in processes:
        process.communicate()
    assert [process.returncode for process in processes] == [0, 0]
    database = await open_sqlite(str(path), environment="dev")
    found = await database.space(ACME).document("counter", "c")
    assert found is not None
    assert found.body == {"n": 50}
    await database.close()


async def test_what_was_acknowledged_outlives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    acknowledged: list[int] = []
    for round_ in range(10):
        process = start(STREAM, path, round_ * 1_000_000)
        assert process.stdout is not None
        for _ in range(round_ + 3):
            acknowledged.append(int(process.stdout.readline()))
        process.kill()
        rest, _ = process.communicate()
        # Whole lines only: a number may be cut off where the pipe ended.
        acknowledged += [int(line) for line in rest.splitlines(keepends=True) if line.endswith("\n")]
        database = await open_sqlite(str(path), environment="dev")
        store = database.space(ACME)
        ids = [f"f{n}" for n in acknowledged]
        assert [one.id for one in await store.facts([FactId(id) for id in ids])] == ids
        await whole_transactions_only(path)
        wanted = SearchRequest(
            filter=read_filter(), terms=(f"word{acknowledged[-1]}",), vectors={EMBEDDER: unit_vector(1)}, limit=1
        )
        assert ids[-1] in [one.memory.id for one in await store.search(wanted)]
        await database.close()
    assert len(acknowledged) >= 75


async def whole_transactions_only(path: Path) -> None:
    """Each fact has its assertion, entry and job: nothing is half-written."""
    database = await open_sqlite(str(path), environment="dev")
    store = database.space(ACME)
    told = [one.id.removeprefix("a") async for batch in store.all_assertions() for one in batch]
    jobs = [one.id.removeprefix("j") for one in await store.jobs(limit=100_000)]
    facts = [one.id.removeprefix("f") for one in await store.facts([FactId(f"f{n}") for n in told])]
    found = await store.search(SearchRequest(filter=read_filter(), terms=("zebra",), limit=100_000))
    assert sorted(told) == sorted(jobs) == sorted(facts) == sorted(one.memory.id.removeprefix("f") for one in found)
    assert all(one.words.startswith("zebra") for one in found)
    await database.close()
