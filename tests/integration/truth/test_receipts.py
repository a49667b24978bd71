"""A receipt speaks of every input: what was kept, what was there, and what was not taken, with the reason."""

from __future__ import annotations

from typing import Any

from muniment.graph_schema.records import Action, EpisodeOutcome, Kind
from tests.engines import changes, engine_on, memory_on, objects, told


def note(text: str, id: str) -> dict[str, Any]:
    return {"text": text, "kind": "note", "occurred_at": "2026-03-01T09:00:00Z", "external_id": id}


async def test_a_fact_of_a_thing_and_itself_is_rejected_by_name(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        facts = [told("Ana Ruiz", "knows", "Bo Lind"), told("Ana Ruiz", "reports_to", "ANA  RUIZ")]
        receipt = await memory.assert_facts(facts)
        (rejected,) = receipt.rejected
        assert (rejected.input, rejected.code) == ("facts[1]", "invalid")
        assert "'reports_to'" in rejected.detail
        assert "'Ana Ruiz'" in rejected.detail
        assert await objects(memory, subject="Ana Ruiz") == {"Bo Lind"}
        assert (await memory.receipt(receipt.id)).rejected == receipt.rejected


async def test_one_external_id_twice_in_a_call_is_told_of_twice(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        given = [note("The lamp is red.", "n1"), note("The lamp is red.", "n1"), note("The door is shut.", "n2")]
        receipt = await memory.remember(given, extract="none")
        first, again, second = receipt.episodes
        assert [(e.external_id, e.status) for e in receipt.episodes] == [
            ("n1", EpisodeOutcome.CREATED),
            ("n1", EpisodeOutcome.EXISTS),
            ("n2", EpisodeOutcome.CREATED),
        ]
        assert again.id == first.id
        assert {e.id for e in (await memory.episodes()).items} == {first.id, second.id}
        other = await memory.remember([note("The lamp is blue.", "n1"), note("The lamp is red.", "n1")], extract="none")
        assert [(e.id, e.status) for e in other.episodes] == [(first.id, EpisodeOutcome.EXISTS)] * 2
        assert [(r.input, r.code) for r in other.rejected] == [("episodes[0]", "conflict")]


async def test_what_a_write_made_is_listed_in_the_order_in_which_the_text_names_it(store_url: str) -> None:
    """Ids are made of the space: in order of id, two tenants who write the same would read other receipts."""
    text = "Ana Ruiz works for Initech. Bo Chen works for Hooli. Initech is based in Lisbon. Carla Diaz owns Hooli."
    named = ["Ana Ruiz", "Initech", "Bo Chen", "Hooli", "Lisbon", "Carla Diaz"]
    async with engine_on(store_url) as engine:
        for n in range(4):
            memory = engine.for_tenant(f"tenant-{n}")
            receipt = await memory.remember([note(text, "n1")])
            new = [(await memory.entity(c.id)).entity.name for c in changes(receipt, Action.CREATED, Kind.ENTITY)]
            assert new == named
            facts = [(await memory.fact(c.id)).text for c in changes(receipt, Action.CREATED)]
            assert facts == [f"{sentence}." for sentence in text.rstrip(".").split(". ")]
