"""Any run of writes, erasures and failures on two tenants behind two walls reads like the same run on dictionaries."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from muniment.engine.bootstrap import open_database
from muniment.engine.ports.search import ReadFilter, SearchRequest
from muniment.engine.ports.store import Erasable, TenantStore, Unit
from muniment.graph_schema.errors import NotFound
from muniment.graph_schema.ids import EntityId, EpisodeId, FactId, space_of
from muniment.graph_schema.records import Episode, Fact, Kind
from tests._stores import Leg, Servers
from tests.builders import EMBEDDER, at, clocks, entity, episode, fact, indexed, read_filter, ref, scope, unit_vector

T = TypeVar("T")
Memory = Episode | Fact

TENANTS = ("acme", "globex")
WALLS = ("", "a", "b")
GRANTS = (frozenset[str](), frozenset({"a"}), frozenset({"a", "b"}))
WORDS = ("zebra", "horse", "北京")
IDS = ("x", "y", "z")
DAYS = (0, 1, 2, 3, 4)
ENTITIES = ("ana", "bob", "acme")

tenants = st.sampled_from(TENANTS)
grants = st.sampled_from(GRANTS)
moments = st.builds(at, st.sampled_from(DAYS), st.sampled_from((-1, 0)))
facts_ = st.builds(
    fact,
    st.sampled_from(IDS),
    version=st.integers(1, 2),
    subject=st.sampled_from(ENTITIES).map(ref),
    object=st.sampled_from(ENTITIES).map(ref),
    valid_at=moments,
    invalid_at=st.none() | moments,
    created_at=moments,
    expired_at=st.none() | moments,
    importance=st.integers(1, 5),
    rejected=st.sampled_from((False, False, True)),
    archived=st.sampled_from((False, False, True)),
    wall=st.sampled_from(WALLS),
    scope=st.sampled_from((scope(), scope("u"))),
)
episodes_ = st.builds(
    episode,
    st.sampled_from(IDS),
    recorded_at=moments,
    importance=st.integers(1, 5),
    archived=st.sampled_from((False, False, True)),
    wall=st.sampled_from(WALLS),
    scope=st.sampled_from((scope(), scope("u"))),
)
vectors = st.sampled_from([unit_vector(1), unit_vector(1, 1), unit_vector(0, 1)])
words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
filters = st.builds(
    read_filter,
    clocks=st.builds(clocks, moments, moments),
    scope=st.sampled_from((None, scope(), scope("u"))),
    min_importance=st.sampled_from((1, 1, 3)),
    include_superseded=st.booleans(),
    include_archived=st.booleans(),
)


class Model:
    """One tenant as dictionaries."""

    def __init__(self) -> None:
        self.facts: dict[tuple[str, int], Fact] = {}
        self.episodes: dict[str, Episode] = {}
        self.index: dict[tuple[Kind, str], tuple[str, Any]] = {}

    def copy(self) -> Model:
        other = Model()
        other.facts, other.episodes, other.index = dict(self.facts), dict(self.episodes), dict(self.index)
        return other

    def wall_of(self, kind: Kind, id: str) -> str | None:
        if kind is Kind.EPISODE:
            return self.episodes[id].wall if id in self.episodes else None
        return next((one.wall for (fact_id, _), one in self.facts.items() if fact_id == id), None)

    def shown(self, filter: ReadFilter, walls: frozenset[str]) -> list[Memory]:
        memories: list[Memory] = [*self.facts.values(), *self.episodes.values()]
        return [one for one in memories if _is_shown(one, filter, walls)]


def _is_shown(memory: Memory, filter: ReadFilter, walls: frozenset[str]) -> bool:
    """The port's words for `ReadFilter`, said once more."""
    if memory.wall and memory.wall not in walls:
        return False
    if filter.scope is not None and memory.scope.user not in ("", filter.scope.user):
        return False
    if memory.importance < filter.min_importance or (memory.archived and not filter.include_archived):
        return False
    known_at, as_of = filter.clocks.known_at, filter.clocks.as_of
    if isinstance(memory, Episode):
        return memory.recorded_at <= known_at
    if memory.rejected or not _within(memory.created_at, known_at, memory.expired_at):
        return False
    return filter.include_superseded or _within(memory.valid_at, as_of, memory.invalid_at)


def _within(start: datetime, moment: datetime, end: datetime | None) -> bool:
    return start <= moment and (end is None or moment < end)


