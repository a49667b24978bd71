"""What contradicts or is over is never told as plain truth, on a whole engine."""

from __future__ import annotations

from typing import Any

from tests.engines import engine_on, memory_on

NOON = "2026-03-02T12:00:00Z"


def note(text: str, speaker: str, at: str = NOON, **more: Any) -> dict[str, Any]:
    return {"kind": "note", "text": text, "speaker": speaker, "occurred_at": at, **more}


async def test_each_side_of_a_conflict_names_the_other_and_a_person_is_asked(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.remember([note("Orla Brennan lives in Cork.", "Ana Ruiz")])
        await memory.remember([note("Orla Brennan lives in Galway.", "Tom Weil")])
        sides = {fact.object.name: fact for fact in (await memory.facts()).items}
        assert {name: fact.conflicts_with for name, fact in sides.items()} == {
            "Cork": (sides["Galway"].id,),
            "Galway": (sides["Cork"].id,),
        }
        (review,) = (await memory.reviews()).items
        lines = (await memory.context("Where does Orla Brennan live?")).text.splitlines()
        for name, other in (("Cork", "Galway"), ("Galway", "Cork")):
            (line,) = [line for line in lines if f"lives in {name}" in line]
            assert "Disputed: " in line
            assert line.endswith(f"(others say otherwise: {sides[other].id})")
        # One side alone in the block: of the other only its id.
        alone = await memory.context("Where does Orla Brennan live?", limit=1, budget_tokens=200)
        (line,) = [line for line in alone.text.splitlines() if "lives in" in line]
        assert "(others say otherwise: f_" in line
        assert alone.tokens <= 200
        # Once it is decided nothing is disputed.
        await memory.reject(sides["Cork"].id)
        assert "otherwise" not in (await memory.context("Where does Orla Brennan live?")).text
        assert not (await memory.reviews()).items, review.id


async def test_a_guess_makes_nothing_disputed_that_was_plainly_said(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        told = {"subject": "Orla Brennan", "relation": "lives_in", "valid_at": NOON}
        await memory.assert_facts([{**told, "object": "Cork"}, {**told, "object": "Galway", "confidence": 0.4}])
        sides = {fact.object.name: fact for fact in (await memory.facts()).items}
        assert sides["Cork"].conflicts_with == (sides["Galway"].id,)
        lines = (await memory.context("Where does Orla Brennan live?")).text.splitlines()
        (plain,) = [line for line in lines if "lives in Cork" in line]
        (guess,) = [line for line in lines if "lives in Galway" in line]
        assert "Disputed" not in plain
        assert "otherwise" not in plain
        assert "(a guess)" in guess
        assert f"(others say otherwise: {sides['Cork'].id})" in guess


async def test_the_other_side_is_not_named_from_behind_a_wall() -> None:
    async with engine_on("sqlite://") as engine:
        memory = engine.for_tenant("acme", actor="tester")
        behind = engine.for_tenant("acme", actor="tester", walls=["board"])
        await memory.remember([note("Orla Brennan lives in Cork.", "Ana Ruiz")])
        await behind.remember([note("Orla Brennan lives in Galway.", "Tom Weil", wall="board")])
        told = (await memory.context("Where does Orla Brennan live?")).text
        assert "Cork" in told
    # Facts of two walls stand in slots of their own, so neither names the other.
    assert "otherwise" not in told


async def test_what_is_over_is_marked_in_an_answer_of_history_too(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.remember([note("Mira Holt works for Fjordbank.", "Ana Ruiz", "2024-03-02T10:00:00Z")])
        await memory.remember([note("Mira Holt works for Kelpworks now.", "Ana Ruiz", "2025-03-02T10:00:00Z")])
        answer = await memory.recall("Who has Mira Holt worked for over the years?", kinds=["episode"])
        assert {hit.text: hit.superseded for hit in answer.hits} == {
            "Mira Holt works for Fjordbank.": True,
            "Mira Holt works for Kelpworks now.": False,
        }
        assert all(hit.parts.get("superseded", 0.0) == 0.0 for hit in answer.hits)
