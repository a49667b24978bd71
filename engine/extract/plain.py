"""A sentence as the rules read it: one space between words, Latin letters and digits in their usual width."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from muniment.engine.extract.wrapping import SOFT_BREAK

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
    """The text with each run of white space as one space, so that a name is found however it is set; none where a line was
    broken between two Han characters."""
    text = _WIDE_STOP.sub(".", text).translate(_WIDE)
    pieces: list[str] = []
    left_out: list[tuple[int, int]] = []
    last = length = gone = 0
    for gap in _GAP.finditer(text):
        space = "" if SOFT_BREAK in gap.group() and _is_within_han(text, gap) else " "
        pieces += [text[last : gap.start()], space]
        length += gap.start() - last + len(space)
        if gap.end() - gap.start() > len(space):
            gone += gap.end() - gap.start() - len(space)
            left_out.append((length, gone))
        last = gap.end()
    pieces.append(text[last:])
    return Plain("".join(pieces), tuple(left_out))


def _is_within_han(text: str, gap: re.Match[str]) -> bool:
    """Whether Chinese stands on both sides of a gap, marks included: there a break of the line is not even a space."""
    before, behind = text[: gap.start()][-1:], text[gap.end() :][:1]
    return all("\u2e80" <= side <= "\uffee" for side in (before, behind) if side)
