"""The list of rules that people read: every rule is there, and each example shows its rule at work."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest
from typer.testing import CliRunner

from muniment.api.cli.main import app
from muniment.engine import extract as extract_package
from muniment.engine.extract.addresses import addresses
from muniment.engine.extract.assisted.graphiti_prompt import GraphitiPrompt
from muniment.engine.extract.assisted.own_prompt import OwnPrompt
from muniment.engine.extract.dates import Clock, chinese, english, find_dates
from muniment.engine.extract.identifiers import find_identifiers
from muniment.engine.extract.rule_list import Area, ListedRule, listed_rules
from muniment.engine.extract.rulebook import Rule, rules
from muniment.engine.extract.screen import find_secrets
from muniment.engine.ports.models import Analysis
from muniment.engine.resolve.readingpages import reading_pages
from tests.unit.extract.conftest import MAY, Extract, triples

KNOWN = {"ana ruiz": (("Ana Ruiz", "person"),)}
# Ends of relations that are no finding of their own, and what a language model says.
NOT_LISTED = {"pronoun", "pronoun.firm", "pronoun.paper", "pronoun.object", "pronoun.term", "preference.value", "en.literal", "en.phrase", "zh.phrase", "en.name.weak"}  # fmt: skip


def test_ids_are_unique_and_confidences_are_probabilities() -> None:
    assert len({rule.id for rule in rules()}) == len(rules())
    assert all(0.5 <= rule.confidence <= 1 for rule in rules())


@pytest.mark.parametrize("rule", [r for r in rules() if r.id != "name"], ids=lambda rule: rule.id)
def test_example_of_a_rule_is_found_by_it(extract: Extract, rule: Rule) -> None:
    title = "Halden Systems" if rule.id == "en.noun.line" else "蓝湖科技" if rule.id == "zh.noun.colon" else ""
    found = [c.rule for c in extract(rule.example, title=title)]
    assert rule.id in found


def _area(*areas: Area) -> list[ListedRule]:
    return [rule for rule in listed_rules() if rule.area in areas]


@pytest.mark.parametrize("rule", _area(Area.DATE, Area.IDENTIFIER, Area.SECRET), ids=lambda rule: rule.id)
def test_example_of_a_spelling_is_found_by_its_rule(rule: ListedRule) -> None:
    if rule.area is Area.DATE:
        found = [f"date.{d.rule}" for d in find_dates(rule.example, lang=rule.lang, clock=Clock(anchor=MAY, zone=UTC))]
    elif rule.area is Area.IDENTIFIER:
        nothing_seen = Analysis(lang="en", tokens=(), entities=(), sentences=())
        found = [
            m.rule
            for m in (*find_identifiers(rule.example, lang="en"), *addresses(rule.example, nothing_seen, lang="en"))
        ]
    else:
        found = [secret.rule for secret in find_secrets(rule.example)]
    assert rule.id in found


@pytest.mark.parametrize("rule", _area(Area.NAME), ids=lambda rule: rule.id)
def test_example_of_a_name_is_found_by_its_rule(extract: Extract, rule: ListedRule) -> None:
    speaker, title = ("Tom Lee" if rule.id == "name.speaker" else "", "Halden" if rule.id == "name.title" else "")
    assert rule.id in [c.rule for c in extract(rule.example, known=KNOWN, speaker=speaker, title=title)]


@pytest.mark.parametrize("rule", _area(Area.GUARD), ids=lambda rule: rule.id)
def test_example_of_a_guard_gives_no_plain_fact(extract: Extract, rule: ListedRule) -> None:
    assert not triples(extract(rule.example))


def test_every_rule_in_the_code_is_listed() -> None:
    listed = {rule.id for rule in listed_rules()}
    assert len(listed) == len(listed_rules())
    assert {f"date.{rule}" for rule, *_ in (*english.RULES, *chinese.RULES)} <= listed
    assert [rule for rule in _rules_in(Path(extract_package.__file__).parent) if rule not in listed | NOT_LISTED] == []


def test_every_rule_that_a_candidate_may_name_has_a_page(extract: Extract) -> None:
    pages = {rule.id for rule in reading_pages()}
    assert len(pages) == len(reading_pages())
    given = set(_rules_in(Path(extract_package.__file__).parent))
    assert {"en.verb", "zh.verb", "contact", "pronoun"} <= given
    assert {rule for rule in given if not rule.startswith("secret.")} <= pages
    found = {candidate.rule for rule in listed_rules() for candidate in extract(rule.example)}
    assert {"en.open.verb", "zh.open.verb"} <= found <= pages
    for dialect in (OwnPrompt.name, GraphitiPrompt.name):
        assert {f"{dialect}.{what}" for what in ("fact", "name", "preference")} <= pages


def _rules_in(folder: Path) -> Iterator[str]:
    """Every rule id that a mention, a link or a secret is given."""
    for path in sorted(folder.rglob("*.py")):
        if path.name not in ("rulebook.py", "rule_list.py"):
            yield from filter(
                None,
                re.findall(
                    r"rule=\"([a-z.-]+)\"|(?<=\")(?:secret|id)\.[a-z-]+(?=\")", path.read_text(encoding="utf-8")
                ),
            )


def test_the_command_lists_them() -> None:
    run = CliRunner().invoke(app, ["rules", "--json"])
    assert [r["id"] for r in json.loads(run.output)["items"]] == [r.id for r in listed_rules()]
    table = CliRunner().invoke(app, ["rules", "--area", "secret"])
    assert "secret.card" in table.output
    assert "en.verb" not in table.output
    assert CliRunner().invoke(app, ["rules", "--area", "nothing"]).exit_code == 2
