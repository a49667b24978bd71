"""How many tokens a text takes, as far as one can tell without a tokenizer."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

TokenCounter = Callable[[str], int]
"""Gives the tokens of a text; plug a model's own tokenizer in here."""

_CHARS_PER_TOKEN: Final = 4  # usual for English in today's tokenizers
# Ideographs, kana, hangul and full-width marks: about one token each, where four letters make one.
_WIDE: Final = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003fffd]")


def estimate_tokens(text: str) -> int:
    """Tokens by rule: one for each CJK character, one for each four other characters, rounded up.

    >>> estimate_tokens("four"), estimate_tokens("fours"), estimate_tokens("王小明 ok")
    (1, 2, 4)
    """
    wide = 0 if text.isascii() else len(_WIDE.findall(text))
    return wide + -(-(len(text) - wide) // _CHARS_PER_TOKEN)
