"""What was true at a moment, as known at a moment, as lines: the facts in force with the entities and episodes behind them.

A picture is for reading and handing over, not for taking in: of a fact it holds how it stood, and of the evidence that began
or ended it only what proves it. Whoever wants to take a tenant in as it was known then exports with `known_at` alone.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from dataclasses import replace
from datetime import datetime
from typing import Any

from muniment.engine.ports.store import FactQuery, Page, Reader
from muniment.engine.retrieve.known import as_known
from muniment.engine.write.transfer.codec import to_json
from muniment.engine.write.transfer.names_then import names_then
from muniment.engine.write.transfer.shape import Line
from muniment.graph_schema.ids import EntityId, EpisodeId
from muniment.graph_schema.records import HELD_KINDS, Fact
from muniment.graph_schema.temporal import Clocks, to_ms

_PAGE = 500

Body = tuple[Line, dict[str, Any]]


async def picture(reader: Reader, clocks: Clocks, *, names: datetime | None = None) -> AsyncIterator[Body]:
    """The lines between header and end: what a fact refers to comes before it. Entities are called as they were at `names`, and
    facts have the evidence heard of by then; None: as now.

    Facts, preferences and skills that are neither rejected nor archived; what is written meanwhile is left out.
    """
    query = FactQuery(kinds=frozenset(HELD_KINDS), as_of=clocks.as_of, known_at=clocks.known_at)
    page = Page(limit=_PAGE)
    then = None if names is None else await names_then(reader, names)
    entities: set[EntityId] = set()
    episodes: set[EpisodeId] = set()
    while rows := await as_known(reader, await reader.list_facts(query, page), names):
        for entity in await _new(reader.entities, entities, {end for f in rows for end in (f.subject.id, f.object.id)}):
            yield Line.ENTITY, to_json(entity if then is None else then.of(entity))
        for episode in await _new(reader.episodes, episodes, {q.episode for f in rows for q in f.evidence}):
            if not episode.archived:
                yield Line.EPISODE, to_json(episode)
        for fact in rows:
            yield Line.FACT, _as_known(fact, clocks)
        page = Page(limit=_PAGE, after=(to_ms(rows[-1].created_at), rows[-1].id))


async def _new(read: Any, given: set[Any], wanted: Collection[Any]) -> Any:
    """The records of the ids that were not given yet."""
    ids = sorted(set(wanted) - given)
    given.update(ids)
    return await read(ids) if ids else []


def _as_known(fact: Fact, clocks: Clocks) -> dict[str, Any]:
    """The fact without what became of it later, and its status at the moment."""
    return {**to_json(replace(fact, expired_at=None)), "status": fact.status_at(clocks.as_of).value}
