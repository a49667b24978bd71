"""Moving stored assertions to new places: under another ontology, and when two entities become one or two again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from muniment.engine.ports.store import Reader
from muniment.engine.resolve.slots import place
from muniment.graph_schema.ids import EntityId
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.places import places_of
from muniment.graph_schema.records import Assertion


@dataclass(frozen=True, slots=True, kw_only=True)
class Moves:
    """Assertions in their new places, the slots they left, and those that would speak of a thing and itself."""

    moved: tuple[Assertion, ...]
    left: tuple[str, ...]
    looped: tuple[Assertion, ...] = ()

    def over(self, assertions: Iterable[Assertion]) -> tuple[Assertion, ...]:
        """All the assertions, those that moved in their new place."""
        return tuple({**{a.id: a for a in assertions}, **{a.id: a for a in self.moved}}.values())


def replaced(
    assertions: Iterable[Assertion], ontology: Ontology, ends: Mapping[EntityId, EntityId] | None = None
) -> Moves:
    """Where these assertions belong under `ontology`, with each end exchanged as `ends` says; those that stay are left out.

    An assertion of which both ends become one entity would be a self-loop: it is not moved, but named.
    """
    ends = ends or {}
    moved: list[Assertion] = []
    looped: list[Assertion] = []
    left: list[str] = []
    for a in assertions:
        subject, object_ = ends.get(a.subject, a.subject), ends.get(a.object, a.object)
        if subject == object_ and a.subject != a.object:
            looped.append(a)
            continue
        where = place(
            ontology,
            kind=a.kind,
            subject=subject,
            relation=a.relation,
            object=object_,
            scope=a.scope,
            wall=a.wall,
            attributes=a.attributes,
        )
        new = replace(
            a,
            subject=where.subject,
            relation=where.relation,
            object=where.object,
            slot=where.slot,
            claim=where.claim,
        )
        if new != a:
            moved.append(new)
            left.extend(places_of(a))
    return Moves(moved=tuple(moved), left=tuple(sorted(set(left))), looped=tuple(looped))


async def under(reader: Reader, ontology: Ontology) -> Moves:
    """Every assertion of the tenant whose place is another under this ontology."""
    moved: list[Assertion] = []
    left: set[str] = set()
    async for batch in reader.all_assertions():
        moves = replaced(batch, ontology)
        moved.extend(moves.moved)
        left.update(moves.left)
    return Moves(moved=tuple(moved), left=tuple(sorted(left)))
