"""A write that was undone can be made again: its external ids do not stand in the way, whatever is told this time."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from muniment.api.cli.main import app
from muniment.graph_schema.errors import Conflict
from tests.engines import everything, memory_on, objects
from tests.integration.erasing.test_purge import said
from tests.integration.erasing.traces import places_of

FIRST = "Mira Holt works for Northwind."
MENDED = "Mira Holt works for Quillhaven."


async def test_what_was_undone_is_told_anew_and_what_was_forgotten_is_not(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        wrong = await memory.remember([said(FIRST, external_id="n-1"), said("Ines called.", external_id="n-2")])
        before = await everything(memory)
        undone = await memory.undo(wrong.id)
        assert await everything(memory) == []
        dry = await memory.remember([said(MENDED, external_id="n-1")], dry_run=True)
        assert [e.status for e in dry.episodes] == ["created"]
        again = await memory.undo(undone.id)
        assert await everything(memory) == before, "a dry run takes nothing over"
        back = await memory.undo(again.id)
        with pytest.raises(Conflict, match="already undone"):
            await memory.undo(wrong.id)

        mended = await memory.remember([said(MENDED, external_id="n-1"), said("Ines called.", external_id="n-2")])
        assert ([e.status for e in mended.episodes], mended.rejected) == (["created", "created"], ())
        assert {e.id for e in mended.episodes}.isdisjoint(e.id for e in wrong.episodes)
        assert await objects(memory) == {"Quillhaven"}
        assert {e.external_id for e in (await memory.episodes()).items} == {"n-1", "n-2"}
        assert (await memory.remember([said(MENDED, external_id="n-1")])).episodes[0].status == "exists"
        with pytest.raises(Conflict, match="told again"):
            await memory.undo(back.id)

        await memory.undo(mended.id)
        third = await memory.remember([said(FIRST, external_id="n-1")])
        assert await objects(memory) == {"Northwind"}
        assert len((await memory.episodes(include_archived=True)).items) == 5

        await memory.forget([third.episodes[0].id])
        kept = await memory.remember([said(FIRST, external_id="n-1")])
        assert ([e.status for e in kept.episodes], await objects(memory)) == (["exists"], set())
        assert (await memory.purge({"external_id": "n-1"})).remaining == 0
        assert places_of("Quillhaven", store_url) == places_of("Northwind", store_url) == []
        assert {e.text for e in (await memory.episodes(include_archived=True)).items} == {"Ines called."}


def lines(store: str, file: Path, *words: str) -> Any:
    ran = CliRunner().invoke(
        app,
        ["ingest", str(file), "--tenant", "acme", "--store", store, "--json", *words],
        env={"MUNIMENT_ENVIRONMENT": "test"},
    )
    assert ran.exit_code == 0, ran.output
    return json.loads(ran.output)


async def test_a_file_is_ingested_again_after_any_of_its_writes_was_undone(store_url: str, tmp_path: Path) -> None:
    file = tmp_path / "facts.jsonl"
    row = {"kind": "fact", "id": "f-1", "at": "2026-03-01T09:00:00Z", "text": FIRST}
    row |= {"subject": "Mira Holt", "relation": "works_for", "object": "Northwind"}
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")

    async def ingest() -> list[str]:
        told = await asyncio.to_thread(lines, store_url, file)
        return list(told["receipts"])

    receipts = await ingest()
    assert len(receipts) == 2
    assert await ingest() == receipts[:0], "the same file twice changes nothing"
    for part in (slice(1, None), slice(None)):
        async with memory_on(store_url) as memory:
            before = await everything(memory)
            assert len(before) == 1
            for receipt in reversed(receipts[part]):
                await memory.undo(receipt)
            assert await everything(memory) == []
        made = await ingest()
        receipts = [receipts[0], *made] if len(made) == 1 else made
        async with memory_on(store_url) as memory:
            assert [f["object"] for f in await everything(memory)] == ["Northwind"]
            assert len((await memory.episodes()).items) == 1
