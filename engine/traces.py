"""What is kept of an answer: its trace, and that its memories were used."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from muniment.engine.extract.candidates import Named
from muniment.engine.ports.store import TenantStore, Use
from muniment.engine.rank.answer import Recall
from muniment.engine.resolve.statements import Statement
from muniment.engine.write.draft import Draft
from muniment.engine.write.receipts import to_document
from muniment.graph_schema.records import Document, Kind, Receipt
from muniment.graph_schema.temporal import format_time

TRACE = "trace"


def trace_document(
    found: Recall, store: TenantStore, *, at: datetime, keep: timedelta, more: Mapping[str, Any]
) -> Document:
    """The document that keeps the trace of an answer read from `store`, and `more` beside it.

    Only a caller who sees as many walls may read it.
    """
    body: dict[str, Any] = {**found.trace.body, **more, **_seen_by(store)}
    return Document(kind=TRACE, id="t_" + secrets.token_hex(10), created_at=at, expires_at=at + keep, body=body)


def _seen_by(store: TenantStore) -> dict[str, Any]:
    """The walls behind which what a trace tells may stand."""
    walls: dict[str, Any] = {"walls": sorted(set(store.walls) - {""})}
    return {**walls, "all_walls": True} if store.all_walls else walls


def may_read(body: Mapping[str, Any], store: TenantStore) -> bool:
    """Whether a caller who reads `store` saw at least what the answer of a trace was read from."""
    if store.all_walls:
        return True
    return not body.get("all_walls") and set(body.get("walls", ())) <= set(store.walls)


def log_only_document(receipt: Receipt, draft: Draft, store: TenantStore, *, keep: timedelta) -> Document:
    """The trace of a write that was worked out for a tenant in log-only mode and not done: all that it would have made.

    Only a caller who sees as many walls as `store` may read it.
    """
    body = {
        "log_only": True,
        "receipt": {**to_document(receipt, seq=0).body, "undo": {}},
        "named": [{"episode": _place(m.episode), "name": m.named.name, "type": m.named.type} for m in draft.mentions],
        "statements": [_statement(s) for s in draft.statements],
        **_seen_by(store),
    }
    id = "t_" + secrets.token_hex(10)
    return Document(kind=TRACE, id=id, created_at=draft.at, expires_at=draft.at + keep, body=body)


def _statement(s: Statement) -> dict[str, Any]:
    """What is stated, by which words and which rule."""
    return {
        "kind": s.kind.value,
        "says": s.says.value,
        "subject": s.subject.name if isinstance(s.subject, Named) else s.subject,
        "relation": s.relation,
        "object": s.object.name if isinstance(s.object, Named) else s.object,
        "valid_at": format_time(s.valid_from) if s.valid_from else None,
        "invalid_at": format_time(s.valid_to) if s.valid_to else None,
        "confidence": s.confidence,
        "rule": s.rule,
        "text": s.text,
        "quote": s.quote,
        "start": s.start,
        "end": s.end,
        "input": _place(s.input),
    }


def _place(input: str) -> str:
    """`draft_3` is the fourth episode of the call."""
    number = input.removeprefix("draft_")
    return f"episodes[{number}]" if number != input else input


def uses_of(found: Recall, *, at: datetime) -> list[Use]:
    """One use of each memory handed out (entities are none); the recently used group does not count, or it would keep itself up."""
    return [Use(kind=hit.kind, id=hit.id, count=1, last_at=at) for hit in found.hits if hit.kind is not Kind.ENTITY]
