"""Lines from a stream of bytes, one at a time, each of bounded size."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator
from typing import Final

from muniment.graph_schema.errors import TooLarge

LONGEST_LINE_BYTES: Final = 8 * 1024 * 1024


async def lines_of(chunks: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """The lines in their order, empty ones too, so that counting them counts lines. Raises TooLarge naming the line."""
    parts: list[bytes] = []
    size = 0
    number = 1
    async for chunk in chunks:
        *ended, rest = chunk.split(b"\n")
        for line in ended:
            yield b"".join((*parts, line))
            parts, size = [], 0
            number += 1
        parts.append(rest)
        size += len(rest)
        if size > LONGEST_LINE_BYTES:
            raise TooLarge(f"line {number} is longer than {LONGEST_LINE_BYTES} bytes")
    if size:
        yield b"".join(parts)
