"""Finds dates in a text and tells what each does: when something was, since when, until when."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from muniment.engine.extract.dates import chinese, english
from muniment.engine.extract.dates.calendar import Clock, Granularity, Lean, Stretch
from muniment.engine.ingest.language import has_han


class Role(StrEnum):
    """How a date binds the statement it stands in."""

    AT = "at"
    SINCE = "since"
    UNTIL = "until"
    BETWEEN = "between"
    BY = "by"  # a deadline: says nothing about when the statement holds
    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True, kw_only=True)
class DateSpan:
    """A date in a text; `start` and `end` are its offsets with the words that give its role, `bare_start` without them.

    The stretch of time is [since, until) in UTC, as fine as `granularity`.
    """

    start: int
    end: int
    bare_start: int
    since: datetime
    until: datetime
    granularity: Granularity
    role: Role
    rule: str


# The words before a date that tell its role, longest first.
_EN_ROLES: tuple[tuple[Role, re.Pattern[str]], ...] = tuple(
    (role, re.compile(rf"(?:^|[\s,(\[;–-])[\s(\[]*({words})\s*(?:the\s+)?$", re.IGNORECASE))
    for role, words in (
        (Role.SINCE, r"(?:is |are |was |been )?(?:in effect|in force|effective|valid|applicable|with effect|starting|beginning|commencing)(?:\s+(?:since|from|as of|as from|on|in))?"),
        (Role.SINCE, r"ever since|since|as of|as from|as at|from|(?:starts|started|begins|began|starting|effective)(?:\s+(?:on|in|from))?"),
        (Role.UNTIL, r"(?:valid|in force|in effect|lasting|runs|running|extended)?\s*(?:until|till|up to|through|thru|expires? (?:on|in)|expiring (?:on|in)|ending (?:on|in)|ends (?:on|in)|to the end of)"),
        (Role.BY, r"by|no later than|not later than|at the latest by|due(?: on)?|due by|before the deadline of"),
        (Role.BEFORE, r"before|prior to"),
        (Role.AFTER, r"after|following"),
        (Role.AT, r"on|in|at|during|over|for|around|about|dated|of"),
    )
)  # fmt: skip
_EN_BRIDGE = re.compile(r"\s*(?:to|until|till|through|and|–|—|-)\s*(?:the\s+)?", re.IGNORECASE)
_EN_OPEN = re.compile(r"(?:^|[\s,(])(from|between)\s+(?:the\s+)?$", re.IGNORECASE)
_ZH_SINCE_AFTER = re.compile(r"\s*(?:起|开始|以来|至今|之后一直|起生效|生效|后生效)")
_ZH_SINCE_BEFORE = re.compile(r"(自从|自|从|打)$")
_ZH_UNTIL_BEFORE = re.compile(r"(截至|截止到?|直到|有效期至|有效期到|期限至|至|到|延长至|延长到)$")
# At the head of a clause of its own this says when the rest was counted: 截至3月5日，共有……
_ZH_AS_OF = re.compile(r"(?:^|[，,。；;：:\s（(])(?:截至|截止到?)$")
_ZH_AS_OF_ENDS = re.compile(r"[日号\d时分]?[^，,。；;的]{0,6}?[，,]")
_ZH_UNTIL_AFTER = re.compile(r"\s*(?:为止|到期|止|截止|期满|失效)")
_ZH_BY_AFTER = re.compile(r"\s*(?:之前|以前|前)(?!台|期|端)")
_ZH_AFTER_AFTER = re.compile(r"\s*(?:之后|以后|后)(?!台|期|端|续)")
_ZH_BRIDGE = re.compile(r"\s*(?:到|至|—|–|-|~|～)\s*")


def find_dates(text: str, *, lang: str, clock: Clock, lean: Lean = Lean.NEAREST) -> list[DateSpan]:
    """The dates of a text in their order, none overlapping another.

    `lean` says where a date without a year is looked for if no word of its own (since, until) tells.
    """
    bare = sorted(_bare(text, lang, clock, lean), key=lambda span: span.start)
    spans = [_with_role(span, text, lang, clock) for span in bare]
    return list(_joined(spans, text, lang))


_LATIN = re.compile(r"[A-Za-z]{2}")


def dates_of(text: str, *, lang: str, clock: Clock) -> list[DateSpan]:
    """The dates of a sentence; of one in two languages also those that only the other language reads, or says the role of."""
    own = find_dates(text, lang=lang, clock=clock)
    if not (has_han(text) and _LATIN.search(text)):
        return own
    for other in find_dates(text, lang="en" if lang == "zh" else "zh", clock=clock):
        same = [span for span in own if span.start < other.end and other.start < span.end]
        if not same or (other.role is not Role.AT and all(span.role is Role.AT for span in same)):
            own = [span for span in own if span not in same] + [other]
    return sorted(own, key=lambda span: span.start)


def _bare(text: str, lang: str, clock: Clock, lean: Lean) -> Iterator[DateSpan]:
    taken: list[tuple[int, int]] = []
    rules = chinese.RULES if lang == "zh" else english.RULES
    for rule, pattern, _ in rules:
        for match in pattern.finditer(text):
            start, end = _visible(match)
            if any(start < b and a < end for a, b in taken):
                continue
            span = _read(rule, match, text, lang, clock, lean)
            if span is not None:
                taken.append((span.start, span.end))
                yield span


def _visible(match: re.Match[str]) -> tuple[int, int]:
    """The match without the white space at its ends."""
    found = match.group()
    return match.start() + len(found) - len(found.lstrip()), match.end() - (len(found) - len(found.rstrip()))


def _read(rule: str, match: re.Match[str], text: str, lang: str, clock: Clock, lean: Lean) -> DateSpan | None:
    reader = next(r for name, _, r in (chinese.RULES if lang == "zh" else english.RULES) if name == rule)
    start, end = _visible(match)
    stretch = _stretch(reader, match, clock, _lean(text, start, end, lang, lean))
    if stretch is None:
        return None
    time_found = chinese.time_after(text, end) if lang == "zh" else english.time_after(text, end)
    if time_found is not None and stretch.granularity is Granularity.DAY:
        end, hour = time_found
        stretch = replace(stretch, hour=hour, granularity=Granularity.HOUR) if hour else stretch
    since, until = clock.interval(stretch)
    return DateSpan(
        start=start, end=end, bare_start=start, since=since, until=until, granularity=stretch.granularity,
        role=Role.AT, rule=rule,
    )  # fmt: skip


def _stretch(reader: english.Reader, match: re.Match[str], clock: Clock, lean: Lean) -> Stretch | None:
    try:
        return reader(match, clock.today, lean)
    except (ValueError, OverflowError):  # numbers that make no date: 2024-13-40, a thousand years ahead
        return None


def _lean(text: str, start: int, end: int, lang: str, default: Lean) -> Lean:
    role = _role_before(text, start, lang)[0] if lang != "zh" else _zh_role(text, start, end)[0]
    if role is Role.SINCE:
        # "from 1 May" in an announcement may lie ahead; "since" never does.
        word = text[max(0, start - 12) : start].casefold()
        return Lean.PAST if "since" in word or (lang == "zh" and "起" not in text[end : end + 3]) else default
    if role in (Role.UNTIL, Role.BY):
        return Lean.FUTURE
    return default


def _with_role(span: DateSpan, text: str, lang: str, clock: Clock) -> DateSpan:
    if lang == "zh":
        role, start, end = _zh_role(text, span.start, span.end)
        return replace(span, role=role, start=start, end=end)
    role, start = _role_before(text, span.start, lang)
    if role is Role.AT and text[span.start : span.end].lower().startswith(
        ("on the", "since the", "until the", "by the", "from the")
    ):
        word = text[span.start : span.end].split()[0].lower()
        role = {"since": Role.SINCE, "from": Role.SINCE, "until": Role.UNTIL, "by": Role.BY}.get(word, Role.AT)
    return replace(span, role=role, start=start)


def _role_before(text: str, start: int, lang: str) -> tuple[Role, int]:
    before = text[:start]
    for role, pattern in _EN_ROLES:
        match = pattern.search(before)
        if match:
            return role, match.start(1)
    return Role.AT, start


def _zh_role(text: str, start: int, end: int) -> tuple[Role, int, int]:
    before, after = text[:start], text[end:]
    since = _ZH_SINCE_AFTER.match(after)
    opened = _ZH_SINCE_BEFORE.search(before)
    if since:
        return Role.SINCE, opened.start(1) if opened else start, end + since.end()
    if _ZH_AS_OF.search(before) and _ZH_AS_OF_ENDS.match(after):
        return Role.AT, start, end
    closing = _ZH_UNTIL_AFTER.match(after)
    until = _ZH_UNTIL_BEFORE.search(before)
    if closing or (until and not opened):
        return Role.UNTIL, until.start(1) if until else start, end + (closing.end() if closing else 0)
    for role, pattern in ((Role.BY, _ZH_BY_AFTER), (Role.AFTER, _ZH_AFTER_AFTER)):
        match = pattern.match(after)
        if match:
            return role, start, end + match.end()
    if opened:
        return Role.SINCE, opened.start(1), end
    return Role.AT, start, end


def _joined(spans: Sequence[DateSpan], text: str, lang: str) -> Iterator[DateSpan]:
    """Two dates with "to" between them are one stretch, if something before opens it: `from A to B`."""
    at = 0
    while at < len(spans):
        here = spans[at]
        there = spans[at + 1] if at + 1 < len(spans) else None
        if there is not None and _opens(here, there, text, lang):
            yield replace(
                here, end=there.end, until=max(there.until, here.until), role=Role.BETWEEN, granularity=here.granularity
            )
            at += 2
            continue
        yield here
        at += 1


def _opens(here: DateSpan, there: DateSpan, text: str, lang: str) -> bool:
    if there.since < here.since:
        return False
    if lang == "zh":
        between = text[here.end : there.bare_start]
        return bool(_ZH_BRIDGE.fullmatch(between)) and here.role in (Role.SINCE, Role.AT)
    bridge = text[here.end : there.bare_start]
    opener = _EN_OPEN.search(text[: here.bare_start])
    return bool(_EN_BRIDGE.fullmatch(bridge)) and (opener is not None or bridge.strip() in ("-", "–", "—"))
