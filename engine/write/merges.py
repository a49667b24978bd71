"""Joining two entities that are one, taking them apart again, and forbidding it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from muniment.engine.ports.store import DocumentQuery, Reader
from muniment.engine.write.assert_facts import survivors
from muniment.engine.write.changes import Hand
from muniment.engine.write.draft import Draft
from muniment.engine.write.move import own_side, replaced
from muniment.graph_schema.errors import Conflict, Invalid, NotFound
from muniment.graph_schema.ids import AssertionId, EntityId, MergeId, digest
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.records import Action, Alias, Assertion, Because, Change, Document, Entity, Kind

MERGE = "merge"
FORBIDDEN = "merge_forbidden"
_OPEN = "merged"
_TAKEN_APART = "unmerged"


async def draft_merge(reader: Reader, ids: Sequence[EntityId], ontology: Ontology, hand: Hand) -> Draft:
    """Makes the first entity stand for all: facts move with their evidence, ids and spellings keep leading somewhere.

    Raises NotFound, Invalid for fewer than two or for different walls, Conflict where the merge is forbidden.
    """
    found = await survivors(reader, ids)
    entities = list({found[id].id: found[id] for id in ids}.values())
    if len(entities) < 2:
        raise Invalid("ids name fewer than two entities: give two or more that are not one already", field="ids")
    if len({e.wall for e in entities}) > 1:
        raise Invalid("ids stand behind different walls: entities are never joined across walls", field="ids")
    await _refuse_forbidden(reader, entities)
    keep, *others = entities
    ends = {e.id: keep.id for e in others}
    assertions = await reader.assertions_of_entities([e.id for e in others])
    moves = replaced(assertions, ontology, ends)
    merged = [replace(e, merged_into=keep.id) for e in others]
    return Draft(
        verb="merge",
        actor=hand.actor,
        at=hand.at,
        reason=hand.reason,
        cause="identity.merged",
        moved=moves.moved,
        slots=moves.left,
        entities=(_with_spellings(keep, others), *merged),
        documents=tuple(_merge(keep, e, assertions, hand) for e in others),
        changes=tuple(_joined(keep, e, merge_id(keep.id, e.id, hand)) for e in others),
        special={"unmerge": [merge_id(keep.id, e.id, hand) for e in others]},
    )


async def draft_unmerge(reader: Reader, id: MergeId, ontology: Ontology, hand: Hand) -> Draft:
    """Takes a merged entity out again, with the assertions it had, and those made since whose words name only it.

    `id` is that of the merge, or of the entity that was merged away. Raises NotFound, Conflict where it was taken apart
    already.
    """
    document = await reader.document(MERGE, id)
    if document is None:
        of_entity = await reader.documents(DocumentQuery(kind=MERGE, ref=id))
        document = max(of_entity, key=lambda d: (d.status == _OPEN, d.created_at), default=None)
    if document is None:
        raise NotFound.of("merge", id)
    if document.status != _OPEN:
        raise Conflict(f"merge {id!r} was taken apart already")
    body = document.body
    keep, other = await _both(reader, EntityId(body["keep"]), EntityId(body["other"]))
    had = {AssertionId(a): (EntityId(s), EntityId(o)) for a, s, o in body["had"]}
    before = [replace(a, subject=had[a.id][0], object=had[a.id][1]) for a in await reader.assertions(list(had))]
    names = [alias.name for alias in other.aliases]
    rest = [alias.name for alias in keep.aliases if alias.name not in names]
    since = [
        a
        for a in await reader.assertions_of_entities([keep.id])
        if a.id not in had and a.recorded_at >= document.created_at and own_side(a, names, rest)
    ]
    stood = {a.id: a for a in await reader.assertions(list(had))}
    moves_back = replaced(before, ontology)
    back = {**{a.id: a for a in before}, **{a.id: a for a in moves_back.moved}}.values()
    moves = replaced(since, ontology, {keep.id: other.id})
    own = {alias.key for alias in other.aliases}
    return Draft(
        verb="unmerge",
        actor=hand.actor,
        at=hand.at,
        reason=hand.reason,
        cause="identity.unmerged",
        moved=(*back, *moves.moved),
        slots=tuple(sorted({*(a.slot for a in stood.values()), *moves.left})),
        entities=(
            replace(keep, aliases=tuple(a for a in keep.aliases if a.key not in own or a.key in body["kept_keys"])),
            replace(other, merged_into=None),
        ),
        documents=(replace(document, status=_TAKEN_APART),),
        changes=(_parted(keep, other, MergeId(document.id)),),
        special={"merge": [keep.id, other.id]},
    )


async def draft_forbid(reader: Reader, a: EntityId, b: EntityId, hand: Hand) -> Draft:
    """Says that two entities are not one, and never shall be joined. Raises NotFound, Conflict where they are one."""
    found = await survivors(reader, [a, b])
    if found[a].id == found[b].id:
        raise Conflict(f"{a!r} and {b!r} are one entity: take the merge apart first")
    pair = sorted((found[a].id, found[b].id))
    document = Document(kind=FORBIDDEN, id=digest(*pair, size=10), ref=pair[0], created_at=hand.at, body={"pair": pair})
    return Draft(
        verb="forbid_merge",
        actor=hand.actor,
        at=hand.at,
        reason=hand.reason,
        cause="identity.forbidden",
        documents=(document,),
        special={"forbidden": document.id},
    )


def merge_id(keep: EntityId, other: EntityId, hand: Hand) -> MergeId:
    """The id under which a merge is kept; the same pair at another time is another merge."""
    return MergeId("m_" + digest(keep, other, hand.at.isoformat(), size=10))


def _joined(keep: Entity, other: Entity, id: MergeId) -> Change:
    """That an entity now leads to another; its receipt names the merge, so that it can be taken apart."""
    because = Because(rule="identity.merged", by=(keep.id, id))
    return Change(action=Action.MERGED, kind=Kind.ENTITY, id=other.id, because=because)


def _parted(keep: Entity, other: Entity, id: MergeId) -> Change:
    because = Because(rule="identity.unmerged", by=(keep.id, id))
    return Change(action=Action.REOPENED, kind=Kind.ENTITY, id=other.id, because=because)


async def _refuse_forbidden(reader: Reader, entities: Sequence[Entity]) -> None:
    ids = {e.id for e in entities}
    for document in await reader.documents(DocumentQuery(kind=FORBIDDEN, limit=10_000)):
        pair = document.body["pair"]
        if document.status != "lifted" and set(pair) <= ids:
            raise Conflict(f"joining {pair[0]!r} and {pair[1]!r} is forbidden")


async def _both(reader: Reader, keep: EntityId, other: EntityId) -> tuple[Entity, Entity]:
    found = {e.id: e for e in await reader.entities([keep, other])}
    for id in (keep, other):
        if id not in found:
            raise NotFound.of("entity", id)
    return found[keep], found[other]


def _with_spellings(keep: Entity, others: Sequence[Entity]) -> Entity:
    aliases: dict[tuple[str, str], Alias] = {(a.key, a.name): a for a in keep.aliases}
    for other in others:
        aliases.update({(a.key, a.name): a for a in other.aliases})
    identifiers = dict.fromkeys(i for e in (keep, *others) for i in e.identifiers)
    return replace(keep, aliases=tuple(aliases.values()), identifiers=tuple(identifiers))


def _merge(keep: Entity, other: Entity, assertions: Sequence[Assertion], hand: Hand) -> Document:
    """What taking apart needs: which assertions the entity had, with which ends."""
    had = [[a.id, a.subject, a.object] for a in assertions if other.id in (a.subject, a.object)]
    return Document(
        kind=MERGE,
        id=merge_id(keep.id, other.id, hand),
        ref=other.id,
        status=_OPEN,
        created_at=hand.at,
        body={"keep": keep.id, "other": other.id, "had": had, "kept_keys": [a.key for a in keep.aliases]},
    )
