"""Which slots have to be looked at together, because claims of relations that pair entities join them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from muniment.engine.ports.store import Reader
from muniment.graph_schema.places import end_of, group_of, is_paired, places_of
from muniment.graph_schema.records import Fact


async def connected(reader: Reader, slots: Iterable[str]) -> list[str]:
    """These slots and all whose evidence can bound theirs, withdrawn evidence included; sorted.

    Only slots of relations that pair entities have others: whoever an end was ever paired with, and on from there.
    """
    found = set(slots)
    groups = {group_of(slot) for slot in found if is_paired(slot)}
    asked = {slot for slot in found if is_paired(slot)}
    while asked:
        ends = sorted({end_of(slot) for slot in asked})
        told = await reader.assertions_of_entities(ends, groups=sorted(groups))
        reached = {place for a in told for place in places_of(a)}
        asked = reached - found
        found |= reached
    return sorted(found)


async def rivals_of(reader: Reader, facts: Sequence[Fact]) -> list[Fact]:
    """The unexpired facts that have a slot in common with one of these, themselves among them, in the store's order."""
    places = {place for fact in facts for place in places_of(fact)}
    there = await reader.facts_of_slots(await connected(reader, places))
    return [fact for fact in there if not places.isdisjoint(places_of(fact))]
