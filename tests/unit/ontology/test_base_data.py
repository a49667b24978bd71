"""The base files are what the loader trusts them to be."""

import json
from collections import Counter
from importlib.resources import files
from typing import Any

import pytest

from muniment.graph_schema.ontology import ANY_TYPE, Cardinality, Ontology, Part, base_ontology, relation_key
from muniment.graph_schema.ontology.codec import ALIAS_GROUPS, LANGUAGES
from muniment.graph_schema.ontology.document import reference_page
from muniment.graph_schema.ontology.load import accepted_ambiguities, base_relations_by_area

BASE = files("muniment.graph_schema.ontology") / "base"
RELATION_FIELDS = {
    "name",
    "label",
    "label_zh",
    "from",
    "to",
    "cardinality",
    "inverse",
    "opposites",
    "symmetric",
    "event",
    "value_kind",
    "half_life_days",
    "importance",
    "aliases",
}


@pytest.fixture(scope="module")
def ontology() -> Ontology:
    return base_ontology()


def _raw_relations() -> list[dict[str, Any]]:
    names = [entry.name for entry in BASE.iterdir() if entry.name.startswith("relations_")]
    return [entry for name in sorted(names) for entry in json.loads((BASE / name).read_text(encoding="utf-8"))]


def test_every_area_of_life_is_covered(ontology: Ontology) -> None:
    areas = {area: len(relations) for area, relations in base_relations_by_area().items()}
    assert set(areas) == {"crm", "encyclopaedia", "law", "organisation", "people", "preference", "supply"}
    assert min(areas.values()) >= 25
    assert len(ontology.relations) == sum(areas.values()) >= 160


@pytest.mark.parametrize("entry", _raw_relations(), ids=lambda entry: entry["name"])
def test_a_relation_file_entry_has_only_known_fields(entry: dict[str, Any]) -> None:
    assert set(entry) <= RELATION_FIELDS
    assert entry["name"] == relation_key(entry["name"])
    assert entry["label"]
    assert entry["label_zh"]
    assert 1 <= entry.get("importance", 3) <= 5
    assert set(entry["aliases"]) == set(LANGUAGES)
    for groups in entry["aliases"].values():
        assert set(groups) <= set(ALIAS_GROUPS)
        for texts in groups.values():
            assert texts
            assert all(text == text.strip() and relation_key(text) for text in texts)
            assert len(texts) == len(set(texts))


def test_names_and_inverses_are_unique(ontology: Ontology) -> None:
    names = [relation.name for relation in ontology.relations]
    names += [relation.inverse for relation in ontology.relations if relation.inverse]
    assert [name for name, count in Counter(names).items() if count > 1] == []


def test_an_inverse_leads_back_to_its_relation(ontology: Ontology) -> None:
    inverses = [(relation.name, relation.inverse) for relation in ontology.relations if relation.inverse]
    assert len(inverses) > 100
    for name, inverse in inverses:
        assert ontology.canonical(inverse, "b", "a") == ontology.canonical(name, "a", "b") == (name, "a", "b")


def test_opposites_are_mutual_and_alike_in_form(ontology: Ontology) -> None:
    names = {relation.name: relation for relation in ontology.relations}
    linked = [relation for relation in ontology.relations if relation.opposites]
    assert len(linked) >= 20
    for relation in linked:
        for other in relation.opposites:
            assert relation.name in names[other].opposites
            assert relation.symmetric == names[other].symmetric
            # Else one would keep its slot by subject, the other by subject and object, and they would never meet.
            assert relation.cardinality == names[other].cardinality


def test_a_symmetric_relation_has_no_inverse_and_one_direction(ontology: Ontology) -> None:
    symmetric = [relation for relation in ontology.relations if relation.symmetric]
    assert len(symmetric) >= 20
    for relation in symmetric:
        assert relation.inverse is None
        assert relation.subject_types == relation.object_types or relation.name == "conflict_of_interest_with"


def test_types_exist_and_descend_from_thing(ontology: Ontology) -> None:
    names = {kind.name for kind in ontology.entity_types}
    for relation in ontology.relations:
        assert {*relation.subject_types, *relation.object_types} <= names, relation.name
    for kind in ontology.entity_types:
        assert kind.parent is None if kind.name == ANY_TYPE else kind.parent in names
        assert ontology.is_a(kind.name, ANY_TYPE)
        assert kind.label_zh


def test_a_type_alias_names_one_type(ontology: Ontology) -> None:
    words = [word for kind in ontology.entity_types for word in {kind.name, *map(relation_key, kind.aliases)}]
    assert [word for word, count in Counter(words).items() if count > 1] == []


def test_every_relation_is_told_in_two_languages(ontology: Ontology) -> None:
    for relation in ontology.relations:
        counts = Counter(alias.lang for alias in relation.aliases if alias.part is not Part.HINT)
        assert counts["en"] >= 2, relation.name
        assert counts["zh"] >= 1, relation.name


def test_chinese_wordings_are_chinese_and_english_ones_are_not(ontology: Ontology) -> None:
    def is_han(text: str) -> bool:
        return any("一" <= character <= "鿿" for character in text)

    for relation in ontology.relations:
        for alias in relation.aliases:
            if alias.lang == "en":
                assert not is_han(alias.text)
                assert "…" not in alias.text
            else:
                assert is_han(alias.text) or alias.text in {"CEO", "CFO", "CTO", "COO"}
                assert alias.text.count("…") <= 1


def test_a_literal_value_has_no_inverse(ontology: Ontology) -> None:
    literal = {"value", "text", "money", "quantity", "date", "duration", "identifier", "email", "phone", "url"}
    for relation in ontology.relations:
        if set(relation.object_types) <= literal:
            assert relation.inverse is None, relation.name
            assert relation.value_kind != "entity", relation.name


def test_ambiguous_spellings_are_exactly_the_accepted_ones(ontology: Ontology) -> None:
    found = {
        spelling: sorted({reading.relation.name for reading in readings})
        for spelling, readings in ontology.ambiguous().items()
    }
    assert found == accepted_ambiguities()
    assert 0 < len(found) < 40


@pytest.mark.parametrize(
    "name",
    ["works_for", "lives_in", "headquartered_in", "reports_to", "assigned_to", "price_of", "governed_by", "has_ceo"],
)
def test_relations_that_hold_one_value(ontology: Ontology, name: str) -> None:
    reading = ontology.relation(name)
    assert reading.relation.name == name
    assert reading.relation.known
    assert reading.relation.cardinality is Cardinality.ONE


@pytest.mark.parametrize(
    "name",
    [
        "likes",
        "uses",
        "bought_from",
        "partner_of",
        "administers",
        "counsel_for",
        "complained_about",
        "introduced",
        "knows",
    ],
)
def test_relations_that_hold_many_values(ontology: Ontology, name: str) -> None:
    reading = ontology.relation(name)
    assert reading.relation.name == name
    assert reading.relation.known
    assert reading.relation.cardinality is Cardinality.MANY


def test_the_reference_page_is_up_to_date(pytestconfig: pytest.Config) -> None:
    page = (pytestconfig.rootpath / "docs" / "ontology.md").read_text(encoding="utf-8")
    assert page == reference_page()
