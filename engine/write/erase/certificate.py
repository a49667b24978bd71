"""The certificate of a purge: what was erased in numbers and ids, that nothing remains, and a digest over it all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from muniment.engine.write.erase.listed import CERTIFICATE
from muniment.graph_schema.ids import ReceiptId
from muniment.graph_schema.records import Document
from muniment.graph_schema.temporal import format_time


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """What a purge did.

    `counts` by kind are those of rows that were there and are gone; `remaining` is how many of them were found when they
    were looked for again, 0 unless something is badly wrong. `derived` are ids of facts, entities and summaries that went
    because what they derived from went; `kept` how many facts stayed on other evidence. `held` names the holds that were
    in the way: none, since one stops the whole purge. `scrubbed`: the files no longer have the bytes either.
    `digest` covers all but `scrubbed`, with the names in `scope` as hashes, which is how the certificate is kept.
    """

    id: str
    scope: Mapping[str, Any]
    at: datetime
    actor: str
    reason: str
    counts: Mapping[str, int]
    remaining: int
    derived: tuple[str, ...]
    kept: int
    held: tuple[str, ...] = ()
    receipt: ReceiptId
    digest: str
    scrubbed: bool = False
    dry_run: bool = False


def digest_of(body: Mapping[str, Any]) -> str:
    """SHA-256 over the certificate's JSON with sorted keys, in hexadecimal."""
    told = json.dumps({key: value for key, value in body.items() if key != "digest"}, sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()


def certificate_document(certificate: Certificate, veiled: Mapping[str, Any], *, seq: int) -> Document:
    """The document that keeps a certificate; it holds no name."""
    body = _body(certificate, veiled)
    return Document(
        kind=CERTIFICATE,
        id=certificate.id,
        seq=seq,
        created_at=certificate.at,
        body={**body, "digest": digest_of(body)},
    )


def certificate_of(document: Document) -> Certificate:
    """The certificate that a document keeps."""
    body = document.body
    return Certificate(
        id=document.id,
        scope=body["scope"],
        at=document.created_at,
        actor=body["actor"],
        reason=body["reason"],
        counts=body["counts"],
        remaining=body["remaining"],
        derived=tuple(body["derived"]),
        kept=body["kept"],
        held=tuple(body["held"]),
        receipt=ReceiptId(body["receipt"]),
        digest=body["digest"],
        scrubbed=document.status == "scrubbed",
    )


def _body(certificate: Certificate, veiled: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": certificate.id,
        "scope": dict(veiled),
        "at": format_time(certificate.at),
        "actor": certificate.actor,
        "reason": certificate.reason,
        "counts": dict(certificate.counts),
        "remaining": certificate.remaining,
        "derived": list(certificate.derived),
        "kept": certificate.kept,
        "held": list(certificate.held),
        "receipt": certificate.receipt,
    }
