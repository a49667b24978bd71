"""One key for all ways to write a name: by it entities are stored and looked up."""

from __future__ import annotations

import re
from functools import lru_cache

from muniment.graph_schema.ids import fold

_DASHES = re.compile(r"[\u2010-\u2015\u2212\u30fb]")
_QUOTES = re.compile(r"[\u2018\u2019\u02bc\u0060\u00b4]")
_EDGE = " \t\"'“”„«»‹›「」『』《》()（）[]【】,;:!?，。；：！？、"
_CJK_GAP = re.compile(r"(?<=[\u3400-\u9fff\u3040-\u30ff]) (?=[\u3400-\u9fff\u3040-\u30ff])")


@lru_cache(2_048)
def spelling_key(name: str) -> str:
    """The name folded (NFKC, case), with one kind of dash and quote, and without marks at its edges.

    Words, digits and marks inside stay, so that `Room 101` and `Room 102` differ.
    """
    text = _QUOTES.sub("'", _DASHES.sub("-", fold(name)))
    text = _CJK_GAP.sub("", text).strip(_EDGE)
    if text.endswith(".") and text.count(".") == 1:
        text = text[:-1]
    return text or fold(name)
