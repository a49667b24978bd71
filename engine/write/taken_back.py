"""Episodes whose telling was undone: kept as evidence of what once was told, but no hindrance to telling it again.

An external id belongs to one episode behind a wall. Where the write that brought it was undone, the next telling takes it over:
it is a new episode, since it may say something else. The old one then keeps no external id; a document remembers whose it was,
as a hash, so that a purge by it finds all that ever had it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from muniment.engine.ports.store import Reader, Unit
from muniment.engine.write import receipts
from muniment.engine.write.erase.listed import external_hash
from muniment.engine.write.erase.scan import all_documents
from muniment.engine.write.receipts import RECEIPT
from muniment.graph_schema.ids import EpisodeId, ReceiptId
from muniment.graph_schema.records import Assertion, Document, Episode, Receipt

TAKEN_BACK: Final = "taken_back"


async def taken_back(reader: Reader, episodes: Iterable[Episode]) -> frozenset[EpisodeId]:
    """Those of the episodes that were archived because the write that told them was undone; one that was forgotten or retracted
    is none of them."""
    archived = [e for e in episodes if e.archived]
    undone = {
        id for id, receipt in (await _receipts(reader, {e.receipt for e in archived})).items() if receipt.undone_by
    }
    return frozenset(e.id for e in archived if e.receipt in undone)


async def counted(reader: Reader, assertions: Sequence[Assertion]) -> list[Assertion]:
    """The assertions without those that an undo took back."""
    last = {a.turned_by[-1] for a in assertions if a.withdrawn_at is not None and a.turned_by}
    undos = {id for id, receipt in (await _receipts(reader, last)).items() if receipt.verb == "undo"}
    return [a for a in assertions if a.withdrawn_at is None or not a.turned_by or a.turned_by[-1] not in undos]


async def give_up_external_ids(unit: Unit, episodes: Sequence[Episode], *, at: datetime) -> None:
    """Takes the external ids off episodes that were taken back, for those that are told in their place."""
    had = [(e, e.external_id) for e in episodes if e.external_id is not None]
    await unit.put_episodes([replace(e, external_id=None) for e, _ in had])
    await unit.put_documents(
        [Document(kind=TAKEN_BACK, id=e.id, ref=external_hash(e.wall, id), created_at=at) for e, id in had]
    )


async def told_again(reader: Reader, ids: Sequence[str]) -> list[str]:
    """Those of the episodes whose external ids another telling has."""
    return [d.id for d in await reader.documents_by_id(TAKEN_BACK, list(ids))] if ids else []


async def once_known_as(reader: Reader, external_id: str) -> list[Episode]:
    """Episodes that had this external id until they were told again, behind any wall that is seen."""
    found: list[Episode] = []
    async for rows in all_documents(reader, TAKEN_BACK):
        refs = {row.id: row.ref for row in rows}
        episodes = await reader.episodes([EpisodeId(id) for id in refs])
        found += [e for e in episodes if external_hash(e.wall, external_id) == refs[e.id]]
    return found


async def _receipts(reader: Reader, ids: Iterable[ReceiptId]) -> dict[str, Receipt]:
    wanted = sorted(id for id in ids if id)
    documents = await reader.documents_by_id(RECEIPT, wanted) if wanted else []
    return {document.id: receipts.from_document(document) for document in documents}
