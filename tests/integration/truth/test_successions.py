"""What a later note says takes the place of what an earlier one said, and stands back again with the note that said it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from muniment.engine.extract.change.kept import READING, SUCCESSION
from muniment.engine.memory import Memory
from tests.engines import Hands, engine_on, memory_on

WHO = "Who looks after Harbour Mills?"
FIRST = "Harbour Mills is looked after by Ana Ruiz. She likes tea."
LATER = "From 1 April Tom Lee takes over, so Harbour Mills is looked after by Tom Lee."


def note(id: str, text: str, at: str, **more: Any) -> dict[str, Any]:
    return {"external_id": id, "text": text, "kind": "note", "occurred_at": at, **more}


NOTES = (
    note("first", FIRST, "2026-01-10T09:00:00Z"),
    note("other", "The crane of Harbour Mills was painted green.", "2026-02-01T09:00:00Z"),
    note("later", LATER, "2026-03-20T09:00:00Z"),
)
MAY = datetime.fromisoformat("2026-05-01T00:00:00+00:00")


async def order(memory: Memory, query: str = WHO, **more: Any) -> list[str]:
    found = await memory.ranked_episodes(query, limit=10, **{"as_of": MAY, **more})
    return [episode.external_id or "" for episode in found]


def is_first(ids: list[str], one: str, other: str) -> bool:
    return ids.index(one) < ids.index(other)


async def told(memory: Memory, **more: Any) -> list[dict[str, Any]]:
    answer = await memory.recall(WHO, **{"as_of": MAY, **more})
    trace = await memory.explain(answer.trace_id)
    return list(trace["successions"])


@pytest.mark.parametrize("ways", [(0, 1, 2), (2, 1, 0)], ids=["as told", "the other way round"])
async def test_the_later_note_answers_from_its_date_on_and_the_trace_says_why(
    store_url: str, ways: tuple[int, ...]
) -> None:
    async with memory_on(store_url, Hands(MAY)) as memory:
        for place in ways:
            await memory.remember([NOTES[place]])
        assert is_first(await order(memory), "later", "first")
        (closed,) = await told(memory)
        assert closed["rule"] == "sentence.successor"
        assert closed["since"].startswith("2026-04-01")
        assert {"relation", "cue"} <= closed["parts"].keys()
        first = await memory.episode(closed["closed"]["episode"])
        assert first.text[closed["closed"]["start"] : closed["closed"]["end"]] == FIRST[:43].strip()
        # Told by then, but not begun: it is announced, and what holds comes first.
        announced = datetime.fromisoformat("2026-03-25T00:00:00+00:00")
        hits = (await memory.recall(WHO, as_of=announced, kinds=["episode"])).recall.hits
        assert [hit.text for hit in hits if hit.parts.get("superseded", 0.0) < 0] == []
        assert [hit.text for hit in hits][:2] == [FIRST, LATER]
        march = datetime.fromisoformat("2026-03-10T00:00:00+00:00")
        early_answer = await memory.recall(WHO, as_of=march)
        down = {hit.text for hit in early_answer.recall.hits if hit.parts.get("superseded", 0.0) < 0}
        assert down == {LATER}
        (early,) = await told(memory, as_of=march)
        assert early["rule"] == "sentence.not-yet"


async def test_a_question_about_named_years_is_not_answered_by_what_came_later(store_url: str) -> None:
    async with memory_on(store_url, Hands(MAY)) as memory:
        for one in NOTES:
            await memory.remember([one])
        for query, is_old_news in ((WHO, True), ("Who looked after Harbour Mills from 2025 to 2026?", False)):
            answer = await memory.recall(query)
            trace = await memory.explain(answer.trace_id)
            assert bool(trace["successions"]) is is_old_news


async def test_undo_retraction_and_purge_of_the_later_note_bring_the_earlier_one_back(store_url: str) -> None:
    async with memory_on(store_url, Hands(MAY)) as memory:
        await memory.remember([*NOTES[:2]])
        receipt = await memory.remember([NOTES[2]])
        assert await told(memory)
        undone = await memory.undo(receipt.id)
        assert await told(memory) == []
        await memory.undo(undone.id)
        assert await told(memory)
        (later,) = [status.id for status in receipt.episodes]
        await memory.purge({"episode": later})
        assert await told(memory) == []
        kept = [row for kind in (READING, SUCCESSION) for row in await memory._store.documents_by_id(kind, [later])]
        assert kept == []


async def test_what_was_not_known_yet_and_what_stands_behind_a_wall_closes_nothing(store_url: str) -> None:
    clock = Hands(MAY)
    async with engine_on(store_url, clock) as engine:
        memory = engine.for_tenant("acme", actor="tester")
        await memory.remember([*NOTES[:2]])
        before = clock()
        clock.forward(days=3)
        await memory.remember([NOTES[2]])
        assert await told(memory)
        assert await told(memory, known_at=before) == []
        elsewhere = engine.for_tenant("globex", actor="tester", walls=["deal"])
        await elsewhere.remember([NOTES[0], NOTES[1], {**NOTES[2], "wall": "deal"}])
        assert await told(elsewhere) == []


async def test_notes_kept_first_and_read_by_a_worker_are_compared_too(store_url: str) -> None:
    clock = Hands(MAY)
    async with engine_on(store_url, clock) as engine:
        memory = engine.for_tenant("acme", actor="tester")
        await memory.remember([*NOTES], mode="async")
        await engine.worker().run_until_idle()
        assert len(await told(memory)) == 1


async def test_a_change_told_in_chinese_under_a_short_name_answers(store_url: str) -> None:
    told = (
        note("first", "远江冷链目前由周敏跟进。回款慢，但从不赖账。", "2026-01-10T09:00:00Z"),
        note("other", "远江冷链的月台看板换了新屏。", "2026-02-01T09:00:00Z"),
        note("later", "从4月1日起远江交给李建国跟进，周敏去做医疗线。", "2026-03-20T09:00:00Z"),
    )
    async with memory_on(store_url, Hands(MAY)) as memory:
        for one in told:
            await memory.remember([one])
        asked = "远江冷链现在由谁跟进？"
        assert is_first(await order(memory, asked), "later", "first")
        answer = await memory.recall(asked, as_of=MAY)
        trace = await memory.explain(answer.trace_id)
        assert [one["relation"] for one in trace["successions"]] == ["care"]
        march = datetime.fromisoformat("2026-03-25T00:00:00+00:00")
        assert (await order(memory, asked, as_of=march))[0] == "first"


async def test_what_was_told_of_several_things_stays_for_those_that_did_not_change(store_url: str) -> None:
    book = "The mills: Harbour Mills (Hull), Stone Bakery and Alder Foods. All three are looked after by Ana Ruiz."
    async with memory_on(store_url, Hands(MAY)) as memory:
        await memory.remember([note("first", book, "2026-01-10T09:00:00Z"), *NOTES[1:]])
        assert is_first(await order(memory), "later", "first")
        ids = await order(memory, "Who looks after Stone Bakery?")
        assert is_first(ids, "first", "other")
        assert len(await told(memory)) == 1
