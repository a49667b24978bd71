"""What the conversation itself says already need not be said again by memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from muniment.engine.rank.hits import Hit, Omitted
from muniment.graph_schema.errors import Invalid
from muniment.graph_schema.ids import fold

_SHORTEST: Final = 12  # characters; shorter texts stand in too many messages by chance


def without_spoken(hits: Sequence[Hit], messages: Sequence[Mapping[str, Any]]) -> tuple[list[Hit], list[Omitted]]:
    """The hits whose words do not stand in a message as they are, and the others as duplicates.

    `messages` are chat messages with `content` as a text or a list of parts. Raises Invalid for something else.
    """
    said = [fold(text) for text in _texts(messages)]
    kept: list[Hit] = []
    repeated: list[Omitted] = []
    for hit in hits:
        text = fold(hit.text)
        if len(text) >= _SHORTEST and any(text in one for one in said):
            repeated.append(Omitted(id=hit.id, reason="duplicate", kind=hit.kind))
        else:
            kept.append(hit)
    return kept, repeated


def _texts(messages: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if isinstance(messages, str | bytes | Mapping) or not isinstance(messages, Sequence):
        raise Invalid(
            f"messages is {type(messages).__name__}: give a list of {{'role': …, 'content': …}}", field="messages"
        )
    for number, message in enumerate(messages):
        if not isinstance(message, Mapping):
            raise Invalid(f"messages[{number}] is no message: use {{'role': …, 'content': …}}", field="messages")
        content = message.get("content")
        parts = [content] if isinstance(content, str) else content if isinstance(content, list | tuple) else ()
        for part in parts:
            text = part.get("text") if isinstance(part, Mapping) else part
            if isinstance(text, str):
                yield text
