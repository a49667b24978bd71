"""Entities as hits, on a whole engine: named, at the ends of facts, filtered like every memory."""

from __future__ import annotations

from typing import Any

import pytest

from muniment.api import shapes
from muniment.engine.memory import Memory
from muniment.graph_schema.records import Kind
from tests.engines import engine_on, memory_on, told

PERSON, FIRM, PLACE = {"type": "person"}, {"type": "organization"}, {"type": "place"}


def fact(
    subject: str, relation: str, object: str, since: str, type: str = "organization", **more: Any
) -> dict[str, Any]:
    said = told(subject, relation, object, valid_at=f"{since}-01-01T00:00:00Z", **more)
    said["subject"]["type"] = "organization" if relation == "headquartered_in" else "person"
    said["object"]["type"] = type
    return said


WORLD = [
    fact("Mira Halvorsen", "works_for", "Fjordbank", "2020"),
    fact("Mira Halvorsen", "works_for", "Kelpworks", "2024"),
    fact("Kelpworks", "headquartered_in", "Tromso", "2015", "place"),
    fact("Odd Lie", "works_for", "Fjordbank", "2021"),
]


async def names(memory: Memory, query: str, **options: Any) -> list[str]:
    options.setdefault("kinds", ["entity"])
    return [hit.text.split(":")[0] for hit in (await memory.recall(query, **options)).recall.hits]


async def test_what_is_asked_for_comes_first_with_its_path_and_parts(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts(WORLD)
        answer = await memory.recall("Where is the headquarters of Mira Halvorsen's employer?", kinds=["entity"])
        first = answer.recall.hits[0]
        assert (first.kind, first.text) == (Kind.ENTITY, "Tromso")
        assert [(step.source.name, step.target.name) for step in first.path] == [
            ("Mira Halvorsen", "Kelpworks"),
            ("Kelpworks", "Tromso"),
        ]
        assert "graph" in first.parts
        assert first.score == pytest.approx(sum(first.parts.values()))
        assert shapes.whole_hit(first, at=first.memory.created_at)["memory"]["name"] == "Tromso"  # type: ignore[union-attr]
        assert (await memory.why_not(first.id, trace_id=answer.trace_id)).stopped_by == "shown"
        assert (await memory.replay(answer.trace_id)).equal
        assert "Fjordbank" not in {hit.text for hit in answer.recall.hits[:2]}
        plain = await memory.recall("Where is the headquarters of Mira Halvorsen's employer?")
        assert Kind.ENTITY not in {hit.kind for hit in plain.recall.hits}
        assert (await memory.why_not(first.id, trace_id=plain.trace_id)).stopped_by == "kind"


async def test_names_types_clocks_and_other_kinds() -> None:
    async with memory_on("sqlite://") as memory:
        await memory.assert_facts(WORLD)
        assert (await names(memory, "Tell me about Odd Lie"))[0] == "Odd Lie"
        employer = "Who is the employer of Mira Halvorsen?"
        assert (await names(memory, employer, types=["organization"]))[0] == "Kelpworks"
        assert (await names(memory, employer, types=["organization"], as_of="2021-06-01T00:00:00Z"))[0] == "Fjordbank"
        assert set(await names(memory, employer, types=["place"])) <= {"Tromso"}
        assert await names(memory, employer, known_at="2001-01-01T00:00:00Z") == []
        mixed = (await memory.recall(employer, kinds=["entity", "fact"], limit=20)).recall.hits
        assert {hit.kind for hit in mixed} == {Kind.ENTITY, Kind.FACT}
        block = await memory.context(employer, kinds=["entity"])
        assert "Kelpworks" in block.context.text


async def test_an_entity_is_found_by_its_identifier_and_by_the_notes_that_mention_it() -> None:
    async with memory_on("sqlite://") as memory:
        await memory.remember(
            [
                {
                    "text": "Matter 2024-0417 is handled by Sunniva Aas. The hearing was moved to May.",
                    "kind": "note",
                    "occurred_at": "2026-01-05T09:00:00Z",
                }
            ]
        )
        found = await names(memory, "Who has anything to do with matter 2024-0417?")
        assert any("2024-0417" in name for name in found)
        assert "Sunniva Aas" in await names(memory, "When is the hearing?")


async def test_an_entity_behind_a_wall_is_no_hit() -> None:
    async with engine_on("sqlite://") as engine:
        inside = engine.for_tenant("acme", actor="partner", walls=["deal"])
        await inside.assert_facts([fact("Mira Halvorsen", "works_for", "Fjordbank", "2020", wall="deal")])
        assert "Fjordbank" in await names(inside, "Fjordbank")
        assert await names(engine.for_tenant("acme", actor="clerk"), "Fjordbank") == []
