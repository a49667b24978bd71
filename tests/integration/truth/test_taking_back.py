"""Preview, undo, retraction, rejection: what was closed opens again, and what was denied stays denied."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from muniment.graph_schema.errors import Conflict, Invalid, NotFound
from muniment.graph_schema.records import Action
from tests.engines import Hands, changes, engine_on, everything, made, memory_on, objects, told

JANUARY = "2026-01-01T00:00:00Z"
MARCH = "2026-03-01T00:00:00Z"


async def test_dry_run_gives_the_receipt_and_writes_nothing(store_url: str) -> None:
    clock = Hands()
    async with memory_on(store_url, clock) as memory:
        await memory.assert_facts([told("Ana", "works_for", "Acme", valid_at=JANUARY)])
        before = await everything(memory)
        seen = clock.now
        preview = await memory.assert_facts([told("Ana", "works_for", "Beta", valid_at=MARCH)], dry_run=True)
        assert await everything(memory) == before
        assert len((await memory.audit()).items) == 1
        clock.now = seen
        real = await memory.assert_facts([told("Ana", "works_for", "Beta", valid_at=MARCH)])
        assert preview.dry_run
        assert replace(preview, dry_run=False, created_at=real.created_at) == real


async def test_undo_of_a_closing_reopens_and_undo_of_that_closes_again(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts([told("Ana", "works_for", "Acme", valid_at=JANUARY)])
        first = await everything(memory)
        receipt = await memory.assert_facts([told("Ana", "works_for", "Beta", valid_at=MARCH)])
        second = await everything(memory)
        undone = await memory.undo(receipt.id)
        assert [c.action for c in changes(undone, Action.REOPENED)] == [Action.REOPENED]
        assert await everything(memory) == first
        await memory.undo(undone.id)
        assert await everything(memory) == second
        await memory.undo(receipt.id)
        assert await everything(memory) == first


async def test_a_previewed_undo_gives_the_receipt_and_takes_nothing_back(store_url: str) -> None:
    clock = Hands()
    async with memory_on(store_url, clock) as memory:
        await memory.assert_facts([told("Ana", "works_for", "Acme", valid_at=JANUARY)])
        receipt = await memory.assert_facts([told("Ana", "works_for", "Beta", valid_at=MARCH)])
        before, seen = await everything(memory), clock.now
        preview = await memory.undo(receipt.id, dry_run=True)
        assert await everything(memory) == before
        assert (await memory.receipt(receipt.id)).undone_by is None
        clock.now = seen
        real = await memory.undo(receipt.id)
        assert preview.dry_run
        assert replace(preview, dry_run=False, created_at=real.created_at) == real


async def test_undo_under_later_writes_recomputes_instead_of_restoring(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts([told("Ana", "works_for", "Acme", valid_at=JANUARY)])
        middle = await memory.assert_facts([told("Ana", "works_for", "Beta", valid_at="2026-02-01T00:00:00Z")])
        await memory.assert_facts([told("Ana", "works_for", "Gamma", valid_at=MARCH)])
        await memory.undo(middle.id)
        rows = {f.object.name: f for f in (await memory.facts(subject="Ana", include_superseded=True)).items}
        assert set(rows) == {"Acme", "Gamma"}
        assert rows["Acme"].invalid_at == rows["Gamma"].valid_at


async def test_a_write_is_undone_once(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        receipt = await memory.assert_facts([told("Ana", "likes", "tea")])
        await memory.undo(receipt.id)
        with pytest.raises(Conflict, match="already undone"):
            await memory.undo(receipt.id)
        with pytest.raises(NotFound, match="'r_nowhere'"):
            await memory.undo("r_nowhere")


async def test_retracting_the_successor_reopens_what_it_had_closed(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts([told("Ana", "works_for", "Acme", valid_at=JANUARY)])
        beta = made(await memory.assert_facts([told("Ana", "works_for", "Beta", valid_at=MARCH)]))
        await memory.retract(beta, reason="wrong Ana")
        assert await objects(memory, subject="Ana") == {"Acme"}
        with pytest.raises(NotFound):
            await memory.fact(beta)


async def test_fact_with_two_sources_outlives_one_of_them(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        notes = await memory.remember(
            [
                {"text": f"note {i}", "kind": "note", "occurred_at": f"2026-01-0{i}T00:00:00Z", "external_id": f"n{i}"}
                for i in (1, 2)
            ],
            extract="none",
        )
        first, second = (e.id for e in notes.episodes)
        fact = made(await memory.assert_facts([told("Ana", "likes", "tea", evidence=[first])]))
        await memory.assert_facts([told("Ana", "likes", "tea", evidence=[second])])
        await memory.retract(first)
        assert [q.episode for q in (await memory.fact(fact)).evidence] == [second]
        await memory.retract(second)
        assert await objects(memory, subject="Ana") == set()


@pytest.mark.parametrize(
    "again", ["Beta", "BETA", " beta ", "Ｂｅｔａ", "Be\u200bta", "\ufeffBeta", "Be\u00adta\u200e"]
)
async def test_rejected_value_does_not_return_in_any_spelling(store_url: str, again: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts([told("Ana", "works_for", "Acme", valid_at=JANUARY)])
        beta = made(await memory.assert_facts([told("Ana", "works_for", "Beta", valid_at=MARCH)]))
        rejection = await memory.reject(beta, reason="she never did")
        assert await objects(memory, subject="Ana") == {"Acme"}
        await memory.assert_facts([told("Ana", "works_for", again, valid_at="2026-04-01T00:00:00Z")])
        assert await objects(memory, subject="Ana") == {"Acme"}
        await memory.undo(rejection.id)
        assert await objects(memory, subject="Ana") == {"Beta"}


@pytest.mark.parametrize(
    ("value", "again"),
    [
        ("100 EUR", "100EUR"),
        ("EUR 1,200", "1200.00 eur"),
        ("€ 100", "100\u00a0EUR"),
        ("£5", "GBP 5"),
        ("30 days", "30days"),
        ("green tea", "Green  Tea"),
    ],
)
async def test_a_rejected_value_is_one_however_it_is_written(store_url: str, value: str, again: str) -> None:
    async with memory_on(store_url) as memory:
        fact = made(await memory.assert_facts([{**told("Plan A", "term", ""), "object": {"value": value}}]))
        await memory.reject(fact)
        told_again = await memory.assert_facts([{**told("Plan A", "term", ""), "object": {"value": again}}])
        assert await objects(memory, subject="Plan A") == set()
        (rejection,) = told_again.rejected
        assert (rejection.input, rejection.code) == ("facts[0]", "conflict")
        assert fact in rejection.detail
        other = {**told("Plan A", "term", ""), "object": {"value": f"{value} net"}}
        assert (await memory.assert_facts([other])).rejected == ()
        assert (await memory.facts(object=f"{value} net")).items


async def test_a_correction_to_a_rejected_value_is_refused_and_takes_nothing(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        beta = made(await memory.assert_facts([told("Ana", "works_for", "Beta", valid_at=JANUARY)]))
        rejection = await memory.reject(beta)
        acme = made(await memory.assert_facts([told("Ana", "works_for", "Acme", valid_at=JANUARY)]))
        for dry_run in (True, False):
            with pytest.raises(Conflict, match=f"'Beta' was rejected .fact {beta}"):
                await memory.correct(acme, object="Beta", dry_run=dry_run)
        assert await objects(memory, subject="Ana") == {"Acme"}
        await memory.undo(rejection.id)
        await memory.correct(acme, object="Beta")
        assert await objects(memory, subject="Ana") == {"Beta"}


async def test_ending_closes_and_the_old_sentence_again_does_not_reopen(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        fact = made(await memory.assert_facts([told("Ana", "works_for", "Acme", valid_at=JANUARY)]))
        await memory.end(fact, MARCH, reason="she left")
        await memory.assert_facts([told("Ana", "works_for", "Acme", valid_at=JANUARY)])
        assert await objects(memory, subject="Ana") == set()
        assert await objects(memory, subject="Ana", as_of="2026-02-01T00:00:00Z") == {"Acme"}


async def test_correcting_dates_leaves_other_intervals_of_the_value_alone(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        for firm, year in (("Acme", 2020), ("Beta", 2022), ("Acme", 2024)):
            await memory.assert_facts([told("Ana", "works_for", firm, valid_at=f"{year}-01-01T00:00:00Z")])
        second = next(f for f in (await memory.facts(subject="Ana")).items)
        await memory.correct(second.id, valid_at="2025-01-01T00:00:00Z", reason="typing error")
        rows = (await memory.facts(subject="Ana", include_superseded=True)).items
        assert sorted((f.valid_at.year, f.object.name) for f in rows) == [
            (2020, "Acme"),
            (2022, "Beta"),
            (2025, "Acme"),
        ]


async def test_what_was_believed_earlier_can_be_asked(store_url: str) -> None:
    clock = Hands()
    async with memory_on(store_url, clock) as memory:
        await memory.assert_facts([told("Ana", "works_for", "Acme", valid_at=JANUARY)])
        believed_acme = clock.now
        clock.forward(days=10)
        await memory.assert_facts([told("Ana", "works_for", "Beta", valid_at=MARCH)])
        assert await objects(memory, subject="Ana") == {"Beta"}
        assert await objects(memory, subject="Ana", known_at=believed_acme) == {"Acme"}
        assert await objects(memory, subject="Ana", as_of="2026-02-01T00:00:00Z") == {"Acme"}


async def test_a_page_of_an_entity_is_of_both_clocks(store_url: str) -> None:
    clock = Hands()
    async with memory_on(store_url, clock) as memory:
        await memory.assert_facts([told("Ana", "likes", "tea", valid_at=MARCH)])
        before_coffee = clock.now
        clock.forward(days=10)
        await memory.assert_facts([told("Ana", "likes", "coffee", valid_at=JANUARY)])
        ((ana,),) = [[p.entity.id for p in (await memory.entities(q="ana")).items]]
        asked: list[tuple[dict[str, Any], int]] = [
            ({}, 2),
            ({"as_of": "2026-02-01T00:00:00Z"}, 1),
            ({"known_at": before_coffee}, 1),
            ({"as_of": "2026-02-01T00:00:00Z", "known_at": before_coffee}, 0),
        ]
        for clocks, facts in asked:
            assert (await memory.entity(ana, **clocks)).counts.facts == facts
            assert [p.counts.facts for p in (await memory.entities(q="ana", **clocks)).items] == [facts]


async def test_history_tells_every_step_with_its_rule(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        acme = made(await memory.assert_facts([told("Ana", "works_for", "Acme", valid_at=JANUARY)]))
        await memory.assert_facts([told("Ana", "works_for", "Beta", valid_at=MARCH)])
        story = (await memory.history(acme)).story
        changes_of_it = [line for line in story if line.rule.startswith("slot.")]
        assert [line.rule for line in changes_of_it] == ["slot.open", "slot.successor"]
        assert [line.actor for line in changes_of_it] == ["tester", "tester"]
        beta = next(f for f in (await memory.facts(subject="Ana")).items)
        assert {beta.id, *beta.assertions} < set(changes_of_it[1].ids)


async def test_what_was_known_in_between_stays_known_when_a_fact_comes_back(store_url: str) -> None:
    clock = Hands()
    async with memory_on(store_url, clock) as memory:
        receipt = await memory.assert_facts([told("Ana", "works_for", "Acme", valid_at=JANUARY)])
        fact, first = made(receipt), clock.now
        await memory.pin(fact)
        undone = await memory.undo(receipt.id)
        second = clock.now
        await memory.undo(undone.id)
        known = [await objects(memory, subject="Ana", known_at=moment) for moment in (first, second, clock.now)]
        assert known == [{"Acme"}, set(), {"Acme"}]
        assert [v.version for v in (await memory.history(fact)).versions] == [1, 2]
        assert (await memory.fact(fact)).pinned


async def test_history_tells_who_took_evidence_back_and_who_let_it_count_again(store_url: str) -> None:
    clock = Hands()
    async with engine_on(store_url, clock) as engine:
        teller, clerk = (engine.for_tenant("acme", actor=name) for name in ("teller", "clerk"))
        acme = made(await teller.assert_facts([told("Ana", "works_for", "Acme", valid_at=JANUARY)]))
        beta = made(await teller.assert_facts([told("Ana", "works_for", "Beta", valid_at=MARCH)]))
        first = await clerk.retract(beta, reason="wrong Ana")
        second = await teller.undo(first.id)
        third = await clerk.undo(second.id)
        story = (await clerk.history(acme)).story
        turned = [line for line in story if line.rule in ("evidence.retracted", "write.undone")]
        assert [(line.at, line.actor, line.rule) for line in turned if line.what.startswith("evidence a_")] == [
            (first.created_at, "clerk", "evidence.retracted"),
            (second.created_at, "teller", "write.undone"),
            (third.created_at, "clerk", "write.undone"),
        ]
        opened = [line for line in story if line.what.startswith("opened again")]
        assert [(line.at, line.actor, line.rule) for line in opened] == [
            (first.created_at, "clerk", "evidence.retracted"),
            (third.created_at, "clerk", "write.undone"),
        ]
        assert first.id in opened[0].ids
        assert not any("it holds of a rival" in line.what for line in story)
        assert any('says of the rival value "Beta" that it holds' in line.what for line in story)
        gone = (await clerk.history(beta)).story[-1]
        assert (gone.what.partition(":")[0], gone.actor) == ("not held any more", "clerk")


async def test_audit_chain_names_every_write_and_holds(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        receipt = await memory.assert_facts([told("Ana", "likes", "tea")])
        await memory.undo(receipt.id)
        await memory.refused("recall", detail={"why": "another tenant"})
        entries = (await memory.audit()).items
        assert [(e.verb, e.outcome) for e in entries] == [
            ("recall", "refused"),
            ("undo", "done"),
            ("assert_facts", "done"),
        ]
        assert (await memory.verify_audit()).ok


@pytest.mark.parametrize("verb", ["undo", "retract"])
async def test_a_fact_whose_source_is_taken_back_is_gone_though_its_end_was_told(store_url: str, verb: str) -> None:
    async with memory_on(store_url) as memory:
        receipt = await memory.assert_facts([told("Ana Kovac", "works_for", "Acme", valid_at="2020-01-01T00:00:00Z")])
        (fact,) = (await memory.facts()).items
        await memory.end(fact.id, "2022-02-01T00:00:00Z")
        await (memory.undo(receipt.id) if verb == "undo" else memory.retract(fact.id))
        assert await everything(memory) == []


async def test_a_merge_keeps_what_began_when_the_other_ended(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts([told("Ana Kovac", "works_for", "Acme Group", valid_at="2022-01-01T00:00:00Z")])
        await memory.assert_facts([told("Ana Kovac", "works_for", "Acme GmbH", valid_at="2020-01-01T00:00:00Z")])
        (older,) = (await memory.facts(as_of="2021-01-01T00:00:00Z")).items
        (newer,) = (await memory.facts()).items
        await memory.end(older.id, "2022-01-01T00:00:00Z")
        await memory.merge([older.object.id, newer.object.id])
        (now,) = (await memory.facts()).items
        assert now.valid_at.year == 2022


async def test_the_last_moment_is_refused_and_not_stumbled_over(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        last = "9999-12-31T23:59:59.999Z"
        with pytest.raises(Invalid, match="leave the field out"):
            await memory.assert_facts([told("Ana Kovac", "works_for", "Acme", valid_at=last, invalid_at=last)])
        await memory.assert_facts([told("Ana Kovac", "works_for", "Acme", valid_at="2020-01-01T00:00:00Z")])
        (fact,) = (await memory.facts()).items
        with pytest.raises(Invalid, match="leave the field out"):
            await memory.correct(fact.id, invalid_at=last)
