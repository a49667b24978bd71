"""Receipts as documents, and what each must remember so that it can be taken back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from muniment.engine.resolve.identity import Learned
from muniment.engine.retrieve.turns import RECEIPT as RECEIPT
from muniment.graph_schema.ids import AssertionId, EntityId, EpisodeId, JobId, ReceiptId
from muniment.graph_schema.records import (
    Action,
    Because,
    Change,
    Document,
    EpisodeOutcome,
    EpisodeStatus,
    Kind,
    Receipt,
    Rejection,
    Screening,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """A mark that is set by hand and survives recomputing: `archived` or `pinned`."""

    kind: Kind
    id: str
    name: str
    value: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoPlan:
    """What taking a write back does: ids of assertions to withdraw and to restore, marks to set as they were."""

    withdraw: tuple[AssertionId, ...] = ()
    restore: tuple[AssertionId, ...] = ()
    flags: tuple[Flag, ...] = ()
    special: Mapping[str, Any] | None = None  # what else a verb must take back (a merge, an ontology)
    unlearn: tuple[Learned, ...] = ()  # spellings that entities got by it
    relearn: tuple[Learned, ...] = ()  # spellings that it was to take off entities
    walls: frozenset[str] = frozenset()  # those it wrote behind: who does not see all of them, does not see the write

    def to_json(self) -> dict[str, Any]:
        return {
            "withdraw": list(self.withdraw),
            "restore": list(self.restore),
            "flags": [[f.kind.value, f.id, f.name, f.value] for f in self.flags],
            "special": dict(self.special) if self.special else None,
            **{
                name: [[x.entity, list(x.names), list(x.identifiers)] for x in found]
                for name, found in self._spellings()
            },
            "walls": sorted(self.walls),
        }

    def _spellings(self) -> Iterator[tuple[str, tuple[Learned, ...]]]:
        """The two fields of spellings, where there are any: most writes teach nothing."""
        for name, found in (("unlearn", self.unlearn), ("relearn", self.relearn)):
            if found:
                yield name, found

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> UndoPlan:
        return cls(
            withdraw=tuple(body.get("withdraw", ())),
            restore=tuple(body.get("restore", ())),
            flags=tuple(Flag(kind=Kind(k), id=i, name=n, value=v) for k, i, n, v in body.get("flags", ())),
            special=body.get("special"),
            unlearn=_learned(body.get("unlearn", ())),
            relearn=_learned(body.get("relearn", ())),
            walls=frozenset(body.get("walls", ())),
        )


def _learned(rows: Sequence[Sequence[Any]]) -> tuple[Learned, ...]:
    return tuple(Learned(entity=EntityId(e), names=tuple(n), identifiers=tuple(i)) for e, n, i in rows)


def to_document(receipt: Receipt, *, seq: int) -> Document:
    """The document that keeps a receipt."""
    return Document(
        kind=RECEIPT,
        id=receipt.id,
        ref=receipt.verb,
        status="undone" if receipt.undone_by else "",
        seq=seq,
        created_at=receipt.created_at,
        body={
            "actor": receipt.actor,
            "verb": receipt.verb,
            "reason": receipt.reason,
            "episodes": [[e.id, e.external_id, e.status.value] for e in receipt.episodes],
            "changes": [
                [c.action.value, c.kind.value, c.id, c.because.rule, list(c.because.by), list(c.because.evidence)]
                for c in receipt.changes
            ],
            "reviews": list(receipt.reviews),
            "rejected": [[r.input, r.code, r.detail] for r in receipt.rejected],
            "job": receipt.job,
            "degraded": list(receipt.degraded),
            "screened": [[s.input, s.kind, s.count, s.done] for s in receipt.screened],
            "undo": dict(receipt.undo),
            "undone_by": receipt.undone_by,
        },
    )


def from_document(document: Document) -> Receipt:
    """The receipt that a document keeps."""
    body = document.body
    return Receipt(
        id=ReceiptId(document.id),
        actor=body["actor"],
        verb=body["verb"],
        reason=body["reason"],
        created_at=document.created_at,
        episodes=tuple(
            EpisodeStatus(id=EpisodeId(i), external_id=x, status=EpisodeOutcome(s)) for i, x, s in body["episodes"]
        ),
        changes=tuple(
            Change(
                action=Action(action),
                kind=Kind(kind),
                id=id,
                because=Because(rule=rule, by=tuple(by), evidence=tuple(EpisodeId(e) for e in evidence)),
            )
            for action, kind, id, rule, by, evidence in body["changes"]
        ),
        reviews=tuple(body["reviews"]),
        rejected=tuple(Rejection(input=i, code=c, detail=d) for i, c, d in body["rejected"]),
        job=JobId(body["job"]) if body["job"] else None,
        degraded=tuple(body.get("degraded", ())),
        screened=tuple(Screening(input=i, kind=k, count=n, done=d) for i, k, n, d in body.get("screened", ())),
        undo=body["undo"],
        undone_by=ReceiptId(body["undone_by"]) if body["undone_by"] else None,
    )
