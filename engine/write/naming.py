"""The names of a write become entities: the store is asked once for all of them, then every name is settled in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from muniment.engine.ports.store import FactQuery, Page, Reader
from muniment.engine.resolve.identity import Register
from muniment.engine.resolve.placing import Ids, names_of, place_statements
from muniment.engine.resolve.statements import Statement
from muniment.engine.resolve.told_identifiers import (
    IDENTIFYING,
    KINDS,
    KINDS_OF_ONE,
    ONE_EACH,
    identifier_of,
    in_one_form,
    telling_of,
    told_by,
)
from muniment.engine.write.draft import NamedIn
from muniment.engine.write.survivors import survivors
from muniment.graph_schema.ids import AssertionId, EntityId, EpisodeId, ReceiptId, Space
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.records import Assertion, Entity, Fact, Mention, Rejection

_HOLDERS = 200  # facts that are read to see whose the identifiers of a write are


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """What a write says, still in names: `walls` are those of the episodes that mention something, in their order."""

    statements: Sequence[Statement]
    mentions: Sequence[NamedIn]
    walls: Mapping[EpisodeId, str]

    def by_episode(self) -> list[tuple[list[Statement], list[NamedIn]]]:
        """What each episode states and names, in the order of the episodes, as if they had come one by one; what no episode of
        this write states comes first."""
        said: dict[EpisodeId | None, tuple[list[Statement], list[NamedIn]]] = {None: ([], [])}
        said |= {id: ([], []) for id in self.walls}
        for statement in self.statements:
            said[statement.episode if statement.episode in said else None][0].append(statement)
        for mention in self.mentions:
            said[mention.episode if mention.episode in said else None][1].append(mention)
        return [(statements, mentions) for statements, mentions in said.values() if statements or mentions]


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """The same in entities; the register knows which are new, have learned something, or may be one with another."""

    register: Register
    assertions: list[Assertion] = field(default_factory=list)
    inputs: dict[AssertionId, str] = field(default_factory=dict)  # which input each came from
    mentions: list[Mention] = field(default_factory=list)
    rejected: list[Rejection] = field(default_factory=list)


async def settle_names(
    reader: Reader,
    naming: Naming,
    ontology: Ontology,
    *,
    space: Space,
    now: datetime,
    ids: Ids,
    receipt: ReceiptId,
    actor: str,
) -> Named:
    """Settles every name. Raises NotFound for an entity id that leads nowhere.

    A name whose entity was merged away means the one that stands for it, although no spelling led there; that shows only
    when its id is made, so the names are then settled once more.
    """
    naming = _with_identifiers(naming, ontology)
    identifiers = _identifiers_in(naming)
    merged: dict[EntityId, Entity] = {}
    while True:
        register = Register(ontology, space=space, now=now)
        await _meet_names(reader, register, naming, ontology)
        if identifiers:
            await _meet_holders(reader, register, identifiers, now)
        register.learn_merged(merged)
        settled = Named(register=register)
        for statements, mentions in naming.by_episode():
            register.next_telling()
            placed = place_statements(
                statements, register, ontology, ids=ids, receipt=receipt, actor=actor, first=len(settled.assertions)
            )
            for a in placed.assertions if identifiers else ():
                if identifier := told_by(a, register.entity(a.object).name):
                    register.tell_identifier(a.subject, identifier, wall=a.wall)
            settled.assertions.extend(placed.assertions)
            settled.inputs.update(placed.inputs)
            settled.rejected.extend(r for r in placed.rejected if r not in settled.rejected)
            settled.mentions.extend(_mention(m, register, naming.walls) for m in mentions)
        gone = await _merged_away(reader, register)
        if not gone:
            return settled
        merged |= gone


async def _meet_names(reader: Reader, register: Register, naming: Naming, ontology: Ontology) -> None:
    """Lets the register learn every stored entity that the names and ids here may mean."""
    named = [*names_of(naming.statements, ontology), *((m.named, ()) for m in naming.mentions)]
    keys = sorted({key for name, expected in named for key in register.keys_of(name, expected)})
    identifiers = sorted({i for name, _ in named for i in (*name.identifiers, *name.told)})
    if keys:
        register.learn(e for found in (await reader.entities_by_alias(keys)).values() for e in found)
    if identifiers:
        register.learn(e for found in (await reader.entities_by_identifier(identifiers)).values() for e in found)
    by_id = sorted({end for s in naming.statements for end in (s.subject, s.object) if isinstance(end, str)})
    if by_id:
        stand = await survivors(reader, by_id)
        gone = [id for id, entity in stand.items() if id != entity.id]
        register.learn_merged(stand, await reader.entities(gone) if gone else ())


def _with_identifiers(naming: Naming, ontology: Ontology) -> Naming:
    """The same, each name with the identifiers that its episode tells of it."""
    told: list[Statement] = []
    named: list[NamedIn] = []
    for statements, mentions in naming.by_episode():
        telling = telling_of(statements, ontology)
        told += [telling.statement(s, number) for number, s in enumerate(statements)]
        named += [replace(m, named=telling.known(m.named)) for m in mentions] if telling.names else mentions
    return replace(naming, statements=told, mentions=named)


def _identifiers_in(naming: Naming) -> frozenset[str]:
    ends = (end for s in naming.statements for end in (s.subject, s.object) if not isinstance(end, str))
    names = (*ends, *(m.named for m in naming.mentions))
    return frozenset(i for name in names for i in (*name.told, *in_one_form(name.identifiers)))


async def _meet_holders(reader: Reader, register: Register, identifiers: frozenset[str], now: datetime) -> None:
    """Lets the register learn of which stored entities facts tell these identifiers, and which others of a kind those have that
    the names may mean."""
    stored = register.stored()
    written = frozenset(e.id for e in stored if any(identifier_of(k, e.name) in identifiers for k in KINDS))
    facts: list[Fact] = []
    if written:
        query = FactQuery(objects=written, relations=frozenset(IDENTIFYING), as_of=now)
        facts += await reader.list_facts(query, Page(limit=_HOLDERS))
    if any(i.partition(":")[0] in KINDS_OF_ONE for i in identifiers):
        may_be = frozenset(e.id for e in stored if not e.ref.is_value) | {f.subject.id for f in facts}
        query = FactQuery(subjects=may_be, relations=ONE_EACH, as_of=now)
        facts += await reader.list_facts(query, Page(limit=_HOLDERS))
    register.learn(await reader.entities(sorted({f.subject.id for f in facts})) if facts else ())
    for fact in facts:
        if identifier := identifier_of(IDENTIFYING[fact.relation], fact.object.name):
            register.learn_holder(fact.subject.id, identifier, wall=fact.wall)


async def _merged_away(reader: Reader, register: Register) -> dict[EntityId, Entity]:
    """Of the entities that would be made, those that are there but merged away, with the one that stands for each."""
    made = register.made()
    there = [e.id for e in await reader.entities(made) if e.merged_into is not None] if made else []
    return await survivors(reader, there) if there else {}


def _mention(named: NamedIn, register: Register, walls: Mapping[EpisodeId, str]) -> Mention:
    wall = walls.get(named.episode, "")
    entity = register.find(named.named, wall=wall)
    return Mention(episode=named.episode, entity=entity.id, role=named.role, wall=wall)
