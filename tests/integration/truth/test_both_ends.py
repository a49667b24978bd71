"""A single-valued relation that reads the same both ways binds both its ends, on every store."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from muniment.graph_schema.records import Action
from tests.engines import Hands, changes, engine_on, everything, made, memory_on, objects, told

WEDDINGS = (
    told("Ann Abel", "married_to", "Bob Boll", valid_at="2010-05-01T00:00:00Z"),
    told("Bob Boll", "married_to", "Cat Cole", valid_at="2015-05-01T00:00:00Z"),
    told("Dan Dorn", "married_to", "Cat Cole", valid_at="2020-05-01T00:00:00Z"),
)


async def ends_of(memory: Any) -> dict[str, int | None]:
    """When each couple's marriage ended, by the years of its beginning."""
    page = await memory.facts(relation="married_to", include_superseded=True, include_archived=True)
    rows = [f for f in page.items if not f.rejected]
    return {str(f.valid_at.year): f.invalid_at and f.invalid_at.year for f in rows}


async def test_a_later_marriage_of_either_end_ends_the_first_in_any_order(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        for number, order in enumerate(permutations(WEDDINGS)):
            memory = engine.for_tenant(f"order{number}", actor="tester")
            for wedding in order:
                await memory.assert_facts([wedding])
            assert await ends_of(memory) == {"2010": 2015, "2015": 2020, "2020": None}


@pytest.mark.parametrize("way", ["undo", "retract", "purge", "reject"])
async def test_taking_the_middle_marriage_back_reopens_what_it_had_ended(store_url: str, way: str) -> None:
    async with memory_on(store_url) as memory:
        ann = made(await memory.assert_facts([WEDDINGS[0]]))
        receipt = await memory.assert_facts([WEDDINGS[1]])
        assert [(c.id, c.because.by[0]) for c in changes(receipt, Action.CLOSED)] == [(ann, made(receipt))]
        assert (await memory.fact(ann)).superseded_by == made(receipt)
        await memory.assert_facts([WEDDINGS[2]])
        before = await everything(memory)
        match way:
            case "undo":
                taken = await memory.undo(receipt.id)
            case "retract":
                taken = await memory.retract(made(receipt))
            case "reject":
                taken = await memory.reject(made(receipt))
            case _:
                taken = await memory.receipt(str((await memory.purge({"fact": made(receipt)})).receipt))
        assert ann in [c.id for c in changes(taken, Action.REOPENED)]
        assert await ends_of(memory) == {"2010": None, "2020": None}
        if way == "undo":
            await memory.undo(taken.id)
            assert await everything(memory) == before


async def test_the_story_of_a_marriage_tells_what_ended_it_from_either_end(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        ann = made(await memory.assert_facts([WEDDINGS[0]]))
        bob = made(await memory.assert_facts([WEDDINGS[1]]))
        await memory.assert_facts([WEDDINGS[2]])
        story = await memory.history(ann)
        assert [f.id for f in story.rivals] == [bob]  # not Dan's, which has no end in common with it
        assert {f.valid_at.year for f in (await memory.history(bob)).rivals} == {2010, 2020}


async def test_an_engagement_ends_where_a_marriage_of_its_other_end_begins(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts([told("Ann Abel", "engaged_to", "Bob Boll", valid_at="2009-01-01T00:00:00Z")])
        await memory.assert_facts([WEDDINGS[1]])
        (engaged,) = (await memory.facts(relation="engaged_to", include_superseded=True)).items
        assert engaged.invalid_at is not None
        assert engaged.invalid_at.year == 2015


async def test_equal_starts_at_one_end_ask_a_person_once_and_are_settled_when_one_goes(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts([WEDDINGS[0]])
        second = await memory.assert_facts(
            [told("Cat Cole", "married_to", "Bob Boll", valid_at="2010-05-01T00:00:00Z")]
        )
        assert len(second.reviews) == 1
        await memory.undo(second.id)
        assert (await memory.reviews()).items == ()


async def test_people_who_turn_out_to_be_one_have_one_marriage_at_a_time(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts(
            [WEDDINGS[0], told("Robert Boll", "married_to", "Eve East", valid_at="2018-01-01T00:00:00Z")]
        )
        assert await ends_of(memory) == {"2010": None, "2018": None}
        found = {e.entity.name: e.entity.id for e in (await memory.entities(q="Boll")).items}
        receipt = await memory.merge([found["Bob Boll"], found["Robert Boll"]])
        assert await ends_of(memory) == {"2010": 2018, "2018": None}
        await memory.undo(receipt.id)
        assert await ends_of(memory) == {"2010": None, "2018": None}


async def test_a_relation_that_a_tenant_declares_so_binds_both_ends_and_an_import_keeps_it(store_url: str) -> None:
    clock = Hands()
    overlay = {"relations": [{"name": "berthed_with", "cardinality": "one", "symmetric": True}]}
    async with engine_on(store_url, clock) as engine:
        memory = engine.for_tenant("acme", actor="tester")
        for one, other, year in (("Osprey", "Petrel", 2021), ("Petrel", "Quail", 2023)):
            await memory.assert_facts([told(one, "berthed_with", other, valid_at=f"{year}-01-01T00:00:00Z")])
        assert await objects(memory, relation="berthed_with", subject="Osprey") == {"Petrel"}
        await memory.set_ontology(overlay)
        current = (await memory.facts(relation="berthed_with")).items
        assert [f.valid_at.year for f in current] == [2023]
        lines = [line async for line in memory.export()]
        twin = engine.for_tenant("twin", actor="tester")
        await twin.import_(lines)
        assert await everything(twin) == await everything(memory)
