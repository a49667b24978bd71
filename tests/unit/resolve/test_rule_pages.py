"""Every rule that the engine can name has a page, and the pages say what the code says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from muniment.engine.resolve.rulepages import PAGES, pages, write_pages
from muniment.engine.resolve.timeline import Rule
from muniment.graph_schema.records import Says

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "docs" / "rules"
KNOWN = {rule.id for rule in PAGES}
_NAMED = re.compile(r'(?:cause|rule)="([a-z]+\.[a-z.-]+)"|"(mark\.[a-z]+|slot\.open)"')


def named_in_code() -> set[str]:
    found: set[str] = set()
    for stage in ("write", "resolve", "retrieve"):
        for module in (ROOT / "engine" / stage).rglob("*.py"):
            found.update(a or b for a, b in _NAMED.findall(module.read_text(encoding="utf-8")))
    return found


def test_rules_of_the_timeline_and_of_writes_are_all_explained() -> None:
    decided = {f"decided.{says.value}" for says in Says if says is not Says.RESTATED}
    found = named_in_code()
    assert "evidence.told" in found
    assert {rule.value for rule in Rule} | decided | found <= KNOWN


def test_pages_in_the_documentation_are_up_to_date(pytestconfig: pytest.Config) -> None:
    if pytestconfig.getoption("update_golden"):
        write_pages(FOLDER)
    written = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
    assert written == pages()
