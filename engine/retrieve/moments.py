"""The words by which a question says the moment that its caller gives as `as_of` as well."""

from __future__ import annotations

import calendar
import re
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final

_MONTHS: Final = {
    name.lower(): number
    for names in (calendar.month_name, calendar.month_abbr)
    for number, name in enumerate(names)
    if name
}
_MONTH: Final = "|".join(sorted(_MONTHS, key=lambda name: -len(name)))
_PART: Final = (
    r"(?:the\s+)?(?:very\s+)?(?:beginning|start|middle|end|close|(?:first|second)\s+half|(?:first|second|third|fourth)\s+quarter"
    r"|spring|summer|autumn|fall|winter)\s+of\s+|(?:early|late|mid)[\s-]+"
)
_BEFORE: Final = r"(?:as\s+of|as\s+at|at|in|on|by|during|around|about|towards)\s+"
_ENGLISH: Final = re.compile(
    rf"\b(?:{_BEFORE})?(?:{_PART})?(?:(?P<iso>\d{{4}}-\d{{2}}-\d{{2}})"
    rf"|(?:(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?\b(?P<month>{_MONTH})\b\.?"
    r"(?:\s+(?P<day_after>\d{1,2})(?:st|nd|rd|th)?(?=\s*,|\s+\d{4}))?,?\s+(?P<year>\d{4}))(?![\w-])"
    # A year alone may be a part of a name ("the 2017 championship"): only one that says when.
    rf"|\b(?:{_BEFORE}(?:{_PART})?)(?P<alone>\d{{4}})(?=\s*(?:[,.;:?!]|$))",
    re.IGNORECASE,
)
_CHINESE: Final = re.compile(
    r"(?:截至|截止|在|到)?(?P<year>\d{4})\s*年\s*(?:(?P<month>\d{1,2})\s*月(?:份)?(?:(?P<day>\d{1,2})\s*[日号])?)?"
    r"(?:[上中下]旬|[上下]半年|[春夏秋冬][天季]?|年?[初中底末])?(?:的?时候?|[那当]时|[那这]会儿|前后|左右)?"
)
_SLACK: Final = timedelta(hours=14)  # a day is another one elsewhere on the earth


def without_moment(text: str, as_of: datetime, zone: tzinfo = UTC) -> str:
    """The text without the dates, months and years in which `as_of` lies, and the words that go with them.

    Other times are part of what is asked, and so is a number that is no time; the same text comes back where nothing is said
    twice, or nothing else is said.
    """
    rest = text
    for pattern in (_ENGLISH, _CHINESE):
        rest = pattern.sub(lambda found: " " if _holds(found, as_of, zone) else found.group(), rest)
    rest = re.sub(r"^[\s,，]+|(?<=\s)\s+|\s+(?=[?.,!])", "", rest) if rest != text else rest
    return rest if re.search(r"\w", rest) else text


def _holds(found: re.Match[str], as_of: datetime, zone: tzinfo) -> bool:
    said = found.groupdict()
    if said.get("iso"):
        year, month, day = (int(part) for part in said["iso"].split("-"))
    else:
        year = int(said["year"] or said.get("alone") or 0)
        name = (said["month"] or "").lower()
        month = int(name) if name.isdigit() else _MONTHS.get(name, 0)
        day = int(said["day"] or said.get("day_after") or 0)
    return any(_is_of(moment, year, month, day) for moment in _dates(as_of, zone))


def _dates(as_of: datetime, zone: tzinfo) -> set[date]:
    """The day of a moment in its caller's zone, and what else it may be called."""
    days = {as_of.astimezone(zone).date(), as_of.date()}
    for shift in (-_SLACK, _SLACK):
        try:
            days.add((as_of + shift).date())
        except OverflowError:
            continue
    return days


def _is_of(moment: date, year: int, month: int, day: int) -> bool:
    return moment.year == year and month in (0, moment.month) and day in (0, moment.day)
