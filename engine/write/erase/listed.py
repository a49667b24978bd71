"""The purge list: ids and hashes of what was erased, kept so that no import and no old backup brings it back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from muniment.engine.ports.store import Reader, Unit
from muniment.engine.write.erase.scan import all_documents
from muniment.graph_schema.ids import EntityId, digest
from muniment.graph_schema.records import Document

PURGE = "purge"
CERTIFICATE = "certificate"
HOLD = "hold"
WAITING = "waiting_purge"
_A_DOCUMENT = 2_000  # entries; a document is read and written whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """Entries of the list. `external` holds hashes of external ids, `spellings` those of names taken from entities."""

    ids: frozenset[str] = frozenset()
    external: frozenset[str] = frozenset()
    spellings: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.ids or self.external or self.spellings)

    def __or__(self, other: Listed) -> Listed:
        return Listed(
            ids=self.ids | other.ids,
            external=self.external | other.external,
            spellings=self.spellings | other.spellings,
        )

    def has_external(self, wall: str, external_id: str | None) -> bool:
        return external_id is not None and external_hash(wall, external_id) in self.external

    def has_spelling(self, entity: EntityId, name: str) -> bool:
        return spelling_hash(entity, name) in self.spellings


def external_hash(wall: str, external_id: str) -> str:
    """How an external id behind a wall is remembered without its words."""
    return digest("external", wall, external_id)


def spelling_hash(entity: EntityId, name: str) -> str:
    """How a spelling of an entity is remembered without its words."""
    return digest("spelling", entity, name)


async def add_to_list(unit: Unit, certificate: str, entries: Listed, *, at: datetime) -> None:
    """Adds what one purge erased."""
    rows = [
        *(("ids", id) for id in sorted(entries.ids)),
        *(("external", one) for one in sorted(entries.external)),
        *(("spellings", one) for one in sorted(entries.spellings)),
    ]
    seq = await unit.last_seq(PURGE)
    parts = [rows[first : first + _A_DOCUMENT] for first in range(0, len(rows), _A_DOCUMENT)]
    await unit.put_documents(
        [_document(f"{certificate}-{n}", certificate, part, seq + n, at) for n, part in enumerate(parts, 1)]
    )


async def purge_list(reader: Reader) -> Listed:
    """Everything on the list."""
    whole = Listed()
    async for documents in all_documents(reader, PURGE):
        whole |= listed_in(documents)
    return whole


def listed_in(documents: Iterable[Document]) -> Listed:
    """The entries of some documents of the list."""
    bodies: Sequence[Any] = [d.body for d in documents]
    return Listed(
        ids=frozenset(id for body in bodies for id in body.get("ids", ())),
        external=frozenset(one for body in bodies for one in body.get("external", ())),
        spellings=frozenset(one for body in bodies for one in body.get("spellings", ())),
    )


async def list_documents(reader: Reader) -> AsyncIterator[Document]:
    """The documents of the list, for an export."""
    async for documents in all_documents(reader, PURGE):
        for document in documents:
            yield document


def _document(id: str, certificate: str, rows: Sequence[tuple[str, str]], seq: int, at: datetime) -> Document:
    body: dict[str, list[str]] = {"ids": [], "external": [], "spellings": []}
    for name, value in rows:
        body[name].append(value)
    return Document(kind=PURGE, id=id, ref=certificate, seq=seq, created_at=at, body=body)
