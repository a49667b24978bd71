"""Moving stored assertions to new places: under another ontology, and when two entities become one or two again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from muniment.engine.ports.store import Reader
from muniment.engine.resolve.slots import place
from muniment.graph_schema.ids import EntityId
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.records import Assertion


@dataclass(frozen=True, slots=True, kw_only=True)
class Moves:
    """Assertions in their new places, and the slots they left."""

    moved: tuple[Assertion, ...]
    left: tuple[str, ...]


def replaced(
    assertions: Iterable[Assertion], ontology: Ontology, ends: Mapping[EntityId, EntityId] | None = None
) -> Moves:
    """Where these assertions belong under `ontology`, with each end exchanged as `ends` says; those that stay are left out.

    An assertion of which both ends become one entity would be a self-loop: it is kept with its old ends.
    """
    ends = ends or {}
    moved: list[Assertion] = []
    left: list[str] = []
    for a in assertions:
        subject, object_ = ends.get(a.subject, a.subject), ends.get(a.object, a.object)
        if subject == object_:
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
            left.append(a.slot)
    return Moves(moved=tuple(moved), left=tuple(sorted(set(left))))


async def under(reader: Reader, ontology: Ontology) -> Moves:
    """Every assertion of the tenant whose place is another under this ontology."""
    moved: list[Assertion] = []
    left: set[str] = set()
    async for batch in reader.all_assertions():
        moves = replaced(batch, ontology)
        moved.extend(moves.moved)
        left.update(moves.left)
    return Moves(moved=tuple(moved), left=tuple(sorted(left)))


def own_side(a: Assertion, names: Sequence[str], others: Sequence[str]) -> bool:
    """Whether an assertion's words name one of `names` and none of `others`."""
    words = (a.quote or a.text).casefold()
    return any(n.casefold() in words for n in names if n) and not any(n.casefold() in words for n in others if n)
