"""Backup and restore: all of a database comes back, on either store, but nothing of what was erased since."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from muniment.engine.bootstrap import open_engine
from muniment.engine.keys import Grant, KeyRing, Role
from muniment.engine.settings import Settings
from muniment.graph_schema.errors import Conflict, Invalid, NotFound, WrongEnvironment
from tests.engines import Hands, engine_on, everything, objects, told
from tests.integration.erasing.test_purge import MARKER, kept
from tests.integration.erasing.test_transfer import furnish, lines_of, questions


@pytest.fixture
def elsewhere(tmp_path: Path) -> str:
    """The URL of an empty store of another kind, or in another place."""
    (tmp_path / "elsewhere").mkdir()
    return f"sqlite:///{tmp_path / 'elsewhere' / 'store.db'}"


async def test_a_restored_database_answers_as_the_old_one(store_url: str, elsewhere: str, tmp_path: Path) -> None:
    clock = Hands()
    async with engine_on(store_url, clock) as old, engine_on(elsewhere, clock) as new:
        acme = old.for_tenant("acme", actor="tester", all_walls=True)
        await furnish(acme)
        await kept(acme, "The price is nine.", wall="deal")
        await kept(old.for_tenant("globex", actor="tester"), "Another tenant's note.")
        key = await KeyRing(old.database, clock=clock).create(Grant(tenant="acme", role=Role.READER), actor="tester")
        asked = await questions(acme)
        await old.tools.later.flush()
        report = await old.backup(tmp_path / "all.backup")
        assert set(report.spaces) == {"test/_system", "test/acme", "test/globex"}
        await new.restore(tmp_path / "all.backup")
        again = new.for_tenant("acme", actor="tester", all_walls=True)
        assert await everything(again) == await everything(acme)
        assert (await again.episodes()).items == (await acme.episodes()).items
        assert await questions(again) == asked
        assert (await again.verify_audit()).ok
        assert [e.text for e in (await new.for_tenant("globex").episodes()).items] == ["Another tenant's note."]
        assert (await KeyRing(new.database, clock=clock).authenticate(key.text)).tenant == "acme"
        receipt = (await acme.audit()).items[-1].ids[0]
        assert await again.receipt(receipt) == await acme.receipt(receipt)
        await again.assert_facts([told("Pia Roth", "uses", "tea")])
        assert await objects(again, subject="Pia Roth") == {"tea"}


async def test_a_backup_goes_to_the_other_store_and_back(store_url: str, elsewhere: str, tmp_path: Path) -> None:
    async with engine_on(elsewhere) as file:
        await furnish(file.for_tenant("acme", actor="tester"))
        before = await everything(file.for_tenant("acme"))
        await file.backup(tmp_path / "first.backup")
    async with engine_on(store_url) as engine:
        await engine.restore(tmp_path / "first.backup")
        assert await everything(engine.for_tenant("acme")) == before
        await engine.backup(tmp_path / "second.backup")
    async with engine_on(f"sqlite:///{tmp_path / 'back.db'}") as back:
        await back.restore(tmp_path / "second.backup")
        assert await everything(back.for_tenant("acme")) == before


async def test_an_older_backup_does_not_bring_back_what_was_purged_since(
    store_url: str, elsewhere: str, tmp_path: Path
) -> None:
    async with engine_on(store_url) as old:
        memory = old.for_tenant("acme", actor="tester", all_walls=True)
        (secret,) = await kept(memory, f"Mira Holt bought a {MARKER}.")
        await kept(memory, "Pia Roth works for Northwind.")
        await old.backup(tmp_path / "older.backup")
        await memory.purge({"episode": secret})
        await old.backup(tmp_path / "newer.backup")
    assert MARKER.encode() in gzip.decompress((tmp_path / "older.backup").read_bytes())
    assert MARKER.encode() not in gzip.decompress((tmp_path / "newer.backup").read_bytes())
    async with engine_on(elsewhere) as new:
        report = await new.restore(tmp_path / "older.backup", purges=[tmp_path / "newer.backup"])
        memory = new.for_tenant("acme", actor="tester", all_walls=True)
        assert report.spaces[memory.space].refused["episode"] == 1
        with pytest.raises(NotFound):
            await memory.episode(secret)
        assert not any(MARKER in line for line in await lines_of(memory))
        assert len((await memory.episodes()).items) == 1


async def test_restore_wants_an_empty_database(store_url: str, elsewhere: str, tmp_path: Path) -> None:
    async with engine_on(store_url) as old, engine_on(elsewhere) as new:
        await kept(old.for_tenant("acme"), "One.")
        await old.backup(tmp_path / "all.backup")
        await kept(new.for_tenant("globex"), "Two.")
        with pytest.raises(Conflict, match="not empty"):
            await new.restore(tmp_path / "all.backup")
        with pytest.raises(Invalid, match="there already"):
            await old.backup(tmp_path / "all.backup")


async def test_a_backup_of_another_environment_is_refused(store_url: str, elsewhere: str, tmp_path: Path) -> None:
    async with engine_on(store_url) as old:
        await kept(old.for_tenant("acme"), "One.")
        await old.backup(tmp_path / "all.backup")
    async with open_engine(elsewhere, settings=Settings(environment="other")) as new:
        with pytest.raises(WrongEnvironment):
            await new.restore(tmp_path / "all.backup")


@pytest.mark.parametrize("damage", ["cut", "line", "garbled"])
async def test_a_damaged_backup_is_refused_before_anything_is_written(
    elsewhere: str, tmp_path: Path, damage: str
) -> None:
    path = tmp_path / "all.backup"
    async with engine_on(f"sqlite:///{tmp_path / 'old.db'}") as old:
        await kept(old.for_tenant("acme"), "One.", "Two.")
        await old.backup(path)
    lines = gzip.decompress(path.read_bytes()).splitlines()
    episode = next(n for n, line in enumerate(lines) if json.loads(line)["record"] == "episode")
    match damage:
        case "cut":
            path.write_bytes(path.read_bytes()[:-40])
        case "line":
            path.write_bytes(gzip.compress(b"\n".join([*lines[:episode], *lines[episode + 1 :]])))
        case _:
            path.write_bytes(
                gzip.compress(b"\n".join([*lines[:episode], b'{"record": "episode"}', *lines[episode + 1 :]]))
            )
    async with engine_on(elsewhere) as new:
        with pytest.raises(Invalid):
            await new.restore(path)
        assert await new.database.spaces() == []
        assert not (tmp_path / "all.backup.part").exists()


async def test_only_its_owner_can_read_a_backup(elsewhere: str, tmp_path: Path) -> None:
    async with engine_on(elsewhere) as engine:
        await kept(engine.for_tenant("acme"), "One.")
        await engine.backup(tmp_path / "all.backup")
    assert (tmp_path / "all.backup").stat().st_mode & 0o077 == 0
