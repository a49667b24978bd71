"""A tenant's data as lines, in an order in which they can be taken in: what is referred to comes first.

Facts are not among them: they derive from the assertions. What was written after the export began is left out, so that
nothing in it refers to what is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from muniment.engine.ports.store import DocumentQuery, EpisodeQuery, Reader, TenantStore
from muniment.engine.retrieve.pinned import PIN
from muniment.engine.retrieve.statistics import STATISTICS
from muniment.engine.traces import TRACE
from muniment.engine.write.audit import AUDIT, chain_end
from muniment.engine.write.erase.listed import PURGE, WAITING, external_hash
from muniment.engine.write.erase.scan import all_documents, all_episodes, all_jobs, all_live_entities
from muniment.engine.write.likenesses import MERGE_FORBIDDEN as FORBIDDEN
from muniment.engine.write.merges import MERGE
from muniment.engine.write.ontology import ONTOLOGY
from muniment.engine.write.receipts import RECEIPT
from muniment.engine.write.spending import MODEL_USE
from muniment.engine.write.transfer.codec import to_json, vectors_to_json
from muniment.engine.write.transfer.names_then import NamesThen, names_then
from muniment.engine.write.transfer.picture import picture
from muniment.engine.write.transfer.shape import FORMAT, VERSION, End, Header, Line, Marks, Used
from muniment.graph_schema.ids import EntityId, tenant_of
from muniment.graph_schema.records import (
    Assertion,
    Document,
    Entity,
    Fact,
    JobState,
    Kind,
)
from muniment.graph_schema.temporal import Clocks

_FIRST = (PURGE, AUDIT, ONTOLOGY)
_NEVER = frozenset({TRACE, STATISTICS, PIN, WAITING, MODEL_USE})
"""Counted, marked or asked for anew: traces are short-lived, pins come with the marks of what is pinned."""
_OVER = frozenset({JobState.DONE, JobState.CANCELLED})
_BATCH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportChoice:
    """What an export holds. `vectors`: those of the index too, so that nothing need be embedded again.

    `known_at`: as known then; what was heard of later is left out. Receipts and the audit chain are left out with it.
    `as_of`: not the evidence but a picture of what was true then.
    """

    vectors: bool = False
    known_at: datetime | None = None
    as_of: datetime | None = None
    leave_out: frozenset[str] = frozenset()  # further kinds of documents


async def export_lines(store: TenantStore, *, at: datetime, choice: ExportChoice) -> AsyncIterator[dict[str, Any]]:
    """Every line, header first, end last. What stands behind walls that the store does not see is left out."""
    counts: Counter[str] = Counter()
    export = _Export(store, choice, until=(await chain_end(store)).seq)
    header = Header(
        format=FORMAT,
        version=VERSION,
        tenant=tenant_of(store.space),
        at=at,
        complete=export.is_complete,
        vectors=choice.vectors,
        as_of=choice.as_of,
        known_at=choice.known_at,
    )
    yield line(Line.HEADER, header)
    clocks = None if choice.as_of is None else Clocks(as_of=choice.as_of, known_at=choice.known_at or at)
    async for sort, body in export.bodies() if clocks is None else picture(store, clocks, names=choice.known_at):
        counts[sort] += 1
        yield {"record": sort.value, **body}
    yield line(Line.END, End(counts=dict(counts)))


def line(sort: Line, record: Any) -> dict[str, Any]:
    """One line."""
    return {"record": sort.value, **to_json(record)}


Body = tuple[Line, dict[str, Any]]


class _Export:
    """One run. It remembers which entities it gave, and which facts' vectors."""

    def __init__(self, store: TenantStore, choice: ExportChoice, *, until: int) -> None:
        self._store = store
        self._choice = choice
        self._until = until
        self._given: set[EntityId] = set()
        self._spoken: set[str] = set()
        self._names: NamesThen | None = None
        self.is_complete = store.all_walls and choice.known_at is None and choice.as_of is None

    async def bodies(self) -> AsyncIterator[Body]:
        """Every line between header and end."""
        if self._choice.known_at is not None:
            self._names = await names_then(self._store, self._choice.known_at)
        for kind in _FIRST:
            if kind != AUDIT or self.is_complete:
                async for body in self._documents(kind):
                    yield body
        async for entities in all_live_entities(self._store):
            for body in self._entities(filter(self._is_known, entities)):
                yield body
        async for body in self._merged_away():
            yield body
        for part in (self._told(), self._evidence(), self._marks(), self._summaries(), self._rest()):
            async for body in part:
                yield body

    async def _documents(self, kind: str) -> AsyncIterator[Body]:
        alive = await _external_alive(self._store) if kind == PURGE else frozenset()
        async for rows in all_documents(self._store, kind):
            for row in rows:
                if kind in (AUDIT, RECEIPT) and row.seq > self._until:
                    continue
                yield Line.DOCUMENT, to_json(_without_alive(row, alive))

    def _is_known(self, entity: Entity) -> bool:
        """Whether it was heard of by then; one that is referred to nevertheless comes before what refers to it."""
        return self._choice.known_at is None or entity.created_at <= self._choice.known_at

    def _entities(self, entities: Iterable[Entity]) -> list[Body]:
        new = [e for e in entities if e.id not in self._given]
        self._given |= {e.id for e in new}
        return [(Line.ENTITY, to_json(e if self._names is None else self._names.of(e))) for e in new]

    async def _merged_away(self) -> AsyncIterator[Body]:
        """Entities that merges hid, after those that stand for them, so that their ids lead on where the lines are taken in."""
        async for rows in all_documents(self._store, MERGE):
            found = await self._store.entities(sorted({EntityId(row.body["other"]) for row in rows} - self._given))
            for body in await self._missing(e.id for e in found if self._is_known(e)):
                yield body

    async def _missing(self, ids: Iterable[EntityId]) -> list[Body]:
        """Lines of entities that no list gives (merged away) but that the next lines refer to."""
        bodies: list[Body] = []
        wanted = set(ids) - self._given
        while wanted:
            found = await self._store.entities(sorted(wanted))
            bodies = [*self._entities(found), *bodies]
            wanted = {e.merged_into for e in found if e.merged_into is not None} - self._given
        return bodies

    async def _told(self) -> AsyncIterator[Body]:
        query = EpisodeQuery(include_archived=True, known_at=self._choice.known_at)
        async for rows in all_episodes(self._store, query):
            late = await self._late()
            episodes = [e for e in rows if e.receipt not in late]
            ids = [e.id for e in episodes]
            mentions = await self._store.mentions_of_episodes(ids)
            for body in await self._missing(m.entity for m in mentions):
                yield body
            for body in await self._index([(Kind.EPISODE, id) for id in ids]):
                yield body
            for episode in episodes:
                yield Line.EPISODE, to_json(episode)
            for mention in mentions:
                yield Line.MENTION, to_json(mention)
            for body in await self._uses([(Kind.EPISODE, id) for id in ids]):
                yield body

    async def _evidence(self) -> AsyncIterator[Body]:
        async for rows in self._store.all_assertions(batch=_BATCH):
            late = await self._late()
            known = [self._as_known(a) for a in rows if a.receipt not in late]
            assertions = [a for a in known if a is not None]
            for body in await self._missing(end for a in assertions for end in (a.subject, a.object)):
                yield body
            for body in await self._sentences(sorted({a.slot for a in assertions})):
                yield body
            for assertion in assertions:
                yield Line.ASSERTION, to_json(assertion)

    def _as_known(self, a: Assertion) -> Assertion | None:
        moment = self._choice.known_at
        if moment is None:
            return a
        if a.recorded_at > moment:
            return None
        return replace(a, withdrawn_at=None, turned_by=()) if a.withdrawn_at and a.withdrawn_at > moment else a

    async def _marks(self) -> AsyncIterator[Body]:
        async for versions in self._store.all_facts():
            for f in versions:
                if f.is_forgotten and (self._choice.known_at is None or f.created_at <= self._choice.known_at):
                    yield Line.MARKS, to_json(Marks(fact=f.id, assertions=f.assertions, forgotten_at=f.created_at))
            facts = [f for f in versions if f.expired_at is None]
            for f in facts:
                if f.pinned or f.archived:
                    marks = Marks(fact=f.id, assertions=f.assertions, pinned=f.pinned, archived=f.archived)
                    yield Line.MARKS, to_json(marks)
            for body in await self._uses([(f.kind, f.id) for f in facts]):
                yield body

    async def _summaries(self) -> AsyncIterator[Body]:
        async for rows in self._store.all_summaries():
            kept = [s for s in rows if self._choice.known_at is None or s.created_at <= self._choice.known_at]
            for body in await self._index([(Kind.SUMMARY, s.id) for s in kept]):
                yield body
            for summary in kept:
                yield Line.SUMMARY, to_json(summary)

    async def _rest(self) -> AsyncIterator[Body]:
        """Documents of all other kinds, and work that is still to be done."""
        kinds = await self._store.document_kinds() if self.is_complete else [MERGE, FORBIDDEN]
        for kind in kinds:
            if kind in _NEVER | self._choice.leave_out or kind in _FIRST:
                continue
            async for sort, body in self._documents(kind):
                if self.is_complete:
                    yield sort, body
                elif self._sees_ends(body):
                    yield sort, {**body, "body": await self._seen_of(body["body"])}
        if self.is_complete:
            async for jobs in all_jobs(self._store):
                for job in jobs:
                    if job.state not in _OVER:
                        yield Line.JOB, to_json(job)

    def _sees_ends(self, document: dict[str, Any]) -> bool:
        body = document["body"]
        ends = body["pair"] if "pair" in body else [body["keep"], body["other"]]
        return set(ends) <= self._given

    async def _seen_of(self, body: dict[str, Any]) -> dict[str, Any]:
        """What a merge or its ban says without what stands behind walls that the store does not see."""
        if "had" not in body:
            return body
        seen = {a.id for a in await self._store.assertions([a for a, *_ in body["had"]])}
        return {
            **body,
            "had": [row for row in body["had"] if row[0] in seen],
            "looped": [id for id in body["looped"] if id in seen],
            "mentions": [
                row for row in body["mentions"] if self._store.all_walls or row[2] in {"", *self._store.walls}
            ],
        }

    async def _late(self) -> set[str]:
        """Receipts of writes since the export began."""
        query = DocumentQuery(kind=RECEIPT, after_seq=self._until, limit=100_000)
        return {document.id for document in await self._store.documents(query)}

    async def _index(self, keys: Sequence[tuple[Kind, str]]) -> list[Body]:
        if not (self._choice.vectors and keys):
            return []
        return [
            (
                Line.INDEX,
                {"kind": e.kind.value, "id": e.id, "words": e.words, "vectors": vectors_to_json(e.vectors)},
            )
            for e in await self._store.index_entries(keys)
        ]

    async def _sentences(self, slots: Sequence[str]) -> list[Body]:
        if not (self._choice.vectors and slots):
            return []
        facts: dict[tuple[Kind, str], Fact] = {
            (f.kind, f.id): f for f in await self._store.facts_of_slots(slots) if f.id not in self._spoken
        }
        self._spoken |= {f.id for f in facts.values()}
        return [
            (Line.SENTENCE, {"text": facts[e.kind, e.id].text, "vectors": vectors_to_json(e.vectors)})
            for e in await self._store.index_entries(list(facts))
        ]

    async def _uses(self, keys: Sequence[tuple[Kind, str]]) -> list[Body]:
        if not (self.is_complete and keys):
            return []
        found = await self._store.uses(keys)
        uses = [found[key] for key in keys if key in found]  # in the order of what was used, on every store
        return [(Line.USE, to_json(Used(kind=u.kind, id=u.id, count=u.count, last_at=u.last_at))) for u in uses]


async def _external_alive(reader: Reader) -> frozenset[str]:
    """Hashes of the external ids that are there: one that was erased and told again on purpose is not erased any more."""
    alive: set[str] = set()
    async for rows in all_episodes(reader):
        alive |= {external_hash(e.wall, e.external_id) for e in rows if e.external_id is not None}
    return frozenset(alive)


def _without_alive(document: Document, alive: frozenset[str]) -> Document:
    if not alive or alive.isdisjoint(document.body.get("external", ())):
        return document
    return replace(document, body={**document.body, "external": sorted(set(document.body["external"]) - alive)})
