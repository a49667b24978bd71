"""A trace can be explained from the moment its answer is out, also while it is being written; what was used is counted."""

from __future__ import annotations

import asyncio
from pathlib import Path

from muniment.engine.bootstrap import Engine
from muniment.engine.memory import Memory
from muniment.graph_schema.records import Kind
from tests.engines import engine_on, made, told


async def test_a_trace_can_be_explained_while_it_is_being_written(tmp_path: Path) -> None:
    async with engine_on(f"sqlite:///{tmp_path / 'm.db'}") as engine:
        memory = engine.for_tenant("acme")
        await memory.assert_facts([told("Ana", "works_for", "Globex")])
        answer = await memory.recall("Where does Ana work?")
        async with engine.database.space(
            memory.space
        ).write():  # another writer is busy, so the trace must wait its turn
            writing = asyncio.create_task(engine.tools.later.flush())
            await asyncio.sleep(0)
            assert (await memory.explain(answer.trace_id))["trace_id"] == answer.trace_id
            assert not writing.done()
        await writing
        assert (await memory.explain(answer.trace_id))["trace_id"] == answer.trace_id


async def test_traces_and_uses_of_callers_behind_different_walls_are_all_kept(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        insider = engine.for_tenant("acme", walls=["deal"])
        outsider = engine.for_tenant("acme")
        fact = made(await insider.assert_facts([told("Ana", "works_for", "Globex", wall="deal")]))
        answers = [(one, await one.recall("Where does Ana work?")) for one in (insider, outsider)]
        await engine.tools.later.flush()
        for memory, answer in answers:
            assert await engine.database.space(memory.space, all_walls=True).document("trace", answer.trace_id)
        assert set(await _used(engine, insider)) == {fact}


async def test_a_trace_is_kept_where_what_it_used_is_erased_by_another_process(store_url: str) -> None:
    async with engine_on(store_url) as engine, engine_on(store_url) as other:
        memory = engine.for_tenant("acme")
        gone = made(await memory.assert_facts([told("Ana", "works_for", "Globex")]))
        answer = await memory.recall("Where does Ana work?")
        assert gone in {hit.id for hit in answer.recall.hits}
        await other.for_tenant("acme").purge({"fact": gone})
        await engine.tools.later.flush()
        assert (await other.for_tenant("acme").explain(answer.trace_id))["trace_id"] == answer.trace_id


async def _used(engine: Engine, memory: Memory) -> list[str]:
    store = engine.database.space(memory.space, all_walls=True)
    facts = [one.id for one in (await memory.facts()).items]
    return [id for _, id in await store.uses([(Kind.FACT, id) for id in facts])]
