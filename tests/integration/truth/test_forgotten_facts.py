"""What becomes of facts whose episodes are forgotten: archived, listed when asked for, and as they were after an undo."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from muniment.engine.memory import Memory
from muniment.graph_schema.errors import NotFound
from muniment.graph_schema.records import Action, Status
from tests.engines import Hands, changes, engine_on, everything, memory_on, told
from tests.integration.erasing.test_purge import MARKER, said


async def told_by(memory: Memory, text: str, object: str, **more: Any) -> tuple[str, str]:
    """An episode, and a fact that rests on it alone."""
    episode = (await memory.remember([said(text)], extract="none")).episodes[0].id
    receipt = await memory.assert_facts([told("Ines Falk", "works_for", object, evidence=[episode], **more)])
    return episode, changes(receipt, Action.CREATED)[0].id


async def archived(memory: Memory) -> set[str]:
    return {f.id for f in (await memory.facts(status="archived", limit=1)).items}


async def test_a_fact_is_archived_with_its_episode_and_comes_back_with_it(store_url: str, tmp_path: Path) -> None:
    clock = Hands()
    async with engine_on(store_url, clock) as engine, memory_on(f"sqlite:///{tmp_path / 'b.db'}") as other:
        memory = engine.for_tenant("acme", actor="tester", all_walls=True)
        _, first = await told_by(memory, "Ines began at the mill.", "Harbour Mills", valid_at="2024-01-01T00:00:00Z")
        episode, second = await told_by(memory, "Ines went on.", "Quarry Lane", valid_at="2025-06-01T00:00:00Z")
        before, knew = await everything(memory), clock.now
        forgotten = await memory.forget([episode])

        assert [f.id for f in (await memory.facts()).items] == [first]
        assert [f.id for f in (await memory.facts(include_superseded=True)).items] == [first]
        assert await archived(memory) == {second}
        shown = {f.id: f.status for f in (await memory.facts(include_archived=True)).items}
        assert shown == {first: Status.CURRENT, second: Status.ARCHIVED}
        assert {f.id for f in (await memory.facts(known_at=knew, status="archived")).items} == set()
        assert {f.id for f in (await memory.facts(known_at=clock.now, status="archived")).items} == {second}
        with pytest.raises(NotFound):
            await memory.fact(second)
        assert (await memory.fact(second, include_archived=True)).status is Status.ARCHIVED
        with pytest.raises(NotFound):
            await memory.episode(episode)
        assert (await memory.episode(episode, include_archived=True)).archived
        story = await memory.history(second)
        assert [v.is_forgotten for v in story.versions] == [False]
        assert story.fact.status is Status.ARCHIVED
        assert story.story[-1].rule == "evidence.forgotten"

        lines = [line async for line in memory.export()]
        await other.import_(lines)
        assert await archived(other) == {second}
        assert (await other.import_(lines)).receipts == ()

        undone = await memory.undo(forgotten.id)
        assert await everything(memory) == before
        assert (await memory.fact(second)).version == 2
        again = await memory.undo(undone.id)
        assert await archived(memory) == {second}
        await memory.undo(again.id)
        assert await everything(memory) == before


async def test_what_is_taken_back_is_gone_and_what_is_purged_leaves_nothing(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        episode, fact = await told_by(memory, f"Ines went to {MARKER}.", MARKER)
        mark = await memory.forget([fact])
        assert await archived(memory) == {fact}
        hidden = await memory.forget([episode])
        assert await archived(memory) == {fact}
        await memory.undo(mark.id)
        assert await archived(memory) == {fact}, "its episode is still forgotten"
        await memory.undo(hidden.id)
        assert ([f.id for f in (await memory.facts()).items], await archived(memory)) == ([fact], set())
        gone = await memory.retract(fact)
        assert await archived(memory) == set()
        await memory.undo(gone.id)
        await memory.forget([episode])
        assert (await memory.purge({"episode": episode})).remaining == 0
        assert await archived(memory) == set()
        with pytest.raises(NotFound):
            await memory.fact(fact, include_archived=True)
