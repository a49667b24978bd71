"""The steps of a question, read with the real taggers."""

from __future__ import annotations

import pytest

from muniment.engine.models.choose import choose_analyzer
from muniment.engine.ports.models import Analyzer
from muniment.engine.retrieve.chunks import read_chunks
from muniment.engine.retrieve.kin import kin_of
from muniment.engine.retrieve.relation_words import Known, RelationWords, Role
from muniment.graph_schema.ontology import base_ontology


@pytest.fixture(scope="module")
def analyzer() -> Analyzer:
    return choose_analyzer()


@pytest.fixture(scope="module")
def words() -> RelationWords:
    return RelationWords(base_ontology())


@pytest.mark.parametrize(
    ("text", "name", "steps"),
    [
        ("What is the head office of the supplier of Ana Ruiz?", "Ana Ruiz", ["supplier", "head office"]),
        ("What is Ana Ruiz's employer's supplier?", "Ana Ruiz", ["employer", "supplier"]),
        ("Who is the boss of the person who represents Tor Grain?", "Tor Grain", ["represents person", "boss"]),
        ("Who does Ana Ruiz report to?", "Ana Ruiz", ["report"]),
        ("In which department does our agent for Tor Grain work?", "Tor Grain", ["agent", "work", "department"]),
        ("李明的上级的公司是哪家？", "李明", ["上级", "公司"]),
        ("谁负责北岸物流的采购？", "北岸物流", ["采购", "负责"]),
        ("Who is the boss of the firm Tor Grain bought?", "Tor Grain", ["bought firm", "boss"]),
        (
            "What is the capital of the country whose citizen founded Tor Grain?",
            "Tor Grain",
            ["founded", "citizen", "country", "capital"],
        ),
        ('Where is the employer of the "Blue Lamps" writer?', "Blue Lamps", ["writer", "employer"]),
        (
            "What is the home town of the owner of Tor Grain, in the league it plays?",
            "Tor Grain",
            ["league plays", "owner", "home town"],
        ),
        ("Which owners has Tor Grain had over time?", "Tor Grain", ["owners"]),
    ],
)
def test_steps_run_outward_from_the_name(analyzer: Analyzer, text: str, name: str, steps: list[str]) -> None:
    start = text.index(name)

    assert [chunk.text for chunk in read_chunks(text, start, start + len(name), analyzer)] == steps


def test_without_a_tagger_words_stand_one_a_step() -> None:
    text = "What is the supplier of Ana Ruiz?"
    assert [c.text for c in read_chunks(text, text.index("Ana"), len(text) - 1, None)] == ["supplier"]


def test_a_noun_asks_from_the_end_that_it_belongs_to(words: RelationWords) -> None:
    assert words.asked(["employer"])[Known("works_for", True)] == 1
    assert words.asked(["employee"])[Known("works_for", False)] == 1


def test_a_verb_asks_by_the_role_of_what_is_known(words: RelationWords) -> None:
    assert words.asked(["employs"], Role.OBJECT)[Known("works_for", True)] > 0.8
    assert words.asked(["supplies"], Role.SUBJECT)[Known("supplied_by", False)] > 0.8


def test_chinese_words_ask_too(words: RelationWords) -> None:
    assert Known("reports_to", True) in words.asked(["上级"])


def test_kin_relations_know_their_direction() -> None:
    assert kin_of("owned_by")["acquired"] is False
    assert kin_of("acquired")["owned_by"] is False
    assert kin_of("owned_by")["subsidiary_of"] is True
    assert kin_of("no_such_relation") == {}


def test_every_kin_relation_is_one_of_the_ontology() -> None:
    names = {relation.name for relation in base_ontology().relations}
    kin = {name for relation in names for name in kin_of(relation)}

    assert kin
    assert kin <= names
