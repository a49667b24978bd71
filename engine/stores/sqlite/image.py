"""A space's search index in memory: filter columns, vectors and the word lists that were asked for, as numpy arrays.

Rows are only appended; what went is marked dead. A *row* is one version of a memory (facts have several), an *entry* is how
a memory is found (its vectors and words), shared by all its versions. Texts are interned to integers. Nothing here
touches the database or knows SQL.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from muniment.engine.ports.models import Vector
from muniment.engine.ports.search import Memory
from muniment.engine.stores.sqlite.one_thread import on_one_thread

Ints = NDArray[np.int64]
Key = tuple[str, str]
"""(kind, id), the id as stored."""

Read = tuple[Memory, str]
"""A memory as read from the database, with its words."""

HELD: Final = 0
TOLD: Final = 1

_COLUMNS: Final[dict[str, type[np.generic]]] = {
    "row": np.int64,
    "entry": np.int32,
    "group": np.int8,
    "kind": np.int32,
    "created": np.int64,
    "expired": np.int64,
    "valid": np.int64,
    "invalid": np.int64,
    "importance": np.int64,
    "rejected": np.bool_,
    "archived": np.bool_,
    "wall": np.int32,
    "user": np.int32,
    "agent": np.int32,
    "session": np.int32,
    "relation": np.int32,
    "subject": np.int32,
    "object": np.int32,
    "subject_type": np.int32,
    "object_type": np.int32,
    "alive": np.bool_,
}
# Word lists kept, counted in numbers: 64 MB. Past that all are dropped and read again when asked for.
_MOST_POSTINGS: Final = 8_000_000
_LEAST_DEAD: Final = 2_000
# Memories kept as read, so that what is found often is built once. A fact takes about 3 KB.
_MOST_READ: Final = 20_000
_READ_BYTES: Final = 3_000
_MOST_MASKS: Final = 8


def ints(values: Collection[int]) -> Ints:
    """The numbers as an array."""
    return np.fromiter(values, dtype=np.int64, count=len(values))


class Growing:
    """A numpy array that is appended to; `view` is its filled part."""

    def __init__(self, dtype: type[np.generic], width: int | None = None) -> None:
        self._width = width
        self._array: NDArray[Any] = np.empty((0,) if width is None else (0, width), dtype=dtype)
        self.count = 0

    @property
    def view(self) -> NDArray[Any]:
        return self._array[: self.count]

    @property
    def nbytes(self) -> int:
        return int(self._array.nbytes)

    def extend(self, values: NDArray[Any]) -> None:
        needed = self.count + len(values)
        if self.count == 0:
            # The first load is kept as it is: no room to spare, no copy.
            self._array = np.ascontiguousarray(values, dtype=self._array.dtype)
        else:
            if needed > len(self._array) or not self._array.flags.writeable:
                grown = np.empty((max(needed, 2 * len(self._array)), *self._array.shape[1:]), self._array.dtype)
                grown[: self.count] = self.view
                self._array = grown
            self._array[self.count : needed] = values
        self.count = needed

    def writable(self) -> NDArray[Any]:
        """The filled part, safe to write to."""
        if not self._array.flags.writeable:
            self._array = self._array.copy()
        return self.view

    def fork(self) -> Growing:
        """A copy that can be appended to and written without touching this one."""
        other = Growing.__new__(Growing)
        other._width = self._width
        other._array = self.view.copy()
        other.count = self.count
        return other


class Vectors:
    """The vectors of one embedder: parts in order of entry, each entry's parts side by side."""

    def __init__(self, dim: int) -> None:
        self.dim = dim
        self.parts = Growing(np.float32, dim)
        self.entries = Growing(np.int64)
        self.starts = Growing(np.int64)
        self._last: tuple[bytes, Vector] | None = None  # a question and its cosines: it is asked several times

    def extend(self, entries: Ints, counts: Ints, parts: Vector) -> None:
        starts = self.parts.count + np.concatenate(([0], np.cumsum(counts)[:-1])).astype(np.int64)
        self.entries.extend(entries)
        self.starts.extend(starts)
        self.parts.extend(parts)
        self._last = None

    def best_cosines(self, question: Vector, wanted: NDArray[np.bool_]) -> tuple[Ints, Vector]:
        """Entries among the wanted ones that have vectors here, and the cosine of the best part of each."""
        entries, parts = self.entries.view, self.parts.view
        chosen = wanted[entries]
        one_each = self.parts.count == self.entries.count
        # Gathering rows costs about as much as multiplying three times as many in place.
        known = self._last is not None and self._last[0] == question.tobytes()
        if not known and int(chosen.sum()) * 3 < len(entries):
            places = np.flatnonzero(chosen)
            if one_each or not len(places):
                return entries[places], parts[places] @ question
            starts = self.starts.view[places]
            counts = np.append(self.starts.view, self.parts.count)[places + 1] - starts
            firsts = np.concatenate(([0], np.cumsum(counts)[:-1]))
            rows = np.arange(int(counts.sum())) + np.repeat(starts - firsts, counts)
            return entries[places], np.maximum.reduceat(parts[rows] @ question, firsts)
        cosines = self._cosines(question)
        return entries[chosen], cosines[chosen]

    def _cosines(self, question: Vector) -> Vector:
        """Of every entry, the cosine of its best part."""
        asked = question.tobytes()
        if self._last is not None and self._last[0] == asked:
            return self._last[1]
        with on_one_thread():
            cosines: Vector = self.parts.view @ question
        if self.parts.count != self.entries.count:
            cosines = np.maximum.reduceat(cosines, self.starts.view)
        self._last = (asked, cosines)
        return cosines

    @property
    def nbytes(self) -> int:
        return self.parts.nbytes + self.entries.nbytes + self.starts.nbytes

    def fork(self) -> Vectors:
        other = Vectors.__new__(Vectors)
        other.dim = self.dim
        other._last = None
        other.parts, other.entries, other.starts = self.parts.fork(), self.entries.fork(), self.starts.fork()
        return other


