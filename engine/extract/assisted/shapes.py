"""Shapes of answers as the JSON Schema that endpoints take in strict mode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel

# What strict mode does not know; the answer is held against the whole shape all the same.
_LEFT_OUT: Final = frozenset({"default", "maxItems", "minItems", "title"})


def strict_schema(shape: type[BaseModel]) -> dict[str, Any]:
    """The schema of a shape: every field required, no other allowed."""
    made: dict[str, Any] = _strict(shape.model_json_schema())
    return made


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(one) for one in node]
    if not isinstance(node, Mapping):
        return node
    fields = node.get("properties")
    made = {
        key: {name: _strict(one) for name, one in value.items()} if key in ("properties", "$defs") else _strict(value)
        for key, value in node.items()
        if key not in _LEFT_OUT
    }
    if isinstance(fields, Mapping):
        made |= {"required": list(fields), "additionalProperties": False}
    return made
