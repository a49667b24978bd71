"""Lines as they come in: parsed one by one, each wrong value named by its line and field."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from muniment.engine.ports.models import Vector
from muniment.engine.write.transfer.codec import from_json, vectors_from_json
from muniment.engine.write.transfer.shape import FORMAT, RECORDS, VERSION, Header, Line
from muniment.graph_schema.errors import Invalid
from muniment.graph_schema.records import Kind
from muniment.graph_schema.temporal import format_time

_VECTORS = frozenset({Line.INDEX, Line.SENTENCE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """Vectors of a fact's sentence."""

    text: str
    vectors: Mapping[str, Vector]


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """How a memory was found where it came from."""

    kind: Kind
    id: str
    words: str
    vectors: Mapping[str, Vector] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """One line: its number, what sort of record it is, and the record."""

    number: int
    sort: Line
    record: Any


def parsed(given: Mapping[str, Any] | str | bytes, number: int) -> Parsed:
    """The record of one line. Raises Invalid naming line and field."""
    try:
        return _parsed(given, number)
    except Invalid as error:
        raise Invalid(f"line {number}: {error}", field=f"line {number}: {error.field}".rstrip(": ")) from error


def check_header(line: Parsed) -> Header:
    """The header, which must be the first line. Raises Invalid where it is not, is a picture's, or of a version unknown here."""
    if line.sort is not Line.HEADER:
        raise Invalid(f"line {line.number}: an export begins with its header", field=f"line {line.number}: record")
    header: Header = line.record
    if header.format != FORMAT or not 1 <= header.version <= VERSION:
        raise Invalid(
            f"line {line.number}: format {header.format!r} version {header.version} is not known: use {FORMAT!r}, up to {VERSION}",
            field=f"line {line.number}: version",
        )
    if header.as_of is not None:
        raise Invalid(
            f"line {line.number}: this is a picture of what was true as of {format_time(header.as_of)}, without the evidence that "
            "facts derive from: to take a tenant in, export it with known_at or with no moment",
            field=f"line {line.number}: as_of",
        )
    return header


def _parsed(given: Mapping[str, Any] | str | bytes, number: int) -> Parsed:
    body = _object(given)
    word = body.get("record")
    try:
        sort = Line(str(word))
    except ValueError as cause:
        raise Invalid(f"record is {word!r}: use one of {', '.join(Line)}", field="record") from cause
    if sort in _VECTORS:
        return Parsed(number=number, sort=sort, record=_with_vectors(sort, body))
    return Parsed(number=number, sort=sort, record=from_json(RECORDS[sort], body))


def _with_vectors(sort: Line, body: Mapping[str, Any]) -> Spoken | Indexed:
    vectors = vectors_from_json(body.get("vectors", {}), field="vectors")
    for name in ("text",) if sort is Line.SENTENCE else ("kind", "id", "words"):
        if not isinstance(body.get(name), str):
            raise Invalid(f"{name} is {body.get(name)!r}: give a text", field=name)
    if sort is Line.SENTENCE:
        return Spoken(text=body["text"], vectors=vectors)
    try:
        kind = Kind(body["kind"])
    except ValueError as cause:
        raise Invalid(f"kind is {body['kind']!r}: use one of {', '.join(Kind)}", field="kind") from cause
    return Indexed(kind=kind, id=body["id"], words=body["words"], vectors=vectors)


def _object(given: Mapping[str, Any] | str | bytes) -> Mapping[str, Any]:
    if isinstance(given, Mapping):
        return given
    try:
        body = json.loads(given)
    except (ValueError, RecursionError) as cause:
        raise Invalid(f"this is not JSON: {cause}") from cause
    if not isinstance(body, Mapping):
        raise Invalid(f"this is {type(body).__name__}: give one JSON object a line")
    return body
