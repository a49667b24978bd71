"""What stands beside an answer: memories nearly found, with the filter that hid them, and those lately used.

What only its status hides comes with the search.

Walls, scopes and clocks of knowledge stay in force: nothing here tells of what the reader may not see.
"""

from __future__ import annotations

from typing import Final

from muniment.engine.ports.search import Found
from muniment.engine.ports.store import Reader
from muniment.engine.rank.asked import Asked
from muniment.engine.rank.base import base_parts, total
from muniment.engine.rank.board import Board
from muniment.engine.rank.hits import Omitted, kind_of
from muniment.engine.retrieve.pool import key_of
from muniment.graph_schema.records import Fact, Status

LOOKED_AT: Final = 8
"""Of so many of each channel's best it is told whether only their status hides them."""

_REASONS: Final = {
    Status.SUPERSEDED: "superseded",
    Status.ENDED: "superseded",
    Status.FUTURE: "not_yet",
    Status.ARCHIVED: "archived",
}


async def lately_used(reader: Reader, asked: Asked, *, recent: int) -> list[Found]:
    """Memories lately used, so many that `recent` are left beside the hits."""
    if not recent:
        return []
    return [found for _, found in await reader.recently_used(asked.filter, limit=recent + asked.request.limit)]


def hidden_by_status(asked: Asked, board: Board) -> list[Omitted]:
    """Those that fit as well as the best but are superseded, ended, not yet true or archived; best first."""
    missed: list[tuple[float, Omitted]] = []
    for found in board.pool.hidden:
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
