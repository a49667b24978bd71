"""The time that a question names, as spans against which texts and events are held."""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final

from muniment.engine.retrieve.days import (
    AskedDay,
    asked_day,
    asked_days,
    asked_month,
    asked_year,
    is_to_come,
    named_days,
)

_YEAR: Final = re.compile(r"(?<!\d)(1[0-9]{3}|20[0-9]{2})(?!\d)")
_MONTHS: Final = {name.lower(): i for i, name in enumerate(calendar.month_name) if name}
_MONTH: Final = re.compile(r"\b(" + "|".join(_MONTHS) + r")\b|(?<!\d)(1[0-2]|[1-9])月", re.IGNORECASE)
# "may" and "march" are months only where something beside them says so.
_ALSO_VERBS: Final = frozenset({"may", "march"})
_BEFORE_MONTH: Final = re.compile(
    r"\b(?:in|since|of|by|until|till|from|to|during|before|after|around|early|late|mid|last|this|next|every|and|or|\d+(?:st|nd|rd|th)?)[\s-]+$",
    re.IGNORECASE,
)
_AFTER_NAME: Final = re.compile(r",?\s+(?:of\s+)?\d")
_NUMBERS: Final = {
    **{word: i for i, word in enumerate("zero one two three four five six seven eight nine ten".split())},
    **{word: i for i, word in enumerate("零一二三四五六七八九十")},
    "a": 1,
    "an": 1,
    "couple": 2,
    "few": 3,
    "两": 2,
    "几": 3,
}
_UNIT_DAYS: Final = {"day": 1, "week": 7, "weekend": 7, "month": 30, "year": 365, "天": 1, "周": 7, "月": 30, "年": 365}
_AGO: Final = re.compile(
    r"\b(?P<n>\d+|" + "|".join(k for k in _NUMBERS if k.isascii()) + r")(?: of)? (?P<unit>day|week|month|year)s? ago\b"
    r"|\b(?:last|past) (?P<last>week|month|weekend|year)\b|(?P<yesterday>\byesterday\b|昨天)"
    r"|(?P<zh_n>\d+|[一二三四五六七八九十两几])(?:个)?(?P<zh_unit>天|周|月|年)(?:以)?前"
    r"|(?:上个?(?P<zh_last>周|月)|(?P<zh_year>去年))",
    re.IGNORECASE,
)
_WEEKDAYS: Final = {name.lower(): i for i, name in enumerate(calendar.day_name)}
_WEEKDAY: Final = re.compile(
    r"\b(?:last |this past |past |on )(?P<en>" + "|".join(_WEEKDAYS) + r")\b"
    r"|(?P<zh_last>上)?(?:个)?(?:周|星期|礼拜)(?P<zh>[一二三四五六日天])(?!年)",
    re.IGNORECASE,
)
_ZH_WEEKDAYS: Final = "一二三四五六日"
_TO_ITS_END: Final = timedelta(days=1) - timedelta(milliseconds=1)
_NO_CLOCK: Final = datetime(2000, 1, 1, tzinfo=UTC)  # for a day that is named with its year, which needs none
_SAME_MONTH: Final = 0.8  # what was told in the month of a day that is asked about, but not on the day
_SAME_YEAR: Final = 0.5  # a text that names the year of a day that is asked about, but not the day
_AFTER_MONTH: Final = timedelta(days=10)  # a month's events are still told in the first days of the next


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedTime:
    """What a question says about time. Empty where it says nothing.

    `years` are named years, rising. `month` (with `year` if named) or `[start, end]` is when something was told or done.
    `days` are the days that are named with their year, where they open no span. `words` are the words that were read so, for
    the trace.
    """

    years: tuple[int, ...] = ()
    month: int | None = None
    year: int | None = None
    start: datetime | None = None
    end: datetime | None = None
    words: tuple[str, ...] = ()
    day: AskedDay | None = None
    days: tuple[date, ...] = ()
    zone: tzinfo = UTC  # in which months begin and end

    def __bool__(self) -> bool:
        return bool(self.years or self.month or self.start or self.day)

    def fits(self, text: str) -> float:
        """How well a text fits by the time that it names: `fits_text`; where days are asked about, 1 only for their own."""
        if not self.years:
            return 0.0
        fit = self.fits_text(years_in(text))
        if not self.days or not fit:
            return fit
        return 1.0 if any(day in self.days for day in named_days(text)) else _SAME_YEAR * fit

    def fits_text(self, text_years: Sequence[int]) -> float:
        """1 for a text with a year inside the asked span, 0.7 where the text's years enclose it, else 0."""
        if not self.years or not text_years:
            return 0.0
        first, last = self.years[0], self.years[-1]
        if any(first <= year <= last for year in text_years):
            return 1.0
        return 0.7 if min(text_years) <= first and max(text_years) >= last else 0.0

    def fits_moment(self, moment: datetime) -> float:
        """1 where something told at `moment` fits the day, month or span, 0.8 for the month of a named day, else 0."""
        if self.day and self.day.holds(moment):
            return 1.0
        if self.days and moment.astimezone(self.zone).date() in self.days:
            return 1.0
        if self.start and self.end:
            return float(self.start <= moment <= self.end)
        if self.month is None:
            return 0.0
        local = moment.astimezone(self.zone)
        near = (local, local - _AFTER_MONTH)
        fits = any(m.month == self.month and self.year in (None, m.year) for m in near)
        return (_SAME_MONTH if self.day else 1.0) * fits


