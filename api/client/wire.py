"""What callers hand in, as JSON: the same times, scopes and records that the embedded engine takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from muniment.engine.ingest.inputs import EndIn
from muniment.engine.write.erase.scopes import EraseScope
from muniment.graph_schema.errors import Invalid
from muniment.graph_schema.temporal import format_time, require_aware

Scalar = str | int | float | bool


def to_wire(value: Any, *, field: str = "") -> Any:
    """The value as JSON can say it; empty fields of records are left out. Raises Invalid for a naive time."""
    if isinstance(value, datetime):
        return format_time(require_aware(value, field=field or "time"))
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, EraseScope):
        return value.to_json()
    if isinstance(value, EndIn) and value.is_value:
        return {"value": value.name}
    if is_dataclass(value) and not isinstance(value, type):
        named = {one.name: getattr(value, one.name) for one in fields(value) if one.name != "is_value"}
        told = {name: to_wire(one, field=_below(field, name)) for name, one in named.items()}
        return {name: one for name, one in told.items() if one not in (None, "", [], {})}
    if isinstance(value, Mapping):
        return {str(name): to_wire(one, field=_below(field, str(name))) for name, one in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(to_wire(one, field=field) for one in value)
    if isinstance(value, list | tuple):
        return [to_wire(one, field=f"{field}[{number}]") for number, one in enumerate(value)]
    if value is None or isinstance(value, Scalar):
        return value
    if isinstance(value, Iterable):
        return to_wire(list(value), field=field)
    raise Invalid(f"{field or 'a value'} is {type(value).__name__}: JSON cannot say that", field=field)


def body_of(**given: Any) -> dict[str, Any]:
    """A request's body without what was not given."""
    return {name: to_wire(value, field=name) for name, value in given.items() if value is not None}


def query_of(**given: Any) -> list[tuple[str, str]]:
    """A request's query without what was not given; a list becomes a repeated parameter."""
    told: list[tuple[str, str]] = []
    for name, value in given.items():
        wired = to_wire(value, field=name)
        if wired is None or wired == "":
            continue
        told += [(name, _text(one)) for one in (wired if isinstance(wired, list) else [wired])]
    return told


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _below(field: str, name: str) -> str:
    return f"{field}.{name}" if field else name
