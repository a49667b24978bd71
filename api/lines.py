"""JSON Lines from a stream of bytes, one record at a time, each of bounded size."""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, AsyncIterator, Mapping
from typing import Any, Final

from muniment.graph_schema.errors import Invalid, TooLarge

LONGEST_LINE_BYTES: Final = 8 * 1024 * 1024


async def lines_of(chunks: AsyncIterable[bytes]) -> AsyncIterator[Mapping[str, Any]]:
    """The records in their order. Raises Invalid or TooLarge naming the line."""
    rest = b""
    number = 0
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            number += 1
            if line.strip():
                yield record_of(line, number)
        if len(rest) > LONGEST_LINE_BYTES:
            raise TooLarge(f"line {number + 1} is longer than {LONGEST_LINE_BYTES} bytes")
    if rest.strip():
        yield record_of(rest, number + 1)


def record_of(line: bytes | str, number: int) -> Mapping[str, Any]:
    """The JSON object of one line. Raises Invalid naming the line."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as cause:
        raise Invalid(f"line {number} is not JSON: {cause}", field=f"line {number}") from cause
    if not isinstance(value, dict):
        raise Invalid(f"line {number} is {type(value).__name__}: give one JSON object a line", field=f"line {number}")
    return value
