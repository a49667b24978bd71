"""Many writers to few slots: nothing is lost, and the end is what one writer alone would have reached."""

from __future__ import annotations

import asyncio
import os
import random

from muniment.engine.memory import Memory
from muniment.engine.write.indexing import Indexer
from tests._stores import Leg
from tests.engines import engine_on, everything, objects, told

WRITERS = 8
WRITES = {Leg.SQLITE: 2_000}
"""How many writes, each of one fact, go to few slots. Where a write is a round trip to a server and a durable commit of its
own, fewer are made by default; MUNIMENT_TEST_WRITES sets another number for every store."""
_FEWER = 240


def writes_on(leg: Leg) -> int:
    return int(os.environ.get("MUNIMENT_TEST_WRITES", WRITES.get(leg, _FEWER)))


def share(writer: int, writes: int) -> list[dict[str, object]]:
    """What one writer tells: dated facts about ten people, so that the order of arrival must not matter. The seconds are
    the writer's own, the years few: rivals meet, equal starts are rare."""
    chance = random.Random(writer)
    return [
        told(
            f"Person {chance.randrange(10)}",
            chance.choice(("works_for", "lives_in", "likes")),
            f"Thing {chance.randrange(12)}",
            valid_at=f"20{chance.randrange(10, 26)}-{chance.randrange(1, 13):02}-{chance.randrange(1, 28):02}T00:00:{writer:02}Z",
        )
        for _ in range(writes // WRITERS)
    ]


async def write(memory: Memory, facts: list[dict[str, object]]) -> None:
    for fact in facts:
        await memory.assert_facts([fact])


async def test_concurrent_writers_reach_what_one_writer_reaches(store_url: str, store_leg: Leg) -> None:
    writes = writes_on(store_leg)
    shares = [share(writer, writes) for writer in range(WRITERS)]
    async with engine_on(store_url) as engine:
        engine.tools.indexer = Indexer(None)  # vectors play no part in what is true
        together = [engine.for_tenant("together", actor=f"writer-{n}") for n in range(WRITERS)]
        await asyncio.gather(*(write(memory, facts) for memory, facts in zip(together, shares, strict=True)))
        alone = engine.for_tenant("alone")
        whole = [fact for facts in shares for fact in facts]
        for start in range(0, len(whole), 1000):
            await alone.assert_facts(whole[start : start + 1000])
        reached = await everything(together[0])
        assert reached == await everything(alone)
        assert len(reached) > writes / 4  # nothing was lost that would have left an interval of its own
        check = await together[0].verify_audit()
        assert (check.ok, check.entries) == (True, len(whole))


async def test_concurrent_writers_of_one_new_name_make_one_entity(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memories = [engine.for_tenant("acme") for _ in range(5)]
        await asyncio.gather(*(m.assert_facts([told("Alice", "likes", f"thing {n}")]) for n, m in enumerate(memories)))
        found = (await memories[0].entities(q="alice")).items
        assert [page.entity.name for page in found] == ["Alice"]
        assert found[0].counts.facts == 5
        assert len(await objects(memories[0], subject="Alice")) == 5
