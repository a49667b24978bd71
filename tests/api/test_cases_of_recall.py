"""Reported troubles with asking: what is over, whose words, how long, how many, how far; on every store and every surface.

The ids are those of the list of cases that the project was asked to get right. All of these can be seen by agents' tools, but
for the neighbourhood of a node, which Python and HTTP have.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.api.surfaces import Asked, Surface, Surfaces
from tests.api.ways.said import episode, fact, moment, texts

LIMITS = [1, 50, 1, 50]


def test_o5_o6_a_dead_wish_is_not_told_unless_asked_for_or_asked_of_its_time(asked: Asked) -> None:
    asked.note("Ana Ruiz prefers to be reached by phone.", at="2023-01-01", id="old")
    asked.note("Ana Ruiz prefers to be reached by email.", at="2024-01-01", id="new")
    question, then = "How to reach Ana Ruiz?", "2023-12-31T23:59:59Z"
    assert ways(texts(asked.recall(question))) == {"email"}
    assert ways(asked.block(question)) == {"email"}
    assert ways(texts(asked.recall(question, as_of=then))) == {"phone"}
    assert ways(asked.block(question, as_of=then)) == {"phone"}
    every = asked.recall(question, include_superseded=True)
    assert ways(texts(every)) == {"email", "phone"}
    (old,) = [hit for hit in every if hit["kind"] == "preference" and "phone" in hit["text"]]
    assert (old["superseded"], old["invalid_at"]) == (True, moment("2024-01-01"))


def test_o5_o6_a_dead_fact_is_not_told_unless_asked_for_or_asked_of_its_time(asked: Asked) -> None:
    asked.tell(fact("Lukas Ferrand", "works_for", "Oxbow Lines", "2022-05-01"))
    asked.tell(fact("Lukas Ferrand", "works_for", "Tern Harbour", "2024-05-01"))
    question, both = "Who does Lukas Ferrand work for?", ("Oxbow Lines", "Tern Harbour")

    def told(text: str) -> list[str]:
        return [firm for firm in both if firm in text]

    assert told(texts(asked.recall(question))) == told(asked.block(question)) == ["Tern Harbour"]
    then = "2024-04-30T23:59:59Z"
    assert told(texts(asked.recall(question, as_of=then))) == told(asked.block(question, as_of=then)) == ["Oxbow Lines"]
    every = asked.context(question, include_superseded=True)
    lines = [line for line in every["text"].splitlines() if told(line)]
    assert len(lines) == 2
    (old,) = [line for line in lines if "Oxbow Lines" in line]
    assert "2024-05-01" in old


def ways(text: str) -> set[str]:
    return {way for way in ("phone", "email") if way in text}


def test_o10_another_sessions_words_are_in_no_answer(asked: Asked) -> None:
    for session, text in (("a", "The launch code is heliotrope."), ("b", "The launch is on Tuesday.")):
        asked.keep(episode(text, kind="message", scope={"session": session}))
    question = "The launch code is heliotrope."
    assert "heliotrope" in asked.block(question, scope={"session": "a"})
    assert "heliotrope" not in asked.block(question, scope={"session": "b"})
    assert "heliotrope" not in texts(asked.recall(question, scope={"session": "b"}))
    assert "Tuesday" in asked.block("When is the launch?", scope={"session": "b"})
    assert "Tuesday" not in asked.block("When is the launch?", scope={"session": "a"})
    assert "heliotrope" not in asked.block("launch code")  # without a session no session's words are read


def test_o15_a_budget_never_gives_nothing_without_a_reason(
    surfaces: Surfaces, tenant: str, asked: Asked, desk: Surface
) -> None:
    rule = {"op": "create", "type": "constraint", "content": "Never call Ana Ruiz before noon."}
    desk.command({"memory_commands": [rule], "subject": {"name": "Ana Ruiz"}})
    long = "The harbour contract of Ana Ruiz covers mooring, pilotage and towage. " * 170
    best = asked.keep(episode(long, title="Harbour contract of Ana Ruiz"))["episodes"][0]["id"]
    notes = [episode(f"Ana Ruiz asked about berth {n}.", external_id=f"n{n}") for n in range(10)]
    surfaces.running.caller(tenant).ok("POST", "/v1/episodes", {"episodes": notes, "extract": "none"})
    for budget in (900, 250):
        told = asked.context("What does the harbour contract of Ana Ruiz cover?", budget_tokens=budget)
        assert 0 < told["tokens"] <= budget
        assert "before noon" in told["text"]
        items = {item["id"]: item for section in told["sections"] for item in section["items"]}
        omitted = {one["id"]: one["reason"] for one in told["omitted"]}
        assert (best in items and items[best]["shortened"] and best in told["text"]) or omitted.get(best) == "budget"
    tiny = asked.context("What does the harbour contract of Ana Ruiz cover?", budget_tokens=60)
    assert tiny["tokens"] <= 60 or "before noon" in tiny["text"]
    assert tiny["sections"] or {one["reason"] for one in tiny["omitted"]} >= {"budget"}


def test_g10_a_tenants_only_match_is_found_behind_sixty_of_anothers(surfaces: Surfaces, tenant: str) -> None:
    other = surfaces.of("python", f"{tenant}-other")
    other.tell_all([fact(f"Zoo {n}", "keeps", "zebra", text=f"Zoo {n} keeps a zebra") for n in range(60)])
    surfaces.of("python", tenant).tell(fact("Small zoo", "keeps", "zebra", text="The small zoo keeps a zebra"))
    for name in ("python", "http", "cli", "mcp"):
        found = surfaces.way(name, tenant).recall("zebra", limit=50)
        assert [hit["text"] for hit in found] == ["The small zoo keeps a zebra"]
        assert len(surfaces.way(name, f"{tenant}-other").recall("zebra", limit=50)) == 50


@pytest.mark.parametrize(
    "question",
    [
        "Please tell me whatever you may know, "
        + "for the sake of completeness and good order, " * 30
        + "of the Kestrel manifest",
        'the "Kestrel" manifest? (all: of * it ~ now / then) AND NOT OR NEAR [x] {y} ^ - + \\ \'',
        "Kestrel* manifest:",
        "AND Kestrel manifest OR",
        '"Kestrel manifest',
    ],
)
def test_g11_long_and_odd_questions_are_answered(surfaces: Surfaces, tenant: str, question: str) -> None:
    surfaces.of("python", tenant).keep(episode("The Kestrel manifest lists forty crates."))
    surfaces.of("python", tenant).keep(episode("Lunch is at noon."))
    for name in ("python", "http", "cli", "mcp"):
        asked = surfaces.way(name, tenant)
        hits = asked.recall(question)
        assert "forty crates" in hits[0]["text"]
        assert hits[0]["parts"]["lexical"] > 0
        assert "forty crates" in asked.block(question)


def test_g12_each_caller_gets_its_own_count(surfaces: Surfaces, tenant: str) -> None:
    told = [fact(f"Crane {n}", "stands_in", f"Dock {n}", text=f"Crane {n} stands in dock {n}") for n in range(60)]
    surfaces.of("python", tenant).tell_all(told)
    for name in ("python", "http", "cli", "mcp"):
        assert surfaces.way(name, tenant).recall_at_once("crane in a dock", LIMITS) == LIMITS


def test_g14_the_depth_asked_for_is_the_depth_walked(surfaces: Surfaces, tenant: str) -> None:
    chain = ["Alder", "Birch", "Cedar", "Dogwood", "Elm"]
    surface = surfaces.of("python", tenant)
    surface.tell_all([fact(a, "supplies", b) for a, b in pairwise(chain)])
    start = next(one["id"] for one in surface.entities("alder"))
    caller, memory = surfaces.running.caller(tenant), surfaces.engine.for_tenant(tenant)
    for hops in (1, 2, 3):
        near = surfaces.run(memory.neighbourhood([start], hops=hops))
        assert {one.name for one in near.entities} == set(chain[: hops + 1])
        over = caller.ok("GET", "/v1/graph/neighbourhood", params={"id": start, "hops": hops})
        assert {one["name"] for one in over["entities"]} == set(chain[: hops + 1])
    for name in ("python", "http", "cli", "mcp"):
        asked = surfaces.way(name, tenant)
        for hops in (1, 2, 3):
            (path,) = asked.paths("Alder", chain[hops], hops=hops)
            assert [one["name"] for one in path["entities"]] == chain[: hops + 1]
            assert asked.paths("Alder", chain[hops + 1], hops=hops) == []
        # Of a chain asked for, a walk of no step or one step shows no more; from two on it goes as far as the question does.
        for hops, steps in ((0, {0}), (1, {0, 1}), (2, {0, 1, 2})):
            hits = asked.recall("What does what Alder supplies supply?", hops=hops)
            assert {len(hit["path"]) for hit in hits} == steps


def test_g16_chinese_names_are_kept_as_written_and_found_by_every_part(asked: Asked) -> None:
    asked.note("王小明在上海分公司负责采购", at="2026-03-01", id="zh-1")
    asked.note("李雷在北京分公司负责销售", at="2026-03-01", id="zh-2")
    for words in ("王小明", "上海分公司", "采购"):
        first = next(hit for hit in asked.recall(words) if hit["kind"] == "episode")
        assert first["text"] == "王小明在上海分公司负责采购"
    names = {one["name"] for one in asked.entities()}
    assert "王小明" in names
    assert all(name.isascii() is False for name in names)
