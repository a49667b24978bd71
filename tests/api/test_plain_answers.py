"""Questions of every kind get a clear answer: over HTTP, on the command line, and from the engine with its models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from muniment.api.cli.main import app
from muniment.engine.memory import Memory
from tests.api.calling import Caller
from tests.engines import memory_on

LONG = (
    "Please tell me, since I cannot find it anywhere in my papers, " * 20 + "what does the code word Kingfisher open?"
)
OPERATORS = 'What does "Kingfisher" open? ( ) : * ~ / AND NOT {x} [y] \\ ^2 --'
NOTE = {"text": "The code word Kingfisher opens the boathouse.", "kind": "note", "occurred_at": "2026-01-05T09:00:00Z"}


@pytest.mark.parametrize("query", [LONG, OPERATORS], ids=["two hundred words", "operators"])
def test_long_and_operator_laden_questions_find_their_note(admin: Caller, query: str) -> None:
    others = [{**NOTE, "text": f"Boat number {n} was painted blue."} for n in range(6)]
    admin.ok("POST", "/v1/episodes", {"episodes": [NOTE, *others], "extract": "none"})
    answer = admin("POST", "/v1/recall", {"query": query, "limit": 3}).json()
    assert answer["hits"][0]["text"] == NOTE["text"]
    assert answer["empty"] is None


def test_an_empty_answer_says_what_was_looked_at(admin: Caller, tmp_path: Path) -> None:
    asked = {"query": "What does Kingfisher open?"}
    assert admin("POST", "/v1/recall", asked).json()["empty"] == "nothing is kept here yet that you may see"
    admin.ok("POST", "/v1/episodes", {"episodes": [NOTE], "extract": "none"})
    told = admin("POST", "/v1/recall", {**asked, "known_at": "1990-01-01T00:00:00Z"}).json()
    assert told["hits"] == []
    assert "(1 note)" in told["empty"]
    assert (
        "as known by 1990-01-01T00:00:00Z: nothing fits the question; all of it may have been recorded later"
        in told["empty"]
    )
    none = admin("POST", "/v1/recall", {**asked, "kinds": ["skill"], "min_importance": 5}).json()
    assert "of the kind skill, of importance 5 or more" in none["empty"]

    store = ["--store", f"sqlite:///{tmp_path / 'm.db'}"]
    assert CliRunner().invoke(app, ["tenants", "create", "acme", *store]).exit_code == 0
    shown = CliRunner().invoke(app, ["recall", "Kingfisher", "-t", "acme", *store])
    assert shown.exit_code == 0, shown.output
    assert "nothing found: nothing is kept here yet that you may see" in shown.output


async def _hits(memory: Memory, query: str) -> list[Any]:
    return list((await memory.recall(query, limit=5)).recall.hits)


@pytest.mark.parametrize(
    ("old", "question", "fresh"),
    [
        (
            "The spare key of the boathouse hangs behind the red stove.",
            "Where does the spare key of the boathouse hang?",
            "Key meeting {n} about the house and the boat took place on Monday.",
        ),
        ("船库的备用钥匙挂在红色炉子后面。", "船库的备用钥匙挂在哪里？", "第{n}次关于房子和船的关键会议在周一举行。"),
    ],
    ids=["en", "zh"],
)
async def test_the_only_match_is_found_twenty_years_old_and_of_the_least_importance(
    old: str, question: str, fresh: str
) -> None:
    async with memory_on("sqlite://") as memory:
        row = {"kind": "note", "text": old, "occurred_at": "2006-05-01T09:00:00Z", "recorded_at": "2006-05-01T09:00:00Z", "importance": 1}  # fmt: skip
        new = [
            {"kind": "note", "text": fresh.format(n=n), "occurred_at": "2026-05-28T09:00:00Z", "importance": 5}
            for n in range(30)
        ]
        await memory.remember([row, *new], extract="none")
        assert (await _hits(memory, question))[0].text == old


async def test_near_copies_collapse_with_a_count_and_cite_each() -> None:
    async with memory_on("sqlite://") as memory:
        text = "The slipway of Kelpworks is closed for repairs until the end of the month"
        rows = [{**NOTE, "text": f"{text}{end}", "external_id": f"c{n}"} for n, end in enumerate((".", "!", " ."))]
        await memory.remember([*rows, {**NOTE, "text": "The slipway of Fjordbank is open."}], extract="none")
        first = next(
            hit for hit in await _hits(memory, "Is the slipway of Kelpworks closed?") if "Kelpworks" in hit.text
        )
        assert first.copies == 2
        assert len(first.episodes) == 3
