"""Which date of a sentence belongs to which statement, and what it says about when that holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from muniment.engine.extract.dates import DateSpan, Granularity, Role
from muniment.engine.extract.links import Link
from muniment.engine.ingest.language import has_han
from muniment.graph_schema.records import Says

GAP: Final = "en.open.gap"


@dataclass(frozen=True, slots=True, kw_only=True)
class Validity:
    """[valid_at, invalid_at) as far as the words tell."""

    valid_at: datetime | None = None
    invalid_at: datetime | None = None


def validity_of(link: Link, links: Sequence[Link], dates: Sequence[DateSpan], text: str = "") -> Validity:
    """The bounds that the sentence's dates give `link`. A clause of its own keeps its bounds to itself: "X, until May
    its chief, moved to Leeds"; in a Chinese `text` its end."""
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    for date in dates:
        if not _belongs(date, link, links) or _TELLS_WHICH.match(text, date.start):
            continue
        own = date.role is Role.UNTIL or (date.role in (Role.SINCE, Role.BETWEEN) and not has_han(text))
        first = min(link.subject.end, link.object.start) if has_han(text) else link.object.start
        inset = has_han(text) or _CLAUSE_MARK.search(text, 0, date.start) is not None
        elsewhere = has_han(text) and date.role is Role.AT and date.start >= max(link.object.end, link.anchor)
        if (own or elsewhere) and inset and not _is_told_of(date, (first, link.object.end), text, link.anchor):
            continue
        if date.role is Role.BETWEEN:
            valid_at, invalid_at = date.since, date.until
        elif date.role is Role.UNTIL:
            # "until 1 May" ends when that day begins to be past; a month or year is counted whole
            invalid_at = date.until if date.granularity is not Granularity.HOUR else date.since
        elif date.role in (Role.SINCE, Role.AFTER):
            valid_at = date.since if date.role is Role.SINCE else date.until
        elif date.role is Role.AT:
            if link.stance.says is Says.ENDED:
                invalid_at = date.since
            else:
                valid_at = date.since
                if _is_of_that_time(link, date, text):
                    invalid_at = date.until
    if link.stance.says is Says.ENDED and invalid_at is None and valid_at is not None:
        # "since May no longer with Acme": the date is that of the end
        return Validity(invalid_at=valid_at)
    return Validity(valid_at=valid_at, invalid_at=invalid_at)


_PAST_QUARTER: Final = re.compile(r"上(?:一|个)?(?:个)?季度|(?:last|previous|prior) quarter", re.IGNORECASE)
_CHANGED: Final = re.compile(
    r"[升调改涨降加减增]|变|(?:rais|rose|rise|increas|cut|drop|fell|chang|adjust|reduc|lower|went|grew|mov)",
    re.IGNORECASE,
)


def _is_of_that_time(link: Link, date: DateSpan, text: str) -> bool:
    """Whether a figure is one of a quarter that is over ("last quarter's revenue was 5m") and says nothing of the time after it;
    what was changed then stays."""
    is_figure = link.object.is_value and link.object.type in ("money", "quantity")
    return is_figure and _PAST_QUARTER.search(text, date.start, date.end) is not None and _CHANGED.search(text) is None


def stated_validity(dates: Sequence[DateSpan], but: tuple[int, int], text: str) -> Validity:
    """The bounds that since, until and from-to give to what stands at `but` in `text`; a bare date gives none.

    Dates within `but` are left out, and those of a clause that says something else of its own.
    """
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    for date in dates:
        if (date.start < but[1] and but[0] < date.end) or not _is_told_of(date, but, text):
            continue
        if date.role is Role.BETWEEN:
            valid_at, invalid_at = date.since, date.until
        elif date.role is Role.SINCE:
            valid_at = date.since
        elif date.role is Role.UNTIL:
            invalid_at = date.until
    return Validity(valid_at=valid_at, invalid_at=invalid_at)


_TELLS_WHICH: Final = re.compile(r"dated\b", re.IGNORECASE)  # "the agreement dated 2 May" is no statement of that day
_CLAUSE_MARK: Final = re.compile(r"[，；;。]|,(?!\d)")
_WORD: Final = re.compile(r"[\u4e00-\u9fff]|[^\W\d_\u4e00-\u9fff]+")
_INSET: Final = re.compile(r"\s*(?:a|an|the|our|its|his|her|their|which|who|whose|then)\b", re.IGNORECASE)
_BARE: Final = 3
"""A clause with no more words beside its date than this only says when: "from May on," "自5月起，"."""


def _is_told_of(date: DateSpan, what: tuple[int, int], text: str, anchor: int = -1) -> bool:
    before = [m.end() for m in _CLAUSE_MARK.finditer(text, 0, date.start)]
    behind = _CLAUSE_MARK.search(text, date.end)
    start, end = before[-1] if before else 0, behind.start() if behind else len(text)
    if (what[0] < end and start < what[1]) or start <= anchor < end:
        return True
    if has_han(text) and sum(what[1] <= mark <= date.start for mark in before) > 1:
        return False  # a clause that only says when goes with the one right before it
    if before and behind and _INSET.match(text, start):
        return False  # "Ana Ruiz, a customer since 2019, reports to …"
    return len(_WORD.findall(text[start : date.bare_start] + text[date.end : end])) <= _BARE


def _belongs(date: DateSpan, link: Link, links: Sequence[Link]) -> bool:
    if link.object.start < date.end and date.start < link.object.end:
        return False  # the date is what the statement says
    # What merely stands between two names draws no date from what is said in so many words.
    told = [other for other in links if other.rule != GAP] if link.rule != GAP else links
    anchors = sorted({other.anchor for other in told})
    before = [anchor for anchor in anchors if anchor < date.start]
    if not before:
        return link.anchor == anchors[0]
    if date.role in (Role.SINCE, Role.UNTIL, Role.BETWEEN) and date.end >= _last_end(links):
        return True  # a clause of validity at the end covers all that was said
    return link.anchor == before[-1]


def _last_end(links: Sequence[Link]) -> int:
    return max(max(link.subject.end, link.object.end) for link in links)
