"""What happened is kept as given, once, and leaves every surface when it is taken back."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from muniment.graph_schema.errors import Invalid, NotFound, TooLarge
from muniment.graph_schema.records import EpisodeOutcome
from tests.engines import Hands, engine_on, memory_on, objects, told

HARD_TEXTS = {
    "emoji": "Ship it 🚢🇩🇪 👩‍👩‍👧 tomorrow",
    "right to left": "השם של הלקוח הוא דנה",
    "nul": "before\x00after",
    "surrogate": "half \ud83d pair",
    "long": "word " * 40_000,
    "chinese": "王小明在上海分公司负责采购",
}


def note(text: str, **more: Any) -> dict[str, Any]:
    return {"text": text, "kind": "note", "occurred_at": "2026-05-01T09:00:00Z", **more}


@pytest.mark.parametrize("name", HARD_TEXTS)
async def test_hard_texts_come_back_as_given(store_url: str, name: str) -> None:
    text = HARD_TEXTS[name]
    async with memory_on(store_url) as memory:
        receipt = await memory.remember([note(text)])
        assert (await memory.episode(receipt.episodes[0].id)).text == text


async def test_nested_metadata_comes_back_as_given(store_url: str) -> None:
    metadata = {"meta": {"tags": ["x", {"y": None}], "n": 1.5}, "ok": True}
    async with memory_on(store_url) as memory:
        receipt = await memory.remember([note("A note.", metadata=metadata)])
        assert (await memory.episode(receipt.episodes[0].id)).metadata == metadata


async def test_same_external_id_is_one_episode(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        first = await memory.remember([note("Once.", external_id="x"), note("Once.", external_id="x")])
        again = await memory.remember([note("Once.", external_id="x")])
        assert [e.status for e in first.episodes] == [EpisodeOutcome.CREATED, EpisodeOutcome.EXISTS]
        assert [(e.id, e.status) for e in again.episodes] == [(first.episodes[0].id, EpisodeOutcome.EXISTS)]
        assert len((await memory.episodes()).items) == 1
        other = await memory.remember([note("Otherwise.", external_id="x")])
        assert [r.code for r in other.rejected] == ["conflict"]
        assert (await memory.episode(first.episodes[0].id)).text == "Once."


async def test_wrong_values_are_named_and_nothing_is_written(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        good = note("Good.")
        for bad, field in (
            (note("x", occurred_at="2026-05-01T09:00:00"), "occurred_at"),
            (note("x", importance=6), "importance"),
            (note("  "), "text"),
            (note("x", kind="poem"), "kind"),
            (note("x", colour="red"), "colour"),
        ):
            with pytest.raises(Invalid, match=field):
                await memory.remember([good, bad])
        with pytest.raises(TooLarge, match="200000"):
            await memory.remember([note("x" * 200_001)])
        assert (await memory.episodes()).items == ()


async def test_taken_back_episode_leaves_every_surface(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        receipt = await memory.remember([note("Petra Novak works for Kestrel Freight.", title="Petra Novak")])
        episode = receipt.episodes[0].id
        entity = (await memory.entities(q="petra")).items[0].entity.id
        assert await objects(memory) == {"Kestrel Freight"}
        await memory.forget([episode])
        assert await objects(memory) == set()
        answer = (await memory.recall("Where does Petra Novak work? Kestrel Freight")).recall
        assert answer.hits == ()
        assert "Kestrel" not in (await memory.context("Petra Novak Kestrel Freight")).context.text
        assert (await memory.neighbourhood([entity], hops=2)).facts == ()
        assert (await memory.episodes()).items == ()
        with pytest.raises(NotFound):
            await memory.episode(episode)
        assert "Kestrel" not in str((await memory.audit()).items)


async def test_unknown_ids_are_not_found(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        for attempt in (
            memory.retract("f_nowhere"),
            memory.retract("e_nowhere"),
            memory.forget(["f_nowhere"]),
            memory.pin("e_nowhere"),
        ):
            with pytest.raises(NotFound, match="nowhere"):
                await attempt


async def test_dead_facts_are_returned_only_when_asked_for(store_url: str) -> None:
    clock = Hands()
    async with memory_on(store_url, clock) as memory:
        await memory.assert_facts(
            [told("Ana", "preferred_channel", "phone", text="Ana prefers phone", valid_at="2026-01-01T00:00:00Z")]
        )
        await memory.set_ontology({"relations": [{"name": "preferred_channel", "cardinality": "one", "aliases": []}]})
        await memory.assert_facts(
            [told("Ana", "preferred_channel", "email", text="Ana prefers email", valid_at="2026-03-01T00:00:00Z")]
        )
        asked = "how to reach Ana: phone or email?"
        now = (await memory.recall(asked)).recall.hits
        assert [h.text for h in now] == ["Ana prefers email"]
        every = {h.text: h for h in (await memory.recall(asked, include_superseded=True)).recall.hits}
        assert every["Ana prefers phone"].superseded
        assert every["Ana prefers phone"].invalid_at is not None
        before = (await memory.recall(asked, as_of="2026-02-28T23:59:59Z")).recall.hits
        assert [h.text for h in before] == ["Ana prefers phone"]
        assert "phone" not in (await memory.context("how to reach Ana?")).context.text


@pytest.mark.parametrize(
    "question",
    [
        "word " * 200,
        'what? " ( ) : * ~ / AND NOT zebra',
        "?",
        "🚢",
        "zebra*",
        "zebra AND (",
        'zebra"',
        "NEAR(zebra)",
        "{zebra}: ^zebra -zebra +zebra",
    ],
)
async def test_any_question_is_answered_without_a_syntax_error(store_url: str, question: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts([told("Small zoo", "keeps", "zebra", text="The small zoo keeps a zebra")])
        answer = await memory.recall(question)
        if "zebra" in question:
            assert answer.recall.hits[0].text == "The small zoo keeps a zebra"


async def test_names_are_kept_as_written_and_found_by_their_parts(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        text = "王小明在上海分公司负责采购"
        await memory.remember([note(text), note("李雷在北京总部负责财务")])
        for asked in ("王小明", "上海分公司", "采购"):
            hits = (await memory.recall(asked)).recall.hits
            assert text in {hits[0].text, *(q.quote for q in hits[0].evidence)}


async def test_depth_is_kept(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        chain = ["Ana", "Acme", "Holding", "Trust"]
        await memory.assert_facts([told(a, "part_of", b) for a, b in pairwise(chain)])
        ana = (await memory.entities(q="ana")).items[0].entity.id
        two = await memory.neighbourhood([ana], hops=2)
        assert {ref.name for ref in two.entities} == {"Ana", "Acme", "Holding"}
        (path,) = await memory.paths("Ana", "Trust")
        assert [leg.target.name for leg in path.legs] == chain[1:]
        assert await memory.paths("Ana", "Trust", hops=2) == []


async def test_two_tenants_may_use_one_external_id(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        for tenant in ("acme", "globex"):
            receipt = await engine.for_tenant(tenant).remember([note(f"Note of {tenant}.", external_id="n-1")])
            assert receipt.episodes[0].status is EpisodeOutcome.CREATED
