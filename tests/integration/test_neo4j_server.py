"""The Neo4j store against its server: which one it is, who may open it, what happens when it goes away or writers meet."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, LiteralString

import pytest
import pytest_asyncio
from neo4j import AsyncSession, GraphDatabase

from muniment.engine.bootstrap import open_database
from muniment.engine.ports.store import Database, EntityQuery, FactQuery, Page, Unit
from muniment.engine.stores.neo4j.connection import parse_address
from muniment.engine.stores.neo4j.local.server import LocalNeo4j
from muniment.engine.write.units import in_unit
from muniment.graph_schema.errors import Invalid, StoreUnavailable, WrongEnvironment
from muniment.graph_schema.ids import EntityId, EpisodeId, fold, space_of
from muniment.graph_schema.records import EntityRef, Kind
from muniment.graph_schema.temporal import Clocks
from tests._stores import Leg
from tests.builders import NOW, document, entity, episode, fact, read_filter

ACME = space_of("dev", "acme")
MakeServer = Callable[..., LocalNeo4j]


async def opened(url: str, *, environment: str = "dev") -> Database:
    return await open_database(url, environment=environment, clock=lambda: NOW)


@pytest_asyncio.fixture
async def database(neo4j_store_url: str) -> AsyncIterator[Database]:
    """An empty database."""
    one = await opened(neo4j_store_url)
    yield one
    await one.close()


async def test_it_says_what_it_can_do(database: Database, neo4j_leg: Leg) -> None:
    can = database.capabilities
    assert can.name == "neo4j"
    assert (can.remote, can.many_processes) == (True, True)
    assert (can.version.split(".")[0], can.filtered_vector_index) == (
        ("2026", True) if neo4j_leg is Leg.NEO4J_2026 else ("5", False)
    )
    said = await database.describe()
    assert said["version"] == can.version
    assert said["edition"] == "community"
    assert int(said["nodes"]) >= 1


async def test_another_environments_database_is_not_opened(database: Database, neo4j_store_url: str) -> None:
    with pytest.raises(WrongEnvironment, match="'dev'"):
        await opened(neo4j_store_url, environment="prod")
    again = await opened(neo4j_store_url)
    await again.close()


@pytest.mark.parametrize(
    ("made", "named"), [("CREATE (n:Movie {title: 'Heat'})", "Movie"), ("CREATE (n {title: 'Heat'})", "no label")]
)
async def test_another_programs_database_is_refused_and_left_as_it_is(
    neo4j_store_url: str, made: LiteralString, named: str
) -> None:
    with GraphDatabase.driver(neo4j_store_url) as driver:
        driver.execute_query(made)
        with pytest.raises(StoreUnavailable, match=rf"another program.*{named}.*empty database"):
            await opened(neo4j_store_url)
        assert driver.execute_query("MATCH (n) RETURN n.title").records[0].data() == {"n.title": "Heat"}
        assert driver.execute_query("MATCH (n) RETURN count(n) AS n").records[0]["n"] == 1


async def test_a_database_that_graphiti_wrote_is_taken(neo4j_store_url: str) -> None:
    with GraphDatabase.driver(neo4j_store_url) as driver:
        driver.execute_query("CREATE (:Entity {uuid: 'u1', name: 'Ana', group_id: 'dev:other'})")
    await (await opened(neo4j_store_url)).close()


async def test_a_server_that_is_not_there_is_named_without_its_credentials() -> None:
    with pytest.raises(StoreUnavailable, match=r"bolt://127\.0\.0\.1:9\b") as error:
        await opened("bolt://ana:secret@127.0.0.1:9")
    assert "secret" not in str(error.value)
    assert "ana" not in str(error.value)


async def test_a_document_older_than_the_mark_of_its_end_is_dropped_when_it_is_past_its_time(
    database: Database, neo4j_store_url: str
) -> None:
    store, day = database.space(ACME), timedelta(days=1)
    kept = {name: document(name, kind="trace", expires_at=NOW + until) for name, until in (("old", -day), ("new", day))}
    async with store.write() as unit:
        await unit.put_documents([*kept.values(), document("ever", kind="trace")])
    with GraphDatabase.driver(neo4j_store_url) as driver:
        driver.execute_query("MATCH (n:Document) WHERE n.expires_ms IS NOT NULL REMOVE n.expires_ms")
    async with store.write() as unit:
        assert await unit.drop_expired("trace", before=NOW, limit=10) == 1
    assert [await store.document("trace", name) for name in ("old", "new")] == [None, kept["new"]]
    assert await store.document("trace", "ever") is not None


async def test_constraints_in_a_database_of_the_first_schema_are_listed_after_it_is_migrated(
    neo4j_store_url: str,
) -> None:
    wishes = [fact(id, kind=Kind.PREFERENCE, attributes={"constraint": id == "rule"}) for id in ("rule", "wish")]
    before = await opened(neo4j_store_url)
    async with before.space(ACME).write() as unit:
        await unit.put_entities([entity("ana"), entity("acme")])
        await unit.put_facts(wishes)
    await before.close()
    with GraphDatabase.driver(neo4j_store_url) as driver:
        driver.execute_query("MATCH ()-[r:RELATES_TO]->() REMOVE r.standing")
        driver.execute_query("MATCH (m:Muniment) SET m.schema_version = 1")
    after = await opened(neo4j_store_url)
    query = FactQuery(kinds=frozenset({Kind.PREFERENCE}), as_of=NOW, standing=True)
    assert await after.space(ACME).list_facts(query, Page()) == wishes[:1]
    await after.close()


async def test_five_at_once_open_and_migrate_one_database(neo4j_store_url: str) -> None:
    together = await asyncio.gather(*(opened(neo4j_store_url) for _ in range(5)))
    for one in together:
        await one.close()


async def test_a_transaction_that_the_server_ends_before_its_time_is_done_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, limits = AsyncSession.begin_transaction, [0.01]

    async def hurried(session: AsyncSession, **options: Any) -> Any:
        if limits:
            options["timeout"] = limits.pop()
        return await begin(session, **options)

    tries: list[int] = []

    async def work(unit: Unit) -> None:
        tries.append(len(tries))
        if len(tries) == 1:
            await asyncio.sleep(3)  # the server looks for what took too long every two seconds
        await unit.put_documents([document("noted", kind="note")])

    store = database.space(ACME)
    async with store.write():
        pass  # makes what a write locks
    monkeypatch.setattr(AsyncSession, "begin_transaction", hurried)
    await in_unit(store, work)
    assert tries == [0, 1]
    assert await store.document("note", "noted") is not None


async def test_five_writers_who_name_one_new_person_make_one_entity(database: Database) -> None:
    store = database.space(ACME)

    async def name_ana(number: int) -> EntityRef:
        async with store.write() as unit:
            known = (await unit.entities_by_alias([fold("Ana")])).get(fold("Ana"), ())
            await asyncio.sleep(0.02)  # time for the others to see nobody, if they could
            if not known:
                known = (entity(f"ana-{number}", "Ana"),)
                await unit.put_entities(known)
            await unit.put_entities([entity(f"acme-{number}", type="organisation")])
            await unit.put_facts(
                [
                    fact(
                        f"f{number}",
                        subject=known[0].ref,
                        object=EntityRef(id=EntityId(f"acme-{number}"), name="Acme", type="organisation"),
                    )
                ]
            )
            return known[0].ref

    named = await asyncio.gather(*(name_ana(number) for number in range(5)))
    assert len({ref.id for ref in named}) == 1
    people = await store.list_entities(EntityQuery(text="ana", types=frozenset({"person"})), Page())
    assert [one.name for one in people] == ["Ana"]
    assert (await store.entity_counts([named[0].id], Clocks(as_of=NOW, known_at=NOW)))[named[0].id].facts == 5


@pytest.mark.parametrize("version", ["2026", "5"])
async def test_a_server_that_goes_away_and_comes_back(local_neo4j: MakeServer, version: str) -> None:
    server = local_neo4j(version)
    running = server.start()
    database = await opened(running.url)
    store = database.space(ACME)

    async def put(*ids: str, then: Callable[[], object] = lambda: None, last: tuple[str, ...] = ()) -> None:
        async with store.write() as unit:
            await unit.put_episodes([episode(id) for id in ids])
            await asyncio.to_thread(then)
            await unit.put_episodes([episode(id) for id in last])

    await put("kept")
    with pytest.raises(StoreUnavailable):
        await put("half", then=lambda: server.stop(timeout_s=0), last=("never",))
    with pytest.raises(StoreUnavailable):
        await store.episodes([EpisodeId("kept")])
    with pytest.raises(StoreUnavailable):
        await put("never")

    local_neo4j(version, port=running.port).start()
    there = await store.episodes([EpisodeId(id) for id in ("kept", "half", "never")])
    assert [one.id for one in there] == ["kept"]
    await put("later")
    assert await store.episodes([EpisodeId("later")])
    await database.close()


async def test_a_server_gone_at_the_commit_leaves_nothing_half(local_neo4j: MakeServer) -> None:
    server = local_neo4j()
    running = server.start()
    database = await opened(running.url)
    store = database.space(ACME)

    async def write_until_it_is_gone() -> None:
        async with store.write() as unit:
            await unit.put_episodes([episode("a"), episode("b")])
            await asyncio.to_thread(server.stop, timeout_s=0)

    with pytest.raises(StoreUnavailable):
        await write_until_it_is_gone()
    local_neo4j(port=running.port).start()
    assert await store.episodes([EpisodeId("a"), EpisodeId("b")]) == []
    await database.close()


_WRITER = """
import asyncio, sys
from muniment.engine.bootstrap import open_database
from muniment.graph_schema.ids import space_of
from tests.builders import NOW, entity, episode, fact, ref

