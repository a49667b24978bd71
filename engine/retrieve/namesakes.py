"""Entities that a reader may take for one name, though identity keeps them apart.

"Kestrel" in one note and "Kestrel Print Services" in another are often the same, but not surely enough to be merged. A chain
may still step from one to the other: nothing is changed by it, and a wrong step costs a place, not a fact.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from muniment.engine.ingest.han_names import is_han_name, may_be_short, short_forms, surname_of
from muniment.engine.ports.store import EntityQuery, Page, Reader
from muniment.graph_schema.ids import EntityId
from muniment.graph_schema.records import VALUE_TYPE, Entity

_PERSON: Final = "person"
_MAX_SHORT: Final = 8  # short names looked up for longer ones, in one question, unless said otherwise
_LONGER: Final = Page(limit=20)
_MIN_LETTERS: Final = 4  # shorter words begin too many names


class Namesakes:
    """Groups of entities that share a name, or of which one's name begins another's; each asked for once."""

    def __init__(self, reader: Reader, *, most_short: int = _MAX_SHORT, shortest: int = _MIN_LETTERS) -> None:
        self._reader = reader
        self._shortest = shortest
        self._group: dict[EntityId, EntityId] = {}  # entity -> the one that stands for its group
        self._members: dict[EntityId, set[EntityId]] = {}
        self._left = most_short

    async def groups_of(self, ids: Iterable[EntityId]) -> Mapping[EntityId, EntityId]:
        """For each entity the one that stands for its group, which may be itself."""
        wanted = list(dict.fromkeys(ids))
        new = [id for id in wanted if id not in self._group]
        if new:
            await self._learn(await self._reader.entities(new))
        return {id: self._group.get(id, id) for id in wanted}

    def members_of(self, group: EntityId) -> frozenset[EntityId]:
        """All entities of a group."""
        return frozenset(self._members.get(group, {group}))

    async def _learn(self, entities: list[Entity]) -> None:
        found = [entity for entity in entities if entity.type != VALUE_TYPE and entity.merged_into is None]
        keys = sorted({key for entity in found for key in (entity.key, *self._short_forms(entity))})
        same = await self._reader.entities_by_alias(keys) if keys else {}
        called: dict[EntityId, list[tuple[Entity, Entity]]] = {}  # by a longer name's first word
        surnames: set[EntityId] = set()  # what is a person's last name is no firm's first word
        for entity in found:
            for key in (entity.key, *self._short_forms(entity)):
                for other in same.get(key, ()):
                    if other.type == VALUE_TYPE or not self._may_be_called(entity, key, other):
                        continue
                    if key != entity.key and (entity.key.startswith(f"{key} ") or is_han_name(key)):
                        called.setdefault(other.id, []).append((entity, other))
                    else:
                        self._join(entity.id, other.id)
                        if key != entity.key:
                            surnames.add(other.id)
        own = {e.id: e for e in found if " " not in e.key and self._may_be_short(e)}
        short = list({**{id: pairs[0][1] for id, pairs in called.items()}, **own}.values())[: self._left]
        self._left -= len(short)
        longer = await asyncio.gather(*(self._longer(entity) for entity in short))
        for entity, whole in zip(short, longer, strict=True):
            longest: list[Entity] = [full for full, _ in called.pop(entity.id, [])]
            if is_han_name(entity.key) and longest:  # what ends so is found from the longer name only
                whole = min(longest if whole is None else [*longest, whole], key=_age)
            if whole is not None and (entity.id not in surnames or whole.type == _PERSON):
                self._join(entity.id, whole.id)
        for pairs in called.values():  # more than could be looked up: the best of those at hand
            entity, other = min(pairs, key=lambda pair: _age(pair[0]))
            self._join(entity.id, other.id)
        for entity in entities:
            self._group.setdefault(entity.id, entity.id)

    async def _longer(self, entity: Entity) -> Entity | None:
        """The entity met first whose name goes on after this one's: the first to be called so is usually meant."""
        han = is_han_name(entity.key)
        surname = surname_of(entity.key) if han else ""
        begins = surname or (entity.key if han else f"{entity.key} ")
        listed = await self._reader.list_entities(EntityQuery(prefix=begins), _LONGER)
        fits = [
            other
            for other in listed
            if other.type != VALUE_TYPE
            and other.id != entity.id
            and (not han or entity.key in short_forms(other.key, is_person=other.type == _PERSON))
            and any(alias.key.startswith(begins) for alias in other.aliases)
        ]
        return min(fits, key=_age, default=None)

    def _may_be_short(self, entity: Entity) -> bool:
        if is_han_name(entity.key):
            return may_be_short(entity.key)
        return len(entity.key) >= self._least(entity)

    def _least(self, entity: Entity) -> int:
        """Letters that a short name needs: fewer for people's ("Ann"), where it is written as a name."""
        return self._shortest if entity.name.istitle() else _MIN_LETTERS

    def _short_forms(self, entity: Entity) -> tuple[str, ...]:
        """The words by which a longer name is usually called: a person's first and last, another's first."""
        if is_han_name(entity.key):
            return short_forms(entity.key, is_person=entity.type == _PERSON)
        words = entity.key.split()
        if len(words) < 2:
            return ()
        called = (words[0], words[-1]) if entity.type == _PERSON else (words[0],)
        least = self._shortest if entity.type == _PERSON else _MIN_LETTERS
        short = tuple(word for word in called if len(word) >= least and word.isalpha())
        return (*short, *_initialled(entity)) if entity.type == _PERSON else short

    def _may_be_called(self, entity: Entity, key: str, other: Entity) -> bool:
        """Bare initials stand for a person where they are written so: "AR", not "Ar"."""
        if key == entity.key or " " in key or len(key) >= _MIN_LETTERS or is_han_name(key):
            return True
        return other.name.isupper() or (len(key) >= self._shortest and other.name.istitle())

    def _join(self, one: EntityId, other: EntityId) -> None:
        first, second = self._group.get(one, one), self._group.get(other, other)
        members = self._members.get(first, {first}) | self._members.get(second, {second}) | {one, other}
        head = min(members)
        for id in members:
            self._group[id] = head
        self._members[head] = members


def _age(entity: Entity) -> tuple[datetime, int, int, EntityId]:
    """The first met comes first; of those met at once the one of fewer words, then of fewer letters."""
    return entity.created_at, len(entity.key.split()), len(entity.key), entity.id


def _initialled(entity: Entity) -> tuple[str, ...]:
    """A person's name with initials: "ana r", "a. ruiz", "ar"."""
    first, *_, last = entity.key.split()
    if not (first.isalpha() and last.isalpha() and len(first) > 1 and len(last) > 1):
        return ()
    initials = "".join(word[0] for word in entity.key.split())
    return (f"{first} {last[0]}", f"{first} {last[0]}.", f"{first[0]}. {last}", f"{first[0]} {last}", initials)
