"""The day that a question asks about, and where it asks about none."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.engine.retrieve.days import asked_day, asked_month, asked_year, named_days
from muniment.engine.retrieve.timewords import asked_time

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
MADRID = ZoneInfo("Europe/Madrid")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Where did Ana work on 25 July 2024?", "2024-07-25"),
        ("Who was on call on Thursday, the 25th of July, 2024?", "2024-07-25"),
        ("As of July 25, 2024, who owns the account?", "2024-07-25"),
        ("Who was the agent on 2024-07-25?", "2024-07-25"),
        ("2024年7月25日张伟在哪家公司工作?", "2024-07-25"),
        ("Where did Ana work on 25 July?", "2025-07-25"),  # the last one
        ("Where did Ana work on 5 Feb.?", "2026-02-05"),
        ("Where will Ana work on 25 July?", "2026-07-25"),  # the next one
        ("Who was away on 29 February?", "2024-02-29"),
    ],
)
def test_a_named_day_is_read(text: str, day: str) -> None:
    found = asked_day(text, now=NOW, zone=UTC)
    assert found is not None
    assert f"{found.start:%Y-%m-%d}" == day
    assert found.end - found.start == timedelta(days=1)


@pytest.mark.parametrize(
    "text",
    [
        "Where did Ana work in July 2024?",
        "What changed since 25 July 2024?",
        "What happened between 3 May 2024 and 25 July 2024?",
        "Who worked here before 2024-07-25?",
        "What was agreed on 25 July 2024 until 3 August 2024?",
        "7月25日以后谁负责采购?",
        "从7月25日起谁负责采购?",
        "Who was in on 30 February 2024?",
        "What may go on 20 pages?",
        "Who relied on May 2024 figures?",
    ],
)
def test_spans_and_what_is_no_day_are_left_alone(text: str) -> None:
    assert asked_day(text, now=NOW, zone=UTC) is None


def test_the_day_begins_and_ends_in_the_zone_summer_time_included() -> None:
    found = asked_day("Who had the keys on 31 March 2024?", now=NOW, zone=MADRID)
    assert found is not None
    assert (found.start, found.end) == (
        datetime(2024, 3, 30, 23, tzinfo=UTC),
        datetime(2024, 3, 31, 22, tzinfo=UTC),  # the clocks went forward that night: 23 hours
    )
    assert found.holds(datetime(2024, 3, 30, 23, tzinfo=UTC))
    assert not found.holds(found.end)


def test_which_day_was_the_last_is_told_by_the_zone() -> None:
    late = datetime(2026, 7, 24, 18, tzinfo=UTC)  # the 25th already, eight hours east
    east = asked_day("Who called on 25 July?", now=late, zone=timezone(timedelta(hours=8)))
    west = asked_day("Who called on 25 July?", now=late, zone=UTC)
    assert east is not None
    assert west is not None
    assert (east.start.year, west.start.year) == (2026, 2025)


def test_what_was_told_on_the_day_fits_better_than_the_rest_of_its_month() -> None:
    asked = asked_time("What did Ana say on 25 July 2024?", zone=MADRID)
    moments = (
        datetime(2024, 7, 24, 22, tzinfo=UTC),
        datetime(2024, 7, 3, tzinfo=UTC),
        datetime(2024, 9, 3, tzinfo=UTC),
    )
    assert [asked.fits_moment(moment) for moment in moments] == [1.0, 0.8, 0.0]


def test_a_month_is_one_of_the_zone() -> None:
    turn = datetime(2024, 6, 30, 22, 30, tzinfo=UTC)  # July in Madrid
    asked = asked_time("What was told in July 2024?", zone=MADRID)
    assert (asked.fits_moment(turn), asked_time("What was told in July 2024?").fits_moment(turn)) == (1.0, 0.0)


def test_without_a_clock_a_day_needs_its_year() -> None:
    assert asked_time("Who called on 25 July?").day is None
    assert asked_time("Who called on 25 July 2024?").day is not None


@given(st.text(max_size=80), st.datetimes(timezones=st.just(UTC)))
def test_any_text_can_be_read_at_any_time(text: str, now: datetime) -> None:
    asked_day(f"on {text}", now=now, zone=UTC)
    asked_day("on 29 February", now=now, zone=MADRID)
    asked_day("on 31 December 9999", now=now, zone=timezone(timedelta(hours=-14)))


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Signed on 25 July 2024, ended on August 3, 2024.", ["2024-07-25", "2024-08-03"]),
        ("2024-07-25: call; 2024年8月3日签字", ["2024-07-25", "2024-08-03"]),
        ("On 30 February 2024, in July 2024, on 25 July", []),
    ],
)
def test_the_days_of_a_text_are_those_named_with_their_year(text: str, days: list[str]) -> None:
    assert sorted(f"{day:%Y-%m-%d}" for day in named_days(text)) == days


def test_a_text_of_an_asked_day_fits_better_than_one_of_its_year() -> None:
    asked = asked_time("2024年7月25日和2025年3月2日分别签了什么？")

    assert asked.fits("2025年3月2日签了租约。") == 1.0
    assert asked.fits("租约在2024年到期。") == 0.5
    assert asked.fits_moment(datetime(2025, 3, 2, 9, tzinfo=UTC)) == 1.0
    assert asked_time("What was signed between 3 May 2024 and 25 July 2024?").days == ()


@pytest.mark.parametrize(
    ("text", "month"),
    [
        ("Where did Greta work in March 2026?", (2026, 3)),
        ("price of the Fleet Plan in Feb 2026?", (2026, 2)),
        ("Who led the Oslo office at the end of December 2025?", (2025, 12)),
        ("林晓峰2026年3月在哪里工作？", (2026, 3)),
        ("Where will Greta work in April 2027?", (2027, 4)),
        # A present verb, an order, a question for the time, a span or a second time: not sure.
        ("Where does Greta work in March 2026?", None),
        ("Prepare the report in March 2026", None),
        ("When was the price set in March 2026 raised?", None),
        ("Where did Greta work between March 2026 and May 2026?", None),
        ("Where did Greta work since the move in March 2026?", None),
        ("Who joined in March 2026 and where does he work now?", None),
        ("Where did Greta work in April 2027?", None),
        ("Where will Greta work in March 2026?", None),
        ("Where did Greta work in 2026?", None),
        ("林晓峰从2026年3月起在哪里工作？", None),
        ("林晓峰2026年3月之前在哪里工作？", None),
        ("林晓峰2026年13月在哪里工作？", None),
    ],
)
def test_a_month_is_a_moment_only_where_that_is_sure(text: str, month: tuple[int, int] | None) -> None:
    now = datetime(2026, 11, 20, tzinfo=UTC)
    found = asked_month(text, now=now, zone=UTC)
    assert (found and (found.start.year, found.start.month)) == month
    if found:
        assert (found.last + timedelta(milliseconds=1)).day == 1


def test_the_running_month_ends_now_and_months_are_those_of_the_zone() -> None:
    now = datetime(2026, 3, 20, 12, tzinfo=UTC)
    running = asked_month("Where did Greta work in March 2026?", now=now, zone=UTC)
    assert running is not None
    assert running.last == now
    tokyo = asked_month("Where did Greta work in December 2025?", now=now, zone=ZoneInfo("Asia/Tokyo"))
    assert tokyo is not None
    assert (tokyo.start, tokyo.end) == (datetime(2025, 11, 30, 15, tzinfo=UTC), datetime(2025, 12, 31, 15, tzinfo=UTC))


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("Where did Greta work in 2024?", 2024),
        ("In 2019, who led the pottery?", 2019),
        ("Who was the keeper at the end of 2023?", 2023),
        ("Where will Greta work in 2028?", 2028),
        ("2019年李娜在哪里工作？", 2019),
        ("2019年底谁是仓库主管？", 2019),
        ("Who is the keeper in 2024?", None),  # a verb of the present
        ("Where did Greta work in 2028?", None),  # ahead, without a word of what is to come
        ("How many kilns did Greta buy in 2024?", None),  # any day of it
        ("Where did Greta work before 2024?", None),
        ("Where did Greta work from 2019 to 2024?", None),
        ("When did Greta move in 2024?", None),
        ("What did she write of the 2024 fair?", None),
        ("Where did she stand in 2024 metres of water?", None),
        ("2019年之前李娜在哪里工作？", None),
        ("2019年有哪些人负责采购？", None),
    ],
)
def test_a_year_alone_is_a_moment_only_where_that_is_sure(text: str, year: int | None) -> None:
    found = asked_year(text, now=datetime(2026, 11, 20, tzinfo=UTC), zone=UTC)
    assert (found and found.start.year) == year
    if found:
        assert (found.last + timedelta(milliseconds=1)) == datetime(found.start.year + 1, 1, 1, tzinfo=UTC)
