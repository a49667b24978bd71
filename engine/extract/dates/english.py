"""A small grammar of English date expressions."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, time, timedelta

from muniment.engine.extract.dates import calendar as cal
from muniment.engine.extract.dates.calendar import Lean, Stretch

_MONTH_NAMES = "january february march april may june july august september october november december".split()
_MONTHS = {name: n for n, name in enumerate(_MONTH_NAMES, 1)} | {name[:3]: n for n, name in enumerate(_MONTH_NAMES, 1)}
_MONTHS["sept"] = 9
_DAY_NAMES = "monday tuesday wednesday thursday friday saturday sunday".split()
_DAYS = {name: n for n, name in enumerate(_DAY_NAMES)} | {name[:3]: n for n, name in enumerate(_DAY_NAMES)}
_DAYS |= {"tues": 1, "thur": 3, "thurs": 3}
_NUMBERS = {
    word: n for n, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}
_NUMBERS |= {"a": 1, "an": 1, "a couple of": 2, "a few": 3, "several": 3}
_ORDINALS = {
    word: n
    for n, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(), 1
    )
}

_MONTH = rf"(?P<month>{'|'.join(_MONTH_NAMES)}|{'|'.join(n[:3] for n in _MONTH_NAMES)}|sept)\b\.?"
_LONG_MONTH = (
    rf"(?P<month>{'|'.join(_MONTH_NAMES)}|(?:{'|'.join(n[:3] for n in _MONTH_NAMES if n != 'may')}|sept)\b\.?)"
)
_WEEKDAY = rf"(?P<weekday>{'|'.join(_DAY_NAMES)})\b"
_NTH = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)\b"
_COUNT = rf"(?P<count>\d+|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))}|half an?)"
_UNIT = r"(?P<unit>hours?|days?|weeks?|fortnights?|months?|quarters?|years?|business days?|working days?)"
_WHICH = r"(?P<which>last|past|previous|next|coming|following|this|current)"
_PART = r"(?:the )?(?P<part>very beginning|beginning|start|middle|end|close|early|mid|late)(?:[- ]of[- ]|[- ])(?:the )?"
_PARTS = {"very beginning": "beginning", "beginning": "beginning", "start": "beginning", "early": "beginning"}
_PARTS |= {"middle": "middle", "mid": "middle", "end": "end", "close": "end", "late": "end"}
_STEP = {"last": -1, "past": -1, "previous": -1, "next": 1, "coming": 1, "following": 1, "this": 0, "current": 0}
_TIME = re.compile(
    r",?\s*(?:(?:at|around|by)\s+)?(?:(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?\s*(?P<half>am|pm|a\.m\.|p\.m\.)"
    r"|at\s+(?P<hour24>\d{1,2}):(?P<minute24>\d\d))(?!\w)",
    re.IGNORECASE,
)

Reader = Callable[[re.Match[str], date, Lean], Stretch | None]


def _iso(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    return cal.exact_day(int(m["year"]), int(m["m"]), int(m["day"]))


def _numeric(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    """Day first, as everywhere but in the United States; month first where the numbers leave no choice."""
    first, second = int(m["a"]), int(m["b"])
    if not m["year"]:
        return cal.nearest_day(first, second, today, lean)
    number = int(m["year"])
    number += 2000 if number < 100 else 0
    return cal.exact_day(number, second, first) or cal.exact_day(number, first, second)


def _day_month(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    number = _ORDINALS.get(m["day"].lower()) or int(m["day"])
    month = _MONTHS[m["month"].lower().strip(".")]
    if m["year"]:
        return cal.exact_day(int(m["year"]), month, number)
    return cal.nearest_day(number, month, today, lean)


def _month(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    number = _MONTHS[m["month"].lower().strip(".")]
    groups = m.groupdict()
    if groups.get("year"):
        return cal.month(int(m["year"]), number)
    which = groups.get("which")
    if which:
        lean = {-1: Lean.PAST, 1: Lean.FUTURE, 0: Lean.NEAREST}[_STEP[which.lower()]]
        if lean is Lean.PAST and number == today.month:
            return cal.month(today.year - 1, number)
        return cal.month(today.year, number) if lean is Lean.NEAREST else cal.nearest_month(number, today, lean)
    return cal.nearest_month(number, today, lean)


def _weekday(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    number = _DAYS[m["weekday"].lower()]
    which = (m.groupdict().get("which") or "").lower()
    if which in ("last", "past", "previous"):
        return cal.nearest_weekday(number, today - timedelta(days=1), Lean.PAST)
    if which in ("next", "following"):
        return cal.weekday(number, today, weeks=1)
    if which in ("this", "coming", "current"):
        return cal.nearest_weekday(number, today, Lean.FUTURE)
    return cal.nearest_weekday(number, today, lean)


_NAMED_DAYS = {
    "the day before yesterday": -2,
    "yesterday": -1,
    "last night": -1,
    "today": 0,
    "tonight": 0,
    "this morning": 0,
    "this afternoon": 0,
    "this evening": 0,
    "tomorrow": 1,
    "the day after tomorrow": 2,
}


def _named_day(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    return cal.day(today + timedelta(days=_NAMED_DAYS[m["named"].lower()]))


def _relative(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    """`three weeks ago`, `in two months`: the day so far off; a month or year off is as fine as its unit."""
    told = m["count"].lower()
    if told.startswith("half a"):
        return cal.day(cal.shift_months(today, (-6 if m["ago"] else 6))) if "year" in m["unit"] else None
    count = int(told) if told.isdigit() else _NUMBERS[told]
    return shifted(today, -count if m["ago"] else count, m["unit"].lower().split()[-1].rstrip("s"))


def shifted(today: date, count: int, unit: str) -> Stretch | None:
    """`count` units from today: days and weeks to the day, longer units to the month or year."""
    if unit in ("hour", "day", "week", "fortnight"):
        days = {"hour": 0, "day": 1, "week": 7, "fortnight": 14}[unit] * count
        return cal.day(today + timedelta(days=days)) if abs(days) < 40_000 else None
    months = {"month": 1, "quarter": 3, "year": 12}[unit] * count
    if abs(months) > 1200:
        return None
    return cal.day(cal.shift_months(today, months))


def _unit(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    step = _STEP[(m["which"] or "this").lower()]
    return stretch_of(m["span"].lower(), today, step)


def stretch_of(name: str, today: date, step: int) -> Stretch | None:
    """The week, month, quarter, year or season that is `step` from the present one."""
    if name == "week":
        return cal.week(today + timedelta(days=7 * step))
    if name == "weekend":
        monday = cal.week(today + timedelta(days=7 * step)).first
        return Stretch(
            first=monday + timedelta(days=5), after=monday + timedelta(days=7), granularity=cal.Granularity.PART
        )
    if name == "month":
        return cal.month(today.year, today.month + step)
    if name == "quarter":
        return cal.quarter(today.year, (today.month + 2) // 3 + step)
    if name == "year":
        return cal.year(today.year + step)
    name = "autumn" if name == "fall" else name
    found = [cal.season(today.year + offset, name) for offset in (-2, -1, 0, 1, 2)]
    if step < 0:
        # "last spring", said in spring or after it in the same year's half, is read as the year before's.
        return max(
            (s for s in found if s.after <= today.replace(month=1, day=1) or s.after <= _months_before(today, 2)),
            key=lambda s: s.first,
        )
    if step > 0:
        return min((s for s in found if s.first > today), key=lambda s: s.first)
    return min(found, key=lambda s: abs((s.first - today).days))


def _months_before(today: date, count: int) -> date:
    return cal.shift_months(today, -count)


def _part(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    name = _PARTS[m["part"].lower()]
    if m["month"]:
        number = _MONTHS[m["month"].lower().strip(".")]
        whole = cal.month(int(m["year"]), number) if m["year"] else cal.nearest_month(number, today, lean)
    elif m["unit"]:
        found = stretch_of(m["unit"].lower(), today, _STEP[(m["which"] or "this").lower()])
        if found is None:
            return None
        whole = found
    else:
        whole = cal.year(int(m["year2"]))
    return cal.part(whole, name)


def _quarter(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    told = m["q"].lower()
    number = int(told[-1]) if told[-1].isdigit() else _ORDINALS[told]
    if m["year"]:
        return cal.quarter(int(m["year"]), number)
    found = [cal.quarter(today.year + offset, number) for offset in (-1, 0, 1)]
    if lean is Lean.PAST:
        found = [s for s in found if s.first <= today]
    elif lean is Lean.FUTURE:
        found = [s for s in found if s.after > today]
    return min(found, key=lambda s: abs((s.first - today).days))


def _half(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    number = 1 if m["h"].lower() in ("h1", "first half") else 2
    return cal.half(int(m["year"]) if m["year"] else today.year, number)


def _season(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    name = m["season"].lower()
    return cal.season(int(m["year"]), "autumn" if name == "fall" else name)


def _year(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    return cal.year(int(m["year"]))


def _month_day(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    number = int(m["day"])
    if m["of"]:
        first = cal.shift_months(today.replace(day=1), _STEP[m["of"].lower().split()[1]])
        return cal.exact_day(first.year, first.month, number)
    return cal.nearest_month_day(number, today, lean)


# The first that fits at a place wins, so the longer forms stand first.
RULES: tuple[tuple[str, re.Pattern[str], Reader], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE), reader)
    for name, pattern, reader in (
        ("en.iso", r"(?<![\w-])(?P<year>(?:19|20)\d\d)[-/.](?P<m>[01]?\d)[-/.](?P<day>[0-3]?\d)(?![\w-]|\.\d)", _iso),
        ("en.numeric", r"(?<![\w./-])(?P<a>[0-3]?\d)[/.](?P<b>[0-3]?\d)[/.](?P<year>(?:19|20)?\d\d)(?![\w/-]|\.\d)", _numeric),
        ("en.slash", r"(?:(?<=,\s)|(?<=\bon\s)|(?<=\bof\s))(?P<a>[0-3]?\d)/(?P<b>[01]?\d)(?P<year>)(?![\w/-]|\.\d)", _numeric),
        (
            "en.day-month",
            rf"(?:{_WEEKDAY},?\s+(?:the\s+)?)?\b(?:the\s+)?(?P<day>[0-3]?\d(?:(?=st|nd|rd|th))?|{'|'.join(_ORDINALS)})"
            rf"(?:st|nd|rd|th)?(?:\s+of)?\s+{_MONTH}(?:,?\s+{_YEAR})?",
            _day_month,
        ),
        ("en.month-day", rf"(?:{_WEEKDAY},?\s+)?\b{_MONTH}\s+{_NTH}\b(?!\s*(?:%|percent|{'|'.join(_MONTH_NAMES)}))(?:,?\s+{_YEAR})?", _day_month),
        (
            "en.part",
            rf"\b{_PART}(?:{_LONG_MONTH}(?:,?\s+{_YEAR})?|(?:{_WHICH}\s+)?(?P<unit>week|month|quarter|year)\b|(?P<year2>(?:19|20)\d\d)\b)",
            _part,
        ),
        ("en.month-year", rf"\b{_MONTH},?\s+(?:of\s+)?{_YEAR}", _month),
        ("en.half", r"\b(?:the\s+)?(?P<h>h[12]|(?:first|second) half)(?:\s+of)?(?:\s+(?P<year>(?:19|20)\d\d))?\b", _half),
        ("en.quarter", rf"\b(?:the\s+)?(?P<q>q[1-4]|(?:first|second|third|fourth)(?=\s+quarter))(?:\s+quarter)?(?:(?:\s+of)?\s+{_YEAR})?\b", _quarter),
        ("en.season-year", rf"\b(?P<season>spring|summer|autumn|fall|winter)\s+(?:of\s+)?{_YEAR}", _season),
        ("en.relative", rf"\b{_COUNT}\s+{_UNIT}\s+(?P<ago>ago|earlier|back)\b", _relative),
        ("en.relative-ahead", rf"\b(?:in|within)\s+{_COUNT}\s+{_UNIT}(?P<ago>)(?!\w|['’])(?!\s+of\b)", _relative),
        ("en.relative-ahead2", rf"\b{_COUNT}\s+{_UNIT}(?P<ago>)\s+from\s+(?:now|today)\b", _relative),
        ("en.named-day", rf"\b(?P<named>{'|'.join(sorted(_NAMED_DAYS, key=len, reverse=True))})\b", _named_day),
        ("en.which-weekday", rf"\b{_WHICH}\s+{_WEEKDAY}", _weekday),
        ("en.which-month", rf"\b{_WHICH}\s+{_MONTH}", _month),
        ("en.which-unit", r"\b(?:the\s+)?(?P<which>last|past|previous|next|coming|following|this|current)\s+(?P<span>week|weekend|month|quarter|year|spring|summer|autumn|fall|winter)\b", _unit),
        ("en.weekday", rf"(?<!\w){_WEEKDAY}(?!\s+(?:mornings|evenings))", _weekday),
        ("en.month", rf"(?<=\bin\s)(?:early\s+|late\s+|mid-?\s*)?{_MONTH}|(?<=\bsince\s){_MONTH}|(?<=\bof\s){_MONTH}|(?<=\buntil\s){_MONTH}|(?<=\bfrom\s){_MONTH}|(?<=\btill\s){_MONTH}|(?<=\bby\s){_MONTH}|(?<=\bto\s){_MONTH}|(?<=\bduring\s){_MONTH}|(?<=\bbefore\s){_MONTH}|(?<=\bafter\s){_MONTH}".replace("(?P<month>", "(?:"), lambda m, t, lean: _bare_month(m, t, lean)),
        ("en.month-day-number", r"\b(?:on\s+|since\s+|until\s+|by\s+|from\s+)the\s+(?P<day>[0-3]?\d)(?:st|nd|rd|th)(?:\s+(?P<of>of (?:this|last|next) month))?\b(?!\s+[a-z]+\s+(?:floor|street))", _month_day),
        ("en.year", rf"(?:(?<=\bin\s)|(?<=\bsince\s)|(?<=\buntil\s)|(?<=\bfrom\s)|(?<=\bto\s)|(?<=\bof\s)|(?<=\bby\s)|(?<=\btill\s)|(?<=\bduring\s)|(?<=\bbefore\s)|(?<=\bafter\s)|(?<=\bbetween\s)|(?<=\band\s)|(?<=\bthrough\s)){_YEAR}(?!-\d)", _year),
        # of years so long past only those that surely are none of something else
        ("en.past-year", r"(?:(?<=\bin\s)|(?<=\bsince\s)|(?<=\buntil\s)|(?<=\bof\s))(?P<year>1[0-8]\d\d)(?=\s*(?:[,.;)]|$))", _year),
    )
)  # fmt: skip


def _bare_month(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    word = m.group().lower().strip(".").split()[-1].removeprefix("mid-")
    return cal.nearest_month(_MONTHS[word], today, lean)


def time_after(text: str, at: int) -> tuple[int, time] | None:
    """Where a time of day that follows `at` ends, and the time; None if none follows."""
    m = _TIME.match(text, at)
    if m is None:
        return None
    if m["hour24"]:
        hour, minute = int(m["hour24"]), int(m["minute24"])
    else:
        hour, minute = int(m["hour"]) % 12, int(m["minute"] or 0)
        hour += 12 if m["half"].lower().startswith("p") else 0
    return (m.end(), time(hour, minute)) if hour < 24 and minute < 60 else None
