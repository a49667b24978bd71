"""Questions of which nothing is known here, paths that do not exist, judged questions about what is not there: each is said."""

from __future__ import annotations

from typing import Any

import pytest

from muniment.engine.judging import JudgedQuestion, judge
from muniment.graph_schema.errors import Invalid
from tests.engines import memory_on, told

NOTES: list[dict[str, Any]] = [
    {"kind": "note", "text": "Mira Holt works for Fjordbank.", "occurred_at": "2024-03-02T10:00:00Z", "external_id": "n1"},
    {"kind": "note", "text": "Kelpworks delivers seaweed to Tromso.", "occurred_at": "2024-03-02T10:00:00Z"},
]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ('? " ( ) : * ~ / AND -', "no words with content"),
        ("？！……", "no words with content"),
        ("Who is it?", "no words with content"),
        ("flibber wozzle gronk", "no word of the question stands"),
        ("甲乙丙丁戊", "no word of the question stands"),
        ("What does Fjordbank gronk?", ""),
        ("seaweed", ""),
        ("What happened in 2024?", ""),
    ],
)
async def test_a_question_of_which_nothing_is_known_says_so_beside_its_hits(question: str, says: str) -> None:
    async with memory_on("sqlite://") as memory:
        assert not (await memory.recall(question)).degraded  # nothing is kept: `empty` tells that
        await memory.remember(NOTES)
        answer = await memory.recall(question)
        assert [one for one in answer.degraded if "question" in one and says in one] == list(
            answer.degraded[:1] if says else ()
        )
        assert answer.hits or "candidate" in answer.empty or "nothing fits" in answer.empty
        assert (await memory.context(question)).degraded == answer.degraded
        trace = await memory.explain(answer.trace_id)
        if says:
            assert trace["looked_at"]["unknown_terms"] == trace["read"]["terms"]


async def test_the_trace_says_what_kind_of_answer_was_expected() -> None:
    async with memory_on("sqlite://") as memory:
        await memory.remember(NOTES)
        for question, expects in (
            ("Who works for Fjordbank?", ["person"]),
            ("Where is Kelpworks?", ["place"]),
            ("On what day did she join, and which company?", ["day", "organization"]),
            ("米拉在哪家公司工作?", ["organization"]),
            ("Kelpworks", []),
        ):
            answer = await memory.recall(question)
            assert (await memory.explain(answer.trace_id))["read"]["expects"] == expects


async def test_no_path_says_what_was_looked_at(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts(
            [told("Mira Holt", "works_for", "Fjordbank"), told("Kelpworks", "headquartered_in", "Tromso")]
        )
        found = await memory.paths("Mira Holt", "Kelpworks", hops=2)
        assert found == []
        assert "no chain of at most 2 facts leads from one to the other: looked at 2 facts (1 at n_" in found.empty
        over = await memory.paths("Mira Holt", "Fjordbank", relations=["owns"])
        assert "over owned_by" in over.empty
        assert "same entity" in (await memory.paths("Mira Holt", "Mira Holt")).empty
        assert len(await memory.paths("Mira Holt", "Fjordbank")) == 1


async def test_judging_names_what_is_not_here() -> None:
    async with memory_on("sqlite://") as memory:
        receipt = await memory.remember(NOTES)
        fact = next(change.id for change in receipt.changes if change.id.startswith("f_"))
        question = JudgedQuestion(
            id="q", text="Who works for Fjordbank?", gold=frozenset({"n1", "gone", fact}), stale=frozenset({"old"}), forbidden=frozenset({"hid"})
        )  # fmt: skip
        verdict = await judge(memory, [question], {"own": None})
        assert verdict.unknown == ("q: gone", "q: old")
        with pytest.raises(Invalid):
            await judge(memory, [], {"own": None})
