"""Which episodes name which entities: the links over which one episode leads to another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from muniment.engine.ports.search import ReadFilter
from muniment.engine.ports.store import Reader
from muniment.graph_schema.ids import EntityId, EpisodeId
from muniment.graph_schema.records import MentionRole

_PER_ENTITY = 120  # links over commoner names are weak anyway; titles of theirs are rarely that many


@dataclass(frozen=True, slots=True, kw_only=True)
class Holders:
    """The episodes that name an entity: those about it, those that mention it, and how many there are in all."""

    titled: tuple[EpisodeId, ...] = ()
    mentioned: tuple[EpisodeId, ...] = ()
    count: int = 0


NOBODY = Holders()


class NameLinks:
    """Mentions as one read sees them, each asked for once."""

    def __init__(self, reader: Reader, filter: ReadFilter) -> None:
        self._reader = reader
        self._filter = filter
        self._of: dict[EpisodeId, tuple[EntityId, ...]] = {}
        self._spoken: dict[EpisodeId, frozenset[EntityId]] = {}
        self._holders: dict[EntityId, Holders] = {}

    async def names_of(self, episodes: Iterable[EpisodeId]) -> Mapping[EpisodeId, tuple[EntityId, ...]]:
        """The entities that each episode mentions or is about, in order of id; its speaker is left out."""
        wanted = list(dict.fromkeys(episodes))
        new = [id for id in wanted if id not in self._of]
        if new:
            rows: dict[EpisodeId, dict[EntityId, None]] = {id: {} for id in new}
            for mention in await self._reader.mentions_of_episodes(new):
                if mention.role is not MentionRole.SPEAKER:
                    rows[mention.episode][mention.entity] = None
            self._of.update({id: tuple(found) for id, found in rows.items()})
        return {id: self._of[id] for id in wanted}

    async def holders_of(self, entities: Iterable[EntityId]) -> Mapping[EntityId, Holders]:
        """The episodes, as far as the filter shows them, that name each entity."""
        wanted = list(dict.fromkeys(entities))
        new = [id for id in wanted if id not in self._holders]
        if new:
            found = await self._reader.mentions_of_entities(new, self._filter, per_entity=_PER_ENTITY)
            titled: dict[EntityId, dict[EpisodeId, None]] = {id: {} for id in new}
            others: dict[EntityId, dict[EpisodeId, None]] = {id: {} for id in new}
            for mention in found.mentions:
                if mention.role is MentionRole.TITLE:
                    titled[mention.entity][mention.episode] = None
                elif mention.role is MentionRole.MENTIONED:
                    others[mention.entity][mention.episode] = None
            for id in new:
                mentioned = tuple(e for e in others[id] if e not in titled[id])
                self._holders[id] = Holders(
                    titled=tuple(titled[id]), mentioned=mentioned, count=max(found.counts.get(id, 0), len(titled[id]))
                )
        return {id: self._holders[id] for id in wanted}
