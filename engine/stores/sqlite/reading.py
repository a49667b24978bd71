"""The reads of one space: a named statement each, rows made records."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypeVar

from muniment.engine.ports.models import Vector
from muniment.engine.ports.search import IndexEntry, Mentions, Neighbours, ReadFilter
from muniment.engine.ports.store import (
    DocumentQuery,
    EntityCounts,
    EntityKey,
    EntityQuery,
    EpisodeQuery,
    FactQuery,
    Page,
    SlotBook,
    Use,
)
from muniment.engine.stores.sqlite import rows as as_
from muniment.engine.stores.sqlite.codec import OPEN_END, listed, ms_or_none, restored, stored, time_or_none, unpacked
from muniment.engine.stores.sqlite.connection import Bound
from muniment.graph_schema.ids import AssertionId, EntityId, EpisodeId, FactId, JobId, ReceiptId, SummaryId, fold
from muniment.graph_schema.records import (
    Assertion,
    Document,
    Entity,
    Episode,
    Fact,
    Job,
    JobState,
    Kind,
    Mention,
    Summary,
)
from muniment.graph_schema.temporal import Clocks, to_ms

R = TypeVar("R")

_LAST_CHARACTER = "\U0010ffff"  # sorts after every text that could follow


def filter_parameters(filter: ReadFilter) -> dict[str, Any]:
    """The read filter as the parameters of `{held:…}`, `{told:…}` and `{summed:…}`."""
    scope = filter.scope
    return {
        "as_of": to_ms(filter.clocks.as_of),
        "known_at": to_ms(filter.clocks.known_at),
        "kinds": listed(sorted(kind.value for kind in filter.kinds)),
        "types": listed(sorted(filter.types)),
        "relations": listed(sorted(filter.relations)),
        "min_importance": filter.min_importance,
        "include_superseded": filter.include_superseded,
        "include_future": filter.include_future,
        "include_archived": filter.include_archived,
        "scoped": scope is not None,
        "user": stored(scope.user) if scope else "",
        "agent": stored(scope.agent) if scope else "",
        "session": stored(scope.session) if scope else "",
    }


def _page_parameters(page: Page) -> dict[str, Any]:
    after_ms, after_id = page.after or (OPEN_END, "")
    return {"after_ms": after_ms, "after_id": stored(after_id), "limit": page.limit}


def _in_order(ids: Sequence[str], records: Sequence[R]) -> list[R]:
    """The records in the order in which their ids were asked for."""
    by_id: dict[str, R] = {record.id: record for record in records}  # type: ignore[attr-defined]
    return [by_id[id] for id in dict.fromkeys(ids) if id in by_id]


# episodes


def episodes(bound: Bound, ids: Sequence[EpisodeId]) -> list[Episode]:
    return _in_order(ids, [as_.episode_of(row) for row in bound.rows("episode_get", ids=listed(ids))])


def episodes_by_external_id(bound: Bound, external_ids: Sequence[str], wall: str | None) -> dict[str, EpisodeId]:
    rows = bound.rows(
        "episode_ids_by_external_id", external_ids=listed(external_ids), wall=None if wall is None else stored(wall)
    )
    return {restored(external_id): EpisodeId(restored(id)) for external_id, id in rows}


def list_episodes(bound: Bound, query: EpisodeQuery, page: Page) -> list[Episode]:
    thread: dict[str, Any] = {}
    if query.thread:
        end = _LAST_CHARACTER if query.thread.endswith("/") else ""
        thread = {"thread": stored(query.thread), "thread_end": stored(query.thread) + end}
    rows = bound.rows(
        "episode_list_by_thread" if thread else "episode_list",
        **thread,
        text=stored(query.text.lower()),
        kind=stored(query.kind),
        user=stored(query.user),
        session=stored(query.session),
        as_of=OPEN_END if query.as_of is None else to_ms(query.as_of),
        known_at=OPEN_END if query.known_at is None else to_ms(query.known_at),
        include_archived=query.include_archived,
        **_page_parameters(page),
    )
    return [as_.episode_of(row) for row in rows]


def neighbours(bound: Bound, ids: Sequence[EpisodeId], filter: ReadFilter) -> dict[EpisodeId, Neighbours]:
    rows = bound.rows("episode_neighbours", ids=listed(ids))
    beside = {id for row in rows for id in row[1:] if id is not None}
    shown = {
        row[0]
        for row in bound.rows(
            "episode_shown", ids=json.dumps(sorted(beside), ensure_ascii=False), **filter_parameters(filter)
        )
    }

    def open_id(id: str | None) -> EpisodeId | None:
        return EpisodeId(restored(id)) if id is not None and id in shown else None

    return {
        EpisodeId(restored(id)): Neighbours(previous=open_id(previous), next=open_id(following))
        for id, previous, following in rows
    }


def thread_ends(bound: Bound, threads: Sequence[str]) -> dict[str, int]:
    return {restored(thread): end for thread, end in bound.rows("thread_ends", threads=listed(threads))}


# entities


def entities(bound: Bound, ids: Sequence[EntityId]) -> list[Entity]:
    return _in_order(ids, [as_.entity_of(row) for row in bound.rows("entity_get", ids=listed(ids))])


def entities_by_key(bound: Bound, keys: Sequence[EntityKey]) -> list[Entity]:
    wanted = {(stored(key.wall), stored(key.type), stored(key.key)) for key in keys}
    rows = bound.rows("entity_by_key", keys=json.dumps(sorted(wanted), ensure_ascii=False))
    return [as_.entity_of(row) for row in rows]


def entities_by_name(bound: Bound, sort: str, keys: Sequence[str]) -> dict[str, tuple[Entity, ...]]:
    """Live entities by `alias` or `identifier`."""
    found: dict[str, tuple[Entity, ...]] = {}
    for row in bound.rows("entity_by_name", sort=sort, keys=listed(keys)):
        key = restored(row[0])
        found[key] = (*found.get(key, ()), as_.entity_of(row[1:]))
    return found


def list_entities(bound: Bound, query: EntityQuery, page: Page) -> list[Entity]:
    prefix = stored(fold(query.prefix))
    rows = bound.rows(
        "entity_list",
        prefix=prefix,
        prefix_end=prefix + "\U0010ffff",
        text=stored(fold(query.text)),
        types=listed(sorted(query.types)),
        user=stored(query.user),
        session=stored(query.session),
        open_end=OPEN_END,
        include_archived=query.include_archived,
        **_page_parameters(page),
    )
    return [as_.entity_of(row) for row in rows]


def entity_counts(bound: Bound, ids: Sequence[EntityId], clocks: Clocks) -> dict[EntityId, EntityCounts]:
    as_of, known_at = to_ms(clocks.as_of), to_ms(clocks.known_at)
    rows = bound.rows("entity_counts", ids=listed(ids), as_of=as_of, known_at=known_at)
    return {
        EntityId(restored(id)): EntityCounts(facts=facts, first_seen=time_or_none(first), last_seen=time_or_none(last))
        for id, facts, first, last in rows
    }


# assertions and facts


def assertions(bound: Bound, ids: Sequence[AssertionId]) -> list[Assertion]:
    return _in_order(ids, [as_.assertion_of(row) for row in bound.rows("assertion_get", ids=listed(ids))])


def assertions_of_slots(bound: Bound, slots: Sequence[str]) -> list[Assertion]:
    return [as_.assertion_of(row) for row in bound.rows("assertion_by_slot", slots=listed(slots))]


def assertions_of_episodes(bound: Bound, ids: Sequence[EpisodeId]) -> list[Assertion]:
    return [as_.assertion_of(row) for row in bound.rows("assertion_by_episode", ids=listed(ids))]


def assertions_of_receipt(bound: Bound, id: ReceiptId) -> list[Assertion]:
    return [as_.assertion_of(row) for row in bound.rows("assertion_by_receipt", receipt=stored(id))]


def assertions_of_entities(bound: Bound, ids: Sequence[EntityId], groups: Sequence[str]) -> list[Assertion]:
    rows = bound.rows("assertion_by_entity", ids=listed(ids), groups=listed(groups))
    return [as_.assertion_of(row) for row in rows]


def assertion_page(bound: Bound, after: str, limit: int) -> list[Assertion]:
    return [as_.assertion_of(row) for row in bound.rows("assertion_page", after=stored(after), limit=limit)]


def facts(bound: Bound, ids: Sequence[FactId], known_at: datetime | None) -> list[Fact]:
    if known_at is None:
        rows = bound.rows("fact_latest", ids=listed(ids))
    else:
        rows = bound.rows("fact_known", ids=listed(ids), known_at=to_ms(known_at))
    return _in_order(ids, [as_.fact_of(row) for row in rows])


def fact_versions(bound: Bound, id: FactId) -> list[Fact]:
    return [as_.fact_of(row) for row in bound.rows("fact_versions", id=stored(id))]


def facts_of_slots(bound: Bound, slots: Sequence[str]) -> list[Fact]:
    return [as_.fact_of(row) for row in bound.rows("fact_by_slot", slots=listed(slots), open_end=OPEN_END)]


def slot_book(bound: Bound, slots: Sequence[str], kind: str, status: str, counted: str) -> SlotBook:
    rows = bound.rows("document_by_ref", kind=stored(kind), refs=listed(slots), status=stored(status))
    return SlotBook(
        assertions=tuple(assertions_of_slots(bound, slots)),
        facts=tuple(facts_of_slots(bound, slots)),
        open=tuple(as_.document_of(row) for row in rows),
        last_seq=last_seq(bound, counted),
    )


def fact_ids_of_slots(bound: Bound, slots: Sequence[str]) -> list[FactId]:
    return [FactId(restored(row[0])) for row in bound.rows("fact_ids_by_slot", slots=listed(slots))]


def fact_page(bound: Bound, after: tuple[str, int], limit: int) -> list[Fact]:
    rows = bound.rows("fact_page", after=stored(after[0]), after_version=after[1], limit=limit)
    return [as_.fact_of(row) for row in rows]


def list_facts(bound: Bound, query: FactQuery, page: Page) -> list[Fact]:
    by_subject, by_object = query.subjects is not None, query.objects is not None
    whole = "fact_list_standing" if query.standing else "fact_list"
    rows = bound.rows(
        "fact_list_touching" if by_subject or by_object else whole,
        kinds=listed(sorted(kind.value for kind in query.kinds)),
        by_subject=by_subject,
        subjects=listed(sorted(query.subjects or ())),
        by_object=by_object,
        objects=listed(sorted(query.objects or ())),
        relations=listed(sorted(query.relations)),
        types=listed(sorted(query.types)),
        text=stored(query.text.lower()),
        status=query.status.value if query.status else "",
        user=stored(query.user),
        session=stored(query.session),
        as_of=to_ms(query.as_of),
        known_at=ms_or_none(query.known_at),
        open_end=OPEN_END,
        include_superseded=query.include_superseded,
        include_archived=query.include_archived,
        **_page_parameters(page),
    )
    return [as_.fact_of(row) for row in rows]


# the index and the graph


def index_entries(bound: Bound, keys: Sequence[tuple[Kind, str]]) -> list[IndexEntry]:
    found: list[IndexEntry] = []
    for kind in dict.fromkeys(kind for kind, _ in keys):
        ids = listed(id for one, id in keys if one == kind)
        words: dict[str, str] = {}
        vectors: dict[str, dict[str, Vector]] = {}
        for _, id, text, fingerprint, dim, parts in bound.rows("entry_whole", kind=kind.value, ids=ids):
            words[id] = text
            if fingerprint is not None:
                vectors.setdefault(id, {})[restored(fingerprint)] = unpacked(parts, dim)
        found += [
            IndexEntry(kind=kind, id=restored(id), words=restored(text), vectors=vectors.get(id, {}))
            for id, text in words.items()
        ]
    return found


def mentions_of_episodes(bound: Bound, ids: Sequence[EpisodeId]) -> list[Mention]:
    return [as_.mention_of(row) for row in bound.rows("mention_by_episode", ids=listed(ids))]


def mentions_of_entities(bound: Bound, ids: Sequence[EntityId], filter: ReadFilter, per_entity: int) -> Mentions:
    rows = bound.rows("mention_by_entity", ids=listed(ids), per_entity=per_entity, **filter_parameters(filter))
    found = [(row[0], as_.mention_of(row[1:])) for row in rows]
    return Mentions(
        mentions=tuple(mention for _, mention in found), counts={mention.entity: total for total, mention in found}
    )


# summaries, documents, jobs, use


def summaries(bound: Bound, ids: Sequence[SummaryId]) -> list[Summary]:
    return _in_order(ids, [as_.summary_of(row) for row in bound.rows("summary_get", ids=listed(ids))])


def summary_page(bound: Bound, after: str, limit: int) -> list[Summary]:
    return [as_.summary_of(row) for row in bound.rows("summary_page", after=stored(after), limit=limit)]


def document_kinds(bound: Bound) -> list[str]:
    return [restored(row[0]) for row in bound.rows("document_kinds")]


def document(bound: Bound, kind: str, id: str) -> Document | None:
    rows = bound.rows("document_get", kind=stored(kind), id=stored(id))
    return as_.document_of(rows[0]) if rows else None


def documents_by_id(bound: Bound, kind: str, ids: Sequence[str]) -> list[Document]:
    rows = bound.rows("document_get_many", kind=stored(kind), ids=listed(ids))
    return _in_order(ids, [as_.document_of(row) for row in rows])


def documents(bound: Bound, query: DocumentQuery) -> list[Document]:
    rows = bound.rows(
        "document_list_newest" if query.newest_first else "document_list",
        kind=stored(query.kind),
        ref=None if query.ref is None else stored(query.ref),
        status=None if query.status is None else stored(query.status),
        after=query.after_seq,
        limit=query.limit,
    )
    return [as_.document_of(row) for row in rows]


def last_seq(bound: Bound, kind: str) -> int:
    return int(bound.rows("document_last_seq", kind=stored(kind))[0][0])


def jobs(bound: Bound, state: JobState | None, kind: str, limit: int, after: JobId | None) -> list[Job]:
    rows = bound.rows(
        "job_list", state=state.value if state else "", kind=stored(kind), after=stored(after or ""), limit=limit
    )
    return [as_.job_of(row) for row in rows]


def job(bound: Bound, id: JobId) -> Job | None:
    rows = bound.rows("job_get", id=stored(id))
    return as_.job_of(rows[0]) if rows else None


def uses(bound: Bound, keys: Sequence[tuple[Kind, str]]) -> dict[tuple[Kind, str], Use]:
    found: dict[tuple[Kind, str], Use] = {}
    for kind in dict.fromkeys(kind for kind, _ in keys):
        ids = listed(id for one, id in keys if one == kind)
        for row in bound.rows("use_get", kind=kind.value, ids=ids):
            use = as_.use_of(row)
            found[use.kind, use.id] = use
    return found
