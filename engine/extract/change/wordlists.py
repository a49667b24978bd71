"""The words by which change is told: relations with the kind of their value, cues of change, corrections, doubts.

They are general words of a language, kept as data (`en.json`): nothing in them names a tenant or a trade's customers.
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
    """The lists of one language. `relations` leads from an entry's words to the relations that they may tell."""

    relations: Mapping[tuple[str, ...], frozenset[str]]
    values: Mapping[str, Value]  # of each relation
    changes: re.Pattern[str]
    corrections: re.Pattern[str]
    doubts: re.Pattern[str]
    past: re.Pattern[str]
    starts: re.Pattern[str]
    courses: re.Pattern[str]  # a question that asks how something went, not what holds
    correction_of_day: re.Pattern[str]
    stand_ins: Mapping[str, str]  # what stands for a person, a thing, a day, an amount in a sentence without its names

    def asked_in(self, text: str) -> frozenset[str]:
        """The relations that a question's words tell, taken as they stand and without the commonest endings."""
        words = [word.casefold() for word in _WORD.findall(text)]
        return self.relations_of(words, [_ENDING.sub("", word) for word in words])

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
def change_words() -> ChangeWords:
    """The English lists; every call gives the same object."""
    given: dict[str, Any] = json.loads(
        files(__name__.rpartition(".")[0]).joinpath("en.json").read_text(encoding="utf-8")
    )
    relations: dict[tuple[str, ...], set[str]] = {}
    for name, entry in given["relations"].items():
        for words in entry["words"]:
            relations.setdefault(tuple(words.replace("-", " ").split()), set()).add(name)
    return ChangeWords(
        relations={words: frozenset(names) for words, names in relations.items()},
        values={name: Value(entry["value"]) for name, entry in given["relations"].items()},
        changes=_any_of(given["changes"]),
        corrections=_any_of(given["corrections"]),
        doubts=_any_of(given["doubts"]),
        past=_any_of(given["past"]),
        starts=_any_of(given["starts"]),
        courses=_any_of(given["courses"]),
        correction_of_day=re.compile(given["correction_of_day"], re.IGNORECASE),
        stand_ins={kind: given[f"{kind}_word"] for kind in ("person", "thing", "day", "amount")},
    )


def _any_of(words: Sequence[str]) -> re.Pattern[str]:
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b", re.IGNORECASE)
