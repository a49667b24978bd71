"""A model's reply as text: its commands, also where one of them is broken JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from json import JSONDecodeError, JSONDecoder
from typing import Any, Final

from muniment.graph_schema.errors import Invalid

BROKEN: Final = "broken"
"""The one field of what stands for a command that is no JSON: what is wrong with it."""

_LIST: Final = "memory_commands"
_BETWEEN: Final = re.compile(r"[\s,]*")
_SPACE: Final = re.compile(r"\s*")
_BEGINNING: Final = re.compile(r"\{\s*\"")
_DECODER: Final = JSONDecoder()


def reply_of(text: str) -> object:
    """What a reply says, fenced or not: an object or a bare list of commands.

    A command in the list that is no JSON is told as `{"broken": …}`; reading goes on at the next one that can be read, so
    that it costs itself alone. Raises Invalid where what stands around the list is broken, for it says for whom the commands
    are; so where an object ends inside its list, unless nothing can have followed.
    """
    text = text.strip().removeprefix("```json").removeprefix("```").removesuffix("```").strip()
    try:
        return json.loads(text)
    except RecursionError as cause:
        raise Invalid(f"commands are no JSON: {cause}") from cause
    except ValueError as cause:
        told = _mended(text)
        if told is None:
            raise Invalid(f"commands are no JSON: {cause}") from cause
        return told


def _mended(text: str) -> Mapping[str, Any] | None:
    """The reply without the faults inside its list; None where there are others, or nothing in the list can be read."""
    around: dict[str, Any] = {}
    is_object = text.startswith("{")
    try:
        at = _fields(text, 1, around) if is_object else 0
        if text[at : at + 1] != "[":
            return None
        commands, end = _commands(text, at + 1, lambda place: _tail(text, place, is_object=is_object) is not None)
    except (ValueError, RecursionError):
        return None
    tail = _tail(text, end, is_object=is_object)
    if tail is None and end == len(text) and ("scope" in around or "subject" in around):
        tail = {}  # it says for whom they are, so nothing of weight can have followed
    if tail is None or tail.keys() & around.keys() or not any(_is_whole(command) for command in commands):
        return None
    return {**around, **tail, _LIST: commands}


def _tail(text: str, at: int, *, is_object: bool) -> dict[str, Any] | None:
    """The fields behind a list that ends at this place; None where something else stands there."""
    if not is_object:
        return None if text[at:].strip() else {}
    fields: dict[str, Any] = {}
    try:
        at = _fields(text, at, fields)
    except (ValueError, RecursionError):
        return None
    return fields if text[at:].strip() == "}" else None


def _is_whole(command: object) -> bool:
    return isinstance(command, dict) and BROKEN not in command


def _fields(text: str, at: int, into: dict[str, Any]) -> int:
    """Reads the fields of an object up to its list of commands, or its end; gives the place of that. Raises ValueError."""
    while True:
        at = _skip(_BETWEEN, text, at)
        if at >= len(text) or text[at] == "}":
            return at
        key, at = _DECODER.raw_decode(text, at)
        at = _skip(_SPACE, text, at)
        if text[at : at + 1] != ":" or not isinstance(key, str):
            raise JSONDecodeError("no field", text, at)
        at = _skip(_SPACE, text, at + 1)
        if key == _LIST and text[at : at + 1] == "[" and _LIST not in into:
            return at
        into[key], at = _DECODER.raw_decode(text, at)


def _commands(text: str, at: int, ends: Callable[[int], bool]) -> tuple[list[object], int]:
    """The items of the list whose first stands at `at`, broken ones told as such, and the place behind it; `ends` says whether
    the list may end before a place."""
    found: list[object] = []
    while True:
        at = _skip(_BETWEEN, text, at)
        if at >= len(text):
            return found, at
        if text[at] == "]":
            return found, at + 1
        try:
            item, at = _DECODER.raw_decode(text, at)
        except JSONDecodeError as fault:
            item = {BROKEN: f"{fault.msg} at character {fault.pos}"}
            at = next(_next_ones(text, at + 1), None) or _end_of_list(text, at, ends)
        found.append(item)


def _next_ones(text: str, at: int) -> Iterator[int]:
    """Where behind a broken command one begins that can be read: an object with an `op`."""
    for match in _BEGINNING.finditer(text, at):
        try:
            item, _ = _DECODER.raw_decode(text, match.start())
        except JSONDecodeError:
            continue
        if "op" in item:
            yield match.start()


def _end_of_list(text: str, at: int, ends: Callable[[int], bool]) -> int:
    """Where the list ends whose last command is broken: at its bracket, else with the text."""
    return next((m.start() for m in re.finditer(r"\]", text[at:]) if ends(at + m.end())), len(text) - at) + at


def _skip(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


__all__ = ["BROKEN", "reply_of"]
