"""What a tenant's index looks like as a whole: how rare words are, how long memories are, where vectors lie on average.

Scores need these numbers, and they must be the tenant's own: a shared index's statistics would tell one tenant about
another, and walls about each other. So each write stores its change as a small document in its own transaction, and a
reader adds them up, area by area. `fold` turns many changes into one.
"""

from __future__ import annotations

import base64
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

import numpy as np

from muniment.engine.ingest.language import has_han
from muniment.engine.ports.models import Vector
from muniment.engine.ports.search import IndexEntry, Memory
from muniment.graph_schema.ids import digest
from muniment.graph_schema.records import HELD_KINDS, Document, Episode, EpisodeKind, Fact

STATISTICS: Final = "statistics"
"""The kind of the documents that hold changes of statistics."""

FOLD_AFTER: Final = 64
"""With more documents than this a tenant's statistics should be folded: reading them begins to cost."""

_HELD: Final = frozenset(str(kind) for kind in HELD_KINDS)
_HAN: Final = "|han"  # after the group of memories in Chinese, which are counted apart
_SINGLE: Final = "message|single"
_HAN_SHARE: Final = 3  # one term of so many, at least, is Chinese in these
_SHRINK: Final = (
    10.0  # a group's mean counts fully only from about this many memories on; below, the tenant's mean does
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """An index entry and where it counts: `group` is the kind of memory (see `group_of`), `wall` its area."""

    entry: IndexEntry
    group: str
    wall: str = ""


@dataclass(slots=True)
class _Tally:
    """Sums over some memories; may be negative in a change."""

    documents: int = 0
    length: int = 0
    terms: Counter[str] = field(default_factory=Counter)
    vectors: dict[str, tuple[int, Vector]] = field(default_factory=dict)

    def count(self, entry: IndexEntry, sign: int) -> None:
        words = entry.words.split()
        self.documents += sign
        self.length += sign * len(words)
        for word in set(words):
            self.terms[word] += sign
        for fingerprint, rows in entry.vectors.items():
            if len(rows):
                self._add_vector(fingerprint, sign, np.float32(sign) * rows.mean(axis=0))

    def merge(self, other: _Tally) -> None:
        self.documents += other.documents
        self.length += other.length
        for word, n in other.terms.items():
            self.terms[word] += n
            if not self.terms[word]:
                del self.terms[word]
        for fingerprint, (n, total) in other.vectors.items():
            self._add_vector(fingerprint, n, total)

    def _add_vector(self, fingerprint: str, n: int, total: Vector) -> None:
        have = self.vectors.get(fingerprint)
        if have is None or have[1].shape != total.shape:
            self.vectors[fingerprint] = (n, np.asarray(total, dtype=np.float32))
        elif have[0] + n == 0:  # what rounding leaves of the last one would be noise, and a trace of it
            del self.vectors[fingerprint]
        else:
            self.vectors[fingerprint] = (have[0] + n, (have[1] + total).astype(np.float32))


class StatisticsDelta:
    """A change of statistics: what one write added and took away."""

    def __init__(self, tallies: Mapping[tuple[str, str], _Tally]) -> None:
        self._tallies = dict(tallies)

    def __bool__(self) -> bool:
        return bool(self._tallies)

    @property
    def tallies(self) -> Mapping[tuple[str, str], _Tally]:
        """Sums by (wall, group)."""
        return self._tallies

    def to_json(self) -> dict[str, Any]:
        """A JSON object; vectors as base64 of little-endian float32."""
        return {
            "areas": [
                {
                    "wall": wall,
                    "group": group,
                    "documents": tally.documents,
                    "length": tally.length,
                    "terms": {word: n for word, n in tally.terms.items() if n},
                    "vectors": {
                        fingerprint: {"count": n, "sum": base64.b64encode(total.astype("<f4").tobytes()).decode()}
                        for fingerprint, (n, total) in tally.vectors.items()
                    },
                }
                for (wall, group), tally in sorted(self._tallies.items())
            ]
        }

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> StatisticsDelta:
        """The change that `to_json` wrote."""
        tallies: dict[tuple[str, str], _Tally] = {}
        for area in body.get("areas", ()):
            tallies[area["wall"], area["group"]] = _Tally(
                documents=area["documents"],
                length=area["length"],
                terms=Counter(area["terms"]),
                vectors={
                    fingerprint: (row["count"], np.frombuffer(base64.b64decode(row["sum"]), dtype="<f4"))
                    for fingerprint, row in area["vectors"].items()
                },
            )
        return cls(tallies)


def is_han(words: str) -> bool:
    """Whether index terms (with spaces between) are those of a text in Chinese; a few names in it do not make it one.

    Texts of both languages are counted apart: pairs of characters are more than words are, they say nothing of how rare a
    word is, and vectors of the two lie apart.
    """
    if words.isascii():
        return False
    terms = words.split()
    return _HAN_SHARE * sum(map(has_han, terms)) >= len(terms)


def group_of(memory: Memory) -> str:
    """The group a memory counts in: an episode's own kind, a held memory's kind, or `summary`.

    A message of no thread (a mail, a memo) is written like a note, and is counted apart from the turns of conversations.
    """
    if isinstance(memory, Episode):
        return _SINGLE if memory.kind is EpisodeKind.MESSAGE and not memory.thread else str(memory.kind)
    if isinstance(memory, Fact):
        return str(memory.kind)
    return "summary"


def kind_of_group(group: str) -> str:
    """The kind of memory that a group is a part of."""
    return group.partition("|")[0]


def delta_for(added: Iterable[Indexed], removed: Iterable[Indexed] = ()) -> StatisticsDelta:
    """The change made by writing and dropping index entries; replacing one is removing the old and adding the new."""
    tallies: dict[tuple[str, str], _Tally] = {}
    for sign, rows in ((1, added), (-1, removed)):
        for row in rows:
            group = f"{row.group}{_HAN}" if is_han(row.entry.words) else row.group
            tallies.setdefault((row.wall, group), _Tally()).count(row.entry, sign)
    return StatisticsDelta(tallies)


def delta_document(delta: StatisticsDelta, *, seq: int, at: datetime) -> Document:
    """The document that keeps a change; `seq` rises by one with every write of the space."""
    return Document(kind=STATISTICS, id=f"{seq:012d}", seq=seq, created_at=at, body=delta.to_json())


def fold(documents: Sequence[Document]) -> Document:
    """One document that stands for all the given ones, which must be every statistics document up to some `seq`.

    Put it and drop the others (all but the one with its id) in one transaction.
    """
    total: dict[tuple[str, str], _Tally] = {}
    for document in sorted(documents, key=lambda d: (d.seq, d.id)):
        if document.body.get("snapshot"):
            total = {}
        for key, tally in StatisticsDelta.from_json(document.body).tallies.items():
            total.setdefault(key, _Tally()).merge(tally)
    last = max(documents, key=lambda d: (d.seq, d.id))
    body = {"snapshot": True, **StatisticsDelta(total).to_json()}
    return Document(
        kind=STATISTICS,
        id=f"{last.seq:012d}-{digest(*(d.id for d in documents), size=4)}",
        seq=last.seq,
        created_at=last.created_at,
        body=body,
    )


class TenantStatistics:
    """The sums of one space, brought up to date by its documents in order of `seq`."""

    def __init__(self) -> None:
        self.seq = 0
        self._tallies: dict[tuple[str, str], _Tally] = {}

    def apply(self, document: Document) -> None:
        """Adds one document; a folded one replaces all before it."""
        if document.body.get("snapshot"):
            self._tallies = {}
        self.add(StatisticsDelta.from_json(document.body))
        self.seq = max(self.seq, document.seq)

    def add(self, delta: StatisticsDelta) -> None:
        """Adds a change that is not stored as a document."""
        for key, tally in delta.tallies.items():
            self._tallies.setdefault(key, _Tally()).merge(tally)

    @property
    def fingerprints(self) -> frozenset[str]:
        """Of the embedders that made the vectors of the space, behind whatever walls."""
        return StatisticsView(self._tallies).fingerprints

    def seen_from(self, walls: frozenset[str] = frozenset()) -> StatisticsView:
        """What a reader behind these walls may know; the open area is always counted."""
        return StatisticsView({k: t for k, t in self._tallies.items() if k[0] == "" or k[0] in walls}, seq=self.seq)


def _frequency(term: str, tallies: Iterable[_Tally]) -> int:
    return max(0, sum(t.terms.get(term, 0) for t in tallies))


def _is_any(group: str) -> bool:
    return True


def _is_plain(group: str) -> bool:
    return not group.endswith(_HAN)


def _is_han(group: str) -> bool:
    return group.endswith(_HAN)


class StatisticsView:
    """Statistics of what one reader may see."""

    def __init__(self, tallies: Mapping[tuple[str, str], _Tally], *, seq: int = 0) -> None:
        self.seq = seq
        self._tallies = list(tallies.items())
        there = [(group, t) for (_, group), t in self._tallies if t.documents > 0]
        told = [(group, t) for group, t in there if kind_of_group(group) not in _HELD] or there
        self._counted = [t for _, t in told]
        self._by_script = {han: [t for g, t in told if g.endswith(_HAN) is han] for han in (False, True)}
        self.documents = sum(t.documents for t in self._counted)
        self._lengths: dict[str, float] = {}  # every candidate of a question asks for its group's

    @property
    def fingerprints(self) -> frozenset[str]:
        """Of the embedders that made the vectors here."""
        counts: Counter[str] = (
            Counter()
        )  # added up first: what was counted in one group may have been taken out of another
        for _, tally in self._tallies:
            for fingerprint, (n, _) in tally.vectors.items():
                counts[fingerprint] += n
        return frozenset(fingerprint for fingerprint, n in counts.items() if n > 0)

    def groups(self) -> dict[str, int]:
        """How many memories each group has."""
        out: Counter[str] = Counter()
        for (_, group), tally in self._tallies:
            out[kind_of_group(group)] += tally.documents
        return {group: n for group, n in sorted(out.items()) if n > 0}

    def frequency(self, term: str) -> int:
        """In how many told memories the term stands (held ones where nothing was told)."""
        return _frequency(term, self._counted)

    def knows(self, term: str) -> bool:
        """Whether the term stands in any memory, told or held."""
        return any(tally.terms.get(term, 0) > 0 for _, tally in self._tallies)

    def idf(self, term: str, *, han: bool | None = None) -> float:
        """Rarity as in BM25 (Robertson and Walker 1994, with the +1 that keeps it positive).

        With `han` among the memories in Chinese (or in none of it) only; a term that none of these has, among all.
        """
        counted, documents = self._counted, self.documents
        if han is not None and _frequency(term, self._by_script[han]):
            counted = self._by_script[han]
            documents = sum(t.documents for t in counted)
        n = _frequency(term, counted)
        return math.log(1 + (max(0, documents - n) + 0.5) / (n + 0.5))

    def languages(self) -> frozenset[bool]:
        """Of what was told here: True where some of it is in Chinese, False where some is in none of it."""
        return frozenset(han for han, tallies in self._by_script.items() if tallies)

    def average_length(self, group: str, *, han: bool = False) -> float:
        """Mean number of index terms of a group's memories (those in Chinese are counted apart); of the whole group, or of all
        memories, where there are none."""
        key = f"{group}{_HAN}" if han else group
        if key not in self._lengths:
            self._lengths[key] = self._average_length(key)
        return self._lengths[key]

    def _average_length(self, key: str) -> float:
        kind = kind_of_group(key)
        for rows in (
            [t for (_, g), t in self._tallies if g == key],
            [t for (_, g), t in self._tallies if kind_of_group(g) == kind],
            [t for _, t in self._tallies],
        ):
            documents = sum(t.documents for t in rows)
            if documents > 0:
                return max(1.0, sum(t.length for t in rows) / documents)
        return 1.0

    def mean_cosine(self, fingerprint: str, vector: Vector, group: str, *, han: bool = False) -> float:
        """The cosine that a memory of the group (and language) has with `vector` on average, shrunk to all groups' where it is
        small.

        All that was told is one group here: how near its texts lie to a question is rather a matter of what they are about, and
        a tenant's chats and notes need not be about the same. Each kind of held memories is a group of its own.
        """
        all_n, all_sum = self._sum(fingerprint, vector, _is_han if han else _is_plain)
        if all_n <= 0:
            all_n, all_sum = self._sum(fingerprint, vector, _is_any)
        if all_n <= 0:
            return 0.0
        kind = kind_of_group(group)

        def counts(own: str) -> bool:
            other = kind_of_group(own)
            return own.endswith(_HAN) is han and (other == kind if kind in _HELD else other not in _HELD)

        n, total = self._sum(fingerprint, vector, counts)
        return (total + _SHRINK * all_sum / all_n) / (max(n, 0) + _SHRINK)

    def _sum(self, fingerprint: str, vector: Vector, counts: Callable[[str], bool]) -> tuple[int, float]:
        n, total = 0, 0.0
        for (_, own), tally in self._tallies:
            if counts(own) and fingerprint in tally.vectors:
                count, vectors = tally.vectors[fingerprint]
                if vectors.shape == vector.shape:
                    n += count
                    total += float(vectors @ vector)
        return n, total
