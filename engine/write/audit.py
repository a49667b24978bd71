"""The audit chain of a tenant: each entry carries the hash of the one before.

A changed entry no longer fits its own hash, a removed or reordered one breaks the chain. Of a cut at its end the receipts
tell, which have the numbers of their entries. Where what was cut are refusals and other entries without a receipt, or receipts
were cut too, nothing inside shows it; `verify` therefore gives the last hash, to be kept elsewhere.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from muniment.engine.ports.request import current_request_id
from muniment.engine.ports.store import DocumentQuery, Reader, Unit
from muniment.engine.retrieve.turns import RECEIPT
from muniment.graph_schema.records import AuditEntry, Document
from muniment.graph_schema.temporal import format_time

AUDIT = "audit"
_BATCH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditCheck:
    """Whether the chain holds. `broken_at` is the number of the first entry that does not fit, None where all do."""

    ok: bool
    entries: int
    last_hash: str
    broken_at: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainEnd:
    """Where the chain goes on: the number and hash of its last entry, 0 and '' where there is none."""

    seq: int = 0
    hash: str = ""


async def chain_end(reader: Reader) -> ChainEnd:
    """The end of the chain as it is now."""
    last = await reader.documents(DocumentQuery(kind=AUDIT, newest_first=True, limit=1))
    return ChainEnd(seq=last[0].seq, hash=str(last[0].body["hash"])) if last else ChainEnd()


async def append(
    unit: Unit,
    *,
    at: datetime,
    actor: str,
    verb: str,
    outcome: str,
    ids: Sequence[str] = (),
    detail: Mapping[str, Any] | None = None,
) -> AuditEntry:
    """Adds an entry at the end of the chain, in the unit's transaction. `detail` must hold no memory's text."""
    end = await chain_end(unit)
    document = next_entry(end, at=at, actor=actor, verb=verb, outcome=outcome, ids=ids, detail=detail)
    await unit.put_documents([document])
    return entry_of(document)


def next_entry(
    end: ChainEnd,
    *,
    at: datetime,
    actor: str,
    verb: str,
    outcome: str,
    ids: Sequence[str] = (),
    detail: Mapping[str, Any] | None = None,
) -> Document:
    """The document of the entry that follows `end`; whoever read the end must still be alone in writing.

    The request under way, if there is one, stands in the detail.
    """
    request = current_request_id.get()
    entry = AuditEntry(
        seq=end.seq + 1,
        at=at,
        actor=actor,
        verb=verb,
        outcome=outcome,
        ids=tuple(ids),
        detail={**({"request_id": request} if request else {}), **(detail or {})},
        previous=end.hash,
    )
    body = {**_body(entry), "hash": _hash(entry)}
    return Document(
        kind=AUDIT, id=f"{entry.seq:012d}", ref=verb, status=outcome, seq=entry.seq, created_at=at, body=body
    )


def entry_of(document: Document) -> AuditEntry:
    """The audit entry that a document holds."""
    body = document.body
    return AuditEntry(
        seq=document.seq,
        at=document.created_at,
        actor=str(body["actor"]),
        verb=str(body["verb"]),
        outcome=str(body["outcome"]),
        ids=tuple(body["ids"]),
        detail=body["detail"],
        previous=str(body["previous"]),
        hash=str(body["hash"]),
    )


async def verify(reader: Reader) -> AuditCheck:
    """Walks the whole chain from its first entry."""
    seq, last_hash, count = 0, "", 0
    while rows := await reader.documents(DocumentQuery(kind=AUDIT, after_seq=seq, limit=_BATCH)):
        fault = _first_fault(rows, seq, last_hash)
        if fault is not None:
            return AuditCheck(ok=False, entries=count, last_hash=last_hash, broken_at=fault[0], reason=fault[1])
        seq, last_hash, count = rows[-1].seq, str(rows[-1].body["hash"]), count + len(rows)
    told = await reader.last_seq(RECEIPT)  # a receipt has the number of its entry
    if told > seq:
        reason = f"entry {seq + 1} is missing: a receipt has the number {told}"
        return AuditCheck(ok=False, entries=count, last_hash=last_hash, broken_at=seq + 1, reason=reason)
    return AuditCheck(ok=True, entries=count, last_hash=last_hash)


def _first_fault(rows: Iterable[Document], seq: int, last_hash: str) -> tuple[int, str] | None:
    for row in rows:
        entry = entry_of(row)
        if entry.seq != seq + 1:
            return seq + 1, f"entry {seq + 1} is missing"
        if entry.previous != last_hash:
            return entry.seq, f"entry {entry.seq} does not follow the one before it"
        if entry.hash != _hash(entry):
            return entry.seq, f"entry {entry.seq} was changed"
        seq, last_hash = entry.seq, entry.hash
    return None


def _body(entry: AuditEntry) -> dict[str, Any]:
    return {
        "actor": entry.actor,
        "verb": entry.verb,
        "outcome": entry.outcome,
        "ids": list(entry.ids),
        "detail": dict(entry.detail),
        "previous": entry.previous,
    }


def _hash(entry: AuditEntry) -> str:
    told = json.dumps([entry.seq, format_time(entry.at), _body(entry)], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(told.encode()).hexdigest()
