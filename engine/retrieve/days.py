"""The days that texts name, and the one that a question asks about: "on 25 July 2024", 2024年7月25日; days of the tenant's zone."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final

_MONTHS: Final = {
    **{name.lower(): i for i, name in enumerate(calendar.month_name) if name},
    **{name.lower(): i for i, name in enumerate(calendar.month_abbr) if name},
    "sept": 9,
}
_NAME: Final = "(?:" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b\.?"
_WEEKDAY: Final = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? (?:the )?)?"
_DAY: Final = r"(?P<day{0}>\d{{1,2}})(?:st|nd|rd|th)?"
_YEAR: Final = r"(?P<year{0}>[12]\d{{3}})(?!\d)"
_ENGLISH: Final = re.compile(
    rf"\b(?:on|as of|as at) (?:the )?{_WEEKDAY}(?:"
    rf"{_DAY.format('_a')} (?:of )?(?P<month_a>{_NAME})(?:,? {_YEAR.format('_a')})?"
    rf"|(?P<month_b>{_NAME}) {_DAY.format('_b')}(?!\d)(?:,? {_YEAR.format('_b')})?"
    rf"|{_YEAR.format('_c')}-(?P<month_c>\d\d)-(?P<day_c>\d\d)(?!\d))",
    re.IGNORECASE,
)
_CHINESE: Final = re.compile(
    r"(?<![自从到至])(?:(?P<year_d>[12]\d{3})年)?(?P<month_d>\d{1,2})月(?P<day_d>\d{1,2})[日号]"
    r"(?!之?[前后]|以[来前后]|[起到至])"
)
# A day with its year, wherever it stands.
_WHOLE: Final = re.compile(
    rf"\b{_DAY.format('_a')} (?:of )?(?P<month_a>{_NAME}),? {_YEAR.format('_a')}"
    rf"|\b(?P<month_b>{_NAME}) {_DAY.format('_b')},? {_YEAR.format('_b')}"
    rf"|(?<![\d-]){_YEAR.format('_c')}-(?P<month_c>\d\d)-(?P<day_c>\d\d)(?!\d)"
    r"|(?<!\d)(?P<year_d>[12]\d{3})年(?P<month_d>\d{1,2})月(?P<day_d>\d{1,2})[日号]",
    re.IGNORECASE,
)
# Two dates, or a span that opens or closes with one, are not the question of one day.
_SPAN: Final = re.compile(r"\b(?:between|from|until|till|since|after|before|by|through)\b", re.IGNORECASE)
_ZH_SPAN: Final = re.compile(r"[自从至到](?=[12]\d{3}年)|[日号](?:之?[前后]|以[来前后]|[起到至]|期间)")
_COMING: Final = re.compile(r"\b(?:will|going to|shall|next|upcoming|coming)\b|将|会|下个?", re.IGNORECASE)
_MONTH: Final = re.compile(
    rf"\b(?:in|during|as of|as at|at the end of|by the end of) (?:the month of )?(?P<month>{_NAME})(?: of|,)? (?P<year>[12]\d{{3}})(?![\d-])",
    re.IGNORECASE,
)
_ZH_MONTH: Final = re.compile(
    r"(?<![自从到至])(?<!\d)(?P<year>[12]\d{3})年(?P<month>1[0-2]|0?[1-9])月(?:份)?(?!\d|[初底末上中下]|之?[前后]|以[来前后]|[起到至间])"
)
_YEAR_ALONE: Final = re.compile(
    r"\b(?:in|during|as of|as at|at the end of|by the end of) (?:the year )?(?P<year>[12]\d{3})(?![\d-])(?=\s*(?:[,;?.!]|$))",
    re.IGNORECASE,
)
_ZH_YEAR_ALONE: Final = re.compile(
    r"(?<![自从到至与和])(?<!\d)(?P<year>[12]\d{3})年(?:底|末|时|的时候)?(?=[，,？?。]|$|[^\d\W初底末上下]{1,4}(?:在|是|的|任|住|担))(?!之?[前后]|以[来前后]|[起到至间])"
)
_COUNTS: Final = re.compile(
    r"\bhow (?:many|much)\b|\ball\b|\blist\b|多少|几[次个人家]|哪些|哪几|历任|历次", re.IGNORECASE
)
_ANY_YEAR: Final = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
# Questions for a time, and those of a present beside what was.
_NOT_A_MOMENT: Final = re.compile(
    r"\b(?:when|how long|how often|what (?:date|day|time)|first|last|now|today|still|currently)\b|何时|什么时候|哪天|哪一?[年月日天]|多久|现在|目前|如今|[首末]次",
    re.IGNORECASE,
)
_PRESENT: Final = re.compile(
    r"\b(?:do|does|is|are|am|has|have|can|could|should|would|may|might|must|shall)\b|\b(?:what|who|where|which)['’]s\b"
    r"|^\W*(?:please\s+)?(?:prepare|write|draft|plan|make|list|give|tell|show|find|send|schedule|remind|summari[sz]e)\b",
    re.IGNORECASE,
)
_LAST_MOMENT: Final = timedelta(milliseconds=1)  # the smallest time that is kept


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedDay:
    """A day, [start, end) in absolute time, and the words that name it. `last` is its last moment."""

    start: datetime
    end: datetime
    words: str

    @property
    def last(self) -> datetime:
        return self.end - _LAST_MOMENT

    def holds(self, moment: datetime) -> bool:
        return self.start <= moment < self.end


def asked_day(text: str, *, now: datetime, zone: tzinfo) -> AskedDay | None:
    """The day that the question is about, in `zone`; None where it names none, several, or a span.

    A day without a year is the last one before `now`, or the next where the question speaks of what is to come.
    """
    found = [*_ENGLISH.finditer(text), *_CHINESE.finditer(text)]
    if len(found) != 1 or _SPAN.search(text):
        return None
    (match,) = found
    year, month, number = _read(match)
    try:
        day = date(year, month, number) if year else _nearest(text, month, number, now.astimezone(zone).date())
        start = datetime.combine(day, time(), zone).astimezone(UTC)
        end = datetime.combine(day + timedelta(days=1), time(), zone).astimezone(UTC)
    except (ValueError, OverflowError):  # 30 February; a day at the end of time
        return None
    return AskedDay(start=start, end=end, words=match.group())


def asked_month(text: str, *, now: datetime, zone: tzinfo) -> AskedDay | None:
    """The month, named with its year, at whose end the question is asked; None where that is not sure.

    Sure is one that lies in the past beside a verb of the past or none ("where did she work in March 2024", "price in March
    2024"), or ahead beside words of what is to come; in Chinese, which has no such verbs, where nothing speaks of the other. A
    span, a second time, and questions for the time itself are no such month. The running month ends now.
    """
    found = [*_MONTH.finditer(text), *_ZH_MONTH.finditer(text)]
    if len(found) != 1 or len(_ANY_YEAR.findall(text)) != 1 or not _is_a_moment(text):
        return None
    (match,) = found
    name = match["month"].lower().rstrip(".")
    number = _MONTHS.get(name) or int(name)
    if not 1 <= number <= 12:
        return None
    year = int(match["year"])
    here = now.astimezone(zone)
    is_ahead = (year, number) > (here.year, here.month)
    if is_ahead is not is_to_come(text) or (not is_ahead and _PRESENT.search(text)):
        return None
    return _stretch(year, number, year + number // 12, number % 12 + 1, now=now, zone=zone, words=match.group())


def asked_year(text: str, *, now: datetime, zone: tzinfo) -> AskedDay | None:
    """The year at whose end the question is asked: one that stands alone behind a word of place in time, and as sure as
    `asked_month` wants it. A question for several things may mean any day of the year."""
    found = [*_YEAR_ALONE.finditer(text), *_ZH_YEAR_ALONE.finditer(text)]
    if len(found) != 1 or len(_ANY_YEAR.findall(text)) != 1 or _COUNTS.search(text) or not _is_a_moment(text):
        return None
    year, here = int(found[0]["year"]), now.astimezone(zone).year
    if (year > here) is not is_to_come(text) or (year <= here and _PRESENT.search(text)):
        return None
    return _stretch(year, 1, year + 1, 1, now=now, zone=zone, words=found[0].group())


def _is_a_moment(text: str) -> bool:
    return not (_SPAN.search(text) or _NOT_A_MOMENT.search(text))


def _stretch(
    year: int, month: int, to_year: int, to_month: int, *, now: datetime, zone: tzinfo, words: str
) -> AskedDay | None:
    """From the first of one month to that of another; what is running ends now."""
    try:
        start = datetime(year, month, 1, tzinfo=zone).astimezone(UTC)
        end = datetime(to_year, to_month, 1, tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return AskedDay(start=start, end=now + _LAST_MOMENT if start <= now < end else end, words=words)


def is_to_come(text: str) -> bool:
    """Whether the question speaks of what is to come, so that its days lie ahead."""
    return _COMING.search(text) is not None


def named_days(text: str) -> dict[date, str]:
    """The days that a text names with their year, each with the words that name it, in order."""
    found: dict[date, str] = {}
    for match in _WHOLE.finditer(text):
        year, month, number = _read(match)
        try:
            found.setdefault(date(year or 1, month, number), match.group())
        except ValueError:  # 30 February
            continue
    return found


def asked_days(text: str) -> tuple[date, ...]:
    """The days that a question names with their year; none where they open or close a span."""
    days = named_days(text)
    spans = bool(_SPAN.search(text) or _ZH_SPAN.search(text))
    return () if spans else tuple(days)


def _read(match: re.Match[str]) -> tuple[int | None, int, int]:
    given = {name.partition("_")[0]: text for name, text in match.groupdict().items() if text}
    month = given["month"].lower().rstrip(".")
    year = int(given["year"]) if "year" in given else None
    return year, _MONTHS.get(month) or int(month), int(given["day"])


def _nearest(text: str, month: int, number: int, today: date) -> date:
    coming = is_to_come(text)
    years = range(today.year, today.year + 9) if coming else range(today.year, today.year - 9, -1)
    for year in years:  # nine hold a 29 February for certain
        try:
            day = date(year, month, number)
        except ValueError:
            continue
        if day >= today if coming else day <= today:
            return day
    return date(today.year, month, number)
