"""What was announced and has not begun, and what was taken back: where it stands in answers, and how it is marked."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from muniment.engine.memory import Memory
from muniment.graph_schema.records import Kind, Status
from tests.engines import Hands, memory_on, told

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)


def note(text: str, day: str) -> dict[str, Any]:
    return {"text": text, "kind": "note", "occurred_at": f"{day}T09:00:00Z"}


TRIAL = note("In matter 41 the hearing was moved to 18 December 2026.", "2026-11-10")
RENT = [
    note("The price of the Harbour Plan is EUR 60.", "2026-02-03"),
    note("The Harbour Plan includes two berths.", "2026-02-04"),
    note("The price of the Quarry Plan is EUR 35.", "2026-02-05"),
    note("From 1 January 2027 the price of the Harbour Plan will be EUR 75.", "2026-11-02"),
]


async def texts(memory: Memory, question: str, **more: Any) -> list[str]:
    return [hit.text for hit in (await memory.recall(question, kinds=["episode"], **more)).recall.hits]


async def lines(memory: Memory, question: str) -> dict[str, str]:
    """The lines of the block by what they say, each with all its marks."""
    block = (await memory.context(question)).context
    rows = [line for line in block.text.splitlines() if line.startswith("- [")]
    return {item.text: next(row for row in rows if item.id in row) for s in block.sections for item in s.items}


async def test_news_of_a_later_day_is_news_and_not_over(store_url: str) -> None:
    async with memory_on(store_url, Hands(NOW)) as memory:
        await memory.remember([TRIAL])
        (hit,) = (await memory.recall("When is the hearing in matter 41?", kinds=["episode"])).recall.hits
        assert not hit.superseded
        assert "superseded" not in hit.parts
        assert (hit.status, hit.valid_at) == (Status.FUTURE, datetime(2026, 12, 18, tzinfo=UTC))
        assert (await lines(memory, "When is the hearing in matter 41?"))[TRIAL["text"]].endswith("18 December 2026.")
        # Asked as of a day on which nobody had said so, it tells what is not so yet.
        (early,) = (
            await memory.recall("When is the hearing in matter 41?", as_of="2026-03-01T00:00:00Z", kinds=["episode"])
        ).recall.hits
        assert early.parts["superseded"] < 0


async def test_until_it_begins_what_holds_comes_first(store_url: str) -> None:
    async with memory_on(store_url, Hands(NOW)) as memory:
        await memory.remember(RENT)
        assert (await texts(memory, "What is the price of the Harbour Plan?"))[:2] == [RENT[0]["text"], RENT[3]["text"]]
        after = await texts(memory, "What is the price of the Harbour Plan?", as_of="2027-02-01T00:00:00Z")
        assert after[0] == RENT[3]["text"]


@pytest.mark.parametrize(
    "question",
    [
        "What will the Harbour Plan cost in 2027?",
        "When does the price of the Harbour Plan change?",
        "Prepare the renewal for January 2027",
    ],
)
async def test_what_was_announced_is_found_with_its_date(question: str) -> None:
    async with memory_on("sqlite://", Hands(NOW)) as memory:
        await memory.remember(RENT)
        assert RENT[3]["text"] in (await texts(memory, question))[:2]
        rows = await lines(memory, question)
        assert "(holds from 2027-01-01T00:00+00:00)" in rows[RENT[3]["text"]]
        assert "Disputed" not in "".join(rows.values())


async def test_a_fact_to_come_is_found_without_a_note(store_url: str) -> None:
    async with memory_on(store_url, Hands(NOW)) as memory:
        await memory.assert_facts([told("Ida Roth", "works_for", "Copperline", valid_at="2026-03-01T00:00:00Z")])
        await memory.assert_facts([told("Ida Roth", "works_for", "Larkspur", valid_at="2027-03-01T00:00:00Z")])
        now = (await memory.recall("Where does Ida Roth work?")).recall
        assert [hit.text for hit in now.hits] == ["Ida Roth works for Copperline"]
        ahead = (await memory.recall("Where will Ida Roth work in April 2027?")).recall
        assert next((hit.text, hit.status) for hit in ahead.hits) == ("Ida Roth works for Larkspur", Status.FUTURE)
        # A day that only the words name does not make it so today.
        day = (await memory.recall("Where will Ida Roth work on 3 April 2027?")).recall
        assert next((hit.text, hit.status) for hit in day.hits) == ("Ida Roth works for Larkspur", Status.FUTURE)


@pytest.mark.parametrize("verb", ["correct", "reject"])
async def test_a_sentence_whose_fact_was_taken_back_does_not_stand_as_it_was(store_url: str, verb: str) -> None:
    question = "Where does Jonas Falk live?"
    plain = note("Jonas Falk lives in Visby.", "2026-03-01")
    mixed = note(
        "Jonas Falk lives in Visby. He came for the lighthouse and has painted it four times since.", "2026-03-02"
    )
    for one in (plain, mixed):
        async with memory_on(store_url, Hands(NOW), tenant=f"{verb}-{len(one['text'])}") as memory:
            await memory.remember([one])
            (fact,) = [f for f in (await memory.facts()).items if f.object.name == "Visby"]
            await (memory.correct(fact.id, object="Kalmar") if verb == "correct" else memory.reject(fact.id))
            rows = await lines(memory, question)
            assert [row for text, row in rows.items() if "Visby" in text and "(corrected since" not in row] == []
            answer = (await memory.recall(question)).recall
            marked = [hit for hit in answer.hits if hit.text == one["text"]]
            assert all(hit.status is Status.REJECTED and hit.superseded for hit in marked)
            assert marked or "superseded" in {entry.reason for entry in answer.omitted}


async def test_what_was_only_dated_wrong_still_holds() -> None:
    async with memory_on("sqlite://", Hands(NOW)) as memory:
        await memory.remember([note("Jonas Falk lives in Visby.", "2026-03-01")])
        (fact,) = (await memory.facts()).items
        await memory.correct(fact.id, valid_at="2026-01-15T00:00:00Z")
        hits = (await memory.recall("Where does Jonas Falk live?", kinds=["episode"])).recall.hits
        assert [hit.status for hit in hits] == [Status.CURRENT]


@pytest.mark.parametrize(
    ("question", "then"),
    [
        ("Where did Greta Holm work in March 2026?", "Greta Holm works for Nordic Rail."),
        ("employer of Greta Holm in March 2026", "Greta Holm works for Nordic Rail."),
        ("Where does Greta Holm work?", "Greta Holm now works for Baltic Lines."),
        ("林晓峰2026年3月在哪里工作？", "林晓峰在远山科技工作。"),
        ("林晓峰现在在哪里工作？", "林晓峰现在在海蓝集团工作。"),
    ],
)
async def test_a_month_in_the_question_asks_for_what_held_then(question: str, then: str) -> None:
    async with memory_on("sqlite://", Hands(NOW)) as memory:
        await memory.remember(
            [
                note("Greta Holm works for Nordic Rail.", "2026-02-01"),
                note("Greta Holm now works for Baltic Lines.", "2026-08-01"),
                note("林晓峰在远山科技工作。", "2026-02-02"),
                note("林晓峰现在在海蓝集团工作。", "2026-08-02"),
            ]
        )
        assert (await memory.recall(question)).recall.hits[0].text == then
        assert (await texts(memory, question))[0] == then


MIXED = [
    note("Clara Brandt works for Meridian Freight. Clara Brandt prefers e-mail.", "2026-01-10"),
    note("Clara Brandt joined Polaris Shipping.", "2026-06-10"),
    note("Polaris Shipping has its office in Gdynia.", "2026-06-11"),
]


async def test_a_fact_in_force_does_not_stand_back_for_another_sentence_of_its_note(store_url: str) -> None:
    async with memory_on(store_url, Hands(NOW)) as memory:
        await memory.remember(MIXED)
        question = "How should I contact Clara Brandt?"
        answer = (await memory.recall(question)).recall
        (wish,) = [hit for hit in answer.hits if hit.kind is Kind.PREFERENCE]
        assert wish.parts.get("evidence", 0.0) == 0.0
        (stale,) = [hit for hit in answer.hits if hit.text == MIXED[0]["text"]]
        assert stale.superseded
        assert answer.hits.index(wish) < answer.hits.index(stale)
        # It does not take its note along: that stands where its own score puts it.
        assert answer.episodes[0] != stale.id
        rows = await lines(memory, question)
        assert any("prefers e-mail" in row and "(" not in row.rpartition("e-mail")[2] for row in rows.values())
        over = (await memory.recall("Where does Clara Brandt work?", include_superseded=True)).recall
        (gone,) = [hit for hit in over.hits if hit.text == "Clara Brandt works for Meridian Freight."]
        assert gone.score <= next(hit.score for hit in over.hits if hit.text == MIXED[0]["text"]) + 0.03


async def test_a_question_that_was_kept_is_no_answer_to_itself() -> None:
    async with memory_on("sqlite://", Hands(NOW)) as memory:
        said = ["I drink my coffee without sugar.", "How do I take my coffee?"]
        day = {"kind": "message", "speaker": "user", "occurred_at": "2026-11-10T09:00:00Z"}
        await memory.remember([{"text": text, **day} for text in said])
        assert [hit.text for hit in (await memory.recall(said[1], kinds=["episode"])).recall.hits] == said
        same = (await memory.context(said[1])).context
        assert said[0] in same.text
        assert said[1] not in same.text
        assert "duplicate" in {entry.reason for entry in same.omitted}
        other = (await memory.context("How does the user take coffee?")).context
        assert said[0] in other.text
