"""From statements to assertions: names become entities, relations and types get their stored form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeGuard

from muniment.engine.extract.candidates import Named
from muniment.engine.ingest.language import has_han
from muniment.engine.resolve.identity import Register
from muniment.engine.resolve.slots import place
from muniment.engine.resolve.statements import ASSERTED, Statement
from muniment.graph_schema.ids import AssertionId, EntityId, ReceiptId
from muniment.graph_schema.ontology import Direction, Ontology, Reading, ValueKind
from muniment.graph_schema.records import Assertion, Entity, Kind, Rejection

_NAMES_RUN_IN_THEM = frozenset({"parent_of", "child_of", "grandparent_of", "grandchild_of"})
_LITERAL = frozenset({ValueKind.AMOUNT, ValueKind.DATE, ValueKind.TEXT})


class Ids(Protocol):
    def next(self, prefix: str) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Assertions in their places, with the inputs that they came from, and the statements that have none."""

    assertions: list[Assertion]
    inputs: Mapping[AssertionId, str]
    rejected: tuple[Rejection, ...]


def place_statements(
    statements: Sequence[Statement],
    register: Register,
    ontology: Ontology,
    *,
    ids: Ids,
    receipt: ReceiptId,
    actor: str,
    first: int = 0,
) -> Placed:
    """One assertion a statement, in their order, counted from `first`. The register must have learned what the store knows of the names.

    A statement of a thing about itself is left out, and said to be: it says nothing and would be a self-loop.
    """
    made: list[Assertion] = []
    inputs: dict[AssertionId, str] = {}
    looped: list[Rejection] = []
    for order, statement in enumerate(statements, first):
        reading = ontology.relation(statement.relation)
        subject, object_ = _ends(statement, register, reading)
        if subject.id == object_.id and statement.kind is Kind.FACT:
            looped.append(_loop(statement, subject))
            continue
        where = place(
            ontology,
            kind=statement.kind,
            subject=subject.id,
            relation=statement.relation,
            object=object_.id,
            scope=statement.scope,
            wall=statement.wall,
            attributes=statement.attributes,
        )
        id = AssertionId(ids.next("a"))
        inputs[id] = statement.input
        made.append(
            Assertion(
                id=id,
                kind=statement.kind,
                slot=where.slot,
                claim=where.claim,
                says=statement.says,
                subject=where.subject,
                relation=where.relation,
                object=where.object,
                text=statement.text if statement.worded else _sentence(statement, reading, subject, object_, register),
                valid_from=statement.valid_from,
                valid_to=statement.valid_to,
                told_at=statement.told_at,
                recorded_at=statement.recorded_at,
                confidence=statement.confidence,
                importance=statement.importance,
                rank=statement.rank,
                episode=statement.episode,
                quote=statement.quote,
                start=statement.start,
                end=statement.end,
                rule=statement.rule,
                actor=actor,
                receipt=receipt,
                order=order,
                scope=statement.scope,
                wall=statement.wall,
                attributes=statement.attributes,
            )
        )
    return Placed(assertions=made, inputs=inputs, rejected=tuple(dict.fromkeys(looped)))


def _sentence(statement: Statement, reading: Reading, subject: Entity, object_: Entity, register: Register) -> str:
    """A sentence of both names and the relation's phrase, for a statement that came without one."""
    first, second = _shown(statement.subject, subject, register), _shown(statement.object, object_, register)
    relation = reading.relation
    if not relation.known or reading.direction is Direction.BACKWARD:
        return f"{first} {statement.relation.replace('_', ' ').lower()} {second}"
    if relation.label_zh and has_han(first):
        return f"{first}{relation.label_zh}{second}"
    return f"{first} {relation.label} {second}"


def _shown(said: Named | EntityId, entity: Entity, register: Register) -> str:
    """What an end was called, or its entity's name where it was told by a key alone: "account A-2". One told by an id from
    before a merge has the name of then: should the merge be taken apart, the sentence says of whom it is."""
    if isinstance(said, str):
        return register.called.get(said, entity.name)
    if said.name.casefold() in {mark.replace(":", " ", 1).casefold() for mark in said.identifiers}:
        return entity.name
    return said.name


def _namesake(statement: Statement, reading: Reading) -> Named | None:
    """The object where it can only be somebody else of the subject's name: a son who is called as his father.

    Nothing tells the two apart later, so he stays a literal.
    """
    object_ = statement.object
    if statement.rule != ASSERTED or reading.relation.name not in _NAMES_RUN_IN_THEM or isinstance(object_, str):
        return None
    return replace(object_, is_value=True)


def _loop(statement: Statement, entity: Entity) -> Rejection:
    return Rejection(
        input=statement.input,
        code="invalid",
        detail=f"subject and object of {statement.relation!r} are one thing, {entity.name!r} ({entity.id}): nothing is related "
        "to itself; name another object",
    )


def names_of(statements: Sequence[Statement], ontology: Ontology) -> list[tuple[Named, tuple[str, ...]]]:
    """The names in these statements, each once with the types that its relation expects at its place."""
    readings = {relation: ontology.relation(relation) for relation in {s.relation for s in statements}}
    ends = dict.fromkeys(end for s in statements for end in _ends_as_read(s, readings[s.relation]))
    return [(named, expected) for named, expected in ends if not isinstance(named, str)]


_End = tuple[Named | EntityId, tuple[str, ...]]


def meet_ends(statements: Sequence[Statement], register: Register, ontology: Ontology) -> None:
    """Lets the register settle the names of these statements as `place_statements` would."""
    for statement in statements:
        _ends(statement, register, ontology.relation(statement.relation))


def _ends(statement: Statement, register: Register, reading: Reading) -> tuple[Entity, Entity]:
    subject, object_ = _ends_alike(statement, register, reading)
    if subject.id == object_.id and (namesake := _namesake(statement, reading)) is not None:
        object_ = register.find(namesake, wall=statement.wall)
    return subject, object_


def _ends_alike(statement: Statement, register: Register, reading: Reading) -> tuple[Entity, Entity]:
    said, of = _ends_as_read(statement, reading)
    subject = _entity(said[0], register, statement.wall, said[1])
    # A text may say of a thing what it is called for short; structured facts name two.
    beside = subject.id if statement.rule == ASSERTED and statement.kind is Kind.FACT else None
    return subject, _entity(of[0], register, statement.wall, of[1], beside=beside)


def _ends_as_read(statement: Statement, reading: Reading) -> tuple[_End, _End]:
    """Both ends with the types expected of them; an end that can only be a literal is one."""
    subjects, objects = reading.relation.subject_types, reading.relation.object_types
    if reading.direction is Direction.BACKWARD:
        subjects, objects = objects, subjects
    object_ = statement.object
    if statement.kind is not Kind.FACT or not reading.relation.known:
        subjects, objects = (), ()
    elif _is_literal(object_, reading):
        object_ = replace(object_, is_value=True)
    return (statement.subject, tuple(subjects)), (object_, tuple(objects))


def _is_literal(end: Named | EntityId, reading: Reading) -> TypeGuard[Named]:
    """Whether the relation has an amount, date or text at this place, and nobody said that the name is an entity."""
    forward = reading.direction is Direction.FORWARD
    return not isinstance(end, str) and not end.type and forward and reading.relation.value_kind in _LITERAL


def _entity(
    end: Named | EntityId, register: Register, wall: str, expected: Sequence[str], *, beside: EntityId | None = None
) -> Entity:
    if isinstance(end, str):
        return register.entity(EntityId(end))
    return register.find(end, wall=wall, expected=expected, beside=beside)
