"""Writes that name what is not there, or is another tenant's: the same row in the caller's audit chain for both."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from muniment.graph_schema.errors import NotFound

Given = ParamSpec("Given")
Result = TypeVar("Result")


class NotesMissing(Protocol):
    """Who has an audit chain to write into."""

    async def note_missing(self, verb: str, error: NotFound) -> None: ...


Noter = TypeVar("Noter", bound=NotesMissing)


def noting_missing(
    verb: Callable[Concatenate[Noter, Given], Awaitable[Result]],
) -> Callable[Concatenate[Noter, Given], Coroutine[Any, Any, Result]]:
    """The verb; where it raises NotFound, the try is noted first. The row says nothing of what was named."""

    @wraps(verb)
    async def noted(self: Noter, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        try:
            return await verb(self, *args, **kwargs)
        except NotFound as error:
            await self.note_missing(getattr(verb, "__name__", "write"), error)
            raise

    return noted
