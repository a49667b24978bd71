"""Where in a request a text can stand, found in the OpenAPI document: for tests that put something of theirs into each place."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Marked:
    """A request with a text in one place."""

    method: str
    path: str
    body: Any = None
    query: Mapping[str, str] = field(default_factory=dict)


def marked(document: Json, text: str) -> Iterator[Marked]:
    """Every operation of the document with the text in its path, in each parameter of its query, in each place of its body."""
    for path, methods in document["paths"].items():
        for name, operation in methods.items():
            method = name.upper()
            spot = re.sub(r"\{[^}]+\}", text, path)
            body: Any = next(examples(document, operation), {} if "requestBody" in operation else None)
            yield Marked(method, spot, body)
            for one in operation.get("parameters", ()):
                if one["in"] == "query":
                    yield Marked(method, spot, body, {one["name"]: text})
            schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            for place in places(document, body, schema) if isinstance(body, dict) else ():
                yield Marked(method, spot, place.turned(body, text))


def examples(document: Json, operation: Json) -> Iterator[Any]:
    """The bodies that the document gives as examples of an operation."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    for schema in _kinds(document, content.get("schema", {})):
        yield from copy.deepcopy(schema.get("examples", ()))


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a body a text goes: the steps to it, its field's name, and whether it goes into a list or an object there."""

    steps: tuple[str | int, ...]
    name: str
    wraps: Callable[[str], Any] = str

    def turned(self, body: Any, text: str) -> Any:
        made = copy.deepcopy(body)
        inner = made
        for step in self.steps[:-1]:
            inner = inner[step]
        inner[self.steps[-1]] = self.wraps(text)
        return made


def _listed(text: str) -> list[str]:
    return [text]


def _by_id(text: str) -> Json:
    return {"id": text}


def places(
    document: Json, value: Any, schema: Json, steps: tuple[str | int, ...] = (), name: str = ""
) -> Iterator[Place]:
    kinds = _kinds(document, schema)
    if isinstance(value, str):
        yield Place(steps, name)
    if isinstance(value, list):
        for number, one in enumerate(value[:2]):
            items: Json = next((kind["items"] for kind in kinds if "items" in kind), {})
            yield from places(document, one, items, (*steps, number), name)
    if isinstance(value, dict):
        if "name" in value and steps:
            yield Place(steps, "id", _by_id)
        fields: Json = {}
        for kind in kinds:
            fields |= kind.get("properties", {})
        for key, one in value.items():
            yield from places(document, one, fields.get(key, {}), (*steps, key), key)
        for key, one in fields.items():
            if key in value:
                continue
            if takes_text(document, one):
                yield Place((*steps, key), key)
            elif any(
                kind.get("type") == "array" and takes_text(document, kind.get("items", {}))
                for kind in _kinds(document, one)
            ):
                yield Place((*steps, key), key, _listed)
            elif any("id" in kind.get("properties", {}) for kind in _kinds(document, one)):
                yield Place((*steps, key), "id", _by_id)


def _kinds(document: Json, schema: Json) -> list[Json]:
    """The schemas that a schema stands for."""
    if "$ref" in schema:
        return _kinds(document, document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]])
    either = [*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())]
    return [kind for one in either for kind in _kinds(document, one)] or [schema]


def takes_text(document: Json, schema: Json) -> bool:
    return any(
        kind.get("type") == "string" and "enum" not in kind and "format" not in kind
        for kind in _kinds(document, schema)
    )
