"""Legal holds: what is under one cannot be purged, and a purge that was asked for meanwhile may wait for its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from muniment.engine.ports.store import DocumentQuery, Reader, TenantStore, Unit
from muniment.engine.retrieve.browse import Listing, Slice, list_documents
from muniment.engine.write import audit
from muniment.engine.write.changes import Hand
from muniment.engine.write.erase.gather import Target, gather, in_scope
from muniment.engine.write.erase.listed import HOLD, WAITING
from muniment.engine.write.erase.scopes import EraseScope, Reach, Sight, erase_scope_in
from muniment.engine.write.rehearse import rehearsed
from muniment.engine.write.units import in_unit
from muniment.graph_schema.errors import Conflict, Held, NotFound
from muniment.graph_schema.ids import HoldId, Space, digest, tenant_of
from muniment.graph_schema.records import Document
from muniment.graph_schema.temporal import format_time, parse_time

ACTIVE = "active"
RELEASED = "released"
_MOST = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """A legal hold. `scope` is what it protects; after its release names in it are hashes."""

    id: HoldId
    scope: Mapping[str, Any]
    reason: str
    actor: str
    at: datetime
    released_at: datetime | None = None
    released_by: str = ""
    dry_run: bool = False

    @property
    def is_active(self) -> bool:
        return self.released_at is None


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingPurge:
    """A purge that a hold stopped and that is to run when nothing holds it any more."""

    id: str
    scope: EraseScope
    sight: Sight
    actor: str
    reason: str


async def place_hold(store: TenantStore, scope: EraseScope, sight: Sight, hand: Hand, *, dry_run: bool = False) -> Hold:
    """Puts a scope under hold; with `dry_run` only tells what the hold would be. `store` sees every wall.

    Raises NotFound where the scope names nothing that is there.
    """
    if dry_run:
        return replace(await rehearsed(store, lambda inside: place_hold(inside, scope, sight, hand)), dry_run=True)

    async def work(unit: Unit) -> Hold:
        target = await gather(unit, scope, sight)
        end = await audit.chain_end(unit)
        id = HoldId("h_" + digest(store.space, str(end.seq), end.hash, size=10))
        body = {
            "scope": scope.to_json(),
            "veiled": scope.veiled(),
            "ids": {
                "episodes": sorted(target.episodes) if scope.reach in (Reach.EPISODE, Reach.EXTERNAL_ID) else [],
                "assertions": sorted(target.assertions) if scope.reach is Reach.FACT else [],
                "entities": sorted(target.entities) if scope.reach is Reach.SUBJECT else [],
            },
            "reason": hand.reason,
            "actor": hand.actor,
        }
        document = Document(kind=HOLD, id=id, status=ACTIVE, seq=end.seq + 1, created_at=hand.at, body=body)
        await unit.put_documents([document])
        await audit.append(unit, at=hand.at, actor=hand.actor, verb="hold", outcome="done", ids=(id,))
        return hold_of(document)

    return await in_unit(store, work)


async def lift_hold(store: TenantStore, id: str, hand: Hand) -> Hold:
    """Ends a hold. Raises NotFound, Conflict where it was released already."""

    async def work(unit: Unit) -> Hold:
        document = await unit.document(HOLD, id)
        if document is None:
            raise NotFound.of("hold", id)
        if document.status != ACTIVE:
            raise Conflict(f"hold {id!r} was released already")
        body = {
            **document.body,
            "scope": document.body["veiled"],
            "released_at": format_time(hand.at),
            "released_by": hand.actor,
        }
        released = replace(document, status=RELEASED, body=body)
        await unit.put_documents([released])
        await audit.append(unit, at=hand.at, actor=hand.actor, verb="release", outcome="done", ids=(id,))
        return hold_of(released)

    return await in_unit(store, work)


async def list_holds(reader: Reader, listing: Listing, *, include_released: bool = False) -> Slice[Hold]:
    """The holds in force, oldest first; released ones too where asked."""
    query = DocumentQuery(kind=HOLD, status=None if include_released else ACTIVE)
    return await list_documents(reader, query, listing, hold_of)


async def refuse_held(reader: Reader, target: Target, space: Space) -> None:
    """Raises Held, naming the holds, where one protects any of the rows."""
    documents = await reader.documents(DocumentQuery(kind=HOLD, status=ACTIVE, limit=_MOST))
    mentions = await reader.mentions_of_episodes(sorted(target.episodes)) if documents and target.episodes else []
    named = {m.entity for m in mentions}
    stopped = [d.id for d in documents if _protects(d, target, named, space)]
    if stopped:
        raise Held(f"held by {', '.join(stopped)}: release the hold first, or let the purge wait for it", holds=stopped)


async def let_wait(store: TenantStore, scope: EraseScope, sight: Sight, hand: Hand, holds: Sequence[str]) -> None:
    """Keeps a stopped purge, once, until nothing holds it."""
    body = {
        "scope": scope.to_json(),
        "walls": sorted(sight.walls),
        "all_walls": sight.all_walls,
        "actor": hand.actor,
        "reason": hand.reason,
    }
    id = "w_" + digest(scope.reach.value, scope.value, scope.wall or "", size=10)

    async def work(unit: Unit) -> None:
        await unit.put_documents([Document(kind=WAITING, id=id, created_at=hand.at, body=body)])
        await note_refusal(unit, hand, holds, waits=True)

    await in_unit(store, work)


async def note_refusal(unit: Unit, hand: Hand, holds: Sequence[str], *, waits: bool) -> None:
    """Tells the audit chain that a hold stopped a purge."""
    detail = {"waits": waits}
    await audit.append(
        unit, at=hand.at, actor=hand.actor, verb="purge", outcome="refused", ids=tuple(holds), detail=detail
    )


async def waiting_purges(reader: Reader, space: Space) -> list[WaitingPurge]:
    """The purges that wait, oldest first."""
    documents = await reader.documents(DocumentQuery(kind=WAITING, limit=_MOST))
    return [
        WaitingPurge(
            id=d.id,
            scope=erase_scope_in(d.body["scope"], tenant=tenant_of(space)),
            sight=Sight(walls=frozenset(d.body["walls"]), all_walls=d.body["all_walls"]),
            actor=d.body["actor"],
            reason=d.body["reason"],
        )
        for d in sorted(documents, key=lambda d: (d.created_at, d.id))
    ]


def hold_of(document: Document) -> Hold:
    """The hold that a document keeps."""
    body = document.body
    return Hold(
        id=HoldId(document.id),
        scope=body["scope"],
        reason=body["reason"],
        actor=body["actor"],
        at=document.created_at,
        released_at=parse_time(body["released_at"]) if body.get("released_at") else None,
        released_by=body.get("released_by", ""),
    )


def _protects(document: Document, target: Target, named: set[Any], space: Space) -> bool:
    scope = erase_scope_in(document.body["scope"], tenant=tenant_of(space))
    ids = document.body["ids"]
    episodes, assertions, entities = (set(ids[name]) for name in ("episodes", "assertions", "entities"))
    if (
        episodes & set(target.episodes)
        or assertions & set(target.assertions)
        or entities & (set(target.entities) | named)
    ):
        return True
    return any(
        in_scope(scope, row.scope, row.wall) for rows in (target.episodes, target.summaries) for row in rows.values()
    ) or any(
        in_scope(scope, a.scope, a.wall) or a.episode in episodes or {a.subject, a.object} & entities
        for a in target.assertions.values()
    )
