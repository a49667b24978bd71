""" "I" is the speaker, else the user whose episode it is, and nobody where neither is told."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engines import engine_on


def note(text: str, **more: Any) -> dict[str, Any]:
    return {"text": text, "kind": "note", "occurred_at": "2026-03-02T10:00:00Z", **more}


@pytest.mark.parametrize("text", ["I work for Kestrel Freight and I prefer email.", "我任职于蓝湖科技。我喜欢喝茶。"])
async def test_i_without_a_speaker_is_no_entity(text: str) -> None:
    async with engine_on("sqlite://") as engine:
        memory = engine.for_tenant("acme")
        receipt = await memory.remember([note(text)])
        assert receipt.episodes[0].status.value == "created"
        assert not {e.entity.name for e in (await memory.entities()).items} & {"I", "i", "我"}
        assert (await memory.preferences()).items == ()
        assert [c.subject.name for c in (await memory.extract([note(text)])).candidates if c.relation and c.subject]


async def test_i_is_the_speaker_else_the_user() -> None:
    text = "I work for Kestrel Freight."
    async with engine_on("sqlite://") as engine:
        memory = engine.for_tenant("acme")
        await memory.remember([note(text, speaker="Ana Ruiz"), note(text, scope={"user": "tom"})])
        assert {f.subject.name for f in (await memory.facts()).items} == {"Ana Ruiz", "tom"}
