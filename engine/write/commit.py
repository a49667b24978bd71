"""One write, whole: from a draft to stored rows and a receipt, inside the store's transaction.

Everything that changes what is held true goes through `commit`, maintenance too, so that history, provenance, the
audit chain and undo hold for all of it. Extraction and embedding are done before; here is only what must be serial.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from muniment.engine.ports.request import current_request_id
from muniment.engine.ports.search import IndexEntry
from muniment.engine.ports.spans import span
from muniment.engine.ports.store import Erasable, SlotBook, TenantStore, Unit
from muniment.engine.resolve.derive import Revision, continued, forgotten, replay, revise
from muniment.engine.resolve.identity import Register
from muniment.engine.resolve.statements import Statement
from muniment.engine.resolve.timeline import Dispute, fact_id_of
from muniment.engine.retrieve.slots import connected
from muniment.engine.retrieve.statistics import STATISTICS, Indexed, group_of
from muniment.engine.write import audit, receipts
from muniment.engine.write.denied import told_in_vain
from muniment.engine.write.draft import Draft
from muniment.engine.write.entity_changes import entity_changes
from muniment.engine.write.external_ids import by_external_id
from muniment.engine.write.ids import WriteIds
from muniment.engine.write.indexing import Indexer, fact_entry
from muniment.engine.write.ledger import OPEN, REVIEW, add_statistics, file_reviews
from muniment.engine.write.likenesses import file_likenesses
from muniment.engine.write.marks import last_versions, set_marks
from muniment.engine.write.naming import Naming, settle_names
from muniment.engine.write.receipts import Flag, UndoPlan
from muniment.engine.write.succession import NewNotes, compare_notes
from muniment.engine.write.taken_back import give_up_external_ids, taken_back
from muniment.engine.write.turns import Turns
from muniment.graph_schema.errors import Conflict, NotFound
from muniment.graph_schema.ids import EntityId, EpisodeId, FactId, JobId, ReceiptId, digest
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.places import places_of
from muniment.graph_schema.records import (
    Assertion,
    EntityRef,
    Episode,
    EpisodeOutcome,
    EpisodeStatus,
    Fact,
    Job,
    JobState,
    Kind,
    Receipt,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """What a commit works with."""

    ontology: Ontology
    indexer: Indexer
    turns: Turns


_ALONE: Final = 1_000_000  # the size of what is only known inside its transaction


class DryRun(Exception):
    """Leaves the transaction without keeping anything; carries the receipt out."""

    def __init__(self, receipt: Receipt) -> None:
        super().__init__()
        self.receipt = receipt


async def commit(store: TenantStore, draft: Draft, writing: Writing, *, dry_run: bool = False) -> Receipt:
    """Does what the draft says in one transaction and gives the receipt.

    With `dry_run` everything is worked out the same way and nothing is kept. Raises what the store raises; then
    nothing was written.
    """

    async def as_it_is(_: Unit) -> Draft:
        return draft

    size = len(draft.episodes) + len(draft.statements) + len(draft.slots) + len(draft.moved)
    size = size if draft.adopted is None else _ALONE
    return await _committed(store, as_it_is, writing, dry_run=dry_run, size=size)


async def commit_drafted(
    store: TenantStore, drawn: Callable[[Unit], Awaitable[Draft]], writing: Writing, *, dry_run: bool = False
) -> Receipt:
    """As `commit`, of a draft that is drawn inside the transaction, so that nothing changes between reading and writing.

    A transaction that the store took back in favour of another is tried again: a draft says the same each time.
    """
    return await _committed(store, drawn, writing, dry_run=dry_run, size=_ALONE)


async def _committed(
    store: TenantStore, drawn: Callable[[Unit], Awaitable[Draft]], writing: Writing, *, dry_run: bool, size: int
) -> Receipt:
    request = current_request_id.get()

    async def work(unit: Unit) -> Receipt:
        # Writes that wait for one another go together, so this may run inside another request.
        token = current_request_id.set(request)
        try:
            receipt = await commit_in(unit, store, await drawn(unit), writing)
        finally:
            current_request_id.reset(token)
        if dry_run:
            raise DryRun(replace(receipt, dry_run=True))
        return receipt

    with span("write.commit", space=store.space, dry_run=dry_run) as opened:
        try:
            receipt = await writing.turns.write(store, work, size=_ALONE if dry_run else size)
        except DryRun as run:
            receipt = run.receipt
        opened.set(verb=receipt.verb, receipt=receipt.id, changes=len(receipt.changes), episodes=len(receipt.episodes))
        return receipt


async def commit_in(unit: Unit, store: TenantStore, draft: Draft, writing: Writing) -> Receipt:
    """As `commit`, inside a transaction that is already open."""
    before = await audit.chain_end(unit)
    number = before.seq + 1
    ids = WriteIds(store.space, number, before=before.hash or _told(draft))
    receipt_id = ReceiptId(ids.next("r"))
    episodes, outcomes, names = await _new_episodes(unit, draft, ids, receipt_id)
    given = {draft_id.id: outcome.id for draft_id, outcome in zip(draft.episodes, outcomes, strict=True)}
    statements = [_renamed(s, names) for s in draft.statements if s.episode is None or names.get(s.episode, s.episode)]
    mentions = [
        replace(m, episode=names.get(m.episode, m.episode)) for m in draft.mentions if names.get(m.episode, m.episode)
    ]
    await _require_evidence(unit, statements, names.values())
    walls = {e.id: e.wall for e in (*episodes, *draft.stored)}
    named = await settle_names(
        unit,
        Naming(statements=statements, mentions=mentions, walls=walls),
        writing.ontology,
        space=store.space,
        now=draft.at,
        ids=ids,
        receipt=receipt_id,
        actor=draft.actor,
    )
    register, new, found = named.register, named.assertions, named.mentions
    turned = [_turned_by(a, receipt_id) for a in await _turned(unit, draft)]
    moved = [_turned_by(a, receipt_id) if a.id in draft.turned else a for a in draft.moved]
    if draft.adopted is not None:
        episodes += draft.adopted.episodes
        outcomes += map(_created, draft.adopted.episodes)
        names |= {e.id: e.id for e in draft.adopted.episodes}
        found += draft.adopted.mentions
        new += draft.adopted.assertions

    await unit.put_episodes([*episodes, *await _degraded_since(unit, draft)])
    await unit.put_entities(register.changed())
    await unit.put_entities(draft.entities)
    if draft.dropped_mentions:
        await unit.drop_mentions(draft.dropped_mentions)
    await unit.put_mentions(list(dict.fromkeys((*found, *draft.moved_mentions))))
    await unit.put_assertions([*new, *turned, *moved])
    entries = [replace(e, id=names.get(EpisodeId(e.id), e.id)) for e in draft.index]
    told = await _index_episodes(unit, [*episodes, *draft.stored], entries, stored={e.id for e in draft.stored})

    notes = [replace(note, episode=names.get(note.episode, note.episode)) for note in draft.notes]
    compared = NewNotes(readings=notes, episodes={e.id: e for e in (*episodes, *draft.stored)})
    await unit.put_documents(await compare_notes(unit, compared, register, writing.indexer, at=draft.at))

    register.learn(draft.entities)
    renamed = await unit.assertions_of_entities(sorted(register.retyped())) if register.retyped() else []
    touched = {place for a in (*new, *turned, *moved, *renamed) for place in places_of(a)}
    slots = await connected(unit, touched | {*draft.slots, *draft.retold})
    late = await connected(unit, _backdated(new, draft.at) | {*draft.retold})
    revised = await _revise(unit, register, slots, late, draft, new=new)
    revision = revised.revision
    changed = await _index_facts(unit, revised, draft, writing.indexer)
    flagged = await set_marks(unit, draft.flags, at=draft.at)
    reviews = await file_reviews(unit, revision.disputes, revised.book.open if revised.book else (), at=draft.at)
    reviews += await file_likenesses(unit, register.likenesses(), at=draft.at)
    await add_statistics(
        unit,
        added=[*told.added, *changed.added],
        removed=[*told.removed, *changed.removed],
        at=draft.at,
        last_seq=revised.book.last_seq if revised.book else None,
    )
    jobs = [_lasting_job(job, names, ids) for job in draft.jobs]
    await unit.put_jobs([*jobs, *await _done(unit, draft, receipt_id)])

    written: list[Episode | Assertion] = [*episodes, *new, *turned]
    undo = UndoPlan(
        withdraw=tuple(a.id for a in (*new, *turned) if a.withdrawn_at is None),
        restore=tuple(t.id for t in turned if t.withdrawn_at is not None),
        flags=(*flagged.before, *(Flag(kind=Kind.EPISODE, id=e.id, name="archived", value=True) for e in episodes)),
        special=draft.special,
        unlearn=(*register.learned(), *draft.learned),
        relearn=draft.unlearned,
        walls=(frozenset(memory.wall for memory in written) | flagged.walls | draft.walls) - {""},
    )
    receipt = Receipt(
        id=receipt_id,
        actor=draft.actor,
        verb=draft.verb,
        reason=draft.reason,
        created_at=draft.at,
        episodes=_in_order((*outcomes, *(replace(e, id=given.get(e.id, e.id)) for e in draft.existing)), draft.inputs),
        changes=(*draft.changes, *entity_changes(register, new), *revision.changes, *flagged.changes),
        reviews=tuple(reviews),
        rejected=(*draft.rejected, *named.rejected, *told_in_vain(named, revision.held, verb=draft.verb)),
        degraded=draft.degraded,
        screened=draft.screened,
        job=jobs[0].id if jobs else None,
        undo=undo.to_json(),
    )
    entry = audit.next_entry(
        before,
        at=draft.at,
        actor=draft.actor,
        verb=draft.verb,
        outcome="done",
        ids=(receipt.id, *draft.about),
        detail={
            "episodes": len(episodes),
            "changes": len(receipt.changes),
            "reviews": len(reviews),
            **draft.counts,
            **({"job": draft.claimed.id} if draft.claimed is not None else {}),
        },
    )
    await unit.put_documents([*draft.documents, receipts.to_document(receipt, seq=number), entry])
    return receipt


async def _new_episodes(
    unit: Unit, draft: Draft, ids: WriteIds, receipt: ReceiptId
) -> tuple[list[Episode], list[EpisodeStatus], dict[EpisodeId, EpisodeId]]:
    """The episodes that are really new, with lasting ids; what became of each; and draft ids by lasting ones.

    An external id that another writer has used meanwhile makes the episode one that exists; a draft id that leads
    nowhere ('') says so to what hangs on it.
    """
    taken = await _taken(unit, draft)
    kept: list[Episode] = []
    outcomes: list[EpisodeStatus] = []
    names: dict[EpisodeId, EpisodeId] = {}
    for episode in draft.episodes:
        id = EpisodeId(ids.next("e"))
        there = taken.get((episode.wall, episode.external_id))
        if there is not None:
            names[episode.id] = EpisodeId("")
            outcomes.append(EpisodeStatus(id=there, external_id=episode.external_id, status=EpisodeOutcome.EXISTS))
            continue
        names[episode.id] = id
        kept.append(replace(episode, id=id, receipt=receipt))
        outcomes.append(EpisodeStatus(id=id, external_id=episode.external_id, status=EpisodeOutcome.CREATED))
    return kept, outcomes, names


async def _taken(unit: Unit, draft: Draft) -> dict[tuple[str, str | None], EpisodeId]:
    """The external ids of new episodes that stored ones have; those whose telling was undone give theirs up."""
    taken = await by_external_id(unit, draft.episodes)
    stored = await unit.episodes(sorted(set(taken.values()))) if taken else []
    gone = await taken_back(unit, stored)
    await give_up_external_ids(unit, [e for e in stored if e.id in gone], at=draft.at)
    return {key: id for key, id in taken.items() if id not in gone}


def _told(draft: Draft) -> str:
    """What a draft says, for the ids of a space's first write, before which there is nothing."""
    texts = (*(e.text for e in draft.episodes), *(s.text for s in draft.statements))
    return digest(draft.verb, *texts)


