"""Facts asked for as known at a moment: what was heard of later changes nothing that an answer about then says."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from muniment.engine.memory import Memory
from muniment.graph_schema.errors import NotFound
from muniment.graph_schema.records import Fact
from tests.engines import Hands, everything, made, memory_on, told
from tests.integration.erasing.test_purge import said

FIRST = told("Ines Falk", "works_for", "Harbour Mills", valid_at="2024-01-01T00:00:00Z")
Write = Callable[[Memory, str], Awaitable[Any]]


async def more_evidence(memory: Memory, _: str) -> None:
    episode = (await memory.remember([said("Ines went to the mill again.")], extract="none")).episodes[0].id
    await memory.assert_facts([{**FIRST, "text": "Ines Falk works for Harbour Mills", "evidence": [episode]}])


async def other_words(memory: Memory, _: str) -> None:
    await memory.assert_facts([{**FIRST, "text": "Ines has a post at the mill"}])


async def surer(memory: Memory, _: str) -> None:
    await memory.assert_facts([{**FIRST, "confidence": 0.95, "importance": 5}])


async def a_rival(memory: Memory, _: str) -> None:
    await memory.assert_facts(
        [told("Ines Falk", "works_for", "Quarry Lane", valid_at="2024-01-01T00:00:00Z", confidence=0.7)]
    )


async def an_end(memory: Memory, fact: str) -> None:
    await memory.end(fact, at="2025-01-01T00:00:00Z")


async def a_denial(memory: Memory, fact: str) -> None:
    await memory.reject(fact)


def said_of(fact: Fact) -> dict[str, Any]:
    shown = ("text", "valid_at", "invalid_at", "confidence", "importance", "evidence", "assertions", "rejected")
    links = ("conflicts_with", "superseded_by", "closed_by", "version", "created_at")
    return {name: getattr(fact, name) for name in (*shown, *links)}


async def seen(memory: Memory, fact: str, known_at: Any) -> list[dict[str, Any]]:
    """The fact on each way on which it can be read."""
    listed = (await memory.facts(known_at=known_at)).items
    near = (await memory.neighbourhood([listed[0].subject.id], known_at=known_at)).facts
    chains = await memory.paths("Ines Falk", "Harbour Mills", known_at=known_at)
    answer = (await memory.recall("Where does Ines Falk work?", known_at=known_at)).recall
    alone = await memory.fact(fact, known_at=known_at)
    legs = [leg.fact for path in chains for leg in path.legs]
    facts = [f for f in (*listed, *near, *legs, alone) if f.id == fact]
    hits = [hit for hit in answer.hits if hit.id == fact]
    assert len(facts) == 4
    assert hits
    return [*map(said_of, facts), *({"text": hit.text, "evidence": hit.evidence} for hit in hits)]


@pytest.mark.parametrize("write", [more_evidence, other_words, surer, a_rival, an_end, a_denial])
async def test_what_is_heard_of_later_is_not_seen_at_an_earlier_moment(store_url: str, write: Write) -> None:
    clock = Hands()
    async with memory_on(store_url, clock) as memory:
        fact = made(await memory.assert_facts([{**FIRST, "confidence": 0.8}]))
        knew = clock.now
        then, before = await seen(memory, fact, knew), await everything(memory)
        clock.forward(hours=1)
        await write(memory, fact)
        assert await everything(memory) != before
        assert await seen(memory, fact, knew) == then


async def test_an_entity_is_not_seen_before_anything_was_known_of_it(store_url: str) -> None:
    clock = Hands()
    async with memory_on(store_url, clock) as memory:
        await memory.assert_facts([told("Ines Falk", "works_for", "Harbour Mills")])
        knew = clock.now
        clock.forward(hours=1)
        await memory.assert_facts([told("Tom Berg", "works_for", "Quarry Lane")])
        later = {e.name: e.entity.id for e in (await memory.entities()).items}
        assert {e.name for e in (await memory.entities(known_at=knew)).items} == {"Ines Falk", "Harbour Mills"}
        assert (await memory.entity(later["Ines Falk"], known_at=knew)).name == "Ines Falk"
        with pytest.raises(NotFound):
            await memory.entity(later["Tom Berg"], known_at=knew)
        assert (await memory.entity(later["Tom Berg"], known_at=clock.now)).name == "Tom Berg"


async def test_an_entity_of_older_records_is_seen_since_they_were_made(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        heard = {"recorded_at": "2024-02-01T00:00:00Z", "occurred_at": "2024-02-01T00:00:00Z"}
        await memory.remember([{**said("Ines Falk works for Harbour Mills."), **heard}])
        found = await memory.entities(q="Ines", known_at="2024-03-01T00:00:00Z")
        assert [e.name for e in found.items] == ["Ines Falk"]
        assert (await memory.entities(q="Ines", known_at="2024-01-01T00:00:00Z")).items == ()


async def test_evidence_that_was_withdrawn_later_is_seen_at_an_earlier_moment(store_url: str) -> None:
    clock = Hands()
    async with memory_on(store_url, clock) as memory:
        fact = made(await memory.assert_facts([FIRST]))
        clock.forward(hours=1)
        episode = (await memory.remember([said("Ines is at the mill.")], extract="none")).episodes[0].id
        again = await memory.assert_facts([{**FIRST, "evidence": [episode]}])
        knew = clock.now
        clock.forward(hours=1)
        await memory.undo(again.id)
        assert (await memory.fact(fact)).evidence == ()
        assert [q.episode for q in (await memory.fact(fact, known_at=knew)).evidence] == [episode]


async def test_the_same_told_often_is_kept_in_one_version(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        fact = made(await memory.assert_facts([FIRST]))
        for _ in range(3):
            await memory.assert_facts([FIRST])
        story = await memory.history(fact)
        assert (len(story.versions), len(story.versions[-1].assertions)) == (1, 4)


async def test_the_story_tells_what_else_changed(store_url: str) -> None:
    clock = Hands()
    async with memory_on(store_url, clock) as memory:
        fact = made(await memory.assert_facts([{**FIRST, "confidence": 0.8}]))
        for write in (other_words, surer, a_rival):
            clock.forward(hours=1)
            await write(memory, fact)
        (rival,) = [f.id for f in (await memory.facts()).items if f.id != fact]
        lines = [line.what for line in (await memory.history(fact)).story]
        assert 'now worded "Ines has a post at the mill", confidence 1 after 0.8' in lines
        assert "importance 5 after 3" in lines
        assert f"conflicts with {rival}" in lines
