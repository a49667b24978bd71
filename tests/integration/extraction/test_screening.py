"""No secret reaches a store, a log or an answer; a tenant or the settings decide what is done about it."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from muniment.engine.bootstrap import open_engine
from muniment.engine.extract.screen import MASK
from muniment.engine.settings import Settings
from muniment.engine.tenants import create_tenant, set_tenant_settings
from muniment.graph_schema.errors import Invalid, NotFound
from muniment.graph_schema.records import Receipt
from tests.engines import Hands, engine_on, made, told

CARD, PASSWORD, KEY, IBAN = "4111 1111 1111 1111", "Tr0ub4dor&3", "AKIAABCDEFGHIJKLMNOP", "GB82 WEST 1234 5698 7654 32"


def note(text: str, **more: Any) -> dict[str, Any]:
    return {"text": text, "kind": "note", "occurred_at": "2026-03-02T10:00:00Z", **more}


def screened(receipt: Receipt) -> list[tuple[str, str, int, str]]:
    return [(s.input, s.kind, s.count, s.done) for s in receipt.screened]


async def test_secrets_are_redacted_by_default_and_never_logged(
    store_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    leaking = note(
        f"Ana Ruiz works for Kestrel Freight. Her card is {CARD}, the spare {CARD}. The password is {PASSWORD}.",
        title=f"Key {KEY}",
        source=f"https://app:{PASSWORD}@files.example/notes",
        metadata={"portal": {"password": "hunter"}, "cards": [4111111111111111], "iban": IBAN, "n": 7},
    )
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        receipt = await memory.remember([note("Ana Ruiz likes tea."), leaking])
        assert screened(receipt) == [
            ("episodes[1]", "card", 3, "redacted"),
            ("episodes[1]", "password", 2, "redacted"),
            ("episodes[1]", "key", 2, "redacted"),
        ]
        assert receipt.rejected == ()
        assert (await memory.receipt(receipt.id)).screened == receipt.screened
        kept = await memory.episode(receipt.episodes[1].id)
        assert kept.metadata == {"portal": {"password": MASK}, "cards": [MASK], "iban": IBAN, "n": 7}
        assert kept.text.count(MASK) == 3
        assert {f.object.name for f in (await memory.facts()).items} >= {"Kestrel Freight"}
        everything = repr([line async for line in memory.export()])
        for value in (CARD, "4111111111111111", PASSWORD, KEY, "hunter"):
            assert value not in everything
            assert value not in caplog.text
        assert IBAN in everything


async def test_the_same_text_again_is_the_same_episode_though_it_was_redacted(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        one = note(f"The password is {PASSWORD}.", external_id="n1")
        await memory.remember([one])
        again = await memory.remember([one])
        assert [e.status.value for e in again.episodes] == ["exists"]
        assert again.rejected == ()


async def test_facts_and_commands_are_screened_too(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        receipt = await memory.assert_facts(
            [
                told("Ana Ruiz", "has_card", CARD),
                {"subject": {"name": "Portal"}, "relation": "password", "object": {"value": "hunter"}},
            ]
        )
        assert screened(receipt) == [("facts[0]", "card", 1, "redacted"), ("facts[1]", "password", 1, "redacted")]
        ordered = await memory.apply_commands(
            {"memory_commands": [{"op": "create", "type": "fact", "content": f"The API key is {KEY}"}]}
        )
        assert screened(ordered) == [("memory_commands[0]", "key", 1, "redacted")]
        facts = (await memory.facts()).items
        assert sorted(f.object.name for f in facts) == sorted([MASK, MASK, f"The API key is {MASK}"])


async def test_refused_inputs_are_named_by_their_place_and_the_others_are_done(store_url: str) -> None:
    settings = Settings(environment="test", secrets="refuse", personal_data="redact")
    async with open_engine(store_url, settings=settings, clock=Hands()) as engine:
        memory = engine.for_tenant("acme")
        receipt = await memory.remember(
            [note(f"Card {CARD}"), note(f"Ana Ruiz likes tea. IBAN {IBAN}"), note(f"password: {PASSWORD}")]
        )
        assert [(r.input, r.code) for r in receipt.rejected] == [("episodes[0]", "invalid"), ("episodes[2]", "invalid")]
        assert CARD not in repr(receipt)
        assert [s[0::3] for s in screened(receipt)] == [
            ("episodes[0]", "refused"), ("episodes[1]", "redacted"), ("episodes[2]", "refused"),
        ]  # fmt: skip
        assert [e.text for e in (await memory.episodes()).items] == [f"Ana Ruiz likes tea. IBAN {MASK}"]
        facts = await memory.assert_facts([told("Ana", "has_card", CARD), told("Ana", "likes", "tea")])
        assert [r.input for r in facts.rejected] == ["facts[0]"]
        commands = await memory.apply_commands(
            {"memory_commands": [{"op": "create", "type": "fact", "content": f"Card {CARD}"}]}
        )
        assert [r.input for r in commands.rejected] == ["memory_commands[0]"]
        assert CARD not in repr([line async for line in memory.export()])


async def test_a_correction_is_screened_too(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        await create_tenant(engine.database, "acme")
        memory = engine.for_tenant("acme")
        fact = made(await memory.assert_facts([told("Portal", "noted_as", "open")]))
        receipt = await memory.correct(fact, object={"value": f"the password is {PASSWORD}"}, text=f"key {KEY}")
        assert screened(receipt) == [("object", "password", 1, "redacted"), ("text", "key", 1, "redacted")]
        assert PASSWORD not in repr([line async for line in memory.export()])
        await set_tenant_settings(engine.database, "acme", {"secrets": "refuse"}, actor="boss")
        (standing,) = (await memory.facts()).items
        with pytest.raises(Invalid, match="1 × card"):
            await memory.correct(standing.id, object=f"card {CARD}")


async def test_a_tenant_sets_its_own_policy_and_each_change_is_audited(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        await create_tenant(engine.database, "acme")
        memory, other = engine.for_tenant("acme"), engine.for_tenant("globex")
        changes = {"secrets": "keep", "personal_data": "refuse"}
        await set_tenant_settings(engine.database, "acme", changes, actor="boss")
        receipt = await memory.remember([note(f"The password is {PASSWORD}."), note(f"IBAN {IBAN}")])
        assert [e.text for e in (await memory.episodes()).items] == [f"The password is {PASSWORD}."]
        assert [r.input for r in receipt.rejected] == ["episodes[1]"]
        assert (await other.remember([note(f"The password is {PASSWORD}.")])).screened
        await set_tenant_settings(engine.database, "acme", {"secrets": None}, actor="boss")
        assert (await memory.remember([note(f"Now the password is {PASSWORD}.")])).screened
        entries = [e for e in (await memory.audit()).items if e.verb == "tenant.settings"]
        assert [(e.actor, dict(e.detail)) for e in entries] == [
            ("boss", {"secrets": "default"}),
            ("boss", changes),
        ]


@pytest.mark.parametrize("wrong", [{}, {"secrets": "burn"}, {"log_only": "yes"}, {"colour": "red"}, [1]])
async def test_a_wrong_setting_is_refused(wrong: object) -> None:
    async with engine_on("sqlite://") as engine:
        await create_tenant(engine.database, "acme")
        with pytest.raises(Invalid, match="settings"):
            await set_tenant_settings(engine.database, "acme", wrong, actor="boss")
        with pytest.raises(NotFound):
            await set_tenant_settings(engine.database, "nobody", {"log_only": True}, actor="boss")
