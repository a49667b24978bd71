"""Which sentence of a later note takes the place of which sentence of an earlier one: a pure function of both notes.

Two sentences that share a name compete where the later one brings a new value of a kind that the earlier one has. How
likely it takes its place is a sum of named parts, each kept, so that it can be told why; from `SURE` on it does.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import Final

from muniment.engine.extract.change.kept import SUCCESSOR, KeptNote, Key, Succession
from muniment.engine.extract.change.notes import SentenceReading
from muniment.engine.extract.change.wordlists import ChangeWords, Value, change_words
from muniment.engine.ingest.language import has_han
from muniment.graph_schema.ids import EpisodeId

SURE: Final = 0.75  # chosen on two of four judged tenants; below it more true sentences were closed than false ones
KIN: Final = "kin"
_RELATION: Final = 0.45  # both tell the same relation of the word lists
_KIN: Final = 0.35  # no such relation, but the old value is named beside a cue, or a person and a word of work
_OVERLAP: Final = 0.6  # times the share of content words in common
_ALIKE: Final = 0.18  # times the standardised cosine of the sentences without their names
_CUE: Final = 0.25
_NAMED: Final = 0.2  # the later one names the old value, and a cue
_BARE: Final = 0.15  # less, where no relation is known
_HALF_NEAR: Final = 0.15  # less, where one of the two has the shared name only from its note
_BOTH_NEAR: Final = 0.3
_SAME_NUMBER: Final = 0.15
_WIDER: Final = 0.8  # of the overlap that the sentences before add
_VAGUE: Final = frozenset(
    {"date", "term", "config"}
)  # so much has a date or a length that a word must be shared as well
_ALL: Final = re.compile(r"\b(?:all|both|each|every|neither|none)\b|[都均]|全部", re.IGNORECASE)
_USUAL: Final = 0.5  # how alike Chinese sentences of one relation are taken to be: no model tells them apart
_MOST_ALIKE: Final = 2.0  # standard deviations; more is not told apart

Likeness = Callable[["Told", "Told"], float]
"""How alike two sentences without their names are, in standard deviations above what is usual; 0 where unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A sentence with its note: when it was told, and what the sentence before it adds."""

    note: EpisodeId
    at: int  # its place in the note
    told_at: datetime
    sentence: SentenceReading
    before: SentenceReading | None = None
    speaker: str = ""

    @property
    def key(self) -> Key:
        return self.note, self.at

    @property
    def since(self) -> datetime:
        return self.sentence.since or self.told_at

    @property
    def relations(self) -> frozenset[str]:
        """Its own, and those of the sentence before, unless it only says what is not so."""
        if self.sentence.denies:
            return self.sentence.relations
        return self.sentence.relations | (self.before.relations if self.before else frozenset())

    @property
    def words(self) -> frozenset[str]:
        return self.sentence.words | (self.before.words if self.before else frozenset())

    @property
    def changes(self) -> bool:
        return self.sentence.changes or (self.before is not None and self.before.changes)

    @property
    def values(self) -> frozenset[str]:
        """Every name, amount and date of it and of the sentence before."""
        sides = [self.sentence, *([self.before] if self.before else [])]
        return frozenset().union(*(({*s.names, *s.amounts, *s.dates}) for s in sides))


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What is known of the names that the sentences share."""

    people: frozenset[str] = frozenset()
    likely: frozenset[str] = frozenset()  # read like a person's name, and nobody knows better

    def is_person(self, key: str) -> bool:
        return key in self.people

    def may_be_person(self, key: str) -> bool:
        return key in self.people or key in self.likely


class Rarity:
    """How much a word tells, by how few of the sentences under comparison have it."""

    def __init__(self, told: Iterable[Told]) -> None:
        rows = list(told)
        self._count = len(rows)
        self._having = Counter(word for row in rows for word in row.sentence.words)

    def of(self, word: str) -> float:
        return math.log(1 + self._count / max(1, self._having[word]))

    def overlap(self, one: frozenset[str], other: frozenset[str]) -> float:
        """The share of the lesser side's words, weighed by rarity, that both have, in [0, 1]."""
        both = one & other
        if not both:
            return 0.0
        whole = min(self._worth(one), self._worth(other))
        return min(1.0, self._worth(both) / whole)

    def _worth(self, words: frozenset[str]) -> float:
        # Exact, as a set has no order of its own: the same sentences weigh the same in every process.
        return math.fsum(map(self.of, words))


