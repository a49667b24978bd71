"""How a name sounds, roughly and without transliteration: a skeleton that common misspellings share.

Case, diacritics, vowels and doubled letters are dropped and letters that are often taken for one another fall together,
in the spirit of Soundex (Russell 1918) and Metaphone (Philips 1990). We keep the first vowel's place, all consonants and
all digits, and leave other scripts than Latin and Cyrillic as they are.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_PAIRS = (
    ("tsch", "c"),
    ("tch", "c"),
    ("sch", "s"),
    ("shch", "s"),
    ("ph", "f"),
    ("ght", "t"),
    ("gh", "g"),
    ("kh", "h"),
    ("ck", "k"),
    ("ch", "c"),
    ("sh", "s"),
    ("th", "t"),
    ("zh", "j"),
    ("dj", "j"),
    ("ts", "s"),
    ("tz", "s"),
    ("qu", "k"),
    ("wr", "r"),
    ("kn", "n"),
)
_LETTERS = str.maketrans({"c": "k", "q": "k", "x": "k", "z": "s", "v": "f", "w": "f", "j": "y", "ß": "s"})
_FOLDED_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ё": "е", "й": "и"})
_VOWELS = re.compile(r"[aeiouyаеиоуыэюяьъh]+")
_DOUBLED = re.compile(r"([^\W\d_])\1+")


@lru_cache(2_048)
def bare(text: str) -> str:
    """The text without diacritics on Latin, Greek and Cyrillic letters; marks that other scripts need stay."""
    if text.isascii():
        return text
    kept: list[str] = []
    for char in unicodedata.normalize("NFD", text):
        if unicodedata.combining(char) and kept and kept[-1] < "\u0530":
            continue
        kept.append(char)
    return unicodedata.normalize("NFC", "".join(kept)).translate(_FOLDED_LETTERS)


@lru_cache(2_048)
def sound(word: str) -> str:
    """The skeleton of one folded word: `lavrov`, `lawrow` and `lavrovv` have the same."""
    text = bare(word)
    for pair, one in _PAIRS:
        text = text.replace(pair, one)
    text = _DOUBLED.sub(r"\1", text.translate(_LETTERS))
    first = "a" if _VOWELS.match(text) else ""
    return first + _VOWELS.sub("", text)
