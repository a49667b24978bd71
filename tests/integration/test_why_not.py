"""Why a memory is not in an answer, and an answer given once more, on a whole engine."""

from __future__ import annotations

from typing import Any

import pytest

from muniment.engine.bootstrap import Engine
from muniment.engine.memory import Memory
from muniment.graph_schema.errors import Invalid, NotFound
from muniment.graph_schema.ids import EpisodeId
from tests.engines import Hands, engine_on, made, memory_on, told

QUESTION = "Where does Mira Halvorsen work?"


def note(text: str, id: str, **more: Any) -> dict[str, Any]:
    return {"text": text, "kind": "note", "occurred_at": "2026-01-05T09:00:00Z", "external_id": id, **more}


async def id_of(memory: Memory, external_id: str) -> EpisodeId:
    page = await memory.episodes(include_archived=True, limit=200)
    return next(one.id for one in page.items if one.external_id == external_id)


@pytest.mark.parametrize(
    ("stopped_by", "options"),
    [
        ("shown", {}),
        ("kind", {"kinds": ["episode"]}),
        ("relation", {"relations": ["lives_in"]}),
        ("type", {"types": ["place"]}),
        ("importance", {"min_importance": 4}),
        ("not_yet", {"as_of": "2019-01-01T00:00:00Z"}),
        ("unknown_then", {"known_at": "2019-01-01T00:00:00Z"}),
    ],
)
async def test_the_filter_that_hides_a_fact_is_named(stopped_by: str, options: dict[str, Any]) -> None:
    async with memory_on("sqlite://") as memory:
        holds = {"valid_at": "2020-01-01T00:00:00Z", "text": "Mira Halvorsen works for Fjordbank."}
        fact = made(await memory.assert_facts([told("Mira Halvorsen", "works_for", "Fjordbank", **holds)]))
        found = await memory.why_not(fact, query=QUESTION, **options)
        assert found.stopped_by == stopped_by, found.why
        assert found.why
        assert (found.rank == 1) == (stopped_by == "shown")


async def test_a_fact_says_what_took_its_place_and_what_was_done_to_it() -> None:
    async with memory_on("sqlite://") as memory:
        rows = [
            told("Mira Halvorsen", "works_for", "Fjordbank", valid_at="2020-01-01T00:00:00Z"),
            told("Mira Halvorsen", "works_for", "Kelpworks", valid_at="2024-03-01T00:00:00Z"),
            told("Mira Halvorsen", "likes", "rowing", valid_at="2020-01-01T00:00:00Z"),
            told("Mira Halvorsen", "likes", "curling", valid_at="2020-01-01T00:00:00Z"),
            told("Mira Halvorsen", "likes", "chess", valid_at="2020-01-01T00:00:00Z"),
        ]
        old, new, put_away, refused, taken_back = [made(await memory.assert_facts([row])) for row in rows]
        await memory.forget([put_away])
        await memory.reject(refused)
        await memory.retract(taken_back)
        found = await memory.why_not(old, query=QUESTION)
        assert (found.stopped_by, found.by) == ("superseded", (new,))
        assert found.since is not None
        assert found.since.isoformat().startswith("2024-03-01")
        for id, word in ((put_away, "archived"), (refused, "rejected"), (taken_back, "retracted")):
            assert (await memory.why_not(id, query=QUESTION)).stopped_by == word


async def test_rank_copies_scope_and_what_no_channel_finds() -> None:
    async with memory_on("sqlite://") as memory:
        texts = [
            f"The harbour crane number {n} of Fjordbank was inspected by team {n} in week {n}." for n in range(1, 9)
        ]
        notes = [note(text, f"crane-{n}") for n, text in enumerate(texts, 1)]
        twin = "Kelpworks keeps its spare propellers in the blue shed behind the northern slipway."
        notes += [note(twin, "twin-1"), note(twin, "twin-2")]
        notes += [note("The propellers of Ines are red.", "own", scope={"user": "ines"})]
        await memory.remember(notes, extract="none")
        shown = await memory.recall("Which harbour crane of Fjordbank was inspected?", limit=2)
        below = {one.id for one in shown.recall.omitted if one.reason == "limit"}
        ranked = await memory.why_not(sorted(below)[0], trace_id=shown.trace_id)
        assert ranked.stopped_by == "limit"
        assert ranked.rank is not None
        assert ranked.last_hit is not None
        assert ranked.rank > ranked.last_hit.rank == 2
        assert ranked.score is not None
        assert ranked.score <= ranked.last_hit.score
        question = "Where are the spare propellers of Kelpworks?"
        answer = await memory.recall(question)
        first = answer.recall.hits[0]
        assert first.copies == 1
        other = next(id for id in (await id_of(memory, "twin-1"), await id_of(memory, "twin-2")) if id != first.id)
        copy = await memory.why_not(other, trace_id=answer.trace_id)
        assert (copy.stopped_by, copy.by, copy.rank) == ("duplicate", (first.id,), 1)
        own = await id_of(memory, "own")
        assert (await memory.why_not(own, query=question)).stopped_by == "scope"
        assert (await memory.why_not(own, query=question, scope={"user": "ines"})).stopped_by == "shown"


