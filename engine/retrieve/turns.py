"""Who made evidence stop counting, and count again: told from the receipts of the writes that did it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from muniment.engine.ports.store import Reader
from muniment.graph_schema.ids import ReceiptId
from muniment.graph_schema.records import Assertion, Document

RECEIPT: Final = "receipt"
"""The kind of the documents that keep receipts."""

WITHDRAWN: Final = "evidence.withdrawn"
"""The rule where the write that did it is not known here: it came with an import that brought no receipts."""
_RULES: Final = {
    "retract": "evidence.retracted",
    "forget": "evidence.forgotten",
    "undo": "write.undone",
    "resolve_review": "review.resolved",
    "merge": "identity.merged",
    "unmerge": "identity.unmerged",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A write after which an assertion no longer counted, or counted again. `actor` is empty where nobody knows."""

    assertion: Assertion
    counts: bool
    at: datetime
    verb: str
    rule: str
    actor: str
    receipt: ReceiptId | None


async def turns_of(reader: Reader, assertions: Iterable[Assertion]) -> list[Turn]:
    """Every turn of these assertions, in no promised order."""
    told = [a for a in assertions if a.turned_by or a.withdrawn_at is not None]
    kept: dict[ReceiptId, Document] = {}
    for id in sorted({id for a in told for id in a.turned_by}):
        document = await reader.document(RECEIPT, id)
        if document is not None:
            kept[id] = document
    return [turn for a in told for turn in _turns(a, kept)]


def _turns(a: Assertion, kept: dict[ReceiptId, Document]) -> list[Turn]:
    """The turns back from how it stands now, since each is the opposite of the one before."""
    found: list[Turn] = []
    counts = a.withdrawn_at is None
    for id in reversed(a.turned_by):
        document = kept.get(id)
        if document is not None:
            verb = str(document.body["verb"])
            found.append(
                Turn(
                    assertion=a,
                    counts=counts,
                    at=document.created_at,
                    verb=verb,
                    rule=_RULES.get(verb, WITHDRAWN),
                    actor=str(document.body["actor"]),
                    receipt=id,
                )
            )
        counts = not counts
    if a.withdrawn_at is not None and all(turn.at != a.withdrawn_at for turn in found):
        found.append(
            Turn(assertion=a, counts=False, at=a.withdrawn_at, verb="", rule=WITHDRAWN, actor="", receipt=None)
        )
    return found
