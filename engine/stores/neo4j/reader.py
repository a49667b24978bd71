"""Reads of one space, behind its walls; the same for a store and for a unit, which differ in how a statement runs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from muniment.engine.ports.search import Edges, Found, IndexEntry, Mentions, Neighbours, ReadFilter, SearchRequest
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
from muniment.engine.stores.neo4j.filters import ALWAYS_MS, Walls, filter_parameters
from muniment.engine.stores.neo4j.index_rows import entry_of
from muniment.engine.stores.neo4j.memory_rows import (
    HIDDEN_ARCHIVED,
    HIDDEN_NOT,
    HIDDEN_REJECTED,
    episode_of,
    fact_of,
    memory_of,
    summary_of,
)
from muniment.engine.stores.neo4j.rows import assertion_of, document_of, entity_of, job_of, mention_of
from muniment.engine.stores.neo4j.search import Means, Run, search, split_keys
from muniment.engine.stores.neo4j.texts import decode, encode, key, keys
from muniment.graph_schema.ids import (
    AssertionId,
    EntityId,
    EpisodeId,
    FactId,
    JobId,
    ReceiptId,
    Space,
    SummaryId,
    fold,
)
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
    Status,
    Summary,
)
from muniment.graph_schema.temporal import BEGINNING_MS, FOREVER_MS, Clocks, from_ms, to_ms

_Record = TypeVar("_Record", Episode, Entity, Assertion, Fact, Summary, Document)

# What statements that get something give rows for, one by one.
_ONE_BY_ONE = frozenset({"ids", "keys", "slots", "externals", "rows"})
_UNBOUNDED = 2**31 - 1
_ALL_MS = FOREVER_MS + 1  # later than every row: a list's beginning


class Neo4jReader:
    """What the `Reader` port promises, on a Neo4j database."""

    def __init__(self, run: Run, *, space: Space, walls: Walls, means: Means) -> None:
        self._raw = run
        self._space = space
        self._walls = walls
        self._means = means

    async def _run(self, name: str, **parameters: Any) -> list[list[Any]]:
        if "_get" in name and any(one in _ONE_BY_ONE and not wanted for one, wanted in parameters.items()):
            return []  # nothing is asked for: no need to go to the server
        return await self._raw(name, {"space": self._space, "given": {**self._walls.parameters, **parameters}})

    async def _run_collected(self, name: str, **parameters: Any) -> list[list[Any]]:
        """The rows of a statement that gives them in one list: each row of its own would be two ways through the driver."""
        rows = await self._run(name, **parameters)
        return rows[0][0] if rows else []

    # episodes

    async def episodes(self, ids: Sequence[EpisodeId]) -> list[Episode]:
        rows = await self._run("episode_get", ids=keys(ids))
        return _in_order(ids, (episode_of(*row) for row in rows))

    async def episodes_by_external_id(
        self, external_ids: Sequence[str], *, wall: str | None = None
    ) -> Mapping[str, EpisodeId]:
        rows = await self._run(
            "episode_get_by_external", externals=keys(external_ids), wall=None if wall is None else encode(wall)
        )
        found = [episode_of(*row) for row in rows]
        return {
            episode.external_id: episode.id
            for episode in sorted(found, key=lambda one: one.id, reverse=True)
            if episode.external_id is not None
        }

    async def list_episodes(self, query: EpisodeQuery, page: Page) -> list[Episode]:
        thread: dict[str, Any] = {}
        if query.thread.endswith("/"):
            thread = {"thread": encode(query.thread), "whole": ""}
        elif query.thread:
            thread = {"thread": key(query.thread), "whole": key(query.thread)}
        rows = await self._run(
            "episode_list_by_thread" if thread else "episode_list",
            **thread,
            text=encode(query.text.lower()),
            kind=encode(query.kind),
            user=encode(query.user),
            session=encode(query.session),
            as_of=ALWAYS_MS if query.as_of is None else to_ms(query.as_of),
            known=ALWAYS_MS if query.known_at is None else to_ms(query.known_at),
            hidden=HIDDEN_ARCHIVED if query.include_archived else HIDDEN_NOT,
            **_page(page),
        )
        return [episode_of(*row) for row in rows]

    async def neighbours(self, ids: Sequence[EpisodeId], filter: ReadFilter) -> Mapping[EpisodeId, Neighbours]:
        rows = await self._run("episode_neighbours", ids=keys(ids), **filter_parameters(filter))
        return {
            episode_of("", rest).id: Neighbours(
                previous=episode_of("", previous).id if previous else None,
                next=episode_of("", following).id if following else None,
            )
            for rest, previous, following in rows
        }

    async def thread_ends(self, threads: Sequence[str]) -> Mapping[str, int]:
        by_key = {key(thread): thread for thread in threads if thread}
        rows = await self._run("episode_thread_ends", threads=list(by_key))
        return {by_key[thread]: position for thread, position in rows}

    # entities

    async def entities(self, ids: Sequence[EntityId]) -> list[Entity]:
        rows = await self._run("entity_get", ids=keys(ids))
        return _in_order(ids, (entity_of(*row) for row in rows))

    async def entities_by_key(self, keys: Sequence[EntityKey]) -> list[Entity]:
        wanted = {
            (one.wall, one.type, one.key): {"wall": encode(one.wall), "type": encode(one.type), "key": key(one.key)}
            for one in keys
        }
        rows = await self._run("entity_get_by_key", keys=list(wanted.values()))
        return [entity_of(*row) for row in rows]

    async def entities_by_alias(self, keys: Sequence[str]) -> Mapping[str, tuple[Entity, ...]]:
        return await self._entities_by("entity_get_by_alias", keys)

    async def entities_by_identifier(self, identifiers: Sequence[str]) -> Mapping[str, tuple[Entity, ...]]:
        return await self._entities_by("entity_get_by_identifier", identifiers)

    async def _entities_by(self, name: str, wanted: Sequence[str]) -> Mapping[str, tuple[Entity, ...]]:
        by_key = {key(text): text for text in wanted}
        found: dict[str, dict[EntityId, Entity]] = {}
        for one, summary, rest in await self._run_collected(name, keys=list(by_key)):
            entity = entity_of(summary, rest)
            found.setdefault(by_key[one], {})[entity.id] = entity
        return {text: tuple(sorted(entities.values(), key=lambda e: e.id)) for text, entities in found.items()}

    async def list_entities(self, query: EntityQuery, page: Page) -> list[Entity]:
        rows = await self._run(
            "entity_list",
            prefix=encode(fold(query.prefix)),
            text=encode(fold(query.text)),
            types=sorted(encode(name) for name in query.types),
            user=encode(query.user),
            session=encode(query.session),
            known=ALWAYS_MS,
            archived=query.include_archived,
            **_page(page),
        )
        return [entity_of(*row) for row in rows]

    async def entity_counts(self, ids: Sequence[EntityId], clocks: Clocks) -> Mapping[EntityId, EntityCounts]:
        as_of, known_at = (min(to_ms(at), ALWAYS_MS) for at in (clocks.as_of, clocks.known_at))
        rows = await self._run("entity_count", ids=keys(ids), as_of=as_of, known_at=known_at)
        return {
            entity_of("", rest).id: EntityCounts(facts=facts, first_seen=_moment(first), last_seen=_moment(last))
            for rest, facts, first, last in rows
        }

    # assertions

    async def assertions(self, ids: Sequence[AssertionId]) -> list[Assertion]:
        rows = await self._run("assertion_get", ids=keys(ids))
        return _in_order(ids, (assertion_of(*row) for row in rows))

    async def assertions_of_slots(self, slots: Sequence[str]) -> list[Assertion]:
        return [assertion_of(*row) for row in await self._run("assertion_get_by_slot", slots=keys(slots))]

    async def assertions_of_episodes(self, ids: Sequence[EpisodeId]) -> list[Assertion]:
        return [assertion_of(*row) for row in await self._run("assertion_get_by_episode", ids=keys(ids))]

    async def assertions_of_receipt(self, id: ReceiptId) -> list[Assertion]:
        if not id:
            return []
        return [assertion_of(*row) for row in await self._run("assertion_get_by_receipt", receipt=key(id))]

    async def assertions_of_entities(self, ids: Sequence[EntityId], *, groups: Sequence[str] = ()) -> list[Assertion]:
        rows = await self._run("assertion_get_by_entity", ids=keys(ids), groups=keys(groups))
        return [assertion_of(*row) for row in rows]

    async def all_assertions(self, *, batch: int = 1000) -> AsyncIterator[list[Assertion]]:
        after = ""
        while rows := await self._run("assertion_list", after=after, limit=batch):
            found = [assertion_of(*row) for row in rows]
            yield found
            if len(found) < batch:
                return
            after = key(found[-1].id)

    # facts

    async def facts(self, ids: Sequence[FactId], *, known_at: datetime | None = None) -> list[Fact]:
        known = None if known_at is None else min(to_ms(known_at), ALWAYS_MS)
        rows = await self._run("fact_get", ids=keys(ids), known=known)
        return _in_order(ids, (fact_of(*row) for row in rows))

    async def fact_versions(self, id: FactId) -> list[Fact]:
        return [fact_of(*row) for row in await self._run("fact_get_versions", id=key(id))]

    async def facts_of_slots(self, slots: Sequence[str]) -> list[Fact]:
        return [fact_of(*row) for row in await self._run("fact_get_by_slot", slots=keys(slots), known=ALWAYS_MS)]

    async def slot_book(self, slots: Sequence[str], *, kind: str, status: str, counted: str) -> SlotBook:
        rows = await self._run(
            "document_slot_book",
            slots=keys(slots),
            known=ALWAYS_MS,
            kind=key(kind),
            status=encode(status),
            counted=key(counted),
        )
        told, held, open, last_seq = rows[0]
        return SlotBook(
            assertions=tuple(assertion_of(rest) for rest in told),
            facts=tuple(fact_of(*row) for row in held),
            open=tuple(document_of(rest) for rest in open),
            last_seq=last_seq,
        )

    async def fact_ids_of_slots(self, slots: Sequence[str]) -> list[FactId]:
        rows = await self._run("fact_ids_by_slot", slots=keys(slots))
        return sorted({fact_of("", rest).id for (rest,) in rows})

    async def all_facts(self, *, batch: int = 1000) -> AsyncIterator[list[Fact]]:
        after, version = "", 0
        while rows := await self._run("fact_list_versions", after=after, after_version=version, limit=batch):
            found = [fact_of(*row) for row in rows]
            yield found
            if len(found) < batch:
                return
            after, version = key(found[-1].id), found[-1].version

    async def list_facts(self, query: FactQuery, page: Page) -> list[Fact]:
        parameters = {
            "kinds": sorted(kind.value for kind in query.kinds),
            "known": ALWAYS_MS if query.known_at is None else min(to_ms(query.known_at), ALWAYS_MS),
            **_status_parameters(query),
            "relations": keys(query.relations),
            "types": sorted(encode(name) for name in query.types),
            "subjects": None if query.subjects is None else keys(query.subjects),
            "objects": None if query.objects is None else keys(query.objects),
            "user": encode(query.user),
            "session": encode(query.session),
            "text": encode(query.text.lower()),
            **_page(page),
        }
        ends = query.subjects if query.subjects is not None else query.objects
        if ends is None:
            rows = await self._run("fact_list_standing" if query.standing else "fact_list", **parameters)
        else:
            rows = await self._run("fact_list_of_entities", ends=keys(ends), **parameters)
        return [fact_of(*row) for row in rows]

    # search and graph

    async def search(self, request: SearchRequest) -> list[Found]:
        return await search(self._raw, space=self._space, walls=self._walls, request=request, means=self._means)

    async def index_entries(self, keys: Sequence[tuple[Kind, str]]) -> list[IndexEntry]:
        found: list[IndexEntry] = []
        for name, group in split_keys(list(dict.fromkeys(keys))).items():
            statement = {"held": "index_get_facts", "told": "index_get_told"}.get(name)
            if statement and group:
                rows = [{"kind": kind.value, "uuid": key(id)} for kind, id in group]
                found += [entry_of(*row) for row in await self._run(statement, rows=rows)]
        return found

    async def edges(
        self, ids: Sequence[EntityId], filter: ReadFilter, *, per_node: int = 100, per_kind: int | None = None
    ) -> Edges:
        if not ids:
            return Edges(facts=(), degrees={})
        most = _UNBOUNDED if per_kind is None else per_kind
        rows = await self._run_collected(
            "fact_edges", ids=keys(ids), cap=per_node, per_kind=most, **filter_parameters(filter)
        )
        facts: dict[str, Fact] = {}
        degrees: dict[EntityId, int] = {}
        crowds: dict[tuple[EntityId, str, bool], int] = {}
        for uuid, degree, kinds, edges in rows:
            id = EntityId(decode(uuid))
            degrees[id] = degree
            if per_kind is not None:
                crowds |= {(id, decode(name), out): crowd for name, out, crowd in kinds}
            for fact_uuid, text, fact_rest in edges:
                if fact_uuid not in facts:
                    facts[fact_uuid] = fact_of(text, fact_rest)
        ordered = sorted(facts.values(), key=lambda fact: (-fact.importance, -to_ms(fact.valid_at), fact.id))
        return Edges(facts=tuple(ordered), degrees=degrees, crowds=crowds)

    async def mentions_of_episodes(self, ids: Sequence[EpisodeId]) -> list[Mention]:
        rows = await self._run("mention_get_by_episode", ids=keys(ids))
        return sorted((mention_of(*row) for row in rows), key=lambda one: (one.episode, one.entity, one.role.value))

    async def mentions_of_entities(
        self, ids: Sequence[EntityId], filter: ReadFilter, *, per_entity: int = 100
    ) -> Mentions:
        rows = await self._run("mention_get_by_entity", ids=keys(ids), cap=per_entity, **filter_parameters(filter))
        counts = {entity_of("", rest).id: count for rest, count, _ in rows}
        found = [(occurred, mention_of(rest)) for _, _, kept in rows for occurred, rest in kept]
        found.sort(key=lambda one: (-one[0], one[1].episode, one[1].role.value, one[1].entity))
        return Mentions(mentions=tuple(mention for _, mention in found), counts=counts)

    # summaries, documents, jobs, use

    async def summaries(self, ids: Sequence[SummaryId]) -> list[Summary]:
        rows = await self._run("summary_get", ids=keys(ids))
        return _in_order(ids, (summary_of(*row) for row in rows))

    async def all_summaries(self, *, batch: int = 1000) -> AsyncIterator[list[Summary]]:
        after = ""
        while rows := await self._run("summary_list", after=after, limit=batch):
            found = [summary_of(*row) for row in rows]
            yield found
            if len(found) < batch:
                return
            after = key(found[-1].id)

    async def document_kinds(self) -> list[str]:
        return sorted(document_of(*row).kind for row in await self._run("document_kinds"))

    async def document(self, kind: str, id: str) -> Document | None:
        rows = await self._run("document_get", kind=key(kind), id=key(id))
        return document_of(*rows[0]) if rows else None

    async def documents_by_id(self, kind: str, ids: Sequence[str]) -> list[Document]:
        rows = await self._run("document_get_many", kind=key(kind), ids=keys(ids)) if ids else []
        return _in_order(ids, (document_of(*row) for row in rows))

    async def documents(self, query: DocumentQuery) -> list[Document]:
        parameters = {
            "kind": key(query.kind),
            "ref": None if query.ref is None else key(query.ref),
            "status": None if query.status is None else encode(query.status),
            "after_seq": query.after_seq,
            "limit": query.limit,
        }
        name = "document_list_newest" if query.newest_first else "document_list"
        if query.ref is not None:
            name += "_by_ref"
        return [document_of(*row) for row in await self._run(name, **parameters)]

    async def last_seq(self, kind: str) -> int:
        rows = await self._run("document_last_seq", kind=key(kind))
        return int(rows[0][0]) if rows else 0

    async def jobs(
        self, *, state: JobState | None = None, kind: str = "", limit: int = 100, after: JobId | None = None
    ) -> list[Job]:
        wanted = None if state is None else state.value
        rows = await self._run("job_list", state=wanted, kind=encode(kind), after=key(after or ""), limit=limit)
        return [job_of(*row) for row in rows]

    async def job(self, id: JobId) -> Job | None:
        rows = await self._run("job_get", id=key(id))
        return job_of(*rows[0]) if rows else None

    async def uses(self, keys: Sequence[tuple[Kind, str]]) -> Mapping[tuple[Kind, str], Use]:
        unique = list(dict.fromkeys(keys))
        groups = {
            name: [{"kind": kind.value, "id": key(id), "place": unique.index((kind, id))} for kind, id in group]
            for name, group in split_keys(unique).items()
        }
        found: dict[tuple[Kind, str], Use] = {}
        for _, place, count, last_ms in await self._run("use_get", **groups):
            kind, id = unique[place]
            found[kind, id] = Use(kind=kind, id=id, count=count, last_at=from_ms(last_ms))
        return found

    async def recently_used(self, filter: ReadFilter, *, limit: int) -> list[tuple[Use, Found]]:
        rows = await self._run_collected("use_list_recent", limit=limit, **filter_parameters(filter))
        found: list[tuple[Use, Found]] = []
        for kind, text, rest, words, count, last_ms in rows:
            memory = memory_of(kind, text, rest)
            use = Use(kind=Kind(kind), id=memory.id, count=count, last_at=from_ms(last_ms))
            found.append((use, Found(memory=memory, words=decode(words or ""))))
        return found


def _in_order(ids: Sequence[str], records: Iterable[_Record]) -> list[_Record]:
    """The records in the order in which their ids were asked for, each once."""
    by_id = {str(record.id): record for record in records}
    return [by_id[id] for id in dict.fromkeys(ids) if id in by_id]


def _page(page: Page) -> dict[str, Any]:
    after_ms, after_id = page.after if page.after is not None else (_ALL_MS, "")
    return {"after_ms": after_ms, "after_id": key(after_id), "limit": page.limit}


def _moment(ms: int | None) -> datetime | None:
    return None if ms is None else from_ms(ms)


def _status_parameters(query: FactQuery) -> dict[str, Any]:
    """Ranges within which a fact has the wanted status at the moment asked; see `Fact.status_at`."""
    as_of = to_ms(query.as_of)
    everything = {
        "valid_low": BEGINNING_MS,
        "valid_high": FOREVER_MS,
        "invalid_low": BEGINNING_MS,
        "invalid_high": FOREVER_MS,
    }
    in_force = {"valid_high": as_of, "invalid_low": min(as_of + 1, FOREVER_MS)}
    over = {"valid_high": as_of, "invalid_high": as_of}
    shown = {"hidden_low": HIDDEN_NOT, "hidden_high": HIDDEN_NOT, "superseded": None}
    match query.status:
        case None:
            highest = HIDDEN_ARCHIVED if query.include_archived else HIDDEN_NOT
            bounds = {} if query.include_superseded else in_force
            return {**everything, **shown, "hidden_high": highest, **bounds}
        case Status.REJECTED:
            return {**everything, **shown, "hidden_low": HIDDEN_REJECTED, "hidden_high": HIDDEN_REJECTED}
        case Status.ARCHIVED:
            return {**everything, **shown, "hidden_low": HIDDEN_ARCHIVED, "hidden_high": HIDDEN_ARCHIVED}
        case Status.FUTURE:
            return {**everything, **shown, "valid_low": as_of + 1}
        case Status.CURRENT:
            return {**everything, **shown, **in_force}
        case Status.ENDED:
            return {**everything, **shown, **over, "superseded": False}
        case Status.SUPERSEDED:
            return {**everything, **shown, **over, "superseded": True}
