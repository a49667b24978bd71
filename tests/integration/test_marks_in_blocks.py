"""A block as a prompt reads it: what is over is marked with what holds instead, guesses say so, and the rules of whoever is
asked about come first."""

from __future__ import annotations

from typing import Any

import pytest

from muniment.engine.memory import Memory
from muniment.graph_schema.records import Fact
from tests.engines import memory_on

BEFORE = "2026-01-15T12:00:00Z"


def note(text: str, at: str, **more: Any) -> dict[str, Any]:
    return {"kind": "note", "text": text, "speaker": "Ola Berg", "occurred_at": at, **more}


async def line_with(memory: Memory, question: str, words: str, **options: Any) -> str:
    lines = (await memory.context(question, **options)).text.splitlines()
    (line,) = [line for line in lines if words in line and line.startswith("- [e_")]
    return line


@pytest.mark.parametrize(
    ("old", "rest", "new", "question", "marks"),
    [
        (
            "Mira Holt works for Fjordbank.",
            "Please leave parcels at the back door, and ring twice so that somebody comes down.",
            "Since 1 February 2026 Mira Holt works for Kelpworks.",
            "Where should parcels be left?",
            ('(no longer so since 2026-02-01T00:00+00:00: "Mira Holt works for Fjordbank.")', "(now: Since 1 February"),
        ),
        (
            "钱晓芳在远江冷链工作。",
            "她的办公桌靠窗，桌上摆着两盆绿萝，每周浇一次水。",
            "钱晓芳自2026年2月1日起在海澜物流工作。",
            "钱晓芳的办公桌上摆着什么？",
            ('(no longer so since 2026-02-01T00:00+00:00: "钱晓芳在远江冷链工作。")', "(now: 钱晓芳自2026年2月1日起"),
        ),
    ],
)
async def test_an_old_sentence_is_marked_with_what_holds_instead_and_what_stands_beside_it_is_kept(
    store_url: str, old: str, rest: str, new: str, question: str, marks: tuple[str, str]
) -> None:
    async with memory_on(store_url) as memory:
        await memory.remember([note(f"{old} {rest}", "2024-03-02T10:00:00Z")])
        await memory.remember([note(new, "2026-02-01T10:00:00Z")])
        line = await line_with(memory, question, rest)
        assert all(mark in line for mark in marks), line
        (now,) = (fact for fact in (await memory.facts()).items if fact.text == new)
        assert line.endswith(f"[{now.id}])")
        # What held when it is asked of is not marked.
        assert "no longer" not in await line_with(memory, question, rest, as_of=BEFORE)


async def test_what_was_denied_is_marked_and_what_tells_its_own_end_is_not(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.remember(
            [
                note("Tova Lind lives in Malmö. Her boat lies in the old harbour.", "2024-03-02T10:00:00Z"),
                note(
                    "Edda Roth worked for Pelion from 2012 to 2015. Her boat was never insured.", "2024-03-03T10:00:00Z"
                ),
            ]
        )
        (lives,) = (fact for fact in (await memory.facts()).items if fact.object.name == "Malmö")
        await memory.reject(lives.id)
        line = await line_with(memory, "Where does Tova Lind's boat lie?", "Her boat lies")
        assert line.endswith('(corrected since: "Tova Lind lives in Malmö.")')
        other = await line_with(memory, "Was Edda Roth's boat insured?", "never insured")
        assert other.endswith("never insured.")


async def test_a_guess_stands_behind_what_was_said_and_says_that_it_is_one(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.remember([note("Mira Holt reports to Nils Aas.", "2026-02-01T10:00:00Z")])
        await memory.remember(
            [note("I think Mira Holt might be reporting to Siv Dahl, but I'm not sure.", "2026-02-20T10:00:00Z")]
        )
        question = "Who does Mira Holt report to?"
        hits = [hit.memory for hit in (await memory.recall(question)).hits if isinstance(hit.memory, Fact)]
        assert [(fact.object.name, fact.is_guess) for fact in hits] == [("Nils Aas", False), ("Siv Dahl", True)]
        lines = [line for line in (await memory.context(question)).text.splitlines() if line.startswith("- [f_")]
        assert ["(a guess)" in line for line in lines] == [False, True]


async def test_the_rules_of_whom_the_question_names_come_first(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        for month, (name, what) in enumerate(
            [("Mira Holt", "shellfish"), ("Jonas Pfeil", "nuts"), ("Dara Okoye", "pork"), ("Tor Lie", "milk")], 1
        ):
            await memory.remember([note(f"{name} is allergic to {what}.", f"2025-0{month}-01T10:00:00Z")])
        question = "What should I order for lunch with Mira Holt?"
        for budget in (900, 150):  # where the room is scarce it is hers that stays
            block = await memory.context(question, budget_tokens=budget)
            assert block.sections[0].name == "constraints"
            told_of = [item.text.split(" is")[0] for item in block.sections[0].items]
            assert told_of[0] == "Mira Holt"
            if budget == 900:
                assert sorted(told_of[1:]) == ["Dara Okoye", "Jonas Pfeil", "Tor Lie"]


async def test_facts_of_one_sentence_stand_once_with_their_count_but_for_the_steps_of_a_path(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        text = "Northbank, Kelpworks and Pelion Freight are customers of Fjord Lines."
        await memory.remember([note(text, "2026-01-05T10:00:00Z")])
        await memory.remember([note("Fjord Lines sails from Bergen on Mondays.", "2026-01-06T10:00:00Z")])
        facts = [fact for fact in (await memory.facts()).items if fact.text == text]
        assert len(facts) == 3
        answer = await memory.recall("What is known of shipping from Bergen and its customers?")
        (stands,) = [hit for hit in answer.hits if hit.text == text and hit.kind == "fact"]
        assert stands.copies == 2
        gone = {one.id for one in answer.omitted if one.reason == "duplicate"}
        assert gone == {fact.id for fact in facts} - {stands.id}
        # Who asks for one of them by its name is led to it.
        walked = await memory.recall("Whose customer is Kelpworks?")
        (first,) = [hit.memory for hit in walked.hits[:1] if isinstance(hit.memory, Fact)]
        assert first.subject.name == "Kelpworks"