def _in_order(told: Sequence[EpisodeStatus], inputs: Sequence[int]) -> tuple[EpisodeStatus, ...]:
    """One entry an input, in the order of the inputs where that is known."""
    if len(inputs) != len(told):
        return tuple(told)
    return tuple(status for _, status in sorted(zip(inputs, told, strict=True), key=lambda pair: pair[0]))


def _created(episode: Episode) -> EpisodeStatus:
    return EpisodeStatus(id=episode.id, external_id=episode.external_id, status=EpisodeOutcome.CREATED)


def _renamed(statement: Statement, names: Mapping[EpisodeId, EpisodeId]) -> Statement:
    if statement.episode is None or statement.episode not in names:
        return statement
    return replace(statement, episode=names[statement.episode])


async def _require_evidence(unit: Unit, statements: Sequence[Statement], new: Collection[EpisodeId]) -> None:
    """Raises NotFound where a statement's episode was erased since the draft was made."""
    wanted = sorted({s.episode for s in statements if s.episode is not None} - set(new))
    there = {e.id for e in await unit.episodes(wanted)} if wanted else set()
    for id in wanted:
        if id not in there:
            raise NotFound.of("episode", id)


async def _degraded_since(unit: Unit, draft: Draft) -> list[Episode]:
    """Episodes that were kept before, as they are now, with what was not at hand when more was drawn from them."""
    told = {e.id: e.degraded for e in draft.stored if e.degraded}
    return [replace(e, degraded=told[e.id]) for e in await unit.episodes(sorted(told))] if told else []


