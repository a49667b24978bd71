"""Which episodes a tenant has already, by the ids that they have outside."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Protocol

from muniment.engine.ports.store import Reader
from muniment.graph_schema.ids import EpisodeId


class HasExternalId(Protocol):
    @property
    def external_id(self) -> str | None: ...
    @property
    def wall(self) -> str: ...


async def by_external_id(reader: Reader, episodes: Iterable[HasExternalId]) -> dict[tuple[str, str | None], EpisodeId]:
    """The stored episodes that have the wall and external id of one of these, by (wall, external id).

    One source may be kept behind several walls; each copy is its own episode.
    """
    wanted: dict[str, set[str]] = defaultdict(set)
    for episode in episodes:
        if episode.external_id is not None:
            wanted[episode.wall].add(episode.external_id)
    found: dict[tuple[str, str | None], EpisodeId] = {}
    for wall, ids in sorted(wanted.items()):
        stored = await reader.episodes_by_external_id(sorted(ids), wall=wall)
        found.update({(wall, external_id): id for external_id, id in stored.items()})
    return found
