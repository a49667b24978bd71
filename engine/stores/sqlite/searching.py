"""Search over an image: catch up with the database, filter, rank each channel exactly, read what was found."""

from __future__ import annotations

import hashlib
import heapq
import json
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from functools import lru_cache
from threading import Lock
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from muniment.engine.ports.models import Vector
from muniment.engine.ports.search import Found, Memory, ReadFilter, SearchRequest
from muniment.engine.stores.sqlite.codec import OPEN_END, restored, stored
from muniment.engine.stores.sqlite.connection import Bound, snapshot
from muniment.engine.stores.sqlite.image import HELD, TOLD, Image, Ints, Read
from muniment.engine.stores.sqlite.rows import Row, episode_of, fact_of, summary_of
from muniment.graph_schema.records import Kind
from muniment.graph_schema.temporal import BEGINNING_MS, to_ms

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

    def trim(self) -> None:
        with self._lock:
            total = self.nbytes
            while total > self._budget and len(self._images) > 1:
                _, dropped = self._images.popitem(last=False)
                total -= dropped.nbytes

    @property
    def nbytes(self) -> int:
        return sum(image.nbytes for image in list(self._images.values()))


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
        walls, users, agents, sessions, relations, subject_types, object_types,
    ) = zip(*rows, strict=True)  # fmt: skip
    image.put_rows(
        kinds,
        ids,
        versions,
        {
            "row": _ints(row),
            "group": np.full(len(rows), HELD, dtype=np.int8),
            "kind": _codes(image, kinds),
            "created": _ints(created),
            "expired": _ints(expired),
            "valid": _ints(valid),
            "invalid": _ints(invalid),
            "importance": _ints(importance),
            "rejected": np.asarray(rejected, dtype=np.bool_),
            "archived": np.asarray(archived, dtype=np.bool_),
            "wall": _codes(image, walls),
            "user": _codes(image, users),
            "agent": _codes(image, agents),
            "session": _codes(image, sessions),
            "relation": _codes(image, relations),
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
            "row": _ints(row),
            "group": np.full(count, TOLD, dtype=np.int8),
            "kind": np.full(count, image.code(kind), dtype=np.int32),
            "created": _ints(created),
            "expired": np.full(count, OPEN_END, dtype=np.int64),
            "valid": np.full(count, _ALWAYS, dtype=np.int64),
            "invalid": np.full(count, OPEN_END, dtype=np.int64),
            "importance": _ints(importance),
            "rejected": np.zeros(count, dtype=np.bool_),
            "archived": np.asarray(archived, dtype=np.bool_),
            "wall": _codes(image, walls),
            "user": _codes(image, users),
            "agent": _codes(image, agents),
            "session": _codes(image, sessions),
            "relation": nothing,
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
        counts = _ints([len(blob) // (4 * dim) for _, blob in held])
        image.put_vectors(fingerprint, dim, _ints([number for number, _ in held]), counts, parts)


def _ints(values: Sequence[int]) -> Ints:
    return np.fromiter(values, dtype=np.int64, count=len(values))


def _codes(image: Image, texts: Sequence[str]) -> NDArray[np.int32]:
    codes = {text: image.code(text) for text in set(texts)}
    return np.fromiter(map(codes.__getitem__, texts), dtype=np.int32, count=len(texts))


# words


@lru_cache(maxsize=200_000)
def token_of(space: str, term: str) -> str:
    """What stands for a term of a space in the word index: 64 bits of a hash, so another tenant's rows cannot match."""
    return hashlib.blake2b(f"{space}\0{term}".encode(), digest_size=8).hexdigest()


def tokens_of(space: str, words: str) -> str:
    """The tokens of a memory's words, both as stored."""
    return " ".join(sorted({token_of(space, term) for term in words.split(" ") if term}))


# searching


class Hit(NamedTuple):
    """A row of the image that was found, before it is read."""

    place: int
    row: int
    kind: str
    cosine: float | None
    fingerprint: str


class _Cosines(NamedTuple):
    """By entry: the cosine of its best part, and which of the asked fingerprints it is of (-1: it has no such vector)."""

    values: Vector
    channel: NDArray[np.int8]
    fingerprints: tuple[str, ...]


def find(image: Image, bound: Bound, request: SearchRequest) -> list[Hit]:
    """What the channels found and what is wanted, once each. The image's lock must be held."""
    if not len(image):
        return []
    shown = _shown(image, bound, request.filter)
    entry = image.column("entry")
    if request.limit <= 0:
        asked_for = sorted(_wanted(image, request.wanted, shown))
        theirs = np.zeros(len(image.entry_keys), dtype=np.bool_)
        theirs[[number for number in entry[asked_for].tolist() if number >= 0]] = True
        return _hits(image, asked_for, _cosines(image, request, theirs))
    rows = np.flatnonzero(shown & (entry >= 0))
    row_of_entry = np.full(len(image.entry_keys), -1, dtype=np.int64)
    row_of_entry[entry[rows]] = rows
    group = np.full(len(image.entry_keys), -1, dtype=np.int8)
    group[entry[rows]] = image.column("group")[rows]

    cosines = _cosines(image, request, group >= 0)
    channels: list[tuple[NDArray[np.bool_], NDArray[Any]]] = [
        (cosines.channel == number, cosines.values) for number in range(len(cosines.fingerprints))
    ]
    if request.terms:
        channels.append(_words(image, bound, request))
    found: set[int] = set()
    for matched, scores in channels:
        for one in (HELD, TOLD):
            places = np.flatnonzero(matched & (group == one))
            found.update(_best(image, places, scores[places], request.limit))
    wanted = _wanted(image, request.wanted, shown)
    return _hits(image, sorted({int(row_of_entry[place]) for place in found} | wanted), cosines)


def _shown(image: Image, bound: Bound, filter: ReadFilter) -> NDArray[np.bool_]:
    """Which rows the read filter shows. One question asks several times with one filter; the last answer is kept."""
    asked = (filter, bound.walls, bound.all_walls, image.seen, len(image), image.dead)
    if image.shown is None or image.shown[0] != asked:
        image.shown = (asked, _which_shown(image, bound, filter))
    return image.shown[1]


def _which_shown(image: Image, bound: Bound, filter: ReadFilter) -> NDArray[np.bool_]:
    as_of, known_at = to_ms(filter.clocks.as_of), to_ms(filter.clocks.known_at)
    column = image.column
    mask: NDArray[np.bool_] = column("alive") & (column("created") <= known_at) & (known_at < column("expired"))
    mask &= ~column("rejected")
    if not filter.include_superseded:
        mask &= (column("valid") <= as_of) & (as_of < column("invalid"))
    if not filter.include_archived:
        mask &= ~column("archived")
    if filter.min_importance > 1:
        mask &= column("importance") >= filter.min_importance
    if not bound.all_walls:
        mask &= _among(image, column("wall"), bound.walls)
    mask &= _among(image, column("kind"), [kind.value for kind in filter.kinds])
    facts = column("kind") == image.code(Kind.FACT.value)
    if filter.relations:
        mask &= ~facts | _among(image, column("relation"), filter.relations)
    if filter.types:
        by_subject = _among(image, column("subject_type"), filter.types)
        mask &= ~facts | by_subject | _among(image, column("object_type"), filter.types)
    if filter.scope is not None:
        for name in ("user", "agent", "session"):
            mask &= _among(image, column(name), {"", getattr(filter.scope, name)})
    return mask


def _among(image: Image, column: NDArray[Any], texts: Iterable[str]) -> NDArray[np.bool_]:
    codes = image.known_codes(stored(text) for text in texts)
    if len(codes) == 1:
        return np.asarray(column == codes[0])
    return np.isin(column, codes)


def _cosines(image: Image, request: SearchRequest, shown: NDArray[np.bool_]) -> _Cosines:
    values = np.zeros(len(shown), dtype=np.float32)
    channel = np.full(len(shown), -1, dtype=np.int8)
    for number, (fingerprint, question) in enumerate(request.vectors.items()):
        held = image.vectors.get((stored(fingerprint), len(question)))
        if held is None:
            continue
        places, cosines = held.best_cosines(np.asarray(question, dtype=np.float32), shown & (channel < 0))
        values[places] = np.clip(cosines, -1.0, 1.0)
        channel[places] = number
    return _Cosines(values, channel, tuple(request.vectors))


def _words(image: Image, bound: Bound, request: SearchRequest) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """By entry: whether it holds any of the terms, and the sum of their weights."""

    def read(term: str) -> Ints:
        rows = bound.rows("token_get", token=token_of(bound.space, term))
        return _ints([row[0] for row in rows])

    matched = np.zeros(len(image.entry_keys), dtype=np.bool_)
    scores = np.zeros(len(image.entry_keys), dtype=np.float64)
    for term in dict.fromkeys(request.terms):
        places = image.entries_with(stored(term), read)
        if len(places):
            matched[places] = True
            scores[places] += request.idf.get(term, 1.0)
    return matched, scores


def _best(image: Image, places: Ints, scores: NDArray[Any], limit: int) -> list[int]:
    """The places of the highest scores, ties by id."""
    if limit <= 0:
        return []
    if len(places) <= limit:
        return [int(place) for place in places]
    lowest = np.partition(scores, len(scores) - limit)[len(scores) - limit]
    above: list[int] = places[scores > lowest].tolist()
    level: list[int] = places[scores == lowest].tolist()
    return above + heapq.nsmallest(limit - len(above), level, key=lambda place: image.entry_keys[place][1])


def _wanted(image: Image, wanted: Iterable[tuple[Kind, str]], shown: NDArray[np.bool_]) -> set[int]:
    rows = (row for kind, id in wanted for row in image.rows_of.get((kind.value, stored(id)), ()))
    return {row for row in rows if shown[row]}


def _hits(image: Image, places: Sequence[int], cosines: _Cosines) -> list[Hit]:
    """The rows of the image at these places, each with its best cosine."""
    entries, kinds, rows = (image.column(name)[places].tolist() for name in ("entry", "kind", "row"))
    hits: list[Hit] = []
    for place, entry, kind, row in zip(places, entries, kinds, rows, strict=True):
        channel = int(cosines.channel[entry]) if entry >= 0 else -1
        cosine = float(cosines.values[entry]) if channel >= 0 else None
        hits.append(Hit(place, row, image.texts[kind], cosine, cosines.fingerprints[channel] if channel >= 0 else ""))
    return hits


# reading what was found

_READERS: Final[dict[str, Callable[[Row], Memory]]] = {
    "found_fact": fact_of,
    "found_episode": episode_of,
    "found_summary": summary_of,
}
_STATEMENT_OF: Final = {Kind.EPISODE.value: "found_episode", Kind.SUMMARY.value: "found_summary"}


def read_found(image: Image, bound: Bound, hits: Sequence[Hit]) -> list[Found]:
    """The memories of the hits. The connection must still be in the state in which they were found."""
    missing: dict[str, dict[int, int]] = defaultdict(dict)
    read: dict[int, Read] = {}
    for hit in hits:
        if hit.place in image.read:
            read[hit.place] = image.read[hit.place]
        else:
            missing[_STATEMENT_OF.get(hit.kind, "found_fact")][hit.row] = hit.place
    for name, place_of in missing.items():
        to_record = _READERS[name]
        for row in bound.rows(name, rows=json.dumps(list(place_of))):
            read[place_of[row[0]]] = (to_record(row[2:]), restored(row[1]))
    image.keep_read(read)
    return [
        Found(memory=read[hit.place][0], cosine=hit.cosine, fingerprint=hit.fingerprint, words=read[hit.place][1])
        for hit in hits
        if hit.place in read
    ]


def search(images: Images, bound: Bound, request: SearchRequest, *, private: bool = False) -> list[Found]:
    """Everything that a channel found or that is wanted, as the connection sees the space.

    `private`: the connection is inside a transaction that has written; what it sees must not enter the shared image.
    """
    shared = images.of(bound.space)
    with shared.lock:
        if private:
            image = shared.fork()
            catch_up(image, bound)
            return read_found(image, bound, find(image, bound, request))
        with nullcontext() if bound.connection.in_transaction else snapshot(bound.connection):
            catch_up(shared, bound)
            found = read_found(shared, bound, find(shared, bound, request))
    images.trim()
    return found
