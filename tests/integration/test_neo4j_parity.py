"""Neo4j answers as SQLite does: one made-up graph in both, every read compared, before and after edits and erasures."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from pprint import pformat
from typing import Any

import numpy as np
import pytest
import pytest_asyncio

from muniment.engine.bootstrap import open_database
from muniment.engine.ports.models import Vector
from muniment.engine.ports.search import Found, IndexEntry, ReadFilter, SearchRequest
from muniment.engine.ports.store import (
    Database,
    DocumentQuery,
    EntityKey,
    EntityQuery,
    EpisodeQuery,
    Erasable,
    FactQuery,
    Page,
    TenantStore,
    Unit,
    Use,
)
from muniment.graph_schema.ids import AssertionId, EntityId, EpisodeId, FactId, ReceiptId, SummaryId, space_of
from muniment.graph_schema.records import (
    HELD_KINDS,
    Alias,
    Assertion,
    Entity,
    EntityRef,
    Episode,
    EpisodeKind,
    Fact,
    JobState,
    Kind,
    Mention,
    MentionRole,
    Scope,
    Status,
    Summary,
)
from muniment.graph_schema.temporal import Clocks
from tests.builders import assertion, at, document, entity, episode, fact, job, mention, summary

WALLS = ("", "", "", "deal", "matter")
USERS = ("", "", "ana", "bo")
SESSIONS = ("", "", "s1", "s2")
TERMS = ("contract", "invoice", "berlin", "北京", '"quote"', "a\\b", "AND", "x:y", "straße")
TYPES = ("person", "organisation", "value")
RELATIONS = ("works_for", "likes", "lives_in")
TEXTS = ("Plain text", "Straße in KÖLN", "北京大学", "NUL \0 and lone \ud83d half", "İstanbul ΣΑΣ")
FINGERPRINTS = {"small": 8, "large": 12, "other": 8}


class World:
    """Records made up from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.episodes = [self._episode(n) for n in range(30)]
        self.entities = [self._entity(n) for n in range(14)]
        self.facts = [version for n in range(40) for version in self._versions(n)]
        self.summaries = [self._summary(n) for n in range(6)]
        self.assertions = [self._assertion(n) for n in range(40)]
        self.mentions = [self._mention() for _ in range(60)]
        self.entries = self._entries()
        self.memories = [(one.kind, one.id) for one in self.entries]

    def pick(self, options: Sequence[Any]) -> Any:
        return self.random.choice(options)

    def moment(self, days: int = 20) -> datetime:
        return at(days=self.random.randrange(days), ms=self.random.randrange(3))

    def scope(self) -> Scope:
        return Scope(user=self.pick(USERS), agent=self.pick(("", "", "", "helper")), session=self.pick(SESSIONS))

    def vectors(self, dim: int, parts: int) -> Vector:
        matrix = self.numbers.normal(size=(parts, dim)).astype(np.float32)
        return np.asarray(matrix / np.linalg.norm(matrix, axis=1, keepdims=True), dtype=np.float32)

    def _episode(self, n: int) -> Episode:
        return episode(
            f"ep{n}",
            text=f"{self.pick(TEXTS)} {n}",
            kind=self.pick(list(EpisodeKind)),
            occurred_at=self.moment(),
            recorded_at=self.moment(),
            external_id=self.pick((None, f"mail-{n}")),
            thread=self.pick(("", "t1", "t2")),
            position=self.random.randrange(8),
            scope=self.scope(),
            wall=self.pick(WALLS),
            importance=self.random.randint(1, 5),
            archived=self.random.random() < 0.1,
            metadata={"n": n, "deep": [{"text": self.pick(TEXTS)}]},
        )

    def _entity(self, n: int) -> Entity:
        name = f"{self.pick(('Ana', 'Acme', '北京'))} {n}"
        aliases = [Alias(key=name.casefold(), name=name), Alias(key=f"nick {n % 5}", name=f"Nick {n % 5}")]
        return entity(
            f"en{n}",
            name,
            type=self.pick(TYPES),
            aliases=tuple(aliases[: self.random.randint(0, 2)]),
            identifiers=self.pick(((), (f"email:{n % 4}@x.example",))),
            wall=self.pick(WALLS) if n > 5 else "",
            created_at=self.moment(),
            archived=self.random.random() < 0.1,
            merged_into=EntityId("en0") if n in (11, 12) else None,
            summary=self.pick(TEXTS),
        )

    def _ref(self) -> EntityRef:
        return self.pick(self.entities).ref  # type: ignore[no-any-return]

    def _versions(self, n: int) -> list[Fact]:
        created, valid = self.moment(8), self.moment()
        last = fact(
            f"fa{n}",
            kind=self.pick((*HELD_KINDS, Kind.FACT, Kind.FACT)),
            slot=f"slot {n % 15}",
            subject=self._ref(),
            relation=self.pick(RELATIONS),
            object=self._ref(),
            text=f"{self.pick(TEXTS)} {n}",
            valid_at=valid,
            invalid_at=self.pick((None, None, self.moment())),
            created_at=created,
            scope=self.scope(),
            wall=self.pick(WALLS),
            importance=self.random.randint(1, 5),
            rejected=self.random.random() < 0.1,
            archived=self.random.random() < 0.1,
            superseded_by=self.pick((None, FactId("fa0"))),
        )
        if self.random.random() < 0.6:
            return [last]
        changed = at(days=8 + self.random.randrange(5))
        return [replace(last, expired_at=changed), replace(last, version=2, created_at=changed, invalid_at=None)]

    def _summary(self, n: int) -> Summary:
        return summary(
            f"su{n}",
            text=self.pick(TEXTS),
            created_at=self.moment(),
            scope=self.scope(),
            wall=self.pick(WALLS),
            archived=n == 5,
        )

    def _assertion(self, n: int) -> Assertion:
        return assertion(
            f"as{n}",
            slot=f"slot {n % 9}",
            subject=EntityId(f"en{self.random.randrange(14)}"),
            object=EntityId(f"en{self.random.randrange(14)}"),
            recorded_at=self.moment(3),
            order=self.random.randrange(3),
            episode=self.pick((None, EpisodeId(f"ep{self.random.randrange(30)}"))),
            receipt=ReceiptId(self.pick(("", "r1", "r2"))),
            wall=self.pick(WALLS),
            text=self.pick(TEXTS),
        )

    def _mention(self) -> Mention:
        return mention(
            f"ep{self.random.randrange(30)}",
            f"en{self.random.randrange(14)}",
            role=self.pick(list(MentionRole)),
            wall="deal",
        )

    def _entries(self) -> list[IndexEntry]:
        keys: list[tuple[Kind, str]] = [(Kind.EPISODE, one.id) for one in self.episodes]
        keys += [(Kind.SUMMARY, one.id) for one in self.summaries]
        keys += dict.fromkeys((one.kind, one.id) for one in self.facts)
        return [self._entry(kind, id) for kind, id in keys if self.random.random() < 0.9]

    def _entry(self, kind: Kind, id: str) -> IndexEntry:
        chosen = self.random.sample(list(FINGERPRINTS), self.random.randint(0, 2))
        return IndexEntry(
            kind=kind,
            id=id,
            words=" ".join(self.random.choices(TERMS, k=self.random.randint(0, 4))),
            vectors={name: self.vectors(FINGERPRINTS[name], self.random.randint(1, 3)) for name in chosen},
        )

    def read_filter(self) -> ReadFilter:
        kinds = frozenset(self.random.sample([*HELD_KINDS, Kind.EPISODE, Kind.SUMMARY], self.random.randint(1, 5)))
        return ReadFilter(
            clocks=Clocks(as_of=self.moment(25), known_at=self.pick((self.moment(25), at(days=100)))),
            scope=self.pick((None, self.scope(), Scope(user="ana", session="s1"))),
            kinds=kinds,
            types=self.pick((frozenset(), frozenset(), frozenset({"person"}))),
            relations=self.pick((frozenset(), frozenset(), frozenset({"likes"}), frozenset({"likes", "lives_in"}))),
            min_importance=self.pick((1, 1, 3)),
            include_superseded=self.random.random() < 0.3,
            include_archived=self.random.random() < 0.3,
        )


