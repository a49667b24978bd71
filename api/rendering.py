"""JSON as it leaves the service and the command line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def json_text(value: Any, *, indent: int | None = None) -> str:
    """JSON with readable letters; escapes where a text holds half a character (a lone surrogate), which UTF-8 cannot."""
    separators = (",", ":") if indent is None else None
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, ensure_ascii=True, allow_nan=False, indent=indent, separators=separators)
    return text


def json_bytes(value: Mapping[str, Any]) -> bytes:
    """The same as UTF-8."""
    return json_text(value).encode("utf-8")
