"""What is kept of how the sentences of notes follow one another, and how a read gets at it.

Two kinds of documents, both by the id of an episode: its sentences as they were read, and the successions that it takes part
in, on either side. Neither says who may see what: a succession counts for a read that sees both of its notes, so walls,
scopes, `known_at`, forgetting and undo hold for it as they hold for the notes.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

import numpy as np

from muniment.engine.extract.change.notes import SentenceReading, sentence_from_json, sentence_to_json
from muniment.engine.ports.models import Vector
from muniment.engine.ports.store import Reader
from muniment.graph_schema.ids import EpisodeId
from muniment.graph_schema.records import Document
from muniment.graph_schema.temporal import from_ms, to_ms

READING: Final = "note_reading"
SUCCESSION: Final = "succession"

SUCCESSOR: Final = "sentence.successor"
CORRECTED: Final = "sentence.corrected"

Key = tuple[EpisodeId, int]
"""A sentence: its note, and its place in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Succession:
    """The later sentence takes the earlier one's place from `since` on; None: it never held.

    `parts` are what speaks for it and against it, `relation` what both tell, `name` the entity that they share. `in_part`: of
    several that the earlier one lists, only some are replaced, so the rest of it holds. `of_group`: the earlier one tells it of
    several things, of which `name` is one, so of the others it holds.
    """

    old: Key
    new: Key
    since: datetime | None
    rule: str
    strength: float
    relation: str = ""
    name: str = ""
    parts: Mapping[str, float] = field(default_factory=dict)
    in_part: bool = False
    of_group: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptNote:
    """A note as it is kept for comparison. Names are ids of entities.

    `persons`: of each name what speaks for a person, less what for a thing. `vectors`: of the sentences without their names, by embedder fingerprint, one row each; only where they were needed.
    """

    episode: EpisodeId
    told_at: datetime
    sentences: tuple[SentenceReading, ...]
    speaker: str = ""
    persons: Mapping[str, int] = field(default_factory=dict)
    vectors: Mapping[str, Vector] = field(default_factory=dict)


async def kept_notes(reader: Reader, ids: Sequence[EpisodeId]) -> dict[EpisodeId, KeptNote]:
    """The notes among these episodes, as they are kept for comparison."""
    found = await reader.documents_by_id(READING, ids)
    return {EpisodeId(row.id): note_of(row) for row in found}


async def successions_of(reader: Reader, ids: Sequence[EpisodeId]) -> list[Succession]:
    """Every succession that one of these episodes takes part in, each once."""
    found: dict[tuple[Key, Key], Succession] = {}
    for row in await reader.documents_by_id(SUCCESSION, ids):
        for one in successions_in(row):
            found[one.old, one.new] = one
    return list(found.values())


def note_document(note: KeptNote, *, at: datetime) -> Document:
    """The document that keeps a note's sentences."""
    body: dict[str, Any] = {
        "told_at": to_ms(note.told_at),
        "sentences": [sentence_to_json(sentence) for sentence in note.sentences],
    }
    if note.speaker:
        body["speaker"] = note.speaker
    if note.persons:
        body["persons"] = dict(note.persons)
    if note.vectors:
        body["vectors"] = {model: _packed(rows) for model, rows in note.vectors.items()}
    return Document(kind=READING, id=note.episode, created_at=at, body=body)


def note_of(document: Document) -> KeptNote:
    """The note that a document keeps."""
    body = document.body
    return KeptNote(
        episode=EpisodeId(document.id),
        told_at=from_ms(body["told_at"]),
        sentences=tuple(sentence_from_json(sentence) for sentence in body["sentences"]),
        speaker=body.get("speaker", ""),
        persons=body.get("persons", {}),
        vectors={model: _unpacked(rows, len(body["sentences"])) for model, rows in body.get("vectors", {}).items()},
    )


def successions_document(episode: EpisodeId, found: Iterable[Succession], *, at: datetime) -> Document:
    """The document that keeps the successions of an episode, in order of their sentences."""
    ordered = sorted(found, key=lambda one: (one.old, one.new))
    return Document(
        kind=SUCCESSION, id=episode, created_at=at, body={"successions": [_to_json(one) for one in ordered]}
    )


def successions_in(document: Document) -> list[Succession]:
    """The successions that a document keeps."""
    return [_from_json(body) for body in document.body["successions"]]


def without_episodes(document: Document, gone: frozenset[str]) -> Document | None:
    """A document of successions without those that touch erased episodes; None where none is left."""
    left = [one for one in successions_in(document) if one.old[0] not in gone and one.new[0] not in gone]
    if document.id in gone or not left:
        return None
    return successions_document(EpisodeId(document.id), left, at=document.created_at)


def _to_json(one: Succession) -> dict[str, Any]:
    return {
        "old": list(one.old),
        "new": list(one.new),
        "since": None if one.since is None else to_ms(one.since),
        "rule": one.rule,
        "strength": one.strength,
        "relation": one.relation,
        "name": one.name,
        "parts": dict(one.parts),
        **({"in_part": True} if one.in_part else {}),
        **({"of_group": True} if one.of_group else {}),
    }


def _from_json(body: Mapping[str, Any]) -> Succession:
    return Succession(
        old=(EpisodeId(body["old"][0]), int(body["old"][1])),
        new=(EpisodeId(body["new"][0]), int(body["new"][1])),
        since=None if body["since"] is None else from_ms(body["since"]),
        rule=body["rule"],
        strength=body["strength"],
        relation=body["relation"],
        name=body["name"],
        parts=body["parts"],
        in_part=body.get("in_part", False),
        of_group=body.get("of_group", False),
    )


def _packed(rows: Vector) -> str:
    """Half precision is enough to compare sentences, and half the room."""
    return base64.b64encode(np.ascontiguousarray(rows, dtype="<f2").tobytes()).decode("ascii")


def _unpacked(text: str, count: int) -> Vector:
    flat = np.frombuffer(base64.b64decode(text), dtype="<f2").astype(np.float32)
    return flat.reshape(count, -1) if count else flat.reshape(0, 0)
