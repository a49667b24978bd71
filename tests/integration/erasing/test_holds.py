"""Legal holds: what they protect cannot be purged, and what waited for their end is purged then."""

from __future__ import annotations

from typing import Any

import pytest

from muniment.engine.memory import Memory
from muniment.graph_schema.errors import Conflict, Held, Invalid, NotFound
from tests.engines import engine_on, made, memory_on, objects, told
from tests.integration.erasing.test_purge import MARKER, kept, said
from tests.integration.erasing.traces import places_of


async def furnished(memory: Memory) -> dict[str, str]:
    """One episode of a user about a subject, with a fact on it; gives their ids."""
    receipt = await memory.remember(
        [said(f"Mira Holt works for {MARKER} Ltd.", external_id="x1", scope={"user": "u1", "agent": "a1"})],
        extract="none",
    )
    episode = receipt.episodes[0].id
    fact = made(await memory.assert_facts([told("Mira Holt", "works_for", f"{MARKER} Ltd", evidence=[episode])]))
    return {"episode": episode, "fact": fact}


@pytest.mark.parametrize("hold", ["episode", "external_id", "fact", "subject", "user", "agent", "tenant"])
@pytest.mark.parametrize("purge", ["episode", "subject", "user", "tenant"])
async def test_a_hold_stops_every_purge_that_would_touch_what_it_protects(
    store_url: str, hold: str, purge: str
) -> None:
    async with memory_on(store_url) as memory:
        ids = await furnished(memory)
        scopes: dict[str, dict[str, Any]] = {
            "episode": {"episode": ids["episode"]},
            "fact": {"fact": ids["fact"]},
            "external_id": {"external_id": "x1"},
            "subject": {"subject": "Mira Holt"},
            "user": {"user": "u1"},
            "agent": {"agent": "a1"},
            "tenant": {"tenant": True},
        }
        placed = await memory.hold(scopes[hold], reason="case 12/26")
        with pytest.raises(Held, match=placed.id) as caught:
            await memory.purge(scopes[purge])
        assert caught.value.holds == (placed.id,)
        assert (await memory.episode(ids["episode"])).text
        assert (await memory.fact(ids["fact"])).text
        await memory.release(placed.id)
        assert (await memory.purge(scopes[purge])).remaining == 0


async def test_a_hold_lets_go_what_it_does_not_protect(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await furnished(memory)
        (other,) = await kept(memory, "Tomas Brandt lives in Bergen.", scope={"user": "u2"})
        await memory.hold({"user": "u1"}, reason="case 12/26")
        assert (await memory.purge({"episode": other})).counts["episode"] == 1
        assert (await memory.purge({"user": "u2"})).counts["episode"] == 0


async def test_a_purge_may_wait_for_the_end_of_the_hold(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        ids = await furnished(memory)
        first = await memory.hold({"user": "u1"}, reason="case 12/26")
        second = await memory.hold({"subject": "Mira Holt"}, reason="case 13/26")
        with pytest.raises(Held, match="the purge waits"):
            await memory.purge({"subject": "Mira Holt"}, when_released=True)
        assert (await memory.release(first.id)).certificates == ()
        assert (await memory.episode(ids["episode"])).text
        released = await memory.release(second.id)
        assert [c.remaining for c in released.certificates] == [0]
        assert released.certificates[0].actor == "tester"
        with pytest.raises(NotFound):
            await memory.episode(ids["episode"])
        assert places_of(MARKER, store_url) == []
        assert places_of("Mira", store_url) == []
        third = await memory.hold({"tenant": True}, reason="case 14/26")
        assert (await memory.release(third.id)).certificates == ()


async def test_holds_are_listed_while_they_last_and_released_once(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        placed = await memory.hold({"user": "u1"}, reason="case 12/26")
        assert [(h.id, h.scope, h.reason) for h in await memory.holds()] == [(placed.id, {"user": "u1"}, "case 12/26")]
        released = (await memory.release(placed.id)).hold
        assert (released.is_active, released.released_by) == (False, "tester")
        assert list(await memory.holds()) == []
        assert [h.id for h in await memory.holds(include_released=True)] == [placed.id]
        with pytest.raises(Conflict):
            await memory.release(placed.id)
        with pytest.raises(NotFound):
            await memory.release("h_0")


async def test_a_hold_needs_a_reason_and_something_to_hold(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme", actor="tester")
        ids = await furnished(memory)
        with pytest.raises(Invalid, match="reason"):
            await memory.hold({"tenant": True}, reason=" ")
        with pytest.raises(NotFound):
            await memory.hold({"subject": "Nobody"}, reason="case")
        other = engine.for_tenant("globex", actor="tester")
        with pytest.raises(NotFound):
            await other.hold({"episode": ids["episode"]}, reason="case")
        await other.hold({"tenant": True}, reason="case")
        assert (await memory.purge({"episode": ids["episode"]})).remaining == 0


async def test_stops_and_releases_are_told_by_the_audit_chain(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        ids = await furnished(memory)
        placed = await memory.hold({"episode": ids["episode"]}, reason="case 12/26")
        with pytest.raises(Held):
            await memory.purge({"episode": ids["episode"]})
        await memory.release(placed.id)
        entries = [(e.verb, e.outcome) for e in (await memory.audit()).items][:3]
        assert entries == [("release", "done"), ("purge", "refused"), ("hold", "done")]
        assert (await memory.verify_audit()).ok


async def test_forgetting_softly_is_not_stopped(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        ids = await furnished(memory)
        await memory.hold({"tenant": True}, reason="case 12/26")
        await memory.forget([ids["fact"]])
        assert await objects(memory, subject="Mira Holt") == set()
        assert await objects(memory, subject="Mira Holt", include_archived=True) == {f"{MARKER} Ltd"}
