"""What stands beside an answer: memories nearly found, with the filter that hid them, and those lately used.

What is nearly found is looked for once more without the filters on status.

Walls, scopes and clocks of knowledge stay in force: nothing here tells of what the reader may not see.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from muniment.engine.ports.search import Found, SearchRequest
from muniment.engine.ports.store import Reader
from muniment.engine.rank.asked import Asked
from muniment.engine.rank.base import base_parts, total
from muniment.engine.rank.board import Board
from muniment.engine.rank.hits import Omitted, kind_of
from muniment.engine.retrieve.pool import key_of
from muniment.graph_schema.records import Fact, Status

_LOOKED_AT: Final = 8
_REASONS: Final = {
    Status.SUPERSEDED: "superseded",
    Status.ENDED: "superseded",
    Status.FUTURE: "not_yet",
    Status.ARCHIVED: "archived",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Aside:
    """What stands beside the answer and does not wait for its ranking: what filters on status hid, what was lately used."""

    hidden: Sequence[Found]
    used: Sequence[Found]


async def look_aside(reader: Reader, asked: Asked, *, recent: int) -> Aside:
    """Both looked for at the same time; `recent` is how many lately used memories are to be shown beside the hits."""
    hidden, used = await asyncio.gather(_hidden(reader, asked), _used(reader, asked, recent))
    return Aside(hidden=hidden, used=used)


async def _hidden(reader: Reader, asked: Asked) -> list[Found]:
    if asked.filter.include_superseded and asked.filter.include_archived:
        return []
    request = SearchRequest(
        filter=replace(asked.filter, include_superseded=True, include_archived=True),
        vectors=asked.vectors,
        terms=tuple(asked.weights),
        idf=asked.weights,
        limit=_LOOKED_AT,
    )
    return await reader.search(request)


async def _used(reader: Reader, asked: Asked, recent: int) -> list[Found]:
    if not recent:
        return []
    return [found for _, found in await reader.recently_used(asked.filter, limit=recent + asked.request.limit)]


def hidden_by_status(asked: Asked, board: Board, hidden: Iterable[Found]) -> list[Omitted]:
    """Those that fit as well as the best but are superseded, ended, not yet true or archived; best first."""
    missed: list[tuple[float, Omitted]] = []
    for found in hidden:
        if key_of(found) in board.pool.found:
            continue
        reason = "archived"
        if isinstance(found.memory, Fact):
            reason = _REASONS.get(found.memory.status_at(asked.filter.clocks.as_of), "limit")
        elif not found.memory.archived:
            continue
        score = total(base_parts(found, board.given))
        missed.append((score, Omitted(id=found.memory.id, reason=reason, kind=kind_of(found.memory))))
    return [entry for _, entry in sorted(missed, key=lambda row: (-row[0], row[1].id))]
