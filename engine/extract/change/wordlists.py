"""The words by which change is told: relations with the kind of their value, cues of change, corrections, doubts.

They are general words of a language, kept as data (`en.json`, `zh.json`): nothing in them names a tenant or a trade's customers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, Final

from muniment.engine.ingest.language import CHINESE, ENGLISH

_WORD: Final = re.compile(r"[^\W_]+")
_ENDING: Final = re.compile(r"(?<=[^\W_]{3})(?:es|s|ed|ing)$|(?<=[^\W_]{4})d$")
MOST_WORDS: Final = 4  # of one entry


class Value(StrEnum):
    """What changes when a relation of the lists changes."""

    PERSON = "person"
    NAME = "name"
    AMOUNT = "amount"
    DATE = "date"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeWords:
    """The lists of one language. `relations` leads from an entry's words to the relations that they may tell; where words
    are not set apart (`runs_on`), an entry is found wherever its characters stand."""

    lang: str
    relations: Mapping[tuple[str, ...], frozenset[str]]
    values: Mapping[str, Value]  # of each relation
    changes: re.Pattern[str]
    corrections: re.Pattern[str]
    doubts: re.Pattern[str]
    past: re.Pattern[str]
    denials: re.Pattern[str]
    starts: re.Pattern[str]
    courses: re.Pattern[str]  # a question that asks how something went, not what holds
    correction_of_day: re.Pattern[str]
    stand_ins: Mapping[str, str]  # what stands for a person, a thing, a day, an amount in a sentence without its names

    def asked_in(self, text: str) -> frozenset[str]:
        """The relations that a question's words tell, taken as they stand and without the commonest endings."""
        if self.runs_on:
            return self.relations_within(text)
        words = [word.casefold() for word in _WORD.findall(text)]
        return self.relations_of(words, [_ENDING.sub("", word) for word in words])

    @property
    def runs_on(self) -> bool:
        """Whether the language is written without spaces between words."""
        return self.lang == CHINESE

    def relations_within(self, text: str) -> frozenset[str]:
        """The relations whose entries stand in a text without spaces; longer entries use up theirs."""
        found: set[str] = set()
        for (entry,), names in sorted(self.relations.items(), key=lambda row: -len(row[0][0])):
            if entry in text:
                found |= names
                text = text.replace(entry, " ")
        return frozenset(found)

    def relations_of(self, *sequences: Sequence[str]) -> frozenset[str]:
        """The relations that some of the word sequences tell (lemmas, words as they stand); longer entries use up theirs:
        "account manager" tells of no manager."""
        found: set[str] = set()
        for words in sequences:
            left = list(words)
            for size in range(MOST_WORDS, 0, -1):
                for at in range(len(left) - size + 1):
                    entry = tuple(left[at : at + size])
                    if entry in self.relations:
                        found |= self.relations[entry]
                        left[at : at + size] = [""] * size
        return frozenset(found)


@cache
def change_words(lang: str = ENGLISH) -> ChangeWords:
    """The lists of a language, the English ones for all but Chinese; every call for it gives the same object."""
    lang = CHINESE if lang == CHINESE else ENGLISH
    given: dict[str, Any] = json.loads(
        files(__name__.rpartition(".")[0]).joinpath(f"{lang}.json").read_text(encoding="utf-8")
    )
    relations: dict[tuple[str, ...], set[str]] = {}
    for name, entry in given["relations"].items():
        for words in entry["words"]:
            relations.setdefault(tuple(words.replace("-", " ").split()), set()).add(name)
    any_of = _anywhere if lang == CHINESE else _any_of
    return ChangeWords(
        lang=lang,
        relations={words: frozenset(names) for words, names in relations.items()},
        values={name: Value(entry["value"]) for name, entry in given["relations"].items()},
        changes=any_of(given["changes"]),
        corrections=any_of(given["corrections"]),
        doubts=any_of(given["doubts"]),
        past=any_of(given["past"]),
        denials=any_of(given["denials"]),
        starts=any_of(given["starts"]),
        courses=any_of(given["courses"]),
        correction_of_day=re.compile(given["correction_of_day"], re.IGNORECASE),
        stand_ins={kind: given[f"{kind}_word"] for kind in ("person", "thing", "day", "amount")},
    )


def _any_of(words: Sequence[str]) -> re.Pattern[str]:
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b", re.IGNORECASE)


def _anywhere(words: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word)))))
