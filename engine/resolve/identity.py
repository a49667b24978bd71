"""Which entity a name means: a register of one write, filled from the store and grown as names arrive.

A name finds an entity by key, a shorter form of it only when exactly one fits; identical strong identifiers join, differing
ones and differing legal forms never do. A name that no key leads to is compared with those that sound like it: the only
sure match is taken, likely ones are noted for a person to decide, and an entity is made. Nothing here merges two entities
that already are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from muniment.engine.extract.candidates import Named
from muniment.engine.ingest.han_names import given_key, given_name_of
from muniment.engine.ingest.names import ORGANISATION, PERSON, alias_key, lookup_keys, name_keys
from muniment.engine.ingest.titles import title_keys
from muniment.engine.ingest.value_keys import value_keys
from muniment.engine.resolve.blocking import blocking_keys
from muniment.engine.resolve.matching import GUESSED, LIKELY, SURE, Match, match_names
from muniment.engine.resolve.told_identifiers import (
    SAME_IDENTIFIER,
    SHARED_BY_FEW,
    identifier_key,
    identifiers_differ,
    in_one_form,
    is_shared,
    likeness_by_identifier,
    same_by_identifier,
)
from muniment.graph_schema.ids import EntityId, Space, digest, fold
from muniment.graph_schema.ontology import ANY_TYPE, Ontology
from muniment.graph_schema.records import SHARED, VALUE_TYPE, Alias, Entity

_COMPARED_SPELLINGS = 8  # of one entity; the first are the oldest
_ASKED = 3  # likely matches of one new name that a person is asked about


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """A new entity, and one that was there, which may be the same."""

    made: EntityId
    known: EntityId
    match: Match


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """Names and identifiers that an entity which was there before got by one write."""

    entity: EntityId
    names: tuple[str, ...]
    identifiers: tuple[str, ...] = ()

    @property
    def spellings(self) -> tuple[str, ...]:
        return (*self.names, *self.identifiers)


class Register:
    """The entities that one write may mean. `changed()` gives those that are new or have learned a spelling.

    Entities behind different walls are never the same one, so each look-up names its wall.
    """

    def __init__(self, ontology: Ontology, *, space: Space, now: datetime) -> None:
        self._ontology = ontology
        self._space = space
        self._now = now
        self._by_key: dict[tuple[str, str], dict[EntityId, None]] = defaultdict(dict)  # ids in order of coming
        self._by_alias: dict[str, dict[EntityId, None]] = defaultdict(dict)
        self._by_identifier: dict[tuple[str, str], EntityId] = {}
        self._holders: dict[tuple[str, str], dict[EntityId, None]] = defaultdict(dict)  # by what facts tell
        self._told: dict[EntityId, tuple[str, ...]] = {}
        self._entities: dict[EntityId, Entity] = {}
        self._changed: set[EntityId] = set()
        self._made: dict[EntityId, int] = {}  # in order of coming, with the telling that named each first
        self._telling = 0
        self._retyped: set[EntityId] = set()
        self._stands_for: dict[EntityId, EntityId] = {}
        self.called: dict[EntityId, str] = {}  # of merged-away entities that were named by their id
        self._likenesses: list[Likeness] = []
        self._learned: list[Learned] = []
        self._taken: dict[EntityId, Match] = {}
        # Texts name the same things again and again.
        self._found: dict[tuple[Named, str, tuple[str, ...], EntityId | None], EntityId] = {}
        self._roots: dict[str, str] = {}

    def keys_of(self, named: Named, expected: Sequence[str] = ()) -> tuple[str, ...]:
        """The alias keys by which the store should be asked before `find` is, those of names that sound alike included."""
        if _is_literal(named):
            return (*value_keys(named.name), *map(identifier_key, named.told))
        names = (named.same_as, named.name) if named.same_as else (named.name,)
        alike = blocking_keys(names[0], self._root(self._known_type(named.type) or _first_telling(expected)))
        told = map(identifier_key, (*named.told, *in_one_form(named.identifiers)))
        return tuple(dict.fromkeys((*self._spelling_keys(named), *alike, *told)))

    def _spelling_keys(self, named: Named) -> tuple[str, ...]:
        root = self._root(named.type)
        names = (named.same_as, named.name) if named.same_as else (named.name,)
        return tuple(dict.fromkeys(key for name in names for key in lookup_keys(name, root)))

    def learn(self, entities: Iterable[Entity]) -> None:
        """Takes in what the store has."""
        for entity in entities:
            if entity.id not in self._entities:
                self._entities[entity.id] = entity
                self._index(entity)

    def learn_merged(self, survivors: Mapping[EntityId, Entity], gone: Iterable[Entity] = ()) -> None:
        """Takes in for ids of merged-away entities which entity stands for each, and what those in `gone` were called."""
        self.learn(survivors.values())
        self.called.update({entity.id: entity.name for entity in gone})
        self._stands_for.update({id: entity.id for id, entity in survivors.items() if id != entity.id})

    def learn_holder(self, id: EntityId, identifier: str, *, wall: str) -> None:
        """Takes in that a stored fact tells an identifier of an entity."""
        self._holders[wall, identifier].setdefault(id)
        self._told[id] = tuple(dict.fromkeys((*self._told.get(id, ()), identifier)))

    def tell_identifier(self, id: EntityId, identifier: str, *, wall: str) -> None:
        """Takes in that this write tells it; a person is asked about others of another name who have it too."""
        entity = self.entity(id)
        root = self._root(entity.type)
        holders = self._sharing((identifier,), wall)
        if entity.id in self._holders[wall, identifier] or root not in (PERSON, ORGANISATION):
            return
        self.learn_holder(entity.id, identifier, wall=wall)
        others = [
            e for e in holders if e.id != entity.id and self._root(e.type) == root and self._agree(e.type, entity.type)
        ]
        if len(others) > SHARED_BY_FEW or (root == PERSON and is_shared(identifier)):
            return
        self._likenesses += [
            Likeness(made=entity.id, known=other.id, match=likeness_by_identifier(entity.name, other, root))
            for other in others
            if not identifiers_differ(self._all_identifiers(other), self._all_identifiers(entity))
        ]

    def stored(self) -> list[Entity]:
        """All that it has learned or made so far."""
        return list(self._entities.values())

    def entity(self, id: EntityId) -> Entity:
        """The entity of an id, or the one that stands for it since a merge."""
        return self._entities[self._stands_for.get(id, id)]

    def known_by(self, key: str) -> list[Entity]:
        """The entities of any wall that have this alias key, as `entities_by_alias` of a store would give them."""
        return [self._entities[id] for id in self._by_alias.get(key, ())]

    def next_telling(self) -> None:
        """What comes now is told by somebody else: a name is looked up anew, for more may bear it than before."""
        self._found.clear()
        self._telling += 1

    def has(self, id: EntityId) -> bool:
        return self._stands_for.get(id, id) in self._entities

    def changed(self) -> list[Entity]:
        """New entities and those with a new spelling, identifier or type, in order of id."""
        return [self._entities[id] for id in sorted(self._changed)]

    def made(self) -> tuple[EntityId, ...]:
        """Those that were not in the store, in the order in which they were named first."""
        return tuple(self._made)

    def retyped(self) -> frozenset[EntityId]:
        """Those in the store whose type became more telling: the facts that name them do not know it yet."""
        return frozenset(self._retyped)

    def likenesses(self) -> tuple[Likeness, ...]:
        """Which new entities may be one with another, for a person to decide."""
        return tuple(self._likenesses)

    def taken(self) -> Mapping[EntityId, Match]:
        """Entities that a new spelling was taken to mean, and how alike it is, in order of coming; none that the write
        itself made."""
        return {id: match for id, match in self._taken.items() if id not in self._made}

    def learned(self) -> tuple[Learned, ...]:
        """The spellings and identifiers that entities of the store got; what the write itself made is left out."""
        return tuple(one for one in self._learned if one.entity not in self._made)

    def find(self, named: Named, *, wall: str, expected: Sequence[str] = (), beside: EntityId | None = None) -> Entity:
        """The entity that the name means, made where there is none.

        `expected` are the types that the relation allows at this place; they settle which of two namesakes is meant and
        give the type of a new entity whose type nobody said. `beside` is the thing at the relation's other end: a name
        that nobody has used for it yet does not mean it too. "Roe Marine was founded by Roe" tells of two, although Roe
        alone might stand for the firm.
        """
        asked = (named, wall, tuple(expected), beside)
        known = self._found.get(asked)
        if known is None:
            known = self._found[asked] = self._find(named, wall, expected, beside).id
        return self._entities[known]

    def _find(self, named: Named, wall: str, expected: Sequence[str], beside: EntityId | None) -> Entity:
        if _is_literal(named):
            return self._value(named, wall)
        hint = self._known_type(named.type)
        found = self._by_strong_identifier(named, wall) or self._fitting(named, wall, hint, expected)
        called = self._called_by_given_name(named, wall, hint or _first_telling(expected))
        if found is not None and len(called) > 1 and found.id in {entity.id for entity in called}:
            found = None  # several have this given name, whoever was called so before
        elif found is None and len(called) == 1 and called[0].id != beside:
            found = called[0]
            self._taken.setdefault(found.id, Match(score=SURE, features={"given_name": 1.0}))
        elif found is None and len(called) < 2 and (sharing := self._by_told_identifier(named, wall, hint)) is not None:
            found = sharing
            self._taken.setdefault(found.id, Match(score=SURE, features={SAME_IDENTIFIER: 1.0}))
        if found is not None and found.id == beside and not _is_called(found, named):
            return self._make(named, wall, hint or _first_telling(expected))
        if found is not None:
            return self._teach(found, named, hint)
        type_name = hint or _first_telling(expected)
        alike = self._alike(named, wall, type_name) if len(called) < 2 else []
        sure = [(entity, match) for entity, match in alike if match.is_sure]
        if len(sure) == 1:
            entity, match = sure[0]
            self._taken.setdefault(entity.id, match)
            return self._teach(entity, named, hint)
        made = self._make(named, wall, type_name)
        if made.id in self._made and (type_name != ANY_TYPE or _is_proper(made.name)):
            likely = alike[:_ASKED]
            self._likenesses += [Likeness(made=made.id, known=entity.id, match=match) for entity, match in likely]
        return made

    def _alike(self, named: Named, wall: str, type_name: str) -> list[tuple[Entity, Match]]:
        """The entities whose name is likely the same, the most alike first."""
        name = named.same_as or named.name
        root = self._root(type_name)
        ids = dict.fromkeys(id for key in blocking_keys(name, root) for id in self._by_key.get((wall, key), ()))
        hint = "" if type_name == ANY_TYPE else type_name
        entities = [e for e in (self._entities[id] for id in ids) if self._may_be(e, named, hint)]
        found = [(entity, _best_match(name, entity, root)) for entity in entities]
        likely = [(entity, match) for entity, match in found if match.is_likely]
        return sorted(likely, key=lambda f: (-f[1].score, self._age(f[0])))

    def _age(self, entity: Entity) -> tuple[datetime, int, str, str]:
        """The older first; of what one write makes that which an earlier telling named, of one telling's by key: this does
        not depend on the space, nor on how many tellings came in one write."""
        return entity.created_at, self._made.get(entity.id, 0), entity.key, entity.id

    def _called_by_given_name(self, named: Named, wall: str, type_name: str) -> list[Entity]:
        """The people whose whole name ends in this one, which is a given name: 王晓芳 for 晓芳."""
        name = named.same_as or named.name
        key = given_key(name) if type_name and self._root(type_name) == PERSON else ""
        ids = self._by_key.get((wall, key), ()) if key else ()
        entities = [self._entities[id] for id in dict.fromkeys(self._stands_for.get(id, id) for id in ids)]
        return [e for e in entities if given_name_of(e.name) == name and self._may_be(e, named, type_name)]

    def _fitting(self, named: Named, wall: str, hint: str, expected: Sequence[str]) -> Entity | None:
        for key in self._spelling_keys(named):
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
                return min(fits, key=lambda e: (*self._age(e)[:2], e.key != key, *self._age(e)[2:]))
        return None

    def _may_be(self, entity: Entity, named: Named, hint: str) -> bool:
        """Whether nothing speaks against it: type, legal form, identifiers."""
        if entity.type == VALUE_TYPE or (hint and not self._agree(entity.type, hint)):
            return False
        root = self._root(hint or entity.type)
        form = name_keys(named.name, root).form
        if form:
            forms = {name_keys(alias.name, root).form for alias in entity.aliases if alias.name} - {""}
            if forms and form not in forms:
                return False
        # Under its own name a thing may get another number; under another name that number is another thing's.
        new = named.identifiers if not named.told or _is_called(entity, named) else (*named.identifiers, *named.told)
        return not identifiers_differ(self._all_identifiers(entity), new)

    def _all_identifiers(self, entity: Entity) -> tuple[str, ...]:
        return (*entity.identifiers, *self._told.get(entity.id, ()))

    def _sharing(self, identifiers: Iterable[str], wall: str) -> list[Entity]:
        """The entities that have one of these identifiers, told as facts or given."""
        ids = dict.fromkeys(id for i in identifiers for id in self._holders.get((wall, i), ()))
        given = (self._by_identifier.get((wall, i)) for i in identifiers)
        return [
            self.entity(id) for id in dict.fromkeys((*ids, *(id for id in given if id is not None))) if self.has(id)
        ]

    def _by_told_identifier(self, named: Named, wall: str, hint: str) -> Entity | None:
        """The one person or firm of a fitting name that has an identifier of this one."""
        name = named.same_as or named.name
        fits: dict[EntityId, Entity] = {}
        for identifier in (*named.told, *in_one_form(named.identifiers)):
            for entity in self._sharing((identifier,), wall):
                root = self._root(entity.type)
                is_one = root in (PERSON, ORGANISATION) and entity.wall == wall and self._may_be(entity, named, hint)
                if is_one and same_by_identifier(name, entity, root, identifier):
                    fits[entity.id] = entity
        return next(iter(fits.values())) if len(fits) == 1 else None

    def _agree(self, one: str, other: str) -> bool:
        return ANY_TYPE in (one, other) or self._ontology.is_a(one, other) or self._ontology.is_a(other, one)

    def _by_strong_identifier(self, named: Named, wall: str) -> Entity | None:
        for identifier in named.identifiers:
            id = self._by_identifier.get((wall, identifier))
            if id is not None and self._is_compatible(self._entities[id], named):
                return self._entities[id]
        return None

    def _is_compatible(self, entity: Entity, named: Named) -> bool:
        hint = self._known_type(named.type)
        return (not hint or self._agree(entity.type, hint)) and not identifiers_differ(
            entity.identifiers, named.identifiers
        )

    def _teach(self, entity: Entity, named: Named, hint: str) -> Entity:
        """The entity with the spelling, identifiers and the more telling of the two types."""
        root = self._root(hint or entity.type)
        have = {alias.key for alias in entity.aliases}
        spellings = {alias.name for alias in entity.aliases}
        new = [a for a in _aliases(named.name, root) if a.key not in have or (a.name and a.name not in spellings)]
        identifiers = tuple(dict.fromkeys((*entity.identifiers, *named.identifiers)))
        type_name = entity.type
        is_finer = hint and hint != entity.type and self._ontology.is_a(hint, entity.type)
        if is_finer and not self._ontology.is_a(hint, VALUE_TYPE) and not self._is_taken(entity.wall, hint, entity.key):
            type_name = hint
        if not new and identifiers == entity.identifiers and type_name == entity.type:
            return entity
        if type_name != entity.type and entity.id not in self._made:
            self._retyped.add(entity.id)
        taught = replace(entity, aliases=(*entity.aliases, *new), identifiers=identifiers, type=type_name)
        names = tuple(dict.fromkeys(a.name for a in new if a.name))
        fresh = tuple(i for i in identifiers if i not in entity.identifiers)
        if names or fresh:
            self._learned.append(Learned(entity=entity.id, names=names, identifiers=fresh))
        return self._put(taught)

    def _is_taken(self, wall: str, type_name: str, key: str) -> bool:
        """Whether an entity has this type and key, which only one may have; its id may be of an earlier, broader type."""
        if self._new_id(wall, type_name, key) in self._entities:
            return True
        return any(
            self._entities[id].type == type_name and self._entities[id].key == key
            for id in self._by_key.get((wall, key), ())
        )

    def _make(self, named: Named, wall: str, type_name: str) -> Entity:
        name = " ".join((named.same_as or named.name).split())
        root = self._root(type_name)
        key = name_keys(name, root).key
        merged = self._stands_for.get(self._new_id(wall, type_name, key))
        if merged is not None:
            return self._teach(self._entities[merged], named, type_name)
        if self._is_taken(wall, type_name, key):  # a namesake that an identifier or a legal form tells apart
            key = f"{key}#{next(iter(named.identifiers), digest(key, named.type, size=4))}"
        aliases = _aliases(name, root)
        if named.same_as and alias_key(named.name) not in {a.key for a in aliases}:
            aliases = (*aliases, *_aliases(named.name, root))
        if root not in (PERSON, ORGANISATION):
            aliases = (*aliases, *_identifier_aliases(named))
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
        self._made.setdefault(made.id, self._telling)
        return self._put(made)

    def _value(self, named: Named, wall: str) -> Entity:
        text = named.name
        key, *others = value_keys(text)
        for id in (id for one in (key, *others) for id in self._by_key.get((wall, one), ())):
            if self._entities[id].type == VALUE_TYPE:
                return self._entities[id]
        made = Entity(
            id=self._new_id(wall, VALUE_TYPE, key),
            name=text.strip(),
            type=VALUE_TYPE,
            key=key,
            aliases=(
                Alias(key=key, name=text.strip()),
                *(Alias(key=other, name="") for other in others),
                *_identifier_aliases(named),
            ),
            wall=wall,
            created_at=self._now,
        )
        self._made.setdefault(made.id, self._telling)
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
        for alias in entity.aliases:
            self._by_key[(entity.wall, alias.key)].setdefault(entity.id)
            self._by_alias[alias.key].setdefault(entity.id)
        self._by_key[(entity.wall, entity.key)].setdefault(entity.id)
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
        root = self._roots.get(type_name)
        if root is None:
            root = self._roots[type_name] = self._broad_type(type_name)
        return root

    def _broad_type(self, type_name: str) -> str:
        """Person or organisation for what is one, '' where the type is not known, else the type itself."""
        name = self._known_type(type_name)
        if not name:
            return ""
        return next((root for root in (PERSON, ORGANISATION) if self._ontology.is_a(name, root)), name)


def with_spellings(entity: Entity, learned: Learned, root: str) -> Entity:
    """The entity with these names and identifiers too; `root` is the broad type by whose rules names are read."""
    aliases = entity.aliases
    for name in learned.names:
        keys, names = {a.key for a in aliases}, {a.name for a in aliases}
        aliases += tuple(a for a in _aliases(name, root) if a.key not in keys or (a.name and a.name not in names))
    identifiers = tuple(dict.fromkeys((*entity.identifiers, *learned.identifiers)))
    return replace(entity, aliases=aliases, identifiers=identifiers)


@lru_cache(2_048)
def _aliases(name: str, root: str) -> tuple[Alias, ...]:
    """The spelling itself, then the keys under which it is found beside; those have no spelling of their own."""
    spelling = " ".join(name.split())
    first, *others = (*lookup_keys(name, root), *blocking_keys(name, root), *title_keys(name))
    return (Alias(key=first, name=spelling), *(Alias(key=key, name="") for key in others))


def _identifier_aliases(named: Named) -> tuple[Alias, ...]:
    """What a literal is found by however its number is written."""
    return tuple(Alias(key=identifier_key(i), name="") for i in named.told)


def _best_match(name: str, entity: Entity, root: str) -> Match:
    """How alike the name is to the spelling of the entity that is most like it; a veto of one spelling counts for all."""
    spellings = [alias.name for alias in entity.aliases if alias.name][:_COMPARED_SPELLINGS]
    matches = [match_names(name, spelling, root, least=LIKELY) for spelling in spellings] or [Match(score=0.0)]
    best = max(matches, key=lambda match: match.score)
    if root == PERSON and best.is_sure and "initial" in best.features and min(m.score for m in matches) < LIKELY:
        # "J. Smith" is also what "Jane Smith" is called: then "John Smith" is another, or somebody is asked.
        best = replace(best, score=GUESSED)
    vetoes = tuple(dict.fromkeys(veto for match in matches for veto in match.vetoes))
    return best if vetoes == best.vetoes else replace(best, vetoes=vetoes)


def _is_called(entity: Entity, named: Named) -> bool:
    """Whether somebody has used this very spelling for it; a shorter form that merely would fit was used by nobody."""
    key = alias_key(named.same_as or named.name)
    return any(alias.key == key for alias in entity.aliases if alias.name)


def _is_literal(named: Named) -> bool:
    return named.is_value or named.type == VALUE_TYPE


def _is_proper(name: str) -> bool:
    """Whether it looks like a name: nobody is asked whether `the budget` and `budgets` are one."""
    return any(not char.islower() for char in name if char.isalpha())


def _first_telling(types: Sequence[str]) -> str:
    return next((t for t in types if t not in (ANY_TYPE, VALUE_TYPE)), ANY_TYPE) if len(types) == 1 else ANY_TYPE
