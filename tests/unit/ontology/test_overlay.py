"""What a tenant declares is laid over the base ontology."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, reset_tzpath

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from muniment.graph_schema.errors import Invalid
from muniment.graph_schema.ontology import Cardinality, Ontology, base_ontology

BASE = base_ontology()


def overlay(*relations: dict[str, Any], **fields: Any) -> Ontology:
    return BASE.with_overlay({"relations": list(relations), **fields})


def test_an_empty_overlay_changes_nothing() -> None:
    assert BASE.with_overlay({}).fingerprint == BASE.fingerprint
    assert overlay().relations == BASE.relations


def test_a_new_relation_is_known_with_its_aliases_and_inverse() -> None:
    ontology = overlay(
        {"name": "Sails Under", "cardinality": "one", "aliases": ["skippered under"], "inverse": "has ship under"}
    )
    assert ontology.canonical("skippered-under", "orca", "ann") == ("sails_under", "orca", "ann")
    assert ontology.canonical("HAS_SHIP_UNDER", "ann", "orca") == ("sails_under", "orca", "ann")
    assert ontology.is_functional("sails under")
    assert not BASE.relation("sails under").relation.known


def test_a_base_relation_keeps_what_the_tenant_does_not_mention() -> None:
    before = BASE.relation("uses").relation
    after = overlay({"name": "USES", "cardinality": "one", "aliases": ["lives on"]}).relation("lives on").relation
    assert after.cardinality is Cardinality.ONE
    assert after.inverse == before.inverse
    assert after.label == before.label
    assert set(before.aliases) < set(after.aliases)


def test_default_one_covers_every_relation_that_is_not_declared() -> None:
    ontology = overlay({"name": "likes", "cardinality": "many"}, default_cardinality="one")
    assert ontology.is_functional("uses")
    assert ontology.is_functional("author")
    assert ontology.is_functional("something new")
    assert not ontology.is_functional("likes")


def test_default_one_covers_a_declaration_without_cardinality() -> None:
    assert overlay({"name": "likes", "aliases": ["digs"]}, default_cardinality="one").is_functional("digs")


def test_a_tenants_time_zone_is_part_of_what_is_in_force() -> None:
    ontology = overlay(time_zone="-03:30")
    assert ontology.zone.utcoffset(None) == timedelta(hours=-3, minutes=-30)
    assert BASE.zone is UTC
    assert ontology.fingerprint != BASE.fingerprint
    assert BASE.with_overlay(ontology.to_json()).fingerprint == ontology.fingerprint


def test_default_many_leaves_the_base_as_it_is() -> None:
    ontology = overlay(default_cardinality="many")
    assert ontology.is_functional("works_for")
    assert not ontology.is_functional("something new")


def test_declaring_an_inverse_turns_the_relation_round() -> None:
    ontology = overlay({"name": "employs", "cardinality": "one"})
    assert ontology.canonical("works_for", "ann", "acme") == ("employs", "acme", "ann")
    assert ontology.canonical("employer", "ann", "acme") == ("employs", "acme", "ann")
    assert ontology.is_functional("employs")
    turned = ontology.relation("employs").relation
    assert (turned.subject_types, turned.object_types) == (("organisation",), ("person",))


def test_a_relation_and_its_inverse_declared_together_are_one() -> None:
    ontology = overlay(
        {"name": "owns vessel", "cardinality": "many", "inverse": "vessel owned by"},
        {"name": "vessel owned by", "cardinality": "one", "aliases": ["in the fleet of"]},
    )
    assert ontology.canonical("owns vessel", "acme", "orca") == ("vessel_owned_by", "orca", "acme")
    assert ontology.canonical("in the fleet of", "orca", "acme") == ("vessel_owned_by", "orca", "acme")
    assert ontology.is_functional("owns vessel")


def test_a_base_relation_and_its_inverse_declared_together_are_one() -> None:
    ontology = overlay({"name": "employs", "cardinality": "many"}, {"name": "works_for", "cardinality": "one"})
    assert ontology.canonical("employs", "acme", "ann") == ("works_for", "ann", "acme")
    assert ontology.is_functional("works_for")


def test_an_inverse_that_its_relation_gives_up_is_free_for_another() -> None:
    for pair in ([0, 1], [1, 0]):
        both = [{"name": "works_for", "inverse": "has staff"}, {"name": "likes", "inverse": "employs"}]
        ontology = overlay(*(both[n] for n in pair))
        assert ontology.canonical("employs", "a", "b") == ("likes", "b", "a")
        assert ontology.canonical("has staff", "a", "b") == ("works_for", "b", "a")


def test_a_declared_wording_is_taken_from_the_base() -> None:
    ontology = overlay({"name": "account manager", "cardinality": "many"})
    assert ontology.relation("account manager").relation.name == "account_manager"
    assert ontology.relation("client manager of").relation.known is False
    assert ontology.relation("account owner").relation.name == "has_account_manager"


def test_an_alias_that_names_a_base_relation_takes_it_over() -> None:
    ontology = overlay({"name": "employed at", "cardinality": "many", "aliases": ["works_for"]})
    assert ontology.canonical("works for", "ann", "acme") == ("employed_at", "ann", "acme")
    assert ontology.canonical("employee", "acme", "ann") == ("employed_at", "ann", "acme")
    assert not ontology.is_functional("works at")


def test_a_new_relation_with_a_base_relation_as_inverse_turns_it_round() -> None:
    ontology = overlay({"name": "has on the payroll", "inverse": "works_for"})
    assert ontology.canonical("employer", "ann", "acme") == ("has_on_the_payroll", "acme", "ann")
    assert not ontology.is_functional("works_for")


def test_a_new_relation_with_the_inverse_of_a_base_relation_takes_its_place() -> None:
    ontology = overlay({"name": "is on the books of", "inverse": "employs"})
    assert ontology.canonical("works for", "ann", "acme") == ("is_on_the_books_of", "ann", "acme")
    assert ontology.is_functional("is on the books of")


def test_opposites_follow_a_relation_that_was_taken_over() -> None:
    ontology = overlay({"name": "digs", "aliases": ["likes"]})
    assert ontology.relation("digs").relation.opposites == ("dislikes",)
    assert ontology.relation("dislikes").relation.opposites == ("digs",)


def test_a_symmetric_relation_may_be_declared() -> None:
    ontology = overlay({"name": "shares berth with", "symmetric": True})
    assert ontology.canonical("shares berth with", "b", "a") == ("shares_berth_with", "a", "b")


def test_opposites_are_made_mutual_and_join_a_family() -> None:
    ontology = overlay({"name": "boycotts", "opposites": ["likes"]})
    families = {ontology.opposites_family(name) for name in ("boycotts", "likes", "dislikes")}
    assert families == {"boycotts"}
    assert "boycotts" in ontology.relation("likes").relation.opposites


def test_entity_types_are_added_and_a_mentioned_type_is_declared() -> None:
    ontology = overlay(
        {"name": "moored at", "from": "ship", "to": ["Quay", "pier"]},
        entity_types=[{"name": "Quay", "aliases": ["wharf"], "parent": "place"}],
    )
    relation = ontology.relation("moored at").relation
    assert relation.subject_types == ("vessel",)
    assert relation.object_types == ("quay", "pier")
    assert ontology.is_a("quay", "place")
    wharf = ontology.entity_type("Wharf")
    assert wharf is not None
    assert wharf.name == "quay"
    assert ontology.entity_type("pier") is not None


def test_what_is_given_out_can_be_sent_back() -> None:
    ontology = overlay({"name": "likes", "cardinality": "one", "aliases": ["digs"]}, default_cardinality="one")
    answer = json.loads(json.dumps(ontology.to_json()))
    assert answer["overlay"] == {"relations": [{"name": "likes", "cardinality": "one", "aliases": ["digs"]}]} | {
        "default_cardinality": "one"
    }
    again = BASE.with_overlay(answer)
    assert {r.name: r.cardinality for r in again.relations} == {r.name: r.cardinality for r in ontology.relations}
    assert again.relation("digs").relation.name == "likes"
    assert BASE.with_overlay(BASE.to_json()).fingerprint == BASE.fingerprint


def test_the_fingerprint_tells_contents_apart_and_not_order() -> None:
    one = overlay({"name": "a", "cardinality": "one"}, {"name": "b"})
    two = overlay({"name": "b"}, {"name": "a", "cardinality": "one"})
    assert one.fingerprint == two.fingerprint
    assert len({one.fingerprint, BASE.fingerprint, overlay({"name": "a"}, {"name": "b"}).fingerprint}) == 3


@pytest.mark.parametrize(
    ("data", "field", "said"),
    [
        ({"default_cardinality": "two"}, "default_cardinality", "'one' or 'many'"),
        ({"time_zone": "Middle/Earth"}, "time_zone", "'+08:00'"),
        ({"time_zone": "../../etc/passwd"}, "time_zone", "'+08:00'"),
        ({"time_zone": "+15:00"}, "time_zone", "'+08:00'"),
        ({"time_zone": 8}, "time_zone", "'+08:00'"),
        ({"relation": []}, "ontology.relation", "unknown field 'relation'"),
        ({"relations": {}}, "relations", "a list"),
        ({"relations": ["likes"]}, "relations[0]", "an object"),
        ({"relations": [{"cardinality": "one"}]}, "relations[0].name", "letter or digit"),
        ({"relations": [{"name": "--"}]}, "relations[0].name", "'--'"),
        ({"relations": [{"name": "a"}, {"name": "A"}]}, "relations[1].name", "declared twice"),
        ({"relations": [{"name": "a", "cardinality": 1}]}, "relations[0].cardinality", "'one' or 'many'"),
        ({"relations": [{"name": "a", "cardinalty": "one"}]}, "relations[0].cardinalty", "unknown field"),
        ({"relations": [{"name": "a", "aliases": ["b", 3]}]}, "relations[0].aliases[1]", "3"),
        ({"relations": [{"name": "a", "symmetric": "yes"}]}, "relations[0].symmetric", "true or false"),
        ({"relations": [{"name": "a", "symmetric": True, "inverse": "b"}]}, "relations[0].inverse", "its own"),
        ({"relations": [{"name": "a", "importance": 9}]}, "relations[0].importance", "1 to 5"),
        ({"relations": [{"name": "a", "half_life_days": 0}]}, "relations[0].half_life_days", "above 0"),
        ({"relations": [{"name": "a", "value_kind": "blob"}]}, "relations[0].value_kind", "'date'"),
        ({"relations": [{"name": "a", "opposites": ["zz"]}]}, "relations[0].opposites[0]", "names no relation"),
        ({"relations": [{"name": "a", "opposites": ["a"]}]}, "relations[0].opposites[0]", "another relation"),
        ({"relations": [{"name": "a", "opposites": ["employs"]}]}, "relations[0].opposites[0]", "'works_for'"),
        ({"relations": [{"name": "a", "aliases": ["c"]}, {"name": "b", "aliases": ["C"]}]}, "relations[1]", "'a'"),
        ({"relations": [{"name": "likes", "inverse": "works for"}]}, "relations[0].inverse", "'liked_by'"),
        ({"relations": [{"name": "likes", "inverse": "employs"}]}, "relations[0].inverse", "'works_for'"),
        (
            {"relations": [{"name": "a", "inverse": "b"}, {"name": "b", "inverse": "c"}]},
            "relations[1].inverse",
            "must be 'a'",
        ),
        (
            {"relations": [{"name": "b", "inverse": "c"}, {"name": "a", "inverse": "b"}]},
            "relations[0].inverse",
            "must be 'a'",
        ),
        ({"relations": [{"name": "liked by"}]}, "relations[0].name", "declare 'likes' instead"),
        ({"entity_types": [{"name": "a", "colour": "red"}]}, "entity_types[0].colour", "unknown field"),
    ],
)
def test_a_wrong_value_is_named(data: dict[str, Any], field: str, said: str) -> None:
    with pytest.raises(Invalid) as caught:
        BASE.with_overlay(data)
    assert caught.value.field == field
    assert said in str(caught.value)


RELATION = st.fixed_dictionaries(
    {"name": st.sampled_from(["likes", "employs", "works_for", "uses", "Alpha", "beta b", "account manager", "owns"])},
    optional={
        "cardinality": st.sampled_from(["one", "many"]),
        "aliases": st.lists(st.sampled_from(["gamma", "employer", "uses", "delta x", "部署于"]), max_size=2),
        "inverse": st.sampled_from(["epsilon", "is used by all", "works_for", "Alpha", "beta b", "employs"]),
        "symmetric": st.booleans(),
    },
)


@settings(max_examples=60)
@given(st.lists(RELATION, max_size=4), st.sampled_from([None, "one", "many"]), st.text(), st.text())
def test_any_accepted_overlay_keeps_the_ontology_sound(
    relations: list[dict[str, Any]], default: str | None, subject: str, object_: str
) -> None:
    try:
        ontology = BASE.with_overlay({"relations": relations, "default_cardinality": default})
    except Invalid:
        reject()
    names = [relation.name for relation in ontology.relations]
    assert len(names) == len(set(names))
    for relation in ontology.relations:
        assert all(relation.name in ontology.relation(other).relation.opposites for other in relation.opposites)
        if relation.inverse:
            assert not relation.symmetric
            assert ontology.canonical(relation.inverse, subject, object_) == (relation.name, object_, subject)
    for declared in relations:
        told = ontology.canonical(declared["name"], subject, object_)
        assert ontology.relation(told.relation).relation.known
        assert ontology.canonical(*told) == told
        if "inverse" in declared and not ontology.relation(told.relation).relation.symmetric:
            assert ontology.canonical(declared["inverse"], object_, subject) == told


def test_a_zone_is_known_by_name_on_a_machine_without_zone_data() -> None:
    ZoneInfo.clear_cache()
    try:
        reset_tzpath(to=())
        assert overlay(time_zone="Asia/Shanghai").zone.utcoffset(datetime(2026, 7, 25)) == timedelta(hours=8)
        with pytest.raises(Invalid, match="Asia/Nowhere"):
            overlay(time_zone="Asia/Nowhere")
    finally:
        reset_tzpath()
        ZoneInfo.clear_cache()
