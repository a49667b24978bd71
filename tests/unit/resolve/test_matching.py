"""How alike two names are, what forbids taking them as one, and which meet at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.engine.ingest.names import ORGANISATION, PERSON
from muniment.engine.resolve.blocking import blocking_keys, is_blocking_key
from muniment.engine.resolve.matching import Match, Veto, match_names
from muniment.engine.resolve.ranking import NameRanking

SURE = [
    ("Tamsin Okafor", "Okafor, Tamsin", PERSON),
    ("Dr. Tamsin Okafor", "Tamsin Okafor", PERSON),
    ("T. Okafor", "Tamsin Okafor", PERSON),
    ("Zoë Lindqvist", "Zoe Lindqvist", PERSON),
    ("Al-Hassan Noor", "Al Hassan Noor", PERSON),
    ("Green Field Seeds Ltd", "Greenfield Seeds Limited", ORGANISATION),
    ("Harbour and Sons Inc", "Harbour & Sons, Inc.", ORGANISATION),
    ("First Lakeside Bank", "1st Lakeside Bank", ORGANISATION),
    ("Delta Pumps SA", "Delta Pumps", ORGANISATION),
]
LIKELY = [
    ("Tamsin Okafor", "Tamsyn Okafor", PERSON),
    ("Bjorn Halvorsen", "Bjorn Halvorson", PERSON),
    ("Marguerite Devlin", "Margerite Devlin", PERSON),
    ("Northgate Bearings Ltd", "Northgate Bearing Ltd", ORGANISATION),
    ("Silverleaf Organisation", "Silverleef Organization", ORGANISATION),
]
APART = [
    ("Tamsin Okafor", "Tobias Okafor", PERSON),
    ("Tamsin Okafor", "Tamsin Bello", PERSON),
    ("N. N.", "Nadia Nowak", PERSON),
    ("李明华", "李明哲", PERSON),
    ("東京支社 Meridian Platform", "大阪支社 Meridian Platform", ""),
    ("Проект Alpha", "Отдел Alpha", ""),
    ("Brightwater Denmark A/S", "Brightwater Norge A/S", ORGANISATION),
    ("Brightwater Systems Inc", "Brightwater Foods Inc", ORGANISATION),
]
FORBIDDEN = [
    ("Room 101", "Room 102", "", Veto.NUMBERS),
    ("UA123", "UA124", "", Veto.NUMBERS),
    ("2023 Tax Return", "2024 Tax Return", "", Veto.NUMBERS),
    ("ASR1603", "ASR1605", "product", Veto.NUMBERS),
    ("Lakeside Fund III LP", "Lakeside Fund IV LP", ORGANISATION, Veto.NUMBERS),
    ("Depot", "Depot 7", "", Veto.NUMBERS),
    ("Harrow Mills Ltd", "Harrow Mills plc", ORGANISATION, Veto.FORMS),
    ("Kestrel GmbH", "Kestrel AG", ORGANISATION, Veto.FORMS),
]


def said(match: Match) -> tuple[float, dict[str, float], tuple[Veto, ...]]:
    return match.score, dict(match.features), match.vetoes


@pytest.mark.parametrize(("one", "other", "root"), SURE)
def test_names_equal_but_for_form_order_or_marks_are_sure(one: str, other: str, root: str) -> None:
    match = match_names(one, other, root)
    assert match.is_sure, said(match)


@pytest.mark.parametrize(("one", "other", "root"), LIKELY)
def test_misspellings_are_likely_and_never_sure(one: str, other: str, root: str) -> None:
    match = match_names(one, other, root)
    assert match.is_likely, said(match)
    assert not match.is_sure, said(match)


@pytest.mark.parametrize(("one", "other", "root"), APART)
def test_names_that_differ_in_a_telling_word_are_not_even_likely(one: str, other: str, root: str) -> None:
    match = match_names(one, other, root)
    assert not match.is_likely, said(match)


@pytest.mark.parametrize(("one", "other", "root", "veto"), FORBIDDEN)
def test_differing_numbers_and_forms_forbid_whatever_the_score(one: str, other: str, root: str, veto: Veto) -> None:
    match = match_names(one, other, root)
    assert veto in match.vetoes
    assert not match.is_likely


@pytest.mark.parametrize(("one", "other", "root"), SURE + LIKELY)
def test_names_that_may_be_one_meet_in_a_block(one: str, other: str, root: str) -> None:
    assert set(blocking_keys(one, root)) & set(blocking_keys(other, root))


@pytest.mark.parametrize(("one", "other", "root", "veto"), FORBIDDEN[:6])
def test_names_that_differ_in_numbers_never_meet(one: str, other: str, root: str, veto: Veto) -> None:
    assert not set(blocking_keys(one, root)) & set(blocking_keys(other, root))


def test_blocking_keys_cannot_be_typed() -> None:
    keys = blocking_keys("Tamsin Okafor", PERSON)
    assert keys
    assert all(is_blocking_key(key) and not any(c.isalnum() for c in key) for key in keys)
    assert not is_blocking_key("tamsin okafor")


@given(st.text(max_size=30), st.text(max_size=30), st.sampled_from(["", PERSON, ORGANISATION, "product"]))
def test_any_two_texts_have_a_score_between_none_and_one_either_way_round(one: str, other: str, root: str) -> None:
    match = match_names(one, other, root)
    assert 0.0 <= match.score <= 1.0
    assert match_names(other, one, root).vetoes == match.vetoes
    assert match_names(one, one, root).is_sure


def test_a_long_mention_finds_the_name_on_record() -> None:
    names = [
        "Harbour Court for the Northern District of Avalon",
        "Harbour Court for the Southern District of Avalon",
        "Land Court of Avalon",
        "Land Court, S.D. Lyonesse",
        "Trade Mark Appeals Board",
    ]
    ranking = NameRanking(names, ORGANISATION)
    assert ranking.best("Harbour Court S D Avalon Port Division")[0][0] == 1
    assert ranking.best("Land Court, Southern District of Lyonesse")[0][0] == 3
    assert ranking.best("TMAB")[0][0] == 4
    assert ranking.best("quite another thing") == []
