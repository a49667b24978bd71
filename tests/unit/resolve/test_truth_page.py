"""The pictures in docs/truth.md are what the code draws from the assertions named here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from muniment.engine.resolve.drawing import draw
from muniment.engine.resolve.timeline import timeline
from muniment.graph_schema.records import Assertion, Says

from .assertions import says, weds

PAGE = Path(__file__).parents[3] / "docs" / "truth.md"

SCENES: dict[str, list[Assertion]] = {
    "succession": [says("Alder", since="2024-03-01"), says("Birch", since="2024-05-01")],
    "late": [says("Lyon", since="2025-06-01", told="2025-07-01"), says("Graz", since="2024-01-01", told="2026-01-01")],
    "returns": [says("Acme", since="2020-01-01"), says("Beta", since="2022-01-01"), says("Acme", since="2024-01-01")],
    "ended": [
        says("Acme", since="2024-01-01"),
        says("Acme", what=Says.ENDED, until="2024-06-01", told="2024-07-01"),
        says("Beta", since="2024-10-01"),
    ],
    "unknown": [says("Acme", what=Says.ENDED, until="2024-06-01", told="2024-07-01"), says("Beta", since="2024-10-01")],
    "weaker": [says("Acme", since="2024-01-01"), says("Beta", since="2024-03-01", confidence=0.4)],
    "equal": [says("Acme", since="2024-01-01"), says("Beta", since="2024-01-01", told="2024-02-02")],
    "corrected": [
        says("Acme", since="2024-01-01"),
        says("Beta", since="2024-03-01", told="2024-03-01"),
        says("Beta", what=Says.CORRECTED, told="2024-04-01"),
    ],
    "paired": [weds("Ann", "Bob", since="2010-05-01"), weds("Bob", "Carl", since="2015-05-01", told="2024-02-02")],
}
LABELS = {"=married_to|n_Ann|n_Bob": "Ann and Bob", "=married_to|n_Bob|n_Carl": "Bob and Carl"}


def block(name: str) -> str:
    return f"<!-- drawing: {name} -->\n```\n{draw(timeline(SCENES[name]).stretches, LABELS)}\n```"


def test_every_drawing_of_the_page_is_what_the_code_draws(pytestconfig: pytest.Config) -> None:
    page = PAGE.read_text(encoding="utf-8")
    drawn = re.sub(r"<!-- drawing: (\w+) -->\n```\n.*?```", lambda m: block(m.group(1)), page, flags=re.DOTALL)
    if pytestconfig.getoption("update_golden"):
        PAGE.write_text(drawn, encoding="utf-8")
    assert page == drawn, "docs/truth.md is out of date: run pytest with --update-golden and read the diff"


def test_every_scene_is_on_the_page() -> None:
    assert set(re.findall(r"<!-- drawing: (\w+) -->", PAGE.read_text(encoding="utf-8"))) == set(SCENES)