async def main(url, run):
    database = await open_database(url, environment="dev", clock=lambda: NOW)
    store = database.space(space_of("dev", "acme"))
    for number in range(100000):
        name = f"{run}-{number}"
        async with store.write() as unit:
            await unit.put_episodes([episode(f"ep-{name}")])
            await unit.put_entities([entity(f"a-{name}"), entity(f"b-{name}")])
            await unit.put_facts([fact(f"f-{name}", subject=ref(f"a-{name}"), object=ref(f"b-{name}"))])
        print(name, flush=True)

asyncio.run(main(sys.argv[1], sys.argv[2]))
"""
_ROUNDS = 10
_WRITES_A_ROUND = 5


async def test_what_was_acknowledged_survives_a_killed_writer(database: Database, neo4j_store_url: str) -> None:
    store = database.space(ACME)
    for number in range(_ROUNDS):
        acknowledged = await asyncio.to_thread(_write_and_kill, neo4j_store_url, f"run{number}")
        assert len(acknowledged) >= _WRITES_A_ROUND
        assert len(await store.episodes([EpisodeId(f"ep-{name}") for name in acknowledged])) == len(acknowledged)
        # The one write that was under way is there whole, or not at all.
        last = f"run{number}-{int(acknowledged[-1].split('-')[1]) + 1}"
        whole = [
            len(await store.episodes([EpisodeId(f"ep-{last}")])),
            len(await store.entities([EntityId(f"a-{last}"), EntityId(f"b-{last}")])) // 2,
            len((await store.edges([EntityId(f"a-{last}")], read_filter())).facts),
        ]
        assert whole in ([0, 0, 0], [1, 1, 1])


def _write_and_kill(url: str, run: str) -> list[str]:
    """Starts a process that writes without end, kills it in the middle, gives what it had acknowledged."""
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(root / "src"), str(root)))}
    with subprocess.Popen(
        [sys.executable, "-c", _WRITER, url, run], stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(_WRITES_A_ROUND)]
        process.send_signal(signal.SIGKILL)
        lines += process.stdout.readlines()
    return [line.strip() for line in lines if line.endswith("\n")]


async def test_credentials_are_needed_used_and_never_shown(
    local_neo4j: MakeServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    running = local_neo4j(auth=True, password="a-long-secret").start()
    host = f"127.0.0.1:{running.port}"
    for url in (f"bolt://{host}", f"bolt://neo4j:wrong-secret@{host}"):
        with pytest.raises(StoreUnavailable) as refused:
            await opened(url)
        assert "secret" not in str(refused.value)
    for url in (
        f"bolt://neo4j:a-long-secret@{host}",
        f"neo4j://{host}?user=neo4j&password=a-long-secret&database=neo4j",
    ):
        database = await opened(url)
        assert "secret" not in repr(await database.describe())
        await database.close()
    ours = [record for record in caplog.records if record.name.startswith("muniment")]
    assert not [record for record in ours if "secret" in record.getMessage() + repr(record.__dict__)]


def test_an_address_keeps_credentials_to_itself() -> None:
    address = parse_address("neo4j+s://me:p%40ss@db.example/graph")
    assert (address.url, address.user, address.password, address.database) == (
        "neo4j+s://db.example:7687",
        "me",
        "p@ss",
        "graph",
    )
    assert "p@ss" not in repr(address)
    assert parse_address("bolt://[::1]:7?user=a&password=b").url == "bolt://[::1]:7"
    for wrong in ("http://x", "neo4j://", "neo4j://x?color=red"):
        with pytest.raises(Invalid):
            parse_address(wrong)
