"""The list of rules that people read: every rule is there, and each example shows its rule at work."""

from __future__ import annotations

import pytest

from muniment.engine.extract.rulebook import Rule, rules
from tests.unit.extract.conftest import Extract


def test_ids_are_unique_and_confidences_are_probabilities() -> None:
    assert len({rule.id for rule in rules()}) == len(rules())
    assert all(0.5 <= rule.confidence <= 1 for rule in rules())


@pytest.mark.parametrize("rule", [r for r in rules() if r.id != "name"], ids=lambda rule: rule.id)
def test_example_of_a_rule_is_found_by_it(extract: Extract, rule: Rule) -> None:
    title = "Halden Systems" if rule.id == "en.noun.line" else "蓝湖科技" if rule.id == "zh.noun.colon" else ""
    found = [c.rule for c in extract(rule.example, title=title)]
    assert rule.id in found
