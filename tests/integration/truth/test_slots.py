"""What closes what, seen through the façade on every store."""

from __future__ import annotations

import pytest

from muniment.engine.resolve.timeline import Rule
from muniment.graph_schema.records import Action, Status
from tests.engines import changes, everything, made, memory_on, objects, told


async def test_unrelated_facts_between_one_pair_close_nothing(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts([told("Mira", "WORKS_AT", "Northwind", text="Mira is Compliance Lead at Northwind")])
        receipt = await memory.assert_facts([told("Mira", "ADMINISTERS", "Northwind code-host org")])
        assert changes(receipt, Action.CLOSED) == []
        assert await objects(memory, subject="Mira") == {"Northwind", "Northwind code-host org"}


async def test_functional_relation_closes_without_any_hint_in_the_words(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        alder = made(
            await memory.assert_facts([told("Tomas", "ASSIGNED_TO", "Alder", valid_at="2026-03-01T00:00:00Z")])
        )
        receipt = await memory.assert_facts([told("Tomas", "ASSIGNED_TO", "Birch", valid_at="2026-05-01T00:00:00Z")])
        assert [c.id for c in changes(receipt, Action.CLOSED)] == [alder]
        closed = await memory.fact(alder)
        assert closed.invalid_at is not None
        assert closed.invalid_at.isoformat() == "2026-05-01T00:00:00+00:00"
        assert closed.superseded_by == made(receipt)
        assert await objects(memory, subject="Tomas") == {"Birch"}


async def test_many_valued_relation_keeps_both(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts([told("Ana", "LIKES", "tea")])
        await memory.assert_facts([told("Ana", "LIKES", "coffee")])
        assert await objects(memory, subject="Ana") == {"tea", "coffee"}


@pytest.mark.parametrize("lyon_first", [True, False])
async def test_order_of_import_does_not_decide(store_url: str, *, lyon_first: bool) -> None:
    lyon = told("Ida", "lives in", "Lyon", valid_at="2025-06-01T00:00:00Z")
    graz = told("Ida", "lives in", "Graz", valid_at="2024-01-01T00:00:00Z")
    async with memory_on(store_url) as memory:
        for fact in (lyon, graz) if lyon_first else (graz, lyon):
            await memory.assert_facts([fact])
        rows = {f.object.name: f for f in (await memory.facts(subject="Ida", include_superseded=True)).items}
        assert rows["Graz"].invalid_at == rows["Lyon"].valid_at
        assert rows["Lyon"].invalid_at is None
        assert await objects(memory, subject="Ida") == {"Lyon"}


async def test_only_the_next_value_holds_at_the_instant_of_handing_over(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts(
            [
                told(
                    "Pump 3", "maintained_by", "A", valid_at="2026-01-01T00:00:00Z", invalid_at="2026-03-01T00:00:00Z"
                ),
                told("Pump 3", "maintained_by", "B", valid_at="2026-03-01T00:00:00Z"),
            ]
        )
        assert await objects(memory, subject="Pump 3", as_of="2026-03-01T00:00:00Z") == {"B"}
        assert await objects(memory, subject="Pump 3", as_of="2026-02-28T23:59:59.999Z") == {"A"}


async def test_value_that_returns_gets_an_interval_of_its_own(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        for firm, year in (("Acme", 2020), ("Beta", 2022), ("Acme", 2024)):
            await memory.assert_facts(
                [told("Ana", "works_for", firm, valid_at=f"{year}-01-01T00:00:00Z", text="Ana's job")]
            )
        rows = (await memory.facts(subject="Ana", include_superseded=True)).items
        assert sorted((f.valid_at.year, f.object.name) for f in rows) == [
            (2020, "Acme"),
            (2022, "Beta"),
            (2024, "Acme"),
        ]
        assert await objects(memory, subject="Ana") == {"Acme"}


async def test_undated_contradiction_leaves_one_value_current(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts([told("Ana", "works_for", "Acme")])
        await memory.assert_facts([told("Ana", "works_for", "Beta")])
        assert await objects(memory, subject="Ana") == {"Beta"}


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


async def test_rival_is_found_by_slot_however_many_similar_sentences_there_are(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        old = made(
            await memory.assert_facts(
                [
                    told(
                        "Alice",
                        "works_for",
                        "Acme",
                        text="Acme payroll lists Alice as staff",
                        valid_at="2024-01-01T00:00:00Z",
                    )
                ]
            )
        )
        await memory.assert_facts(
            [
                told("Alice", "attended", f"meetup {i}", text=f"Alice joined Beta Corp engineer meetup {i}")
                for i in range(30)
            ]
        )
        receipt = await memory.assert_facts(
            [
                told(
                    "Alice",
                    "works_for",
                    "Beta Corp",
                    text="Alice joined Beta Corp as engineer",
                    valid_at="2025-01-01T00:00:00Z",
                )
            ]
        )
        assert [c.id for c in changes(receipt, Action.CLOSED)] == [old]


async def test_end_in_the_future_leaves_a_fact_current(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts(
            [told("Lease 9", "leased_to", "Orla", valid_at="2020-01-01T00:00:00Z", invalid_at="2090-01-01T00:00:00Z")]
        )
        assert await objects(memory, subject="Lease 9") == {"Orla"}
        assert await objects(memory, subject="Lease 9", as_of="2090-01-01T00:00:00Z") == set()


async def test_fact_of_next_month_is_not_current_yet(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        fact = made(await memory.assert_facts([told("Ana", "works_for", "Gamma", valid_at="2026-07-01T00:00:00Z")]))
        assert await objects(memory, subject="Ana") == set()
        assert await objects(memory, subject="Ana", as_of="2026-07-01T00:00:00Z") == {"Gamma"}
        assert [f.id for f in (await memory.facts(status=Status.FUTURE)).items] == [fact]


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
