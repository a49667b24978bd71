"""Records as JSON objects and back, by the types that their fields declare."""

from __future__ import annotations

import base64
import binascii
import dataclasses
import types
import typing
from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any, TypeVar

import numpy as np

from muniment.engine.ports.models import Vector
from muniment.graph_schema.errors import Invalid
from muniment.graph_schema.temporal import format_time, parse_time

R = TypeVar("R")


def to_json(record: Any) -> dict[str, Any]:
    """A record's fields; times as RFC 3339, what has its default left out."""
    body: dict[str, Any] = {}
    for field in dataclasses.fields(record):
        value = getattr(record, field.name)
        if not _is_default(field, value):
            body[field.name] = _out(value)
    return body


def from_json(cls: type[R], body: Mapping[str, Any], *, field: str = "") -> R:
    """The record that `to_json` was given. Raises Invalid naming the field."""
    hints = _hints(typing.cast(Any, cls))
    values: dict[str, Any] = {}
    for one in dataclasses.fields(cls):  # type: ignore[arg-type]  # called with records only
        path = f"{field}.{one.name}" if field else one.name
        if one.name in body:
            values[one.name] = _in(hints[one.name], body[one.name], path)
        elif one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING:
            raise Invalid(f"{path} is missing", field=path)
    return cls(**values)


def vectors_to_json(vectors: Mapping[str, Vector]) -> dict[str, Any]:
    """Vectors by fingerprint: dimension, and base64 of little-endian float32 rows."""
    return {
        fingerprint: {"dim": int(rows.shape[1]), "data": base64.b64encode(rows.astype("<f4").tobytes()).decode()}
        for fingerprint, rows in vectors.items()
        if len(rows)
    }


def vectors_from_json(body: object, *, field: str) -> dict[str, Vector]:
    """What `vectors_to_json` was given. Raises Invalid."""
    try:
        found = {}
        for fingerprint, row in dict(typing.cast(Mapping[str, Any], body)).items():
            flat = np.frombuffer(base64.b64decode(row["data"], validate=True), dtype="<f4")
            found[str(fingerprint)] = flat.reshape(-1, int(row["dim"])).astype(np.float32)
        if not all(np.isfinite(rows).all() for rows in found.values()):
            raise ValueError("not finite")
        return found
    except (TypeError, KeyError, ValueError, binascii.Error) as cause:
        raise Invalid(f"{field} is no vectors by fingerprint: {cause}", field=field) from cause


@cache
def _hints(cls: Any) -> dict[str, Any]:
    return typing.get_type_hints(cls)


def _is_default(field: dataclasses.Field[Any], value: object) -> bool:
    if field.default is not dataclasses.MISSING:
        return bool(value == field.default)
    if field.default_factory is not dataclasses.MISSING:
        return bool(value == field.default_factory())
    return False


def _out(value: Any) -> Any:
    if isinstance(value, datetime):
        return format_time(value)
    if isinstance(value, Enum):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return to_json(value)
    if isinstance(value, Mapping):
        return {str(key): _out(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_out(one) for one in value]
    return value


def _in(hint: Any, value: Any, field: str) -> Any:
    if hint is Any:
        return value
    if isinstance(hint, typing.NewType):
        return _in(hint.__supertype__, value, field)
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        options = [one for one in typing.get_args(hint) if one is not type(None)]
        return None if value is None else _in(options[0], value, field)
    if origin is tuple:
        if not isinstance(value, list):
            raise Invalid(f"{field} is {value!r}: give a list", field=field)
        item = typing.get_args(hint)[0]
        return tuple(_in(item, one, f"{field}[{n}]") for n, one in enumerate(value))
    if origin is not None:
        if not isinstance(value, Mapping):
            raise Invalid(f"{field} is {value!r}: give an object", field=field)
        return dict(value)
    return _plain(hint, value, field)


def _plain(hint: Any, value: Any, field: str) -> Any:
    if dataclasses.is_dataclass(hint):
        if not isinstance(value, Mapping):
            raise Invalid(f"{field} is {value!r}: give an object", field=field)
        return from_json(typing.cast(type[Any], hint), value, field=field)
    if hint is datetime:
        if not isinstance(value, str):
            raise Invalid(f"{field} is {value!r}: give a time as RFC 3339 text", field=field)
        return parse_time(value, field=field)
    if isinstance(hint, type) and issubclass(hint, Enum):
        try:
            return hint(value)
        except ValueError as cause:
            known = ", ".join(str(one.value) for one in hint)
            raise Invalid(f"{field} is {value!r}: use one of {known}", field=field) from cause
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, hint) or (hint is int and isinstance(value, bool)):
        raise Invalid(f"{field} is {value!r}: give {hint.__name__}", field=field)
    return value
