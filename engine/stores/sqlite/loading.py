"""The images of spaces: kept within a budget, and brought up to what a connection sees before each use."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from threading import Lock
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from muniment.engine.stores.sqlite.codec import OPEN_END
from muniment.engine.stores.sqlite.connection import Bound, snapshot
from muniment.engine.stores.sqlite.image import HELD, TOLD, Image, ints
from muniment.engine.stores.sqlite.rows import Row, assertion_of, entity_of, fact_of
from muniment.graph_schema.records import Kind
from muniment.graph_schema.temporal import BEGINNING_MS

T = TypeVar("T")

Look = Callable[[Image, Bound], T]
"""What is asked of an image that is up to date; its lock is held meanwhile."""

_ALWAYS: Final = BEGINNING_MS
_NO_IMPORTANCE: Final = 1_000  # above every bound: a summary has none to be filtered by


class Images:
    """The images of the spaces last searched, within a budget of bytes; the least recently used goes first."""

    def __init__(self, budget_bytes: int) -> None:
        self._budget = budget_bytes
        self._images: OrderedDict[str, Image] = OrderedDict()
        self._lock = Lock()

    def of(self, space: str) -> Image:
        with self._lock:
            image = self._images.setdefault(space, Image())
            self._images.move_to_end(space)
            return image

    def forget(self) -> None:
        """Drops all images, and the texts that they keep."""
        with self._lock:
            self._images.clear()
        fact_of.cache_clear()
        entity_of.cache_clear()
        assertion_of.cache_clear()

    def trim(self) -> None:
        with self._lock:
            total = self.nbytes
            while total > self._budget and len(self._images) > 1:
                _, dropped = self._images.popitem(last=False)
                total -= dropped.nbytes

    @property
    def nbytes(self) -> int:
        return sum(image.nbytes for image in list(self._images.values()))

    def look(self, bound: Bound, work: Look[T], *, private: bool = False) -> T:
        """What `work` finds in the space as the connection sees it.

        `private`: the connection is inside a transaction that has written; what it sees must not enter the shared image.
        """
        shared = self.of(bound.space)
        with shared.lock:
            if private:
                image = shared.fork()
                catch_up(image, bound)
                return work(image, bound)
            with nullcontext() if bound.connection.in_transaction else snapshot(bound.connection):
                catch_up(shared, bound)
                found = work(shared, bound)
        self.trim()
        return found


# catching up


def catch_up(image: Image, bound: Bound) -> None:
    """Brings the image to the state that the connection sees. The image's lock must be held."""
    state = bound.rows("image_state")
    if not state:
        if image.seen:
            image.reset()
        return
    counter, floor = state[0]
    if counter == image.seen:
        return
    if (image.seen and floor > image.seen) or image.is_worn:
        image.reset()
    if image.seen:
        for kind, id, entry in bound.rows("image_gone", seen=image.seen):
            if entry is None:
                image.drop_memory((kind, id))
            else:
                image.drop_entry(entry)
    _load_facts(image, bound)
    _load_told(image, bound)
    _load_entries(image, bound)
    image.seen = counter


def _load_facts(image: Image, bound: Bound) -> None:
    rows = bound.rows("image_facts", seen=image.seen)
    if not rows:
        return
    (
        row, ids, versions, kinds, created, expired, valid, invalid, importance, rejected, archived,
        walls, users, agents, sessions, relations, subjects, objects, subject_types, object_types,
    ) = zip(*rows, strict=True)  # fmt: skip
    image.put_rows(
        kinds,
        ids,
        versions,
        {
            "row": ints(row),
            "group": np.full(len(rows), HELD, dtype=np.int8),
            "kind": _codes(image, kinds),
            "created": ints(created),
            "expired": ints(expired),
            "valid": ints(valid),
            "invalid": ints(invalid),
            "importance": ints(importance),
            "rejected": np.asarray(rejected, dtype=np.bool_),
            "archived": np.asarray(archived, dtype=np.bool_),
            "wall": _codes(image, walls),
            "user": _codes(image, users),
            "agent": _codes(image, agents),
            "session": _codes(image, sessions),
            "relation": _codes(image, relations),
            "subject": _codes(image, subjects),
            "object": _codes(image, objects),
            "subject_type": _codes(image, subject_types),
            "object_type": _codes(image, object_types),
        },
    )


def _load_told(image: Image, bound: Bound) -> None:
    episodes = bound.rows("image_episodes", seen=image.seen)
    _put_told(image, Kind.EPISODE.value, episodes)
    summaries = bound.rows("image_summaries", seen=image.seen)
    _put_told(image, Kind.SUMMARY.value, [(*row[:3], _NO_IMPORTANCE, *row[3:]) for row in summaries])


def _put_told(image: Image, kind: str, rows: list[Row]) -> None:
    if not rows:
        return
    row, ids, created, importance, archived, walls, users, agents, sessions = zip(*rows, strict=True)
    count = len(rows)
    nothing = np.zeros(count, dtype=np.int32)
    image.put_rows(
        [kind] * count,
        ids,
        [1] * count,
        {
            "row": ints(row),
            "group": np.full(count, TOLD, dtype=np.int8),
            "kind": np.full(count, image.code(kind), dtype=np.int32),
            "created": ints(created),
            "expired": np.full(count, OPEN_END, dtype=np.int64),
            "valid": np.full(count, _ALWAYS, dtype=np.int64),
            "invalid": np.full(count, OPEN_END, dtype=np.int64),
            "importance": ints(importance),
            "rejected": np.zeros(count, dtype=np.bool_),
            "archived": np.asarray(archived, dtype=np.bool_),
            "wall": _codes(image, walls),
            "user": _codes(image, users),
            "agent": _codes(image, agents),
            "session": _codes(image, sessions),
            "relation": nothing,
            "subject": nothing,
            "object": nothing,
            "subject_type": nothing,
            "object_type": nothing,
        },
    )


def _load_entries(image: Image, bound: Bound) -> None:
    entries = bound.rows("image_entries", seen=image.seen)
    if not entries:
        return
    numbers, kinds, ids, words = zip(*entries, strict=True)
    image.put_entries(numbers, list(zip(kinds, ids, strict=True)), words)
    by_embedder: dict[tuple[str, int], list[tuple[int, bytes]]] = defaultdict(list)
    for number, fingerprint, dim, parts in bound.rows("image_vectors", seen=image.seen):
        by_embedder[fingerprint, dim].append((number, parts))
    for (fingerprint, dim), held in by_embedder.items():
        parts = np.frombuffer(b"".join(blob for _, blob in held), dtype="<f4").reshape(-1, dim)
        counts = ints([len(blob) // (4 * dim) for _, blob in held])
        image.put_vectors(fingerprint, dim, ints([number for number, _ in held]), counts, parts)


def _codes(image: Image, texts: Sequence[str]) -> NDArray[np.int32]:
    codes = {text: image.code(text) for text in set(texts)}
    return np.fromiter(map(codes.__getitem__, texts), dtype=np.int32, count=len(texts))