class StoreMachine(RuleBasedStateMachine):
    """Writes to the store and to the model; after each write some reads must agree."""

    url: str
    wipe: Any

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.wipe()
        self.database = self.run(open_database(self.url, environment="dev"))
        self.models = {tenant: Model() for tenant in TENANTS}

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(work)

    def store(self, tenant: str, grant: frozenset[str]) -> TenantStore:
        return self.database.space(space_of("dev", tenant), walls=grant)

    @initialize()
    def people(self) -> None:
        async def put() -> None:
            for tenant in TENANTS:
                async with self.store(tenant, frozenset()).write() as unit:
                    await unit.put_entities([entity(id) for id in ENTITIES])

        self.run(put())

    @rule(tenant=tenants, grant=grants, given=st.lists(facts_, min_size=1, max_size=3), fails=st.booleans())
    def put_facts(self, tenant: str, grant: frozenset[str], given: list[Fact], fails: bool) -> None:
        # Versions of one fact are never in force together: that is the caller's promise.
        model = self.models[tenant]
        given = list({one.id: one for one in given}.values())
        given = [replace(one, wall=_first(model.wall_of(Kind.FACT, one.id), one.wall)) for one in given]
        given = [one for one in given if not _overlaps(one, model)]
        allowed = all(one.wall in grant | {""} for one in given)
        if self.written(tenant, grant, lambda unit: unit.put_facts(given), allowed=allowed, fails=fails):
            model.facts.update({(one.id, one.version): one for one in given})

    @rule(tenant=tenants, grant=grants, given=episodes_, fails=st.booleans())
    def put_episode(self, tenant: str, grant: frozenset[str], given: Episode, fails: bool) -> None:
        model = self.models[tenant]
        allowed = given.wall in grant | {""} and model.wall_of(Kind.EPISODE, given.id) in (None, given.wall)
        if self.written(tenant, grant, lambda unit: unit.put_episodes([given]), allowed=allowed, fails=fails):
            model.episodes[given.id] = given

    @rule(
        tenant=tenants,
        grant=grants,
        kind=st.sampled_from((Kind.FACT, Kind.EPISODE)),
        id=st.sampled_from(IDS),
        text=words,
        vector=vectors,
        fails=st.booleans(),
    )
    def put_index(
        self, tenant: str, grant: frozenset[str], kind: Kind, id: str, text: str, vector: Any, fails: bool
    ) -> None:
        model = self.models[tenant]
        allowed = model.wall_of(kind, id) in grant | {""}
        entry = indexed(kind, id, text, vector)
        if self.written(tenant, grant, lambda unit: unit.put_index([entry]), allowed=allowed, fails=fails):
            model.index[kind, id] = (text, vector)

    @rule(
        tenant=tenants,
        grant=grants,
        kind=st.sampled_from((Kind.FACT, Kind.EPISODE)),
        ids=st.sets(st.sampled_from(IDS), min_size=1),
        whole=st.booleans(),
    )
    def erase(self, tenant: str, grant: frozenset[str], kind: Kind, ids: set[str], whole: bool) -> None:
        model = self.models[tenant]
        mine = {id for id in ids if model.wall_of(kind, id) in grant | {""}}
        keys = [(kind, id) for id in ids]

        async def go(unit: Unit) -> None:
            if whole:
                assert await unit.erase(Erasable(kind.value), sorted(ids)) == len(mine)
            else:
                await unit.drop_index(keys)

        assert self.written(tenant, grant, go, allowed=True, fails=False)
        model.index = {key: held for key, held in model.index.items() if key[0] != kind or key[1] not in mine}
        if whole and kind is Kind.EPISODE:
            model.episodes = {id: one for id, one in model.episodes.items() if id not in mine}
        elif whole:
            model.facts = {key: one for key, one in model.facts.items() if key[0] not in mine}

    def written(self, tenant: str, grant: frozenset[str], work: Any, *, allowed: bool, fails: bool) -> bool:
        """Whether the write took effect; one that must be refused was, and one that failed left nothing."""

        async def go() -> None:
            async with self.store(tenant, grant).write() as unit:
                await work(unit)
                if fails:
                    await unit.document_kinds()  # by a read at the latest what was written is there
                    raise ZeroDivisionError

        if not allowed:
            with pytest.raises(NotFound):
                self.run(go())
            return False
        if fails:
            with pytest.raises(ZeroDivisionError):
                self.run(go())
            return False
        self.run(go())
        return True

    @rule(tenant=tenants, grant=grants, filter=filters, asked=st.sets(st.sampled_from(WORDS)), vector=vectors)
    def search(self, tenant: str, grant: frozenset[str], filter: ReadFilter, asked: set[str], vector: Any) -> None:
        model, store = self.models[tenant], self.store(tenant, grant)
        shown = {_key(one): one for one in model.shown(filter, grant)}
        by_words = self.run(store.search(SearchRequest(filter=filter, terms=tuple(sorted(asked)))))
        expected = {key for key in shown if key in model.index and asked & set(model.index[key][0].split())}
        assert {_key(one.memory) for one in by_words} == expected
        request = SearchRequest(filter=filter, vectors={EMBEDDER: vector}, wanted=frozenset({(Kind.FACT, "x")}))
        by_vector = {_key(one.memory): one for one in self.run(store.search(request))}
        assert set(by_vector) == {key for key in shown if key in model.index or key == (Kind.FACT, "x")}
        for key, one in by_vector.items():
            assert one.memory == shown[key]
            text, stored = model.index.get(key, ("", None))
            assert one.words == text
            assert one.cosine == (None if stored is None else pytest.approx(float(stored @ vector), abs=1e-4))

    @rule(tenant=tenants, grant=grants, filter=filters, id=st.sampled_from(ENTITIES), per_node=st.sampled_from((1, 9)))
    def edges(self, tenant: str, grant: frozenset[str], filter: ReadFilter, id: str, per_node: int) -> None:
        model, store = self.models[tenant], self.store(tenant, grant)
        touching = [
            one for one in model.shown(filter, grant) if isinstance(one, Fact) and id in (one.subject.id, one.object.id)
        ]
        touching.sort(key=lambda one: (-one.importance, -one.valid_at.timestamp(), one.id))
        found = self.run(store.edges([EntityId(id)], filter, per_node=per_node))
        assert list(found.facts) == touching[:per_node]
        assert dict(found.degrees) == ({id: len(touching)} if touching else {})

    @rule(tenant=tenants, grant=grants, known_at=moments)
    def read(self, tenant: str, grant: frozenset[str], known_at: datetime) -> None:
        model, store = self.models[tenant], self.store(tenant, grant)
        mine = {key: one for key, one in model.facts.items() if one.wall in grant | {""}}
        latest = [mine[max(key for key in mine if key[0] == id)] for id in IDS if any(key[0] == id for key in mine)]
        assert self.run(store.facts([FactId(id) for id in IDS])) == latest
        known = [
            one
            for id in IDS
            for one in mine.values()
            if one.id == id and _within(one.created_at, known_at, one.expired_at)
        ]
        assert self.run(store.facts([FactId(id) for id in IDS], known_at=known_at)) == known
        episodes = [
            model.episodes[id] for id in IDS if id in model.episodes and model.episodes[id].wall in grant | {""}
        ]
        assert self.run(store.episodes([EpisodeId(id) for id in IDS])) == episodes

    def teardown(self) -> None:
        self.run(self.database.close())
        self.loop.run_until_complete(self.loop.shutdown_default_executor())
        self.loop.close()


