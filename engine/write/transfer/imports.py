"""Taking an export in: in batches, each one write with its receipt; the same lines again change nothing.

Timelines are computed anew from the evidence, so the order of imports does not matter, rejections stick, and what was
purged here stays purged. A broken line stops the import; what came before it is kept.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from muniment.engine.ingest.terms import index_terms
from muniment.engine.ports.models import Vector
from muniment.engine.ports.search import IndexEntry
from muniment.engine.ports.store import DocumentQuery, TenantStore, Unit, Use
from muniment.engine.resolve.derive import as_forgotten
from muniment.engine.retrieve import statistics
from muniment.engine.write.audit import AUDIT, chain_end
from muniment.engine.write.changes import Hand
from muniment.engine.write.commit import Writing, commit, commit_in
from muniment.engine.write.draft import Adopted, Draft
from muniment.engine.write.erase.leftovers import Gone, without
from muniment.engine.write.erase.listed import PURGE, Listed, purge_list
from muniment.engine.write.ledger import add_statistics
from muniment.engine.write.likenesses import IDENTITY_REVIEW
from muniment.engine.write.likenesses import MERGE_FORBIDDEN as FORBIDDEN
from muniment.engine.write.merges import MERGE, OPEN_MERGE
from muniment.engine.write.ontology import ONTOLOGY, draft_ontology, overlay_of
from muniment.engine.write.receipts import RECEIPT, Flag
from muniment.engine.write.rehearse import rehearsed
from muniment.engine.write.transfer.adopt import (
    Ids,
    Outcome,
    new_assertions,
    new_entities,
    new_episodes,
    new_mentions,
    revived,
)
from muniment.engine.write.transfer.lines import Indexed, Parsed, Spoken, check_header, parsed
from muniment.engine.write.transfer.shape import End, Line, Marks
from muniment.graph_schema.errors import MunimentError
from muniment.graph_schema.ids import EntityId, EpisodeId, ReceiptId
from muniment.graph_schema.places import places_of
from muniment.graph_schema.records import Document, Episode, Fact, Kind, Receipt, Rejection, Summary

VERB = "import"
_BATCH = 500
_MOST_SENTENCES = 20_000

Given = Mapping[str, Any] | str | bytes
GivenLines = AsyncIterable[Given] | Iterable[Given]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What an import did, by sort of record. `refused`: erased here before, and so not taken in again.

    `complete` is false where the end of the file was missing or counted other lines.
    """

    lines: int
    created: Mapping[str, int]
    existed: Mapping[str, int]
    refused: Mapping[str, int]
    rejected: tuple[Rejection, ...]
    receipts: tuple[ReceiptId, ...]
    complete: bool
    dry_run: bool = False


async def import_lines(
    store: TenantStore,
    given: GivenLines,
    hand: Hand,
    writing: Writing,
    *,
    purged: Sequence[Document] = (),
    dry_run: bool = False,
) -> ImportReport:
    """Takes lines in, behind the walls that `store` sees; `purged` are documents of another purge list, to be obeyed too.

    With `dry_run` all is worked out in one transaction and nothing is kept. Raises Invalid for a broken line, naming it,
    once everything before it is kept.
    """
    if dry_run:
        report = await rehearsed(store, lambda inside: import_lines(inside, given, hand, writing, purged=purged))
        return replace(report, dry_run=True)
    run = _Import(store, hand, writing, purged)
    try:
        async for line in _numbered(given):
            await run.take(line)
    except MunimentError:
        await run.finish()
        raise
    await run.finish()
    return run.report()


async def _numbered(given: GivenLines) -> AsyncIterator[Parsed]:
    number = 0
    async for one in _each(given):
        number += 1
        if isinstance(one, str | bytes) and not one.strip():
            continue
        line = parsed(one, number)
        if number == 1:
            check_header(line)
        yield line


async def _each(given: GivenLines) -> AsyncIterator[Given]:
    if isinstance(given, AsyncIterable):
        async for one in given:
            yield one
    else:
        for one in given:
            yield one


