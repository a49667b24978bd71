"""Neo4j gives the answers of SQLite, whose search is exact: the same memories, cosines, words, edges and order."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest_asyncio

from muniment.engine.bootstrap import open_database
from muniment.engine.ports.models import Vector
from muniment.engine.ports.search import Found, IndexEntry, ReadFilter, SearchRequest
from muniment.engine.ports.store import Database, TenantStore
from muniment.graph_schema.ids import EntityId, Space
from muniment.graph_schema.records import Episode, Fact, Kind, Summary
from tests.builders import at, clocks, entity, episode, fact, read_filter, ref, scope, summary

DIM = 64
CLOSE = 1e-4
SPACES = (Space("dev/acme"), Space("dev/globex"))
PEOPLE = tuple(f"p{n}" for n in range(12))
VOCABULARY = tuple(f"word{n}" for n in range(60))
TYPES = ("person", "organisation", "product")


class Pair(NamedTuple):
    reference: Database
    tested: Database


@pytest_asyncio.fixture
async def pair(neo4j_store_url: str) -> AsyncIterator[Pair]:
    """The same two tenants in SQLite and in Neo4j."""
    reference = await open_database("sqlite://", environment="dev")
    tested = await open_database(neo4j_store_url, environment="dev")
    for database in (reference, tested):
        for seed, space in enumerate(SPACES):
            await fill(database.space(space, all_walls=True), np.random.default_rng(seed))
    yield Pair(reference, tested)
    await tested.close()
    await reference.close()


async def fill(store: TenantStore, random: np.random.Generator) -> None:
    memories: list[Episode | Fact | Summary] = [
        *(a_fact(n, random) for n in range(240)),
        *(an_episode(n, random) for n in range(80)),
    ]
    memories += [summary(f"s{n}", created_at=at(int(random.integers(9)))) for n in range(20)]
    entries = [an_entry(one, random) for one in memories if random.random() < 0.95]
    async with store.write() as unit:
        await unit.put_entities([entity(id) for id in PEOPLE])
        await unit.put_facts([one for one in memories if isinstance(one, Fact)])
        await unit.put_episodes([one for one in memories if isinstance(one, Episode)])
        await unit.put_summaries([one for one in memories if isinstance(one, Summary)])
        await unit.put_index(entries)


def a_fact(n: int, random: np.random.Generator) -> Fact:
    start = int(random.integers(9))
    subject, object = random.choice(PEOPLE, 2)
    return fact(
        f"f{n:03}",
        kind=(Kind.FACT, Kind.FACT, Kind.PREFERENCE, Kind.SKILL)[random.integers(4)],
        subject=ref(str(subject), TYPES[random.integers(3)]),
        object=ref(str(object), TYPES[random.integers(3)]),
        relation=("works_for", "buys_from", "likes")[random.integers(3)],
        valid_at=at(start),
        invalid_at=at(start + int(random.integers(9))) if random.random() < 0.5 else None,
        created_at=at(start),
        expired_at=at(start + 4) if random.random() < 0.2 else None,
        importance=int(random.integers(1, 6)),
        rejected=bool(random.random() < 0.1),
        archived=bool(random.random() < 0.1),
        wall=("", "", "a", "b")[random.integers(4)],
        scope=(scope(), scope(), scope("u"), scope("u", session="s"))[random.integers(4)],
    )


def an_episode(n: int, random: np.random.Generator) -> Episode:
    return episode(
        f"e{n:02}",
        recorded_at=at(int(random.integers(9))),
        importance=int(random.integers(1, 6)),
        archived=bool(random.random() < 0.1),
        wall=("", "a")[random.integers(2)],
        scope=(scope(), scope("v"))[random.integers(2)],
    )


def an_entry(memory: Episode | Fact | Summary, random: np.random.Generator) -> IndexEntry:
    kind = memory.kind if isinstance(memory, Fact) else Kind.EPISODE if isinstance(memory, Episode) else Kind.SUMMARY
    parts = random.integers(1, 4) if isinstance(memory, Episode) else 1
    words = " ".join(VOCABULARY[int(place)] for place in np.minimum(random.geometric(0.06, 8) - 1, 59))
    return IndexEntry(kind=kind, id=memory.id, words=words, vectors={"model": unit_rows(int(parts), random)})


def unit_rows(count: int, random: np.random.Generator) -> Vector:
    rows = random.standard_normal((count, DIM)).astype(np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def requests() -> list[SearchRequest]:
    """Questions under many filters, of both channels."""
    random = np.random.default_rng(7)
    late = clocks(at(7), at(12))
    filters: list[ReadFilter] = [
        read_filter(clocks=late),
        read_filter(clocks=late, scope=None, include_superseded=True, include_archived=True),
        read_filter(clocks=clocks(at(3), at(4)), scope=scope("u", session="s")),
        read_filter(clocks=late, kinds=frozenset({Kind.FACT, Kind.SUMMARY}), types=frozenset({"product"}), scope=None),
        read_filter(clocks=late, relations=frozenset({"likes"}), min_importance=3, scope=scope("v")),
    ]
    asked = []
    for filter in filters:
        for limit in (3, 20, 400):
            terms = tuple(str(term) for term in random.choice(VOCABULARY, 4, replace=False))
            question = unit_rows(1, random)[0]
            idf = {term: float(random.uniform(0.5, 4)) for term in terms}
            asked.append(SearchRequest(filter=filter, vectors={"model": question}, terms=terms, idf=idf, limit=limit))
    return asked


async def test_vectors_give_the_exact_answer(pair: Pair) -> None:
    for request in requests():
        asked = replace(request, terms=())
        for walls in (frozenset[str](), frozenset({"a"}), frozenset({"a", "b"})):
            exact, found = await both(pair, SPACES[0], walls, asked)
            assert_same(exact, found, limit=request.limit)


async def test_words_give_the_same_memories(pair: Pair) -> None:
    for request in requests():
        asked = replace(request, vectors={}, limit=400)
        exact, found = await both(pair, SPACES[1], frozenset({"a"}), asked)
        assert {one.memory.id: one for one in found} == {one.memory.id: one for one in exact}


async def test_both_channels_at_once_give_all_features(pair: Pair) -> None:
    for request in requests():
        if request.limit < 400:
            continue
        exact, found = await both(pair, SPACES[0], frozenset({"a"}), request)
        assert_same(exact, found, limit=400)


async def test_edges_are_the_same_in_the_same_order(pair: Pair) -> None:
    people = [EntityId(id) for id in PEOPLE]
    for request in requests():
        for per_node, per_kind in ((2, None), (100, None), (100, 2), (3, 1)):
            exact, found = [
                await database.space(SPACES[0], walls=frozenset({"a"})).edges(
                    people, request.filter, per_node=per_node, per_kind=per_kind
                )
                for database in pair
            ]
            assert found == exact


async def both(
    pair: Pair, space: Space, walls: frozenset[str], request: SearchRequest
) -> tuple[list[Found], list[Found]]:
    exact, found = [await database.space(space, walls=walls).search(request) for database in pair]
    return exact, found


def assert_same(exact: list[Found], found: list[Found], *, limit: int) -> None:
    """The same memories with the same features; where the limit cut, another of the last one's cosine may stand for it."""
    expected = {one.memory.id: one for one in exact}
    met = {one.memory.id: one for one in found}
    assert len(met) == len(found)
    assert len(found) == len(exact)
    for id in expected.keys() & met.keys():
        assert met[id].memory == expected[id].memory
        assert met[id].words == expected[id].words
        assert abs((met[id].cosine or 0) - (expected[id].cosine or 0)) < CLOSE
    odd = expected.keys() ^ met.keys()
    if odd:
        lowest = min(one.cosine or 0 for one in exact)
        assert limit < 400
        assert all(abs(((expected.get(id) or met[id]).cosine or 0) - lowest) < CLOSE for id in odd)