async def _turned(unit: Unit, draft: Draft) -> list[Assertion]:
    """The assertions that are withdrawn or restored, as they are afterwards; those already so are left out."""
    wanted = {**dict.fromkeys(draft.withdraw, draft.at), **dict.fromkeys(draft.restore)}
    found = await unit.assertions(list(wanted)) if wanted else []
    return [replace(a, withdrawn_at=wanted[a.id]) for a in found if (a.withdrawn_at is None) != (wanted[a.id] is None)]


def _turned_by(a: Assertion, receipt: ReceiptId) -> Assertion:
    return replace(a, turned_by=(*a.turned_by, receipt))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Revised:
    """`before` are the facts that stood; `anew` those of them whose every version, and index entry, was written again; `book`
    what was read for it, where anything was."""

    revision: Revision
    before: Mapping[FactId, Fact]
    anew: frozenset[FactId] = frozenset()
    book: SlotBook | None = None


async def _revise(
    unit: Unit,
    register: Register,
    slots: Sequence[str],
    late: Collection[str],
    draft: Draft,
    *,
    new: Sequence[Assertion],
) -> _Revised:
    """Recomputes these slots and stores their fact versions; in `late` ones every version is made anew."""
    if not slots:
        return _Revised(revision=Revision(put=(), changes=(), disputes=()), before={})
    book = await unit.slot_book(slots, kind=REVIEW, status=OPEN, counted=STATISTICS)
    assertions, stored = book.assertions, book.facts
    refs = await _refs(unit, register, assertions, stored)
    revision = revise(assertions, stored, refs, now=draft.at, cause=draft.cause)
    # A fact is named after the assertion that founds it: one that is not of this write may have stood before.
    before = {fact.id for fact in stored} | {fact_id_of(a.id) for a in new}
    back = sorted({fact.id for fact in revision.put} - before)
    if back:
        revision = continued(revision, await last_versions(unit, back))
    if draft.forgets:
        revision = forgotten(revision, {fact.id: fact for fact in stored}, now=draft.at)
    anew = frozenset(fact.id for fact in stored if fact.slot in late)
    if late:
        await unit.erase(Erasable.FACT, sorted(anew))
        versions = replay([a for a in assertions if a.slot in late], refs, stored)
        revision = replace(revision, put=(*versions, *(f for f in revision.put if f.slot not in late)))
    await unit.put_facts(revision.put)
    return _Revised(revision=revision, before={fact.id: fact for fact in stored}, anew=anew, book=book)


