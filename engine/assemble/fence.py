"""Markers around stored text that stored text cannot forge.

A block's markers carry a random word made for that block alone. Whoever wrote a memory earlier cannot know it, and
what a memory says is indented and stripped of marker signs besides, so that it can end neither the block nor a line.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from typing import Final

NonceSource = Callable[[], str]

_OPEN: Final = "<<memory "
_CLOSE: Final = "<<end of memory "
_CONTINUATION: Final = "\n  "
# Control characters, and marks that reorder or hide text: nothing readable is lost.
_INVISIBLE: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_LINE_BREAK: Final = re.compile(r"\s*(?:\r\n|[\n\r\u2028\u2029\x85])\s*")


def random_nonce() -> str:
    """Eight unguessable bytes in hexadecimal."""
    return secrets.token_hex(8)


def opening(nonce: str) -> str:
    """The line that opens a block."""
    return f"{_OPEN}{nonce}>>"


def closing(nonce: str) -> str:
    """The line that closes a block."""
    return f"{_CLOSE}{nonce}>>"


def as_data(text: str, *, one_line: bool = False) -> str:
    """`text` as it may stand inside a block: no marker signs, no line that begins at the margin.

    With `one_line` line breaks become spaces, for names and sources.
    """
    lines = [_INVISIBLE.sub("", line) for line in _LINE_BREAK.split(text.strip())]
    joined = (" " if one_line else _CONTINUATION).join(line for line in lines if line)
    return joined.replace("<<", "‹‹").replace(">>", "››")
