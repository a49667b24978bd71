"""How many tokens a text takes, as far as one can tell without a tokenizer."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import Final

from muniment.graph_schema.errors import Invalid

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


def counter_named(name: str) -> TokenCounter:
    """The counter that `module:function` names, as a setting does; imported now.

    Raises Invalid where it cannot be imported, or does not give a whole number for a text.
    """
    module, mark, function = name.partition(":")
    try:
        count: TokenCounter = getattr(import_module(module), function) if mark else estimate_tokens
        told = count("One line of a block.") if mark else None
    except Exception as cause:  # whatever somebody else's module raises while it loads
        raise Invalid(f"count_tokens is {name!r}, which cannot be used: {cause}", field="count_tokens") from cause
    if type(told) is not int or told < 1:
        raise Invalid(
            f"count_tokens is {name!r}: name a function that gives the tokens of a text, as module:function",
            field="count_tokens",
        )
    return count
