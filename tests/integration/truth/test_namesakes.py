"""Names that share a key and a type without being one thing."""

from __future__ import annotations

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
