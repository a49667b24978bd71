"""What a SQLite file is: ours or refused, of one environment, of a known version, without a trace of what was erased."""
# ruff: noqa: ASYNC240 — these tests look at files between operations; nothing else runs in their loop

from __future__ import annotations

import asyncio
import logging
import sqlite3
import tempfile
import time
from pathlib import Path

import pytest

from muniment.engine.bootstrap import open_database
from muniment.engine.ports.search import SearchRequest
from muniment.engine.ports.store import Erasable
from muniment.engine.stores.sqlite.connection import Location
from muniment.engine.stores.sqlite.database import open_sqlite
from muniment.engine.stores.sqlite.migrations import APPLICATION_ID, migrations
from muniment.engine.stores.sqlite.rows import COLUMNS, assertion_row
from muniment.engine.stores.sqlite.threads import Threads
from muniment.graph_schema.errors import Invalid, StoreUnavailable, WrongEnvironment
from muniment.graph_schema.ids import EpisodeId, FactId, Space
from muniment.graph_schema.records import Kind
from tests.builders import assertion, document, entity, episode, fact, indexed, read_filter, unit_vector

ACME = Space("dev/acme")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "a file %41 ?#.db"


async def make(path: Path) -> None:
    database = await open_sqlite(str(path), environment="dev")
    async with database.space(ACME).write() as unit:
        await unit.put_episodes([episode(text="kept")])
    await database.close()


def bytes_of(path: Path) -> dict[str, bytes]:
    return {found.name: found.read_bytes() for found in path.parent.glob(f"{path.name}*")}


async def test_a_new_file_is_made_with_its_folder_and_stamped(path: Path) -> None:
    await make(path)
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    assert connection.execute("PRAGMA user_version").fetchone()[0] == migrations()[-1].version
    assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert connection.execute("SELECT value FROM meta WHERE key = 'environment'").fetchone()[0] == "dev"
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()


async def test_it_is_opened_again(path: Path) -> None:
    await make(path)
    database = await open_sqlite(str(path), environment="dev")
    assert [one.text for one in await database.space(ACME).episodes([EpisodeId("ep1")])] == ["kept"]
    await database.close()


async def test_another_environments_file_is_refused_and_left_alone(path: Path) -> None:
    await make(path)
    before = path.read_bytes()
    with pytest.raises(WrongEnvironment, match=r"'dev'.*'prod'"):
        await open_sqlite(str(path), environment="prod")
    assert path.read_bytes() == before


async def test_a_newer_file_is_refused_and_left_alone(path: Path) -> None:
    await make(path)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreUnavailable, match=r"schema version 999.*up to"):
        await open_sqlite(str(path), environment="dev")
    assert path.read_bytes() == before


async def test_another_programs_database_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE facts (id TEXT)")
    connection.commit()
    connection.close()
    before = bytes_of(path)
    with pytest.raises(StoreUnavailable, match="another program"):
        await open_sqlite(str(path), environment="dev")
    assert bytes_of(path) == before


async def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("Dear diary, " * 1000)
    before = bytes_of(path)
    with pytest.raises(StoreUnavailable, match="is not a database"):
        await open_sqlite(str(path), environment="dev")
    assert bytes_of(path) == before


async def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="does not answer"):
        await open_sqlite(str(tmp_path), environment="dev")
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreUnavailable, match="cannot make the folder"):
        await open_sqlite(str(tmp_path / "file" / "x.db"), environment="dev")


async def test_a_url_with_a_nul_is_refused() -> None:
    with pytest.raises(Invalid, match="NUL"):
        await open_database("sqlite:///x\0y", environment="dev")


async def test_a_damaged_file_is_unavailable(path: Path) -> None:
    await make(path)
    raw = bytearray(path.read_bytes())
    raw[8192:] = b"\xff" * (len(raw) - 8192)
    path.write_bytes(bytes(raw))
    with pytest.raises(StoreUnavailable) as raised:
        await open_sqlite(str(path), environment="dev")
    assert isinstance(raised.value.__cause__, sqlite3.DatabaseError)


