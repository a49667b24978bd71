"""Whether two names may be one thing: a score made of features that a person can read, and what forbids it.

The words of both names are laid side by side, each word with the one it resembles most (equal, initial, sound, spelling,
short form), and what has no partner counts against the match: the soft Jaccard of Cohen, Ravikumar and Fienberg (2003)
with rules of our own for what a word's likeness is worth. Nothing is transliterated and nothing is learned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import OSA

from muniment.engine.ingest.names import PERSON
from muniment.engine.resolve.parts import Parts, Word, parts_of
from muniment.engine.resolve.sounds import sound

SURE = 0.95
"""From here on, without a veto, a new name is taken as the entity it resembles, if it is the only one."""
LIKELY = 0.86
"""From here on a person is asked. Chosen where F1 on a public set of name pairs is highest."""

_INITIAL = 0.9
_SHORT_FORM = 0.75
_SOUND = 0.88
_LEAST = 0.6  # words less alike than this are different words
_EXTRA = 0.45  # what a further given name or surname counts, of what a differing one does
_TURNED = 0.93  # two names in the other order, without the comma that would say so
_RUN_TOGETHER = 0.97
GUESSED = 0.94  # the most that a match gets which rests on likeness and not on equality: less than SURE
_INITIALS_ONLY = 0.8  # `N. N.` fits too many names to say anything

WordWeight = Callable[[str], float]


class Veto(StrEnum):
    """What forbids taking two names as one, however alike they are."""

    NUMBERS = "numbers-differ"
    FORMS = "legal-forms-differ"
    IDENTIFIERS = "identifiers-differ"
    TYPES = "types-differ"


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """How alike two names are, in [0, 1], 1 is one spelling; the features that made the score; what forbids it."""

    score: float
    features: Mapping[str, float] = field(default_factory=dict)
    vetoes: tuple[Veto, ...] = ()

    @property
    def is_sure(self) -> bool:
        return self.score >= SURE and not self.vetoes

    @property
    def is_likely(self) -> bool:
        return self.score >= LIKELY and not self.vetoes


def match_names(one: str, other: str, root: str = "", *, weight: WordWeight | None = None, least: float = 0.0) -> Match:
    """How alike two names of things of one broad type are. `weight` scales what a word tells (rarer words tell more).

    A match that scores less than `least` is told without its features, which saves half of the work; where there is a
    `least` and something forbids the match, its score is 0 unless the names are equal.
    """
    a, b = parts_of(one, root), parts_of(other, root)
    vetoes = _vetoes(a, b)
    if a.key == b.key:
        return Match(score=1.0, features={"same_key": 1.0})
    if a.words and [w.text for w in a.words] == [w.text for w in b.words]:
        return Match(score=_same_words(a, b), features={"same_words": 1.0}, vetoes=vetoes)
    if vetoes and least:
        return Match(score=0.0, vetoes=vetoes)
    pairs = pair_words(a.words, b.words)
    laid = _weigh(pairs, a, b, root, weight)
    together = _run_together(a, b)
    if max(laid.score, together) < least:
        return Match(score=round(max(laid.score, together), 4), vetoes=vetoes)
    features = {**laid.features(), **Counter(pair.by for pair in pairs)}
    score = max(min(laid.score, _most(features)), together)
    features["run_together"] = together
    return Match(score=round(score, 4), features={k: round(v, 4) for k, v in features.items() if v}, vetoes=vetoes)


def _same_words(a: Parts, b: Parts) -> float:
    """Equal but for marks: a lone short word may be another name (`Muller`, `Müller`), two of them hardly."""
    if a.form != b.form:
        return 0.96
    return 0.98 if len(a.words) > 1 or a.key.replace("-", "") == b.key.replace("-", "") else 0.94


def _vetoes(a: Parts, b: Parts) -> tuple[Veto, ...]:
    vetoes = []
    if sorted(a.numbers) != sorted(b.numbers):
        vetoes.append(Veto.NUMBERS)
    if a.form and b.form and a.form != b.form:
        vetoes.append(Veto.FORMS)
    return tuple(vetoes)


def _most(laid: Mapping[str, float]) -> float:
    """The most that this alignment may score: sure is only what is equal, word by word, but for initials."""
    if not laid.get("equal") and laid.get("initial"):
        return _INITIALS_ONLY
    if any(laid.get(by) for by in ("sound", "spelling", "short_form")) or laid["loose"] > 0.02:
        return GUESSED
    return 1.0


class Pair(NamedTuple):
    """One word of either name, how alike they are, and by what."""

    left: int
    right: int
    likeness: float
    by: str


class Laid(NamedTuple):
    """Two names side by side: the score, and of either name what its words gain and what has no partner."""

    score: float
    gain_a: float
    gain_b: float
    loose_a: float
    loose_b: float
    loose: float  # the share of the whole that counts as unmatched

    def features(self) -> dict[str, float]:
        return {
            "words": self.score,
            "covers_one": _share(self.gain_a, self.loose_a),
            "covers_other": _share(self.gain_b, self.loose_b),
            "loose": self.loose,
        }


def _weigh(pairs: Sequence[Pair], a: Parts, b: Parts, root: str, weight: WordWeight | None) -> Laid:
    worth_a, worth_b = (
        [w.weight if weight is None else w.weight * weight(w.text) for w in parts.words] for parts in (a, b)
    )
    gain_a = gain_b = whole = 0.0
    loose_a, loose_b = sum(worth_a), sum(worth_b)
    telling = 0
    for left, right, likeness, _ in pairs:
        gain_a += likeness * worth_a[left]
        gain_b += likeness * worth_b[right]
        whole += worth_a[left] + worth_b[right]
        loose_a -= worth_a[left]
        loose_b -= worth_b[right]
        telling += a.words[left].weight >= 1 and b.words[right].weight >= 1
    loose_a, loose_b = max(0.0, loose_a), max(0.0, loose_b)
    loose = loose_a + loose_b
    if root == PERSON and telling >= 2 and min(loose_a, loose_b) < 0.5:
        loose *= _EXTRA
    total = whole + loose
    score = (gain_a + gain_b) / total if total else 0.0
    if root == PERSON and _is_turned(pairs, a, b):
        score *= _TURNED
    return Laid(score, gain_a, gain_b, loose_a, loose_b, loose / total if total else 0.0)


def _share(gain: float, loose: float) -> float:
    return gain / (gain + loose) if gain else 0.0


def pair_words(a: Sequence[Word], b: Sequence[Word]) -> list[Pair]:
    """Each word with at most one of the other name, the most alike first."""
    found: list[tuple[float, int, int, str]] = []
    for i, one in enumerate(a):
        for j, other in enumerate(b):
            likeness, by = _likeness(one.text, other.text)
            if likeness:
                found.append((-likeness, i, j, by))
    found.sort()
    taken_a: set[int] = set()
    taken_b: set[int] = set()
    pairs = []
    for worth, i, j, by in found:
        if i not in taken_a and j not in taken_b:
            taken_a.add(i)
            taken_b.add(j)
            pairs.append(Pair(i, j, -worth, by))
    return pairs


@lru_cache(2_048)  # the same words meet again and again in one write
def _likeness(one: str, other: str) -> tuple[float, str]:
    if one == other:
        return 1.0, "equal"
    if one.isdigit() or other.isdigit():
        return 0.0, ""
    if not (one.isascii() and other.isascii()) and (_has_no_letters(one) or _has_no_letters(other)):
        return 0.0, ""
    if len(one) == 1 or len(other) == 1:
        return (_INITIAL, "initial") if one[0] == other[0] else (0.0, "")
    alike = 1 - OSA.distance(one, other) / max(len(one), len(other))
    shorter, longer = (one, other) if len(one) <= len(other) else (other, one)
    if alike >= 0.5 and len(shorter) >= 3 and sound(one) == sound(other):
        return max(alike, _SOUND), "sound"
    if alike < _LEAST:
        return (_SHORT_FORM, "short_form") if len(shorter) >= 3 and longer.startswith(shorter) else (0.0, "")
    return alike, "spelling"


def _has_no_letters(word: str) -> bool:
    """Whether a slip of one character makes it another word: every character of Han, Kana and Hangul is a syllable or more."""
    return any("\u2e80" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7af" for c in word)


def _is_turned(pairs: Sequence[Pair], a: Parts, b: Parts) -> bool:
    """Two plain words each, crosswise, and no comma that explains it."""
    if a.turned or b.turned or len(pairs) != 2 or len(a.words) != 2 or len(b.words) != 2:
        return False
    return all(p.left != p.right for p in pairs)


def _run_together(a: Parts, b: Parts) -> float:
    """The names as one word each: `Good Will` and `Goodwill`."""
    if len(a.words) == len(b.words) or min(len(a.joined), len(b.joined)) < 6:
        return 0.0
    if a.joined == b.joined:
        return _RUN_TOGETHER
    alike = 1 - OSA.distance(a.joined, b.joined) / max(len(a.joined), len(b.joined))
    return min(alike * alike, GUESSED) if alike >= 0.88 else 0.0
