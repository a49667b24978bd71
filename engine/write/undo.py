"""Taking one write back, whole: its evidence is withdrawn, what it had withdrawn counts again, the rest is recomputed."""

from __future__ import annotations

from dataclasses import replace

from muniment.engine.ports.store import Reader, TenantStore, Unit
from muniment.engine.write import receipts
from muniment.engine.write.changes import Hand
from muniment.engine.write.commit import Writing, commit_in, refuse_if_undone
from muniment.engine.write.draft import Draft
from muniment.engine.write.receipts import RECEIPT, UndoPlan
from muniment.graph_schema.errors import Conflict, NotFound
from muniment.graph_schema.ids import ReceiptId
from muniment.graph_schema.records import Receipt

ERASED_BY = "purge"


async def receipt_of(reader: Reader, id: ReceiptId) -> Receipt:
    """The receipt of an earlier write. Raises NotFound."""
    document = await reader.document(RECEIPT, id)
    if document is None:
        raise NotFound.of("receipt", id)
    return receipts.from_document(document)


async def undo_in(store: TenantStore, id: ReceiptId, hand: Hand, writing: Writing) -> Receipt:
    """Takes the write back in one transaction; the new receipt can itself be undone, which brings the write back.

    Raises NotFound, Conflict where it is undone already.
    """
    async with store.write() as unit:
        document = await unit.document(RECEIPT, id)
        if document is None:
            raise NotFound.of("receipt", id)
        receipt = receipts.from_document(document)
        refuse_if_undone(receipt)
        if receipt.verb == ERASED_BY:
            raise Conflict(f"receipt {id!r} is of a purge: what is erased for good cannot come back")
        plan = UndoPlan.from_json(receipt.undo)
        undone = await commit_in(unit, store, _draft(receipt, plan, hand), writing)
        taken_back = replace(receipt, undone_by=undone.id)
        await unit.put_documents([receipts.to_document(taken_back, seq=document.seq)])
        if plan.special and plan.special.get("undoes"):
            await _stands_again(unit, ReceiptId(str(plan.special["undoes"])))
        return undone


def _draft(receipt: Receipt, plan: UndoPlan, hand: Hand) -> Draft:
    return Draft(
        verb="undo",
        actor=hand.actor,
        at=hand.at,
        reason=hand.reason,
        cause="write.undone",
        withdraw=plan.withdraw,
        restore=plan.restore,
        flags=plan.flags,
        special={"undoes": receipt.id},
    )


async def _stands_again(unit: Unit, id: ReceiptId) -> None:
    """An undo was undone: the write that it had taken back may be taken back anew."""
    document = await unit.document(RECEIPT, id)
    if document is not None:
        receipt = replace(receipts.from_document(document), undone_by=None)
        await unit.put_documents([receipts.to_document(receipt, seq=document.seq)])
