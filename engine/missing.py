"""Writes that come to nothing: a row in the caller's audit chain.

What is not there and what is another tenant's leave the same row.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol, TypeVar, cast

from muniment.graph_schema.errors import Ambiguous, Conflict, MunimentError, NotFound, UnderWay

Verb = TypeVar("Verb", bound=Callable[..., Any])


class NotesMissing(Protocol):
    """Who has an audit chain to write into."""

    async def note_missing(self, verb: str, error: MunimentError) -> None: ...


def noting_missing(verb: Verb) -> Verb:
    """The verb of a `NotesMissing`; where it raises NotFound, Conflict or Ambiguous, the try is noted first.

    The row says nothing of what was named.
    """

    @wraps(verb)
    async def noted(self: NotesMissing, /, *args: Any, **kwargs: Any) -> Any:
        try:
            return await verb(self, *args, **kwargs)
        except UnderWay:  # not refused: the same write is being done
            raise
        except (NotFound, Conflict, Ambiguous) as error:
            await self.note_missing(getattr(verb, "__name__", "write"), error)
            raise

    return cast(Verb, noted)
