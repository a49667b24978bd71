"""The terms by which a text is indexed and asked for: what the lexical channel counts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import Stemmer

from muniment.engine.ingest.stopwords import CHINESE_QUESTION, ENGLISH

# Scripts written without spaces: their runs are indexed by pairs of neighbouring characters.
_UNSPACED = (
    r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\u0e00-\u0eff\u1780-\u17ff\U00020000-\U0003ffff"
)
# Scripts whose vowel signs are not letters to `\w`; the whole block is taken so that words stay in one piece.
_MARKED = r"\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0dff"
_TOKEN = re.compile(
    rf"""
    (?P<pairs>[{_UNSPACED}]+)
    | (?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?![\w]) | \d+\.\d+(?![\w.]))
    | (?P<code>[a-z0-9]+(?:[-_./@:\#+&][a-z0-9]+)+)
    | (?P<word>(?:(?![{_UNSPACED}])(?:[^\W_]|[{_MARKED}]))+)
    """,
    re.VERBOSE,
)
_PARTS = re.compile(r"[a-z]+|\d+")
_APOSTROPHE = re.compile(r"(?<=\w)[\u2019\u02bc'](?=\w)")
_POSSESSIVE = re.compile(r"(?<=\w)[\u2019\u02bc']s\b")
_QUESTION = re.compile("|".join(CHINESE_QUESTION))
_PARTICLE = re.compile(rf"(?<=[{_UNSPACED}]{{2}})的(?=[{_UNSPACED}]{{2}})")
# Longer runs are no words (base64, hashes in one piece): kept, but cut so that an index key stays short.
_MAX_TERM = 64

_stemmer = Stemmer.Stemmer("english")


def index_terms(text: str) -> list[str]:
    """Terms of a text in their order, repeated as often as they stand there.

    English words are case-folded, stemmed (Snowball) and freed of stop words; numbers, codes, mail addresses and the like
    stand as they are and again in their parts; runs of Chinese, Japanese, Korean or Thai give pairs of characters, a lone
    character itself. Works for any string.
    """
    return list(_terms(fold(text)))


def query_terms(text: str) -> list[str]:
    """Different terms of a question in order of first appearance, without the words that only ask.

    They are terms as `index_terms` makes them; empty where the question has no content word.
    """
    folded = _PARTICLE.sub(" ", _QUESTION.sub(" ", fold(text)))
    return list(dict.fromkeys(_terms(folded)))


def fold(text: str) -> str:
    """NFKC, case-folded, Latin accents taken off: the form in which words are compared."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    if folded.isascii():
        return folded
    return "".join(map(_plain, folded))


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    """A Latin letter without its accent; every other character as it is."""
    if not "\u00c0" <= char <= "\u024f" and not "\u1e00" <= char <= "\u1eff":
        return "" if "\u0300" <= char <= "\u036f" else char
    return "".join(c for c in unicodedata.normalize("NFKD", char) if not unicodedata.combining(c))


def _terms(folded: str) -> Iterator[str]:
    plain = _APOSTROPHE.sub("", _POSSESSIVE.sub("", folded))
    for match in _TOKEN.finditer(plain):
        piece = match.group()
        if match.lastgroup == "pairs":
            yield from _pairs(piece)
        elif match.lastgroup == "number":
            number = piece.replace(",", "")
            yield number
            if "." in number:
                yield number.partition(".")[0]
        elif match.lastgroup == "code":
            yield from _code(piece)
        else:
            yield from _word(piece)


def _pairs(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
    for at in range(len(run) - 1):
        yield run[at : at + 2]


def _code(piece: str) -> Iterator[str]:
    """`517-11` → itself, 517, 11; `follow-up` is two words; `and/or` none."""
    if any(char.isdigit() or char == "@" for char in piece):
        yield piece[:_MAX_TERM]
    for part in _PARTS.findall(piece):
        yield from _word(part)


def _word(piece: str) -> Iterator[str]:
    if piece.isdigit():
        yield piece[:_MAX_TERM]
    elif piece.isascii() and not piece.isalpha() and any(char.isdigit() for char in piece):
        yield piece[:_MAX_TERM]
        for part in _PARTS.findall(piece):
            yield from _word(part)
    elif len(piece) > 1 and piece not in ENGLISH:
        yield _stem(piece[:_MAX_TERM])


@lru_cache(maxsize=200_000)
def _stem(word: str) -> str:
    return str(_stemmer.stemWord(word))


def stem(word: str) -> str:
    """The Snowball stem of a folded English word."""
    return _stem(word)
