"""How much a statement matters, 1 to 5, by stated rules."""

from __future__ import annotations

from muniment.graph_schema.ontology import Ontology

DEFAULT = 3
# An open relation may be anything; it must not crowd out what the ontology calls important.
OPEN = 2


def importance_of(relation: str, ontology: Ontology) -> int:
    """The ontology's own weight of a declared relation, `OPEN` for others; constraints are 5 and wishes 4 elsewhere."""
    found = ontology.relation(relation).relation
    return min(max(found.importance, 1), 5) if found.known else OPEN
