"""Long texts cut at sentence borders."""

from __future__ import annotations

import re
from typing import Final

from muniment.engine.assemble.tokens import TokenCounter

# After a full stop that is followed by space, or after a CJK one; a bare line break ends a sentence too.
_BORDER: Final = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])|\n+")
_MIN_TOKENS: Final = 12  # less than this says nothing that is worth its line


def shorten(text: str, room: int, count_tokens: TokenCounter) -> str | None:
    """The leading whole sentences of `text` within `room` tokens, ending in `…`; None where nothing useful fits.

    Where not even the first sentence fits it is cut between words.
    """
    if room < _MIN_TOKENS:
        return None
    ends = [match.start() for match in _BORDER.finditer(text) if match.start() > 0]
    best = _longest(text, ends, room, count_tokens)
    if best is None:
        spaces = [match.start() for match in re.finditer(r"\s|(?<=[\u2e80-\u9fff])", text) if match.start() > 0]
        best = _longest(text, spaces, room, count_tokens)
    return None if best is None else text[:best].rstrip() + " …"


def _longest(text: str, ends: list[int], room: int, count_tokens: TokenCounter) -> int | None:
    """The greatest of the rising `ends` up to which the text fits."""
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high) // 2
        if count_tokens(text[: ends[middle]] + " …") <= room:
            low = middle + 1
        else:
            high = middle
    return ends[low - 1] if low else None
