"""Stretches of the calendar around an anchor, in a tenant's own zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum

_DAY = timedelta(days=1)


class Granularity(StrEnum):
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    PART = "part"  # the beginning, middle or end of a month, quarter or year
    MONTH = "month"
    QUARTER = "quarter"
    SEASON = "season"
    HALF = "half"
    YEAR = "year"


class Lean(StrEnum):
    """Where a date without a year, month or week is looked for first."""

    PAST = "past"
    FUTURE = "future"
    NEAREST = "nearest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Days [first, after) of the calendar; `hour` where a time of day was told."""

    first: date
    after: date
    granularity: Granularity
    hour: time | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """The moment a text was said, in the zone in which its days are counted."""

    anchor: datetime
    zone: tzinfo = UTC

    @property
    def today(self) -> date:
        return self.anchor.astimezone(self.zone).date()

    def interval(self, stretch: Stretch) -> tuple[datetime, datetime]:
        """[start, end) of a stretch, in UTC."""
        start = datetime.combine(stretch.first, stretch.hour or time(), self.zone)
        end = datetime.combine(stretch.after, time(), self.zone)
        if stretch.hour is not None:
            end = start + timedelta(hours=1)
        return start.astimezone(UTC), end.astimezone(UTC)


def day(first: date, *, hour: time | None = None) -> Stretch:
    return Stretch(
        first=first, after=first + _DAY, granularity=Granularity.HOUR if hour else Granularity.DAY, hour=hour
    )


def week(any_day: date) -> Stretch:
    """Monday to Sunday (ISO 8601)."""
    monday = any_day - _DAY * any_day.weekday()
    return Stretch(first=monday, after=monday + _DAY * 7, granularity=Granularity.WEEK)


def month(year: int, number: int) -> Stretch:
    """The month; numbers below 1 and above 12 run into the neighbouring years."""
    return _months(year, number, 1, Granularity.MONTH)


def quarter(year: int, number: int) -> Stretch:
    return _months(year, number * 3 - 2, 3, Granularity.QUARTER)


def half(year: int, number: int) -> Stretch:
    return _months(year, number * 6 - 5, 6, Granularity.HALF)


def season(year: int, name: str) -> Stretch:
    """Meteorological seasons of the northern half; winter belongs to the year in which it begins."""
    first = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}[name]
    return _months(year, first, 3, Granularity.SEASON)


def year(number: int) -> Stretch:
    return _months(number, 1, 12, Granularity.YEAR)


def part(whole: Stretch, name: str) -> Stretch:
    """The `beginning`, `middle` or `end` of a stretch: its first, second or last third; of a week the outer two days."""
    days = (whole.after - whole.first).days
    third = max(days // 3, 1)
    if days == 7:
        third = 2
    if name == "beginning":
        first, after = whole.first, whole.first + _DAY * third
    elif name == "end":
        first, after = whole.after - _DAY * third, whole.after
    else:
        first, after = whole.first + _DAY * third, whole.after - _DAY * third
    return Stretch(first=first, after=after, granularity=Granularity.PART)


def weekday(number: int, today: date, *, weeks: int) -> Stretch:
    """Weekday `number` (Monday 0) of the week `weeks` after this one."""
    return day(week(today).first + _DAY * (7 * weeks + number))


def nearest_weekday(number: int, today: date, lean: Lean) -> Stretch:
    """The named weekday: the last one for `PAST`, else the one to come, today included."""
    back = (today.weekday() - number) % 7
    if lean is Lean.PAST:
        return day(today - _DAY * back)
    return day(today + _DAY * ((number - today.weekday()) % 7))


def nearest_day(number: int, month_number: int, today: date, lean: Lean) -> Stretch | None:
    """Day and month without a year; None where no such day exists around this year."""
    found = [d for d in (_valid(today.year + step, month_number, number) for step in (-1, 0, 1)) if d is not None]
    chosen = _choose(found, today, lean)
    return day(chosen) if chosen else None


def nearest_month_day(number: int, today: date, lean: Lean) -> Stretch | None:
    """The nth of this or a neighbouring month."""
    found: list[date] = []
    for step in (-1, 0, 1):
        first = shift_months(today.replace(day=1), step)
        candidate = _valid(first.year, first.month, number)
        if candidate is not None:
            found.append(candidate)
    chosen = _choose(found, today, lean)
    return day(chosen) if chosen else None


def nearest_month(number: int, today: date, lean: Lean) -> Stretch:
    """A month without a year."""
    middles = {date(today.year + step, number, 15): today.year + step for step in (-1, 0, 1)}
    if lean is Lean.PAST:
        years = [y for m, y in middles.items() if (y, number) <= (today.year, today.month)]
        return month(max(years), number)
    if lean is Lean.FUTURE:
        years = [y for m, y in middles.items() if (y, number) >= (today.year, today.month)]
        return month(min(years), number)
    chosen = min(middles, key=lambda m: abs((m - today).days))
    return month(middles[chosen], number)


def exact_day(year_number: int, month_number: int, day_number: int) -> Stretch | None:
    found = _valid(year_number, month_number, day_number)
    return day(found) if found else None


def shift_months(start: date, count: int) -> date:
    """The same day `count` months on, or the last day of a shorter month."""
    index = start.year * 12 + start.month - 1 + count
    first = date(index // 12, index % 12 + 1, 1)
    for number in (start.day, 30, 29, 28):
        found = _valid(first.year, first.month, min(number, start.day))
        if found:
            return found
    return first


def _months(year_number: int, first_month: int, count: int, granularity: Granularity) -> Stretch:
    index = year_number * 12 + first_month - 1
    after = index + count
    return Stretch(
        first=date(index // 12, index % 12 + 1, 1),
        after=date(after // 12, after % 12 + 1, 1),
        granularity=granularity,
    )


def _valid(year_number: int, month_number: int, day_number: int) -> date | None:
    try:
        return date(year_number, month_number, day_number)
    except ValueError:
        return None


def _choose(found: list[date], today: date, lean: Lean) -> date | None:
    if lean is Lean.PAST:
        found = [d for d in found if d <= today] or found
    elif lean is Lean.FUTURE:
        found = [d for d in found if d >= today] or found
    return min(found, key=lambda d: abs((d - today).days), default=None)