def _first(*walls: str | None) -> str:
    return next(wall for wall in walls if wall is not None)


def _key(memory: Memory | Any) -> tuple[Kind, str]:
    return (memory.kind if isinstance(memory, Fact) else Kind.EPISODE, memory.id)


def _overlaps(given: Fact, model: Model) -> bool:
    other = model.facts.get((given.id, 3 - given.version))
    if other is None:
        return False
    starts_before = other.expired_at is None or given.created_at < other.expired_at
    ends_after = given.expired_at is None or other.created_at < given.expired_at
    return starts_before and ends_after


def test_the_store_is_like_dictionaries(store_url: str, store_leg: Leg, request: pytest.FixtureRequest) -> None:
    def wipe_file(_: object) -> None:
        path = Path(store_url.removeprefix("sqlite:///"))
        for found in path.parent.glob(f"{path.name}*"):
            found.unlink()

    def wipe_server(_: object) -> None:
        servers: Servers = request.getfixturevalue("neo4j_servers")
        servers.wipe(store_url)

    is_file = store_leg is Leg.SQLITE
    machine = type("Machine", (StoreMachine,), {"url": store_url, "wipe": wipe_file if is_file else wipe_server})
    bounds = settings(
        max_examples=40 if is_file else 8,
        stateful_step_count=30 if is_file else 20,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
        # Each step opens transactions: shrinking a failure would take minutes, and the run found is short already.
        phases=[Phase.explicit, Phase.reuse, Phase.generate],
    )
    run_state_machine_as_test(machine, settings=bounds)
