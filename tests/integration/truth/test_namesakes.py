"""Names that share a key and a type without being one thing."""

from __future__ import annotations

from itertools import permutations

import pytest

from tests.engines import memory_on, objects


async def test_entity_that_learned_its_type_leaves_room_for_a_namesake(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts([{"subject": {"name": "Kestrel"}, "relation": "likes", "object": {"name": "tea"}}])
        for number, drink in (("1", "coffee"), ("2", "milk")):
            company = {"name": "Kestrel", "type": "company", "identifiers": [f"tax:GB{number}"]}
            await memory.assert_facts([{"subject": company, "relation": "likes", "object": {"name": drink}}])
        found = (await memory.entities(q="kestrel")).items
        assert sorted((page.entity.type, page.entity.identifiers) for page in found) == [
            ("company", ("tax:GB1",)),
            ("company", ("tax:GB2",)),
        ]
        assert await objects(memory, subject="Kestrel") == {"tea", "coffee", "milk"}


async def test_the_other_end_of_a_fact_is_another_thing_though_its_name_would_fit(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        for founder, year in (("Ida Roe", "2020"), ("Tom Berg", "2024")):
            told = {"subject": {"name": "Ida Roe Company"}, "relation": "founded by", "object": {"name": founder}}
            await memory.assert_facts([{**told, "valid_at": f"{year}-01-01T00:00:00Z"}])
        found = [page.entity.name for page in (await memory.entities(q="Ida Roe")).items]
        assert sorted(found) == ["Ida Roe", "Ida Roe Company"]
        assert await objects(memory, subject="Ida Roe Company") == {"Ida Roe", "Tom Berg"}
        # A spelling that was used for a thing is that thing: then a fact says nothing.
        await memory.assert_facts(
            [{"subject": {"name": "Berg Shipping"}, "relation": "likes", "object": {"name": "tea"}}]
        )
        itself = {"subject": {"name": "Berg Shipping"}, "relation": "owned_by", "object": {"name": "BERG  SHIPPING"}}
        assert [one.code for one in (await memory.assert_facts([itself])).rejected] == ["invalid"]


async def test_a_son_may_be_called_as_his_father(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        told = {
            "subject": {"name": "Ida Roe", "type": "person"},
            "relation": "has child",
            "object": {"name": "Ida Roe"},
        }
        receipt = await memory.assert_facts([told])
        assert receipt.rejected == ()
        (fact,) = (await memory.facts(subject="Ida Roe")).items
        assert (fact.object.name, fact.object.is_value) == ("Ida Roe", True)


@pytest.mark.parametrize("names", list(permutations(("Jane Smith", "J. Smith", "John Smith"))))
async def test_two_full_given_names_are_two_people_whichever_an_initial_came_with(
    store_url: str, names: tuple[str, ...]
) -> None:
    async with memory_on(store_url) as memory:
        for name, firm in zip(names, ("Alder", "Bolt", "Crane"), strict=True):
            person = {"name": name, "type": "person"}
            await memory.assert_facts([{"subject": person, "relation": "works_for", "object": {"name": firm}}])
        people = [set(page.entity.spellings) for page in (await memory.entities(type="person")).items]
        assert len(people) > 1
        assert not any({"Jane Smith", "John Smith"} <= spellings for spellings in people)
        assert (await memory.reviews()).items
