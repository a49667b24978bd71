"""Which episodes name which entities: the links over which one episode leads to another."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from muniment.engine.ingest.language import has_han
from muniment.engine.ports.search import ReadFilter
from muniment.engine.ports.store import Reader
from muniment.engine.retrieve.namesakes import Namesakes
from muniment.engine.retrieve.titles import entities_by_form, forms_in
from muniment.graph_schema.ids import EntityId, EpisodeId
from muniment.graph_schema.records import Mention, MentionRole

_ARTICLE: Final = re.compile(r"^(?:The|A|An) ")
_PER_ENTITY = 120  # links over commoner names are weak anyway; titles of theirs are rarely that many


@dataclass(frozen=True, slots=True, kw_only=True)
class Holders:
    """The episodes that name an entity: those about it, those that mention it, and how many there are in all."""

    titled: tuple[EpisodeId, ...] = ()
    mentioned: tuple[EpisodeId, ...] = ()
    count: int = 0


NOBODY = Holders()


class NameLinks:
    """Mentions as one read sees them, each asked for once.

    With `namesakes` entities that may be one name count as one, by the id that stands for their group.
    """

    def __init__(self, reader: Reader, filter: ReadFilter, namesakes: Namesakes | None = None) -> None:
        self._reader = reader
        self._namesakes = namesakes
        self._filter = filter
        self._of: dict[EpisodeId, tuple[EntityId, ...]] = {}
        self._holders: dict[EntityId, Holders] = {}
        self._proper: dict[EntityId, str] = {}

    async def grouped(self, entities: Iterable[EntityId]) -> frozenset[EntityId]:
        """The ids that stand for these entities."""
        wanted = list(entities)
        groups = await self._namesakes.groups_of(wanted) if self._namesakes else {}
        return frozenset(groups.get(id, id) for id in wanted)

    async def names_of(self, episodes: Iterable[EpisodeId]) -> Mapping[EpisodeId, tuple[EntityId, ...]]:
        """The entities that each episode mentions or is about, in order of id; its speaker is left out."""
        wanted = list(dict.fromkeys(episodes))
        new = [id for id in wanted if id not in self._of]
        if new:
            rows: dict[EpisodeId, dict[EntityId, None]] = {id: {} for id in new}
            for mention in await self._reader.mentions_of_episodes(new):
                if mention.role is not MentionRole.SPEAKER:
                    rows[mention.episode][mention.entity] = None
            met = {entity for found in rows.values() for entity in found}
            groups = await self._namesakes.groups_of(sorted(met)) if self._namesakes else {}
            self._of.update({id: tuple(dict.fromkeys(groups.get(e, e) for e in rows[id])) for id in new})
        return {id: self._of[id] for id in wanted}

    async def proper(self, entities: Iterable[EntityId]) -> Mapping[EntityId, str]:
        """The names of those of the entities that are written as names: "the company" leads from one passage to nothing in
        particular."""
        wanted = list(dict.fromkeys(entities))
        new = [id for id in wanted if id not in self._proper]
        if new:
            self._proper |= {e.id: e.name if _is_proper(e.name) else "" for e in await self._reader.entities(new)}
        return {id: name for id in wanted if (name := self._proper.get(id, ""))}

    async def titled_alike(self, names: Mapping[EntityId, str]) -> Mapping[EntityId, tuple[EpisodeId, ...]]:
        """The episodes whose title is the name of each entity, if perhaps with something in brackets behind it; of a longer
        name that is nobody's title those whose title stands in it ("Prime Minister Ana Ruiz")."""
        forms = {id: forms_in(name) for id, name in names.items()}
        known = await entities_by_form(self._reader, {form for found in forms.values() for form in found})
        held = await self.holders_of(sorted({e.id for found in known.values() for e in found}))
        about = {form: [ep for e in found for ep in held[e.id].titled] for form, found in known.items()}
        meant = {id: next((form for form in found if about.get(form)), "") for id, found in forms.items()}
        return {id: tuple(dict.fromkeys(about.get(form, ()))) for id, form in meant.items()}

    async def holders_of(self, entities: Iterable[EntityId]) -> Mapping[EntityId, Holders]:
        """The episodes, as far as the filter shows them, that name each entity."""
        wanted = list(dict.fromkeys(entities))
        new = [id for id in wanted if id not in self._holders]
        if new:
            members = {id: self._namesakes.members_of(id) if self._namesakes else frozenset({id}) for id in new}
            asked = sorted({member for found in members.values() for member in found})
            found = await self._reader.mentions_of_entities(asked, self._filter, per_entity=_PER_ENTITY)
            by_entity: dict[EntityId, list[Mention]] = defaultdict(list)
            for mention in found.mentions:
                by_entity[mention.entity].append(mention)
            for id in new:
                rows = [mention for member in sorted(members[id]) for mention in by_entity[member]]
                self._holders[id] = _holders(rows, sum(found.counts.get(member, 0) for member in members[id]))
        return {id: self._holders[id] for id in wanted}


def _holders(rows: Iterable[Mention], count: int) -> Holders:
    titled: dict[EpisodeId, None] = {}
    others: dict[EpisodeId, None] = {}
    for mention in rows:
        if mention.role is MentionRole.TITLE:
            titled[mention.episode] = None
        elif mention.role is MentionRole.MENTIONED:
            others[mention.episode] = None
    mentioned = tuple(episode for episode in others if episode not in titled)
    return Holders(titled=tuple(titled), mentioned=mentioned, count=max(count, len(titled)))


def _is_proper(name: str) -> bool:
    """Whether a name has a capital after its article, a digit, or is Chinese."""
    return has_han(name) or any(char.isupper() or char.isdigit() for char in _ARTICLE.sub("", name))
