"""Where the sentences of a text begin and end."""

from __future__ import annotations

import re
from collections.abc import Iterator

from muniment.engine.ingest.stopwords import ENGLISH

# After these a full stop does not end a sentence. Companies' and people's titles matter most here: a cut after
# "Dr." would part a name.
_ABBREVIATIONS = frozenset(
    """
    mr mrs ms dr prof sr jr st mt rev hon capt col gen lt sgt maj gov sen rep pres inc ltd co corp bros llc plc no nos
    vs v e.g i.e eg ie cf approx est dept fig ext tel al p pp ch art sec para cl vol ed jan feb mar apr jun jul aug sep
    sept oct nov dec a.m p.m u.s u.k
    """.split()
)
# The last words of firms. Behind them a name goes on ("Acme Co. Ltd"), and a sentence may end.
_FORMS = frozenset("inc ltd co corp bros llc plc llp".split())
_NAMES_TOO = frozenset({"will", "may", "can", "an", "do", "no", "so", "of", "and", "for"})
_BEFORE_PRONOUN = frozenset("and or than as is was am are were be not it but so did do should would will".split())
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
        if _is_abbreviation(text[start : match.start()], match.group(), text[match.end() : match.end() + 40]):
            continue
        yield from _trim(text, start, match.end())
        start = match.end()
    yield from _trim(text, start, len(text))


def _is_abbreviation(before: str, mark: str, after: str) -> bool:
    if mark in (".", "!") and after[1:2].islower() and after[:1] == " " and after[1:2].isascii():
        return True  # "Burnley F.C. is", "Let's Go! was": a sentence does not begin in lower case
    if mark != ".":
        return False
    word = _BEFORE.search(before)
    if word is None:
        return False
    last = word.group().lstrip("(\"“'")
    if last.casefold() in _ABBREVIATIONS:
        return bool(after.strip()) and not (last.casefold() in _FORMS and _begins_anew(after))
    if last == "I":
        return _is_initial_i(before[: word.start()], after)
    return len(last) == 1 and last.isupper()


def _begins_anew(after: str) -> bool:
    """Whether the next word begins a sentence: "joined Acme Corp. In May she left", "sold to Roe Ltd. The price was low"."""
    follows = re.match(r"\s+([A-Z][a-z]*)\b", after)
    word = follows.group(1) if follows else ""
    return word in ("A", "I") or (len(word) > 1 and word.casefold() in ENGLISH - _NAMES_TOO)


def _is_initial_i(before: str, after: str) -> bool:
    """Whether "I." is somebody's initial: a name follows, and nothing stands before it that the pronoun stands behind."""
    follows = re.match(r" ([A-Z][\w’'-]+)", after)
    ahead = before.split()[-1].casefold() if before.split() else ""
    return follows is not None and follows.group(1).casefold() not in ENGLISH and ahead not in _BEFORE_PRONOUN


def _trim(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if end > start:
        yield start, end
