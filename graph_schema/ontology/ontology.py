"""The ontology in force for a tenant: which relation a wording means, and in which direction a fact is stored.

A relation is stored in one direction only. Each of its other wordings, its inverse included, is a `Reading`: the
relation and whether the wording runs with it (`forward`, "Ann works for Acme") or against it (`backward`, "Acme
employs Ann").
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import tzinfo
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

from muniment.graph_schema.ontology.model import (
    ANY_TYPE,
    Cardinality,
    Direction,
    EntityType,
    Key,
    Part,
    Reading,
    Relation,
    Statement,
    ValueKind,
    Vocabulary,
)
from muniment.graph_schema.ontology.naming import camel_key, relation_key, verb_keys
from muniment.graph_schema.ontology.overlay import lay_over
from muniment.graph_schema.ontology.render import vocabulary_fingerprint, vocabulary_to_json
from muniment.graph_schema.ontology.zones import zone_name, zone_of


@dataclass(frozen=True, kw_only=True)
class Ontology:
    """The types and relations in force for a tenant. Immutable; share it freely.

    Names are found in this order, and the first step that knows the spelling decides: relation names; inverse names;
    nouns and a tenant's own aliases; verbs; regular spellings of aliases (`works_at` for "work at", `has_employer` and
    `employer_of` for "employer"). So a bare word that is noun and verb is read as the noun, as lists of properties use
    it: `author` is a book's author. Two readings at the same step are ambiguous, and the spelling names neither.
    """

    entity_types: tuple[EntityType, ...]
    relations: tuple[Relation, ...]
    default_cardinality: Cardinality = Cardinality.MANY  # of relations that nobody declared
    overlay: Mapping[str, Any] = field(default_factory=dict)  # what the tenant gave, as it gave it
    time_zone: str = ""  # in which the tenant's days begin and end; UTC where empty

    def relation(self, name: str) -> Reading:
        """The relation that `name` means, in any case, width, spacing or hyphenation.

        An unknown or ambiguous name gives a relation of that very name in snake_case, with the default cardinality
        and `known` false.
        """
        key = relation_key(name)
        found = self._by_spelling(key) or self._by_spelling(camel_key(name))
        if len(found) == 1:
            return found[0]
        return Reading(relation=Relation(name=key, label=name, cardinality=self.default_cardinality, known=False))

    def readings(self, wording: str) -> tuple[Reading, ...]:
        """Every relation that has `wording` among its names, listed aliases or hints; empty if none has."""
        return self._wordings.get(relation_key(wording), ())

    def ambiguous(self) -> dict[str, tuple[Reading, ...]]:
        """The spellings that `relation` refuses because two or more relations claim them alike."""
        spellings = set(self._nouns) | set(self._verbs) | set(self._regular)
        found = {spelling: self._by_spelling(spelling) for spelling in sorted(spellings)}
        return {spelling: readings for spelling, readings in found.items() if len(readings) > 1}

    def is_functional(self, name: str) -> bool:
        """Whether the stored relation behind `name` has at most one object for a subject at a time."""
        return self.relation(name).relation.is_functional

    def value_kind(self, name: str) -> ValueKind:
        """What stands at the object's place of the stored relation behind `name`."""
        return self.relation(name).relation.value_kind

    def canonical(self, relation: str, subject: Key, object_: Key) -> Statement[Key]:
        """The statement as it is stored: an inverse wording is turned round, a symmetric pair put in order."""
        reading = self.relation(relation)
        turn = reading.direction is Direction.BACKWARD
        if reading.relation.symmetric:
            turn = object_ < subject
        if turn:
            return Statement(reading.relation.name, object_, subject)
        return Statement(reading.relation.name, subject, object_)

    def opposites_family(self, name: str) -> str:
        """One fixed name for all relations that exclude each other, through others too; the relation's own if alone."""
        own = self.relation(name).relation.name
        return self._families.get(own, own)

    def binds_both_ends(self, family: str) -> bool:
        """Whether relations of this family of opposites are single-valued at both ends: one of them reads both ways."""
        return family in self._paired_families

    def entity_type(self, name: str) -> EntityType | None:
        """The type of that name or alias, or None if nobody declared it."""
        return self._types.get(relation_key(name))

    def type_name(self, name: str) -> str:
        """The name under which entities of the type keep it: an alias gives its type's, an undeclared one its own."""
        found = self.entity_type(name)
        return found.name if found else name

    def types_below(self, name: str) -> frozenset[str]:
        """The names under which things of a type are kept: its own and those of every type below it, by name or alias.

        Empty for the root of the tree, which is no choice: everything is a thing, of an undeclared type too.
        """
        top = self.type_name(name)
        if top == ANY_TYPE:
            return frozenset()
        return frozenset({top, *(kind.name for kind in self.entity_types if self.is_a(kind.name, top))})

    def is_a(self, type_name: str, ancestor: str) -> bool:
        """Whether a type is `ancestor` or stands below it. An undeclared type is only itself and a thing."""
        if ancestor == ANY_TYPE:
            return True
        seen: set[str] = set()
        current: str | None = type_name
        while current is not None and current not in seen:
            if current == ancestor:
                return True
            seen.add(current)
            found = self._types.get(current)
            current = found.parent if found else None
        return False

    def with_overlay(self, overlay: Mapping[str, Any]) -> "Ontology":
        """This ontology with a tenant's own declarations laid over it; see `overlay.lay_over`."""
        merged = lay_over(self._vocabulary, overlay)
        return Ontology(
            entity_types=merged.entity_types,
            relations=merged.relations,
            default_cardinality=merged.default_cardinality,
            overlay=dict(overlay),
            time_zone=zone_name(overlay.get("time_zone")),
        )

    def to_json(self) -> dict[str, Any]:
        """The whole ontology in the shape of the outward contract, the overlay as it was given, and the fingerprint.

        What is given out may be sent back as an overlay and then changes nothing.
        """
        return {
            **vocabulary_to_json(self._vocabulary),
            "time_zone": self.time_zone,
            "overlay": dict(self.overlay),
            "fingerprint": self.fingerprint,
        }

    @cached_property
    def fingerprint(self) -> str:
        """Equal for equal types, relations, default cardinality and time zone, however they came about."""
        vocabulary = vocabulary_fingerprint(self._vocabulary)
        return f"{vocabulary}@{self.time_zone}" if self.time_zone else vocabulary

    @property
    def zone(self) -> tzinfo:
        """The zone in which "on 25 July" begins and ends."""
        return zone_of(self.time_zone)

    @property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary(
            entity_types=self.entity_types,
            relations=self.relations,
            default_cardinality=self.default_cardinality,
        )

    def _by_spelling(self, key: str) -> tuple[Reading, ...]:
        for step in (self._names, self._inverses, self._nouns, self._verbs, self._regular):
            if key in step:
                return step[key]
        return ()

    @cached_property
    def _names(self) -> dict[str, tuple[Reading, ...]]:
        return {relation.name: (Reading(relation=relation),) for relation in self.relations}

    @cached_property
    def _inverses(self) -> dict[str, tuple[Reading, ...]]:
        return _index(
            (relation.inverse, Reading(relation=relation, direction=Direction.BACKWARD))
            for relation in self.relations
            if relation.inverse
        )

    @cached_property
    def _nouns(self) -> dict[str, tuple[Reading, ...]]:
        return self._aliases_of(Part.NOUN, Part.PHRASE)

    @cached_property
    def _verbs(self) -> dict[str, tuple[Reading, ...]]:
        return self._aliases_of(Part.VERB)

    def _aliases_of(self, *parts: Part) -> dict[str, tuple[Reading, ...]]:
        return _index((entry.key, entry.reading) for entry in self._entries if entry.part in parts)

    @cached_property
    def _regular(self) -> dict[str, tuple[Reading, ...]]:
        return _index(pair for entry in self._entries for pair in _regular_spellings(entry))

    @cached_property
    def _entries(self) -> tuple["_Entry", ...]:
        """Every alias with its key and reading, made once because the steps below share them."""
        return tuple(_entries(self.relations))

    @cached_property
    def _wordings(self) -> dict[str, tuple[Reading, ...]]:
        steps = (self._names, self._inverses)
        named = ((key, reading) for step in steps for key, readings in step.items() for reading in readings)
        return _index(chain(named, ((entry.key, entry.reading) for entry in self._entries)))

    @cached_property
    def _types(self) -> dict[str, EntityType]:
        aliases = {relation_key(alias): kind for kind in self.entity_types for alias in kind.aliases}
        return aliases | {kind.name: kind for kind in self.entity_types}

    @cached_property
    def _paired_families(self) -> frozenset[str]:
        pairing = (r.name for r in self.relations if r.symmetric and r.is_functional)
        return frozenset(self._families.get(name, name) for name in pairing)

    @cached_property
    def _families(self) -> dict[str, str]:
        linked: dict[str, set[str]] = {}
        for relation in self.relations:
            for other in relation.opposites:
                linked.setdefault(relation.name, set()).add(other)
                linked.setdefault(other, set()).add(relation.name)
        families: dict[str, str] = {}
        for start in sorted(linked):  # in order, so that the least name of a family stands for it
            pending = [start] if start not in families else []
            while pending:
                name = pending.pop()
                if name not in families:
                    families[name] = start
                    pending.extend(linked[name])
        return families


