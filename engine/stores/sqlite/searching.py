"""Search over an image: filter, rank each channel exactly, read what was found."""

from __future__ import annotations

import hashlib
import heapq
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from muniment.engine.ports.models import Vector
from muniment.engine.ports.search import Found, Memory, ReadFilter, SearchRequest
from muniment.engine.stores.sqlite.codec import restored, stored
from muniment.engine.stores.sqlite.connection import Bound
from muniment.engine.stores.sqlite.image import HELD, TOLD, Image, Ints, Read, ints
from muniment.engine.stores.sqlite.rows import Row, episode_of, fact_of, summary_of
from muniment.graph_schema.records import Kind
from muniment.graph_schema.temporal import to_ms

# words


@lru_cache(maxsize=50_000)
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
    hidden: bool = False


class _Cosines(NamedTuple):
    """By entry: the cosine of its best part, and which of the asked fingerprints it is of (-1: it has no such vector)."""

    values: Vector
    channel: NDArray[np.int8]
    fingerprints: tuple[str, ...]


def search(image: Image, bound: Bound, request: SearchRequest) -> list[Found]:
    """Everything that a channel found or that is wanted, once each. The image's lock must be held."""
    return read_found(image, bound, find(image, bound, request))


def find(image: Image, bound: Bound, request: SearchRequest) -> list[Hit]:
    """The rows of what `search` gives."""
    if not len(image):
        return []
    hits = _find(image, bound, request)
    if request.hidden and request.limit > 0 and request.without_status != request.filter:
        wider = replace(request, filter=request.without_status, limit=request.hidden, wanted=frozenset(), hidden=0)
        shown = shown_rows(image, bound, request.filter)
        hits += [hit._replace(hidden=True) for hit in _find(image, bound, wider) if not shown[hit.place]]
    return hits


def _find(image: Image, bound: Bound, request: SearchRequest) -> list[Hit]:
    shown = shown_rows(image, bound, request.filter)
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


def shown_rows(image: Image, bound: Bound, filter: ReadFilter) -> NDArray[np.bool_]:
    """Which rows the read filter shows. One question asks several times with few filters; the last answers are kept."""
    asked = (filter, bound.walls, bound.all_walls)
    mask = image.masks.get(asked)
    if mask is None:
        mask = _which_shown(image, bound, filter)
        image.keep_mask(asked, mask)
    return mask


def _which_shown(image: Image, bound: Bound, filter: ReadFilter) -> NDArray[np.bool_]:
    as_of, known_at = to_ms(filter.clocks.as_of), to_ms(filter.clocks.known_at)
    column = image.column
    mask: NDArray[np.bool_] = column("alive") & (column("created") <= known_at) & (known_at < column("expired"))
    mask &= ~column("rejected")
    if not filter.include_superseded:
        mask &= as_of < column("invalid")
        if not filter.include_future:
            mask &= column("valid") <= as_of
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
        return ints([row[0] for row in rows])

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
        Found(
            memory=read[hit.place][0],
            cosine=hit.cosine,
            fingerprint=hit.fingerprint,
            words=read[hit.place][1],
            hidden=hit.hidden,
        )
        for hit in hits
        if hit.place in read
    ]
