"""Entity types and relations to and from the JSON of the base files."""

from collections.abc import Mapping, Sequence
from typing import Any

from muniment.graph_schema.ontology.model import (
    ANY_TYPE,
    Alias,
    Cardinality,
    Direction,
    EntityType,
    Part,
    Relation,
    ValueKind,
)

# How the groups of aliases in the files are read. A wording may stand in several groups.
ALIAS_GROUPS: Mapping[str, tuple[Part, Direction]] = {
    "nouns": (Part.NOUN, Direction.FORWARD),
    "inverse_nouns": (Part.NOUN, Direction.BACKWARD),
    "verbs": (Part.VERB, Direction.FORWARD),
    "inverse_verbs": (Part.VERB, Direction.BACKWARD),
    "hints": (Part.HINT, Direction.FORWARD),
    "inverse_hints": (Part.HINT, Direction.BACKWARD),
}
LANGUAGES = ("en", "zh")


def entity_type_from_json(data: Mapping[str, Any]) -> EntityType:
    """An entity type from one entry of `entity_types.json`; the files are trusted, their tests are strict."""
    return EntityType(
        name=data["name"],
        label=data["label"],
        label_zh=data["label_zh"],
        parent=data["parent"],
        aliases=tuple(data["aliases"]),
    )


def relation_from_json(data: Mapping[str, Any]) -> Relation:
    """A relation from one entry of a `relations_*.json`; the files are trusted, their tests are strict."""
    half_life = data.get("half_life_days")
    return Relation(
        name=data["name"],
        label=data["label"],
        label_zh=data["label_zh"],
        subject_types=tuple(data.get("from", (ANY_TYPE,))),
        object_types=tuple(data.get("to", (ANY_TYPE,))),
        cardinality=Cardinality(data["cardinality"]),
        inverse=data.get("inverse"),
        opposites=tuple(data.get("opposites", ())),
        symmetric=data.get("symmetric", False),
        event=data.get("event", False),
        value_kind=ValueKind(data.get("value_kind", "entity")),
        half_life_days=float(half_life) if half_life else None,
        importance=data.get("importance", 3),
        aliases=_aliases_from_json(data["aliases"]),
    )


def _aliases_from_json(data: Mapping[str, Mapping[str, Sequence[str]]]) -> tuple[Alias, ...]:
    return tuple(
        Alias(text=text, lang=lang, part=part, direction=direction)
        for lang, groups in data.items()
        for group, texts in groups.items()
        for part, direction in (ALIAS_GROUPS[group],)
        for text in texts
    )
