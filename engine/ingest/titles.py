"""A title as texts and questions give it: without what stands in brackets to tell namesakes apart, without marks and accents.

"Harrow Lane (2009 film)" is called Harrow Lane, "Signal: Lost" is written without its colon, and hardly anybody types accents.
That does not make two things one, so such a form never settles who is meant; it only leads to what may be about the thing.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from muniment.engine.ingest.private_keys import private_key
from muniment.engine.ingest.spelling import spelling_key
from muniment.graph_schema.ids import fold

_BRACKETS: Final = re.compile(r"\([^()]*\)|（[^（）]*）")
_GENITIVE: Final = re.compile(r"['’]s\b")
_WORDS: Final = re.compile(r"\w+")
_ARTICLE: Final = re.compile(r"^(?:the|a|an) ")
_LATIN: Final = "\u0250"  # accents above it are letters of their own


@lru_cache(2_048)
def title_form(name: str) -> str:
    """The words of a name, folded; all of it where nothing stands outside its brackets."""
    text = fold(name)
    bare = _BRACKETS.sub(" ", text)
    text = _GENITIVE.sub(" ", _without_accents(bare if _WORDS.search(bare) else text))
    return _ARTICLE.sub("", " ".join(_WORDS.findall(text)))


def title_keys(name: str) -> tuple[str, ...]:
    """The keys under which a thing is kept whose title form is not its spelling; none for others."""
    form = title_form(name)
    return (_key(form),) if form and form != spelling_key(name) else ()


def keys_of_form(form: str) -> tuple[str, ...]:
    """The keys under which things with a title form are found: where it is their spelling, and where it is not."""
    return (form, _key(form)) if form else ()


def _key(form: str) -> str:
    return private_key(f"t{form}")


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    kept: list[str] = []
    for char in unicodedata.normalize("NFD", text):
        if not (unicodedata.combining(char) and kept and kept[-1] < _LATIN):
            kept.append(char)
    return unicodedata.normalize("NFC", "".join(kept))
