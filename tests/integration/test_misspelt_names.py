"""A whole name that the question spells wrongly leads to whom it means, where that is one name alone."""

from __future__ import annotations

import pytest

from muniment.engine.resolve.spelt import is_misspelt
from muniment.graph_schema.records import Fact
from tests.engines import memory_on, told


@pytest.mark.parametrize(
    ("written", "name", "root", "is_it"),
    [
        ("Anna Ruis", "Ana Ruiz", "person", True),
        ("Ana Riuz", "Ana Ruiz", "person", True),
        ("Mira Havlorsen", "Mira Halvorsen", "person", True),
        ("Pelion Frieght", "Pelion Freight", "company", True),
        ("Northbnak", "Northbank", "company", True),
        ("Tom Weil", "Tim Weil", "person", False),  # another name
        ("Jane Smith", "Joan Smith", "person", False),
        ("Mario Lopez", "Maria Lopez", "person", False),
        ("Ana Ruiz", "Ana Ruiz", "person", False),  # no misspelling
        ("Ana Ruiz", "Ana Ruiz Soto", "person", False),
        ("Plant 12 Harbour", "Plant 13 Harbour", "company", False),
        ("East Harbour", "West Harbour", "company", False),
    ],
)
def test_errors_in_typing_are_told_from_other_names(written: str, name: str, root: str, is_it: bool) -> None:
    assert is_misspelt(written, name, root) is is_it


@pytest.mark.parametrize(
    ("question", "finds"),
    [
        ("Who does Anna Ruis work for?", "Northbank"),
        ("Anna Ruis's employer?", "Northbank"),
        ("Who is the lawyer of Pelion Frieght?", "Sal Okoye"),
        ("Does Tmo Weil of Northbank live in Cork?", "Cork"),  # beside a name that is known
        ("Where does Tim Weil live?", None),  # Tom is somebody else
        ("Who does Carl Benson work for?", None),  # Karl or Carla
        ("Who does Ana work for?", None),
    ],
)
async def test_a_misspelt_whole_name_is_looked_up(store_url: str, question: str, finds: str | None) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts(
            [
                told("Ana Ruiz", "works_for", "Northbank"),
                told("Sal Okoye", "represents", "Pelion Freight"),
                told("Tom Weil", "lives_in", "Cork"),
                told("Karl Benson", "works_for", "Kelpworks"),
                told("Carla Benson", "works_for", "Fjordbank"),
            ]
        )
        answer = await memory.recall(question)
        read = answer.recall.trace.body["read"]["entities"]
        respelt = [one["text"] for one in read if " " in one["text"]]
        if finds is None:
            assert respelt == []
        else:
            assert len(respelt) == 1
            first = answer.hits[0].memory
            assert isinstance(first, Fact)
            assert finds in (first.object.name, first.subject.name)
