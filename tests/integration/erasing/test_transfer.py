"""Export and import: everything comes over, twice is once, and what was erased or rejected does not come back."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from muniment.engine.memory import Memory
from muniment.graph_schema.errors import Invalid, NotFound
from muniment.graph_schema.records import Action
from tests.engines import Hands, changes, engine_on, everything, memory_on, objects, told
from tests.integration.erasing.test_purge import MARKER, kept, said

LATER = "2026-04-01T09:00:00Z"


async def lines_of(memory: Memory, **choice: Any) -> list[str]:
    return [json.dumps(line) async for line in memory.export(**choice)]


async def furnish(memory: Memory) -> None:
    """A tenant with some of everything."""
    await memory.set_ontology({"relations": [{"name": "drives", "cardinality": "one"}]})
    await memory.remember(
        [
            said("Mira Holt works for Northwind.", external_id="m1", title="Mira Holt"),
            said("Tomas Brandt moved to Bergen.", external_id="m2", thread="t", importance=5),
            said("王小明在上海分公司负责采购。", external_id="m3", metadata={"tags": ["x", {"y": 1}]}),
            said("Mira Holt prefers email over phone calls.", scope={"user": "u1"}),
        ]
    )
    (first,) = (
        await memory.assert_facts([told("Mira Holt", "drives", "a van", valid_at="2025-01-01T00:00:00Z")])
    ).changes[-1:]
    await memory.assert_facts([told("Mira Holt", "drives", "a tram", valid_at="2026-01-01T00:00:00Z")])
    await memory.pin(first.id)
    receipt = await memory.assert_facts([told("Northwind", "uses", "paper")])
    (paper,) = changes(receipt, Action.CREATED)
    await memory.reject(paper.id)
    await memory.retract((await memory.assert_facts([told("Northwind", "uses", "chalk")])).changes[-1].id)
    one = await memory.assert_facts([told("Northwind Trading House", "uses", "ink")])
    del one
    ids = [page.entity.id for page in (await memory.entities(q="northwind")).items]
    if len(ids) == 2:
        await memory.merge(ids)


async def questions(memory: Memory) -> list[Any]:
    asked = (
        "Where does Mira Holt work?",
        "Who moved to Bergen?",
        "采购",
        "What does Mira Holt drive?",
        "email or phone",
    )
    answers = []
    for question in asked:
        found = (await memory.recall(question, scope={"user": "u1"})).recall.hits
        answers.append([(hit.kind, hit.id, round(hit.score, 4)) for hit in found])
    return answers


@pytest.mark.parametrize("vectors", [False, True])
async def test_a_tenant_comes_over_whole_and_answers_alike(store_url: str, tmp_path: Path, vectors: bool) -> None:
    elsewhere = f"sqlite:///{tmp_path / 'other' / 'store.db'}"
    (tmp_path / "other").mkdir()
    clock = Hands()
    async with engine_on(store_url, clock) as here, engine_on(elsewhere, clock) as there:
        old = here.for_tenant("acme", actor="tester", all_walls=True)
        new = there.for_tenant("acme", actor="tester", all_walls=True)
        await furnish(old)
        lines = await lines_of(old, vectors=vectors)
        report = await new.import_(lines)
        assert (report.complete, report.rejected, report.refused) == (True, (), {})
        assert report.created["episode"] == 4
        assert await everything(new) == await everything(old)
        assert (await new.episodes()).items == (await old.episodes()).items
        assert (await new.verify_audit()).ok
        assert await questions(new) == await questions(old)
        pinned = [f.id for f in (await old.facts(include_superseded=True)).items if f.pinned]
        assert pinned
        assert [f.id for f in (await new.facts(include_superseded=True)).items if f.pinned] == pinned
        back = [line async for line in new.export(vectors=vectors)]
        kept_here = [json.loads(line) for line in lines]
        assert {json.dumps(r) for r in kept_here if r["record"] in ("episode", "assertion", "mention")} == {
            json.dumps(r) for r in back if r["record"] in ("episode", "assertion", "mention")
        }
        await new.assert_facts([told("Pia Roth", "uses", "tea")])
        assert await objects(new, subject="Pia Roth") == {"tea"}


async def test_the_same_lines_again_change_nothing(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        old, new = (engine.for_tenant(name, actor="tester", all_walls=True) for name in ("acme", "globex"))
        await furnish(old)
        lines = await lines_of(old)
        await new.import_(lines)
        before = (await everything(new), (await new.episodes()).items, (await new.entities()).items)
        again = await new.import_(lines)
        assert (again.created, again.receipts) == ({}, ())
        assert (await everything(new), (await new.episodes()).items, (await new.entities()).items) == before
        own = await old.import_(lines)
        assert own.created == {}


async def test_an_ontology_that_was_taken_back_changes_nothing_where_it_comes(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        old, new = (engine.for_tenant(name, actor="tester", all_walls=True) for name in ("acme", "globex"))
        await old.undo((await old.set_ontology({"relations": [{"name": "drives", "cardinality": "one"}]})).id)
        await old.assert_facts([told("Pia Roth", "uses", "tea")])
        lines = await lines_of(old)
        assert await objects(new) == set()
        first, again = await new.import_(lines), await new.import_(lines)
        assert ("ontology" in first.created, again.created, again.receipts) == (False, {}, ())
        assert await objects(new) == {"tea"}


async def test_a_name_that_is_there_already_is_the_same_entity(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        old, new = (engine.for_tenant(name, actor="tester") for name in ("acme", "globex"))
        for memory in (old, new):
            await memory.assert_facts([{**told("Mira Holt", "lives_in", "Lyon"), "valid_at": "2025-06-01T00:00:00Z"}])
        await old.assert_facts([{**told("Mira Holt", "lives_in", "Graz"), "valid_at": "2024-01-01T00:00:00Z"}])
        await new.import_(await lines_of(old))
        assert len((await new.entities(q="mira")).items) == 1
        assert await objects(new, subject="Mira Holt") == {"Lyon"}
        assert await objects(new, subject="Mira Holt", include_superseded=True) == {"Lyon", "Graz"}


async def test_a_rejected_value_does_not_return_by_an_import(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        old, new = (engine.for_tenant(name, actor="tester") for name in ("acme", "globex"))
        await old.assert_facts([told("Mira  HOLT", "uses", "PAPER")])
        lines = await lines_of(old)
        receipt = await new.assert_facts([told("Mira Holt", "uses", "paper")])
        await new.reject(changes(receipt, Action.CREATED)[0].id)
        await new.import_(lines)
        assert await objects(new, subject="Mira Holt") == set()
        await old.reject((await old.facts()).items[0].id)
        await old.import_(lines)
        assert await objects(old, subject="Mira Holt") == set()


async def test_an_export_after_a_purge_lacks_it_and_an_older_one_does_not_bring_it_back(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts([told("Mira Holt", "works_for", "Northwind")])
        (secret,) = await kept(memory, f"Mira Holt bought a {MARKER} from Alder Ltd.", external_id="x1")
        await memory.assert_facts([told("Mira Holt", "uses", f"{MARKER} tea", evidence=[secret])])
        older = await lines_of(memory)
        assert any(MARKER in line for line in older)
        await memory.purge({"episode": secret})
        assert not any(MARKER in line for line in await lines_of(memory))
        report = await memory.import_(older)
        assert report.refused["episode"] == 1
        assert report.refused["assertion"] >= 1
        assert (await memory.entities(q=MARKER)).items == ()
        assert not any(MARKER in line for line in await lines_of(memory))
        assert await objects(memory, subject="Mira Holt", relation="works_for") == {"Northwind"}


async def test_what_is_told_again_on_purpose_after_a_purge_travels(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        old, new = (engine.for_tenant(name, actor="tester", all_walls=True) for name in ("acme", "globex"))
        await kept(old, "The price is nine.", external_id="x1")
        await old.purge({"external_id": "x1"})
        (again,) = await kept(old, "The price is ten.", external_id="x1")
        await new.import_(await lines_of(old))
        assert (await new.episode(again)).text == "The price is ten."


async def test_a_purge_list_that_comes_with_an_import_is_obeyed(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        old, new = (engine.for_tenant(name, actor="tester", all_walls=True) for name in ("acme", "globex"))
        (secret,) = await kept(old, f"Mira Holt bought a {MARKER}.")
        await kept(old, "Pia Roth works for Northwind.")
        await new.import_(await lines_of(old))
        assert MARKER in (await new.episode(secret)).text
        await old.purge({"episode": secret})
        await new.import_(await lines_of(old))
        assert not any(MARKER in line for line in await lines_of(new))
        assert len((await new.episodes()).items) == 1


@pytest.mark.parametrize(
    ("broken", "field"),
    [
        ('{"record": "episode", "id": "e_1", "text": "x", "kind": "note"}', "occurred_at"),
        ('{"record": "episode", "id": 7, "text": "x", "kind": "note"}', "id"),
        ('{"record": "moon"}', "record"),
        ('{"record": "assertion", "id": "a_1", "confidence": "high"}', "slot"),
        ("{not json", "line 4"),
        ("[]", "line 4"),
    ],
)
async def test_a_broken_line_is_named_and_what_came_before_it_is_kept(store_url: str, broken: str, field: str) -> None:
    header = {"record": "header", "format": "muniment", "version": 1, "tenant": "acme", "at": LATER}
    good = [
        {
            "record": "episode",
            "id": f"e_{n}",
            "text": f"Text {n}.",
            "kind": "note",
            "occurred_at": LATER,
            "recorded_at": LATER,
        }
        for n in (1, 2)
    ]
    async with memory_on(store_url) as memory:
        with pytest.raises(Invalid, match="line 4") as caught:
            await memory.import_([json.dumps(header), *map(json.dumps, good), broken, json.dumps(good[0])])
        assert field in caught.value.field
        assert {e.id for e in (await memory.episodes()).items} == {"e_1", "e_2"}


async def test_lines_without_a_header_or_of_a_later_version_are_refused(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        header = {"record": "header", "format": "muniment", "version": 99, "tenant": "acme", "at": LATER}
        for lines in ([header], [{"record": "end"}]):
            with pytest.raises(Invalid, match="line 1"):
                await memory.import_(lines)


async def test_a_cut_file_is_noticed(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        old, new = (engine.for_tenant(name, actor="tester") for name in ("acme", "globex"))
        await kept(old, "One.", "Two.")
        lines = await lines_of(old)
        assert not (await new.import_(lines[:-1])).complete
        assert (await new.import_(lines)).complete


async def test_lines_may_come_from_a_stream(store_url: str) -> None:
    async def stream(memory: Memory) -> AsyncIterator[bytes]:
        async for line in memory.export():
            yield json.dumps(line).encode()

    async with engine_on(store_url) as engine:
        old, new = (engine.for_tenant(name, actor="tester") for name in ("acme", "globex"))
        await kept(old, "One.", "Two.")
        assert (await new.import_(stream(old))).created["episode"] == 2


async def test_an_export_shows_only_what_its_caller_sees(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        whole = engine.for_tenant("acme", actor="tester", all_walls=True)
        await kept(whole, f"The {MARKER} is open.")
        await kept(whole, f"The price of the {MARKER} is nine.", wall="deal", external_id="secret-id")
        await whole.assert_facts([told("Mira Holt", "uses", "secret ink", wall="deal")])
        shut = await lines_of(engine.for_tenant("acme"))
        assert any(f"The {MARKER} is open." in line for line in shut)
        assert not any("secret" in line or "nine" in line for line in shut)
        assert sum("secret" in line for line in await lines_of(whole)) > 1


async def test_an_export_as_known_then_leaves_out_what_was_heard_later(store_url: str) -> None:
    clock = Hands()
    async with memory_on(store_url, clock) as memory:
        await kept(memory, "Early.")
        moment = clock.now
        clock.forward(days=1)
        await kept(memory, "Late.")
        assert not any("Late" in line for line in await lines_of(memory, known_at=moment))
        assert any("Early" in line for line in await lines_of(memory, known_at=moment))


async def test_an_import_can_be_undone(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        old, new = (engine.for_tenant(name, actor="tester") for name in ("acme", "globex"))
        await old.assert_facts([told("Mira Holt", "uses", "tea")])
        report = await new.import_(await lines_of(old))
        assert await objects(new, subject="Mira Holt") == {"tea"}
        for receipt in reversed(report.receipts):
            await new.undo(receipt)
        assert await objects(new, subject="Mira Holt") == set()


async def paired(memory: Memory, *names: str) -> list[str]:
    """A fact of each name; their ids."""
    await memory.assert_facts([told(name, "uses", f"the tool of {name}") for name in names])
    found = {page.entity.name: page.entity.id for page in (await memory.entities(limit=200)).items}
    return [found[name] for name in names]


async def test_ids_from_before_a_merge_lead_on_after_an_import_and_can_be_parted_there(store_url: str) -> None:
    """Also where the exporter does not see every wall; what stands behind them shows nowhere in the lines."""
    async with engine_on(store_url) as engine:
        whole = engine.for_tenant("acme", actor="tester", all_walls=True)
        old, new = (engine.for_tenant(name, actor="tester") for name in ("acme", "globex"))
        bob, bobby, robert = await paired(old, "Bob Lind", "Bobby Lund", "Robert Lang")
        before = await everything(old)
        hidden = await whole.remember([said("Bobby Lund knows of it.", wall="deal", title="Bobby Lund")])
        await whole.assert_facts([{**told("", "uses", "secret ink", wall="deal"), "subject": {"id": bobby}}])
        await old.merge([bobby, robert])
        await old.merge([bob, bobby])
        lines = await lines_of(old)
        assert not any("deal" in line or "secret" in line or hidden.episodes[0].id in line for line in lines)
        assert (await new.import_(lines)).rejected == ()
        for id in (bob, bobby, robert):
            assert (await new.entity(id)).entity.id == bob
            assert len((await new.facts(subject=id)).items) == 3
        assert (await new.import_(lines)).created == {}
        await new.unmerge(bobby)
        assert (await new.entity(robert)).entity.id == bobby
        assert await objects(new, subject=bob) == {"the tool of Bob Lind"}
        await new.unmerge(robert)
        assert await everything(new) == before


async def test_a_merge_that_comes_does_not_join_what_stands_apart_here_nor_part_what_is_joined(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        old, new = (engine.for_tenant(name, actor="tester") for name in ("acme", "globex"))
        theirs = await paired(old, "Bob Lind", "Bobby Lund")
        apart = await lines_of(old)
        ours = await paired(new, "Bob Lind", "Bobby Lund")
        await old.merge(theirs)
        (refused,) = (await new.import_(await lines_of(old))).rejected
        assert refused.code == "conflict"
        assert [(await new.entity(id)).entity.id for id in ours] == ours
        with pytest.raises(NotFound):
            await new.unmerge(ours[1])
        joined = engine.for_tenant("initech", actor="tester")
        ours = await paired(joined, "Bob Lind", "Bobby Lund")
        await joined.merge(ours)
        await joined.import_(apart)
        assert {f.subject.id for f in (await joined.facts(limit=200)).items} == {ours[0]}


async def test_an_older_export_that_lacks_what_was_merged_away_is_taken_in(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        old, new = (engine.for_tenant(name, actor="tester") for name in ("acme", "globex"))
        bob, bobby = await paired(old, "Bob Lind", "Bobby Lund")
        await old.merge([bob, bobby])
        lines = [line for line in await lines_of(old) if f'"id": "{bobby}"' not in line]
        assert len((await new.import_(lines)).rejected) == 0
        assert len((await new.facts(subject=bob)).items) == 2


async def test_as_known_then_things_are_called_as_they_were_then(store_url: str) -> None:
    def called(name: str, *identifiers: str) -> dict[str, Any]:
        return {"name": name, "type": "person", "identifiers": list(identifiers)}

    async def names(memory: Memory, **choice: Any) -> set[str]:
        lines = [line async for line in memory.export(**choice)]
        (mira,) = [line for line in lines if line["record"] == "entity" and line["name"] == "Mira Holt"]
        return {alias["name"] for alias in mira["aliases"] if alias["name"]} | set(mira.get("identifiers", ()))

    clock = Hands()
    async with memory_on(store_url, clock) as memory:
        await memory.assert_facts([{**told("", "likes", "tea"), "subject": called("Mira Holt")}])
        early = await memory.assert_facts([{**told("", "likes", "rye"), "subject": called("Dr Mira Holt")}])
        clock.forward(hours=1)
        moment = clock.now
        clock.forward(hours=1)
        undone = await memory.undo(early.id)
        await memory.assert_facts([{**told("", "likes", "ink"), "subject": called("Holt, Mira", "tax:DE77")}])
        assert await names(memory) == {"Mira Holt", "Holt, Mira", "tax:DE77"}
        for choice in ({"known_at": moment}, {"known_at": moment, "as_of": moment}):
            assert await names(memory, **choice) == {"Mira Holt", "Dr Mira Holt"}
        await memory.undo(undone.id)
        assert await names(memory) == {"Mira Holt", "Dr Mira Holt", "Holt, Mira", "tax:DE77"}
        assert await names(memory, known_at=moment) == {"Mira Holt", "Dr Mira Holt"}
