"""A constraint is over once leave is given to do what it barred."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engines import engine_on


def said(text: str, day: int) -> dict[str, Any]:
    return {"text": text, "kind": "note", "speaker": "Ana Ruiz", "occurred_at": f"2026-03-{day:02}T10:00:00Z"}


@pytest.mark.parametrize(
    ("ban", "leave", "other"),
    [
        ("Please don't call me.", "You can call me again.", "You can email me again."),
        ("请不要给我打电话。", "打电话也可以了。", "发邮件也可以了。"),
    ],
)
async def test_leave_withdraws_the_ban_on_the_same_topic_only(ban: str, leave: str, other: str) -> None:
    async with engine_on("sqlite://") as engine:
        memory = engine.for_tenant("acme")
        await memory.remember([said(ban, 2), said(other, 3)])
        assert [p.relation for p in (await memory.preferences()).items if p.relation == "must_not"] == ["must_not"]
        await memory.remember([said(leave, 4)])
        assert {p.relation for p in (await memory.preferences()).items} == {"allows"}
