"""Units: all or nothing, one after the other, still there after reopening; texts of every kind come back."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from muniment.engine.bootstrap import open_database
from muniment.engine.ports.search import SearchRequest
from muniment.engine.ports.store import Database, EntityKey, TenantStore, Unit
from muniment.graph_schema.errors import NotFound, StoreUnavailable, WrongEnvironment
from muniment.graph_schema.ids import EntityId, EpisodeId, FactId, JobId, Space
from muniment.graph_schema.records import Alias, Episode, Kind, Quote
from tests.builders import NOW, assertion, document, entity, episode, fact, indexed, job, read_filter, ref, summary

ODD_TEXTS = {
    "nul": "before\0after",
    "only a nul": "\0",
    "lone surrogates": "\ud800 high, \udfff low, \udc00\ud800 turned",
    "a pair of lone ones": "\ud83d\ude00",
    "emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 😀",
    "right to left": "مرحبا بالعالم שלום",
    "chinese": "王小明在上海分公司负责采购",
    "escapes": "\\ \\u0000 \\\\ \\ud800 \"quoted\" 'single' \n\r\t\x1b",
    "combining": "e\u0301 \u202e reversed \ufeff",
    "long": "a long text, " * 16_000,
}


async def test_a_block_that_raises_leaves_nothing(store: TenantStore) -> None:
    async with store.write() as unit:
        await unit.put_documents([document(body={"n": 1})])

    async def fail_at_the_end() -> None:
        async with store.write() as unit:
            await unit.put_documents([document(body={"n": 2}), document("d2")])
            await unit.put_episodes([episode()])
            await unit.put_jobs([job()])
            assert await unit.job(JobId("j1")) is not None
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail_at_the_end()
    assert await store.document("note", "d1") == document(body={"n": 1})
    assert await store.document("note", "d2") is None
    assert await store.episodes([EpisodeId("ep1")]) == []
    assert await store.jobs() == []


async def test_a_refused_write_leaves_nothing_of_its_unit(store: TenantStore) -> None:
    async def write_a_fact_without_its_entities() -> None:
        async with store.write() as unit:
            await unit.put_episodes([episode()])
            await unit.put_facts([fact()])

    with pytest.raises(NotFound):
        await write_a_fact_without_its_entities()
    assert await store.episodes([EpisodeId("ep1")]) == []
    async with store.write() as unit:
        await unit.put_episodes([episode()])
    assert len(await store.episodes([EpisodeId("ep1")])) == 1


async def test_an_error_of_any_kind_leaves_nothing_though_the_block_catches_it(store: TenantStore) -> None:
    async def catch_what_cannot_be_written() -> None:
        async with store.write() as unit:
            await unit.put_episodes([episode()])
            await unit.put_documents([document(body={"no JSON": object()})])
            with suppress(TypeError):
                await unit.document("note", "d1")

    with pytest.raises(TypeError):
        await catch_what_cannot_be_written()
    assert await store.episodes([EpisodeId("ep1")]) == []
    async with store.write() as unit:
        await unit.put_episodes([episode()])


async def test_a_cancelled_unit_leaves_nothing_and_frees_the_store(store: TenantStore) -> None:
    inside = asyncio.Event()

    async def never_ends() -> None:
        async with store.write() as unit:
            await unit.put_episodes([episode()])
            inside.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(never_ends())
    await inside.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with store.write() as unit:
        assert await unit.episodes([EpisodeId("ep1")]) == []
        await unit.put_episodes([episode("ep2")])
    assert len(await store.episodes([EpisodeId("ep1"), EpisodeId("ep2")])) == 1


async def test_a_unit_reads_what_it_wrote_and_others_do_not(store: TenantStore) -> None:
    async with store.write() as unit:
        await unit.put_entities([entity("ana"), entity("acme")])
        await unit.put_facts([fact()])
        assert (await unit.edges([EntityId("ana")], read_filter())).degrees == {"ana": 1}
        assert [one.id for one in (await unit.entities_by_alias(["ana"]))["ana"]] == ["ana"]
        assert await store.facts([FactId("f1")]) == []
    assert await store.facts([FactId("f1")]) == [fact()]


async def test_units_of_one_space_are_serial(store: TenantStore) -> None:
    async def increment() -> None:
        for _ in range(5):
            async with store.write() as unit:
                found = await unit.document("counter", "c")
                count = found.body["n"] if found else 0
                await asyncio.sleep(0)
                await unit.put_documents([document("c", "counter", body={"n": count + 1})])

    await asyncio.gather(*(increment() for _ in range(8)))
    found = await store.document("counter", "c")
    assert found is not None
    assert found.body == {"n": 40}


async def test_five_writers_naming_one_new_person_make_one(store: TenantStore) -> None:
    key = EntityKey(wall="", type="person", key="alice")

    async def name_alice(number: int) -> None:
        async with store.write() as unit:
            if not await unit.entities_by_key([key]):
                await unit.put_entities([entity(f"alice{number}", "Alice")])

    await asyncio.gather(*(name_alice(number) for number in range(5)))
    assert len(await store.entities_by_key([key])) == 1


async def test_concurrent_searches_keep_their_own_limits(store: TenantStore) -> None:
    async with store.write() as unit:
        await unit.put_entities([entity("ana"), entity("acme")])
        await unit.put_facts([fact(f"f{n}") for n in range(60)])
        await unit.put_index([indexed(Kind.FACT, f"f{n}", "zebra") for n in range(60)])
    limits = [1, 50, 7, 50, 1, 60]
    found = await asyncio.gather(
        *(store.search(SearchRequest(filter=read_filter(), terms=("zebra",), limit=limit)) for limit in limits)
    )
    assert [len(one) for one in found] == limits


async def test_everything_is_there_after_reopening(database: Database, store_url: str, store: TenantStore) -> None:
    async with store.write() as unit:
        await unit.put_entities([entity("ana"), entity("acme")])
        await unit.put_facts([fact()])
        await unit.put_index([indexed(Kind.FACT, "f1", "zebra")])
    await database.close()
    reopened = await open_database(store_url, environment="dev", clock=lambda: NOW)
    try:
        again = reopened.space(store.space)
        assert await again.facts([FactId("f1")]) == [fact()]
        found = await again.search(SearchRequest(filter=read_filter(), terms=("zebra",)))
        assert [one.memory for one in found] == [fact()]
    finally:
        await reopened.close()


async def test_a_closed_database_does_not_answer(database: Database, store: TenantStore) -> None:
    await database.close()
    await database.close()
    with pytest.raises(StoreUnavailable):
        await store.episodes([EpisodeId("ep1")])
    with pytest.raises(StoreUnavailable):
        async with store.write() as unit:
            await unit.put_episodes([episode()])


async def test_a_database_of_another_environment_is_refused(database: Database, store_url: str) -> None:
    await database.close()
    with pytest.raises(WrongEnvironment, match="dev"):
        await open_database(store_url, environment="prod")
    again = await open_database(store_url, environment="dev")
    assert again.environment == "dev"
    await again.close()


async def test_a_database_describes_itself(database: Database) -> None:
    described = await database.describe()
    assert described["store"] == database.capabilities.name
    assert described["environment"] == "dev"
    assert int(described["schema_version"]) >= 1
    assert all(isinstance(value, str) for value in described.values())


@pytest.mark.parametrize("name", ODD_TEXTS)
async def test_odd_texts_come_back_as_given(name: str, store: TenantStore) -> None:
    text = ODD_TEXTS[name]
    short = text[:200]
    nested = {"text": short, short: [short, {"deeper": {short: [[short]]}}]}
    told = episode(text=text, title=short, speaker=short, thread=short, external_id=short, metadata=nested)
    person = entity("ana", short, summary=text, aliases=(Alias(key=short, name=short),), attributes=nested)
    held = fact(
        text=text,
        attributes=nested,
        slot=short,
        evidence=(Quote(episode=EpisodeId("ep1"), quote=short, start=0, end=1),),
    )
    said = assertion(text=text, quote=short, slot=short, attributes=nested)
    about = summary(text=text, topic=short, covers=(short,))
    async with store.write() as unit:
        await unit.put_episodes([told])
        await unit.put_entities([person, entity("acme")])
        await unit.put_assertions([said])
        await unit.put_facts([held])
        await unit.put_summaries([about])
        await unit.put_documents([document(body=nested, ref=short)])
        await unit.put_jobs([job(payload=nested, reason=short)])
        await unit.put_index([indexed(Kind.FACT, "f1", "zebra")])
    assert await store.episodes([told.id]) == [told]
    assert await store.episodes_by_external_id([short]) == {short: told.id}
    assert await store.thread_ends([short]) == {short: 0}
    assert (await store.entities_by_alias([short])) == {short: (person,)}
    assert await store.assertions_of_slots([short]) == [said]
    assert await store.facts_of_slots([short]) == [held]
    assert await store.summaries([about.id]) == [about]
    assert await store.document("note", "d1") == document(body=nested, ref=short)
    assert await store.job(JobId("j1")) == job(payload=nested, reason=short)
    assert [one.memory for one in await store.search(SearchRequest(filter=read_filter(), terms=("zebra",)))] == [held]


async def test_an_odd_wall_and_an_odd_id_are_walls_and_ids(database: Database) -> None:
    odd = 'a "b" \\ \0 \ud800 é'
    space = Space("dev/acme")
    inside, outside = database.space(space, walls=frozenset({odd})), database.space(space, walls=frozenset({"a"}))
    async with inside.write() as unit:
        await unit.put_episodes([episode(odd, wall=odd)])
    assert [one.id for one in await inside.episodes([EpisodeId(odd)])] == [odd]
    assert await outside.episodes([EpisodeId(odd)]) == []


async def test_big_batches_are_written_whole(store: TenantStore) -> None:
    async with store.write() as unit:
        await unit.put_entities([entity(f"e{n}") for n in range(1500)])
        await unit.put_facts([fact(f"f{n}", subject=ref(f"e{n}"), object=ref(f"e{n // 2}")) for n in range(1500)])
    assert len(await store.facts([FactId(f"f{n}") for n in range(1500)])) == 1500
    degrees = (await store.edges([EntityId(f"e{n}") for n in range(1500)], read_filter())).degrees
    assert sum(degrees.values()) == 2999


async def put_and_read(unit: Unit, one: Episode) -> None:
    """By a read at the latest a write has told its error."""
    await unit.put_episodes([one])
    await unit.episodes([one.id])


async def test_a_write_that_raised_dooms_its_unit(store: TenantStore) -> None:
    async def write_on() -> None:
        async with store.write() as unit:
            await unit.put_episodes([episode("before")])
            for _ in range(2):
                with pytest.raises(NotFound, match="hidden"):
                    await put_and_read(unit, episode("hidden", wall="deal"))

    with pytest.raises(NotFound, match="hidden"):
        await write_on()
    assert await store.episodes([EpisodeId("before"), EpisodeId("hidden")]) == []
    async with store.write() as unit:
        await unit.put_episodes([episode("before")])
    assert len(await store.episodes([EpisodeId("before")])) == 1
