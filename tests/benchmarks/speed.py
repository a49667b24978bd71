"""The speed run on one store, in a process of its own: `python -m tests.benchmarks.speed URL` prints one JSON object.

Sizes grow in one tenant, so the second size measures the facts that were added to the first. Times are wall times; a
median is over batches or questions. Embedding is left out of facts and questions, and is in for messages.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import statistics
import time
from collections.abc import Sequence
from itertools import islice
from typing import Any

from muniment.engine.bootstrap import Engine, open_engine
from muniment.engine.memory import Memory
from muniment.engine.settings import Settings
from tests.benchmarks.given_vectors import open_with_given_vectors
from tests.benchmarks.timing import quantile, say
from tests.benchmarks.workload import FACTS_A_FIRM, facts, firm, messages, questions

SIZES = (1_000, 10_000, 50_000)
BATCH = 1_000
TENANTS = 20
FACTS_A_TENANT = 3_000
QUESTIONS = 60
WARM_UP = 120  # a server compiles what it runs often; the first hundred questions pay for that
CLOSINGS = 100
SLOT = 1_000
UNDONE = 1_000
MESSAGES = 400
MESSAGE_BATCH = 20
SETTINGS = Settings(environment="bench")


async def run(url: str, *, sizes: Sequence[int], tenants: int, message_count: int) -> dict[str, Any]:
    """Every figure of one store."""
    found: dict[str, Any] = {"one_tenant": [], "store": {}}
    engine = await open_with_given_vectors(url, SETTINGS)
    async with engine:
        found["store"] = (await engine.describe())["store"]
        there = 0
        for size in sizes:
            memory = engine.for_tenant("one", actor="bench")
            rates = await _assert(memory, size - there, first=there // FACTS_A_FIRM)
            there = size
            asked = await _ask(memory, firms=size // FACTS_A_FIRM)
            found["one_tenant"].append({"facts": size, **rates, **asked})
            say(f"{size} facts: {found['one_tenant'][-1]}")
        if sizes:
            found["changes"] = await _change(engine.for_tenant("one", actor="bench"), firms=sizes[-1] // FACTS_A_FIRM)
            say(f"changes: {found['changes']}")
        if tenants:
            found["many_tenants"] = await _many(engine, tenants)
            say(f"{tenants} tenants: {found['many_tenants']}")
    found["open_ms"] = await _reopen(url, tenants=tenants)
    say(f"open: {found['open_ms']:.0f} ms")
    if message_count:
        found["messages"] = await _messages(url, message_count)
        say(f"messages: {found['messages']}")
    found["peak_mib"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return found


async def _assert(memory: Memory, count: int, *, first: int) -> dict[str, Any]:
    """Facts a second: of the whole, and the median of the batches."""
    made = facts(count, first=first)
    seconds, cpu, done = [], time.process_time(), 0
    while batch := list(islice(made, BATCH)):
        started = time.perf_counter()
        receipt = await memory.assert_facts(batch)
        seconds.append((time.perf_counter() - started) / len(batch))
        done += len(batch) - len(receipt.rejected)
    if done != count:
        raise RuntimeError(f"{done} of {count} facts were taken")
    return {
        "facts_per_s": round(1 / statistics.median(seconds)),
        "facts_per_s_mean": round(len(seconds) / sum(seconds)),
        "facts_per_cpu_s": round(count / (time.process_time() - cpu)),
    }


async def _ask(memory: Memory, *, firms: int, count: int = QUESTIONS) -> dict[str, Any]:
    """Milliseconds of a recall, the question's embedding left out."""
    asked = questions(firms, count + WARM_UP)
    took, cpu = [], []
    for number, question in enumerate(asked):
        started, used = time.perf_counter(), time.process_time()
        answer = await memory.recall(question)
        if number >= WARM_UP:
            took.append((time.perf_counter() - started) * 1_000)
            cpu.append((time.process_time() - used) * 1_000)
        if not answer.recall.hits:
            raise RuntimeError(f"nothing was found for {question!r}")
    return {
        "p50_ms": round(statistics.median(took), 1),
        "p95_ms": round(quantile(took, 0.95), 1),
        "p50_cpu_ms": round(statistics.median(cpu), 1),
    }


