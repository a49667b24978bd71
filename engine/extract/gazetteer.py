"""Names that the tenant or the episode knows already, found again in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from muniment.engine.extract.mentions import Mention

Meanings = Mapping[str, tuple[tuple[str, str], ...]]

MAX_WORDS = 5
MAX_HAN = 8
_WORD = re.compile(r"[^\W_](?:[\w.&’'+-]*[^\W_])?")
_HAN_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]{2,}")


def name_keys(text: str) -> Iterator[str]:
    """Every folded stretch of a text that could be a known name: up to 5 words, or 2 to 8 Chinese characters."""
    for start, end in _stretches(text):
        yield text[start:end].casefold()


def known_mentions(text: str, known: Meanings) -> list[Mention]:
    """The known names that stand in a text, longest first, none overlapping another; with a type where all meanings agree."""
    if not known:
        return []
    found = [(s, e) for s, e in _stretches(text) if text[s:e].casefold() in known]
    kept: list[Mention] = []
    for start, end in sorted(found, key=lambda span: span[0] - span[1]):
        if any(start < m.end and m.start < end for m in kept):
            continue
        name = text[start:end]
        types = {type_ for _, type_ in known[name.casefold()] if type_}
        kept.append(
            Mention(
                start=start, end=end, text=name, type=next(iter(types)) if len(types) == 1 else "", rule="name.known"
            )
        )
    return sorted(kept, key=lambda m: m.start)


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    words = list(_WORD.finditer(text))
    for first, word in enumerate(words):
        if "\u4e00" <= word.group()[0] <= "\u9fff":
            continue
        end = word.end()
        for last in range(first, min(first + MAX_WORDS, len(words))):
            if last > first and not _is_gap(text[words[last - 1].end() : words[last].start()]):
                break
            end = _without_possessive(text, words[last].end())
            if _looks_like_name(text[word.start() : end], last - first + 1):
                yield word.start(), end
    for run in _HAN_RUN.finditer(text):
        yield from _han_stretches(run.start(), run.end())


def _han_stretches(start: int, end: int) -> Iterator[tuple[int, int]]:
    for first in range(start, end - 1):
        for last in range(first + 2, min(first + MAX_HAN, end) + 1):
            yield first, last


def _is_gap(between: str) -> bool:
    return between in (" ", "-", " & ", ", ", "/", ". ", " - ")


def _without_possessive(text: str, end: int) -> int:
    return end - 2 if text[end - 2 : end] in ("'s", "’s") else end


def _looks_like_name(piece: str, words: int) -> bool:
    """A lone word in lower case is a common word, whatever the tenant calls so."""
    return words > 1 or not piece.islower() or any(char.isdigit() for char in piece)


def as_meanings(names: Sequence[Mention]) -> Meanings:
    """The names of an episode in the form in which a tenant's are known."""
    return {m.text.casefold(): ((m.text, m.type),) for m in names if not m.is_value and len(m.text) > 1}