async def test_openings_at_once_migrate_once(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    databases = await asyncio.gather(*(open_sqlite(str(path), environment="dev") for _ in range(5)))
    applied = [record for record in caplog.records if record.message == "migration applied"]
    assert len(applied) == len(migrations())
    for database in databases:
        await database.close()


async def test_a_failed_migration_leaves_an_empty_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = migrations()
    bad = [*good, good[-1]._replace(version=good[-1].version + 1, script="CREATE TABLE x (a);\nCREATE TABLE x (a);\n")]
    with monkeypatch.context() as patched:
        patched.setattr("muniment.engine.stores.sqlite.migrations.migrations", lambda: bad)
        with pytest.raises(StoreUnavailable, match="already exists"):
            await open_sqlite(str(path), environment="dev")
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    connection.close()
    await make(path)


async def test_evidence_in_a_file_of_the_first_schema_is_read_after_it_is_migrated(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        first = migrations()[:1]
        patched.setattr("muniment.engine.stores.sqlite.migrations.migrations", lambda: first)
        await (await open_sqlite(str(path), environment="dev")).close()
    given = assertion("a1")
    columns = [name for name in COLUMNS["assertion"] if name != "turned_by"]
    row = [value for name, value in zip(COLUMNS["assertion"], assertion_row(given), strict=True) if name in columns]
    connection = sqlite3.connect(path)
    marks = ", ".join("?" * (len(columns) + 1))
    connection.execute(f"INSERT INTO assertions (space, {', '.join(columns)}) VALUES ({marks})", (ACME, *row))
    connection.commit()
    connection.close()
    database = await open_sqlite(str(path), environment="dev")
    assert await database.space(ACME).assertions([given.id]) == [given]
    await database.close()


async def test_a_write_that_waits_too_long_is_refused_and_works_later(path: Path) -> None:
    await make(path)
    database = await open_sqlite(str(path), environment="dev", busy_timeout_s=0.1)
    store = database.space(ACME)

    async def write() -> None:
        async with store.write() as unit:
            await unit.put_documents([document()])

    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match="locked"):
        await write()
    assert len(await store.episodes([EpisodeId("ep1")])) == 1
    other.execute("ROLLBACK")
    other.close()
    await write()
    assert await store.document("note", "d1") is not None
    await database.close()


async def test_a_full_disk_is_unavailable_and_leaves_nothing_half_written(path: Path) -> None:
    await make(path)
    database = await open_sqlite(str(path), environment="dev")
    store = database.space(ACME)

    async def write(size: int) -> None:
        async with store.write() as unit:
            await unit.put_documents([document()])
            await unit.put_episodes([episode("big", text="x" * size)])

    writer = database._threads.writer
    assert writer is not None
    pages = writer.execute("PRAGMA page_count").fetchone()[0]
    # SQLite says the same of a limit reached and of a disk without room.
    await database._threads.on_writer(lambda: writer.execute(f"PRAGMA max_page_count = {pages + 5}"))
    with pytest.raises(StoreUnavailable, match="full"):
        await write(500_000)
    assert await store.document("note", "d1") is None
    await write(5_000)
    assert await store.document("note", "d1") is not None
    await database.close()


async def test_a_unit_inside_a_unit_is_an_error_and_not_a_wait_without_end(path: Path) -> None:
    database = await open_sqlite(str(path), environment="dev")
    store = database.space(ACME)

    async def nested() -> None:
        async with store.write() as outer, store.write() as inner:
            await inner.put_episodes([episode()])
            await outer.put_episodes([episode()])

    with pytest.raises(RuntimeError, match="inside a transaction"):
        await asyncio.wait_for(nested(), timeout=5)
    async with store.write() as unit:
        await unit.put_episodes([episode()])
    await database.close()


async def test_memory_databases_are_each_their_own_and_gone_when_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    one, two = await open_database("sqlite://", environment="dev"), await open_database("sqlite://", environment="prod")
    async with one.space(ACME).write() as unit:
        await unit.put_episodes([episode()])
        assert await one.space(ACME).episodes([EpisodeId("ep1")]) == []
    found = await asyncio.gather(*(one.space(ACME).episodes([EpisodeId("ep1")]) for _ in range(20)))
    assert [len(episodes) for episodes in found] == [1] * 20
    assert await two.spaces() == []
    assert len(list(tmp_path.iterdir())) == 2
    await one.close()
    await two.close()
    assert list(tmp_path.iterdir()) == []


async def test_paths_are_relative_or_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    await (await open_database("sqlite:///here.db", environment="dev")).close()
    await (await open_database(f"sqlite:///{tmp_path}/there.db", environment="dev")).close()
    assert {found.name for found in tmp_path.iterdir()} >= {"here.db", "there.db"}
    for wrong in ("sqlite:", "sqlite:/x.db", "sqlite://host/x.db", "mysql://x", "x.db", ""):
        with pytest.raises(Invalid):
            await open_database(wrong, environment="dev")


async def test_nothing_of_an_erased_text_is_left_in_any_file(path: Path) -> None:
    database = await open_sqlite(str(path), environment="dev")
    store = database.space(ACME)
    vector = unit_vector(0.1234, 0.5, 0.7, dim=384)
    secrets = [b"the secret of Kiloku", b"kiloku", "密语甲".encode(), vector.tobytes()]
    async with store.write() as unit:
        await unit.put_entities([entity("ana"), entity("acme")])
        await unit.put_episodes([episode(f"e{n}", text=f"Other text {n}. " * 40) for n in range(300)])
        await unit.put_index([indexed(Kind.EPISODE, f"e{n}", f"other{n} text", unit_vector(1, n)) for n in range(300)])
        await unit.put_episodes(
            [episode("secret", text="the secret of Kiloku 密语甲 " * 2000, title="the secret of Kiloku")]
        )
        await unit.put_facts([fact(text="the secret of Kiloku 密语甲")])
        await unit.put_index([indexed(Kind.EPISODE, "secret", "secret kiloku 密语甲", vector)])
        await unit.put_index([indexed(Kind.FACT, "f1", "secret kiloku 密语甲", vector)])
    asked = SearchRequest(filter=read_filter(), terms=("kiloku",))
    assert len(await store.search(asked)) == 2
    assert all(any(secret in raw for raw in bytes_of(path).values()) for secret in secrets)
    async with store.write() as unit:
        await unit.erase(Erasable.EPISODE, ["secret"])
        await unit.erase(Erasable.FACT, ["f1"])
    await database.scrub()
    left = {name: [secret for secret in secrets if secret in raw] for name, raw in bytes_of(path).items()}
    assert left == {name: [] for name in left}
    assert len(left) >= 2
    assert await store.search(asked) == []
    others = SearchRequest(filter=read_filter(), terms=("other7",))
    assert [one.memory.id for one in await store.search(others)] == ["e7"]
    assert await store.fact_versions(FactId("f1")) == []
    await database.close()


async def test_a_database_closes_while_more_is_read_than_there_are_threads(path: Path) -> None:
    path.parent.mkdir(parents=True)
    threads = Threads(Location(path=str(path)))
    await threads.open()
    reading = [asyncio.create_task(threads.on_reader(lambda _: time.sleep(0.002))) for _ in range(60)]
    await asyncio.sleep(0.01)
    await threads.close()
    answers = await asyncio.gather(*reading, return_exceptions=True)
    assert None in answers
    assert {type(answer) for answer in answers} <= {type(None), StoreUnavailable}
    with pytest.raises(StoreUnavailable, match="closed"):
        await threads.on_reader(lambda _: None)
