"""Names that only the sentence shows whole: titles with small words in them, in front of a verb of one thing.

What a preposition brings is no subject, and two things take a plural verb: in "Rust and Tallow was written by X" and "Notes for a Winter
was written by X" everything in front of the verb is the name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from muniment.engine.extract.english import words
from muniment.engine.extract.mentions import Mention
from muniment.engine.ports.models import Analysis, Token

_RULE: Final = "en.name.run"
_MAX_WORDS: Final = 7
# One thing is told of: "was written by", "is known for", "has been made by"; no copula before another name.
_OF_ONE: Final = re.compile(r"\s+(?:was|is|has been|had been)\s+(?:\w+ly\s+)?(?!a\b|an\b|the\b)[a-z]+\b")
_BRINGS: Final = frozenset("of for to in on with from by at as about without".split())
_JOINS: Final = frozenset({"and", "or"})
_OWNERS: Final = frozenset("my your his her its our their".split())
_ARTICLES: Final = frozenset({"a", "an", "the"})
_WORD: Final = re.compile(r"\S+")


_TITLE: Final = re.compile(
    r"(?:(?:[A-Z0-9][\w’'.&-]*[!?]?|of|for|to|in|on|with|from|by|at|as|about|without|and|or|a|an|the)\s+){2,8}?(?=(?:was|is|has been) [a-z]+)"
)


_SMALL: Final = frozenset(
    """
    me you my your us our it its do to be am are not that this what when how why so if today tomorrow yesterday now then here
    there together never always again away forever alone
    """.split()
)


def whole_titles(text: str, analysis: Analysis, names: Sequence[Mention]) -> list[Mention]:
    """The names, those at the end of such a title grown to all of it; names within it are gone."""
    tags = {token.start: token for token in analysis.tokens}
    starts = {start for start, _ in analysis.sentences}
    grown: dict[int, Mention] = {}
    for mention in names:
        start = _start(text, mention, tags, starts)
        if start is not None:
            grown[start] = replace(
                mention, start=start, text=text[start : mention.end], type="", sure=False, rule=_RULE
            )
    for start in sorted(starts):
        title = _spelled_as_title(text, start)
        if title is not None:
            grown[start] = title
    kept = [m for m in names if not any(g.start <= m.start and m.end <= g.end for g in grown.values())]
    return sorted((*kept, *grown.values()), key=lambda m: m.start)


def _spelled_as_title(text: str, start: int) -> Mention | None:
    """The words before a verb of one thing, where a small word among them has a capital, which only titles give it."""
    match = _TITLE.match(text, start)
    if match is None:
        return None
    title = match.group().rstrip()
    parts = title.split()
    if not any(word[0].isupper() and word.casefold() in _SMALL for word in parts[1:]) and title[-1] not in "!?":
        return None
    return Mention(start=start, end=start + len(title), text=title, rule=_RULE)


def _start(text: str, mention: Mention, tags: Mapping[int, Token], starts: set[int]) -> int | None:
    """Where the title begins that the mention ends; None where the mention is whole."""
    if mention.sure or mention.is_value or mention.identifiers or not _OF_ONE.match(text, mention.end):
        return None
    begin = max((start for start in starts if start < mention.start), default=None)
    if begin is None:
        return None
    lead = [(begin + m.start(), m.group()) for m in _WORD.finditer(text[begin : mention.start])]
    if not 0 < len(lead) < _MAX_WORDS or not all(_can_stand_in_one(word) for _, word in lead):
        return None
    if lead[0][1].isdigit() and len(lead) == 1:
        return begin  # 8 Tall Ships is known for
    inner = [word.casefold() for _, word in lead if word.casefold() not in _ARTICLES | _OWNERS]
    if not inner or inner[-1] not in _BRINGS | _JOINS or lead[0][1].casefold() in words.ROLE_HEADS:
        return None
    first = tags.get(begin)
    is_name = first is not None and first.pos == "PROPN"
    is_bare = not any((t := tags.get(at)) is not None and t.pos in ("NOUN", "PROPN", "NUM") for at, _ in lead)
    return begin if is_name or is_bare else None


def _can_stand_in_one(word: str) -> bool:
    return word[0].isupper() or word.isdigit() or word in _BRINGS | _JOINS | _ARTICLES
