"""A trace can be explained from the moment its answer is out, also while it is being written."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.engines import engine_on, told


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
