"""The books a write keeps beside the memories: open reviews, and the tenant's statistics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from muniment.engine.ports.store import DocumentQuery, Unit
from muniment.engine.resolve.timeline import Dispute
from muniment.engine.retrieve.statistics import FOLD_AFTER, STATISTICS, Indexed, delta_document, delta_for, fold
from muniment.graph_schema.ids import ReviewId, digest
from muniment.graph_schema.records import Document

REVIEW = "review"
OPEN = "open"
RESOLVED = "resolved"
SETTLED = "settled"  # evidence decided it meanwhile
REVIEW_MARK = "v_"
"""What the id of every review begins with."""

_ALL = 10_000


def review_id(dispute: Dispute) -> ReviewId:
    """The same dispute has the same id, however often it is found."""
    return ReviewId(REVIEW_MARK + digest(dispute.slot, dispute.rule.value, *dispute.facts, size=10))


async def file_reviews(
    unit: Unit, disputes: Sequence[Dispute], standing: Sequence[Document], *, at: datetime
) -> list[str]:
    """Opens a review for each dispute that has none, and settles those of `standing`, the open ones of the same slots, that
    are none any more; gives the new ids."""
    found = {review_id(dispute): dispute for dispute in disputes}
    there = {document.id for document in standing}
    earlier = {id: await unit.document(REVIEW, id) for id in found if id not in there}
    opened = [_review(id, found[id], at) for id, was in earlier.items() if was is None or was.status == SETTLED]
    gone = [replace(document, status=SETTLED) for document in standing if document.id not in found]
    await unit.put_documents([*opened, *gone])
    return [document.id for document in opened]


async def add_statistics(
    unit: Unit, *, added: Sequence[Indexed], removed: Sequence[Indexed], at: datetime, last_seq: int | None = None
) -> None:
    """Writes the change of the tenant's statistics; every `FOLD_AFTER` writes all changes become one document.

    `last_seq` is the number of the last change before, where the caller has read it in this transaction.
    """
    delta = delta_for(added, removed)
    if not delta:
        return
    seq = (await unit.last_seq(STATISTICS) if last_seq is None else last_seq) + 1
    await unit.put_documents([delta_document(delta, seq=seq, at=at)])
    if seq % FOLD_AFTER == 0:
        await fold_statistics(unit)


async def fold_statistics(unit: Unit) -> None:
    """Makes all changes of the statistics one document; nothing of erased memories is left in it."""
    documents = await unit.documents(DocumentQuery(kind=STATISTICS, limit=_ALL))
    if not documents:
        return
    whole = fold(documents)
    await unit.put_documents([whole])
    await unit.drop_documents(STATISTICS, [d.id for d in documents if d.id != whole.id])


def _review(id: ReviewId, dispute: Dispute, at: datetime) -> Document:
    return Document(
        kind=REVIEW,
        id=id,
        ref=dispute.slot,
        status=OPEN,
        created_at=at,
        body={"rule": dispute.rule.value, "facts": list(dispute.facts), "by": list(dispute.by)},
    )
