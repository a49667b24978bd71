"""Which fact took over the evidence of one that is held no more: another interval, or the same slot of the survivor of a merge."""

from __future__ import annotations

from muniment.engine.ports.store import Reader
from muniment.graph_schema.records import Fact


async def heir_of(reader: Reader, fact: Fact) -> Fact | None:
    """The unexpired fact that rests on some of this one's evidence, wherever that stands now; the first by id of several."""
    moved = await reader.assertions(fact.assertions)
    slots = sorted({fact.slot, *(a.slot for a in moved if a.withdrawn_at is None)})
    heirs = [f for f in await reader.facts_of_slots(slots) if set(f.assertions) & set(fact.assertions)]
    return min(heirs, key=lambda f: f.id, default=None)
