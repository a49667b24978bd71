"""Taking a write back, and taking that back, leaves all as it was, whatever was written before and after."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.engine.bootstrap import Engine, open_engine
from muniment.engine.memory import Memory
from muniment.engine.settings import Settings
from muniment.engine.write.indexing import Indexer
from muniment.graph_schema.errors import Conflict, Invalid, NotFound
from muniment.graph_schema.records import Receipt
from tests.engines import Hands, told

PEOPLE = ("Parvez Rahman", "Rahman, Parvez", "Ines Marlow", "Cato Vane")
THINGS = ("Vesta Labs", "Orrin Mills", "VESTA LABS")
RELATIONS = ("works_for", "likes", "married_to")
CHANGES = ("end", "reject", "retract", "correct", "pin", "forget", "undo")

Step = tuple[Any, ...]
tellings = st.tuples(
    st.just("tell"),
    st.sampled_from(PEOPLE),
    st.sampled_from(RELATIONS),
    st.integers(0, 5),
    st.integers(0, 5),
    st.sampled_from((0.4, 1.0)),
)
changes = st.tuples(st.sampled_from(CHANGES), st.integers(0, 7))
steps = st.lists(st.one_of(tellings, changes), min_size=1, max_size=9)


async def state(memory: Memory) -> Any:
    """All that is held, with how it hangs together, who is known by which spellings, and what is to be decided."""
    facts = (await memory.facts(include_superseded=True, include_archived=True, limit=200)).items
    entities = (await memory.entities(limit=200)).items
    reviews = (await memory.reviews(limit=200)).items
    return (
        sorted(
            (
                *(f.id, f.claim, str(f.valid_at), str(f.invalid_at), f.rejected, f.archived, f.pinned, f.text),
                *(f.assertions, f.closed_by, f.superseded_by or "", f.conflicts_with),
            )
            for f in facts
        ),
        # An entity that an undone write had made stays, and nothing speaks of it.
        sorted((p.entity.id, *sorted(a.name for a in p.entity.aliases)) for p in entities if p.counts.facts),
        sorted(review.id for review in reviews),
    )


async def take(memory: Memory, step: Step, receipts: list[Receipt]) -> Receipt | None:
    """The receipt of a step; None where it cannot be taken now."""
    try:
        if step[0] == "tell":
            _, person, relation, thing, day, confidence = step
            others = PEOPLE if relation == "married_to" else THINGS
            since = {"valid_at": f"2026-01-0{day}T00:00:00Z"} if day else {}
            fact = told(person, relation, others[thing % len(others)], confidence=confidence, **since)
            fact["subject"]["type"] = "person"
            return await memory.assert_facts([fact])
        if step[0] == "undo":
            return await memory.undo(receipts[step[1] % len(receipts)].id) if receipts else None
        facts = (await memory.facts(include_superseded=True, include_archived=True, limit=200)).items
        if not facts:
            return None
        id = sorted(f.id for f in facts)[step[1] % len(facts)]
        verbs: dict[str, Callable[[], Awaitable[Receipt]]] = {
            "end": lambda: memory.end(id, "2026-02-01T00:00:00Z"),
            "reject": lambda: memory.reject(id),
            "retract": lambda: memory.retract(id),
            "correct": lambda: memory.correct(id, object={"name": "Quill Harbour"}),
            "pin": lambda: memory.pin(id),
            "forget": lambda: memory.forget([id]),
        }
        return await verbs[step[0]]()
    except (Conflict, Invalid, NotFound):
        return None


async def holds(memory: Memory, taken: list[Step], which: int) -> None:
    receipts: list[Receipt] = []
    for step in taken:
        receipt = await take(memory, step, receipts)
        receipts += [receipt] if receipt is not None else []
    standing = [r for r in receipts if (await memory.receipt(r.id)).undone_by is None]
    if not standing:
        return
    before = await state(memory)
    undone = await memory.undo(standing[which % len(standing)].id)
    without = await state(memory)
    again = await memory.undo(undone.id)
    assert await state(memory) == before
    await memory.undo(again.id)
    assert await state(memory) == without


def test_an_undo_of_an_undo_is_the_identity_and_one_more_is_the_undo() -> None:
    number = count()

    async def opened() -> Engine:
        engine = await open_engine("sqlite://", settings=Settings(environment="test"), clock=Hands())
        engine.tools.indexer = Indexer(None)
        return engine

    with asyncio.Runner() as runner:
        engine = runner.run(opened())

        @settings(max_examples=60)
        @given(steps, st.integers(0, 8))
        def law(taken: list[Step], which: int) -> None:
            runner.run(holds(engine.for_tenant(f"t{next(number)}", actor="tester"), taken, which))

        law()
        runner.run(engine.close())
