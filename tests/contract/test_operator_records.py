"""Keys, tenants and kept answers on every store."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
import pytest_asyncio

from muniment.engine.answers import Answer, KeptAnswers, Request, forget_answers
from muniment.engine.bootstrap import open_database
from muniment.engine.keys import Grant, KeyRing, Role
from muniment.engine.ports.store import Database
from muniment.engine.system import system_store, tenant_store
from muniment.engine.tenants import create_tenant, list_tenants
from muniment.engine.write.audit import verify
from muniment.graph_schema.errors import Conflict, Invalid, NotFound, TenantRequired, Unauthenticated, UnderWay

START = datetime(2026, 3, 1, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest_asyncio.fixture
async def database(store_url: str) -> AsyncIterator[Database]:
    opened = await open_database(store_url, environment="dev")
    yield opened
    await opened.close()


@pytest.fixture
def keys(database: Database, clock: Clock) -> KeyRing:
    return KeyRing(database, clock=clock)


def reader(tenant: str = "acme", **more: object) -> Grant:
    return Grant(tenant=tenant, role=Role.READER, **more)  # type: ignore[arg-type]


async def test_a_purge_forgets_the_answers_of_its_tenant_only(database: Database, clock: Clock) -> None:
    answers = KeptAnswers(database, keep=timedelta(hours=24), clock=clock)
    asked = [Request(caller="k", key=f"key-{t}", fingerprint="f", tenant=t) for t in ("acme", "globex")]
    pending = Request(caller="k", key="under way", fingerprint="f", tenant="acme")
    for request in asked:
        assert await answers.begin(request) is None
        await answers.keep(request, Answer(status=201, body={"text": "marker"}))
    assert await answers.begin(pending) is None
    assert await forget_answers(database, "acme") == 1
    assert await answers.begin(asked[0]) is None
    assert await answers.begin(asked[1]) == Answer(status=201, body={"text": "marker"})
    with pytest.raises(Conflict):
        await answers.begin(pending)


async def test_a_new_key_is_recognised_with_its_grant(keys: KeyRing) -> None:
    grant = Grant(tenant="acme", role=Role.WRITER, walls=frozenset({"matter 7"}), name="bot")
    made = await keys.create(grant, actor="test")
    found = await keys.authenticate(made.text)
    assert made.text.startswith(f"mk_{found.id}_")
    assert (found.tenant, found.role, found.walls, found.name) == ("acme", Role.WRITER, frozenset({"matter 7"}), "bot")


async def test_the_secret_is_stored_nowhere(keys: KeyRing, database: Database) -> None:
    made = await keys.create(reader(), actor="test")
    secret = made.text.split("_", 2)[2]
    document = await system_store(database).document("key", made.key.id)
    assert document is not None
    assert secret not in repr(document)
    assert secret not in repr(made)


@pytest.mark.parametrize("wrong", ["", "mk_", "mk_x_y", "bearer", "mk_{id}_" + "0" * 64, "mk_{id}", "é" * 20, "mk__"])
async def test_a_wrong_key_is_told_nothing(keys: KeyRing, wrong: str) -> None:
    made = await keys.create(reader(), actor="test")
    with pytest.raises(Unauthenticated, match=r"^the key is unknown, expired or revoked$"):
        await keys.authenticate(wrong.replace("{id}", made.key.id))


async def test_an_expired_key_is_refused_from_its_last_moment_on(keys: KeyRing, clock: Clock) -> None:
    made = await keys.create(reader(expires_at=START + timedelta(hours=1)), actor="test")
    clock.now += timedelta(minutes=59)
    await keys.authenticate(made.text)
    clock.now += timedelta(minutes=1)
    with pytest.raises(Unauthenticated):
        await keys.authenticate(made.text)


async def test_a_revoked_key_is_refused_at_once_and_revoking_it_again_changes_nothing(keys: KeyRing) -> None:
    made = await keys.create(reader(), actor="test")
    first = await keys.revoke(made.key.id, actor="test")
    assert await keys.revoke(made.key.id, actor="test") == first
    with pytest.raises(Unauthenticated):
        await keys.authenticate(made.text)


async def test_a_rotated_key_works_until_the_overlap_ends(keys: KeyRing, clock: Clock) -> None:
    old = await keys.create(reader(walls=frozenset({"m"})), actor="test")
    new = await keys.rotate(old.key.id, actor="test", overlap=timedelta(minutes=5))
    assert (await keys.authenticate(old.text)).id != (await keys.authenticate(new.text)).id
    assert new.key.walls == {"m"}
    clock.now += timedelta(minutes=5)
    await keys.authenticate(new.text)
    with pytest.raises(Unauthenticated):
        await keys.authenticate(old.text)


async def test_a_revoked_key_is_not_rotated(keys: KeyRing) -> None:
    made = await keys.create(reader(), actor="test")
    await keys.revoke(made.key.id, actor="test")
    with pytest.raises(Conflict):
        await keys.rotate(made.key.id, actor="test", overlap=timedelta())


async def test_another_tenants_key_is_not_found(keys: KeyRing) -> None:
    made = await keys.create(reader("acme"), actor="test")
    for verb in (keys.get(made.key.id, tenant="globex"), keys.revoke(made.key.id, actor="x", tenant="globex")):
        with pytest.raises(NotFound, match=made.key.id):
            await verb
    assert (await keys.get(made.key.id, tenant="acme")).revoked_at is None


async def test_keys_are_listed_oldest_first_and_by_tenant(keys: KeyRing) -> None:
    made = [await keys.create(reader(tenant), actor="test") for tenant in ("acme", "globex", "acme")]
    assert [key.id for key in await keys.list()] == [one.key.id for one in made]
    assert [key.id for key in await keys.list(tenant="acme")] == [made[0].key.id, made[2].key.id]


async def test_only_an_operators_key_may_be_of_no_tenant(keys: KeyRing) -> None:
    await keys.create(Grant(tenant="", role=Role.OPERATOR), actor="test")
    with pytest.raises(TenantRequired):
        await keys.create(Grant(tenant="", role=Role.ADMIN), actor="test")


@pytest.mark.parametrize("name", ["_system", "a/b", "a b", "-x", "x" * 65])
async def test_a_tenant_cannot_be_named_into_another_space(keys: KeyRing, name: str) -> None:
    with pytest.raises(Invalid):
        await keys.create(reader(name), actor="test")


@pytest.mark.parametrize("wall", ["", "*", " x", "x "])
async def test_a_wall_is_named_not_matched(keys: KeyRing, wall: str) -> None:
    with pytest.raises(Invalid, match="wall"):
        await keys.create(reader(walls=frozenset({wall})), actor="test")


async def test_what_happens_to_keys_stands_in_the_tenants_audit_chain(keys: KeyRing, database: Database) -> None:
    made = await keys.create(reader(), actor="root")
    await keys.revoke(made.key.id, actor="root")
    check = await verify(tenant_store(database, "acme"))
    assert check.ok
    assert check.entries == 2


async def test_a_tenant_is_made_once_and_listed_with_those_that_have_memories(
    keys: KeyRing, database: Database
) -> None:
    await create_tenant(database, "globex")
    await keys.create(reader("acme"), actor="test")
    with pytest.raises(Conflict):
        await create_tenant(database, "globex")
    assert [tenant.name for tenant in await list_tenants(database)] == ["acme", "globex"]


def asked(key: str = "k1", fingerprint: str = "f1", caller: str = "c1") -> Request:
    return Request(caller=caller, key=key, fingerprint=fingerprint)


@pytest.fixture
def answers(database: Database, clock: Clock) -> KeptAnswers:
    return KeptAnswers(database, keep=timedelta(hours=24), clock=clock)


async def test_a_repeated_request_gets_the_kept_answer_for_a_day(answers: KeptAnswers, clock: Clock) -> None:
    assert await answers.begin(asked()) is None
    await answers.keep(asked(), Answer(status=200, body={"id": "r1"}))
    assert await answers.begin(asked()) == Answer(status=200, body={"id": "r1"})
    clock.now += timedelta(hours=24)
    assert await answers.begin(asked()) is None


async def test_the_same_key_with_another_request_is_a_conflict(answers: KeptAnswers) -> None:
    await answers.begin(asked())
    await answers.keep(asked(), Answer(status=200, body={}))
    with pytest.raises(Conflict, match="another request"):
        await answers.begin(asked(fingerprint="f2"))


async def test_a_request_under_way_is_not_done_twice(answers: KeptAnswers) -> None:
    await answers.begin(asked())
    with pytest.raises(Conflict, match="under way"):
        await answers.begin(asked())
    await answers.drop(asked())
    assert await answers.begin(asked()) is None


async def test_a_repetition_waits_for_the_answer_of_the_same_request_under_way(answers: KeptAnswers) -> None:
    assert await answers.begin(asked()) is None
    waiting = asyncio.create_task(answers.begin_in_turn(asked(), wait_s=60))
    await asyncio.sleep(0.05)
    assert not waiting.done()
    with pytest.raises(Conflict, match="another request"):
        await answers.begin_in_turn(asked(fingerprint="f2"), wait_s=60)
    await answers.keep(asked(), Answer(status=200, body={"id": "r1"}))
    assert await waiting == Answer(status=200, body={"id": "r1"})


async def test_of_repetitions_that_wait_one_is_done_where_the_first_came_to_nothing(answers: KeptAnswers) -> None:
    await answers.begin(asked())
    waiting = [asyncio.create_task(answers.begin_in_turn(asked(), wait_s=60)) for _ in range(3)]
    await asyncio.sleep(0.05)
    await answers.drop(asked())
    first, *_ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    assert [task.result() for task in first] == [None]
    await answers.keep(asked(), Answer(status=200, body={"id": "r1"}))
    results = await asyncio.gather(*waiting)
    assert results.count(None) == 1
    assert results.count(Answer(status=200, body={"id": "r1"})) == 2


async def test_the_wait_for_a_request_under_way_has_an_end(answers: KeptAnswers) -> None:
    await answers.begin(asked())
    with pytest.raises(UnderWay):
        await answers.begin_in_turn(asked(), wait_s=0.05)


async def test_the_place_of_a_process_that_died_is_free_soon_and_that_of_one_that_lives_is_held(
    answers: KeptAnswers, clock: Clock
) -> None:
    assert await answers.begin(asked()) is None
    clock.now += timedelta(seconds=61)
    assert await answers.begin(asked()) is None
    async with answers.held(asked(), every_s=0.01):
        clock.now += timedelta(seconds=59)
        await asyncio.sleep(0.2)
        clock.now += timedelta(seconds=59)
        with pytest.raises(UnderWay):
            await answers.begin(asked())
    await answers.keep(asked(), Answer(status=200, body={"id": "r1"}))
    assert await answers.begin(asked()) == Answer(status=200, body={"id": "r1"})


async def test_an_answer_belongs_to_the_caller_who_asked(answers: KeptAnswers) -> None:
    await answers.begin(asked())
    await answers.keep(asked(), Answer(status=200, body={"id": "r1"}))
    assert await answers.begin(asked(caller="c2")) is None


async def test_old_answers_are_swept_away(answers: KeptAnswers, clock: Clock, database: Database) -> None:
    await answers.begin(asked("old"))
    await answers.keep(asked("old"), Answer(status=200, body={}))
    clock.now += timedelta(hours=25)
    await answers.begin(asked("new"))
    store = system_store(database)
    assert await store.document("answer", asked("old").id) is None
    assert await store.document("answer", asked("new").id) is not None
