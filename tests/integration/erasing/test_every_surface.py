"""A deleted memory is gone from every way to ask for it, also after the store was opened anew; a twin shows each way works."""

from __future__ import annotations

from typing import Any

from muniment.engine.memory import Memory
from muniment.graph_schema.records import Kind
from tests.engines import Hands, engine_on, told
from tests.integration.erasing.test_purge import MARKER, kept
from tests.integration.erasing.test_transfer import lines_of
from tests.integration.erasing.traces import places_of

WORD = MARKER.lower()


async def surfaces(memory: Memory, episode: str) -> dict[str, bool]:
    """For each way to ask: whether what the episode told is found by it."""
    found: dict[str, Any] = {
        "recall by words": [hit for hit in (await memory.recall(MARKER)).recall.hits if WORD in hit.text.lower()],
        "recall by meaning": [
            hit
            for hit in (await memory.recall("who supplies the workshop?", kinds=["episode", "fact"])).recall.hits
            if WORD in hit.text.lower()
        ],
        "context": WORD in (await memory.context(f"{MARKER} workshop")).context.text.lower(),
        "episodes": (await memory.episodes(q=MARKER)).items,
        "facts": (await memory.facts(q=MARKER, include_superseded=True, include_archived=True)).items,
        "entities": (await memory.entities(q=MARKER)).items,
        "export": [line for line in await lines_of(memory) if WORD in line.lower()],
        "ranked": [e for e in await memory.ranked_episodes(MARKER) if e.id == episode],
    }
    holt = next((page.entity.id for page in (await memory.entities(q="Mira Holt")).items), None)
    around = await memory.neighbourhood([holt], hops=2) if holt else None
    found["hops"] = around and [f for f in around.facts if WORD in f.text.lower()]
    found["entity page"] = holt and (await memory.entity(holt)).counts.facts > 1
    page = (await memory.facts(subject="Mira Holt")).items
    found["history"] = [f for f in page if WORD in str((await memory.history(f.id)).story).lower()]
    return {name: bool(one) for name, one in found.items()}


async def furnished(memory: Memory) -> str:
    (episode,) = await kept(memory, f"Mira Holt says that {MARKER} Ltd supplies the workshop.", external_id="x1")
    await memory.assert_facts(
        [
            told("Mira Holt", "works_for", f"{MARKER} Ltd", evidence=[episode]),
            told(f"{MARKER} Ltd", "supplies", "the workshop", evidence=[episode]),
        ]
    )
    await memory.assert_facts([told("Mira Holt", "lives_in", "Bergen")])
    return episode


async def test_a_deleted_memory_is_gone_from_every_surface(store_url: str) -> None:
    clock = Hands()
    async with engine_on(store_url, clock) as engine:
        memory, twin = (engine.for_tenant(name, actor="tester", all_walls=True) for name in ("acme", "globex"))
        episode, other = await furnished(memory), await furnished(twin)
        assert all((await surfaces(memory, episode)).values())
        await memory.purge({"episode": episode})
        assert not any((await surfaces(memory, episode)).values())
        assert all((await surfaces(twin, other)).values())
    async with engine_on(store_url, clock) as engine:
        memory, twin = (engine.for_tenant(name, actor="tester", all_walls=True) for name in ("acme", "globex"))
        assert not any((await surfaces(memory, episode)).values())
        assert all((await surfaces(twin, other)).values())
        entry = next(e for e in (await memory.audit()).items if e.verb == "purge")
        assert (entry.actor, episode in entry.ids) == ("tester", True)
        await twin.purge({"tenant": True})
        await memory.purge({"user": "nobody"})  # the questions asked since are kept as traces
    assert places_of(MARKER, store_url) == []


async def test_preferences_and_skills_go_too(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme", actor="tester")
        await memory.apply_commands(
            {
                "subject": {"name": "Mira Holt"},
                "memory_commands": [
                    {"op": "create", "type": "preference", "content": f"Mira Holt prefers {MARKER} paper"},
                    {"op": "create", "type": "skill", "content": f"To order {MARKER}: write to the shop"},
                    {"op": "create", "type": "constraint", "content": f"Mira Holt must not eat {MARKER}"},
                ],
            }
        )
        assert (await memory.preferences()).items
        assert (await memory.skills()).items
        assert places_of(MARKER, store_url)
        await memory.purge({"subject": "Mira Holt"})
        skills = (await memory.skills()).items
        for skill in skills:
            assert skill.kind is Kind.SKILL
            await memory.purge({"fact": skill.id})
        assert (await memory.preferences()).items == ()
        assert (await memory.skills()).items == ()
    assert places_of(MARKER, store_url) == []
