"""Writes of one space: a serial transaction that holds the space's lock."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from muniment.engine.ports.clock import Clock
from muniment.engine.ports.search import IndexEntry
from muniment.engine.ports.store import Erasable, Use
from muniment.engine.stores.neo4j.connection import Row, Transaction, in_batches
from muniment.engine.stores.neo4j.filters import Walls
from muniment.engine.stores.neo4j.index_rows import IndexRows, check_entry, fact_index, told_index
from muniment.engine.stores.neo4j.memory_rows import (
    episode_properties,
    fact_properties,
    is_current_row,
    summary_properties,
)
from muniment.engine.stores.neo4j.reader import Neo4jReader
from muniment.engine.stores.neo4j.row_pieces import Properties
from muniment.engine.stores.neo4j.rows import (
    assertion_properties,
    document_of,
    document_properties,
    entity_properties,
    handles_of,
    job_properties,
    mention_properties,
)
from muniment.engine.stores.neo4j.search import Means, split_keys
from muniment.engine.stores.neo4j.texts import decode, key, keys
from muniment.graph_schema.errors import Invalid, MunimentError, NotFound
from muniment.graph_schema.ids import Space
from muniment.graph_schema.records import (
    HELD_KINDS,
    Assertion,
    Document,
    Entity,
    Episode,
    Fact,
    Job,
    Kind,
    Mention,
    Summary,
)
from muniment.graph_schema.temporal import to_ms

_ERASING = {
    Erasable.EPISODE: "episode_erase",
    Erasable.ENTITY: "entity_erase",
    Erasable.ASSERTION: "assertion_erase",
    Erasable.FACT: "fact_erase",
    Erasable.SUMMARY: "summary_erase",
}
# A row of facts carries an embedding of a few kilobytes.
_INDEX_BATCH = 500
_OLD_BATCH = 500


class Neo4jUnit(Neo4jReader):
    """What the `Unit` port promises. Once it has written, its searches look at every row: the vector index shows no
    uncommitted write, and the full text index then misses rows that it should show."""

    def __init__(self, transaction: Transaction, *, space: Space, walls: Walls, means: Means, clock: Clock) -> None:
        super().__init__(self._in_turn, space=space, walls=walls, means=means)
        self._transaction = transaction
        self._clock = clock
        # A transaction runs one statement at a time, whatever its callers do at the same time.
        self._turn = asyncio.Lock()
        self._documents: dict[tuple[str, str], Document] = {}  # put, and not sent yet

    async def _in_turn(self, name: str, parameters: Mapping[str, Any]) -> list[Row]:
        if self._documents and name.startswith("document_"):
            await self.finish()
        async with self._turn:
            return await self._transaction.run(name, parameters)

    async def finish(self) -> None:
        """Sends the documents that wait to go together; each way to the server costs a millisecond."""
        rows, self._documents = [document_properties(one) for one in self._documents.values()], {}
        for some in in_batches(rows):
            await self._write("document_put", rows=some)

    async def _write(self, name: str, **parameters: Any) -> list[Row]:
        self._means = Means.NO_INDEX
        return await self._run(name, **parameters)

    # records

    async def put_episodes(self, episodes: Sequence[Episode]) -> None:
        self._require_walls("episode", episodes)
        for rows in in_batches(_last_of_each(episode_properties(one) for one in episodes)):
            await self._put_told("episode", rows)

    async def put_summaries(self, summaries: Sequence[Summary]) -> None:
        self._require_walls("summary", summaries)
        for rows in in_batches(_last_of_each(summary_properties(one) for one in summaries)):
            await self._put_told("summary", rows)

    async def _put_told(self, what: str, rows: Sequence[Properties]) -> None:
        put, owners = (await self._write(f"{what}_put", rows=rows))[0]
        self._require_all(what, [row["uuid"] for row in rows], put)
        if owners:
            await self._write("passage_refresh", ids=owners)

    async def put_entities(self, entities: Sequence[Entity]) -> None:
        self._require_walls("entity", entities)
        for some in in_batches(list({one.id: one for one in entities}.values())):
            handles = [handle for one in some for handle in handles_of(one)]
            counts: dict[str, int] = {}
            for handle in handles:
                counts[handle["entity"]] = counts.get(handle["entity"], 0) + 1
            rows = [{**row, "handles": counts.get(row["uuid"], 0)} for row in map(entity_properties, some)]
            put, handled = (await self._write("entity_put", rows=rows))[0]
            self._require_all("entity", [row["uuid"] for row in rows], put)
            if handled:
                await self._write("handle_delete", ids=handled)
            for some_handles in in_batches(handles):
                await self._write("handle_create", rows=some_handles)

    async def put_mentions(self, mentions: Sequence[Mention]) -> None:
        for one in mentions:
            if not self._walls.has(one.wall):
                raise self._refuse(NotFound.of("episode", one.episode))
        for rows in in_batches(_last_of_each(mention_properties(one) for one in mentions)):
            put = (await self._write("mention_put", rows=rows, at=to_ms(self._clock())))[0][0]
            if len(put) < len(rows):
                await self._require_there("episode", [row["episode"] for row in rows])
                await self._require_there("entity", [row["entity"] for row in rows])
            there = set(put)
            for row in rows:
                if row["uuid"] not in there:  # it would move behind another wall
                    raise self._refuse(NotFound.of("episode", decode(row["episode"])))

    async def drop_mentions(self, mentions: Sequence[Mention]) -> None:
        for rows in in_batches([mention_properties(one) for one in mentions]):
            await self._run("mention_drop", rows=rows)

    async def put_assertions(self, assertions: Sequence[Assertion]) -> None:
        self._require_walls("assertion", assertions)
        for rows in in_batches(_last_of_each(assertion_properties(one) for one in assertions)):
            put = (await self._write("assertion_put", rows=rows))[0][0]
            self._require_all("assertion", [row["uuid"] for row in rows], put)
            if tied := [{"uuid": row["uuid"], "episode": row["episode"]} for row in rows if row["episode"]]:
                await self._write("assertion_tie", rows=tied)

    async def put_facts(self, facts: Sequence[Fact]) -> None:
        self._require_walls("fact", facts)
        latest = {(one.id, one.version): one for one in facts}
        for some in in_batches(list(latest.values())):
            await self._put_fact_rows([(one, fact_properties(one)) for one in some])

    async def _put_fact_rows(self, pairs: Sequence[tuple[Fact, Properties]]) -> None:
        rows = [row for _, row in pairs]
        walls = {row["uuid"]: row["wall"] for row in rows}
        stored: dict[str, set[int]] = {}
        carried: dict[str, Properties] = {}
        for uuid, version, wall, entry in await self._run("fact_get_earlier", ids=list(walls)):
            if wall != walls[uuid]:
                raise self._refuse(NotFound.of("fact", uuid))
            stored.setdefault(uuid, set()).add(version)
            carried[uuid] = entry
        if replaced := [
            {"uuid": row["uuid"], "version": row["version"]}
            for row in rows
            if row["version"] in stored.get(row["uuid"], ())
        ]:
            await self._write("fact_delete_versions", rows=replaced)
        expired = [one.expired_at for one, _ in pairs if one.expired_at is not None]
        expired_ms = to_ms(max(expired)) if expired else None
        for name, is_current in (("fact_create_current", True), ("fact_create_aside", False)):
            some = [{**row, **carried.get(row["uuid"], {})} for one, row in pairs if is_current_row(one) is is_current]
            if some:
                written = (await self._write(name, rows=some, expired_ms=expired_ms))[0][0]
                if len(written) < len(some):
                    await self._require_there("entity", [row[end] for row in some for end in ("subject", "object")])
                self._require_all("fact", [row["uuid"] for row in some], written)

    # the index and use

    async def put_index(self, entries: Sequence[IndexEntry]) -> None:
        latest = list({(one.kind, one.id): one for one in entries}.values())
        try:
            for one in latest:
                check_entry(one)
        except Invalid as error:
            raise self._refuse(error) from None
        held = [one for one in latest if one.kind in HELD_KINDS]
        told = [one for one in latest if one.kind in (Kind.EPISODE, Kind.SUMMARY)]
        for some in in_batches(held, _INDEX_BATCH):
            await self._put_index_rows("index_put_facts", [fact_index(one) for one in some])
        for some in in_batches(told, _INDEX_BATCH):
            await self._put_index_rows("index_put_told", [told_index(one) for one in some])

    async def _put_index_rows(self, name: str, indexes: Sequence[IndexRows]) -> None:
        met, owners = (await self._write(name, rows=[one.row for one in indexes]))[0]
        there = set(met)
        for one in indexes:
            if one.row["uuid"] not in there:
                raise self._refuse(NotFound.of(one.row["kind"], decode(one.row["uuid"])))
        if owners:
            await self._write("passage_delete", rows=owners)
        passages = [passage for one in indexes for passage in one.passages]
        for some in in_batches(passages, _INDEX_BATCH):
            await self._write("passage_create", rows=some)
        if passages:
            if name == "index_put_told":
                await self._write("passage_refresh", ids=list({passage["owner"] for passage in passages}))
            else:
                await self._write("space_note_held_passages")

    async def drop_index(self, keys: Sequence[tuple[Kind, str]]) -> None:
        for name, group, statement in (
            ("held", split_keys(keys)["held"], "index_drop_facts"),
            ("told", split_keys(keys)["told"], "index_drop_told"),
        ):
            del name
            for some in in_batches([{"kind": kind.value, "uuid": key(id)} for kind, id in dict.fromkeys(group)]):
                owners = (await self._write(statement, rows=some))[0][0]
                if owners:
                    await self._write("passage_delete", rows=owners)

    async def add_uses(self, uses: Sequence[Use]) -> None:
        sums: dict[tuple[Kind, str], Use] = {}
        for one in uses:
            before = sums.get((one.kind, one.id))
            count = one.count + (before.count if before else 0)
            last_at = max(one.last_at, before.last_at) if before else one.last_at
            sums[one.kind, one.id] = Use(kind=one.kind, id=one.id, count=count, last_at=last_at)
        for name, group in split_keys(list(sums)).items():
            statement = {"held": "use_add_facts", "told": "use_add_told", "entities": "use_add_entities"}[name]
            rows = [
                {
                    "place": place,
                    "kind": kind.value,
                    "uuid": key(id),
                    "count": sums[kind, id].count,
                    "last_ms": to_ms(sums[kind, id].last_at),
                }
                for place, (kind, id) in enumerate(group)
            ]
            for some in in_batches(rows):
                met = {place for (place,) in await self._write(statement, rows=some)}
                for row in some:
                    if row["place"] not in met:
                        raise self._refuse(NotFound.of(*group[row["place"]]))

    # documents and jobs

    async def put_documents(self, documents: Sequence[Document]) -> None:
        self._documents |= {(one.kind, one.id): one for one in documents}

    async def drop_documents(self, kind: str, ids: Sequence[str]) -> None:
        for some in in_batches(keys(ids)):
            await self._write("document_delete", kind=key(kind), ids=some)

    async def drop_expired(self, kind: str, *, before: datetime, limit: int) -> int:
        await self._mark_old(kind)
        rows = await self._write("document_expire", kind=key(kind), before=to_ms(before), limit=limit)
        return int(rows[0][0])

    async def _mark_old(self, kind: str) -> None:
        """Writes documents anew that are older than the property by which one that is past its time is found."""
        while rows := await self._run("document_list_unmarked", kind=key(kind), limit=_OLD_BATCH):
            documents = [document_of(rest) for (rest,) in rows]
            await self.put_documents([one for one in documents if one.expires_at is not None])
            if len(rows) < _OLD_BATCH or any(one.expires_at is None for one in documents):
                return

    async def drop_ended_jobs(self, *, before: datetime, limit: int) -> int:
        return int((await self._write("job_drop", before=to_ms(before), limit=limit))[0][0])

    async def put_jobs(self, jobs: Sequence[Job]) -> None:
        # One by one: each may be the twin of the one before.
        for job in jobs:
            await self._write("job_put", rows=[job_properties(job)])

    async def erase(self, kind: Erasable, ids: Sequence[str]) -> int:
        erased = 0
        for some in in_batches(keys(ids)):
            erased += int((await self._write(_ERASING[kind], ids=some))[0][0])
        return erased

    # refusing

    def _refuse(self, error: MunimentError) -> MunimentError:
        return self._transaction.refuse(error)

    def _require_walls(self, what: str, records: Sequence[Episode | Entity | Assertion | Fact | Summary]) -> None:
        for one in records:
            if not self._walls.has(one.wall):
                raise self._refuse(NotFound.of(what, one.id))

    def _require_all(self, what: str, wanted: Sequence[str], done: Sequence[str]) -> None:
        """Raises NotFound where the statement left a row out: it is absent, or behind another wall."""
        there = set(done)
        for id in wanted:
            if id not in there:
                raise self._refuse(NotFound.of(what, decode(id)))

    async def _require_there(self, what: str, ids: Sequence[str]) -> None:
        """Raises NotFound for the first of the ids that is not there for the caller."""
        rows = await self._run(f"{what}_exists", ids=list(dict.fromkeys(ids)))
        self._require_all(what, ids, rows[0][0])


def _last_of_each(rows: Iterable[Properties]) -> list[Properties]:
    """One row an id: the last put wins, as it would in single writes."""
    return list({row["uuid"]: row for row in rows}.values())
