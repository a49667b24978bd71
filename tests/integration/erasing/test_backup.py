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
from tests.engines import Hands, engine_on, everything, made, objects, told
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


async def test_an_older_backup_does_not_bring_back_what_was_denied_since(
    store_url: str, elsewhere: str, tmp_path: Path
) -> None:
    clock = Hands()
    older, newer, newest = (tmp_path / f"{name}.backup" for name in ("older", "newer", "newest"))
    async with engine_on(store_url, clock) as old:
        memory = old.for_tenant("acme", actor="ann", all_walls=True)
        use = {o: made(await memory.assert_facts([told("Mira Holt", "uses", o)])) for o in ("paper", "chalk", "ink")}
        deal = made(await memory.assert_facts([told("Mira Holt", "uses", "wax", wall="deal")]))
        home = made(await memory.assert_facts([told("Mira Holt", "lives_in", "Graz")]))
        early = await memory.reject(use["ink"])
        await old.backup(older)
        clock.forward(days=1)
        await memory.reject(use["paper"])
        await memory.reject(deal)
        late = await memory.reject(use["chalk"])
        await memory.undo(early.id)
        await memory.correct(home, object={"name": "Lyon"})
        await memory.reject(made(await memory.assert_facts([told("Pia Roth", "uses", "tar")])))
        await old.backup(newer)
        clock.forward(days=1)
        await memory.undo(late.id)
        await old.backup(newest)
    async with engine_on(elsewhere, clock) as new:
        report = await new.restore(older, purges=[newest, newer])
        memory = new.for_tenant("acme", actor="tester", all_walls=True)
        counted = report.rejections[memory.space]
        assert (counted.denied, counted.accepted) == (4, 1)
        assert report.spaces[memory.space].complete
        assert await objects(memory, relation="uses") == {"chalk", "ink"}
        assert await objects(memory, relation="lives_in") == set()
        (row,) = [e for e in (await memory.audit()).items if e.verb == "replay_rejections"]
        assert (row.actor, row.detail["denied"], row.detail["accepted"]) == ("restore", 4, 1)
        assert (await memory.verify_audit()).ok
        told_again = [
            told("Mira Holt", "uses", " PAPER"),
            told("Pia Roth", "uses", "Tar"),
            told("Pia Roth", "uses", "tea"),
        ]
        await memory.assert_facts(told_again)
        assert await objects(memory, relation="uses") == {"chalk", "ink", "tea"}
        (denied,) = [f for f in (await memory.facts(status="rejected")).items if f.object.name == "paper"]
        assert denied.closed_by == "claim.rejected"
        await memory.undo(counted.receipts[0])
        assert await objects(memory, relation="uses") == {"paper", "chalk", "tea", "tar", "wax"}


async def test_a_file_from_before_the_backup_denies_nothing(elsewhere: str, tmp_path: Path) -> None:
    clock = Hands()
    older, newer = tmp_path / "older.backup", tmp_path / "newer.backup"
    async with engine_on(f"sqlite:///{tmp_path / 'old.db'}", clock) as old:
        memory = old.for_tenant("acme", actor="ann")
        rejected = await memory.reject(made(await memory.assert_facts([told("Mira Holt", "uses", "paper")])))
        await old.backup(older)
        await memory.undo(rejected.id)
        await old.backup(newer)
    async with engine_on(elsewhere, clock) as new:
        report = await new.restore(newer, purges=[older])
        assert report.rejections == {}
        assert await objects(new.for_tenant("acme"), relation="uses") == {"paper"}


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
