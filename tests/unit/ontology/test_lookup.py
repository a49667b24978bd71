"""Which relation a name means, and how a statement is stored."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.graph_schema.ontology import (
    Cardinality,
    Ontology,
    Relation,
    ValueKind,
    base_ontology,
    relation_key,
)

BASE = base_ontology()
NAMES = sorted({relation.name for relation in BASE.relations} | {r.inverse for r in BASE.relations if r.inverse})
WORDINGS = sorted({alias.text for relation in BASE.relations for alias in relation.aliases})


@pytest.mark.parametrize(
    ("told", "name", "direction"),
    [
        ("WORKS_FOR", "works_for", "forward"),
        ("works for", "works_for", "forward"),
        ("Works-At", "works_for", "forward"),
        ("worksFor", "works_for", "forward"),
        ("ｗｏｒｋｓ　ｆｏｒ", "works_for", "forward"),
        ("employer", "works_for", "forward"),
        ("has employer", "works_for", "forward"),
        ("is employed by", "works_for", "forward"),
        ("employee_of", "works_for", "forward"),
        ("EMPLOYS", "works_for", "backward"),
        ("employer of", "works_for", "backward"),
        ("chief executive officer", "has_ceo", "forward"),
        ("IS_CEO_OF", "has_ceo", "backward"),
        ("author", "written_by", "forward"),
        ("author_of", "written_by", "backward"),
        ("founded", "founded_by", "backward"),
        ("spouse", "married_to", "forward"),
        ("BASED_IN", "headquartered_in", "forward"),
        ("purchased", "bought", "forward"),
        ("country of citizenship", "citizen_of", "forward"),
        ("客户经理", "has_account_manager", "forward"),
        ("任职于", "works_for", "forward"),
        ("雇员", "works_for", "backward"),
    ],
)
def test_a_told_name_means(told: str, name: str, direction: str) -> None:
    reading = BASE.relation(told)
    assert (reading.relation.name, reading.direction) == (name, direction)
    assert reading.relation.known


@pytest.mark.parametrize("told", ["worked_for", "work fir", "workfor", "work", "company", "seat_belt_of"])
def test_a_name_that_is_only_like_another_stays_unknown(told: str) -> None:
    relation = BASE.relation(told).relation
    assert not relation.known
    assert relation.name == relation_key(told)
    assert relation.cardinality is Cardinality.MANY


def test_an_ambiguous_name_is_refused_but_its_readings_are_told() -> None:
    assert not BASE.relation("manager").relation.known
    assert {reading.relation.name for reading in BASE.readings("manager")} == {"reports_to", "manages"}


def test_a_hint_does_not_name_a_relation_but_is_a_reading() -> None:
    assert "works_for" in {reading.relation.name for reading in BASE.readings("company")}
    assert BASE.readings("quite unheard of") == ()


def test_an_inverse_statement_is_turned_round() -> None:
    assert BASE.canonical("employs", "acme", "ann") == ("works_for", "ann", "acme")
    assert BASE.canonical("Managing Director of", "ann", "acme") == ("has_managing_director", "acme", "ann")


def test_a_symmetric_pair_is_put_in_order() -> None:
    assert BASE.canonical("married_to", "zoe", "ann") == BASE.canonical("wife", "ann", "zoe")
    assert BASE.canonical("knows", "zoe", "ann") == ("knows", "zoe", "ann")


def test_relations_that_exclude_each_other_share_a_family() -> None:
    assert BASE.opposites_family("likes") == BASE.opposites_family("DISLIKES") == "dislikes"
    assert len({BASE.opposites_family(name) for name in ("married_to", "engaged_to", "divorced_from")}) == 1
    assert BASE.opposites_family("works_for") == "works_for"
    assert BASE.opposites_family("employs") == "works_for"
    assert BASE.opposites_family("no such thing") == "no_such_thing"


def test_opposites_reach_through_others() -> None:
    links = {"a": ("b",), "b": ("a", "c"), "c": ("b",), "d": ()}
    relations = tuple(Relation(name=name, label=name, opposites=others) for name, others in links.items())
    ontology = Ontology(entity_types=(), relations=relations)
    assert [ontology.opposites_family(name) for name in "cbad"] == ["a", "a", "a", "d"]


def test_kinds_of_value() -> None:
    assert BASE.value_kind("price") is ValueKind.AMOUNT
    assert BASE.value_kind("expires on") is ValueKind.DATE
    assert BASE.value_kind("works_for") is ValueKind.ENTITY
    assert BASE.value_kind("unheard of") is ValueKind.ENTITY


def test_types_are_found_by_alias_and_stand_in_a_tree() -> None:
    law_firm = BASE.entity_type("Chambers")
    assert law_firm is not None
    assert law_firm.name == "law_firm"
    assert BASE.is_a("law_firm", "organisation")
    assert not BASE.is_a("organisation", "law_firm")
    assert not BASE.is_a("berth", "place")
    assert BASE.entity_type("berth") is None


def test_the_base_is_loaded_once() -> None:
    assert base_ontology() is BASE


@given(st.sampled_from(NAMES + WORDINGS) | st.text(), st.text(), st.text())
def test_a_stored_statement_is_stored_as_it_is(relation: str, subject: str, object_: str) -> None:
    stored = BASE.canonical(relation, subject, object_)
    assert BASE.canonical(*stored) == stored
    assert {stored.subject, stored.object} == {subject, object_}


@given(st.sampled_from([relation for relation in BASE.relations if relation.inverse]), st.text(), st.text())
def test_a_relation_and_its_inverse_tell_the_same(relation: Relation, subject: str, object_: str) -> None:
    assert relation.inverse is not None
    assert BASE.canonical(relation.name, subject, object_) == BASE.canonical(relation.inverse, object_, subject)


@given(st.sampled_from([relation for relation in BASE.relations if relation.symmetric]), st.text(), st.text())
def test_a_symmetric_relation_tells_the_same_both_ways(relation: Relation, subject: str, object_: str) -> None:
    assert BASE.canonical(relation.name, subject, object_) == BASE.canonical(relation.name, object_, subject)


@given(st.text())
def test_a_key_is_its_own_key(text: str) -> None:
    key = relation_key(text)
    assert relation_key(key) == key
    assert relation_key(f" {text}\t") == key


@given(st.sampled_from(NAMES), st.sampled_from([" ", "-", "_", "　"]))
def test_a_name_is_found_in_any_writing(name: str, separator: str) -> None:
    assert BASE.relation(name.upper().replace("_", separator)) == BASE.relation(name)
    assert BASE.relation(name).relation.known