def told_of(note: KeptNote) -> list[Told]:
    """The sentences of a note in order, each with the one before it, unless that is doubtful or a row of a table."""
    out: list[Told] = []
    for at, sentence in enumerate(note.sentences):
        before = note.sentences[at - 1] if at and not sentence.row else None
        if before is not None and (before.doubtful or before.row or has_han(sentence.masked)):
            before = None  # a Chinese sentence is long enough to say itself what it tells of
        out.append(
            Told(
                note=note.episode,
                at=at,
                told_at=note.told_at,
                sentence=sentence,
                before=before,
                speaker=note.speaker,
            )
        )
    return out


def successions(
    pairs: Iterable[tuple[str, Told, Told]], names: Names, rarity: Rarity, likeness: Likeness
) -> list[Succession]:
    """The successions among pairs (shared name, earlier, later), the strongest of each pair of sentences.

    `likeness` is asked only where it could decide.
    """
    lists = change_words()
    best: dict[tuple[Key, Key], Succession] = {}
    for name, old, new in pairs:
        if not may_follow(old, new):
            continue
        weighed = _weigh(name, old, new, names, rarity, lists)
        if weighed is None or sum(weighed.parts.values()) + _ALIKE * _MOST_ALIKE < SURE:
            continue
        unknown = has_han(old.sentence.masked) or has_han(new.sentence.masked)
        alike = _USUAL if unknown else max(-_MOST_ALIKE, min(_MOST_ALIKE, likeness(old, new)))
        parts = {**weighed.parts, "alike": round(_ALIKE * alike, 3)}
        strength = sum(parts.values())
        kept = best.get((old.key, new.key))
        if strength >= SURE and (kept is None or strength > kept.strength):
            since = new.told_at if weighed.dated else new.since
            best[old.key, new.key] = Succession(
                old=old.key, new=new.key, since=since, rule=SUCCESSOR, strength=round(strength, 3),
                relation=weighed.relation, name=name, parts=parts, in_part=weighed.in_part,
                of_group=name in (group := _group(old)) and not group <= {name, *new.values},
            )  # fmt: skip
    return list(best.values())


def follow_ups(found: Sequence[Succession]) -> list[Succession]:
    """Of sentences that take one's place in the same regard, each later one takes that of the one before it."""
    ways: dict[tuple[Key, str, str], list[Succession]] = defaultdict(list)
    for one in found:
        if one.rule == SUCCESSOR and one.relation not in ("", KIN):
            ways[one.old, one.name, one.relation].append(one)
    known = {(one.old, one.new) for one in found}
    out: list[Succession] = []
    for rows in ways.values():
        rows.sort(key=lambda one: (one.since is not None, one.since, one.new))
        for one, after in pairwise(rows):
            if one.new[0] != after.new[0] and (one.new, after.new) not in known:
                strength = min(one.strength, after.strength)
                out.append(replace(after, old=one.new, strength=strength, parts={"follows": strength}))
    return out


def may_follow(old: Told, new: Told) -> bool:
    """Whether the later sentence can take the earlier one's place at all: it states something, and that began later.

    It must also have been told later, unless it says itself since when it is so.
    """
    if old.note == new.note or new.sentence.doubtful or new.sentence.past:
        return False
    if (old.since, old.told_at) >= (new.since, new.told_at):
        return False
    return new.told_at >= old.told_at or (new.sentence.since is not None and new.sentence.starts)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weighed:
    parts: Mapping[str, float]
    relation: str
    in_part: bool
    dated: bool  # the new value is a date, which says nothing about since when it is so


