"""Which entity a name means: a register of one write, filled from the store and grown as names arrive.

A name finds an entity by key, a shorter form of it only when exactly one fits; identical strong identifiers join, differing
ones and differing legal forms never do. What is not found is made. Nothing here merges two entities that already are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from muniment.engine.extract.candidates import Named
from muniment.engine.ingest.names import ORGANISATION, PERSON, alias_key, lookup_keys, name_keys
from muniment.graph_schema.ids import EntityId, Space, digest, fold
from muniment.graph_schema.ontology import ANY_TYPE, Ontology
from muniment.graph_schema.records import SHARED, VALUE_TYPE, Alias, Entity


class Register:
    """The entities that one write may mean. `changed()` gives those that are new or have learned a spelling.

    Entities behind different walls are never the same one, so each look-up names its wall.
    """

    def __init__(self, ontology: Ontology, *, space: Space, now: datetime) -> None:
        self._ontology = ontology
        self._space = space
        self._now = now
        self._by_key: dict[tuple[str, str], list[EntityId]] = defaultdict(list)
        self._by_identifier: dict[tuple[str, str], EntityId] = {}
        self._entities: dict[EntityId, Entity] = {}
        self._changed: set[EntityId] = set()
        self._made: set[EntityId] = set()

    def keys_of(self, named: Named) -> tuple[str, ...]:
        """The alias keys by which the store should be asked before `find` is."""
        if named.is_value:
            return (fold(named.name),)
        root = self._root(named.type)
        names = (named.same_as, named.name) if named.same_as else (named.name,)
        return tuple(dict.fromkeys(key for name in names for key in lookup_keys(name, root)))

    def learn(self, entities: Iterable[Entity]) -> None:
        """Takes in what the store has."""
        for entity in entities:
            if entity.id not in self._entities:
                self._entities[entity.id] = entity
                self._index(entity)

    def entity(self, id: EntityId) -> Entity:
        return self._entities[id]

    def has(self, id: EntityId) -> bool:
        return id in self._entities

    def changed(self) -> list[Entity]:
        """New entities and those with a new spelling, identifier or type, in order of id."""
        return [self._entities[id] for id in sorted(self._changed)]

    def made(self) -> frozenset[EntityId]:
        """Those that were not in the store."""
        return frozenset(self._made)

    def find(self, named: Named, *, wall: str, expected: Sequence[str] = ()) -> Entity:
        """The entity that the name means, made where there is none.

        `expected` are the types that the relation allows at this place; they settle which of two namesakes is meant and
        give the type of a new entity whose type nobody said.
        """
        if named.is_value:
            return self._value(named.name, wall)
        hint = self._known_type(named.type)
        found = self._by_strong_identifier(named, wall) or self._fitting(named, wall, hint, expected)
        if found is None:
            return self._make(named, wall, hint or _first_telling(expected))
        return self._teach(found, named, hint)

    def _fitting(self, named: Named, wall: str, hint: str, expected: Sequence[str]) -> Entity | None:
        for key in self.keys_of(named):
            fits = [
                entity
                for entity in (self._entities[id] for id in self._by_key.get((wall, key), ()))
                if self._may_be(entity, named, hint)
            ]
            if len(fits) > 1 and not hint:
                fits = [e for e in fits if any(self._agree(e.type, t) for t in expected)] or fits
            if len(fits) > 1:
                fits = [e for e in fits if e.type == hint] or [e for e in fits if e.key == key] or fits
            if fits and (len(fits) == 1 or key == alias_key(named.same_as or named.name)):
                return min(fits, key=lambda e: (e.created_at, e.id))
        return None

    def _may_be(self, entity: Entity, named: Named, hint: str) -> bool:
        """Whether nothing speaks against it: type, legal form, identifiers."""
        if entity.type == VALUE_TYPE or (hint and not self._agree(entity.type, hint)):
            return False
        root = self._root(hint or entity.type)
        form = name_keys(named.name, root).form
        forms = {name_keys(alias.name, root).form for alias in entity.aliases if alias.name} - {""}
        if form and forms and form not in forms:
            return False
        return not _differ(entity.identifiers, named.identifiers)

    def _agree(self, one: str, other: str) -> bool:
        return ANY_TYPE in (one, other) or self._ontology.is_a(one, other) or self._ontology.is_a(other, one)

    def _by_strong_identifier(self, named: Named, wall: str) -> Entity | None:
        for identifier in named.identifiers:
            id = self._by_identifier.get((wall, identifier))
            if id is not None:
                return self._entities[id]
        return None

    def _teach(self, entity: Entity, named: Named, hint: str) -> Entity:
        """The entity with the spelling, identifiers and the more telling of the two types."""
        root = self._root(hint or entity.type)
        have = {alias.key for alias in entity.aliases}
        spellings = {alias.name for alias in entity.aliases}
        new = [a for a in _aliases(named.name, root) if a.key not in have or (a.name and a.name not in spellings)]
        identifiers = tuple(dict.fromkeys((*entity.identifiers, *named.identifiers)))
        type_name = entity.type
        if hint and hint != entity.type and self._ontology.is_a(hint, entity.type):
            type_name = hint
        if not new and identifiers == entity.identifiers and type_name == entity.type:
            return entity
        taught = replace(entity, aliases=(*entity.aliases, *new), identifiers=identifiers, type=type_name)
        return self._put(taught)

    def _make(self, named: Named, wall: str, type_name: str) -> Entity:
        name = " ".join((named.same_as or named.name).split())
        root = self._root(type_name)
        key = name_keys(name, root).key
        if self._new_id(wall, type_name, key) in self._entities:  # a namesake that an identifier tells apart
            key = f"{key}#{next(iter(named.identifiers), digest(key, named.type, size=4))}"
        aliases = _aliases(name, root)
        if named.same_as and alias_key(named.name) not in {a.key for a in aliases}:
            aliases = (*aliases, *_aliases(named.name, root))
        made = Entity(
            id=self._new_id(wall, type_name, key),
            name=name,
            type=type_name,
            key=key,
            aliases=aliases,
            identifiers=named.identifiers,
            scope=SHARED,
            wall=wall,
            created_at=self._now,
        )
        self._made.add(made.id)
        return self._put(made)

    def _value(self, text: str, wall: str) -> Entity:
        key = fold(text)
        for id in self._by_key.get((wall, key), ()):
            if self._entities[id].type == VALUE_TYPE:
                return self._entities[id]
        made = Entity(
            id=self._new_id(wall, VALUE_TYPE, key),
            name=text.strip(),
            type=VALUE_TYPE,
            key=key,
            aliases=(Alias(key=key, name=text.strip()),),
            wall=wall,
            created_at=self._now,
        )
        self._made.add(made.id)
        return self._put(made)

    def _new_id(self, wall: str, type_name: str, key: str) -> EntityId:
        """Made of what must be unique, so that two writers of one name make one entity."""
        return EntityId("n_" + digest(self._space, wall, type_name, key, size=12))

    def _put(self, entity: Entity) -> Entity:
        self._entities[entity.id] = entity
        self._changed.add(entity.id)
        self._index(entity)
        return entity

    def _index(self, entity: Entity) -> None:
        for key in {alias.key for alias in entity.aliases} | {entity.key}:
            ids = self._by_key[(entity.wall, key)]
            if entity.id not in ids:
                ids.append(entity.id)
        for identifier in entity.identifiers:
            self._by_identifier.setdefault((entity.wall, identifier), entity.id)

    def _known_type(self, type_name: str) -> str:
        """The ontology's name of a type, the given one in its spelling where the ontology has none, '' for none."""
        if not type_name:
            return ""
        found = self._ontology.entity_type(type_name)
        name = found.name if found else "_".join(fold(type_name).split())
        return "" if name == ANY_TYPE else name

    def _root(self, type_name: str) -> str:
        name = self._known_type(type_name)
        if not name:
            return ""
        return next((root for root in (PERSON, ORGANISATION) if self._ontology.is_a(name, root)), name)


