"""How Python values lie in SQLite columns, without loss."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np

from muniment.engine.ports.models import Vector
from muniment.graph_schema.temporal import FOREVER_MS, from_ms, to_ms

OPEN_END = FOREVER_MS + 1
"""Stands for "no end": past every moment that a datetime can hold, so no real end is mistaken for it."""

# SQLite's text functions stop at a NUL and its driver refuses lone surrogates; both are escaped, and the mark with them.
_ODD = re.compile("[\x00\\\\\ud800-\udfff]")
_ESCAPED = re.compile(r"\\([0-9a-f]{4})")


def stored(text: str) -> str:
    """The text as a column holds it: equal for equal texts, different for different ones."""
    if text.isascii() and "\\" not in text and "\0" not in text:  # most are, and writes are full of texts
        return text
    return _ODD.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    return f"\\{ord(found[0]):04x}"


def restored(text: str) -> str:
    """The text that `stored` was given."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "\\" in text else text


def stored_or_none(text: str | None) -> str | None:
    return None if text is None else stored(text)


def listed(texts: Iterable[str]) -> str:
    """Texts as one JSON parameter, for `IN (SELECT value FROM json_each(:…))`."""
    return json.dumps([stored(text) for text in texts], ensure_ascii=False)


def dumped(value: Mapping[str, Any] | Sequence[Any]) -> str:
    """A JSON column. Surrogates are escaped by us: JSON's own escapes would join two lone ones to a character."""
    if not value:
        return "{}" if isinstance(value, Mapping) else "[]"
    return stored(json.dumps(value if isinstance(value, Mapping) else list(value), ensure_ascii=False))


def loaded(text: str) -> Any:
    """The value that `dumped` was given, as JSON gives it back."""
    return json.loads(restored(text))


def loaded_object(text: str) -> dict[str, Any]:
    return {} if text == "{}" else loaded(text)


def loaded_strings(text: str) -> tuple[str, ...]:
    return () if text == "[]" else tuple(loaded(text))


def ms_or_none(moment: datetime | None) -> int | None:
    return None if moment is None else to_ms(moment)


def time_or_none(ms: int | None) -> datetime | None:
    return None if ms is None else from_ms(ms)


def end_ms(moment: datetime | None) -> int:
    """The end of an interval as an integer that compares."""
    return OPEN_END if moment is None else to_ms(moment)


def end_time(ms: int) -> datetime | None:
    return None if ms == OPEN_END else from_ms(ms)


def packed(vectors: Vector) -> bytes:
    """(parts, dim) float32 as little-endian bytes."""
    return np.ascontiguousarray(vectors, dtype="<f4").tobytes()


def unpacked(parts: bytes, dim: int) -> Vector:
    """What `packed` was given."""
    return np.frombuffer(parts, dtype="<f4").reshape(-1, dim).astype(np.float32)
