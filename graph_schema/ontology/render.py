"""An ontology as JSON for the outside, and its fingerprint."""

import hashlib
import json
from typing import Any

from muniment.graph_schema.ontology.model import Direction, EntityType, Part, Relation, Vocabulary


def vocabulary_to_json(vocabulary: Vocabulary) -> dict[str, Any]:
    """Types, relations and default cardinality in the outward shape."""
    return {
        "default_cardinality": vocabulary.default_cardinality.value,
        "entity_types": [_type_to_json(kind) for kind in vocabulary.entity_types],
        "relations": [_relation_to_json(relation) for relation in vocabulary.relations],
    }


def vocabulary_fingerprint(vocabulary: Vocabulary) -> str:
    """SHA-256, in hex, of the types, relations and default cardinality, independent of their order."""
    content = {
        "default_cardinality": vocabulary.default_cardinality.value,
        "entity_types": sorted(
            (_type_to_json(kind) for kind in vocabulary.entity_types), key=lambda entry: entry["name"]
        ),
        "relations": sorted(
            (_relation_to_json(relation) | {"wordings": _wordings(relation)} for relation in vocabulary.relations),
            key=lambda entry: entry["name"],
        ),
    }
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _type_to_json(kind: EntityType) -> dict[str, Any]:
    return {
        "name": kind.name,
        "label": kind.label,
        "label_zh": kind.label_zh,
        "parent": kind.parent,
        "aliases": list(kind.aliases),
    }


def _relation_to_json(relation: Relation) -> dict[str, Any]:
    return {
        "name": relation.name,
        "label": relation.label,
        "label_zh": relation.label_zh,
        "cardinality": relation.cardinality.value,
        "aliases": _texts(relation, Direction.FORWARD),
        "inverse_aliases": _texts(relation, Direction.BACKWARD),
        "from": list(relation.subject_types),
        "to": list(relation.object_types),
        "inverse": relation.inverse,
        "opposites": list(relation.opposites),
        "symmetric": relation.symmetric,
        "event": relation.event,
        "value_kind": relation.value_kind.value,
        "importance": relation.importance,
        "half_life_days": relation.half_life_days,
    }


def _texts(relation: Relation, direction: Direction) -> list[str]:
    """The wordings that name the relation in a direction, hints left out: a hint would become a name when sent back."""
    texts = (alias.text for alias in relation.aliases if alias.direction is direction and alias.part is not Part.HINT)
    return list(dict.fromkeys(texts))


def _wordings(relation: Relation) -> list[tuple[str, str, str, str]]:
    return sorted((alias.lang, alias.part.value, alias.direction.value, alias.text) for alias in relation.aliases)
