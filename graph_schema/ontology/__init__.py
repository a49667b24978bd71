"""The words of the graph: entity types and relations, the base ontology, and a tenant's overlay."""

from muniment.graph_schema.ontology.load import base_ontology
from muniment.graph_schema.ontology.model import (
    ANY_TYPE,
    Alias,
    Cardinality,
    Direction,
    EntityType,
    Part,
    Reading,
    Relation,
    Statement,
    ValueKind,
)
from muniment.graph_schema.ontology.naming import relation_key
from muniment.graph_schema.ontology.ontology import Ontology

__all__ = [
    "ANY_TYPE",
    "Alias",
    "Cardinality",
    "Direction",
    "EntityType",
    "Ontology",
    "Part",
    "Reading",
    "Relation",
    "Statement",
    "ValueKind",
    "base_ontology",
    "relation_key",
]
