"""Index entries to properties: words and the first vector stand on the memory, further vectors in passages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from muniment.engine.ports.search import IndexEntry
from muniment.engine.stores.neo4j.memory_rows import memory_of
from muniment.engine.stores.neo4j.texts import decode, encode, key
from muniment.graph_schema.errors import Invalid
from muniment.graph_schema.records import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexRows:
    """What one entry writes: onto its memory, and as passages of it."""

    row: dict[str, Any]
    passages: tuple[dict[str, Any], ...]


def check_entry(entry: IndexEntry) -> None:
    """Raises Invalid for an entry that cannot be searched: of an entity, or with vectors that are none."""
    if entry.kind is Kind.ENTITY:
        raise Invalid("entities are not searched: index what mentions them", field="kind")
    for fingerprint, vectors in entry.vectors.items():
        if vectors.ndim != 2 or not np.isfinite(vectors).all():
            raise Invalid(f"vectors of {entry.id!r} for {fingerprint!r} must be finite, (parts, dim)", field="vectors")


def fact_index(entry: IndexEntry) -> IndexRows:
    """An entry of a fact: its first vector is `fact_embedding` on the relationship, where Graphiti keeps its own."""
    vectors = list(_vectors(entry))
    first = vectors[0] if vectors else None
    passages = tuple(_passage(entry, *one, held=True) for one in vectors[1:])
    return IndexRows(
        row={
            **_common(entry),
            "embedder": first[0] if first else None,
            "embedding": first[2] if first else None,
            "parts": len(passages),
        },
        passages=passages,
    )


def told_index(entry: IndexEntry) -> IndexRows:
    """An entry of an episode or a summary: every window is a passage."""
    passages = tuple(_passage(entry, *one, held=False) for one in _vectors(entry))
    return IndexRows(row={**_common(entry), "parts": len(passages)}, passages=passages)


def entry_of(
    kind: str,
    rest: str,
    words: str,
    *vectors: Any,
) -> IndexEntry:
    """The entry of a row: kind, the memory's `rest`, words, for a fact its first fingerprint and vector, and passages."""
    *first, passages = vectors
    found: dict[str, list[list[float]]] = {}
    if first and first[0] is not None:
        found[decode(first[0])] = [first[1]]
    for fingerprint, _, vector in passages:
        found.setdefault(decode(fingerprint), []).append(vector)
    return IndexEntry(
        kind=Kind(kind),
        id=memory_of(kind, "", rest).id,
        words=decode(words),
        vectors={fingerprint: np.asarray(rows, dtype=np.float32) for fingerprint, rows in found.items()},
    )


def _common(entry: IndexEntry) -> dict[str, Any]:
    return {
        "uuid": key(entry.id),
        "kind": entry.kind.value,
        "words": encode(entry.words),
        "embedders": [encode(fingerprint) for fingerprint, matrix in entry.vectors.items() if len(matrix)],
    }


def _vectors(entry: IndexEntry) -> Iterator[tuple[str, int, list[float]]]:
    """Fingerprint, part and vector of each."""
    for fingerprint, matrix in entry.vectors.items():
        for part, vector in enumerate(matrix.tolist()):
            yield encode(fingerprint), part, vector


def _passage(entry: IndexEntry, fingerprint: str, part: int, vector: list[float], *, held: bool) -> dict[str, Any]:
    owner = key(entry.id)
    return {
        "uuid": f"{entry.kind.value}:{owner}:{fingerprint}:{part}",
        "owner": owner,
        "kind": entry.kind.value,
        "held": held,
        "part": part,
        "embedder": fingerprint,
        "embedding": vector,
    }
