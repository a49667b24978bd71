"""Writers that wait at the same time are committed together, and none notices the others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from muniment.engine.bootstrap import Engine, open_engine
from muniment.engine.memory import Memory
from muniment.engine.ports.store import TenantStore, Unit
from muniment.engine.settings import read_settings
from muniment.engine.write.turns import MOST_TOGETHER, Turns
from muniment.graph_schema.errors import NotFound, StoreUnavailable
from muniment.graph_schema.records import Document
from muniment.graph_schema.temporal import parse_time

AT = parse_time("2026-03-05T09:00:00Z")


@pytest.fixture
async def engine(store_url: str) -> AsyncIterator[Engine]:
    async with open_engine(settings=read_settings(store_url=store_url)) as opened:
        yield opened


@pytest.fixture
def memory(engine: Engine) -> Memory:
    return engine.for_tenant("acme", actor="test")


def likes(name: str) -> dict[str, Any]:
    return {"subject": {"name": "Ana Ruiz", "type": "person"}, "relation": "likes", "object": {"name": name}}


def works_for(name: str, since: str) -> dict[str, Any]:
    return {**likes(name), "relation": "works_for", "valid_at": since}


def counted(store: TenantStore, commits: list[int], *, fails: int = 0) -> TenantStore:
    """The store, its transactions counted by how many writes each kept; the first ones are taken back by it."""
    begin = store.write

    @asynccontextmanager
    async def write() -> AsyncIterator[Unit]:
        async with begin() as unit:
            yield unit
            if len(commits) < fails:
                commits.append(0)
                raise StoreUnavailable("another was first", gave_way=True)
        commits.append(1)

    store.write = write  # type: ignore[method-assign]  # the real store, watched
    return store


def noting(id: str) -> Any:
    async def work(unit: Unit) -> str:
        if id == "wrong":
            raise NotFound.of("document", id)
        await unit.put_documents([Document(kind="note", id=id, created_at=AT, body={})])
        return id

    return work


async def kept(store: TenantStore, ids: list[str]) -> list[str]:
    return [id for id in ids if await store.document("note", id) is not None]


async def test_those_that_wait_together_share_a_transaction_and_each_gets_its_own_answer(engine: Engine) -> None:
    commits: list[int] = []
    store = counted(engine.for_tenant("acme")._store, commits)
    turns, ids = Turns(), [f"n{n}" for n in range(MOST_TOGETHER + 2)]
    assert await asyncio.gather(*(turns.write(store, noting(id)) for id in ids)) == ids
    assert len(commits) == 2
    assert await kept(store, ids) == ids
    await turns.close()


async def test_one_that_fails_costs_the_others_nothing(engine: Engine) -> None:
    store = counted(engine.for_tenant("acme")._store, [])
    turns = Turns()
    told = await asyncio.gather(*(turns.write(store, noting(id)) for id in ("a", "wrong", "b")), return_exceptions=True)
    assert (told[0], type(told[1]), told[2]) == ("a", NotFound, "b")
    assert await kept(store, ["a", "wrong", "b"]) == ["a", "b"]


async def test_a_transaction_that_the_store_took_back_is_done_again_whole(engine: Engine) -> None:
    commits: list[int] = []
    store = counted(engine.for_tenant("acme")._store, commits, fails=2)
    turns = Turns()
    assert await asyncio.gather(*(turns.write(store, noting(id)) for id in "ab")) == ["a", "b"]
    assert commits == [0, 0, 1]


async def test_large_ones_and_callers_who_see_other_walls_are_alone_and_nobody_is_overtaken(engine: Engine) -> None:
    commits: list[int] = []
    open_, walled = (counted(engine.for_tenant("acme", walls=walls)._store, commits) for walls in ((), ("deal",)))
    turns, order = Turns(), []

    def noted(id: str) -> Any:
        async def work(unit: Unit) -> str:
            order.append(id)
            result: str = await noting(id)(unit)
            return result

        return work

    given = [("a", open_, 1), ("b", open_, 1), ("c", walled, 1), ("d", open_, 1000), ("e", open_, 1)]
    await asyncio.gather(*(turns.write(store, noted(id), size=size) for id, store, size in given))
    assert order == list("abcde")
    assert len(commits) == 4


async def test_who_stops_waiting_before_the_turn_is_left_out(engine: Engine) -> None:
    store = engine.for_tenant("acme")._store
    turns, goes_on = Turns(), asyncio.Event()

    async def slow(unit: Unit) -> None:
        await goes_on.wait()

    first = asyncio.create_task(turns.write(store, slow))
    await asyncio.sleep(0.01)
    second, third = (asyncio.create_task(turns.write(store, noting(id))) for id in ("gone", "stays"))
    await asyncio.sleep(0)
    second.cancel()
    goes_on.set()
    await asyncio.gather(first, third)
    assert await kept(store, ["gone", "stays"]) == ["stays"]


async def test_what_writers_say_at_once_is_true_as_if_they_had_come_one_by_one(memory: Memory) -> None:
    said = [works_for("Globex", "2025-01-01T00:00:00Z"), works_for("Initech", "2026-01-01T00:00:00Z")]
    receipts = await asyncio.gather(*(memory.assert_facts([one]) for one in [*said, *map(likes, "abcdefgh")]))
    assert len({one.id for one in receipts}) == len(receipts)
    (ana,) = (await memory.entities(q="Ana")).items
    assert ana.counts.facts == 9
    (job,) = (await memory.facts(relation="works_for")).items
    assert job.object.name == "Initech"
    rows = (await memory.audit(limit=50)).items
    assert sorted(row.ids[0] for row in rows if row.verb == "assert_facts") == sorted(one.id for one in receipts)
    assert (await memory.verify_audit()).ok
    await memory.undo(receipts[1].id)
    (job,) = (await memory.facts(relation="works_for")).items
    assert job.object.name == "Globex"