class _Import:
    """One run: what waits for the next write, and what it has learned of ids."""

    def __init__(self, store: TenantStore, hand: Hand, writing: Writing, purged: Sequence[Document]) -> None:
        self._store = store
        self._hand = hand
        self._writing = writing
        self._waiting: dict[Line, list[Any]] = defaultdict(list)
        self._later: dict[Line, list[Any]] = defaultdict(list)  # what needs all memories to be there
        self._first = list(purged)
        self._index: dict[tuple[Kind, str], Indexed] = {}
        self._sentences: dict[str, Mapping[str, Vector]] = {}
        self._ids = Ids()
        self._outcome = Outcome()
        self._receipts: list[ReceiptId] = []
        self._lines = 0
        self._had_chain = False
        self._counted: dict[str, int] = defaultdict(int)
        self._complete = False

    async def take(self, line: Parsed) -> None:
        """Takes one line in, and writes when enough wait."""
        self._lines += 1
        is_first = line.sort is Line.DOCUMENT and line.record.kind in (PURGE, AUDIT)
        if self._first and (not is_first or len(self._first) >= _BATCH):
            await self._write_first()
        match line.sort:
            case Line.HEADER:
                self._had_chain = (await chain_end(self._store)).seq > 0
                return
            case Line.END:
                end: End = line.record
                self._complete = {k: int(v) for k, v in end.counts.items()} == dict(self._counted)
                return
            case Line.SENTENCE:
                self._speak(line.record)
            case Line.INDEX:
                came: Indexed = line.record
                self._index[came.kind, came.id] = came
            case Line.DOCUMENT if is_first:
                self._first.append(line.record)
            case Line.DOCUMENT if line.record.kind == ONTOLOGY:
                await self._take_ontology(line.record)
            case Line.DOCUMENT | Line.MARKS | Line.SUMMARY | Line.USE | Line.JOB:
                self._later[line.sort].append(line.record)
            case _:
                self._waiting[line.sort].append(line.record)
        self._counted[line.sort.value] += 1
        if sum(map(len, self._waiting.values())) >= _BATCH:
            await self._write()

    async def finish(self) -> None:
        """Writes what waits, then what needs all of it."""
        if self._first:
            await self._write_first()
        if any(self._waiting.values()):
            await self._write()
        if any(self._later.values()):
            await self._write_later()

    def report(self) -> ImportReport:
        outcome = self._outcome
        return ImportReport(
            lines=self._lines,
            created=dict(+outcome.created),
            existed=dict(+outcome.existed),
            refused=dict(+outcome.refused),
            rejected=tuple(outcome.rejected),
            receipts=tuple(self._receipts),
            complete=self._complete,
        )

    # -- the beginning

    async def _write_first(self) -> None:
        """The purge list, and the audit chain into a tenant that had none: both come before any memory."""
        first, self._first = self._first, []
        put: list[Document] = []
        async with self._store.write() as unit:
            for document in first:
                if document.kind == AUDIT:
                    is_new = not self._had_chain
                else:
                    is_new = await unit.document(document.kind, document.id) is None
                (self._outcome.created if is_new else self._outcome.existed)[document.kind] += 1
                put += [document] if is_new else []
            await unit.put_documents(put)

    async def _take_ontology(self, document: Document) -> None:
        """Where the tenant laid none itself; one that was taken back says nothing."""
        if not document.body or await overlay_of(self._store):
            self._outcome.existed[ONTOLOGY] += 1
            return
        draft, ontology = await draft_ontology(self._store, document.body, self._hand)
        self._writing = replace(self._writing, ontology=ontology)
        receipt = await commit(self._store, draft, self._writing)
        self._receipts.append(receipt.id)
        self._outcome.created[ONTOLOGY] += 1

    def _speak(self, spoken: Spoken) -> None:
        if len(self._sentences) >= _MOST_SENTENCES:
            self._sentences.clear()
        if self._fits(spoken.vectors):
            self._sentences[spoken.text] = spoken.vectors

    # -- memories

    async def _write(self) -> None:
        waiting, self._waiting = self._waiting, defaultdict(list)
        async with self._store.write() as unit:
            listed = await purge_list(unit)
            entities = await new_entities(unit, waiting[Line.ENTITY], listed, self._ids, self._outcome)
            episodes = await new_episodes(unit, waiting[Line.EPISODE], listed, self._ids, self._outcome)
            await self._learn_stored(unit, waiting)
            named = [m.entity for m in waiting[Line.MENTION] if m.episode not in self._ids.refused]
            named += [end for a in self._taken(waiting, listed) for end in (a.subject, a.object)]
            entities += revived(named, self._ids, self._outcome)
            mentions = new_mentions(waiting[Line.MENTION], self._ids)
            assertions = await new_assertions(
                unit, waiting[Line.ASSERTION], self._writing.ontology, listed, self._ids, self._outcome
            )
            if not (entities or episodes or mentions or assertions):
                return
            adopted = Adopted(
                episodes=tuple(replace(e, pinned=False) for e in episodes),
                mentions=tuple(mentions),
                assertions=tuple(assertions),
            )
            draft = Draft(
                verb=VERB,
                actor=self._hand.actor,
                at=self._hand.at,
                reason=self._hand.reason,
                cause="evidence.imported",
                adopted=adopted,
                entities=tuple(entities),
                index=tuple(await self._entries(episodes)),
                retold=tuple(sorted({place for a in assertions for place in places_of(a)})),
                vectors=self._sentences,
                flags=tuple(Flag(kind=Kind.EPISODE, id=e.id, name="pinned", value=True) for e in episodes if e.pinned),
            )
            self._keep(await commit_in(unit, self._store, draft, self._writing))

    def _taken(self, waiting: Mapping[Line, list[Any]], listed: Listed) -> list[Any]:
        return [a for a in waiting[Line.ASSERTION] if a.id not in listed.ids and a.episode not in self._ids.refused]

    async def _learn_stored(self, unit: Unit, waiting: Mapping[Line, list[Any]]) -> None:
        """What lines refer to may be stored here without being in the file."""
        ends: set[EntityId] = {m.entity for m in waiting[Line.MENTION]}
        ends |= {end for a in waiting[Line.ASSERTION] for end in (a.subject, a.object)}
        for entity in await unit.entities(sorted(ends - self._ids.entities.keys())):
            self._ids.entities[entity.id] = entity.id
        told = {a.episode for a in waiting[Line.ASSERTION] if a.episode is not None}
        for episode in await unit.episodes(sorted(told - self._ids.episodes.keys() - self._ids.refused)):
            self._ids.episodes[episode.id] = episode.id

    async def _entries(self, episodes: list[Episode]) -> list[IndexEntry]:
        """The entries that came along where they are of the embedders in use here, else new ones."""
        came = {e.id: self._index.pop((Kind.EPISODE, e.id), None) for e in episodes}
        known = {id: one for id, one in came.items() if one is not None and self._fits(one.vectors)}
        made = await self._writing.indexer.episode_entries([e for e in episodes if e.id not in known])
        kept = [IndexEntry(kind=o.kind, id=o.id, words=o.words, vectors=o.vectors) for o in known.values()]
        return [*made, *kept]

    def _fits(self, vectors: Mapping[str, Vector]) -> bool:
        return bool(vectors) and set(vectors) <= set(self._writing.indexer.fingerprints)

    def _keep(self, receipt: Receipt) -> None:
        self._receipts.append(receipt.id)

    # -- what hangs on memories

    async def _write_later(self) -> None:
        async with self._store.write() as unit:
            listed = await purge_list(unit)
            gone = Gone(ids=listed.ids)
            await self._put_summaries(unit, listed)
            await self._put_documents(unit, gone)
            jobs = [j for j in self._later[Line.JOB] if await unit.job(j.id) is None and not gone.is_told_by(j.payload)]
            await unit.put_jobs(jobs)
            marked = [marks for marks in self._later[Line.MARKS] if marks.forgotten_at is None]
            await _keep_forgotten(unit, [marks for marks in self._later[Line.MARKS] if marks.forgotten_at is not None])
            flags = [flag for marks in marked for flag in await _flags(unit, marks)]
            if flags:
                draft = Draft(
                    verb=VERB,
                    actor=self._hand.actor,
                    at=self._hand.at,
                    reason=self._hand.reason,
                    cause="marks.imported",
                    flags=tuple(flags),
                )
                self._keep(await commit_in(unit, self._store, draft, self._writing))
            await self._put_uses(unit)
        self._later.clear()

    async def _put_summaries(self, unit: Unit, listed: Listed) -> None:
        given: list[Summary] = self._later[Line.SUMMARY]
        stored = {s.id for s in await unit.summaries([s.id for s in given])}
        erased = {s.id for s in given if s.id in listed.ids or not listed.ids.isdisjoint(s.covers)}
        new = [s for s in given if s.id not in stored | erased]
        self._outcome.created["summary"] += len(new)
        self._outcome.existed["summary"] += len(stored)
        self._outcome.refused["summary"] += len(erased - stored)
        await unit.put_summaries(new)
        entries = [self._summary_entry(s) for s in new]
        await unit.put_index(entries)
        counted = [
            statistics.Indexed(entry=entry, group="summary", wall=s.wall) for entry, s in zip(entries, new, strict=True)
        ]
        await add_statistics(unit, added=counted, removed=(), at=self._hand.at)

    def _summary_entry(self, summary: Summary) -> IndexEntry:
        came = self._index.pop((Kind.SUMMARY, summary.id), None)
        if came is not None and self._fits(came.vectors):
            return IndexEntry(kind=came.kind, id=came.id, words=came.words, vectors=came.vectors)
        return IndexEntry(kind=Kind.SUMMARY, id=summary.id, words=" ".join(index_terms(summary.text)))

    async def _put_documents(self, unit: Unit, gone: Gone) -> None:
        """Documents that are not there yet, without what was erased; a receipt's number is that of this import."""
        number = (await chain_end(unit)).seq
        put: list[Document] = []
        for given in self._later[Line.DOCUMENT]:
            document = without(given, gone)
            if document is None:
                self._outcome.refused[given.kind] += 1
            elif self._had_chain and await unit.document(document.kind, document.id) is not None:
                self._outcome.existed[given.kind] += 1
            elif (led := self._led(document)) is not None and await self._is_so_here(unit, led):
                if led.kind == RECEIPT:  # without the chain that it comes from, its number would be of no entry
                    led = replace(led, seq=number if self._had_chain else min(led.seq, number))
                put.append(led)
                self._outcome.created[given.kind] += 1
        await unit.put_documents(put)

    def _led(self, document: Document) -> Document | None:
        """A merge or its ban with the ids that its entities have here; None where one is not here."""
        body = document.body
        if document.kind == FORBIDDEN:
            pair = [self._ids.entities.get(EntityId(id)) for id in body["pair"]]
            return (
                None
                if None in pair or len(set(pair)) < 2
                else replace(document, ref=str(pair[0]), body={**body, "pair": pair})
            )
        if document.kind == MERGE:
            keep, other = (self._ids.entities.get(EntityId(body[name])) for name in ("keep", "other"))
            if keep is None or other is None or keep == other:
                return None
            had = [[a, *(self._ids.entities.get(EntityId(e), e) for e in ends)] for a, *ends in body["had"]]
            told = [[self._ids.episodes.get(EpisodeId(e), e), *rest] for e, *rest in body["mentions"]]
            ends = {"keep": keep, "other": other, "had": had, "mentions": told}
            return replace(document, ref=other, body={**body, **ends})
        if document.kind == IDENTITY_REVIEW:
            both = [self._ids.entities.get(EntityId(id)) for id in body["entities"]]
            return (
                None
                if None in both or len(set(both)) < 2
                else replace(document, ref=str(both[-1]), body={**body, "entities": both})
            )
        return document

    async def _is_so_here(self, unit: Unit, document: Document) -> bool:
        """False for a merge of what stands by itself here, or is joined to something else: this tenant's own word counts, and
        the report says so. True for all else."""
        if document.kind != MERGE or document.status != OPEN_MERGE:
            return True
        there = await unit.documents(DocumentQuery(kind=MERGE, ref=document.ref, status=OPEN_MERGE))
        other = next(iter(await unit.entities([EntityId(document.ref)])), None)
        if other is not None and other.merged_into == document.body["keep"]:
            return not [d for d in there if d.id != document.id]
        detail = (
            f"{document.ref!r} is not joined to {document.body['keep']!r} here: merge the two if they are one here too"
        )
        self._outcome.rejected.append(Rejection(input=f"merge {document.id}", code="conflict", detail=detail))
        return False

    async def _put_uses(self, unit: Unit) -> None:
        given = self._later[Line.USE]
        keys = [(u.kind, u.id) for u in given]
        there = await unit.uses(keys)
        facts = {f.id for f in await unit.facts([u.id for u in given if u.kind is not Kind.EPISODE])}
        episodes = {e.id for e in await unit.episodes([u.id for u in given if u.kind is Kind.EPISODE])}
        new = [
            Use(kind=u.kind, id=u.id, count=u.count, last_at=u.last_at)
            for u in given
            if (u.kind, u.id) not in there and u.id in facts | episodes
        ]
        await unit.add_uses(new)


