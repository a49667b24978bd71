"""What is kept of an answer: its trace, and that its memories were used."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from muniment.engine.ports.store import Use
from muniment.engine.rank.answer import Recall
from muniment.graph_schema.records import Document

TRACE = "trace"


def trace_document(found: Recall, *, walls: Iterable[str], at: datetime, keep: timedelta) -> Document:
    """The document that keeps a trace. Only a caller who may see all `walls` may read it."""
    return Document(
        kind=TRACE,
        id="t_" + secrets.token_hex(10),
        created_at=at,
        expires_at=at + keep,
        body={**found.trace.body, "walls": sorted(set(walls) - {""})},
    )


def uses_of(found: Recall, *, at: datetime) -> list[Use]:
    """One use of each memory handed out; the recently used group does not count, or it would keep itself up."""
    return [Use(kind=hit.kind, id=hit.id, count=1, last_at=at) for hit in found.hits]
