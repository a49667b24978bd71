"""Nothing of one tenant reaches another, and nobody can forget to say which one is meant."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from muniment.graph_schema.errors import Invalid, NotFound, TenantRequired
from tests.engines import engine_on, made, objects, told


def note(text: str, **more: Any) -> dict[str, Any]:
    return {"text": text, "kind": "note", "occurred_at": "2026-05-01T09:00:00Z", **more}


@pytest.mark.parametrize("nobody", [None, "", " ", "*", "null", "None"])
async def test_missing_tenant_is_refused_and_never_everybody(store_url: str, nobody: str | None) -> None:
    async with engine_on(store_url) as engine:
        await engine.for_tenant("acme").assert_facts([told("Ana", "likes", "tea")])
        with pytest.raises(TenantRequired):
            engine.for_tenant(nobody)
        assert await objects(engine.for_tenant("acme")) == {"tea"}


@pytest.mark.parametrize("name", ["a/b", "_system", "../x", "a b", "x" * 65])
async def test_tenant_with_a_name_that_could_leave_its_place_is_refused(store_url: str, name: str) -> None:
    async with engine_on(store_url) as engine:
        with pytest.raises(Invalid, match="tenant"):
            engine.for_tenant(name)


async def test_namesakes_of_two_tenants_never_meet(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        acme, globex = engine.for_tenant("acme"), engine.for_tenant("globex")
        secret = made(await acme.assert_facts([told("Nadia Reyes", "salary_of", "81,000")]))
        await acme.remember([note("Nadia Reyes earns 81,000 at Acme.", title="Nadia Reyes")])
        await globex.assert_facts([told("Nadia Reyes", "likes", "tea")])

        def words(hits: Any) -> str:
            return " ".join(hit.text for hit in hits)

        mine = await acme.recall("What does Nadia Reyes earn? 81,000")
        theirs = await globex.recall("What does Nadia Reyes earn? 81,000")
        assert "81,000" in words(mine.recall.hits)
        assert "81,000" not in words(theirs.recall.hits)
        assert "81,000" not in (await globex.context("Nadia Reyes salary 81,000")).context.text
        assert "Acme" not in str(await globex.explain(theirs.trace_id))
        assert await objects(globex) == {"tea"}
        (page,) = (await globex.entities(q="nadia")).items
        assert page.counts.facts == 1
        around = await globex.neighbourhood([page.entity.id], hops=4)
        assert {ref.name for ref in around.entities} == {"Nadia Reyes", "tea"}
        assert (await globex.episodes()).items == ()
        assert (await acme.fact(secret)).object.name == "81,000"


async def test_ids_of_another_tenant_are_not_found_and_nothing_of_them_changes(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        acme, globex = engine.for_tenant("acme"), engine.for_tenant("globex")
        kept = await acme.remember([note("Acme's own note about Kestrel.")], extract="none")
        receipt = await acme.assert_facts([told("Ana", "works_for", "Acme")])
        fact = made(receipt)
        entity = (await acme.entities(q="ana")).items[0].entity.id
        trace = (await acme.recall("Ana")).trace_id
        tries: list[Callable[[], Awaitable[object]]] = [
            lambda: globex.fact(fact),
            lambda: globex.history(fact),
            lambda: globex.retract(fact),
            lambda: globex.end(fact),
            lambda: globex.correct(fact, text="x"),
            lambda: globex.reject(fact),
            lambda: globex.pin(fact),
            lambda: globex.forget([fact]),
            lambda: globex.undo(receipt.id),
            lambda: globex.receipt(receipt.id),
            lambda: globex.episode(kept.episodes[0].id),
            lambda: globex.retract(kept.episodes[0].id),
            lambda: globex.entity(entity),
            lambda: globex.neighbourhood([entity]),
            lambda: globex.explain(trace),
            lambda: globex.merge([entity, entity]),
            lambda: globex.assert_facts([{"subject": {"id": entity}, "relation": "likes", "object": {"name": "x"}}]),
            lambda: globex.assert_facts([told("Ana", "likes", "tea", evidence=[kept.episodes[0].id])]),
        ]
        for attempt in tries:
            with pytest.raises(NotFound):
                await attempt()
        assert (await acme.fact(fact)).object.name == "Acme"
        assert await objects(globex) == set()
        assert (await acme.explain(trace))["trace_id"] == trace


async def test_absent_and_not_yours_are_the_same_words(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        fact = made(await engine.for_tenant("acme").assert_facts([told("Ana", "likes", "tea")]))
        said = []
        for id in (fact, "f_" + "0" * 20):
            with pytest.raises(NotFound) as refused:
                await engine.for_tenant("globex").fact(id)
            said.append(str(refused.value).replace(id, "ID"))
        assert said[0] == said[1]


async def test_another_sessions_words_are_in_no_context(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        for session, text in (("a", "The launch code is heliotrope."), ("b", "The launch is on Tuesday.")):
            await memory.remember([note(text, kind="message", scope={"session": session})])
        own = (await memory.context("The launch code is heliotrope.", scope={"session": "a"})).context.text
        other = (await memory.context("The launch code is heliotrope.", scope={"session": "b"})).context.text
        day = (await memory.context("When is the launch?", scope={"session": "b"})).context.text
        assert "heliotrope" in own
        assert "heliotrope" not in other + day
        assert "Tuesday" in day
        assert "heliotrope" not in (await memory.context("launch code heliotrope")).context.text


async def test_source_shared_by_two_walls_is_deleted_from_one_only(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        both = engine.for_tenant("acme", walls=["alfa", "beta"])
        for wall in ("alfa", "beta"):
            await both.remember([note("Petra Novak works for Kestrel Freight.", external_id="doc-1", wall=wall)])
        alfa, beta = (engine.for_tenant("acme", walls=[wall]) for wall in ("alfa", "beta"))
        (episode,) = (await alfa.episodes()).items
        assert await objects(alfa) == await objects(beta) == {"Kestrel Freight"}
        await both.retract(episode.id)
        assert await objects(alfa) == set()
        assert await objects(beta) == {"Kestrel Freight"}
        assert len((await beta.episodes()).items) == 1


async def test_walls_never_close_merge_or_count_for_each_other(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        matter = engine.for_tenant("acme", walls=["matter-7"])
        outside = engine.for_tenant("acme")
        await outside.assert_facts([told("Ana", "works_for", "Acme", valid_at="2026-01-01T00:00:00Z")])
        await matter.assert_facts([told("Ana", "works_for", "Beta", valid_at="2026-03-01T00:00:00Z", wall="matter-7")])
        assert await objects(outside) == {"Acme"}
        assert await objects(matter) == {"Acme", "Beta"}
        assert [p.counts.facts for p in (await outside.entities(q="ana")).items] == [1]
        with pytest.raises(NotFound):
            await outside.assert_facts([told("Ana", "likes", "tea", wall="matter-7")])


async def test_a_tenants_only_match_is_found_among_sixty_of_others(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        other, mine = engine.for_tenant("t2"), engine.for_tenant("t1")
        await other.assert_facts([told(f"Zoo {n}", "keeps", "zebra", text=f"Zoo {n} keeps a zebra") for n in range(60)])
        await mine.assert_facts([told("Small zoo", "keeps", "zebra", text="The small zoo keeps a zebra")])
        hits = (await mine.recall("zebra")).recall.hits
        assert [hit.text for hit in hits] == ["The small zoo keeps a zebra"]


async def test_each_caller_gets_its_own_count(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        await memory.assert_facts(
            [told(f"Crane {n}", "stands_in", f"Dock {n}", text=f"Crane {n} stands in dock {n}") for n in range(60)]
        )
        answers = await asyncio.gather(*(memory.recall("crane in a dock", limit=limit) for limit in (1, 50, 1, 50)))
        assert [len(a.recall.hits) for a in answers] == [1, 50, 1, 50]
