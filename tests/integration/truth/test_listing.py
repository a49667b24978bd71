"""Lists and filters: a relation or a type under any of its names, from either end where it has no direction."""

from __future__ import annotations

from typing import Any

import pytest

from muniment.engine.memory import Memory
from muniment.engine.paging import every
from muniment.graph_schema.errors import Invalid, NotThisLists
from tests.engines import engine_on, memory_on, told

JANUARY = "2026-01-01T00:00:00Z"


async def pairs(memory: Memory, **filters: str) -> list[tuple[str, str]]:
    return sorted((f.subject.name, f.object.name) for f in (await memory.facts(**filters)).items)  # type: ignore[arg-type]


async def test_an_inverse_name_asks_for_the_stored_facts_the_other_way_round(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts([told("Ana Ruiz", "ceo_of", "Acme"), told("Beta", "has_ceo", "Bo Lind")])
        stored = [("Acme", "Ana Ruiz")]
        assert await pairs(memory, relation="ceo_of", subject="Ana Ruiz") == stored
        assert await pairs(memory, relation="ceo_of", object="Acme") == stored
        assert await pairs(memory, relation="has_ceo", subject="Acme") == stored
        assert await pairs(memory, relation="has_ceo", subject="Ana Ruiz") == []
        assert await pairs(memory, relation="ceo_of") == [*stored, ("Beta", "Bo Lind")]


async def test_a_symmetric_fact_is_listed_from_either_end_and_once(store_url: str) -> None:
    couples = [(f"Wyn Ash {n}", f"Hal Oak {n}") for n in range(4)]  # enough for either stored direction to occur
    async with memory_on(store_url) as memory:
        await memory.assert_facts([told(a, "married_to", b) for a, b in couples])
        for a, b in couples:
            for end in (a, b):
                for filters in ({"subject": end}, {"object": end}, {"subject": end, "relation": "married_to"}):
                    (found,) = await pairs(memory, **filters)
                    assert set(found) == {a, b}
            assert len(await pairs(memory, subject=a, object=b)) == len(await pairs(memory, subject=b, object=a)) == 1


async def test_pages_over_both_ends_hold_every_fact_once(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts([told("Ana", "borders", f"Land {n}") for n in range(9)])
        await memory.assert_facts([told("Ana", "likes", f"tea {n}") for n in range(4)])
        names: list[str] = []
        cursor = None
        while True:
            page = await memory.facts(subject="Ana", limit=2, cursor=cursor)
            names += [f.object.name if f.subject.name == "Ana" else f.subject.name for f in page.items]
            cursor = page.next_cursor
            if cursor is None:
                break
        assert sorted(names) == [*(f"Land {n}" for n in range(9)), *(f"tea {n}" for n in range(4))]


async def test_recall_reads_relations_and_types_under_any_of_their_names(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        ana = {"name": "Ana Ruiz", "type": "person"}
        acme = {"name": "Acme", "type": "organisation"}
        await memory.assert_facts([{"subject": ana, "relation": "works_for", "object": acme, "valid_at": JANUARY}])
        await memory.assert_facts([told("Ana Ruiz", "likes", "tea")])

        async def found(**filters: Any) -> set[str]:
            hits = (await memory.recall("Ana Ruiz", **filters)).recall.hits
            return {hit.text for hit in hits}

        works = {"Ana Ruiz works for Acme"}
        assert await found(relations=["works_at"]) == await found(relations=["Employs"]) == works
        assert await found(types=["Organization"]) == await found(types=["organisation"]) == works
        assert [p.entity.name for p in (await memory.entities(type="organization")).items] == ["Acme"]
        firm = {"name": "Initech", "type": "company"}
        await memory.assert_facts([{"subject": ana, "relation": "owns", "object": firm, "valid_at": JANUARY}])
        owns = {hit.text for hit in (await memory.recall("Ana Ruiz owns")).recall.hits if "Initech" in hit.text}
        assert await found(types=["organisation"]) == works | owns
        assert await found(types=["firm"]) == owns
        assert await found(types=["thing"]) == await found()
        for wide, names in (
            ("org", ["Acme", "Initech"]),
            ("company", ["Initech"]),
            ("thing", ["Acme", "Ana Ruiz", "Initech"]),
        ):
            listed = [p.entity.name for p in (await memory.entities(type=wide)).items]
            assert sorted(set(listed) - {"tea"}) == names
        assert await found(relations=["lives_in"]) == await found(types=["product"]) == set()


@pytest.mark.parametrize("wrong", ["no-such", "v_", "j_xyz", "~", "v_0' OR '1", "e_00"])
async def test_a_cursor_that_no_list_gave_is_refused(wrong: str) -> None:
    async with memory_on("sqlite://") as memory:
        for verb in (memory.jobs, memory.reviews, memory.facts, memory.entities, memory.episodes, memory.audit):
            with pytest.raises(Invalid) as refused:
                await verb(cursor=wrong)
            assert refused.value.field == "cursor"


async def test_jobs_and_reviews_go_on_where_their_cursors_say() -> None:
    async with memory_on("sqlite://") as memory:
        for n in range(3):
            note = {"text": f"Ana {n} likes tea.", "kind": "note", "occurred_at": JANUARY}
            await memory.remember([note], mode="async")
            facts = [told(f"Bo {n}", "works_for", firm, valid_at=JANUARY) for firm in ("Acme", "Beta")]
            await memory.assert_facts(facts)
        jobs = [job.id async for job in every(memory.jobs, limit=1)]
        reviews = [review.id async for review in every(memory.reviews, limit=1)]
        assert (len(set(jobs)), len(set(reviews))) == (len(jobs), len(reviews)) == (3, 3)


async def test_a_cursor_holds_for_its_tenant_behind_its_walls(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        outside, inside = (engine.for_tenant("acme", actor="a", walls=walls) for walls in ((), ("m1",)))
        other = engine.for_tenant("globex", actor="a")
        for memory in (outside, other):
            await memory.assert_facts([told("Ana", "likes", f"tea {n}") for n in range(3)])
        cursors = [(await memory.facts(limit=1)).next_cursor for memory in (outside, inside, other)]
        words = set()
        for memory, own in zip((outside, inside, other), cursors, strict=True):
            assert len(await memory.facts(limit=5, cursor=own)) == 2
            for cursor in (*cursors, "broken"):
                if cursor != own:
                    with pytest.raises(NotThisLists) as refused:
                        await memory.facts(limit=5, cursor=cursor)
                    words.add(str(refused.value).replace(str(cursor)[:100], ""))
        assert len(words) == 1
