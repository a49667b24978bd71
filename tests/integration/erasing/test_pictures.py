"""Exports with both clocks: what was true then, as known then; and the row that each leaves."""

from __future__ import annotations

import json
from typing import Any

import pytest

from muniment.engine.memory import Memory
from muniment.graph_schema.errors import Invalid
from tests.builders import NOW
from tests.engines import Hands, engine_on, told
from tests.integration.erasing.test_purge import said


async def taken(memory: Memory, **clocks: Any) -> list[dict[str, Any]]:
    return [line async for line in memory.export(**clocks)]


def facts_in(lines: list[dict[str, Any]]) -> set[tuple[str, str]]:
    return {(line["object"]["name"], line["status"]) for line in lines if line["record"] == "fact"}


async def test_an_export_tells_what_was_true_then_as_known_then(store_url: str) -> None:
    clock = Hands()
    async with engine_on(store_url, clock) as engine:
        memory, other = (engine.for_tenant(name, actor="tester") for name in ("acme", "globex"))
        note = (await memory.remember([said("A note on Ines Falk.")], extract="none")).episodes[0].id
        await memory.assert_facts(
            [told("Ines Falk", "works_for", "Harbour Mills", valid_at="2024-01-01T00:00:00Z", evidence=[note])]
        )
        heard = clock.now
        clock.forward(days=2)
        moved = told("Ines Falk", "works_for", "Quarry Lane", valid_at="2025-06-01T00:00:00Z")
        later = await memory.assert_facts([moved, told("Ines Falk", "uses", "paper")])
        await memory.reject(next(c.id for c in later.changes[::-1] if c.kind == "fact"))

        before = await taken(memory, as_of="2025-01-01T00:00:00Z")
        assert facts_in(before) == {("Harbour Mills", "current")}
        assert {line["id"] for line in before if line["record"] == "episode"} == {note}
        assert "Quarry Lane" not in json.dumps([line for line in before if line["record"] != "fact"])
        assert facts_in(await taken(memory, as_of="2025-07-01T00:00:00Z")) == {("Quarry Lane", "current")}
        unaware = await taken(memory, as_of="2025-07-01T00:00:00Z", known_at=heard)
        assert facts_in(unaware) == {("Harbour Mills", "current")}
        assert "Quarry Lane" not in json.dumps(unaware)
        assert unaware[-1]["counts"] == {"entity": 2, "episode": 1, "fact": 1}
        as_known = await taken(memory, known_at=heard)
        assert "Quarry Lane" not in json.dumps(as_known), "entities heard of later are left out"
        assert "assertion" in {line["record"] for line in as_known}

        with pytest.raises(Invalid, match="picture"):
            await other.import_(before)
        assert (await other.entities()).items == ()
        assert (await other.import_(as_known)).created["assertion"] == 1
        with pytest.raises(Invalid, match="vectors"):
            memory.export(vectors=True, as_of=NOW)


async def test_an_export_leaves_one_row_and_is_not_changed_by_it(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme", actor="tester", all_walls=True)
        await memory.assert_facts([told("Ines Falk", "uses", "paper")])
        last = (await memory.audit(limit=1)).items[0].seq
        first = await taken(memory)
        async for _ in memory.export():
            break
        rows = (await memory.audit(verb="export")).items
        assert [(row.actor, row.verb, row.outcome, row.seq) for row in rows] == [
            ("tester", "export", "done", last + 2), ("tester", "export", "done", last + 1),
        ]  # fmt: skip
        assert max(line["seq"] for line in first if line.get("kind") == "audit") == last
        assert (await memory.verify_audit()).ok
