"""Entities that are likely one: noted when a new name arrives, decided by a person, never joined silently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from muniment.engine.ports.store import Reader, Unit
from muniment.engine.resolve.identity import Likeness
from muniment.engine.write.ledger import REVIEW_MARK
from muniment.graph_schema.ids import EntityId, ReviewId, digest
from muniment.graph_schema.records import Document

LIKELY_MERGE = "identity.likely-merge"
SAME_NAME = "identity.same-name"
SAME_IDENTIFIER_RULE = "identity.same-identifier"
IDENTITY_REVIEW = "identity_review"
"""Documents of their own kind, so that writes that look for disputes of their slots do not read through these."""
MERGE_FORBIDDEN = "merge_forbidden"
_OPEN = "open"
_SETTLED = "settled"


def likeness_id(one: EntityId, other: EntityId) -> ReviewId:
    """The same pair has the same review, whichever came first and however often it is found."""
    return ReviewId(REVIEW_MARK + digest("identity", *sorted((one, other)), size=10))


def forbidden_id(one: EntityId, other: EntityId) -> str:
    """The id of the document that forbids joining a pair."""
    return digest(*sorted((one, other)), size=10)


async def file_likenesses(unit: Unit, likenesses: Sequence[Likeness], *, at: datetime) -> list[str]:
    """Opens a review for each pair that nobody was asked about yet; gives the new ids."""
    opened: dict[str, Document] = {}
    for likeness in likenesses:
        id = likeness_id(likeness.made, likeness.known)
        if id in opened or await unit.document(IDENTITY_REVIEW, id) is not None:
            continue
        forbidden = await unit.document(MERGE_FORBIDDEN, forbidden_id(likeness.made, likeness.known))
        if forbidden is None or forbidden.status == "lifted":
            opened[id] = _review(id, likeness, at)
    await unit.put_documents(list(opened.values()))
    return list(opened)


async def settled_by_merge(reader: Reader, ids: Sequence[EntityId]) -> list[Document]:
    """The open reviews about pairs of these entities, as settled."""
    pairs = [likeness_id(a, b) for n, a in enumerate(ids) for b in ids[n + 1 :]]
    found = [await reader.document(IDENTITY_REVIEW, id) for id in pairs]
    return [replace(d, status=_SETTLED) for d in found if d is not None and d.status == _OPEN]


def _review(id: str, likeness: Likeness, at: datetime) -> Document:
    return Document(
        kind=IDENTITY_REVIEW,
        id=id,
        ref=likeness.made,
        status=_OPEN,
        created_at=at,
        body={
            "rule": LIKELY_MERGE,
            "entities": [likeness.known, likeness.made],
            "score": likeness.match.score,
            "features": dict(likeness.match.features),
        },
    )
