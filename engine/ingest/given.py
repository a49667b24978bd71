"""Options of a call, checked at the edge: Python takes any value for any of them, JSON and the command line do not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from muniment.graph_schema.errors import Invalid


def whole(name: str, value: object, least: int, most: int | None = None) -> int:
    """A whole number within bounds, both included. Raises Invalid, also for true and for 9.0."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least or (most is not None and value > most):
        right = f"from {least} to {most}" if most is not None else f"of {least} or more"
        raise Invalid(f"{name} is {value!r}: give a whole number {right}", field=name)
    return value


def flag(name: str, value: object) -> bool:
    """Yes or no. Raises Invalid for everything else: the text "false" would count as yes."""
    if not isinstance(value, bool):
        raise Invalid(f"{name} is {value!r}: give True or False", field=name)
    return value


def text(name: str, value: object) -> str:
    """A text, None being an empty one. Raises Invalid."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Invalid(f"{name} is {value!r}: give a string", field=name)
    return value


def texts(name: str, value: Iterable[Any] | None) -> list[str]:
    """A list of texts, None being an empty one. Raises Invalid, also for one text, which would be read letter by letter."""
    if value is None:
        return []
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise Invalid(
            f"{name} is {value!r}: give a list of strings, such as [{value!r}]"
            if isinstance(value, str)
            else f"{name} is {value!r}: give a list of strings",
            field=name,
        )
    found = list(value)
    for one in found:
        if not isinstance(one, str):
            raise Invalid(f"{name} holds {one!r}: give a list of strings", field=name)
    return found