async def write_world(unit: Unit, world: World) -> None:
    await unit.put_episodes(world.episodes)
    await unit.put_entities(world.entities)
    await unit.put_facts(world.facts)
    await unit.put_summaries(world.summaries)
    await unit.put_assertions(world.assertions)
    await unit.put_mentions(world.mentions)
    await unit.put_index(world.entries)
    await unit.add_uses(
        [
            Use(kind=kind, id=id, count=n % 3 + 1, last_at=at(days=n % 7))
            for n, (kind, id) in enumerate(world.memories[::2])
        ]
    )
    await unit.put_documents(
        [document(f"d{n}", "note", ref=f"r{n % 3}", status=f"s{n % 2}", seq=n // 2, body={"n": n}) for n in range(12)]
    )
    await unit.put_jobs([job(f"j{n}", dedup_key=f"k{n // 2}" if n < 4 else "") for n in range(8)])


async def edit(unit: Unit, world: World) -> None:
    """Puts again, takes from the index and erases some of everything."""
    await unit.put_episodes([replace(one, archived=not one.archived, text="Changed.") for one in world.episodes[:5]])
    renamed = [
        replace(one, name="Renamed", aliases=(Alias(key="renamed", name="Renamed"),)) for one in world.entities[:4]
    ]
    await unit.put_entities(renamed)
    await unit.put_facts([replace(one, pinned=True, archived=not one.archived) for one in world.facts[:6]])
    await unit.put_index(
        [replace(one, words="contract again", vectors={"small": world.vectors(8, 1)}) for one in world.entries[:9]]
    )
    await unit.drop_index(world.memories[9:14])
    await unit.add_uses([Use(kind=kind, id=id, count=5, last_at=at(days=3)) for kind, id in world.memories[:6]])
    await unit.drop_documents("note", ["d1", "d5", "none"])
    await unit.put_jobs([job("j0", state=JobState.DONE), job("j9", dedup_key="k0"), job("j10", dedup_key="k1")])


class Step(StrEnum):
    """What is done to both stores, one after the other."""

    WRITE = "write"
    EDIT = "edit"
    ERASE = "erase"


async def take(step: Step, unit: Unit, world: World) -> list[int]:
    """Does the step; gives how many of each kind it erased."""
    if step is Step.WRITE:
        await write_world(unit, world)
    elif step is Step.EDIT:
        await edit(unit, world)
    else:
        return [
            await unit.erase(Erasable.EPISODE, ["ep1", "ep2", "none"]),
            await unit.erase(Erasable.FACT, ["fa1", "fa2", "fa3", "none"]),
            await unit.erase(Erasable.ENTITY, ["en3", "en4"]),
            await unit.erase(Erasable.ASSERTION, ["as1", "as2", "as3"]),
            await unit.erase(Erasable.SUMMARY, ["su1", "none"]),
        ]
    return []


async def answers(store: TenantStore | Unit, world: World) -> dict[str, Any]:
    """What the store says to every kind of question. Draws from the world's random numbers, the same for each store."""
    episodes = [EpisodeId(f"ep{n}") for n in (5, 1, 1, *range(30))]
    entities = [EntityId(f"en{n}") for n in range(14)]
    facts = [FactId(f"fa{n}") for n in range(40)]
    everything: dict[str, Any] = {
        "episodes": await store.episodes(episodes),
        "externals": dict(await store.episodes_by_external_id([f"mail-{n}" for n in range(30)])),
        "ends": dict(await store.thread_ends(["t1", "t2", "", "none"])),
        "entities": await store.entities(entities),
        "by_key": await store.entities_by_key([EntityKey(wall=e.wall, type=e.type, key=e.key) for e in world.entities]),
        "by_alias": dict(await store.entities_by_alias([*(f"nick {n}" for n in range(5)), "ana 1", "renamed", "none"])),
        "by_identifier": dict(await store.entities_by_identifier([f"email:{n}@x.example" for n in range(4)])),
        "counts": dict(await store.entity_counts(entities, Clocks(as_of=at(days=9), known_at=at(days=9)))),
        "assertions": await store.assertions([AssertionId(f"as{n}") for n in range(9, 0, -1)]),
        "of_slots": await store.assertions_of_slots([f"slot {n}" for n in range(4)]),
        "of_episodes": await store.assertions_of_episodes(episodes),
        "of_receipt": await store.assertions_of_receipt(ReceiptId("r1")),
        "of_entities": await store.assertions_of_entities(entities[:4]),
        "all": [batch async for batch in store.all_assertions(batch=7)],
        "facts": await store.facts(facts),
        "facts_then": await store.facts(facts, known_at=at(days=9)),
        "versions": [await store.fact_versions(id) for id in facts[:9]],
        "facts_of_slots": await store.facts_of_slots([f"slot {n}" for n in range(6)]),
        "fact_ids": await store.fact_ids_of_slots([f"slot {n}" for n in range(6)]),
        "all_facts": [batch async for batch in store.all_facts(batch=7)],
        "all_summaries": [batch async for batch in store.all_summaries(batch=2)],
        "kinds": await store.document_kinds(),
        "entries": entries(await store.index_entries(world.memories)),
        "mentions": await store.mentions_of_episodes(episodes),
        "summaries": await store.summaries([SummaryId(f"su{n}") for n in range(6)]),
        "document": [await store.document("note", id) for id in ("d1", "d2")],
        "last_seq": [await store.last_seq("note"), await store.last_seq("none")],
        "jobs": [await store.jobs(), await store.jobs(state=JobState.QUEUED, limit=2)],
        "uses": dict(await store.uses(world.memories)),
    }
    for newest_first in (False, True):
        for after_seq in (None, 3):
            for ref in (None, "r1"):
                query = DocumentQuery(kind="note", ref=ref, after_seq=after_seq, newest_first=newest_first, limit=4)
                everything[f"documents {query}"] = await store.documents(query)
    for number in range(14):
        everything.update({f"{number} {name}": answer for name, answer in (await one_round(store, world)).items()})
    return everything


async def one_round(store: TenantStore | Unit, world: World) -> dict[str, Any]:
    chosen = world.read_filter()
    entities = [EntityId(f"en{n}") for n in range(14)]
    cap = world.pick((2, 100))
    page = Page(limit=world.pick((3, 50)), after=world.pick((None, (1_767_900_000_000, "ep3"))))
    as_of = world.moment(25)
    fact_query = FactQuery(
        kinds=world.pick((frozenset({Kind.FACT}), frozenset(HELD_KINDS))),
        subjects=world.pick((None, None, frozenset(entities[:6]))),
        objects=world.pick((None, None, frozenset(entities[4:]))),
        text=world.pick(("", "", "STRASSE", "京大")),
        status=world.pick((None, None, *Status)),
        user=world.pick(USERS),
        as_of=as_of,
        known_at=world.pick((None, at(days=9))),
        include_superseded=world.pick((False, True)),
        include_archived=world.pick((False, True)),
    )
    episode_query = EpisodeQuery(
        text=world.pick(("", "strasse", "京", "ΣΑΣ")),
        kind=world.pick(("", "message")),
        session=world.pick(SESSIONS),
        known_at=world.pick((None, at(days=9))),
        include_archived=world.pick((False, True)),
    )
    entity_query = EntityQuery(
        prefix=world.pick(("", "nick")),
        text=world.pick(("", "A")),
        types=world.pick((frozenset(), frozenset({"person"}))),
    )
    fingerprints = world.random.sample(list(FINGERPRINTS), world.random.randint(0, 2))
    vectors = {name: world.vectors(FINGERPRINTS[name], 1)[0] for name in fingerprints}
    wanted = frozenset(world.random.sample(world.memories, 4))
    wide = SearchRequest(filter=chosen, vectors=vectors, terms=tuple(world.random.sample(TERMS, 3)), wanted=wanted)
    narrow = SearchRequest(filter=chosen, vectors=vectors, limit=world.pick((1, 3, 5)))
    return {
        f"neighbours {chosen}": dict(await store.neighbours([EpisodeId(f"ep{n}") for n in range(30)], chosen)),
        f"edges {chosen} {cap}": await store.edges(entities, chosen, per_node=cap),
        f"mentions {chosen} {cap}": await store.mentions_of_entities(entities, chosen, per_entity=cap),
        f"list {fact_query} {page}": await store.list_facts(fact_query, page),
        f"list {episode_query} {page}": await store.list_episodes(episode_query, page),
        f"list {entity_query} {page}": await store.list_entities(entity_query, page),
        f"used {chosen}": [(use, found.memory) for use, found in await store.recently_used(chosen, limit=cap)],
        f"search {wide}": features(await store.search(wide)),
        f"nearest {narrow}": features(await store.search(narrow)),
    }


def entries(found: Sequence[IndexEntry]) -> list[tuple[Any, ...]]:
    rows = [
        (one.kind, one.id, one.words, sorted((name, matrix.tolist()) for name, matrix in one.vectors.items()))
        for one in found
    ]
    return sorted(rows)


def features(found: Sequence[Found]) -> list[tuple[Any, ...]]:
    rows = [(repr(one.memory), one.fingerprint, one.words, Cosine(one.cosine)) for one in found]
    return sorted(rows, key=lambda row: row[0])


class Cosine:
    """Equal where two servers' sums of floats are the same but for their last places."""

    def __init__(self, value: float | None) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cosine) and (
            self.value is other.value is None or self.value == pytest.approx(other.value, abs=1e-5)
        )

    def __repr__(self) -> str:
        return "none" if self.value is None else f"{self.value:.3f}"


@pytest_asyncio.fixture
async def pair(neo4j_store_url: str) -> AsyncIterator[tuple[Database, Database]]:
    """An empty Neo4j database and an empty SQLite one."""
    clock = lambda: at(days=200)  # noqa: E731
    neo4j = await open_database(neo4j_store_url, environment="dev", clock=clock)
    sqlite = await open_database("sqlite://", environment="dev", clock=clock)
    yield neo4j, sqlite
    await neo4j.close()
    await sqlite.close()


def assert_same(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    for question, answer in theirs.items():
        if ours[question] != answer:  # in lines, so that what differs can be read
            assert pformat(ours[question], width=300).splitlines() == pformat(answer, width=300).splitlines(), question


@pytest.mark.parametrize("seed", [1, 2])
async def test_every_answer_equals_sqlites(pair: tuple[Database, Database], seed: int) -> None:
    space, other = space_of("dev", "acme"), space_of("dev", "globex")
    for step in Step:
        inside = []
        for database in pair:
            async with database.space(space, all_walls=True).write() as unit:
                erased = await take(step, unit, World(seed))
                inside.append(await answers(unit, World(seed)) | {"erased": erased})
            if step is Step.WRITE:
                async with database.space(other, all_walls=True).write() as unit:
                    await write_world(unit, World(seed + 100))
        assert_same(inside[0], inside[1])
        for walls in (frozenset[str](), frozenset({"deal"}), frozenset({"deal", "matter", "none"}), None):
            questions = seed * 1000 + len(walls or ())
            outside = [
                await answers(
                    database.space(space, walls=walls or frozenset(), all_walls=walls is None), World(questions)
                )
                for database in pair
            ]
            assert_same(outside[0], outside[1])
        assert [await database.spaces() for database in pair] == [[space, other]] * 2
    assert [await database.erase_space(space) > 0 for database in pair] == [True, True]
    assert [await database.spaces() for database in pair] == [[other]] * 2
