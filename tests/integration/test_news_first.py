"""Of two notes that tell of one thing, the later one that tells of a change comes first where the present is asked for."""

from __future__ import annotations

from typing import Any

import pytest

from muniment.graph_schema.records import Kind
from tests.engines import memory_on


def note(text: str, at: str) -> dict[str, Any]:
    return {"kind": "note", "text": text, "speaker": "Ola Berg", "occurred_at": at}


@pytest.mark.parametrize(
    ("old", "new", "aside", "question"),
    [
        (
            "Sheets and towels: the laundry firm is Whitecliff, collection on Mondays.",
            "Reminder that from Saturday the laundry firm for sheets changes to Bluewater. Whitecliff fetches its baskets until the 14th.",
            "The kitchen has changed its opening hours, lunch is now from noon.",
            "Which laundry firm does our sheets?",
        ),
        (
            "床单毛巾：洗涤公司是白崖，每周一来取。",
            "提醒：本周六起床单的洗涤公司改为碧水，毛巾也一样。",
            "食堂换了开饭时间，现在中午开饭。",
            "我们的床单是哪家公司洗涤的？",
        ),
    ],
)
async def test_news_come_first(store_url: str, old: str, new: str, aside: str, question: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.remember(
            [note(old, "2025-01-10T10:00:00Z"), note(new, "2025-06-10T10:00:00Z"), note(aside, "2025-09-10T10:00:00Z")]
        )

        async def order(**options: Any) -> list[str]:
            answer = await memory.recall(question, kinds=["episode"], **options)
            return [hit.text for hit in answer.hits if hit.kind is Kind.EPISODE]

        assert await order() == [new, old, aside]
        assert (await order(as_of="2025-03-01T10:00:00Z"))[0] == old
