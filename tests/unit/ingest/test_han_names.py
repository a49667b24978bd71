"""What Chinese names are called for short."""

from __future__ import annotations

import pytest

from muniment.engine.ingest.han_names import may_be_short, short_forms, surname_of, without_place


@pytest.mark.parametrize(
    ("name", "is_person", "short"),
    [
        ("远江冷链", False, "远江"),
        ("成都远江餐饮", False, "远江餐饮"),
        ("成都远江餐饮", False, "远江"),
        ("远江物流集团", False, "远江集团"),
        ("李建国", True, "老李"),
        ("李建国", True, "李总"),
        ("李建国", True, "建国"),
    ],
)
def test_a_long_name_has_its_short_forms(name: str, is_person: bool, short: str) -> None:
    assert short in short_forms(name, is_person=is_person)


def test_what_is_short_or_a_known_place_has_none() -> None:
    assert short_forms("李娜", is_person=True) == ()
    assert short_forms("老李", is_person=True) == ()
    assert "上海" not in short_forms("上海远江", is_person=False)
    assert not may_be_short("上海")
    assert may_be_short("远江")
    assert not may_be_short("Harbour")
    assert (surname_of("陆总"), surname_of("陆建国"), without_place("厦门远江")) == ("陆", "", "远江")
