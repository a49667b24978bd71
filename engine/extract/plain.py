"""A sentence as the rules read it: one space between words, Latin letters and digits in their usual width."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_GAP = re.compile(r"[^\S\n]+")
_WIDE: Final = {
    ord(wide): ord(wide) - 0xFEE0
    for first, last in (("０", "９"), ("Ａ", "Ｚ"), ("ａ", "ｚ"))
    for wide in map(chr, range(ord(first), ord(last) + 1))
}
_WIDE_STOP = re.compile(r"(?<=[Ａ-Ｚａ-ｚ])．")


@dataclass(frozen=True, slots=True)
class Plain:
    """The text, and for each place in it at which some were left out, how many characters in all were by then."""

    text: str
    left_out: tuple[tuple[int, int], ...] = ()

    def place(self, at: int) -> int:
        """Where a character of the text stands in what was written."""
        return at + next((gone for place, gone in reversed(self.left_out) if place <= at), 0)


def plain(text: str) -> Plain:
    """The text with each run of white space as one space, so that a name is found however it is set."""
    text = _WIDE_STOP.sub(".", text).translate(_WIDE)
    pieces: list[str] = []
    left_out: list[tuple[int, int]] = []
    last = length = gone = 0
    for gap in _GAP.finditer(text):
        pieces += [text[last : gap.start()], " "]
        length += gap.start() - last + 1
        if gap.end() - gap.start() > 1:
            gone += gap.end() - gap.start() - 1
            left_out.append((length, gone))
        last = gap.end()
    pieces.append(text[last:])
    return Plain("".join(pieces), tuple(left_out))
