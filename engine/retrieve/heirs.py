"""What took over: the fact that has the evidence of one that is held no more, and the entity that stands for one merged away."""

from __future__ import annotations

from collections.abc import Collection

from muniment.engine.ports.store import Reader
from muniment.graph_schema.ids import EntityId
from muniment.graph_schema.records import Entity, Fact


async def heir_of(reader: Reader, fact: Fact) -> Fact | None:
    """The unexpired fact that rests on some of this one's evidence, wherever that stands now; the first by id of several."""
    moved = await reader.assertions(fact.assertions)
    slots = sorted({fact.slot, *(a.slot for a in moved if a.withdrawn_at is None)})
    heirs = [f for f in await reader.facts_of_slots(slots) if set(f.assertions) & set(fact.assertions)]
    return min(heirs, key=lambda f: f.id, default=None)


async def stands_for(reader: Reader, ids: Collection[EntityId]) -> dict[EntityId, Entity]:
    """For each id the entity it leads to, through as many merges as there are; an id that leads nowhere is left out."""
    rows = {e.id: e for e in await reader.entities(sorted(ids))}
    while further := {e.merged_into for e in rows.values() if e.merged_into is not None} - rows.keys():
        found = await reader.entities(sorted(further))
        if not found:
            break
        rows |= {e.id: e for e in found}
    stands: dict[EntityId, Entity] = {}
    for id in ids:
        entity = rows.get(id)
        while entity is not None and entity.merged_into is not None:
            entity = rows.get(entity.merged_into)
        if entity is not None:
            stands[id] = entity
    return stands
