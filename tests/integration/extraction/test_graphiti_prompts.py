"""graphiti-core's own prompts against the fake endpoint: candidates only, held against the text like any other."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import pytest

from muniment.engine.extract.assisted.graphiti_prompt import quote_of
from muniment.engine.extract.assisted.proposals import IMPLIED, STATED
from muniment.graph_schema.records import Fact
from tests.chat_server import ChatServer, Reply
from tests.integration.extraction.conftest import Assisted

pytest.importorskip("graphiti_core")

TEXT = "Ana Ruiz works for Kestrel Freight. Lisbon depot: everything there hangs on Tom Lee. He swears by paper maps."
NAMES = {"Lisbon depot": 0, "Tom Lee": 0}


def note(text: str = TEXT, **more: Any) -> dict[str, Any]:
    return {"text": text, "kind": "note", "occurred_at": "2026-03-02T10:00:00Z", **more}


def names(*given: str, **more: Any) -> Reply:
    found = [{"name": n, "entity_type_id": 0, "episode_indices": more.get("of", [0])} for n in given]
    return Reply(content=json.dumps({"extracted_entities": found}))


def edges(*given: dict[str, Any]) -> Reply:
    return Reply(content=json.dumps({"edges": list(given)}))


def edge(source: str, relation: str, target: str, fact: str, **more: Any) -> dict[str, Any]:
    return {
        "source_entity_name": source, "target_entity_name": target, "relation_type": relation, "fact": fact, "valid_at": None,
        "invalid_at": None, "episode_indices": [0], **more,
    }  # fmt: skip


def by_graphiti(facts: tuple[Fact, ...]) -> list[tuple[str, str, str, float]]:
    return sorted(
        (f.subject.name, f.relation, f.object.name, f.confidence)
        for f in facts
        if f.relation in ("hangs_on", "swears_by")
    )


async def test_its_prompts_give_candidates_with_quotes_found_in_the_text(
    assisted: Assisted, server: ChatServer, store_url: str
) -> None:
    server.replies = [
        names("Ana Ruiz", "Lisbon depot", "Tom Lee", "paper maps"),
        edges(
            edge("Lisbon depot", "HANGS_ON", "Tom Lee", "Everything at the Lisbon depot hangs on Tom Lee."),
            edge("Tom Lee", "SWEARS_BY", "paper maps", "Tom Lee swears by paper maps."),
            edge("Tom Lee", "OWNS", "Porto depot", "Tom Lee owns the Porto depot."),
            edge("Ana Ruiz", "WORKS_FOR", "Tom Lee", "Ana Ruiz works for Tom Lee."),
        ),
    ]
    async with assisted(store_url, llm_prompts="graphiti") as engine:
        memory = engine.for_tenant("acme")
        receipt = await memory.remember([note()])
        facts = (await memory.facts()).items
        assert receipt.degraded == ()
        assert by_graphiti(facts) == [
            ("Lisbon depot", "hangs_on", "Tom Lee", STATED),
            ("Tom Lee", "swears_by", "paper maps", IMPLIED),
        ]
        assert [f.object.name for f in facts if f.relation == "works_for"] == ["Kestrel Freight"]
        assert not any(f.object.name == "Porto depot" for f in facts)
        for fact in facts:
            for proof in fact.evidence:
                assert TEXT[proof.start : proof.end] == proof.quote
        (day,) = await memory.model_use()
        assert (day.usage.calls, day.usage.rejected_statements) == (2, 1)
    first, second = (body["messages"] for body in server.bodies)
    assert "<ENTITY TYPES>" in first[1]["content"] or "entity" in first[0]["content"].casefold()
    assert "Lisbon depot" in second[1]["content"]
    assert "never an instruction" in first[1]["content"]
    for body in server.bodies:
        schema = body["response_format"]["json_schema"]["schema"]
        for shape in (schema, *schema["$defs"].values()):
            assert (shape["required"], shape["additionalProperties"]) == (list(shape["properties"]), False)
    assert os.environ["GRAPHITI_TELEMETRY_ENABLED"] == "false"
    assert "posthog" not in sys.modules


async def test_its_dates_bound_and_end_what_it_says(assisted: Assisted, server: ChatServer) -> None:
    server.replies = [
        names(*NAMES),
        edges(
            edge("Lisbon depot", "HANGS_ON", "Tom Lee", "x", valid_at="2026-03-02T10:00:00Z"),
            edge("Tom Lee", "SWEARS_BY", "Lisbon depot", "x", valid_at="2025-01-01T00:00:00Z"),
        ),
    ]
    async with assisted(llm_prompts="graphiti") as engine:
        memory = engine.for_tenant("acme")
        found = {c.relation: c for c in (await memory.extract([note()])).candidates if c.by_model}
        assert found["hangs_on"].valid_at is None
        assert str(found["swears_by"].valid_at) == "2025-01-01 00:00:00+00:00"
        assert (await memory.facts()).items == ()


@pytest.mark.parametrize(
    ("replies", "told"),
    [
        ([Reply(status=500)], "answered 500"),
        ([Reply(content="{"), Reply(content='{"extracted_entities": 1}')], "not of the shape"),
        ([names(*NAMES), Reply(status=500)], "answered 500"),
        ([names(*NAMES), Reply(content='{"edges": [{}]}'), Reply(content="no")], "not of the shape"),
    ],
    ids=["500", "wrong names", "500 at the second call", "wrong facts"],
)
async def test_whatever_goes_wrong_the_rules_stand(
    assisted: Assisted, server: ChatServer, replies: list[Reply], told: str
) -> None:
    server.replies = list(replies)
    async with assisted(llm_prompts="graphiti") as engine:
        memory = engine.for_tenant("acme")
        receipt = await memory.remember([note()])
        assert told in receipt.degraded[0]
        facts = (await memory.facts()).items
        assert ("Ana Ruiz", "Kestrel Freight") in [(f.subject.name, f.object.name) for f in facts]
        assert not any(f.relation == "hangs_on" for f in facts)


async def test_many_texts_share_its_two_calls(assisted: Assisted, server: ChatServer) -> None:
    said = "Lisbon depot: everything there hangs on Tom Lee."
    server.replies = [
        names(*NAMES, of=[0, 1, 9]),
        edges(edge("Lisbon depot", "HANGS_ON", "Tom Lee", said, episode_indices=[1, 7])),
    ]
    async with assisted(llm_prompts="graphiti") as engine:
        memory = engine.for_tenant("acme")
        receipt = await memory.remember([note("Nothing new."), note(said)])
        (fact,) = [f for f in (await memory.facts()).items if f.relation == "hangs_on"]
        assert [proof.episode for proof in fact.evidence] == [receipt.episodes[1].id]
        assert len(server.bodies) == 2


async def test_doctor_says_which_prompts_are_used(assisted: Assisted) -> None:
    async with assisted(llm_prompts="graphiti") as engine:
        jobs: Any = {m["job"]: m for m in (await engine.describe())["models"]}  # type: ignore[attr-defined]
        assert "graphiti" in jobs["extract beside the rules"]["note"]


def test_a_quote_is_a_sentence_that_names_the_ends() -> None:
    assert quote_of(TEXT, ("Lisbon depot", "Tom Lee"), "") == ("Lisbon depot: everything there hangs on Tom Lee.", True)
    assert quote_of(TEXT, ("He", "paper maps"), "swears by paper maps")[0] == "He swears by paper maps."
    assert quote_of(TEXT, ("Nora", "Oslo"), "Nora lives in Oslo") == ("", False)
