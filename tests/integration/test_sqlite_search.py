"""Search in memory: exact, in step with the database, within its budget; and no statement reads a whole table."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from muniment.engine.ports.search import SearchRequest
from muniment.engine.ports.store import Database
from muniment.engine.stores.sqlite.database import open_sqlite
from muniment.engine.stores.sqlite.image import Image
from muniment.engine.stores.sqlite.statements import statement
from muniment.graph_schema.ids import Space
from muniment.graph_schema.records import Kind
from tests.builders import EMBEDDER, entity, episode, fact, indexed, read_filter, unit_vector

ACME, GLOBEX = Space("dev/acme"), Space("dev/globex")
COUNT = 400


async def filled(database: Database, space: Space = ACME, *, seed: int = 0) -> np.ndarray:
    """Facts f000 … with random vectors of one to three parts and words of a long-tailed distribution."""
    random = np.random.default_rng(seed)
    vectors = random.standard_normal((COUNT, 3, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=2, keepdims=True)
    async with database.space(space).write() as unit:
        await unit.put_entities([entity("ana"), entity("acme")])
        await unit.put_facts([fact(f"f{n:03}") for n in range(COUNT)])
        await unit.put_index(
            [indexed(Kind.FACT, f"f{n:03}", words_of(n), *vectors[n, : n % 3 + 1]) for n in range(COUNT)]
        )
    return vectors


def words_of(n: int) -> str:
    return " ".join(f"w{k}" for k in range(1, 40) if n % k == 0)


async def test_vectors_are_ranked_exactly(tmp_path: Path) -> None:
    database = await open_sqlite(str(tmp_path / "m.db"), environment="dev")
    vectors = await filled(database)
    random = np.random.default_rng(9)
    for limit in (1, 7, 50, COUNT):
        question = unit_vector(*random.standard_normal(8))
        best = {f"f{n:03}": float((vectors[n, : n % 3 + 1] @ question).max()) for n in range(COUNT)}
        expected = sorted(best, key=lambda id: (-best[id], id))[:limit]
        request = SearchRequest(filter=read_filter(), vectors={EMBEDDER: question}, limit=limit)
        found = {one.memory.id: one.cosine for one in await database.space(ACME).search(request)}
        assert found == {id: pytest.approx(best[id], abs=1e-6) for id in expected}
    await database.close()


async def test_words_are_ranked_by_the_weights_of_what_matched(tmp_path: Path) -> None:
    database = await open_sqlite(str(tmp_path / "m.db"), environment="dev")
    await filled(database)
    idf = {"w2": 0.5, "w3": 1.1, "w7": 2.0, "w31": 3.5}
    score = {
        f"f{n:03}": sum(weight for term, weight in idf.items() if term in words_of(n).split()) for n in range(COUNT)
    }
    for limit in (1, 5, 60):
        request = SearchRequest(filter=read_filter(), terms=tuple(idf), idf=idf, limit=limit)
        found = await database.space(ACME).search(request)
        expected = sorted((id for id in score if score[id]), key=lambda id: (-score[id], id))[:limit]
        assert sorted(one.memory.id for one in found) == sorted(expected)
    await database.close()


async def test_equal_scores_are_cut_by_id(tmp_path: Path) -> None:
    database = await open_sqlite(str(tmp_path / "m.db"), environment="dev")
    async with database.space(ACME).write() as unit:
        await unit.put_episodes([episode(id) for id in "dbace"])
        await unit.put_index([indexed(Kind.EPISODE, id, "zebra", unit_vector(1)) for id in "ecadb"])
    filter = read_filter()
    by_words = SearchRequest(filter=filter, limit=2, terms=("zebra",))
    by_vector = SearchRequest(filter=filter, limit=2, vectors={EMBEDDER: unit_vector(1)})
    for request in (by_words, by_vector):
        assert sorted(one.memory.id for one in await database.space(ACME).search(request)) == ["a", "b"]
    await database.close()


async def test_many_small_writes_and_replacements_stay_in_step(tmp_path: Path) -> None:
    database = await open_sqlite(str(tmp_path / "m.db"), environment="dev")
    store = database.space(ACME)
    request = SearchRequest(filter=read_filter(), terms=("odd",), vectors={EMBEDDER: unit_vector(1)}, limit=500)
    for n in range(60):
        async with store.write() as unit:
            await unit.put_episodes([episode(f"e{n % 20:02}")])
            vector = unit_vector(1, n)
            await unit.put_index([indexed(Kind.EPISODE, f"e{n % 20:02}", "odd" if n % 2 else "even", vector)])
        found = {one.memory.id: one for one in await store.search(request)}
        assert len(found) == min(n + 1, 20)
        newest = found[episode(f"e{n % 20:02}").id]
        assert newest.words == ("odd" if n % 2 else "even")
        assert newest.cosine == pytest.approx(float(vector[0]), abs=1e-6)
    words_only = SearchRequest(filter=read_filter(), terms=("odd",), limit=500)
    assert sorted(one.memory.id for one in await store.search(words_only)) == [f"e{n:02}" for n in range(1, 20, 2)]
    await database.close()


async def test_images_over_the_budget_are_dropped_and_answers_stay_right(tmp_path: Path) -> None:
    database = await open_sqlite(str(tmp_path / "m.db"), environment="dev", image_budget_bytes=1)
    for seed, space in enumerate((ACME, GLOBEX)):
        await filled(database, space, seed=seed)
    request = SearchRequest(filter=read_filter(), vectors={EMBEDDER: unit_vector(1)}, limit=5)
    first = [await database.space(space).search(request) for space in (ACME, GLOBEX)]
    assert int((await database.describe())["search_memory_bytes"]) < 2_000_000
    again = [await database.space(space).search(request) for space in (ACME, GLOBEX)]
    assert first == again
    assert first[0] != first[1]
    await database.close()


def test_a_worn_image_says_so() -> None:
    image = Image()
    columns = {name: np.zeros(6000, dtype=np.int64) for name in image.columns if name not in ("entry", "alive")}
    image.put_rows(["fact"] * 6000, [f"f{n}" for n in range(6000)], [1] * 6000, columns)
    for n in range(3000):
        image.drop_memory(("fact", f"f{n}"))
    assert not image.is_worn
    image.drop_memory(("fact", "f3000"))
    assert image.is_worn


# Reads a whole space by nature: it is asked by the operator, or streams everything.
READS_ALL = {"space_list", "space_floor", "gone_forget", "space_erase", "entry_last"}


async def test_no_statement_reads_a_whole_table(tmp_path: Path) -> None:
    database = await open_sqlite(str(tmp_path / "m.db"), environment="dev")
    await database.close()
    connection = sqlite3.connect(tmp_path / "m.db")
    connection.create_function("lowered", 1, str.lower, deterministic=True)
    folder = Path(__file__).parents[2] / "engine/stores/sqlite/statements"
    names = sorted(path.stem for path in folder.glob("*.sql"))
    scans = {}
    for name in names:
        text = statement(name)
        if name in READS_ALL or name.endswith(("_put", "_add", "_drop")):
            continue
        named = dict.fromkeys(re.findall(r":(\w+)", text), "[]")
        ordered = [None] * text.count("?")
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {text}", ordered or named)]
        # A scan of a JSON parameter or of a query's own parts is not one of a table.
        own = ("VIRTUAL TABLE", "(subquery", "touching", "placed", "shown", "counted", "seen", "CONSTANT")
        scans[name] = [step for step in plan if step.startswith("SCAN") and not any(mark in step for mark in own)]
    connection.close()
    assert len(scans) > 60
    assert {name: found for name, found in scans.items() if found} == {}