async def _keep_forgotten(unit: Unit, given: Sequence[Marks]) -> None:
    """Archives those facts that are here and stand no more, as they were where they came from."""
    last = {fact.id: fact for fact in await unit.facts([marks.fact for marks in given])}
    gone = [(last[m.fact], m.forgotten_at) for m in given if m.fact in last and m.forgotten_at is not None]
    await unit.put_facts(
        [as_forgotten(f, at) for f, at in gone if f.expired_at is not None and not f.is_forgotten and not f.rejected]
    )


async def _flags(unit: Unit, marks: Marks) -> list[Flag]:
    """The marks on the fact as it is here: by its id, else the one that rests on the same evidence."""
    found = [f for f in await unit.facts([marks.fact]) if f.expired_at is None] or await _by_evidence(unit, marks)
    return [
        Flag(kind=fact.kind, id=fact.id, name=name, value=True)
        for fact in found[:1]
        for name, is_set, was in (("pinned", marks.pinned, fact.pinned), ("archived", marks.archived, fact.archived))
        if is_set and not was
    ]


async def _by_evidence(unit: Unit, marks: Marks) -> list[Fact]:
    told = await unit.assertions(list(marks.assertions))
    facts = await unit.facts_of_slots(sorted({a.slot for a in told})) if told else []
    return [f for f in facts if set(f.assertions) & set(marks.assertions)]
