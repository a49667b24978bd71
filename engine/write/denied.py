"""What is told although its value was rejected: it stays rejected, and whoever tells it is told so."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from muniment.engine.resolve.timeline import Rule
from muniment.engine.write.naming import Named
from muniment.graph_schema.errors import Conflict
from muniment.graph_schema.records import Fact, Rejection, Says

_READ: Final = "episodes["  # inputs out of whose texts statements were read


def told_in_vain(named: Named, standing: Iterable[Fact], *, verb: str) -> tuple[Rejection, ...]:
    """What a caller told as so of values that were rejected; what was read in texts is left out, as nobody chose to tell it.

    Raises Conflict where a correction gives such a value: it would take the old one away and put nothing in its place.
    """
    told = {a.id: named.inputs.get(a.id, "") for a in named.assertions if a.says is Says.HOLDS}
    given = {id: input for id, input in told.items() if not input.startswith(_READ)}
    found: list[Rejection] = []
    for fact in standing:
        if not (fact.rejected and fact.closed_by == Rule.REJECTED.value):
            continue
        detail = f"{fact.object.name!r} was rejected (fact {fact.id}) and stays so: undo its rejection to tell it again"
        for id in fact.assertions:
            if id in given and verb == "correct":
                raise Conflict(detail)
            if id in given:
                found.append(Rejection(input=given[id], code="conflict", detail=detail))
    return tuple(found)
