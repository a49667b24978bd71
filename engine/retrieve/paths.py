"""Chains of facts between two entities, and what lies around some: for conflict checks and for browsing.

Breadth first from both ends, one round trip a hop; facts are valid at the filter's clocks on every hop. Literal values are
ends, never passed through.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from muniment.engine.ports.search import ReadFilter
from muniment.engine.ports.store import Reader
from muniment.graph_schema.ids import EntityId
from muniment.graph_schema.records import EntityRef, Fact
from muniment.graph_schema.temporal import format_time

PER_NODE = 200
"""Facts followed from one entity; a hub's further ones are left out, and said so."""
MAX_PATHS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """One fact of a path and the direction in which it is passed."""

    fact: Fact
    source: EntityRef
    target: EntityRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """Legs from the first entity to the last; no entity comes twice."""

    legs: tuple[Leg, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(leg.fact.id for leg in self.legs)


class Paths(list[Path]):
    """Paths, the shortest first; `empty` says where there is none what was looked at."""

    def __init__(self, found: Iterable[Path] = (), *, empty: str = "") -> None:
        super().__init__(found)
        self.empty = empty


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbourhood:
    """Entities with their distance from the nearest start, and the facts between them. `capped` had more facts than shown."""

    entities: tuple[EntityRef, ...]
    distances: Mapping[EntityId, int]
    facts: tuple[Fact, ...]
    capped: tuple[EntityId, ...]


async def neighbourhood(
    reader: Reader, ids: Sequence[EntityId], *, hops: int, filter: ReadFilter, cap: int
) -> Neighbourhood:
    """What is within `hops` of the given entities; at most `cap` facts an entity, the most important and newest ones."""
    distances = dict.fromkeys(ids, 0)
    refs = {entity.id: entity.ref for entity in await reader.entities(ids)}
    facts: dict[str, Fact] = {}
    capped: set[EntityId] = set()
    frontier = list(ids)
    for distance in range(1, hops + 1):
        if not frontier:
            break
        edges = await reader.edges(frontier, filter, per_node=cap)
        capped.update(id for id, degree in edges.degrees.items() if degree > cap)
        reached: list[EntityId] = []
        for fact in edges.facts:
            facts[fact.id] = fact
            for ref in (fact.subject, fact.object):
                if ref.id not in distances:
                    distances[ref.id] = distance
                    refs[ref.id] = ref
                    reached.extend([] if ref.is_value else [ref.id])
        frontier = sorted(set(reached))
    ordered = sorted(refs, key=lambda id: (distances[id], id))
    return Neighbourhood(
        entities=tuple(refs[id] for id in ordered),
        distances=distances,
        facts=tuple(sorted((_as_asked(f, filter) for f in facts.values()), key=lambda f: f.id)),
        capped=tuple(sorted(capped)),
    )


async def paths(
    reader: Reader,
    a: Sequence[EntityId],
    b: Sequence[EntityId],
    *,
    filter: ReadFilter,
    max_hops: int = 4,
    k: int = 3,
    relations: Collection[str] = (),
) -> Paths:
    """The `k` shortest chains from any of `a` to any of `b`, of at most `max_hops` facts; ties by the facts' ids.

    `relations` restricts the facts that may be passed. Two facts between one pair give two paths.
    """
    wanted = min(k, MAX_PATHS)
    graph = _Graph(relations)
    near, far = set(a), set(b)
    frontiers = [sorted(near), sorted(far)]
    seen = [set(near), set(far)]
    for hop in range(max_hops):
        side = hop % 2
        if not frontiers[side]:
            side = 1 - side
        edges = await reader.edges(frontiers[side], filter, per_node=PER_NODE) if frontiers[side] else None
        reached = graph.add(_as_asked(fact, filter) for fact in edges.facts) if edges else set()
        frontiers[side] = sorted(reached - seen[side])
        seen[side] |= reached
        found = _best(graph.walks(near, far, max_hops=hop + 1), wanted)
        if len(found) >= wanted:
            return Paths(found)
    return Paths(
        _best(graph.walks(near, far, max_hops=max_hops), wanted), empty=_looked_at(graph, near, far, filter, max_hops)
    )


def _as_asked(fact: Fact, filter: ReadFilter) -> Fact:
    """The fact, with the status that it has at the moment asked for."""
    return replace(fact, as_of=filter.clocks.as_of)


def _looked_at(graph: _Graph, near: set[EntityId], far: set[EntityId], filter: ReadFilter, max_hops: int) -> str:
    """What lay between the ends, for a person."""
    if near & far:
        return "both ends are the same entity"
    over = f" over {' or '.join(sorted(graph.relations))}" if graph.relations else ""
    sides = " and ".join(f"{len(graph.touching(side))} at {', '.join(sorted(side))}" for side in (near, far))
    clocks = f"as of {format_time(filter.clocks.as_of)}, as known by {format_time(filter.clocks.known_at)}"
    return f"no chain of at most {max_hops} facts{over} leads from one to the other: looked at {graph.size} facts ({sides}), {clocks}"


class _Graph:
    """The facts met so far, by entity."""

    def __init__(self, relations: Collection[str]) -> None:
        self.relations = frozenset(relations)
        self._facts: dict[str, Fact] = {}
        self._legs: dict[EntityId, list[Leg]] = defaultdict(list)

    def add(self, facts: Iterable[Fact]) -> set[EntityId]:
        """Takes facts in; gives the entities they touch from which one may go on."""
        reached: set[EntityId] = set()
        for fact in facts:
            if self.relations and fact.relation not in self.relations:
                continue
            if fact.id not in self._facts:
                self._facts[fact.id] = fact
                self._legs[fact.subject.id].append(Leg(fact=fact, source=fact.subject, target=fact.object))
                self._legs[fact.object.id].append(Leg(fact=fact, source=fact.object, target=fact.subject))
            reached.update(ref.id for ref in (fact.subject, fact.object) if not ref.is_value)
        return reached

    @property
    def size(self) -> int:
        return len(self._facts)

    def touching(self, ends: Iterable[EntityId]) -> set[str]:
        """The facts of which one of these is an end."""
        return {leg.fact.id for id in ends for leg in self._legs[id]}

    def walks(self, near: set[EntityId], far: set[EntityId], *, max_hops: int) -> Iterator[tuple[Leg, ...]]:
        """Every simple chain, the shortest first."""
        chains: list[tuple[Leg, ...]] = [(leg,) for id in sorted(near) for leg in self._legs[id]]
        for _ in range(max_hops):
            longer: list[tuple[Leg, ...]] = []
            for chain in chains:
                end = chain[-1].target
                if end.id in far:
                    yield chain
                elif not end.is_value:
                    passed = {leg.source.id for leg in chain} | {end.id} | near
                    longer.extend((*chain, leg) for leg in self._legs[end.id] if leg.target.id not in passed)
            chains = longer


def _best(chains: Iterable[tuple[Leg, ...]], k: int) -> list[Path]:
    """The first `k` in order of (length, ids); `chains` come shortest first, so it stops after a whole length."""
    found: list[Path] = []
    length = 0
    for chain in chains:
        if len(found) >= k and len(chain) > length:
            break
        length = len(chain)
        found.append(Path(legs=chain))
    return sorted(found, key=lambda p: (len(p.legs), p.ids))[:k]