class _Entry(NamedTuple):
    key: str
    part: Part
    reading: Reading
    turned: Reading


def _entries(relations: Iterable[Relation]) -> Iterator[_Entry]:
    for relation in relations:
        forward = Reading(relation=relation)
        backward = forward if relation.symmetric else Reading(relation=relation, direction=Direction.BACKWARD)
        for alias in relation.aliases:
            pair = (forward, backward) if alias.direction is Direction.FORWARD else (backward, forward)
            yield _Entry(relation_key(alias.text), alias.part, *pair)


def _regular_spellings(entry: _Entry) -> Iterator[tuple[str, Reading]]:
    key = entry.key
    if not key.isascii():
        return
    if entry.part is Part.VERB:
        for spelling in verb_keys(key, event=entry.reading.relation.event):
            yield spelling, entry.reading
    elif entry.part is Part.NOUN:
        yield f"has_{key}", entry.reading
        # "Ann employer_of Bob" runs against "the employer of Bob is Ann".
        yield f"{key}_of", entry.turned
        yield f"is_{key}_of", entry.turned


def _index(pairs: Iterable[tuple[str, Reading]]) -> dict[str, tuple[Reading, ...]]:
    index: dict[str, tuple[Reading, ...]] = {}
    for spelling, reading in pairs:
        known = index.get(spelling)
        if known is None:
            index[spelling] = (reading,)
        elif not any(_is_same(old, reading) for old in known):
            index[spelling] = (*known, reading)
    return index


def _is_same(one: Reading, two: Reading) -> bool:
    return one.relation is two.relation and one.direction is two.direction
