"""Which of many known names a spelling most likely means, where none is equal: for suggestions, never for joining.

A mention in running text is often longer or shorter than the name on record (`United States District Court S D California
San Diego Division`), so what counts is how much of either is covered by the other, each word by its rarity among the known
names (Sparck Jones, 1972). A rare word left over on *both* sides speaks for another namesake; neighbouring words that are
neighbours in both names speak for the same one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

from muniment.engine.resolve.matching import Match, Pair, pair_words
from muniment.engine.resolve.parts import Word, parts_of

_TRIED = 100  # candidates that are compared in full: those which share the most of what tells
# Chosen together on a public set of mentions of courts; the answer changes little around them.
_COVERED_NAME = 0.35
_COVERED_MENTION = 0.65
_CLASH = 0.3
_NEIGHBOURS = 0.2
_UNKNOWN_WORD = 0.5
_ACRONYM = 0.9
_LEAST_WEIGHT = 0.2  # lighter words have no neighbours


@dataclass(frozen=True, slots=True, kw_only=True)
class _Name:
    words: tuple[Word, ...]
    neighbours: frozenset[tuple[str, str]]


class NameRanking:
    """Known names of one broad type, to be asked for the most alike. Each is named by its place in the sequence given."""

    def __init__(self, names: Sequence[str], root: str = "") -> None:
        self._root = root
        self._names = [_taken_apart(name, root) for name in names]
        self._places: dict[str, list[int]] = defaultdict(list)
        self._acronyms: dict[str, list[int]] = defaultdict(list)
        for place, name in enumerate(self._names):
            for word in name.words:
                self._places[word.text].append(place)
            self._acronyms[_acronym(name.words)].append(place)

    def best(self, name: str, *, limit: int = 5) -> list[tuple[int, Match]]:
        """The most alike, best first, ties in the order given; without those that share neither word nor initials."""
        asked = _taken_apart(name, self._root)
        shared: dict[int, float] = defaultdict(float)
        for word in asked.words:
            for place in self._places.get(word.text, ()):
                shared[place] += self._tells(word)
        tried = sorted(shared, key=lambda place: (-shared[place], place))[:_TRIED]
        found = {place: self._compare(asked, self._names[place]) for place in tried}
        for place in self._acronyms.get("".join(w.text for w in asked.words), ()):
            found.setdefault(place, Match(score=_ACRONYM, features={"acronym": 1.0}))
        return sorted(found.items(), key=lambda f: (-f[1].score, f[0]))[:limit]

    def _compare(self, asked: _Name, known: _Name) -> Match:
        pairs = pair_words(asked.words, known.words)
        mention = _covered(asked.words, {p.left: p for p in pairs}, self._tells)
        name = _covered(known.words, {p.right: p for p in pairs}, self._tells)
        together = asked.neighbours & known.neighbours
        neighbours = len(together) / max(1, min(len(asked.neighbours), len(known.neighbours)))
        clash = min(mention.left_over, name.left_over)
        score = (
            _COVERED_NAME * name.share + _COVERED_MENTION * mention.share - _CLASH * clash + _NEIGHBOURS * neighbours
        )
        features = {
            "mention_covered": mention.share,
            "name_covered": name.share,
            "clash": clash,
            "neighbours": neighbours,
        }
        return Match(
            score=round(max(0.0, score) / (1 + _NEIGHBOURS), 4),
            features={k: round(v, 4) for k, v in features.items() if v},
        )

    def _tells(self, word: Word) -> float:
        """What a word tells, in (0, 1]: its rarity among the known names times its own weight."""
        known = self._places.get(word.text)
        size = len(self._names)
        rarity = log(1 + size / len(known)) / log(1 + size) if known else _UNKNOWN_WORD
        return rarity * word.weight


@dataclass(frozen=True, slots=True, kw_only=True)
class _Covered:
    share: float
    left_over: float  # what the most telling word without a partner tells


def _covered(words: Sequence[Word], pairs: dict[int, Pair], tells: Callable[[Word], float]) -> _Covered:
    worth = [tells(word) for word in words]
    gained = sum(worth[i] * pair.likeness for i, pair in pairs.items())
    loose = [w for i, w in enumerate(worth) if i not in pairs]
    return _Covered(share=gained / sum(worth) if words else 0.0, left_over=max(loose, default=0.0))


def _taken_apart(name: str, root: str) -> _Name:
    """The words once each, and which of the telling ones stand side by side."""
    words = parts_of(name, root).words
    telling = [w.text for w in words if w.weight > _LEAST_WEIGHT]
    return _Name(
        words=tuple({word.text: word for word in words}.values()),
        neighbours=frozenset(pairwise(telling)),
    )


def _acronym(words: Sequence[Word]) -> str:
    return "".join(w.text[0] for w in words if w.weight > _LEAST_WEIGHT)