async def _change(memory: Memory, *, firms: int) -> dict[str, Any]:
    """Milliseconds of what closes facts, in the tenant as it has grown: one fact, one in a slot of a thousand, an undo."""
    took = []
    for number in range(min(CLOSINGS, firms)):
        move = _move(firm(number).people[1], f"Newtown {number}", "2027-01-01T00:00:00Z")
        started = time.perf_counter()
        receipt = await memory.assert_facts([move])
        took.append((time.perf_counter() - started) * 1_000)
        if not any(change.action == "closed" for change in receipt.changes):
            raise RuntimeError("a move closed nothing")
    years = [_move("Wanda Wanderer", f"Stopover {year}", f"{year}-01-01T00:00:00Z") for year in range(1_001, 2_013)]
    for first in range(0, SLOT, 250):
        await memory.assert_facts(years[first : first + 250])
    slot = []
    for move in years[SLOT:]:
        started = time.perf_counter()
        await memory.assert_facts([move])
        slot.append((time.perf_counter() - started) * 1_000)
    there = [f"Mover {number} of Many" for number in range(UNDONE)]
    await memory.assert_facts([_move(name, "Oldtown", "2025-01-01T00:00:00Z") for name in there])
    receipt = await memory.assert_facts([_move(name, "Newtown", "2026-01-01T00:00:00Z") for name in there])
    started = time.perf_counter()
    await memory.undo(receipt.id)
    undo = (time.perf_counter() - started) * 1_000
    return {
        "close_p50_ms": round(statistics.median(took), 1),
        "close_in_slot_p50_ms": round(statistics.median(slot), 1),
        "undone_changes": len(receipt.changes),
        "undo_ms": round(undo),
    }


def _move(name: str, city: str, at: str) -> dict[str, Any]:
    return {
        "subject": {"name": name, "type": "person"},
        "relation": "lives_in",
        "object": {"name": city, "type": "city"},
        "valid_at": at,
    }


async def _many(engine: Engine, tenants: int) -> dict[str, Any]:
    started = time.perf_counter()
    for number in range(tenants):
        memory = engine.for_tenant(f"many-{number}", actor="bench")
        await _assert(memory, FACTS_A_TENANT, first=number * 1_000)
    seconds = time.perf_counter() - started
    took = []
    for number in range(tenants):
        memory = engine.for_tenant(f"many-{number}", actor="bench")
        for question in questions(FACTS_A_TENANT // FACTS_A_FIRM, 6, seed=number):
            begun = time.perf_counter()
            await memory.recall(question)
            took.append((time.perf_counter() - begun) * 1_000)
    return {
        "facts": tenants * FACTS_A_TENANT,
        "tenants": tenants,
        "facts_per_s_mean": round(tenants * FACTS_A_TENANT / seconds),
        "p50_ms": round(statistics.median(took), 1),
        "p95_ms": round(quantile(took, 0.95), 1),
    }


async def _reopen(url: str, *, tenants: int) -> float:
    """Milliseconds from opening the store to the first answer; the models are loaded by then."""
    started = time.perf_counter()
    async with await open_with_given_vectors(url, SETTINGS) as engine:
        tenant = "many-0" if tenants else "one"
        answer = await engine.for_tenant(tenant, actor="bench").recall(questions(50, 1)[0])
        took = (time.perf_counter() - started) * 1_000
        if not answer.recall.hits:
            raise RuntimeError("nothing was found after reopening")
    return took


async def _messages(url: str, count: int) -> dict[str, Any]:
    """Messages a second with rule extraction and the real embedders, after one batch that loads the models."""
    made = messages(count + MESSAGE_BATCH)
    async with open_engine(url, settings=SETTINGS) as engine:
        memory = engine.for_tenant("chat", actor="bench")
        await memory.remember(list(islice(made, MESSAGE_BATCH)))
        seconds, changed, cpu = [], 0, time.process_time()
        while batch := list(islice(made, MESSAGE_BATCH)):
            started = time.perf_counter()
            receipt = await memory.remember(batch)
            seconds.append((time.perf_counter() - started) / len(batch))
            changed += sum(change.kind != "entity" for change in receipt.changes)
        cpu = time.process_time() - cpu
    return {
        "messages": count,
        "per_s": round(1 / statistics.median(seconds), 1),
        "per_s_mean": round(len(seconds) / sum(seconds), 1),
        "per_cpu_s": round(count / cpu, 1),
        "changes": changed,
    }


def main() -> None:
    """The command line."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("url")
    reader.add_argument("--sizes", type=lambda text: [int(size) for size in text.split(",")], default=list(SIZES))
    reader.add_argument("--tenants", type=int, default=TENANTS)
    reader.add_argument("--messages", type=int, default=MESSAGES)
    given = reader.parse_args()
    found = asyncio.run(run(given.url, sizes=given.sizes, tenants=given.tenants, message_count=given.messages))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
