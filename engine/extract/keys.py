"""Keys by which wordings are compared: the stems of their words."""

from __future__ import annotations

import re

from muniment.engine.ingest.terms import fold, stem

Key = tuple[str, ...]

_WORD = re.compile(r"\*|[^\W_]+(?:['’-][^\W_]+)*")
_DROPPED = frozenset("a an the our their its his her my your this that these those one's".split())


def stem_key(text: str) -> Key:
    """The stems of a wording's words, without articles and possessives."""
    return tuple(stem(word) for word in _WORD.findall(fold(text)) if word not in _DROPPED)