def _backdated(new: Iterable[Assertion], now: datetime) -> set[str]:
    """Slots with new evidence that was recorded before now: their history of knowledge has to be told anew."""
    return {place for a in new if a.recorded_at < now for place in places_of(a)}


async def _refs(
    unit: Unit, register: Register, assertions: Iterable[Assertion], stored: Iterable[Fact]
) -> dict[EntityId, EntityRef]:
    refs: dict[EntityId, EntityRef] = {}
    for fact in stored:
        refs[fact.subject.id] = fact.subject
        refs[fact.object.id] = fact.object
    needed = {end for a in assertions for end in (a.subject, a.object)}
    refs.update({id: register.entity(id).ref for id in needed if register.has(id)})
    missing = sorted(needed - refs.keys())
    if missing:
        refs.update({e.id: e.ref for e in await unit.entities(missing)})
    return refs


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reindexed:
    added: tuple[Indexed, ...]
    removed: tuple[Indexed, ...]


async def _index_facts(unit: Unit, revised: _Revised, draft: Draft, indexer: Indexer) -> _Reindexed:
    """Index entries for facts that are new or whose sentence changed; none for those that are gone or denied."""
    before, revision = revised.before, revised.revision
    fresh = [f for f in revision.held if not f.rejected and _needs_entry(f, before.get(f.id), revised.anew)]
    renewed = {f.id for f in fresh}
    ended = {*revision.gone, *(f.id for f in revision.held if f.rejected)}
    stale = [f for id, f in before.items() if not f.rejected and (id in renewed or id in ended)]
    texts = [f.text for f in (*fresh, *stale) if f.text not in draft.vectors]
    vectors = {**draft.vectors, **await indexer.vectors_of(texts)}
    entries = [fact_entry(f, vectors.get(f.text, {})) for f in fresh]
    await unit.put_index(entries)
    await unit.drop_index([(f.kind, f.id) for f in stale if f.id not in renewed])
    return _Reindexed(
        added=tuple(Indexed(entry=e, group=str(f.kind), wall=f.wall) for e, f in zip(entries, fresh, strict=True)),
        removed=tuple(
            Indexed(entry=fact_entry(f, vectors.get(f.text, {})), group=str(f.kind), wall=f.wall) for f in stale
        ),
    )


