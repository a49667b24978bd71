"""Taking one write back, whole: its evidence is withdrawn, what it had withdrawn counts again, the rest is recomputed.

What a verb did beside giving evidence stands in its receipt as `special`: merges to take apart or to make again, an
ontology to put back in force, documents to put back as they were, outcomes to take out of a count. Undoing it leaves the opposite in the new receipt, so
that an undo can be undone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from muniment.engine.ports.store import TenantStore, Unit
from muniment.engine.write import receipts
from muniment.engine.write.changes import Hand
from muniment.engine.write.commit import DryRun, Writing, commit_in, refuse_if_undone
from muniment.engine.write.draft import Draft
from muniment.engine.write.merges import draft_merge, draft_parting, open_merges
from muniment.engine.write.ontology import draft_ontology
from muniment.engine.write.outcomes import draft_outcome_again
from muniment.engine.write.receipts import RECEIPT, UndoPlan
from muniment.engine.write.spellings import Leaving, Unlearned, relearned, unlearned
from muniment.engine.write.taken_back import told_again
from muniment.engine.write.units import in_unit
from muniment.graph_schema.errors import Conflict, NotFound
from muniment.graph_schema.ids import EntityId, EpisodeId, ReceiptId
from muniment.graph_schema.records import Action, Because, Change, Document, Entity, Kind, Receipt, Rejection

ERASED_BY = "purge"
_SHOWS, _HIDES = "shows", "hides"
_ARCHIVED = (Kind.EPISODE, "archived", True)
_SHOWN = (Kind.EPISODE, "archived", False)


async def receipt_of(store: TenantStore, id: ReceiptId) -> Receipt:
    """The receipt of an earlier write, for who sees every wall it wrote behind. Raises NotFound."""
    document = await store.document(RECEIPT, id)
    if document is None:
        raise NotFound.of("receipt", id)
    receipt = receipts.from_document(document)
    hidden = UndoPlan.from_json(receipt.undo).walls - store.walls
    if hidden and not store.all_walls and not concerns_every_wall(receipt):
        raise NotFound.of("receipt", id)
    return receipt


async def undo_in(store: TenantStore, id: ReceiptId, hand: Hand, writing: Writing, *, dry_run: bool = False) -> Receipt:
    """Takes the write back in one transaction; the new receipt can itself be undone, which brings the write back.

    With `dry_run` nothing is kept. Raises NotFound, Conflict where it is undone already or where nothing of it is left to take back.
    """

    async def work(unit: Unit) -> Receipt:
        undone = await _undo(unit, store, id, hand, writing)
        if dry_run:
            raise DryRun(replace(undone, dry_run=True))
        return undone

    try:
        return await in_unit(store, work)
    except DryRun as run:
        return run.receipt


def concerns_every_wall(receipt: Receipt) -> bool:
    """Whether taking the write back moves evidence of the whole tenant: it was a merge, its opposite, or an ontology."""
    special = receipt.undo.get("special") or {}
    return any(key in special for key in ("ontology", "merge", "unmerge"))


async def _undo(unit: Unit, store: TenantStore, id: ReceiptId, hand: Hand, writing: Writing) -> Receipt:
    document = await unit.document(RECEIPT, id)
    if document is None:
        raise NotFound.of("receipt", id)
    receipt = receipts.from_document(document)
    refuse_if_undone(receipt)
    if receipt.verb == ERASED_BY:
        raise Conflict(f"receipt {id!r} is of a purge: what is erased for good cannot come back")
    plan = UndoPlan.from_json(receipt.undo)
    draft, writing = await _draft(unit, receipt, plan, hand, writing)
    undone = await commit_in(unit, store, draft, writing)
    taken_back = replace(receipt, undone_by=undone.id)
    await unit.put_documents([receipts.to_document(taken_back, seq=document.seq)])
    if plan.special and plan.special.get("undoes"):
        await _note_undone(unit, ReceiptId(str(plan.special["undoes"])), by=None)
    return undone


async def _draft(unit: Unit, receipt: Receipt, plan: UndoPlan, hand: Hand, writing: Writing) -> tuple[Draft, Writing]:
    """What undoes the write, and what to commit it with."""
    special = plan.special or {}
    shown = [flag.id for flag in plan.flags if (flag.kind, flag.name, flag.value) == _SHOWN]
    if again := await told_again(unit, shown):
        raise Conflict(
            f"receipt {receipt.id!r}: what it took back was told again since (episode {again[0]!r} was): tell it once more instead"
        )
    base = Draft(verb="undo", actor=hand.actor, at=hand.at, reason=hand.reason, cause="write.undone")
    if "ontology" in special:
        base, ontology = await draft_ontology(unit, special["ontology"], hand)
        writing = replace(writing, ontology=ontology)
    elif "unmerge" in special:
        base = await draft_parting(unit, await open_merges(unit, special["unmerge"]), writing.ontology, hand)
    elif "merge" in special:
        base = await draft_merge(unit, [EntityId(id) for id in special["merge"]], writing.ontology, hand)
    elif "outcome" in special:
        base = await draft_outcome_again(unit, special["outcome"], hand)
    before, after = await _documents(unit, special.get("documents", ()))
    erased = await _erased(unit, receipt, plan)
    leaving = Leaving(
        assertions=frozenset(plan.withdraw),
        episodes=frozenset(EpisodeId(f.id) for f in plan.flags if (f.kind, f.name, f.value) == _ARCHIVED),
    )
    known = {e.id for e in base.entities}  # a merge and its opposite know the spellings of theirs
    lost = await unlearned(unit, [x for x in plan.unlearn if x.entity not in known], leaving, writing.ontology)
    got = await relearned(unit, [x for x in plan.relearn if x.entity not in known], writing.ontology)
    entities = (*lost.entities, *got)
    opposite: Mapping[str, Any] = base.special or {}
    return (
        replace(
            base,
            verb="undo",
            cause="write.undone",
            withdraw=plan.withdraw,
            restore=plan.restore,
            flags=plan.flags,
            documents=(*base.documents, *after, *await _inherited(unit, lost)),
            entities=(*base.entities, *entities),
            learned=plan.relearn,
            unlearned=plan.unlearn,
            changes=(*base.changes, *map(_renamed, entities)),
            rejected=(*base.rejected, *erased),
            forgets=bool(special.get(_SHOWS)),
            special={
                **opposite,
                **({"documents": before} if before else {}),
                **_hiding(receipt, special),
                "undoes": receipt.id,
            },
        ),
        writing,
    )


async def _erased(unit: Unit, receipt: Receipt, plan: UndoPlan) -> tuple[Rejection, ...]:
    """What the write left that was erased for good since. Raises Conflict where that is all that it left."""
    given = (*plan.withdraw, *plan.restore)
    episodes = [EpisodeId(flag.id) for flag in plan.flags if flag.kind is Kind.EPISODE]
    there = {a.id for a in await unit.assertions(list(given))} if given else set()
    kept = {e.id for e in await unit.episodes(episodes)} if episodes else set()
    gone = [*dict.fromkeys(id for id in episodes if id not in kept), *(id for id in given if id not in there)]
    others = any(flag.kind is not Kind.EPISODE for flag in plan.flags) or plan.special or plan.unlearn or plan.relearn
    if gone and not (there or kept or others):
        raise Conflict(
            f"receipt {receipt.id!r}: all that it wrote was erased for good since, nothing is left to take back"
        )
    return tuple(Rejection(input=id, code="not_found", detail=f"{id} was erased for good since") for id in gone)


async def _inherited(unit: Unit, lost: Unlearned) -> list[Document]:
    """The receipts of the writes whose undoing has to look at these spellings from now on: those that are the first to say one
    that stays, and those that took back what says one that goes."""
    inherited: list[Document] = []
    for id in sorted({*lost.heirs, *lost.back}):
        document = await unit.document(RECEIPT, id)
        if document is None:  # the evidence came with an import, and its receipt did not
            continue
        plan = UndoPlan.from_json(document.body["undo"])
        plan = replace(
            plan,
            unlearn=tuple(dict.fromkeys((*plan.unlearn, *lost.heirs.get(id, ())))),
            relearn=tuple(dict.fromkeys((*plan.relearn, *lost.back.get(id, ())))),
        )
        inherited.append(replace(document, body={**document.body, "undo": plan.to_json()}))
    return inherited


def _hiding(receipt: Receipt, special: Mapping[str, Any]) -> dict[str, bool]:
    """Whether what undoes the write shows again what a forgetting hid, or hides it again as archived."""
    if special.get(_SHOWS):
        return {_HIDES: True}
    return {_SHOWS: True} if receipt.verb == "forget" or special.get(_HIDES) else {}


def _renamed(entity: Entity) -> Change:
    return Change(action=Action.UPDATED, kind=Kind.ENTITY, id=entity.id, because=Because(rule="write.undone"))


async def _documents(unit: Unit, rows: Sequence[Sequence[Any]]) -> tuple[list[list[Any]], list[Document]]:
    """How the documents stand, and as they are to stand: each row is kind, id, status, body. Erased ones stay so."""
    before: list[list[Any]] = []
    after: list[Document] = []
    for kind, id, status, body in rows:
        document = await unit.document(kind, id)
        if document is not None:
            before.append([kind, id, document.status, dict(document.body)])
            after.append(replace(document, status=status, body=body))
    return before, after


async def _note_undone(unit: Unit, id: ReceiptId, *, by: ReceiptId | None) -> None:
    """A write stands again and may be taken back anew (`by` None), or is taken back again by an undo that stands again; what it
    had itself taken back turns the other way."""
    document = await unit.document(RECEIPT, id)
    if document is None:
        return
    receipt = replace(receipts.from_document(document), undone_by=by)
    await unit.put_documents([receipts.to_document(receipt, seq=document.seq)])
    special = UndoPlan.from_json(receipt.undo).special or {}
    if special.get("undoes"):
        await _note_undone(unit, ReceiptId(str(special["undoes"])), by=None if by is not None else id)
