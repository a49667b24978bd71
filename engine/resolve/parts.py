"""A name in comparable parts: words without diacritics, its numbers, its legal form, and how much each word tells."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from muniment.engine.ingest.han import simplified
from muniment.engine.ingest.names import ORGANISATION, PERSON, REMEMBERED, name_keys
from muniment.engine.resolve.sounds import bare

_WORD = re.compile(r"\d+|[^\W\d_]+(?:[^\W_]*[^\W\d_])?", re.UNICODE)
_APOSTROPHE = re.compile(r"(?<=\w)['’ʼ‘`](?=\w)")
_LEADING_APOSTROPHE = re.compile(r"(?<!\w)['’ʼ‘`](?=\w)")
_POSSESSIVE = re.compile(r"'s\b")
# Districts of courts as lawyers write them: `N. D. Ohio`, `nd ohio`, `D. Alaska`.
_OF_A_COURT = re.compile(r"\b(?:court|courts|district|bankruptcy|division)\b")
_COURT_SHORT = re.compile(r"\b(?:(?P<side>[nsewmc])\.? ?)?(?:d|dist)\b\.?")
_SIDES = {"n": "northern", "s": "southern", "e": "eastern", "w": "western", "m": "middle", "c": "central"}
_UNITED_STATES = re.compile(r"\bu\.? s\b\.?")
_PARTICLES = {
    "bin": "bin", "ben": "bin", "ibn": "bin", "bint": "bint", "al": "al", "el": "al", "ul": "al", "de": "de", "del": "de",
    "da": "de", "di": "de", "do": "de", "dos": "de", "du": "de", "van": "van", "von": "von", "der": "der", "den": "der",
    "la": "la", "le": "la", "y": "y", "na": "na",
}  # fmt: skip
_SMALL = frozenset(
    "the of and for in at on to a an & de la le les des du der die das und et y e el los mv ss le".split()
)
# Words that most names of organisations could do without.
_COMMON = frozenset(
    "group holding holdings international global company corporation corp co enterprises enterprise industries industry "
    "services service solutions partners systems capital fund trust bank gruppe groupe grupo".split()
)
_OF_A_COUNTRY = frozenset({"united", "states"})  # which most courts of that country leave out or put in at will
_OF_A_COUNTRY_WEIGHT = 0.1
_NUMBER_WORDS = {
    word: str(number)
    for number, words in enumerate(
        "zero|one first|two second|three third|four fourth|five fifth|six sixth|seven seventh|eight eighth|nine ninth|"
        "ten tenth|eleven eleventh|twelve twelfth".split("|")
    )
    for word in words.split()
}
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_ORDINAL = re.compile(r"^(?:st|nd|rd|th)$")
_ROMAN = re.compile(r"^(?=[ivx])(?:x{0,3})(?:ix|iv|v?i{0,3})$")
_DIGITS = re.compile(r"\d+")
_SAME_WORD = {
    "us": "united states", "usa": "united states", "uk": "united kingdom", "intl": "international", "int'l": "international",
    "dept": "department", "univ": "university", "organisation": "organization", "centre": "center", "natl": "national",
    "saint": "st", "mount": "mt", "bros": "brothers", "mfg": "manufacturing", "assn": "association", "govt": "government",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One word of a name; `weight` says how much it tells: 1 for a plain one, less for what many names share."""

    text: str
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """A name taken apart. `numbers` are its digits and Roman numerals in order; `joined` all words in one."""

    words: tuple[Word, ...]
    numbers: tuple[str, ...]
    form: str
    joined: str
    key: str
    turned: bool  # the family name stood first, before a comma


@lru_cache(REMEMBERED)
def parts_of(name: str, root: str = "") -> Parts:
    """The parts of a name; `root` is the broad type, as for `name_keys`."""
    keys = name_keys(name, root)
    text = simplified(bare(keys.short or keys.key))
    text = _POSSESSIVE.sub("", text) if root != PERSON else text
    text = _LEADING_APOSTROPHE.sub("", text.replace("int'l", "intl").replace("&", " and "))
    is_court = root != PERSON and _OF_A_COURT.search(text) is not None
    text = _courts_in_full(text) if is_court else text
    raw = [w for w in _WORD.findall(_APOSTROPHE.sub("", text)) if not _ORDINAL.match(w)]
    told = _with_number_words(raw) if root != PERSON else raw
    texts = [piece for w in told for piece in _SAME_WORD.get(w, w).split()] if root != PERSON else told
    texts = [_PARTICLES.get(w, w) for w in texts] if root in (PERSON, "") else texts
    numbers = tuple(n for w in texts for n in _numbers(w, root))
    words = tuple(Word(text=w, weight=_weight(w, root, is_court=is_court)) for w in texts)
    return Parts(
        words=words,
        numbers=numbers,
        form=keys.form,
        joined="".join(w for w in texts if w != "the"),
        key=keys.key,
        turned="," in name and root in (PERSON, "") and not keys.form,
    )


def _courts_in_full(text: str) -> str:
    text = _UNITED_STATES.sub("united states", text)
    return _COURT_SHORT.sub(lambda m: f"{_SIDES[m['side']]} district" if m["side"] else "district", text)


def _with_number_words(words: list[str]) -> list[str]:
    """`forty four` and `first` as digits."""
    told: list[str] = []
    for word in words:
        if told and told[-1].isdigit() and int(told[-1]) in _TENS.values() and word in _NUMBER_WORDS:
            told[-1] = str(int(told[-1]) + int(_NUMBER_WORDS[word]))
        elif word in _TENS:
            told.append(str(_TENS[word]))
        else:
            told.append(_NUMBER_WORDS.get(word, word))
    return told


def _numbers(word: str, root: str) -> list[str]:
    if root != PERSON and _ROMAN.match(word):
        return [word]
    return _DIGITS.findall(word)


def _weight(word: str, root: str, *, is_court: bool) -> float:
    if is_court and word in _OF_A_COUNTRY:
        return _OF_A_COUNTRY_WEIGHT
    if word in _PARTICLES.values() and root == PERSON:
        return 0.2
    if word in _SMALL:
        return 0.15
    if root in ("", ORGANISATION) and word in _COMMON:
        return 0.55
    return 1.0
