"""Which spellings have one key, and which must not."""

from __future__ import annotations

import pytest

from muniment.engine.ingest.names import ORGANISATION, PERSON, lookup_keys, name_keys


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Brightwater, Inc.", "Brightwater Incorporated"),
        ("Kestrel Logistik G.m.b.H.", "Kestrel Logistik GmbH"),
        ("Nordlys A/S", "nordlys a/s"),
        ("Orchid Precision Co., Ltd.", "Orchid Precision Company Limited"),
        ("Fonderie Lacombe S.A.R.L.", "Fonderie Lacombe SARL"),
        ("Q.R.T. Company", "QRT Co."),
        ("青禾科技有限责任公司", "青禾科技有限公司"),
        ("株式会社あおば", "(株)あおば"),
        ("ООО «Ромашка»", "Общество с ограниченной ответственностью «Ромашка»"),
    ],
)
def test_spellings_of_one_legal_form_have_one_key(one: str, other: str) -> None:
    assert name_keys(one, ORGANISATION).key == name_keys(other, ORGANISATION).key


def test_different_legal_forms_have_different_keys_and_one_short_name() -> None:
    limited, public = name_keys("Harrow Mills Ltd", ORGANISATION), name_keys("Harrow Mills plc", ORGANISATION)
    assert limited.key != public.key
    assert limited.short == public.short == "harrow mills"
    assert (limited.form, public.form) == ("ltd", "plc")


@pytest.mark.parametrize("name", ["Canada", "Texas", "Nova", "AO Smith", "Spa", "Banana", "Costa", "Peninsula"])
def test_an_ending_that_is_no_word_of_its_own_is_no_legal_form(name: str) -> None:
    assert name_keys(name, ORGANISATION).form == ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Rahman, P.", "P. Rahman"),
        ("P Rahman", "P. Rahman"),
        ("Penn, J.C.", "J. C. Penn"),
        ("O'Hara, Seán", "Seán O’Hara"),
    ],
)
def test_order_and_dots_of_a_persons_name_do_not_count(one: str, other: str) -> None:
    assert name_keys(one, PERSON).key == name_keys(other, PERSON).key


@pytest.mark.parametrize(
    "titled", ["Dr. Ilse Brandt", "Frau Ilse Brandt", "Prof. Dr. Ilse Brandt", "Ilse Brandt, PhD", "Judge Ilse Brandt"]
)
def test_titles_are_left_out_of_the_short_name(titled: str) -> None:
    assert "ilse brandt" in lookup_keys(titled, PERSON)


def test_chinese_titles_are_left_out_of_the_short_name() -> None:
    assert "李青" in lookup_keys("李青律师", PERSON)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Room 101", "Room 102"),
        ("UA123", "UA124"),
        ("2023 Tax Return", "2024 Tax Return"),
        ("東京支社", "大阪支社"),
        ("Проект Alpha", "Отдел Alpha"),
        ("Müller", "Muller"),
    ],
)
@pytest.mark.parametrize("root", ["", PERSON, ORGANISATION, "product"])
def test_digits_scripts_and_diacritics_stay_in_the_key(one: str, other: str, root: str) -> None:
    assert name_keys(one, root).key != name_keys(other, root).key


@pytest.mark.parametrize("spelling", ["qrtx", " QRTX ", "ＱＲＴＸ", "“QRTX”"])
@pytest.mark.parametrize("root", ["", PERSON, ORGANISATION, "product"])
def test_case_width_space_and_quotes_do_not_count(spelling: str, root: str) -> None:
    assert name_keys(spelling, root).key == name_keys("QRTX", root).key


def test_composed_and_decomposed_letters_have_one_key() -> None:
    assert name_keys("José", PERSON).key == name_keys("Jose\u0301", PERSON).key
