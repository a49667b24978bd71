"""What was nearly found, and which filter hid it: looked for once more without the filters on status.

Walls, scopes and clocks of knowledge stay in force: nothing here tells of what the reader may not see.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from muniment.engine.ports.search import SearchRequest
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


async def hidden_by_status(reader: Reader, asked: Asked, board: Board) -> list[Omitted]:
    """Memories that fit as well as the best but are superseded, ended, not yet true or archived; best first."""
    if asked.filter.include_superseded and asked.filter.include_archived:
        return []
    request = SearchRequest(
        filter=replace(asked.filter, include_superseded=True, include_archived=True),
        vectors=asked.vectors,
        terms=tuple(asked.weights),
        idf=asked.weights,
        limit=_LOOKED_AT,
    )
    hidden: list[tuple[float, Omitted]] = []
    for found in await reader.search(request):
        if key_of(found) in board.pool.found:
            continue
        reason = "archived"
        if isinstance(found.memory, Fact):
            reason = _REASONS.get(found.memory.status_at(asked.filter.clocks.as_of), "limit")
        elif not found.memory.archived:
            continue
        score = total(base_parts(found, board.given))
        hidden.append((score, Omitted(id=found.memory.id, reason=reason, kind=kind_of(found.memory))))
    return [entry for _, entry in sorted(hidden, key=lambda row: (-row[0], row[1].id))]
