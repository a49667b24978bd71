"""Which facts episodes tell as true, with what else stands in the slots of these."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from muniment.engine.ports.store import Reader
from muniment.engine.retrieve.slots import connected
from muniment.graph_schema.ids import AssertionId, EpisodeId
from muniment.graph_schema.places import places_of
from muniment.graph_schema.records import Fact, Kind, Says


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """`of`: by episode the facts that it tells as true. `slots`: by slot the facts in it, these among them."""

    of: Mapping[EpisodeId, Sequence[Fact]] = field(default_factory=dict)
    slots: Mapping[str, Sequence[Fact]] = field(default_factory=dict)

    @classmethod
    def from_facts(cls, facts: Iterable[Fact], of: Mapping[EpisodeId, Sequence[Fact]] | None = None) -> Told:
        """Facts by their slots."""
        slots: dict[str, list[Fact]] = defaultdict(list)
        for fact in facts:
            for place in places_of(fact):
                slots[place].append(fact)
        return cls(of=of or {}, slots=slots)


async def facts_told(reader: Reader, ids: Sequence[EpisodeId], *, known_at: datetime | None) -> Told:
    """The facts and preferences that each episode tells as true, as they were known at `known_at` (None: as they are now)."""
    rows = [
        row
        for row in await reader.assertions_of_episodes(ids)
        if row.says in (Says.HOLDS, Says.RESTATED)
        and row.withdrawn_at is None
        and row.kind in (Kind.FACT, Kind.PREFERENCE)
    ]
    facts = await reader.facts_of_slots(await connected(reader, {place for row in rows for place in places_of(row)}))
    if known_at is not None:
        facts = await reader.facts([fact.id for fact in facts], known_at=known_at)
    by_assertion: dict[AssertionId, Fact] = {}
    for fact in sorted(facts, key=lambda fact: not fact.rejected):  # what stands goes before what was taken back
        by_assertion |= dict.fromkeys(fact.assertions, fact)
    told: dict[EpisodeId, dict[str, Fact]] = defaultdict(dict)
    for row in rows:
        told_as = by_assertion.get(row.id)
        if told_as is not None and row.episode is not None:
            told[row.episode][told_as.id] = told_as
    return Told.from_facts(facts, {id: list(found.values()) for id, found in told.items()})
