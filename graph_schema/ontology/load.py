"""The base ontology that ships with Muniment, read from the files in `base/`."""

import json
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from muniment.graph_schema.ontology.codec import entity_type_from_json, relation_from_json
from muniment.graph_schema.ontology.model import Relation
from muniment.graph_schema.ontology.ontology import Ontology

_RELATIONS = "relations_"


@cache
def base_ontology() -> Ontology:
    """The base ontology; every call gives the same object. The first call reads the files, in about 10 ms."""
    entity_types = tuple(entity_type_from_json(entry) for entry in _read("entity_types.json"))
    relations = tuple(relation for area in base_relations_by_area().values() for relation in area)
    return Ontology(entity_types=entity_types, relations=relations)


def base_relations_by_area() -> dict[str, tuple[Relation, ...]]:
    """The base relations under the areas of life that they come from (`crm`, `law`, …), one area a file."""
    names = sorted(entry.name for entry in _folder().iterdir() if entry.name.startswith(_RELATIONS))
    return {
        name.removeprefix(_RELATIONS).removesuffix(".json"): tuple(relation_from_json(entry) for entry in _read(name))
        for name in names
    }


def accepted_ambiguities() -> dict[str, list[str]]:
    """The spellings known to mean more than one relation, each with those relations' names (`base/ambiguous.json`)."""
    data: dict[str, list[str]] = json.loads(_text("ambiguous.json"))
    return data


def _read(name: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = json.loads(_text(name))
    return entries


def _text(name: str) -> str:
    return (_folder() / name).read_text(encoding="utf-8")


def _folder() -> Traversable:
    return files("muniment.graph_schema.ontology") / "base"
