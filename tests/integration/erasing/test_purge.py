"""Purging: nothing of what is erased is left anywhere, and nothing else is touched."""

from __future__ import annotations

from typing import Any

import pytest

from muniment.engine.memory import Memory
from muniment.graph_schema.errors import Ambiguous, Conflict, Invalid, NotFound
from muniment.graph_schema.records import Action
from tests.engines import Hands, changes, engine_on, everything, memory_on, objects, told
from tests.integration.erasing.traces import places_of

MARKER = "Zorblattine"
DAY = "2026-03-01T09:00:00Z"


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"text": text, "kind": "note", "occurred_at": DAY, **more}


async def kept(memory: Memory, *texts: str, **more: Any) -> list[str]:
    """Remembers texts; gives their episodes' ids."""
    return [e.id for e in (await memory.remember([said(text, **more) for text in texts])).episodes]


async def test_a_purged_episode_leaves_no_byte(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        other, secret = await kept(
            memory, "Mira Holt works for Northwind.", f"Mira Holt bought a {MARKER} from Alder and Birch Ltd."
        )
        await memory.assert_facts([told("Mira Holt", "likes", f"{MARKER} tea", evidence=[secret])])
        await memory.recall(f"who bought the {MARKER}?")
        await memory.pin(secret, reason=f"the {MARKER} matter")
        await memory._tools.later.flush()
        assert places_of(MARKER, store_url)
        certificate = await memory.purge({"episode": secret})
        assert places_of(MARKER, store_url) == []
        assert certificate.remaining == 0
        assert certificate.counts["episode"] == 1
        assert certificate.counts["assertion"] >= 1
        assert certificate.scrubbed
        with pytest.raises(NotFound):
            await memory.episode(secret)
        assert (await memory.episode(other)).text == "Mira Holt works for Northwind."
        assert await objects(memory, relation="works_for") == {"Northwind"}
        assert (await memory.recall("Mira Holt")).recall.hits
        assert (await memory.verify_audit()).ok
    assert places_of(MARKER, store_url) == []


@pytest.mark.parametrize(
    "scope",
    [
        {"subject": f"{MARKER} Quill"},
        {"subject": {"name": f"{MARKER.lower()} quill"}},
        {"user": f"user-{MARKER}"},
        {"agent": f"agent-{MARKER}"},
        {"session": f"session-{MARKER}"},
        {"external_id": f"mail-{MARKER}"},
        {"tenant": True},
    ],
    ids=lambda scope: next(iter(scope)) if isinstance(scope, dict) else str(scope),
)
async def test_each_scope_leaves_no_byte(store_url: str, scope: dict[str, Any]) -> None:
    async with memory_on(store_url) as memory:
        by_scope = {
            "scope": {
                "user": f"user-{MARKER}" if "user" in scope else "",
                "agent": f"agent-{MARKER}" if "agent" in scope else "",
                "session": f"session-{MARKER}" if "session" in scope else "",
            }
        }
        external = {"external_id": f"mail-{MARKER}"}
        await memory.assert_facts([told("Pia Roth", "uses", "tea")])
        text = f"{MARKER} Quill likes the {MARKER} of Birch Ltd."
        await memory.remember(
            [said(text, title=f"About {MARKER}", metadata={"tags": [MARKER]}, **by_scope, **external)]
        )
        if "external_id" not in scope:
            fact = told(f"{MARKER} Quill", "works_for", "Birch Ltd")
            if "session" not in scope:
                await memory.assert_facts([{**fact, **by_scope}])
            await memory.remember([said(f"{MARKER} Quill met Pia Roth.", **by_scope)], extract="none")
        await memory.recall(f"{MARKER} Quill", scope=by_scope["scope"])
        await memory._tools.later.flush()
        assert places_of(MARKER, store_url)
        certificate = await memory.purge(scope)
        assert places_of(MARKER, store_url) == []
        assert certificate.remaining == 0
        assert MARKER not in str((await memory.certificates())[0])
        if scope != {"tenant": True}:
            assert await objects(memory, subject="Pia Roth", relation="uses") == {"tea"}
        else:
            assert await everything(memory) == []
        assert (await memory.verify_audit()).ok
    assert places_of(MARKER, store_url) == []


async def test_a_purged_fact_goes_with_all_its_evidence(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts([told("Mira Holt", "likes", "tea")])
        receipt = await memory.assert_facts([told("Mira Holt", "likes", MARKER)])
        (made,) = changes(receipt, Action.CREATED)
        await memory.end(made.id, reason=f"no more {MARKER}")
        await memory.purge({"fact": made.id})
        assert places_of(MARKER, store_url) == []
        assert await objects(memory, subject="Mira Holt") == {"tea"}
        with pytest.raises(NotFound):
            await memory.fact(made.id)


async def test_a_fact_that_another_source_supports_stays_and_is_told_from_it(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        first = await kept(memory, f"A {MARKER} said so.")
        second = await kept(memory, "The register says so.")
        fact = told("Mira Holt", "works_for", "Northwind", text=f"{MARKER} tells that Mira Holt works for Northwind")
        await memory.assert_facts([{**fact, "evidence": first}])
        await memory.assert_facts([told("Mira Holt", "works_for", "Northwind", evidence=second)])
        (before,) = (await memory.facts(subject="Mira Holt")).items
        await memory.pin(before.id)
        certificate = await memory.purge({"episode": first[0]})
        (after,) = (await memory.facts(subject="Mira Holt")).items
        assert [q.episode for q in after.evidence] == second
        assert after.pinned
        assert (certificate.counts["fact"], certificate.kept) == (1, 1)
        assert places_of(MARKER, store_url) == []


async def test_what_erased_evidence_had_closed_opens_again(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts([told("Mira Holt", "works_for", "Northwind", valid_at="2024-01-01T00:00:00Z")])
        (episode,) = await kept(memory, "Mira Holt joined Birch Ltd.")
        await memory.assert_facts(
            [told("Mira Holt", "works_for", "Birch Ltd", valid_at="2025-01-01T00:00:00Z", evidence=[episode])]
        )
        assert await objects(memory, subject="Mira Holt", relation="works_for") == {"Birch Ltd"}
        certificate = await memory.purge({"episode": episode})
        assert await objects(memory, subject="Mira Holt", relation="works_for") == {"Northwind"}
        receipt = await memory.receipt(certificate.receipt)
        assert changes(receipt, Action.REOPENED)
        with pytest.raises(Conflict, match="purge"):
            await memory.undo(certificate.receipt)


async def test_an_undo_says_what_of_the_write_was_erased_since(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        write = await memory.remember([said("Mira Holt works for Northwind."), said(f"Tom Berg lives in {MARKER}.")])
        kept_one, erased_one = (e.id for e in write.episodes)
        await memory.purge({"episode": erased_one})
        undone = await memory.undo(write.id)
        assert erased_one in {r.input for r in undone.rejected}
        assert kept_one not in {r.input for r in undone.rejected}
        assert {r.code for r in undone.rejected} == {"not_found"}
        assert await objects(memory, relation="works_for") == set()

        (alone,) = (other := await memory.remember([said(f"Ida Roth lives in {MARKER}.")])).episodes
        await memory.purge({"episode": alone.id})
        with pytest.raises(Conflict, match="erased for good"):
            await memory.undo(other.id)


async def test_a_spelling_that_only_the_erased_had_is_taken_from_an_entity_that_stays(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts([told("Northwind", "headquartered_in", "Bergen")])
        receipt = await memory.assert_facts([told(f"{MARKER} Trading", "uses", "tea")])
        spelled = changes(receipt, Action.CREATED)[0].id
        north = next(iter((await memory.entities(q="northwind")).items)).entity.id
        odd = next(iter((await memory.entities(q=MARKER)).items)).entity.id
        await memory.merge([north, odd])
        assert any(MARKER in a.name for a in (await memory.entity(north)).entity.aliases)
        facts = (await memory.facts(subject="Northwind", relation="uses")).items
        await memory.purge({"fact": facts[0].id if facts else spelled})
        assert places_of(MARKER, store_url) == []
        assert await objects(memory, subject="Northwind") == {"Bergen"}


async def test_a_twin_tenant_is_not_touched(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        mine, twin = (engine.for_tenant(name, actor="tester") for name in ("acme", "globex"))
        for memory in (mine, twin):
            await memory.remember([said(f"Mira Holt likes the {MARKER}.", external_id="m1", scope={"user": "u1"})])
            await memory.assert_facts([told("Mira Holt", "works_for", f"{MARKER} Ltd")])
            await memory.recall(f"{MARKER}")
        await engine.tools.later.flush()
        before = (await everything(twin), (await twin.episodes()).items, (await twin.verify_audit()).last_hash)
        for scope in ({"external_id": "m1"}, {"subject": "Mira Holt"}, {"user": "u1"}, {"tenant": True}):
            await mine.purge(scope)
        assert await everything(mine) == []
        assert (await mine.episodes()).items == ()
        after = (await everything(twin), (await twin.episodes()).items, (await twin.verify_audit()).last_hash)
        assert after == before
        assert (await twin.recall(f"who likes the {MARKER}?")).recall.hits
        assert (await twin.recall("Mira Holt")).recall.hits
    assert places_of(MARKER, store_url)


async def test_what_is_not_there_or_not_yours_is_not_found(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        inside = engine.for_tenant("acme", actor="tester", walls=["deal"])
        outside = engine.for_tenant("acme", actor="tester")
        other = engine.for_tenant("globex", actor="tester")
        (episode,) = await kept(inside, "The price is nine.", wall="deal")
        for memory in (outside, other):
            for scope in (
                {"episode": episode},
                {"wall": "deal"},
                {"subject": "Nobody"},
                {"fact": "f_0"},
                {"external_id": "x"},
            ):
                if scope == {"wall": "deal"} and memory is other:
                    continue
                with pytest.raises(NotFound):
                    await memory.purge(scope)
        assert (await inside.episode(episode)).text == "The price is nine."
        empty = await inside.purge({"user": "nobody"})
        assert (empty.counts["episode"], empty.remaining) == (0, 0)


@pytest.mark.parametrize(
    "scope", [{}, {"user": ""}, {"user": "*"}, {"user": "a", "agent": "b"}, {"tenant": "globex"}, {"moon": 1}]
)
async def test_a_scope_that_could_mean_more_than_one_thing_is_refused(store_url: str, scope: dict[str, Any]) -> None:
    async with memory_on(store_url) as memory:
        with pytest.raises(Invalid):
            await memory.purge(scope)


async def test_a_subject_whose_name_means_two_is_named_not_guessed(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts(
            [
                {"subject": {"name": "Jordan", "type": "person"}, "relation": "likes", "object": {"name": "tea"}},
                {"subject": {"name": "Jordan", "type": "country"}, "relation": "uses", "object": {"name": "dinar"}},
            ]
        )
        with pytest.raises(Ambiguous) as caught:
            await memory.purge({"subject": "Jordan"})
        person = next(e.entity for e in (await memory.entities(q="jordan")).items if e.entity.type == "person")
        assert person.id in caught.value.candidates
        await memory.purge({"subject": person.id})
        assert await objects(memory, subject="Jordan") == {"dinar"}


async def test_a_wall_goes_alone(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme", actor="tester", walls=["alfa", "beta"])
        for wall in ("alfa", "beta", ""):
            await memory.remember([said("Mira Holt works for Northwind.", wall=wall, external_id="one source")])
            await memory.assert_facts([told("Mira Holt", "likes", f"tea {wall}", wall=wall)])
        certificate = await memory.purge({"wall": "alfa"})
        assert certificate.remaining == 0
        alfa = engine.for_tenant("acme", walls=["alfa"])
        beta = engine.for_tenant("acme", walls=["beta"])
        assert {e.wall for e in (await alfa.episodes()).items} == {""}
        assert {e.wall for e in (await beta.episodes()).items} == {"", "beta"}
        assert {f.object.name for f in (await beta.facts(relation="likes")).items} == {"tea beta", "tea"}


async def test_one_source_in_two_walls_is_erased_from_one(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme", actor="tester", walls=["alfa", "beta"])
        for wall in ("alfa", "beta"):
            await memory.remember([said("Mira Holt works for Northwind.", wall=wall, external_id="one source")])
        beta = engine.for_tenant("acme", walls=["beta"])
        before = ((await beta.episodes()).items, await everything(beta))
        await memory.purge({"external_id": "one source", "wall": "alfa"})
        alfa = engine.for_tenant("acme", walls=["alfa"])
        assert (await alfa.episodes()).items == ()
        assert await everything(alfa) == []
        assert ((await beta.episodes()).items, await everything(beta)) == before
        assert (await beta.recall("Mira Holt")).recall.hits


async def test_a_preview_erases_nothing_and_tells_the_same(store_url: str) -> None:
    clock = Hands()
    async with memory_on(store_url, clock) as memory:
        (episode,) = await kept(memory, "Mira Holt works for Northwind.")
        preview = await memory.purge({"episode": episode}, dry_run=True)
        assert (await memory.episode(episode)).text
        real = await memory.purge({"episode": episode})
        assert (preview.dry_run, real.dry_run) == (True, False)
        assert (preview.id, preview.counts, preview.derived) == (real.id, real.counts, real.derived)


async def test_the_audit_keeps_who_and_what_but_no_words(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        (episode,) = await kept(memory, f"The {MARKER} is sold.")
        certificate = await memory.purge({"episode": episode}, reason="asked by the person")
        entry = next(e for e in (await memory.audit()).items if e.verb == "purge")
        assert (entry.actor, entry.outcome) == ("tester", "done")
        assert {certificate.id, episode} <= set(entry.ids)
        stored = await memory.certificate(certificate.id)
        assert stored.digest == certificate.digest
        assert stored.reason == "asked by the person"


async def test_what_was_undone_in_the_slot_of_something_purged_stays_as_history_and_can_come_back(
    store_url: str,
) -> None:
    async with memory_on(store_url) as memory:
        await kept(memory, "Greta Lund reports to Oskar Brandt. Oskar Brandt lives in Malmö.")
        told_later = await memory.remember([said("Oskar Brandt lives in Stockholm.", external_id="later")])
        undone = await memory.undo(told_later.id)
        certificate = await memory.purge({"subject": "Greta Lund"})
        assert certificate.remaining == 0
        assert certificate.counts["fact"] == 2
        assert await objects(memory) == set()
        await memory.undo(undone.id)
        assert await objects(memory) == {"Stockholm"}
        assert (await memory.verify_audit()).ok


@pytest.mark.parametrize("decision", ["end", "correct", "reject"])
async def test_what_was_decided_about_a_fact_goes_with_its_last_evidence(store_url: str, decision: str) -> None:
    async with memory_on(store_url) as memory:
        (secret,) = await kept(memory, f"{MARKER} Quill works for Birch Ltd since 2020-01-01.")
        (fact,) = (await memory.facts(relation="works_for")).items
        if decision == "end":
            await memory.end(fact.id, "2022-01-01T00:00:00Z")
        elif decision == "correct":
            await memory.correct(fact.id, valid_at="2019-01-01T00:00:00Z")
        else:
            await memory.reject(fact.id)
        certificate = await memory.purge({"episode": secret})
        assert certificate.remaining == certificate.kept == 0
        assert await everything(memory) == []
        assert places_of(MARKER, store_url) == []


async def test_a_value_given_in_place_of_an_erased_one_stays_in_plain_words(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        (secret,) = await kept(memory, f"As {MARKER} told us in confidence, Mira Holt works for Birch Ltd.")
        (fact,) = (await memory.facts(relation="works_for")).items
        await memory.correct(fact.id, object={"name": "Northwind"})
        certificate = await memory.purge({"episode": secret})
        assert (certificate.remaining, certificate.kept) == (0, 1)
        (left,) = (await memory.facts(relation="works_for")).items
        assert left.text == "Mira Holt works for Northwind"
        assert places_of(MARKER, store_url) == []


async def test_a_decision_about_a_fact_that_another_text_tells_too_loses_the_erased_words(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        (secret,) = await kept(memory, f"As {MARKER} told us in confidence, Mira Holt works for Birch Ltd.")
        await kept(memory, "Mira Holt works for Birch Ltd.")
        (fact,) = (await memory.facts(relation="works_for")).items
        await memory.end(fact.id, "2026-05-01T00:00:00Z")
        await memory.purge({"episode": secret})
        (left,) = (await memory.facts(relation="works_for", include_superseded=True)).items
        assert left.invalid_at is not None
        assert places_of(MARKER, store_url) == []