class Image:
    """One space's rows and entries as of `seen`, the space's counter. `lock` is held for every use of it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.reset()

    def reset(self) -> None:
        self.seen = 0
        self.columns = {name: Growing(dtype) for name, dtype in _COLUMNS.items()}
        self.ids: list[str] = []
        self.versions: list[int] = []
        self.rows_of: dict[Key, list[int]] = {}
        self.row_of_version: dict[tuple[str, str, int], int] = {}
        self.entry_numbers = Growing(np.int64)
        self.entry_alive = Growing(np.bool_)
        self.entry_keys: list[Key] = []
        self.entry_of: dict[Key, int] = {}
        self.vectors: dict[tuple[str, int], Vectors] = {}  # by (fingerprint, dim)
        self.codes: dict[str, int] = {"": 0}
        self.texts: list[str] = [""]
        self.dead = 0
        self.masks: dict[object, NDArray[np.bool_]] = {}  # what the last filters showed
        self.read: dict[int, Read] = {}
        self._touching: dict[int, list[int]] = {}  # by the code of an entity: the rows of facts that touch it
        self._postings: dict[str, Ints] = {}
        self._newer: dict[str, list[int]] = {}
        self._postings_kept = 0

    # what is in it

    def __len__(self) -> int:
        return len(self.ids)

    def column(self, name: str) -> NDArray[Any]:
        return self.columns[name].view

    def code(self, text: str) -> int:
        """The integer that stands for a text, made where it is new."""
        code = self.codes.get(text)
        if code is None:
            code = self.codes[text] = len(self.texts)
            self.texts.append(text)
        return code

    def known_codes(self, texts: Iterable[str]) -> list[int]:
        """The integers of those texts that some row has."""
        return [self.codes[text] for text in texts if text in self.codes]

    @property
    def nbytes(self) -> int:
        arrays = sum(column.nbytes for column in self.columns.values())
        vectors = sum(held.nbytes for held in self.vectors.values())
        # Ids, keys and dictionaries: about 600 bytes a row, measured.
        read = _READ_BYTES * len(self.read)
        return arrays + vectors + read + 600 * (len(self.ids) + len(self.entry_keys)) + 8 * self._postings_kept

    @property
    def is_worn(self) -> bool:
        """Whether so much of it is dead that loading it anew is better."""
        return self.dead > max(_LEAST_DEAD, (len(self.ids) + len(self.entry_keys)) // 2)

    def fork(self) -> Image:
        """A copy for a transaction, which may see rows that others must not."""
        other = Image()
        other.seen, other.dead = self.seen, self.dead
        other.columns = {name: column.fork() for name, column in self.columns.items()}
        other.ids, other.versions = self.ids.copy(), self.versions.copy()
        other.rows_of = {key: rows.copy() for key, rows in self.rows_of.items()}
        other.row_of_version = self.row_of_version.copy()
        other.entry_numbers, other.entry_alive = self.entry_numbers.fork(), self.entry_alive.fork()
        other.entry_keys, other.entry_of = self.entry_keys.copy(), self.entry_of.copy()
        other.vectors = {key: held.fork() for key, held in self.vectors.items()}
        other.codes, other.texts = self.codes.copy(), self.texts.copy()
        other._touching = {end: rows.copy() for end, rows in self._touching.items()}
        return other

    # edges

    def touching(self, entity: str) -> Ints:
        """The rows, living or not, of the facts that an entity (its id as stored) is subject or object of."""
        code = self.codes.get(entity)
        if code is None or code not in self._touching:
            return np.empty(0, dtype=np.int64)
        rows = np.unique(np.asarray(self._touching[code], dtype=np.int64))
        # A row that was written over may have had other ends before.
        there: Ints = rows[(self.column("subject")[rows] == code) | (self.column("object")[rows] == code)]
        return there

    def _tie(self, places: Iterable[int], subjects: Iterable[int], objects: Iterable[int]) -> None:
        for place, subject, object in zip(places, subjects, objects, strict=True):
            for end in {subject, object} - {0}:
                self._touching.setdefault(end, []).append(place)

    # changing it

    def put_rows(
        self, kinds: Sequence[str], ids: Sequence[str], versions: Sequence[int], columns: dict[str, Any]
    ) -> None:
        """Adds rows, or writes over those with the same (kind, id, version). `columns` leaves out `entry` and `alive`."""
        count = len(ids)
        if not count:
            return
        self.masks.clear()
        triples = list(zip(kinds, ids, versions, strict=True))
        fresh = self._fresh(triples)
        if len(fresh) < count:
            for at in sorted(set(range(count)).difference(fresh)):
                place = self.row_of_version[triples[at]]
                self.read.pop(place, None)
                for name, values in columns.items():
                    self.columns[name].writable()[place] = values[at]
                self._tie([place], [int(columns["subject"][at])], [int(columns["object"][at])])
        if not fresh:
            return
        first = len(self.ids)
        keys = [(triples[at][0], triples[at][1]) for at in fresh]
        chosen = np.asarray(fresh)
        for name, values in columns.items():
            self.columns[name].extend(np.asarray(values)[chosen])
        self.columns["entry"].extend(np.fromiter((self.entry_of.get(key, -1) for key in keys), np.int32, len(keys)))
        self.columns["alive"].extend(np.ones(len(keys), dtype=np.bool_))
        self.row_of_version.update(zip((triples[at] for at in fresh), range(first, first + len(fresh)), strict=True))
        self.ids.extend(key[1] for key in keys)
        self.versions.extend(triples[at][2] for at in fresh)
        for place, key in enumerate(keys, first):
            self.rows_of.setdefault(key, []).append(place)
        ends = (np.asarray(columns[name])[chosen].tolist() for name in ("subject", "object"))
        self._tie(range(first, first + len(fresh)), *ends)

    def _fresh(self, triples: list[tuple[str, str, int]]) -> list[int]:
        if not self.row_of_version:
            return list(range(len(triples)))
        return [at for at, triple in enumerate(triples) if triple not in self.row_of_version]

    def put_entries(self, numbers: Sequence[int], keys: Sequence[Key], words: Sequence[str]) -> None:
        """Adds entries, whose numbers are higher than all before."""
        if not numbers:
            return
        first = len(self.entry_keys)
        self.entry_numbers.extend(np.asarray(numbers, dtype=np.int64))
        self.entry_alive.extend(np.ones(len(numbers), dtype=np.bool_))
        self.entry_keys.extend(keys)
        entry_column = self.columns["entry"].writable()
        for place, key in enumerate(keys, first):
            self.entry_of[key] = place
            for row in self.rows_of.get(key, ()):
                entry_column[row] = place
                self.read.pop(row, None)
        if self._postings:
            for place, text in enumerate(words, first):
                for term in set(text.split(" ")):
                    if term in self._postings:
                        self._newer.setdefault(term, []).append(place)

    def put_vectors(self, fingerprint: str, dim: int, numbers: Ints, counts: Ints, parts: Vector) -> None:
        held = self.vectors.setdefault((fingerprint, dim), Vectors(dim))
        held.extend(self.places_of(numbers), counts, parts)

    def drop_entry(self, number: int) -> None:
        place = int(np.searchsorted(self.entry_numbers.view, number))
        if place >= len(self.entry_keys) or self.entry_numbers.view[place] != number:
            return
        key = self.entry_keys[place]
        self.entry_alive.writable()[place] = False
        self.dead += 1
        if self.entry_of.get(key) == place:
            del self.entry_of[key]
            for row in self.rows_of.get(key, ()):
                self.columns["entry"].writable()[row] = -1
                self.read.pop(row, None)

    def drop_memory(self, key: Key) -> None:
        self.masks.clear()
        for place in self.rows_of.pop(key, ()):
            self.columns["alive"].writable()[place] = False
            self.dead += 1
            self.read.pop(place, None)
            del self.row_of_version[(*key, self.versions[place])]

    def keep_mask(self, asked: object, mask: NDArray[np.bool_]) -> None:
        """Keeps which rows a filter shows until rows change."""
        if len(self.masks) >= _MOST_MASKS:
            self.masks.pop(next(iter(self.masks)))
        self.masks[asked] = mask

    def keep_read(self, read: dict[int, Read]) -> None:
        """Keeps what was read of rows until they change."""
        if len(self.read) + len(read) > _MOST_READ:
            self.read.clear()
        self.read.update(read)

    # words

    def places_of(self, numbers: Ints) -> Ints:
        """The places of entries by their numbers, which must all be here."""
        return np.searchsorted(self.entry_numbers.view, numbers).astype(np.int64)

    def entries_with(self, term: str, read: Callable[[str], Ints]) -> Ints:
        """The places of the entries that hold a term; `read` gives their numbers where the term is asked the first time."""
        found = self._postings.get(term)
        if found is None:
            found = self._inside(read(term))
            self._postings_kept += len(found)
            self._postings[term] = found
        elif term in self._newer:
            newer = np.asarray(self._newer.pop(term), dtype=np.int64)
            found = np.concatenate((found, newer))
            self._postings_kept += len(newer)
            self._postings[term] = found
        if self._postings_kept > _MOST_POSTINGS:
            self._postings.clear()
            self._newer.clear()
            self._postings_kept = 0
        return found

    def _inside(self, numbers: Ints) -> Ints:
        known = self.entry_numbers.view
        places = self.places_of(numbers)
        places, numbers = places[places < len(known)], numbers[places < len(known)]
        inside: Ints = places[known[places] == numbers]
        return inside
