"""The records of an ontology: entity types, relations, and the wordings by which people tell them."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

Key = TypeVar("Key", bound=str)

ANY_TYPE = "thing"  # the root of the type tree: says nothing


class Cardinality(StrEnum):
    """How many objects a subject may have for a relation at one time."""

    ONE = "one"
    MANY = "many"


class Direction(StrEnum):
    """Whether a wording names the subject first (forward) or the object first (backward)."""

    FORWARD = "forward"
    BACKWARD = "backward"

    @property
    def turned(self) -> "Direction":
        return Direction.BACKWARD if self is Direction.FORWARD else Direction.FORWARD


class ValueKind(StrEnum):
    """What stands at the object's place."""

    ENTITY = "entity"
    TEXT = "text"
    AMOUNT = "amount"
    DATE = "date"


class Part(StrEnum):
    """How an alias is used in a sentence."""

    NOUN = "noun"  # forward: "the N of SUBJECT is OBJECT"; backward: "the N of OBJECT is SUBJECT"
    VERB = "verb"  # forward: "SUBJECT V OBJECT"; backward: "OBJECT V SUBJECT"; base form, passives with "be"
    PHRASE = "phrase"  # as a NOUN or VERB, in a tenant's own wording: taken as it stands, no other spellings of it
    HINT = "hint"  # asks for the object of a forward, the subject of a backward hint; too general to name the relation


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """A wording by which people tell or ask a relation. In Chinese verbs `…` marks the other argument's place."""

    text: str
    lang: str  # "en", "zh", or "" for a tenant's own wording
    part: Part
    direction: Direction


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityType:
    """A kind of entity or value."""

    name: str
    label: str
    label_zh: str = ""
    parent: str | None = ANY_TYPE
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A relation as it is stored: subject, name, object."""

    name: str
    label: str
    label_zh: str = ""
    subject_types: tuple[str, ...] = (ANY_TYPE,)
    object_types: tuple[str, ...] = (ANY_TYPE,)
    cardinality: Cardinality = Cardinality.MANY
    inverse: str | None = None  # the name under which it is read from the object's side
    opposites: tuple[str, ...] = ()  # relations that cannot hold of the same subject and object at the same time
    symmetric: bool = False
    event: bool = False  # something that happened, told in the past, rather than a state that ends
    value_kind: ValueKind = ValueKind.ENTITY
    half_life_days: float | None = None  # after how long half of such facts have changed; None: stable
    importance: int = 3  # 1-5
    aliases: tuple[Alias, ...] = ()
    known: bool = True  # False: nobody declared it

    @property
    def is_functional(self) -> bool:
        """Whether a subject has at most one object at a time."""
        return self.cardinality is Cardinality.ONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A relation, and the direction in which a wording runs."""

    relation: Relation
    direction: Direction = Direction.FORWARD


class Statement(NamedTuple, Generic[Key]):
    """A relation between two keys, in the direction in which it is stored."""

    relation: str
    subject: Key
    object: Key


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The bare contents of an ontology."""

    entity_types: tuple[EntityType, ...]
    relations: tuple[Relation, ...]
    default_cardinality: Cardinality = Cardinality.MANY  # of relations that nobody declared
