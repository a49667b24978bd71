"""Lines that a mail program broke to fit: which ends of lines are no more than a space.

A paragraph counts as broken so where it ends as prose does, most of its lines had no room for the next one's first word, and some
show that they go on: the next begins with a small letter, or the line ends with a word that ends no sentence or within one that is
not its first. Of Chinese no line had room.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.engine.ingest.language import has_han

SOFT_BREAK: Final = "\u2028"
"""Stands for such an end of a line; one character as the break itself, so that offsets stay."""

_LEAST_WIDTH: Final = 45  # of the longest line, in columns; lines of notes and addresses are shorter
_MOST_WIDTH: Final = 110
_LINE: Final = re.compile(r"[^\n]+")
_STARTS_ANEW: Final = re.compile(
    r"\s*(?:[-*+•·–—▪◦●○>|#\[]|\d{1,2}[.)、](?!\d)|[(（]\d{1,2}[)）]|[一二三四五六七八九十]{1,2}、|第[一二三四五六七八九十百\d]{1,5}[条章节款]"
    r"|[A-Za-z\u4e00-\u9fff][\w \u4e00-\u9fff/&()-]{0,30}?(?::\s|：)|\S+@\S+$|https?://)"
)
_ENDED: Final = re.compile(r"[.!?:;。！？：；…][\"”’」』）)]*\s*$")
_PROSE_END: Final = re.compile(r"[.!?:,。！？：，…][\"”’」』）)]*\s*$")
_MONTH: Final = re.compile(r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?,?\s*$")
_NEXT: Final = re.compile(r"[a-z]{2}[.!?] +[A-Z]")
# Behind these a sentence goes on.
_UNDONE: Final = re.compile(
    r"(?:,|，|、|\b(?:a|an|the|of|to|in|at|on|for|from|with|by|and|or|but|as|that|which|who|is|are|was|were|be|has|have|had|will|would|our|their|his|her|its|my|your|this|not))\s*$",
    re.IGNORECASE,
)


def unwrapped(text: str) -> str:
    """The text with each break that only fits a line to a width as `SOFT_BREAK`, all else and all offsets as they are."""
    breaks = [at for paragraph in _paragraphs(text) for at in _soft_breaks(text, paragraph)]
    if not breaks:
        return text
    out = list(text)
    for at in breaks:
        out[at] = SOFT_BREAK
    return "".join(out)


def _paragraphs(text: str) -> Iterator[list[tuple[int, int]]]:
    """Runs of lines that follow each other, without blank ones, lists, headings and lines of `key: value`."""
    run: list[tuple[int, int]] = []
    for match in _LINE.finditer(text):
        line = match.group()
        follows = run and match.start() == run[-1][1] + 1
        if not line.strip() or not follows or (_STARTS_ANEW.match(line) and not line[:1].islower()):
            if len(run) > 1:
                yield run
            run = []
        if line.strip():
            run.append(match.span())
    if len(run) > 1:
        yield run


def _soft_breaks(text: str, lines: list[tuple[int, int]]) -> list[int]:
    written = [text[start:end] for start, end in lines]
    widths = [_columns(line) for line in written]
    widest = max(widths)
    if not _LEAST_WIDTH <= widest <= _MOST_WIDTH or not _PROSE_END.search(written[-1]):
        return []
    pairs = list(zip(written, written[1:], widths, strict=False))
    goes_on = [not _ENDED.search(line) and _goes_on(line, after) for line, after, _ in pairs]
    full = [width + _columns(_first_word(after)) >= widest - _slack(after) for _, after, width in pairs]
    if has_han(written[0]):
        soft = full if all(full) else [False] * len(full)
    elif (any(goes_on) or any(map(_is_within_prose, written[:-1]))) and sum(full) * 2 >= len(full):
        soft = [one or other for one, other in zip(goes_on, full, strict=True)]
    else:
        return []
    return [
        end
        for (_, end), line, is_soft in zip(lines, written, soft, strict=False)
        if is_soft and not _ENDED.search(line)
    ]


def _goes_on(line: str, after: str) -> bool:
    """Whether a line ends where no sentence does, or the next begins where none begins."""
    in_a_date = _MONTH.search(line) is not None and re.match(r"\s*(?:19|20)\d\d\b", after) is not None
    return after.lstrip()[:1].islower() or _UNDONE.search(line) is not None or in_a_date


def _is_within_prose(line: str) -> bool:
    """Whether one sentence ends within a line and the next is left open at its end."""
    return _NEXT.search(line) is not None and not _ENDED.search(line)


def _columns(text: str) -> int:
    """How wide a text is set; a Han character takes two columns."""
    return len(text.rstrip()) + sum("\u2e80" <= c <= "\uffee" for c in text)


def _first_word(line: str) -> str:
    """What would have had to fit on the line before: with Han a character, else a word and its space."""
    word = line.split()[0]
    return word[:1] if has_han(word[:1]) else f" {word}"


def _slack(line: str) -> int:
    """Marks that may not begin a line pull a character down: two columns of room for Han, none else."""
    return 2 if has_han(line[:1]) else 0
