"""Where an id leads: through merges to the entity that stands for it."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.engine.ports.store import Reader
from muniment.graph_schema.errors import NotFound
from muniment.graph_schema.ids import EntityId
from muniment.graph_schema.records import Entity


async def survivors(reader: Reader, ids: Sequence[EntityId]) -> dict[EntityId, Entity]:
    """For each id the entity it leads to now, through merges. Raises NotFound for the first that leads nowhere."""
    found: dict[EntityId, Entity] = {}
    asked = {id: id for id in ids}
    while asked:
        rows = {e.id: e for e in await reader.entities(sorted(set(asked.values())))}
        further: dict[EntityId, EntityId] = {}
        for id, at in asked.items():
            entity = rows.get(at)
            if entity is None:
                raise NotFound.of("entity", id)
            if entity.merged_into is not None:
                further[id] = entity.merged_into
            else:
                found[id] = entity
        asked = further
    return found