NO_TIME: Final = AskedTime()


def asked_time(
    text: str, asked_at: datetime | None = None, *, zone: tzinfo = UTC, now: datetime | None = None
) -> AskedTime:
    """The time words of a question; `N weeks ago` is read from `asked_at` and left alone without it.

    A named day ("on 25 July") is one of `zone`; without a year it is looked for around `asked_at`, else `now`. A month whose
    end is surely meant ("where did she work in March 2024") stands as a long day.
    """
    clock = asked_at or now
    day = asked_day(text, now=clock or _NO_CLOCK, zone=zone)
    if day is not None and clock is None and not _YEAR.search(text):
        day = None
    if day is None and clock is not None:
        day = asked_month(text, now=clock, zone=zone) or asked_year(text, now=clock, zone=zone)
    read = _asked(text, asked_at, zone)
    return replace(
        read, day=day, days=asked_days(text), zone=zone, words=(*read.words, day.words) if day else read.words
    )


def _asked(text: str, asked_at: datetime | None, zone: tzinfo) -> AskedTime:
    years = tuple(sorted({int(year) for year in _YEAR.findall(text)}))
    month = next((found for found in _MONTH.finditer(text) if _is_month(found, text)), None)
    words = [*(str(year) for year in years)]
    if month and (years or asked_at is None):
        number = _number_of(month)
        words.append(month.group())
        return AskedTime(years=years, month=number, year=years[0] if years else None, words=tuple(words))
    weekday = _WEEKDAY.search(text) if asked_at and not is_to_come(text) else None
    if weekday and asked_at:
        start = _weekday_before(weekday, asked_at.astimezone(zone))
        if start is not None:
            return AskedTime(years=years, start=start, end=start + _TO_ITS_END, words=(*words, weekday.group()))
    ago = _AGO.search(text) if asked_at else None
    if month and asked_at and ago is None:
        year, number = asked_at.astimezone(zone).year, _number_of(month)
        year += _years_off(number, asked_at.astimezone(zone).month, ahead=is_to_come(text))
        return AskedTime(month=number, year=year, words=(month.group(),))
    if ago is None or asked_at is None:
        return AskedTime(years=years, words=tuple(words))
    start, end = _span(ago, asked_at)
    return AskedTime(years=years, start=start, end=end, words=(*words, ago.group()))


def _number_of(month: re.Match[str]) -> int:
    return int(month.group(2)) if month.group(2) else _MONTHS[month.group(1).lower()]


def _years_off(month: int, here: int, *, ahead: bool) -> int:
    """In which year, counted from this one, the month is that is meant: the last one that has begun, or the next."""
    return int(month < here) if ahead else -int(month > here)


def _is_month(found: re.Match[str], text: str) -> bool:
    """Whether the word names a month: "who may enter" does not, nor does "May I …"."""
    if found.group().lower() not in _ALSO_VERBS:
        return True
    if _BEFORE_MONTH.search(text[: found.start()]) or _AFTER_NAME.match(text, found.end()):
        return True
    return found.group().istitle() and bool(text[: found.start()].strip())


def years_in(text: str) -> tuple[int, ...]:
    """The years that a text names, rising, each once."""
    return tuple(sorted({int(year) for year in _YEAR.findall(text)}))


def _span(match: re.Match[str], now: datetime) -> tuple[datetime, datetime]:
    last = match["last"] or match["zh_last"] or ("year" if match["zh_year"] else None)
    if last:
        return _back(now, _UNIT_DAYS[last.lower()] * 1.5 + 1), now
    if match["yesterday"]:
        number, unit = 1, 1
    else:
        word = (match["n"] or match["zh_n"]).lower()
        number = int(word) if word.isdigit() else _NUMBERS[word]
        unit = _UNIT_DAYS[(match["unit"] or match["zh_unit"]).lower()]
    slack = max(1.0, 0.35 * unit + 0.1 * number * unit)
    return _back(now, number * unit + slack), _back(now, number * unit - slack)


def _weekday_before(match: re.Match[str], now: datetime) -> datetime | None:
    """The beginning of the last such day before today; in Chinese 上周六 is that of the week before this one."""
    number = _WEEKDAYS[match["en"].lower()] if match["en"] else _ZH_WEEKDAYS.index(match["zh"].replace("天", "日"))
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    days = now.weekday() - number + 7 if match["zh_last"] else (now.weekday() - number) % 7 or 7
    try:
        return midnight - timedelta(days=days)
    except OverflowError:
        return None


def _back(now: datetime, days: float) -> datetime:
    """`days` before now, or the beginning of time where that lies before it."""
    try:
        return now - timedelta(days=days)
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC) if days > 0 else datetime.max.replace(tzinfo=UTC)