def _aliases(name: str, root: str) -> tuple[Alias, ...]:
    """The spelling itself, then the keys under which it is found beside; those have no spelling of their own."""
    spelling = " ".join(name.split())
    first, *others = lookup_keys(name, root)
    return (Alias(key=first, name=spelling), *(Alias(key=key, name="") for key in others))


def _first_telling(types: Sequence[str]) -> str:
    return next((t for t in types if t not in (ANY_TYPE, VALUE_TYPE)), ANY_TYPE) if len(types) == 1 else ANY_TYPE


# Of these one may have several, so that another one says nothing; all other kinds tell two things apart.
_SEVERAL = frozenset({"email", "phone", "url", "handle"})


def _differ(have: Sequence[str], new: Sequence[str]) -> bool:
    """Whether two sets of identifiers have a kind in common, of which a thing has one, and no value of it."""
    mine = _by_kind(have)
    theirs = _by_kind(new)
    return any(not (mine[kind] & theirs[kind]) for kind in (mine.keys() & theirs.keys()) - _SEVERAL)


def _by_kind(identifiers: Sequence[str]) -> dict[str, set[str]]:
    kinds: dict[str, set[str]] = defaultdict(set)
    for identifier in identifiers:
        kind, _, value = identifier.partition(":")
        kinds[kind].add(value)
    return kinds
