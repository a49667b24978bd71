"""A word planted in every place where text can go is nowhere once the tenant is purged: no file, no property, no index."""

from __future__ import annotations

from typing import Any

from muniment.engine.memory import Memory
from muniment.graph_schema.records import Kind
from tests.engines import engine_on, made, told
from tests.integration.erasing.traces import places_of, places_of_each

DAY = "2026-03-01T09:00:00Z"
_PLACES = (
    "text title speaker source tag extid user agent session subject object sentence relation kind identifier value alias "
    "preference trigger steps endreason pinreason undoreason rejectreason mergereason outcomereason question wall "
    "ontologyname ontologyalias job imported correction reviewreason holdreason"
)
PLANTED = {place: f"qz{place}vex" for place in _PLACES.split()}


async def plant(memory: Memory, source: Memory) -> None:
    """Each word goes to the place that it is named after, and to no other."""
    p = PLANTED
    scope = {"user": p["user"], "agent": p["agent"], "session": p["session"]}
    note: dict[str, Any] = {"kind": "note", "occurred_at": DAY}
    await memory.set_ontology(
        {"relations": [{"name": p["ontologyname"], "cardinality": "many", "aliases": [p["ontologyalias"]]}]}
    )
    await memory.remember(
        [
            {
                **note,
                "text": f"The {p['text']} stands in the yard.",
                "title": p["title"],
                "speaker": p["speaker"],
                "source": p["source"],
                "metadata": {"tag": p["tag"]},
                "external_id": p["extid"],
                "scope": scope,
            }
        ]
    )
    await memory.remember([{**note, "text": f"The gate is {p['job']}."}], mode="async")
    await memory.remember([{**note, "text": f"Kept apart: {p['wall']}.", "wall": p["wall"]}], extract="none")
    subject = {"name": p["subject"], "type": p["kind"], "identifiers": [f"tax:{p['identifier']}"]}
    facts = [
        {"subject": subject, "relation": "likes", "object": {"name": p["object"]}, "text": f"As {p['sentence']} says"},
        {"subject": {"name": "Mira Holt"}, "relation": p["relation"], "object": {"value": p["value"]}},
    ]
    await memory.assert_facts(facts)
    first = made(await memory.assert_facts([told("Mira Holt", "works_for", "Alder", valid_at="2025-01-01T00:00:00Z")]))
    receipt = await memory.assert_facts([told("Mira Holt", "works_for", "Birch", valid_at="2026-01-01T00:00:00Z")])
    await memory.pin(first, reason=p["pinreason"])
    await memory.undo(receipt.id, reason=p["undoreason"])
    await memory.end(first, DAY, reason=p["endreason"])
    tea = made(await memory.assert_facts([told("Mira Holt", "likes", "tea")]))
    await memory.correct(tea, object={"name": p["correction"]})
    await memory.reject(made(await memory.assert_facts([told("Mira Holt", "likes", "rum")])), reason=p["rejectreason"])
    await memory.assert_facts([told(f"Holt {p['alias']}", "likes", "ale"), told("Old Holt", "likes", "beer")])
    ids = {page.entity.name: page.entity.id for page in (await memory.entities(limit=200)).items}
    await memory.merge([ids["Old Holt"], ids[f"Holt {p['alias']}"]], reason=p["mergereason"])
    for firm in ("Gamma", "Delta"):
        await memory.assert_facts([told("Bo Lind", "works_for", firm, valid_at="2026-01-01T00:00:00Z")])
    (review,) = [r for r in (await memory.reviews()).items if r.facts]
    await memory.resolve_review(review.id, "both", reason=p["reviewreason"])
    commands = [
        {"op": "create", "type": "preference", "content": f"Mira Holt prefers {p['preference']}"},
        {"op": "create", "type": "skill", "content": f"{p['trigger']} an order\n1. open {p['steps']}\n2. close"},
    ]
    written = await memory.apply_commands({"memory_commands": commands})
    skill = next(c.id for c in written.changes if c.kind is Kind.SKILL)
    await memory.record_outcome(skill, ok=True, reason=p["outcomereason"])
    await source.assert_facts([told(p["imported"], "likes", "tea")])
    await memory.import_([line async for line in source.export()])
    hold = await memory.hold({"subject": "Bo Lind"}, reason=p["holdreason"])
    await memory.release(hold.id)
    await memory.recall(f"where is the {p['question']}?")
    await memory._tools.later.flush()


async def test_no_word_of_a_purged_tenant_is_left_in_any_place(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory, source = (engine.for_tenant(name, actor="tester", all_walls=True) for name in ("acme", "source"))
        await plant(memory, source)
        words = PLANTED.values()
        unseen = [word for word, found in places_of_each(words, store_url).items() if not found]
        assert unseen == [], "a word that was never written proves nothing"
        for tenant in (memory, source):
            certificate = await tenant.purge({"tenant": True})
            assert certificate.remaining == 0
        assert {word: found for word, found in places_of_each(words, store_url).items() if found} == {}
        assert (await memory.verify_audit()).ok
    assert {word: found for word, found in places_of_each(words, store_url).items() if found} == {}


async def test_a_spelling_that_an_undo_would_take_off_is_gone_with_its_subject(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme", actor="tester")
        names = ("Qzara Vexholm", "Vexholm, Qzara")
        for name in names:
            fact = told(name, "likes", "tea")
            await memory.assert_facts([{**fact, "subject": {"name": name, "type": "person"}}])
        (one,) = (await memory.entities(q="Vexholm")).items
        assert {a.name for a in one.entity.aliases if a.name} == set(names)
        assert places_of("Vexholm, Qzara", store_url)
        await memory.purge({"subject": one.entity.id})
        assert places_of("Vexholm", store_url) == []
