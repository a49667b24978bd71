from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.engine.retrieve.timewords import asked_time, years_in

NOW = datetime(2026, 6, 15, tzinfo=UTC)


def day(month: int, number: int, year: int = 2026) -> datetime:
    return datetime(year, month, number, tzinfo=UTC)


def test_a_year_fits_texts_that_name_it_and_less_those_that_enclose_it() -> None:
    asked = asked_time("Who ran the mill from 1999 to 2003?")

    assert asked.years == (1999, 2003)
    assert [asked.fits_text(y) for y in [(2001,), (1990, 2010), (1990,), ()]] == [1.0, 0.7, 0.0, 0.0]


def test_a_month_is_still_told_of_early_in_the_next() -> None:
    asked = asked_time("What happened in March 2026?")

    assert [asked.fits_moment(d) for d in (day(3, 9), day(4, 5), day(4, 20), day(3, 9, 2025))] == [1, 1, 0, 0]


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("two weeks ago", day(6, 1), day(6, 14)),
        ("yesterday", day(6, 14), day(6, 10)),
        ("last month", day(5, 20), day(3, 1)),
        ("last Friday", day(6, 12, 2026), day(6, 13, 2026)),
        ("上周五", day(6, 12, 2026), day(6, 5, 2026)),
        ("三天前", day(6, 12), day(6, 1)),
        ("去年", day(9, 1, 2025), day(9, 1, 2023)),
    ],
)
def test_relative_words_are_read_from_the_askers_clock(text: str, inside: datetime, outside: datetime) -> None:
    asked = asked_time(text, NOW)

    assert (asked.fits_moment(inside), asked.fits_moment(outside)) == (1, 0)
    assert asked.words
    assert not asked_time(text)  # without a clock they say nothing


def test_years_are_told_once_in_order() -> None:
    assert years_in("In 2003, and 1999, and 2003 again; part 12345") == (1999, 2003)


@pytest.mark.parametrize(
    ("text", "month"),
    [
        ("Which joiner may open the kiln?", None),
        ("May we march through the yard?", None),
        ("Who was on leave in may?", 5),
        ("What did the May audit find?", 5),
        ("What was due on 3 march?", 3),
        ("What was due by March?", 3),
        ("What happened in may or june?", 5),
        ("what was due in june?", 6),
    ],
)
def test_words_that_are_also_verbs_name_months_only_where_something_says_so(text: str, month: int | None) -> None:
    assert asked_time(text).month == month


@given(st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    asked_time(text, NOW)
    asked_time(text)


def test_spans_beyond_the_calendar_are_cut() -> None:
    assert asked_time("9999 years ago", NOW).start == datetime.min.replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("Which kilns did I fire in March?", 2026),
        ("Which kilns did I fire in August?", 2025),
        ("Which kilns will I fire in March?", 2027),
        ("我八月烧了几窑? 8月", 2025),
    ],
)
def test_a_month_without_its_year_is_the_last_or_the_next_by_the_askers_clock(text: str, year: int) -> None:
    asked = asked_time(text, NOW)
    assert (asked.year, asked.fits_moment(day(asked.month or 1, 9, year))) == (year, 1)
    assert asked_time(text).year is None
