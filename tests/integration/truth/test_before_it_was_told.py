"""Asked as of a moment before something was so: it is not shown as what held then, by facts, texts, walks or blocks."""

from __future__ import annotations

from typing import Any

from muniment.graph_schema.records import Kind, Status
from tests.engines import Hands, memory_on, told


def note(text: str, day: str) -> dict[str, Any]:
    return {"text": text, "kind": "note", "occurred_at": f"{day}T09:00:00Z"}


NOTES = [
    note("Greta Holm works for Nordic Rail since January 2024.", "2024-01-10"),
    note("Greta Holm works for Baltic Lines since February 2025.", "2025-02-10"),
    note(
        "Greta Holm joined Straits Cargo. Greta Holm prefers e-mail over long telephone calls in the morning.",
        "2025-05-05",
    ),
]
QUESTION = "Where does Greta Holm work?"


async def test_what_was_not_so_yet_is_no_hit_or_is_marked_so(store_url: str) -> None:
    async with memory_on(store_url, Hands()) as memory:
        await memory.remember(NOTES)
        now = (await memory.recall(QUESTION, kinds=["episode"])).recall
        assert [hit.status for hit in now.hits if hit.text == NOTES[2]["text"]] == [Status.CURRENT]
        for as_of in ("2023-06-01T00:00:00Z", "2024-06-01T00:00:00Z"):
            answer = (await memory.recall(QUESTION, as_of=as_of)).recall
            held = {hit.text for hit in answer.hits if hit.status is Status.CURRENT}
            assert held == ({NOTES[0]["text"]} if as_of > "2024" else set())
            (late,) = [hit for hit in answer.hits if hit.status is not Status.CURRENT]
            assert (late.text, late.status, late.superseded) == (NOTES[2]["text"], Status.FUTURE, True)
            block = (await memory.context(QUESTION, as_of=as_of)).context.text
            assert "Baltic Lines" not in block
            assert "superseded since" not in block
            for line in (line for line in block.splitlines() if "Straits Cargo" in line):
                assert line.endswith("(holds from 2025-05-05T09:00+00:00)")


async def test_a_text_that_tells_what_is_over_is_superseded(store_url: str) -> None:
    async with memory_on(store_url, Hands()) as memory:
        mixed = "Greta Holm works for Nordic Rail. Greta Holm prefers e-mail over long telephone calls in the morning."
        await memory.remember([note(mixed, "2024-01-10"), note("Greta Holm joined Baltic Lines.", "2025-02-10")])
        answer = (await memory.recall(QUESTION, kinds=["episode"])).recall
        assert [(hit.status, hit.superseded) for hit in answer.hits] == [
            (Status.CURRENT, False),
            (Status.SUPERSEDED, True),
        ]


async def test_facts_around_and_between_have_the_status_of_the_moment(store_url: str) -> None:
    async with memory_on(store_url, Hands()) as memory:
        since = "2024-01-01T00:00:00Z"
        await memory.assert_facts([told("Greta Holm", "works_for", "Nordic Rail", valid_at=since)])
        clock = (await memory.fact((await memory.facts()).items[0].id)).created_at
        await memory.assert_facts([told("Greta Holm", "works_for", "Baltic Lines", valid_at="2025-02-01T00:00:00Z")])
        (greta,) = [p.entity.id for p in (await memory.entities(q="greta")).items]
        moments: list[dict[str, Any]] = [{"as_of": "2024-06-01T00:00:00Z"}, {"known_at": clock}]
        for moment in moments:
            (fact,) = (await memory.neighbourhood([greta], **moment)).facts
            assert (fact.object.name, fact.status) == ("Nordic Rail", Status.CURRENT)
            (path,) = await memory.paths("Greta Holm", "Nordic Rail", **moment)
            assert [leg.fact.status for leg in path.legs] == [Status.CURRENT]
        (over,) = (await memory.facts(object="Nordic Rail", include_superseded=True)).items
        assert (over.kind, over.status) == (Kind.FACT, Status.SUPERSEDED)
