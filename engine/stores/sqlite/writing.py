"""The writes of one space inside a transaction: checks of walls and of rows that must be there, then one statement each."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import chain
from typing import Final, Protocol

import numpy as np

from muniment.engine.ports.search import IndexEntry
from muniment.engine.ports.store import Erasable, Use
from muniment.engine.stores.sqlite import rows as as_
from muniment.engine.stores.sqlite.codec import listed, packed, restored, stored
from muniment.engine.stores.sqlite.connection import Bound
from muniment.engine.stores.sqlite.rows import Row
from muniment.engine.stores.sqlite.searching import tokens_of
from muniment.graph_schema.errors import Conflict, Invalid, NotFound
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

_NOUN_OF: Final = {
    Kind.EPISODE: "episode",
    Kind.SUMMARY: "summary",
    Kind.ENTITY: "entity",
    **dict.fromkeys(HELD_KINDS, "fact"),
}


class _Walled(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def wall(self) -> str: ...


class Writer:
    """The writes of one transaction. `dirty` tells whether it has written anything that search could see."""

    def __init__(self, bound: Bound) -> None:
        self._bound = bound
        self._space = stored(bound.space)
        self._counter = 0

    @property
    def dirty(self) -> bool:
        return self._counter > 0

    def _changed(self) -> int:
        """The space's counter, raised once in the transaction."""
        if not self._counter:
            self._counter = int(self._bound.rows("space_count")[0][0])
        return self._counter

    # records

    def put_episodes(self, episodes: Sequence[Episode]) -> None:
        self._guard("episode", episodes)
        changed = self._changed()
        rows = [(self._space, *as_.episode_row(episode), changed) for episode in episodes]
        self._put("episode_put", rows, "an episode with this external_id")

    def put_entities(self, entities: Sequence[Entity]) -> None:
        self._guard("entity", entities)
        self._changed()
        self._put(
            "entity_put",
            [(self._space, *as_.entity_row(entity)) for entity in entities],
            "an entity with this type and key",
        )
        latest = {entity.id: entity for entity in entities}
        self._bound.run("name_erase", ids=listed(latest))
        self._bound.run_many("name_put", list(chain.from_iterable(map(self._name_rows, latest.values()))))

    def _name_rows(self, entity: Entity) -> Iterable[Row]:
        id = stored(entity.id)
        for alias in entity.aliases:
            yield self._space, "alias", stored(alias.key), id
        for identifier in entity.identifiers:
            yield self._space, "identifier", stored(identifier), id

    def put_mentions(self, mentions: Sequence[Mention]) -> None:
        for mention in mentions:
            if not self._bound.may_see(mention.wall):
                raise NotFound.of("episode", mention.episode)
        self._changed()
        self._require("episode", (mention.episode for mention in mentions))
        self._require("entity", (mention.entity for mention in mentions))
        rows = [as_.mention_row(mention) for mention in mentions]
        moved = self._bound.rows("mention_moved", given=json.dumps(rows, ensure_ascii=False))
        if moved:
            raise NotFound.of("episode", moved[0][0])
        self._bound.run_many("mention_put", [(self._space, *row) for row in rows])

    def drop_mentions(self, mentions: Sequence[Mention]) -> None:
        self._changed()
        rows = [as_.mention_row(mention) for mention in mentions if self._bound.may_see(mention.wall)]
        self._bound.run_many("mention_drop", [(self._space, *row) for row in rows])

    def put_assertions(self, assertions: Sequence[Assertion]) -> None:
        self._guard("assertion", assertions)
        self._changed()
        self._bound.run_many("assertion_put", [(self._space, *as_.assertion_row(one)) for one in assertions])

    def put_facts(self, facts: Sequence[Fact]) -> None:
        self._guard("fact", facts)
        self._require("entity", chain.from_iterable((fact.subject.id, fact.object.id) for fact in facts))
        changed = self._changed()
        self._bound.run_many("fact_put", [(self._space, *as_.fact_row(fact), changed) for fact in facts])

    def put_summaries(self, summaries: Sequence[Summary]) -> None:
        self._guard("summary", summaries)
        changed = self._changed()
        self._bound.run_many("summary_put", [(self._space, *as_.summary_row(one), changed) for one in summaries])

    def put_documents(self, documents: Sequence[Document]) -> None:
        self._changed()
        self._bound.run_many("document_put", [(self._space, *as_.document_row(one)) for one in documents])

    def drop_documents(self, kind: str, ids: Sequence[str]) -> None:
        self._bound.run("document_erase", kind=stored(kind), ids=listed(ids))

    def drop_expired(self, kind: str, *, before: datetime, limit: int) -> int:
        return self._bound.run("document_expire", kind=stored(kind), before=to_ms(before), limit=limit)

    def drop_ended_jobs(self, *, before: datetime, limit: int) -> int:
        return self._bound.run("job_drop", before=to_ms(before), limit=limit)

    def put_jobs(self, jobs: Sequence[Job]) -> None:
        self._changed()
        rows = [(self._space, *as_.job_row(job)) for job in jobs]
        checks = [(row[0], row[1], job.state.value, stored(job.dedup_key)) for row, job in zip(rows, jobs, strict=True)]
        self._bound.run_many("job_put", [(*row, *check) for row, check in zip(rows, checks, strict=True)])

    def add_uses(self, uses: Sequence[Use]) -> None:
        self._changed()
        walls = self._walls_of((use.kind, use.id) for use in uses)
        self._bound.run_many(
            "use_add",
            [
                (self._space, use.kind.value, stored(use.id), walls[use.kind, use.id], use.count, to_ms(use.last_at))
                for use in uses
            ],
        )

    # the index

    def put_index(self, entries: Sequence[IndexEntry]) -> None:
        latest = {(entry.kind, entry.id): entry for entry in entries}
        for entry in latest.values():
            _check_entry(entry)
        walls = self._walls_of(latest)
        self._drop_entries(latest)
        changed = self._changed()
        first = int(self._bound.rows("entry_last")[0][0]) + 1
        numbered = list(enumerate(latest.values(), first))
        words = {number: stored(entry.words) for number, entry in numbered}
        self._bound.run_many(
            "entry_add",
            [
                (n, self._space, one.kind.value, stored(one.id), walls[one.kind, one.id], words[n], changed)
                for n, one in numbered
            ],
        )
        self._bound.run_many(
            "vector_add",
            [
                (self._space, number, stored(fingerprint), vectors.shape[1], packed(vectors))
                for number, entry in numbered
                for fingerprint, vectors in entry.vectors.items()
                if len(vectors)
            ],
        )
        space = self._bound.space
        self._bound.run_many("token_add", [(number, tokens_of(space, text)) for number, text in words.items() if text])

    def drop_index(self, keys: Sequence[tuple[Kind, str]]) -> None:
        seen = self._walls_of(keys, missing_ok=True)
        self._drop_entries([key for key in keys if key in seen])

    def _drop_entries(self, keys: Iterable[tuple[Kind, str]]) -> None:
        for kind, ids in _by_kind(keys).items():
            old = self._bound.rows("entry_get", kind=kind.value, ids=listed(ids))
            if not old:
                continue
            changed, space = self._changed(), self._bound.space
            self._bound.run_many("token_drop", [(n, tokens_of(space, words)) for n, _, words in old if words])
            numbers = json.dumps([n for n, _, _ in old])
            self._bound.run("vector_erase", numbers=numbers)
            self._bound.run("entry_erase", numbers=numbers)
            self._bound.run_many("gone_add", [(self._space, changed, kind.value, id, n) for n, id, _ in old])

    # erasing

    def erase(self, erasable: Erasable, ids: Sequence[str]) -> int:
        noun = erasable.value
        visible = self._bound.rows(f"{noun}_visible", ids=listed(ids))
        if not visible:
            return 0
        gone = json.dumps([row[0] for row in visible], ensure_ascii=False)
        if erasable is Erasable.ENTITY:
            self._erase_hanging(
                [(row[0], row[1]) for row in self._bound.rows("fact_ids_of_entities", ids=gone)], "fact"
            )
            self._bound.run("mention_erase_by_entity", ids=gone)
            self._bound.run("name_erase", ids=gone)
            self._bound.run("use_erase", kind=Kind.ENTITY.value, ids=gone)
        elif erasable is Erasable.EPISODE:
            self._bound.run("mention_erase_by_episode", ids=gone)
        if erasable is Erasable.FACT:
            self._erase_hanging([(row[0], row[2]) for row in visible], noun)
        elif erasable in (Erasable.EPISODE, Erasable.SUMMARY):
            self._erase_hanging([(row[0], noun) for row in visible], noun)
        else:
            self._changed()
            self._bound.run(f"{noun}_erase", ids=gone)
        return len(visible)

    def _erase_hanging(self, stored_keys: Sequence[tuple[str, str]], noun: str) -> None:
        """Deletes searchable memories by (stored id, kind), with their index entries and uses."""
        changed = self._changed()
        keys = [(Kind(kind), id) for id, kind in stored_keys]
        for kind, ids in _by_kind(keys).items():
            self._drop_entries((kind, restored(id)) for id in ids)
            as_json = json.dumps(list(ids), ensure_ascii=False)
            self._bound.run("use_erase", kind=kind.value, ids=as_json)
            self._bound.run(f"{noun}_erase", ids=as_json)
            self._bound.run_many("gone_add", [(self._space, changed, kind.value, id, None) for id in ids])

    # checks

    def _guard(self, noun: str, records: Sequence[_Walled]) -> None:
        """Raises NotFound where a record is to be written behind a wall outside the grant, or moved behind another."""
        for record in records:
            if not self._bound.may_see(record.wall):
                raise NotFound.of(noun, record.id)
        given = {stored(record.id): stored(record.wall) for record in records}
        if len(given) < len(records) and any(given[stored(one.id)] != stored(one.wall) for one in records):
            raise Invalid(f"one {noun} is given twice, behind two walls")
        moved = self._bound.rows(f"{noun}_moved", given=json.dumps(given, ensure_ascii=False))
        if moved:
            raise NotFound.of(noun, restored(moved[0][0]))

    def _require(self, noun: str, ids: Iterable[str]) -> None:
        """Raises NotFound where one of the ids is not there for the caller."""
        wanted = dict.fromkeys(ids)
        there = {restored(row[0]) for row in self._bound.rows(f"{noun}_visible", ids=listed(wanted))}
        for id in wanted:
            if id not in there:
                raise NotFound.of(noun, id)

    def _walls_of(self, keys: Iterable[tuple[Kind, str]], *, missing_ok: bool = False) -> dict[tuple[Kind, str], str]:
        """The wall (as stored) of each memory. Raises NotFound where one is not there for the caller."""
        walls: dict[tuple[Kind, str], str] = {}
        for kind, ids in _by_kind(keys).items():
            noun = _NOUN_OF[kind]
            for row in self._bound.rows(f"{noun}_visible", ids=listed(ids)):
                if noun != "fact" or row[2] == kind.value:
                    walls[kind, restored(row[0])] = row[1]
            for id in ids:
                if (kind, id) not in walls and not missing_ok:
                    raise NotFound.of(kind.value, id)
        return walls

    def _put(self, name: str, rows: list[Row], taken: str) -> None:
        try:
            self._bound.run_many(name, rows)
        except sqlite3.IntegrityError as cause:
            raise Conflict(f"{taken} is already there under another id") from cause


def _by_kind(keys: Iterable[tuple[Kind, str]]) -> dict[Kind, list[str]]:
    by_kind: dict[Kind, list[str]] = {}
    for kind, id in keys:
        by_kind.setdefault(kind, []).append(id)
    return by_kind


def _check_entry(entry: IndexEntry) -> None:
    if entry.kind is Kind.ENTITY:
        raise Invalid("entities are not searched: index what mentions them", field="kind")
    for fingerprint, vectors in entry.vectors.items():
        if vectors.ndim != 2 or not np.isfinite(vectors).all():
            raise Invalid(f"vectors of {entry.id!r} for {fingerprint!r} must be finite, (parts, dim)", field="vectors")
