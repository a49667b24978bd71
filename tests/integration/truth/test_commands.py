"""A model's memory commands: what they do, what they reject, and what they never touch."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from muniment.engine.memory import Memory
from muniment.graph_schema.errors import Ambiguous, Invalid, NotFound
from muniment.graph_schema.records import Kind
from tests.engines import engine_on, everything, made, memory_on, objects, told

ANA = {"user": "ana"}


def create(content: str, type: str = "preference", **more: Any) -> dict[str, Any]:
    return {"op": "create", "type": type, "content": content, **more}


async def wishes(memory: Memory) -> set[str]:
    return {p.text for p in (await memory.preferences()).items}


async def test_newer_wish_of_one_topic_replaces_the_older(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.apply_commands({"memory_commands": [create("Ana prefers to be called by phone")], "scope": ANA})
        await memory.apply_commands({"memory_commands": [create("Ana prefers email")], "scope": ANA})
        await memory.apply_commands({"memory_commands": [create("Ana wants reports as PDF")], "scope": ANA})
        assert await wishes(memory) == {"Ana prefers email", "Ana wants reports as PDF"}


async def test_a_constraint_stands_in_the_block_however_many_wishes_came_after_it(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        rule = create("Never call Ana Ruiz before noon", "constraint")
        await memory.apply_commands({"memory_commands": [rule]})
        for batch in (range(125), range(125, 250)):
            later = [create(f"Guest {n} prefers wine {n}") for n in batch]
            assert (await memory.apply_commands({"memory_commands": later})).rejected == ()
        assert len((await memory.preferences(limit=200)).items) == 200
        block = (await memory.context("What is new in Lisbon?")).context.text
        assert "Never call Ana Ruiz before noon" in block


async def test_update_by_content_hash_and_delete_by_id(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        first = "Ana lives near the old harbour"
        await memory.apply_commands({"memory_commands": [create(first, "fact")], "scope": ANA})
        target = hashlib.sha256(first.encode()).hexdigest()
        update = {"op": "update", "type": "fact", "target": target, "content": "Ana lives near the station"}
        await memory.apply_commands({"memory_commands": [update], "scope": ANA})
        (fact,) = (await memory.facts()).items
        assert fact.text == "Ana lives near the station"
        old = next(f for f in (await memory.facts(include_superseded=True)).items if f.text == first)
        assert old.superseded_by is None
        assert old.invalid_at is not None
        await memory.apply_commands({"memory_commands": [{"op": "delete", "target": fact.id}], "scope": ANA})
        assert (await memory.facts()).items == ()


async def test_target_that_fits_two_memories_names_both_and_writes_nothing(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        same = "likes the quiet table"
        ids = [
            made(await memory.apply_commands({"memory_commands": [create(same, "fact")], "subject": {"name": name}}))
            for name in ("Ana", "Ben")
        ]
        before = await everything(memory)
        update = {"op": "update", "type": "fact", "target": same, "content": "likes the window table"}
        with pytest.raises(Ambiguous) as stopped:
            await memory.apply_commands({"memory_commands": [create("a new one", "fact"), update]})
        assert set(stopped.value.candidates) == set(ids)
        assert all(id in str(stopped.value) for id in ids)
        assert await everything(memory) == before


async def test_broken_commands_are_rejected_and_the_others_done(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        receipt = await memory.apply_commands(
            {
                "memory_commands": [
                    create("Ana prefers email"),
                    {"op": "explode", "type": "fact", "content": "x"},
                    {"op": "create", "type": "fact"},
                    {"op": "delete", "target": "f_not_there"},
                    "nonsense",
                ],
                "scope": ANA,
            }
        )
        assert [(r.input, r.code) for r in receipt.rejected] == [
            ("memory_commands[1]", "invalid"),
            ("memory_commands[2]", "invalid"),
            ("memory_commands[3]", "not_found"),
            ("memory_commands[4]", "invalid"),
        ]
        assert await wishes(memory) == {"Ana prefers email"}


async def test_expired_memory_is_not_current(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        command = create("Ana is on leave", "fact", expires_at="2026-07-01T00:00:00Z")
        await memory.apply_commands({"memory_commands": [command], "scope": ANA})
        assert len((await memory.facts()).items) == 1
        assert (await memory.facts(as_of="2026-07-01T00:00:00Z")).items == ()


async def test_models_word_closes_no_plain_fact(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts([told("Ana", "works_for", "Acme")])
        await memory.apply_commands(
            {"memory_commands": [create("Ana works for Beta now", "fact")], "subject": {"name": "Ana"}}
        )
        assert "Acme" in await objects(memory, subject="Ana", relation="works_for")


async def test_reply_of_a_model_is_read_as_it_comes(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        reply = '```json\n{"memory_commands": [{"op": "create", "type": "constraint", "content": "never call before 10"}]}\n```'
        receipt = await memory.apply_commands(reply)
        wish = next(iter((await memory.preferences()).items))
        assert wish.id == made(receipt, Kind.PREFERENCE)
        assert wish.attributes["constraint"] is True
        with pytest.raises(Invalid, match="no JSON"):
            await memory.apply_commands('{"memory_commands": [')


@pytest.mark.parametrize(
    "told",
    [
        "How to refund an order: 1. Open the order. 2. Press refund.",
        "Refund an order:\n1. Open the order\n2. Press refund",
    ],
)
async def test_a_skill_reads_the_same_from_a_command_and_from_a_text(told: str) -> None:
    async with engine_on("sqlite://") as engine:
        one, other = engine.for_tenant("one"), engine.for_tenant("other")
        await one.apply_commands({"memory_commands": [create(told, "skill")]})
        await other.remember([{"text": told, "kind": "note", "occurred_at": "2026-03-01T09:00:00Z"}])
        (ordered,), (read,) = (await one.skills()).items, (await other.skills()).items
        assert ordered.attributes["trigger"] == read.attributes["trigger"]
        assert ordered.attributes["steps"] == read.attributes["steps"] == ["Open the order", "Press refund"]


@pytest.mark.parametrize(
    ("content", "trigger", "steps"),
    [
        ("Refund an order\n1. open the order\n2. press refund", "Refund an order", ["open the order", "press refund"]),
        ("Monday round\n- walk the yard\n- note the meters", "Monday round", ["walk the yard", "note the meters"]),
        ("盘点流程：\n1、核对库存\n2、登记差异", "盘点流程", ["核对库存", "登记差异"]),
        ("never ship on a Friday", "never ship on a Friday", []),
    ],
)
async def test_a_skill_of_a_command_has_its_trigger_and_steps(content: str, trigger: str, steps: list[str]) -> None:
    async with memory_on("sqlite://") as memory:
        await memory.apply_commands({"memory_commands": [create(content, "skill")]})
        (skill,) = (await memory.skills()).items
        assert (skill.attributes["trigger"], skill.attributes["steps"]) == (trigger, steps)


_GOOD = (
    '{"op": "create", "type": "fact", "content": "the gate code changed"}',
    '{"op": "create", "type": "fact", "content": "a [new] {lift}"}',
)
_TORN = '{"op": "create" "type": "fact", "content": "torn"}'


@pytest.mark.parametrize(
    ("reply", "torn"),
    [
        (f'{{"memory_commands": [{_GOOD[0]}, {_TORN}, {_GOOD[1]}], "scope": {{"user": "ana"}}}}', 1),
        (f'{{"scope": {{"user": "ana"}}, "memory_commands": [{_TORN}, {_GOOD[0]}, {_GOOD[1]}]}}', 0),
        (f'{{"memory_commands": [{_GOOD[0]}, {_GOOD[1]}, {_TORN}], "evidence": [], "scope": {{"user": "ana"}}}}', 2),
        (f'```json\n{{"scope": {{"user": "ana"}}, "memory_commands": [{_GOOD[0]}, {_GOOD[1]}, {_TORN[:30]}\n```', 2),
        (f"[{_GOOD[0]}, {_GOOD[1]}, {_TORN[:20]}", 2),
    ],
)
async def test_a_torn_command_in_a_reply_costs_itself_alone(reply: str, torn: int) -> None:
    async with memory_on("sqlite://") as memory:
        receipt = await memory.apply_commands(reply)
        assert [(r.input, r.code) for r in receipt.rejected] == [(f"memory_commands[{torn}]", "invalid")]
        assert "is no JSON" in receipt.rejected[0].detail
        facts = (await memory.facts()).items
        assert {f.object.name for f in facts} == {"the gate code changed", "a [new] {lift}"}
        assert {f.scope.user for f in facts} == {"ana" if "ana" in reply else ""}


@pytest.mark.parametrize(
    "reply",
    [
        f'{{"memory_commands": [{_GOOD[0]}, {_TORN}',  # for whom could have followed
        f'{{"memory_commands": [{_GOOD[0]}, {_TORN}], "scope": {{"user": ana}}}}',
        f'{{"scope": {{"user": "ana", "memory_commands": [{_GOOD[0]}]',
        f'{{"memory_commands": [{_TORN}]}}',
        f'{{"memory_commands": [{_GOOD[0]}] "scope": }}',
    ],
)
async def test_a_reply_that_is_torn_around_its_commands_is_refused_whole(reply: str) -> None:
    async with memory_on("sqlite://") as memory:
        with pytest.raises(Invalid, match="no JSON"):
            await memory.apply_commands(reply)
        assert (await memory.facts()).items == ()


async def test_outcomes_of_a_skill_are_counted(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        command = create("Refund an order\n1. open the order\n2. press refund", "skill")
        skill = made(await memory.apply_commands({"memory_commands": [command]}), Kind.SKILL)
        well = await memory.record_outcome(skill, ok=True)
        await memory.record_outcome(skill, ok=False)
        (found,) = (await memory.skills()).items
        assert found.attributes["outcomes"] == {"ok": 1, "failed": 1}
        assert found.attributes["trigger"] == "Refund an order"
        assert (await memory.fact(skill)).attributes["outcomes"] == {"ok": 1, "failed": 1}
        assert [(c.id, c.because.rule) for c in well.changes] == [(skill, "skill.outcome")]
        undone = await memory.undo(well.id)
        assert await outcomes(memory) == {"ok": 0, "failed": 1}  # what was counted since stays counted
        await memory.record_outcome(skill, ok=True)
        await memory.undo(undone.id)
        assert await outcomes(memory) == {"ok": 2, "failed": 1}
        with pytest.raises(NotFound):
            await memory.record_outcome("f_nowhere", ok=True)


async def outcomes(memory: Memory) -> object:
    (skill,) = (await memory.skills()).items
    return skill.attributes["outcomes"]


async def test_a_bare_list_is_one_of_commands_and_bottomless_text_is_refused(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        with pytest.raises(Invalid, match="no JSON"):
            await memory.apply_commands("[" * 100_000)
        await memory.apply_commands([create("Ana prefers email")])  # type: ignore[arg-type]
        assert await wishes(memory) == {"Ana prefers email"}
