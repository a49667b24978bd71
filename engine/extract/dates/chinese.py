"""A small grammar of Chinese date expressions."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, time, timedelta

from muniment.engine.extract.dates import calendar as cal
from muniment.engine.extract.dates.calendar import Granularity, Lean, Stretch
from muniment.engine.extract.dates.english import shifted

_DIGITS = {char: n for n, char in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "○": 0}
_N = r"[0-9一二三四五六七八九十两]{1,3}"
_WEEKDAYS = {char: n for n, char in enumerate("一二三四五六日")} | {"天": 6, "末": 5}
_SEASONS = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}
_STEP = {"上上": -2, "上": -1, "前": -1, "本": 0, "这": 0, "当": 0, "今": 0, "下": 1, "下下": 2}
_YEARS = {"前年": -2, "去年": -1, "上年": -1, "今年": 0, "本年": 0, "明年": 1, "来年": 1, "后年": 2}
_NAMED = {
    "大前天": -3,
    "前天": -2,
    "昨天": -1,
    "昨日": -1,
    "昨晚": -1,
    "今天": 0,
    "今日": 0,
    "今早": 0,
    "今晚": 0,
    "当天": 0,
}
_NAMED |= {"明天": 1, "明日": 1, "明早": 1, "明晚": 1, "后天": 2, "大后天": 3}
_UNITS = {
    "天": "day",
    "日": "day",
    "周": "week",
    "星期": "week",
    "礼拜": "week",
    "月": "month",
    "季度": "quarter",
    "年": "year",
}
_PARTS = {
    "初": "beginning",
    "上旬": "beginning",
    "中": "middle",
    "中旬": "middle",
    "底": "end",
    "末": "end",
    "下旬": "end",
}
_PARTS |= {"年初": "beginning", "年中": "middle", "年底": "end", "年末": "end", "月初": "beginning", "月中": "middle"}
_PARTS |= {"月底": "end", "月末": "end"}
_TIME = re.compile(
    rf"(?P<part>凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|晚)?(?P<hour>{_N})[点时:：](?P<minute>半|[0-5]?\d(?=分)?|)(?:分|整)?"
)
_DAY_PART = re.compile(r"凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里")

Reader = Callable[[re.Match[str], date, Lean], Stretch | None]


def number_of(text: str) -> int:
    """The value of Arabic or Chinese digits up to 99, or of a row of digits (二〇二四)."""
    if text.isdigit() and text.isascii():
        return int(text)
    if "十" in text:
        tens, _, ones = text.partition("十")
        return (_DIGITS.get(tens, 1) if tens else 1) * 10 + (_DIGITS.get(ones, 0) if ones else 0)
    value = 0
    for char in text:
        value = value * 10 + (int(char) if char.isascii() and char.isdigit() else _DIGITS.get(char, 0))
    return value


def _absolute(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    """年, 月 and 日 as far as they are told; 去年 and the like may stand for the year."""
    told = m["year"]
    number = _YEARS[told] + today.year if told in _YEARS else number_of(told.rstrip("年")) if told else None
    if number is not None and number < 100:
        number += 2000
    month = number_of(m["month"])
    if not 1 <= month <= 12:
        return None
    if m["day"]:
        day = number_of(m["day"])
        return cal.exact_day(number, month, day) if number else cal.nearest_day(day, month, today, lean)
    whole = cal.month(number, month) if number else cal.nearest_month(month, today, lean)
    return cal.part(whole, _PARTS[m["part"]]) if m["part"] else whole


def _numeric(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    return cal.exact_day(int(m["year"]), int(m["month"]), int(m["day"]))


def _year(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    told = m["year"]
    number = _YEARS[told] + today.year if told in _YEARS else number_of(told.rstrip("年"))
    if number < 100:
        number += 2000
    rest = m["rest"]
    if not rest:
        return cal.year(number)
    if rest[0] in _SEASONS:
        return cal.season(number, _SEASONS[rest[0]])
    if rest in ("上半年", "下半年"):
        return cal.half(number, 1 if rest[0] == "上" else 2)
    if "季" in rest:
        return cal.quarter(number, number_of(re.sub(r"[第个季度]", "", rest)))
    return cal.part(cal.year(number), _PARTS[rest])


def _named(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    return cal.day(today + timedelta(days=_NAMED[m["named"]]))


def _weekday(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    which, told = m["which"], m["weekday"]
    if not which:
        if lean is Lean.PAST:
            return cal.nearest_weekday(_WEEKDAYS[told], today, lean)
        found = cal.weekday(_WEEKDAYS[told], today, weeks=0)
        return found if found.first >= today else cal.weekday(_WEEKDAYS[told], today, weeks=1)
    step = _STEP[which]
    return cal.weekday(_WEEKDAYS[told], today, weeks=step)


def _unit(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    """上个月, 本周, 下季度, and their beginning or end."""
    step, unit, part = _STEP[m["which"]], m["unit"], m["part"]
    if unit in ("周", "星期", "礼拜"):
        whole = cal.week(today + timedelta(days=7 * step))
    elif unit == "月":
        whole = cal.month(today.year, today.month + step)
    else:
        whole = cal.quarter(today.year, (today.month + 2) // 3 + step)
    return cal.part(whole, _PARTS[part]) if part else whole


def _half(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    return cal.half(today.year, 1 if m["half"] == "上半年" else 2)


def _relative(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    sign = -1 if m["side"] in ("前", "以前", "之前") else 1
    unit = _UNITS[m["unit"]]
    if m["count"] == "半":
        months = {"year": 6, "month": 0}.get(unit)
        if months is None:
            return None
        return cal.day(cal.shift_months(today, sign * months) if months else today + timedelta(days=15 * sign))
    count = number_of(m["count"]) if m["count"] != "几" else 3
    if m["more"] and unit == "year":
        return cal.day(cal.shift_months(today, sign * (count * 12 + 6)))
    return shifted(today, sign * count, unit)


def _quarter(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    number = number_of(re.sub(r"[第Qq季度]", "", m["quarter"]))
    return cal.quarter(today.year, number) if 1 <= number <= 4 else None


def _part(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    told = m["bare"]
    whole = cal.year(today.year) if told[0] == "年" else cal.month(today.year, today.month)
    return cal.part(whole, _PARTS[told])


def _day_number(m: re.Match[str], today: date, lean: Lean) -> Stretch | None:
    return cal.nearest_month_day(number_of(m["day"]), today, lean)


_YEAR = r"(?P<year>(?:(?:19|20)?\d\d|[一二][〇零○一二三四五六七八九]{3})年|前年|去年|今年|明年|来年|后年)"
RULES: tuple[tuple[str, re.Pattern[str], Reader], ...] = tuple(
    (name, re.compile(pattern), reader)
    for name, pattern, reader in (
        ("zh.numeric", r"(?<!\d)(?P<year>(?:19|20)\d\d)[-/.](?P<month>[01]?\d)[-/.](?P<day>[0-3]?\d)(?!\d)", _numeric),
        (
            "zh.absolute",
            rf"(?<![\d一二三四五六七八九十两个])(?:{_YEAR}的?)?(?P<month>{_N})月(?:份)?(?:(?P<day>{_N})[日号]|(?P<part>初|上旬|中旬|下旬|底|末)|(?!前|后|内|薪|租|费))",
            _absolute,
        ),
        ("zh.year", rf"(?<!\d){_YEAR}(?:度)?(?P<rest>上半年|下半年|第?[一二三四1-4]个?季度|[春夏秋冬](?:天|季)?|年?[初中底末](?!期))?", _year),
        ("zh.relative", rf"(?P<count>{_N}|半|几)个?(?P<unit>天|日|周|星期|礼拜|月|季度|年)(?P<more>半)?(?P<side>以前|之前|前|以后|之后|后)(?!期|续)", _relative),
        ("zh.named", rf"(?P<named>{'|'.join(sorted(_NAMED, key=len, reverse=True))})", _named),
        ("zh.weekday", r"(?P<which>上上|下下|上|下|本|这|)个?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天末])(?![年月期度])", _weekday),
        ("zh.unit", r"(?P<which>上上|下下|上|下|本|这|当)个?(?P<unit>周|星期|礼拜|月|季度)(?P<part>初|中旬|上旬|下旬|底|末)?(?!刊)", _unit),
        ("zh.half", r"(?P<half>上半年|下半年)", _half),
        ("zh.quarter", r"(?P<quarter>第?[一二三四]季度|[Qq][1-4])", _quarter),
        ("zh.part", r"(?P<bare>月底|月末|月初|月中(?!旬)|年底|年末|年初|年中)", _part),
        ("zh.day-number", rf"(?<![\d一二三四五六七八九十两月])(?P<day>{_N})号(?!楼|线|机|店|院|库|门|仓|位|厅|室|文|合同)", _day_number),
    )
)  # fmt: skip


def time_after(text: str, at: int) -> tuple[int, time | None] | None:
    """Where a time or part of the day that follows `at` ends, and the time if one is told."""
    m = _TIME.match(text, at)
    if m is not None:
        hour = number_of(m["hour"])
        minute = 30 if m["minute"] == "半" else int(m["minute"] or 0)
        if m["part"] in ("下午", "傍晚", "晚上", "晚") and hour < 12:
            hour += 12
        if hour < 24:
            return m.end(), time(hour, minute)
    part = _DAY_PART.match(text, at)
    return (part.end(), None) if part else None


__all__ = ["RULES", "Granularity", "number_of", "time_after"]
