"""The growth run on one store, in a process of its own: `python -m tests.benchmarks.growth URL` prints one JSON object.

One tenant grows from a thousand facts to a hundred thousand, from ten thousand on with thousands of documents beside; at
each size the same kinds of question are asked. The question is embedded by the model that a user has; stored vectors are
given, so that a run takes minutes (but for the orders, which are found by their numbers among vectors of the real model). Times are wall times of one process, after a warm-up.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any
from unittest.mock import patch

from muniment.engine.asking import AskedMemory
from muniment.engine.bootstrap import open_engine
from muniment.engine.memory import Memory
from muniment.engine.models.choose import ModelPolicy, choose_embedders
from muniment.engine.ports.models import Vector
from muniment.engine.settings import Settings
from tests.benchmarks.given_vectors import GivenVectors, open_with_given_vectors
from tests.benchmarks.timing import ms_since, quantile, say
from tests.benchmarks.workload import BEGINNING, FACTS_A_FIRM, facts, firm, questions

SIZES = (1_000, 10_000, 50_000, 100_000)
DOCUMENTS = 6_000
WITH_DOCUMENTS_FROM = 10_000
QUESTIONS = 60
WARM_UP = 120
ORDERS = 50
SETTINGS = Settings(environment="bench")
_BATCH = 1_000
_DOCUMENT_BATCH = 50
_STATES = "received packed shipped delivered invoiced returned cancelled delayed".split()


class AskedByModel(GivenVectors):
    """Given vectors, but a question waits for the real model as long as a user's would."""

    def __init__(self) -> None:
        super().__init__()
        self._model = choose_embedders(ModelPolicy()).english

    def embed_query(self, text: str) -> Vector:
        self._model.embed_query(text)
        return super().embed_query(text)


async def run(url: str, *, sizes: Sequence[int], documents: int) -> dict[str, Any]:
    """Every figure of one store."""
    found: dict[str, Any] = {"sizes": []}
    async with open_engine(url, settings=SETTINGS) as engine:
        found["orders_first"] = await _orders(engine.for_tenant("orders", actor="bench"))
    async with await open_with_given_vectors(url, SETTINGS, AskedByModel()) as engine:
        memory = engine.for_tenant("grows", actor="bench")
        there = told = 0
        for size in sizes:
            await _assert(memory, size - there, first=there // FACTS_A_FIRM)
            there = size
            if size >= WITH_DOCUMENTS_FROM and told < documents:
                await _tell(memory, documents)
                told = documents
            row = {"facts": size, "documents": told, **await _ask(memory, firms=size // FACTS_A_FIRM)}
            found["sizes"].append(row)
            say(str(row))
    return found


async def _assert(memory: Memory, count: int, *, first: int) -> None:
    made = facts(count, first=first)
    while batch := list(islice(made, _BATCH)):
        await memory.assert_facts(batch)


async def _tell(memory: Memory, count: int) -> None:
    made = passages(count)
    while batch := list(islice(made, _DOCUMENT_BATCH)):
        await memory.remember(batch)


def passages(count: int) -> Iterator[dict[str, Any]]:
    """`count` short documents about the firms of the workload, a few sentences each."""
    chance = random.Random(5)
    for n in range(count):
        one, other = firm(n), firm(chance.randrange(max(n, 1)))
        day = chance.choice(("quarter", "month", "year"))
        yield {
            "kind": "document",
            "external_id": f"d{n}",
            "title": f"{one.name}, report {n}",
            "occurred_at": BEGINNING,
            "text": (
                f"{one.name} closed the {day} with {chance.randrange(20, 400)} orders for the {one.product}. "
                f"{one.people[0]} presented the figures to the board, and {one.people[2]} answered the questions about delivery. "
                f"A framework agreement with {other.name} is being prepared; {other.people[1]} will review the draft."
            ),
        }


async def _orders(memory: Memory) -> int:
    """Of fifty questions that name an order by its number, among a thousand orders, how many have the right fact first."""
    numbers = [f"PO-2024-{n * 37 % 10_000:05d}" for n in range(1_000)]
    chance = random.Random(11)
    state = {number: chance.choice(_STATES) for number in numbers}
    await memory.assert_facts(
        [
            {
                "subject": {"name": number, "type": "order"},
                "relation": "has_status",
                "object": {"value": state[number]},
                "valid_at": BEGINNING,
            }
            for number in numbers
        ]
    )
    right = 0
    for number in chance.sample(numbers, ORDERS):
        answer = await memory.recall(f"What is the status of order {number}?", limit=3)
        first = answer.recall.hits[0].text if answer.recall.hits else ""
        right += number in first and state[number] in first
    return right


async def _ask(memory: Memory, *, firms: int) -> dict[str, Any]:
    asked = questions(firms, QUESTIONS + WARM_UP)
    for question in asked[:WARM_UP]:
        await memory.recall(question)
    recalls: list[float] = []
    with _timed_traces() as traces:
        for question in asked[WARM_UP:]:
            started = time.perf_counter()
            await memory.recall(question)
            recalls.append(ms_since(started))
    # The second of two equal questions is quicker by what the first left in caches, so it is compared with a third.
    extra = []
    for question in asked[:QUESTIONS]:
        await memory.recall(question)
        started = time.perf_counter()
        await memory.recall(question)
        alone = ms_since(started)
        started = time.perf_counter()
        await memory.context(question)
        extra.append(ms_since(started) - alone)
    return {
        "p50_ms": round(statistics.median(recalls), 1),
        "p95_ms": round(quantile(recalls, 0.95), 1),
        "context_extra_ms": round(statistics.median(extra), 1),
        "trace_share": round(statistics.median(traces) / statistics.median(recalls), 3),
    }


@contextmanager
def _timed_traces() -> Iterator[list[float]]:
    """Milliseconds that each answer spends on its trace, within."""
    took: list[float] = []
    keep = AskedMemory._keep  # pyright: ignore[reportPrivateUsage]

    def timed(*given: Any, **more: Any) -> Any:
        started = time.perf_counter()
        try:
            return keep(*given, **more)
        finally:
            took.append(ms_since(started))

    with patch.object(AskedMemory, "_keep", timed):
        yield took


def main() -> None:
    """The command line."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("url")
    reader.add_argument("--sizes", type=lambda text: [int(size) for size in text.split(",")], default=list(SIZES))
    reader.add_argument("--documents", type=int, default=DOCUMENTS)
    given = reader.parse_args()
    print(json.dumps(asyncio.run(run(given.url, sizes=given.sizes, documents=given.documents))))


if __name__ == "__main__":
    main()
