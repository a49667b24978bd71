"""An older value of what a question asks stands behind the newer one, whatever else leads to it."""

from __future__ import annotations

from datetime import datetime

from tests.engines import Hands, memory_on

NOW = datetime.fromisoformat("2026-05-01T00:00:00+00:00")
NOTES = (
    ("who", "Hugo Klein works for Ridge Mills.", "2026-01-02"),
    ("older", "Ridge Mills uses Echo Desk.", "2026-01-03"),
    ("other", "Juniper Foods uses Echo Desk.", "2026-01-04"),
    ("newer", "Ridge Mills uses Glide Desk.", "2026-03-05"),
    ("far", "Juniper Foods asked for a larger loading bay.", "2026-01-06"),
)


async def test_an_older_value_is_left_behind_though_a_longer_way_goes_through_it(store_url: str) -> None:
    async with memory_on(store_url, Hands(NOW)) as memory:
        await memory.remember(
            [
                {"external_id": id, "text": text, "kind": "note", "occurred_at": f"{at}T09:00:00Z"}
                for id, text, at in NOTES
            ]
        )
        asked = "What is the product used by the employer of Hugo Klein?"
        ids = [episode.external_id for episode in await memory.ranked_episodes(asked, limit=10)]
        assert ids[:2] == ["who", "newer"]
        assert ids.index("older") > ids.index("newer") + 1
        recall = (await memory.recall(asked)).recall
        older = [hit for hit in recall.hits if hit.text == NOTES[1][1] and hit.kind.value == "episode"]
        assert all(hit.parts["older"] < 0 for hit in older)
        history = [
            e.external_id
            for e in await memory.ranked_episodes("Which products has Ridge Mills used over time?", limit=3)
        ]
        assert {"older", "newer"} <= set(history)
