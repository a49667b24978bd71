"""Where the sentences of a text begin and end."""

from __future__ import annotations

import re
from collections.abc import Iterator

# After these a full stop does not end a sentence. Companies' and people's titles matter most here: a cut after
# "Dr." would part a name.
_ABBREVIATIONS = frozenset(
    """
    mr mrs ms dr prof sr jr st mt rev hon capt col gen lt sgt maj gov sen rep pres inc ltd co corp bros llc plc no nos
    vs v e.g i.e eg ie cf approx est dept fig ext tel al p pp ch art sec para cl vol ed jan feb mar apr jun jul aug sep
    sept oct nov dec a.m p.m u.s u.k
    """.split()
)
_END = re.compile(r"[。！？；]+[”’」』）\"]*|[.!?]+[\"”’)]*(?=\s|$)|\n+")
_BEFORE = re.compile(r"(\S+)$")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """(start, end) of every sentence, without the white space around it, in order.

    A line break ends a sentence. A full stop does not after an initial ("J. Roe"), an abbreviation or inside a number.
    """
    return list(_spans(text))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _END.finditer(text):
        if _is_abbreviation(text[start : match.start()], match.group(), text[match.end() : match.end() + 2]):
            continue
        yield from _trim(text, start, match.end())
        start = match.end()
    yield from _trim(text, start, len(text))


def _is_abbreviation(before: str, mark: str, after: str) -> bool:
    if mark in (".", "!") and after[1:].islower() and after[:1] == " " and after[1:].isascii():
        return True  # "Burnley F.C. is", "Let's Go! was": a sentence does not begin in lower case
    if mark != ".":
        return False
    word = _BEFORE.search(before)
    if word is None:
        return False
    last = word.group().lstrip("(\"“'")
    if last.casefold() in _ABBREVIATIONS:
        return bool(after.strip())
    return len(last) == 1 and last.isupper() and last != "I"


def _trim(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if end > start:
        yield start, end
