"""What closes what, on every store, beside the cases that `tests/api/test_cases.py` tells on every surface."""

from __future__ import annotations

from muniment.engine.resolve.timeline import Rule
from muniment.graph_schema.records import Action
from tests.engines import changes, everything, made, memory_on, objects, told


async def test_equal_dates_ask_a_person_and_deciding_settles_it(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        first = made(await memory.assert_facts([told("Ana", "works_for", "Acme", valid_at="2026-01-01T00:00:00Z")]))
        receipt = await memory.assert_facts([told("Ana", "works_for", "Beta", valid_at="2026-01-01T00:00:00Z")])
        assert await objects(memory, subject="Ana") == {"Acme", "Beta"}
        assert len(receipt.reviews) == 1
        (review,) = (await memory.reviews()).items
        assert review.rule == Rule.EQUAL_STARTS.value
        assert {f.object.name for f in review.facts} == {"Acme", "Beta"}
        await memory.resolve_review(review.id, first)
        assert await objects(memory, subject="Ana") == {"Acme"}
        assert (await memory.reviews()).items == ()


async def test_two_facts_between_one_pair_are_two_edges(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts([told("Ida", "bought_from", "Kestrel"), told("Ida", "complained_about", "Kestrel")])
        assert len((await memory.facts(subject="Ida", object="Kestrel")).items) == 2


async def test_weaker_evidence_closes_nothing_and_asks(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts([told("Ana", "works_for", "Acme", valid_at="2026-01-01T00:00:00Z", confidence=0.9)])
        receipt = await memory.assert_facts(
            [told("Ana", "works_for", "Beta", valid_at="2026-03-01T00:00:00Z", confidence=0.4)]
        )
        assert changes(receipt, Action.CLOSED) == []
        rows = {f.object.name: f for f in (await memory.facts(subject="Ana")).items}
        assert rows["Acme"].conflicts_with == (rows["Beta"].id,)
        assert len(receipt.reviews) == 1


async def test_bulk_and_one_by_one_give_the_same_graph(store_url: str) -> None:
    facts = [
        told(
            f"Person {i % 20}",
            ("works_for", "likes", "lives_in")[i % 3],
            f"Thing {(i * 7) % 13}",
            valid_at=f"2025-{1 + i % 12:02}-01T00:00:00Z",
        )
        for i in range(200)
    ]
    async with memory_on(store_url) as memory:
        await memory.assert_facts(facts)
        bulk = await everything(memory)
    async with memory_on(store_url, tenant="twin") as memory:
        for fact in facts:
            await memory.assert_facts([fact])
        assert await everything(memory) == bulk