def _weigh(name: str, old: Told, new: Told, names: Names, rarity: Rarity, lists: ChangeWords) -> _Weighed | None:
    a, b = old.sentence, new.sentence
    same_number = any(_is_telling_number(value) for value in a.amounts & b.amounts)
    if not same_number and not _is_about(name, a, b, names):
        return None
    own = (name in a.names) + (name in b.names)
    fresh = frozenset(_new_values(name, a, b, names, sure_only=own < 2 and not a.words & b.words))
    if not fresh and not (_own(name, a) and _own(name, b) - _own(name, a)):
        return None
    person = names.is_person(name)
    shared = a.words & b.words
    if own == 0 and not shared and not same_number:
        return None
    told = b.relations | (new.relations if Value.AMOUNT in fresh else frozenset())
    same = {
        relation
        for relation in old.relations & told
        if lists.values[relation] in fresh and (relation == "work") == person
    }
    placed = {n for n in b.placed if n != name and n not in a.names and not names.may_be_person(n)}
    if "place" in same and not has_han(b.masked) and not placed:
        same.discard("place")  # no name there says where
    named = (bool(_values(name, a) & new.values) or _quotes_number(a, new)) and new.changes
    if (name in {*a.owning} ^ {*b.owning} or (own < 2 and not named and not same_number)) and not shared:
        same = {relation for relation in same if lists.values[relation] is not Value.PERSON}
    if not new.changes:  # a second name beside the first is more often one more than another one
        same = {relation for relation in same if lists.values[relation] is not Value.NAME}
    if not person and "own" in a.relations & b.relations and _own(name, a) and _own(name, b) - _own(name, a):
        same.add("own")  # people own things as firms do
    if not fresh and not same:
        return None
    dated = False
    if same and same <= _VAGUE and not (named or same_number or old.words & new.words):
        same = set()
    if not same and Value.DATE in fresh and a.dates & new.values and new.changes:
        same, dated = {"date"}, True
    kin = not same and new.changes and not has_han(b.masked) and _is_kin(old, new, fresh, named, person, lists)
    if not (same or kin or same_number or shared or name in a.names):
        return None  # what the sentence before it has in common with the later one is told of that one
    overlap = max(rarity.overlap(a.words, b.words), _WIDER * rarity.overlap(old.words, new.words))
    parts = {
        "relation": _RELATION if same else _KIN if kin else -_BARE,
        "words": round(_OVERLAP * overlap, 3),
        "cue": _CUE if new.changes else 0.0,
        "named": _NAMED if named else 0.0,
        "near": 0.0 if own == 2 else -_HALF_NEAR if own == 1 else -_BOTH_NEAR,
    }
    if same_number:
        parts |= {"number": _SAME_NUMBER, "near": 0.0}
    relation = "/".join(sorted(same)) or (KIN if kin else "")
    dated = dated or same == {"date"}
    listed = {n for n in a.listed if n != name and names.may_be_person(n)}
    in_part = len(listed) > 1 and bool(listed & new.values) and not listed <= new.values
    return _Weighed(parts={k: v for k, v in parts.items() if v}, relation=relation, in_part=in_part, dated=dated)


def _group(old: Told) -> frozenset[str]:
    """The things of which a sentence tells the same: those that it lists, or the one before it does ("All four are Ana's")."""
    before = old.before.listed if old.before is not None and _ALL.search(old.sentence.masked) else ()
    return frozenset((*old.sentence.listed, *before))


def _is_about(name: str, a: SentenceReading, b: SentenceReading, names: Names) -> bool:
    """Whether the shared name is what both are about: a person who stands in both, no mere attribute of two subjects."""
    if names.is_person(name):
        return name in (*a.names, *a.meant) and name in (*b.names, *b.meant)
    if not a.names or not b.names or name in (a.names[0], b.names[0]) or a.names[0] == b.names[0]:
        return True
    return names.is_person(a.names[0]) or names.is_person(b.names[0])


def _is_kin(old: Told, new: Told, fresh: frozenset[Value], named: bool, person: bool, lists: ChangeWords) -> bool:
    if person:
        return Value.NAME in fresh and "work" in new.sentence.relations
    roles = {relation for relation, value in lists.values.items() if value is Value.PERSON}
    return named and Value.PERSON in fresh and bool(old.relations & roles) and bool(new.relations & roles)


def _new_values(name: str, a: SentenceReading, b: SentenceReading, names: Names, *, sure_only: bool) -> Iterator[Value]:
    """The kinds of value of which the earlier sentence has some and the later one others; with `sure_only` nobody is new who
    is only likely to be a person."""
    is_new = names.is_person if sure_only else names.may_be_person
    old, new = {n for n in a.names if n != name}, {n for n in b.names if n != name}
    for kind, before, after in (
        (Value.PERSON, {n for n in old if names.may_be_person(n)}, {n for n in new if is_new(n)}),
        (Value.NAME, {n for n in old if not names.is_person(n)}, {n for n in new if not names.is_person(n)}),
        (Value.AMOUNT, a.amounts, b.amounts),
        (Value.DATE, a.dates, b.dates),
    ):
        if before and after - before:
            yield kind


def _own(name: str, sentence: SentenceReading) -> frozenset[str]:
    """The names of a sentence other than the shared one."""
    return frozenset(sentence.names) - {name}


def _values(name: str, sentence: SentenceReading) -> frozenset[str]:
    return frozenset({n for n in sentence.names if n != name} | sentence.amounts | sentence.dates)


def _quotes_number(old: SentenceReading, new: Told) -> bool:
    """Whether the later one gives the earlier one's amount without its unit: "30 days, no longer 60"."""
    counts = {m.group() for amount in old.amounts if (m := re.match(r"\d{2,}(?=[a-z])", amount))}
    return bool(counts & new.sentence.amounts)


def _is_telling_number(value: str) -> bool:
    """A number that can stand for a thing: three digits at least ("4488"), or a version ("6.2")."""
    head, _, tail = value.partition(".")
    return head.isdigit() and (len(head) >= 3 or tail.isdigit()) and len(value) > 2
