"""Which entity a name means within one write, and what type it may come to have."""

from __future__ import annotations

from datetime import UTC, datetime

from muniment.engine.extract.candidates import Named
from muniment.engine.resolve.identity import Register
from muniment.graph_schema.ids import Space
from muniment.graph_schema.ontology import base_ontology
from muniment.graph_schema.records import VALUE_TYPE

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def register() -> Register:
    return Register(base_ontology(), space=Space("test/acme"), now=NOW)


def test_a_thing_never_becomes_a_literal() -> None:
    names = register()
    thing = names.find(Named(name="Show"), wall="")
    literal = names.find(Named(name="show", type=VALUE_TYPE), wall="")

    assert literal.type == VALUE_TYPE
    assert names.entity(thing.id).type != VALUE_TYPE
    assert thing.id != literal.id


def test_a_literal_is_one_whichever_way_it_is_said() -> None:
    names = register()
    said = names.find(Named(name="Show", is_value=True), wall="")
    typed = names.find(Named(name="show", type=VALUE_TYPE), wall="")
    assert said.id == typed.id


def test_no_two_entities_have_one_type_and_key() -> None:
    names = register()
    for named in (
        Named(name="Halden"),
        Named(name="Halden", type="company"),
        Named(name="Halden", type="organisation"),
        Named(name="Halden", type="city"),
        Named(name="Halden", type="place"),
        Named(name="halden", type=VALUE_TYPE),
        Named(name="Halden", is_value=True),
    ):
        names.find(named, wall="")

    places = [(entity.type, entity.key) for entity in names.changed()]
    assert len(places) == len(set(places))


def test_a_more_telling_type_is_learned() -> None:
    names = register()
    first = names.find(Named(name="Halden", type="organisation"), wall="")
    names.find(Named(name="Halden", type="company"), wall="")
    assert names.entity(first.id).type == "company"


def test_a_chinese_given_name_means_the_one_person_who_has_it() -> None:
    names = register()
    whole = names.find(Named(name="王晓芳", type="person"), wall="")
    short = names.find(Named(name="晓芳", type="person"), wall="")
    assert short.id == whole.id
    assert names.find(Named(name="晓芳", type="company"), wall="").id != whole.id
    assert names.find(Named(name="晓芳", type="person"), wall="deal").id != whole.id


def test_a_chinese_given_name_of_several_people_means_none_of_them() -> None:
    names = register()
    one = names.find(Named(name="王晓芳", type="person"), wall="")
    other = names.find(Named(name="欧阳晓芳", type="person"), wall="")
    short = names.find(Named(name="晓芳", type="person"), wall="")
    assert len({one.id, other.id, short.id}) == 3
    assert names.find(Named(name="晓芳", type="person"), wall="").id == short.id


def test_a_chinese_given_name_is_told_apart_again_when_another_has_it() -> None:
    names = register()
    whole = names.find(Named(name="赵立新", type="person"), wall="")
    assert names.find(Named(name="立新", type="person"), wall="").id == whole.id
    again = register()
    again.learn(names.changed())
    other = again.find(Named(name="孙立新", type="person"), wall="")
    assert again.find(Named(name="立新", type="person"), wall="").id not in (whole.id, other.id)
