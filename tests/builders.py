"""Records with sensible defaults: a test names only what matters to it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from muniment.engine.ports.models import Vector
from muniment.engine.ports.search import IndexEntry, ReadFilter
from muniment.graph_schema.ids import AssertionId, EntityId, EpisodeId, FactId, JobId, SummaryId, fold
from muniment.graph_schema.records import (
    Alias,
    Assertion,
    Document,
    Entity,
    EntityRef,
    Episode,
    EpisodeKind,
    Fact,
    Job,
    Kind,
    Mention,
    MentionRole,
    Scope,
    Summary,
)
from muniment.graph_schema.temporal import Clocks

START = datetime(2026, 1, 1, 9, tzinfo=UTC)
"""When tests begin: what is recorded is recorded then, unless a test says otherwise."""
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
"""When tests ask."""
EMBEDDER = "test-embedder"
DIM = 8


def at(days: float = 0, ms: int = 0) -> datetime:
    """A moment so long after START."""
    return START + timedelta(days=days, milliseconds=ms)


def episode(id: str = "ep1", **fields: Any) -> Episode:
    defaults: dict[str, Any] = {
        "id": EpisodeId(id),
        "text": f"Text of {id}.",
        "kind": EpisodeKind.MESSAGE,
        "occurred_at": START,
        "recorded_at": START,
    }
    return Episode(**defaults | fields)


def entity(id: str = "ana", name: str = "", **fields: Any) -> Entity:
    name = name or id.title()
    defaults: dict[str, Any] = {
        "id": EntityId(id),
        "name": name,
        "type": "person",
        "key": fold(name),
        "aliases": (Alias(key=fold(name), name=name),),
        "created_at": START,
    }
    return Entity(**defaults | fields)


def ref(id: str, type: str = "person") -> EntityRef:
    return EntityRef(id=EntityId(id), name=id.title(), type=type)


def mention(episode: str = "ep1", entity: str = "ana", **fields: Any) -> Mention:
    defaults: dict[str, Any] = {
        "episode": EpisodeId(episode),
        "entity": EntityId(entity),
        "role": MentionRole.MENTIONED,
    }
    return Mention(**defaults | fields)


def assertion(id: str = "as1", **fields: Any) -> Assertion:
    defaults: dict[str, Any] = {
        "id": AssertionId(id),
        "slot": "slot",
        "claim": "claim",
        "subject": EntityId("ana"),
        "relation": "works_for",
        "object": EntityId("acme"),
        "told_at": START,
        "recorded_at": START,
    }
    return Assertion(**defaults | fields)


def fact(id: str = "f1", **fields: Any) -> Fact:
    """`ana -works_for-> acme`, true and known since START."""
    defaults: dict[str, Any] = {
        "id": FactId(id),
        "slot": f"slot-{id}",
        "claim": f"claim-{id}",
        "subject": ref("ana"),
        "relation": "works_for",
        "object": ref("acme", "organisation"),
        "text": f"Text of {id}.",
        "valid_at": START,
        "created_at": START,
    }
    return Fact(**defaults | fields)


def summary(id: str = "su1", **fields: Any) -> Summary:
    defaults: dict[str, Any] = {
        "id": SummaryId(id),
        "text": f"Text of {id}.",
        "start": START,
        "end": at(days=1),
        "covers": ("ep1",),
        "created_at": START,
    }
    return Summary(**defaults | fields)


def document(id: str = "d1", kind: str = "note", **fields: Any) -> Document:
    defaults: dict[str, Any] = {"kind": kind, "id": id, "created_at": START}
    return Document(**defaults | fields)


def job(id: str = "j1", kind: str = "embed", **fields: Any) -> Job:
    defaults: dict[str, Any] = {
        "id": JobId(id),
        "kind": kind,
        "payload": {},
        "created_at": START,
        "updated_at": START,
        "due_at": START,
    }
    return Job(**defaults | fields)


def unit_vector(*parts: float, dim: int = DIM) -> Vector:
    """A vector of length 1 whose first components stand in the given proportion."""
    vector = np.zeros(dim, dtype=np.float32)
    vector[: len(parts)] = parts
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


def indexed(kind: Kind, id: str, words: str = "", *vectors: Vector, embedder: str = EMBEDDER) -> IndexEntry:
    """How a memory is found, with any number of vectors of one embedder."""
    return IndexEntry(kind=kind, id=id, words=words, vectors={embedder: np.stack(vectors)} if vectors else {})


def clocks(as_of: datetime = NOW, known_at: datetime = NOW) -> Clocks:
    return Clocks(as_of=as_of, known_at=known_at)


def read_filter(**fields: Any) -> ReadFilter:
    defaults: dict[str, Any] = {"clocks": clocks()}
    return ReadFilter(**defaults | fields)


def scope(user: str = "", agent: str = "", session: str = "") -> Scope:
    return Scope(user=user, agent=agent, session=session)
