"""What routes have in common: the caller's memory, answers, and the parameters of lists."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from fastapi import Depends, Query, Request, Response
from pydantic import WithJsonSchema

from muniment.api.auth import Caller
from muniment.api.rendering import json_bytes
from muniment.api.service import Service, service_of

if TYPE_CHECKING:
    from muniment.engine.memory import Memory

# A plus sign in a query means a blank, so an offset that was not escaped arrives as one.
_LOST_PLUS: Final = re.compile(r" (\d\d:?\d\d)$")


# Coroutines though none of them waits: the framework would send a plain function to a thread, which costs each request more
# than all else that the service adds.
async def caller_in(request: Request) -> Caller:
    """The caller whom the guard let through."""
    caller: Caller = request.state.caller
    return caller


async def memory_in(request: Request) -> Any:
    """The caller's memory."""
    return service_of(request).memory(request.state.caller)


async def service_in(request: Request) -> Service:
    return service_of(request)


def answer(body: Mapping[str, Any], *, status: int = 200) -> Response:
    """A JSON answer."""
    return Response(json_bytes(body), status_code=status, media_type="application/json")


def moment(text: str | None) -> str | None:
    """A time from a query, with the plus sign of its offset put back."""
    return _LOST_PLUS.sub(r"+\1", text) if text else None


CallerDep = Annotated[Caller, Depends(caller_in)]
ServiceDep = Annotated[Service, Depends(service_in)]
if TYPE_CHECKING:
    MemoryDep = Memory
else:
    MemoryDep = Annotated[Any, Depends(memory_in)]

Limit = Annotated[int, Query(ge=1, le=200, description="How many at most.")]
Cursor = Annotated[str | None, Query(description="Where to go on: next_cursor of the last answer.")]
TIME: Final[dict[str, Any]] = {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "string", "maxLength": 0}]}
AsOf = Annotated[
    str | None,
    Query(description="As it was true then (RFC 3339 with an offset); now where absent."),
    WithJsonSchema(TIME),
]
KnownAt = Annotated[
    str | None,
    Query(description="As it was known then (RFC 3339 with an offset); now where absent."),
    WithJsonSchema(TIME),
]
Status = Annotated[
    Literal["", "current", "future", "ended", "superseded", "rejected", "archived"],
    Query(description="Those that have it at `as_of`; where absent, those in force."),
]
User = Annotated[str, Query(description="Only memories of this user.")]
Session = Annotated[str, Query(description="Only memories of this session.")]
Superseded = Annotated[bool, Query(description="Also what held before or will hold later.")]
Archived = Annotated[bool, Query(description="Also what was put away.")]
EndType = Annotated[
    str, Query(description="A type of the ontology, which the subject or the object has, or one below it.")
]
Text = Annotated[str, Query(max_length=8000, description="A part of the text.")]
