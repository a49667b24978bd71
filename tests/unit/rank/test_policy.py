"""The weights are all told in the documentation, with their defaults and ranges as they are."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from muniment.engine.rank.policy import BOUNDS, DEFAULT_POLICY, HALF_LIVES

RECALL = Path(__file__).resolve().parents[3] / "docs" / "recall.md"


def test_every_weight_has_a_range_that_holds_its_default() -> None:
    assert {*BOUNDS, HALF_LIVES} == {one.name for one in fields(DEFAULT_POLICY)}
    for name, (least, most) in BOUNDS.items():
        assert least <= getattr(DEFAULT_POLICY, name) <= most, name


def test_the_documentation_tells_every_weight_as_it_is() -> None:
    rows = [line.split(" | ") for line in RECALL.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    told = {row[0].strip("| `"): row[1:3] for row in rows}
    for name, (least, most) in BOUNDS.items():
        default, span = told[name]
        assert float(default) == getattr(DEFAULT_POLICY, name), name
        assert span == f"{least:g} – {most:g}", name
    days = ", ".join(f"{group} {days:g}" for group, days in DEFAULT_POLICY.half_life_days.items())
    assert told[HALF_LIVES][0] == days
