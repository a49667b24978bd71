"""Passages with titles: what names lead to, and that they do not push one another back."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from muniment.engine.memory import Memory
from tests.engines import Hands, memory_on

NOW = datetime.fromisoformat("2026-05-01T00:00:00+00:00")
ONE_DAY = "2026-01-10T09:00:00Z"


def passage(title: str, text: str, at: str = ONE_DAY) -> dict[str, Any]:
    return {"external_id": title, "title": title, "text": text, "kind": "document", "occurred_at": at}


# Passages that say as much of a question about a birthplace as any.
NOISE = [passage(f"Person {i}", f"The painter of number {i} was born in a small town.") for i in range(8)]


async def parts(memory: Memory, query: str, **more: Any) -> dict[str, dict[str, float]]:
    answer = await memory.recall(query, limit=20, kinds=["episode"], **more)
    found = {hit.id: dict(hit.parts) for hit in answer.recall.hits}
    return {e.external_id or "": found[e.id] for e in await memory.episodes_of(answer.recall) if e.id in found}


async def test_a_question_and_a_passage_name_titles_without_brackets_marks_and_accents(store_url: str) -> None:
    async with memory_on(store_url, Hands(NOW)) as memory:
        await memory.remember([
            passage("Harrow Lane (film)", "A drama about a family of bakers, directed by Zelie Marchand."),
            passage("Harrow Lane (novel)", "A book about a street in the rain."),
            passage("Harrow", "A town on a hill."),
            passage("Zélie Marchand", "She was born in Lyon and paints."),
            *NOISE,
        ])  # fmt: skip

        found = await parts(memory, "Where was the director of Harrow Lane born?")

        assert found["Harrow Lane (film)"]["title"] == found["Harrow Lane (novel)"]["title"] > 0
        assert "title" not in found["Harrow"]
        assert found["Zélie Marchand"]["names"] > 0

        found_in_full = await parts(memory, "Who directed Harrow Lane (Film)?")

        assert found_in_full["Harrow Lane (film)"]["title"] > found["Harrow Lane (film)"]["title"]
        assert "title" not in found_in_full["Harrow Lane (novel)"]
        assert set(list(found)[:3]) == {"Harrow Lane (film)", "Harrow Lane (novel)", "Zélie Marchand"}


async def test_common_nouns_are_no_titles_of_a_question_with_capitals_and_lead_to_no_passage(store_url: str) -> None:
    async with memory_on(store_url, Hands(NOW)) as memory:
        await memory.remember([
            passage("Company", "A company is a body of people who trade together."),
            passage("Fennel Works", "The company bought Larch Mill for the owner."),
            passage("Larch Mill", "The mill was built by a carpenter."),
            *NOISE,
        ])  # fmt: skip

        found = await parts(memory, "Who built what the company Fennel Works bought?")

        assert found["Fennel Works"]["title"] > 0
        assert found["Larch Mill"]["names"] > 0
        assert not {"title", "names"} & found.get("Company", {}).keys()
        assert (await parts(memory, "what is a company"))["Company"]["title"] > 0


async def test_a_title_inside_a_longer_name_is_led_to(store_url: str) -> None:
    async with memory_on(store_url, Hands(NOW)) as memory:
        await memory.remember([
            passage("Fennel Works", "Fennel Works was opened by Prime Minister Ana Ruiz Calvo."),
            passage("Ana Ruiz Calvo", "She was born in Lyon."),
            *NOISE,
        ])  # fmt: skip
        assert (await parts(memory, "Where was the opener of Fennel Works born?"))["Ana Ruiz Calvo"]["names"] > 0


async def test_of_passages_that_share_a_name_the_one_with_the_rest_of_the_question_is_led_to_most(
    store_url: str,
) -> None:
    async with memory_on(store_url, Hands(NOW)) as memory:
        await memory.remember([
            passage("Ormel Fountain", "The Ormel Fountain was carved by Ida Brandvold."),
            passage("Signe Tveit", "The painter Signe Tveit was the mother of Ida Brandvold."),
            passage("Harbour Prize", "The Harbour Prize was given to Ida Brandvold."),
            *NOISE,
        ])  # fmt: skip
        found = await parts(memory, "Who was the mother of the sculptor of the Ormel Fountain?")
        assert (
            2.5 * found["Harbour Prize"]["names"] > found["Signe Tveit"]["names"] > found["Harbour Prize"]["names"] > 0
        )


async def test_what_a_passage_tells_as_past_does_not_push_it_back(store_url: str) -> None:
    async with memory_on(store_url, Hands(NOW)) as memory:
        await memory.remember([
            passage("Ana Ruiz", "Ana Ruiz worked for Fennel Works from 1990 to 1995."),
            passage("Tom Lee", "Tom Lee works for Fennel Works."),
        ])  # fmt: skip
        found = await parts(memory, "Who is working for Fennel Works?")
        assert {"Ana Ruiz", "Tom Lee"} == found.keys()
        assert all("superseded" not in part for part in found.values())


@pytest.mark.parametrize(("at", "taken"), [(ONE_DAY, False), ("2026-03-20T09:00:00Z", True)])
async def test_documents_of_one_moment_do_not_take_each_others_place_later_ones_do(
    store_url: str, at: str, taken: bool
) -> None:
    first = passage("Profile of a client", "Harbour Mills is looked after by Ana Ruiz. She likes tea.")
    other = passage("Minutes", "From 1 April Tom Lee takes over, so Harbour Mills is looked after by Tom Lee.", at)
    async with memory_on(store_url, Hands(NOW)) as memory:
        await memory.remember([first, other])
        answer = await memory.recall("Who looks after Harbour Mills?", as_of=NOW, kinds=["episode"])
        assert bool((await memory.explain(answer.trace_id))["successions"]) is taken
        lost = {"Ana Ruiz." in hit.text: hit.parts.get("superseded", 0.0) for hit in answer.recall.hits}
        assert (lost[True] < 0) is taken
        assert lost[False] == 0