async def test_what_stands_behind_a_wall_is_not_there() -> None:
    async with engine_on("sqlite://") as engine:
        inside = engine.for_tenant("acme", actor="partner", walls=["matter-7"])
        await inside.remember([note("Mira Halvorsen works for Fjordbank in secret.", "secret", wall="matter-7")])
        hidden = await id_of(inside, "secret")
        open_ = engine.for_tenant("acme", actor="clerk")
        answer = await open_.recall(QUESTION)
        with pytest.raises(NotFound) as walled:
            await open_.why_not(hidden, trace_id=answer.trace_id)
        with pytest.raises(NotFound) as absent:
            await open_.why_not("e_absent", trace_id=answer.trace_id)
        assert str(walled.value).replace(hidden, "X") == str(absent.value).replace("e_absent", "X")
        # Who sees the wall may hear of it, also where the question was asked without it.
        assert (await inside.why_not(hidden, trace_id=answer.trace_id)).stopped_by == "wall"
        with pytest.raises(Invalid):
            await open_.why_not(hidden)
        seen = await _admin(engine).recall(QUESTION)
        with pytest.raises(NotFound):
            await inside.explain(seen.trace_id)


def _admin(engine: Engine) -> Memory:
    return engine.for_tenant("acme", actor="admin", all_walls=True)


async def test_a_trace_replays_to_the_same_answer_whatever_was_learnt_since(store_url: str) -> None:
    clock = Hands()
    async with memory_on(store_url, clock) as memory:
        await memory.remember(
            [
                note("Mira Halvorsen works for Fjordbank.", "first"),
                note("Fjordbank is headquartered in Bergen.", "second"),
                note("Mira Halvorsen likes rowing on the lake at dawn.", "third"),
            ]
        )
        answers = [await memory.recall(q, limit=3) for q in (QUESTION, "What does Mira Halvorsen like?", "boats")]
        block = await memory.context(QUESTION, budget_tokens=80)
        for trace in (*(a.trace_id for a in answers), block.trace_id):
            assert (await memory.replay(trace)).equal
        clock.forward(days=3)
        await memory.remember(
            [
                note(
                    "Since 1 March 2026 Mira Halvorsen works for Kelpworks.",
                    "fourth",
                    occurred_at="2026-03-02T09:00:00Z",
                ),
                note("Mira Halvorsen works hard, and works late.", "fifth"),
            ]
        )
        changed = await memory.recall(QUESTION, limit=3)
        assert [hit.id for hit in changed.recall.hits] != [hit.id for hit in answers[0].recall.hits]
        for answer in answers:
            again = await memory.replay(answer.trace_id)
            assert again.equal, again
            assert again.hits == tuple(hit.id for hit in answer.recall.hits)
        gone = await id_of(memory, "third")
        await memory.forget([gone])
        again = await memory.replay(answers[1].trace_id)
        assert not again.equal
        row = next(row for row in again.moved if row.id == gone)
        assert (row.rank_now, "put away" in row.why) == (None, True)


async def test_a_note_says_which_later_note_followed_its_sentence() -> None:
    told_, later = (
        "Harbour Mills is looked after by Ana Ruiz. She likes tea.",
        "From 1 April Tom Lee takes over, so Harbour Mills is looked after by Tom Lee.",
    )
    async with memory_on("sqlite://") as memory:
        rows = [(told_, "first", "2026-01-10T09:00:00Z"), (later, "later", "2026-03-20T09:00:00Z")]
        more = [(f"The crane of Harbour Mills lifted load {n}.", f"n{n}", "2026-02-01T09:00:00Z") for n in range(4)]
        await memory.remember([note(text, id, occurred_at=at) for text, id, at in (*rows, *more)])
        answer = await memory.recall("Who looks after Harbour Mills?", limit=1, kinds=["episode"])
        first = await id_of(memory, "first")
        found = await memory.why_not(first, trace_id=answer.trace_id)
        assert "does not hold any more since 2026-04-01" in found.why
        assert found.by == (await id_of(memory, "later"),)
        assert (await memory.replay(answer.trace_id)).equal
