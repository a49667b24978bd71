"""The best hits read once more by the cross-encoder, and the other parts of a ranking that are off by default."""

from __future__ import annotations

from typing import Any

from muniment.engine.bootstrap import open_engine
from muniment.engine.memory import Memory
from muniment.engine.rank.policy import DEFAULT_POLICY
from muniment.engine.settings import Settings
from tests.engines import Hands, memory_on


def note(text: str, **more: Any) -> dict[str, Any]:
    return {"text": text, "kind": "note", "occurred_at": "2026-01-05T09:00:00Z", **more}


NOTES = [
    note("The harbour office opens at seven and closes at four."),
    note("The harbour office has a green door and a new sign."),
    note("The harbour office was painted by the same firm as the school."),
    note("港务办公室早上七点开门，下午四点关门。"),
    note("港务办公室的门是绿色的，门口有一块新牌子。"),
]
QUESTION = "When does the harbour office open?"


async def trace_of(memory: Memory, question: str, **policy: Any) -> tuple[str, list[set[str]]]:
    found = await memory.ranked(question, policy=DEFAULT_POLICY.with_weights({"rerank_ms": 10_000, **policy}))
    return found.trace.body["reread"], [set(hit.parts) for hit in found.hits]


async def test_english_hits_are_read_once_more_behind_the_gate_and_inside_the_time() -> None:
    async with open_engine(
        "sqlite://", settings=Settings(environment="test", rerank="english"), clock=Hands()
    ) as engine:
        memory = engine.for_tenant("acme", actor="tester")
        await memory.remember(NOTES[:3], extract="none")
        done, parts = await trace_of(memory, QUESTION, rerank_close=0)
        assert done == "done"
        assert all("rerank" in one for one in parts)
        found = await memory.ranked(
            QUESTION, policy=DEFAULT_POLICY.with_weights({"rerank_close": 0, "rerank_ms": 10_000})
        )
        gains = {hit.text: hit.parts["rerank"] for hit in found.hits}
        assert max(gains, key=lambda text: gains[text]) == NOTES[0]["text"]
        assert abs(sum(gains.values())) < 1e-9  # relative to their mean: hits that were not read lose nothing by it
        for given in ({"rerank": 0}, {"rerank_close": 0, "rerank_ms": 1}, {"rerank_close": 1.0}):
            state, parts = await trace_of(memory, QUESTION, **given)
            assert state in ("off", "late", "closed")
            assert not any("rerank" in one for one in parts)
        await memory.remember(NOTES[3:], extract="none")
        assert (await trace_of(memory, "港务办公室几点开门？", rerank_close=0))[0] == "closed"
        answer = await memory.recall(QUESTION)
        assert (await memory.replay(answer.trace_id)).equal


async def test_without_the_setting_nothing_is_read_once_more() -> None:
    async with memory_on("sqlite://") as memory:
        await memory.remember(NOTES[:3], extract="none")
        assert (await trace_of(memory, QUESTION, rerank_close=0))[0] == "off"


async def test_pagerank_lifts_what_stands_two_names_away_where_a_policy_asks_for_it() -> None:
    async with memory_on("sqlite://") as memory:
        await memory.remember(
            [
                note("Mira Halvorsen works for Fjordbank."),
                note("Fjordbank was bought by Kelpworks."),
                note("Kelpworks is led by Sunniva Aas."),
                note("The weather in June was mild."),
            ]
        )
        found = await memory.ranked("Mira Halvorsen", policy=DEFAULT_POLICY.with_weights({"spread": 0.5}))
        parts = {hit.text: hit.parts.get("spread", 0.0) for hit in found.hits if hit.kind == "episode"}
        assert parts["Fjordbank was bought by Kelpworks."] > parts["Kelpworks is led by Sunniva Aas."] > 0
        assert parts["The weather in June was mild."] == 0
        assert not any("spread" in hit.parts for hit in (await memory.recall("Mira Halvorsen")).recall.hits)
