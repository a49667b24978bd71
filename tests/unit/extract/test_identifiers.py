"""Identifiers and addresses in running text: whole where people write them in groups, and nothing else taken for one."""

from __future__ import annotations

import pytest

from muniment.engine.extract.identifiers import find_identifiers
from tests.unit.extract.conftest import Extract


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("Our number is +44 20 7946 0011.", "phone:442079460011"),
        ("Call (0)20 7946 0011 today.", "phone:02079460011"),
        ("Call +44 (0)20 7946 0011 today.", "phone:442079460011"),
        ("Call +33 1 23 45 67 89 or write.", "phone:33123456789"),
        ("Call 0171/1234567 today.", "phone:01711234567"),
        ("电话：010-8888 6666，下午打", "phone:01088886666"),
        ("手机138 0013 8000或座机", "phone:13800138000"),
        ("座机021-68888888转8012", "phone:02168888888"),
        ("The IBAN is DE89 3704 0044 0532 0130 00.", "iban:DE89370400440532013000"),
        ("VAT number GB 123 4567 89 is new.", "tax:GB123456789"),
        ("USt-IdNr. DE 123 456 789", "tax:DE123456789"),
        ("统一社会信用代码：9131 0115 MA1K 3X9B 2R", "tax:91310115MA1K3X9B2R"),
    ],
)
def test_number_written_in_groups_is_one(text: str, mark: str) -> None:
    lang = "en" if text.isascii() else "zh"
    assert [i for m in find_identifiers(text, lang=lang) for i in m.identifiers] == [mark]


@pytest.mark.parametrize(
    "text",
    [
        "From 2019 - 2021 on 12-05-2024 and 3.5.2024.",
        "It was due on 03/05/2024, see pages 12-14.",
        "Version 1.2.3.4567 replaced part 12 34 56.",
        "We shipped 1234567 and 300 in 2026.",
    ],
)
def test_other_figures_are_no_telephone_number(text: str) -> None:
    assert not [m.text for m in find_identifiers(text, lang="en") if m.type == "phone"]


def test_amount_with_spaces_between_thousands_is_whole() -> None:
    found = find_identifiers("It costs EUR 1 200 000, or 45 000 euros, or $1,200.", lang="en")
    assert [m.text for m in found] == ["EUR 1 200 000", "45 000 euros", "$1,200"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Project Manager Ana Ruiz called.", {"Ana Ruiz"}),
        ("Project status: green.", set()),
        ("Will Halden renew?", {"Halden"}),
        ("On 3 May Halden renewed.", {"Halden"}),
        ("Since May Halden uses Jira.", {"Halden", "Jira"}),
        ("Please ask Will Grant.", {"Will Grant"}),
        ("Team Blue won.", {"Team Blue"}),
        ("今天讨论了物业管理。", set()),
    ],
)
def test_words_that_begin_names_are_told_from_words(extract: Extract, text: str, names: set[str]) -> None:
    assert {c.text for c in extract(text) if c.kind.value == "entity"} == names


def test_project_is_meant_by_its_name_alone(extract: Extract) -> None:
    found = extract("Project Falcon was cancelled. Falcon had cost EUR 20,000.")
    assert [(c.subject.same_as or c.subject.name) for c in found if c.kind.value == "fact" and c.subject] == [
        "Project Falcon"
    ]
