"""Many writers to few slots: nothing is lost, and the end is what one writer alone would have reached."""

from __future__ import annotations

import asyncio
import random

from muniment.engine.memory import Memory
from muniment.engine.write.indexing import Indexer
from tests.engines import engine_on, everything, objects, told

WRITERS, CALLS, FACTS = 8, 50, 5


def share(writer: int) -> list[list[dict[str, object]]]:
    """The calls of one writer: dated facts about ten people, so that the order of arrival must not matter."""
    chance = random.Random(writer)
    return [
        [
            told(
                f"Person {chance.randrange(10)}",
                chance.choice(("works_for", "lives_in", "likes")),
                f"Thing {chance.randrange(30)}",
                valid_at=f"20{chance.randrange(10, 26)}-{chance.randrange(1, 13):02}-{chance.randrange(1, 28):02}T00:00:{writer:02}Z",
            )
            for _ in range(FACTS)
        ]
        for _ in range(CALLS)
    ]


async def write(memory: Memory, calls: list[list[dict[str, object]]]) -> None:
    for facts in calls:
        await memory.assert_facts(facts)


async def test_concurrent_writers_reach_what_one_writer_reaches(store_url: str) -> None:
    shares = [share(writer) for writer in range(WRITERS)]
    async with engine_on(store_url) as engine:
        engine.tools.indexer = Indexer(None)  # vectors play no part in what is true
        together = [engine.for_tenant("together", actor=f"writer-{n}") for n in range(WRITERS)]
        await asyncio.gather(*(write(memory, calls) for memory, calls in zip(together, shares, strict=True)))
        alone = engine.for_tenant("alone")
        whole = [fact for calls in shares for facts in calls for fact in facts]
        for start in range(0, len(whole), 1000):
            await alone.assert_facts(whole[start : start + 1000])
        assert await everything(together[0]) == await everything(alone)
        check = await together[0].verify_audit()
        assert (check.ok, check.entries) == (True, WRITERS * CALLS)


async def test_concurrent_writers_of_one_new_name_make_one_entity(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memories = [engine.for_tenant("acme") for _ in range(5)]
        await asyncio.gather(*(m.assert_facts([told("Alice", "likes", f"thing {n}")]) for n, m in enumerate(memories)))
        found = (await memories[0].entities(q="alice")).items
        assert [page.entity.name for page in found] == ["Alice"]
        assert found[0].counts.facts == 5
        assert len(await objects(memories[0], subject="Alice")) == 5