def _needs_entry(new: Fact, old: Fact | None, anew: frozenset[FactId]) -> bool:
    if old is None or old.rejected or new.id in anew:
        return True
    return (old.text, old.subject, old.object, old.relation) != (new.text, new.subject, new.object, new.relation)


async def _index_episodes(
    unit: Unit, episodes: Sequence[Episode], entries: Sequence[IndexEntry], *, stored: Collection[EpisodeId]
) -> _Reindexed:
    """Writes the entries of these episodes. A stored one had an entry of its words only, which counts no longer."""
    by_id = {entry.id: entry for entry in entries}
    pairs = [(e, by_id[e.id]) for e in episodes if e.id in by_id]
    await unit.put_index([entry for _, entry in pairs])
    return _Reindexed(
        added=tuple(Indexed(entry=entry, group=group_of(e), wall=e.wall) for e, entry in pairs),
        removed=tuple(
            Indexed(entry=replace(entry, vectors={}), group=group_of(e), wall=e.wall)
            for e, entry in pairs
            if e.id in stored
        ),
    )


def _lasting_job(job: Job, names: Mapping[EpisodeId, EpisodeId], ids: WriteIds) -> Job:
    """The job with an id of this write and the lasting ids of its episodes; those that turned out to be there already need
    no work."""
    job = replace(job, id=JobId(ids.next("j")))
    if "episodes" not in job.payload:
        return job
    episodes = [names.get(EpisodeId(id), EpisodeId(id)) for id in job.payload["episodes"]]
    return replace(job, payload={**job.payload, "episodes": [id for id in episodes if id]})


async def _done(unit: Unit, draft: Draft, receipt: ReceiptId) -> list[Job]:
    """The claimed job as done. Raises Conflict where it was lost to another worker or is done already."""
    if draft.claimed is None:
        return []
    job = await unit.job(draft.claimed.id)
    if job is None or job.state is not JobState.RUNNING or job.owner != draft.claimed.owner:
        raise Conflict(f"job {draft.claimed.id!r} is no longer this worker's")
    return [
        replace(job, state=JobState.DONE, receipt=receipt, updated_at=draft.at, owner="", lease_until=None, reason="")
    ]


def refuse_if_undone(receipt: Receipt) -> None:
    """Raises Conflict where a receipt was taken back already."""
    if receipt.undone_by is not None:
        raise Conflict(f"receipt {receipt.id!r} is already undone, by {receipt.undone_by!r}")


__all__ = ["Dispute", "DryRun", "Writing", "commit", "commit_in", "refuse_if_undone"]
