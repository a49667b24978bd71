"""A tenant in log-only mode: everything is read and shown, and nothing is stored."""

from __future__ import annotations

from typing import Any

import pytest

from muniment.engine.tenants import create_tenant, set_tenant_settings
from muniment.graph_schema.errors import Invalid, NotFound
from tests.engines import engine_on, everything, told

NOTE = {
    "text": "Ana Ruiz works for Kestrel Freight. She prefers email.",
    "kind": "note",
    "occurred_at": "2026-03-02T10:00:00Z",
}
COMMAND = {"memory_commands": [{"op": "create", "type": "preference", "content": "likes short answers"}]}


async def test_all_is_shown_and_nothing_is_stored(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        await create_tenant(engine.database, "acme")
        memory, open_ = engine.for_tenant("acme"), engine.for_tenant("globex")
        await set_tenant_settings(engine.database, "acme", {"log_only": True}, actor="boss")
        receipts = [
            await memory.remember([NOTE]),
            await memory.remember([NOTE], mode="async"),
            await memory.assert_facts([told("Ana Ruiz", "likes", "tea")]),
            await memory.apply_commands(COMMAND),
        ]
        assert all(r.dry_run and r.trace and r.job is None for r in receipts)
        assert await everything(memory) == []
        assert (await memory.episodes()).items == ()
        assert (await memory.entities()).items == ()
        assert (await memory.jobs()).items == ()
        assert (await memory.recall("Who works for Kestrel Freight?")).recall.hits == ()

        shown: Any = await memory.explain(str(receipts[0].trace))
        job = next(s for s in shown["statements"] if s["relation"] == "works_for")
        assert (job["subject"], job["object"], job["input"]) == ("Ana Ruiz", "Kestrel Freight", "episodes[0]")
        assert NOTE["text"][job["start"] : job["end"]] == job["quote"]
        assert job["rule"] == "en.verb"
        assert {"Ana Ruiz", "Kestrel Freight"} <= {one["name"] for one in shown["named"]}
        assert shown["receipt"]["verb"] == "remember"
        facts: Any = await memory.explain(str(receipts[2].trace))
        assert [(s["subject"], s["relation"], s["object"]) for s in facts["statements"]] == [
            ("Ana Ruiz", "likes", "tea")
        ]
        with pytest.raises(NotFound):
            await open_.explain(str(receipts[0].trace))

        expected = await open_.remember([NOTE], dry_run=True)
        assert sorted((c.action, c.kind) for c in receipts[0].changes) == sorted(
            (c.action, c.kind) for c in expected.changes
        )
        assert expected.trace is None


async def test_it_ends_with_the_setting_and_traces_end_with_their_time(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        await create_tenant(engine.database, "acme")
        memory = engine.for_tenant("acme")
        await set_tenant_settings(engine.database, "acme", {"log_only": True}, actor="boss")
        trace = str((await memory.remember([NOTE])).trace)
        await set_tenant_settings(engine.database, "acme", {"log_only": False}, actor="boss")
        receipt = await memory.remember([NOTE])
        assert (receipt.dry_run, receipt.trace) == (False, None)
        assert len((await memory.episodes()).items) == 1
        engine.tools.clock.forward(days=engine.settings.trace_days + 1)  # type: ignore[attr-defined]
        with pytest.raises(NotFound):
            await memory.explain(trace)


async def test_a_trace_is_read_only_by_who_sees_as_many_walls(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        await create_tenant(engine.database, "acme")
        await set_tenant_settings(engine.database, "acme", {"log_only": True}, actor="boss")
        every = engine.for_tenant("acme", all_walls=True)
        inside, outside = engine.for_tenant("acme", walls=["matter-7"]), engine.for_tenant("acme")
        traces = [str((await m.remember([{**NOTE, "wall": "matter-7"}])).trace) for m in (every, inside)]
        for memory, seen in ((every, 2), (inside, 1), (outside, 0)):
            readable = 0
            for trace in traces:
                try:
                    readable += bool((await memory.explain(trace))["statements"])
                except NotFound:
                    continue
            assert readable == seen
        with pytest.raises(Invalid, match="of a write"):
            await every.replay(traces[0])
