"""Joining two entities that are one, taking them apart again, and forbidding it.

A merge moves evidence, it edits nothing: assertions get the survivor's id in the place of the other's, mentions likewise,
and the slots concerned are derived anew. What taking apart needs is kept in one document for each entity merged away.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from muniment.engine.ports.store import DocumentQuery, Reader
from muniment.engine.write.changes import Hand
from muniment.engine.write.draft import Draft
from muniment.engine.write.likenesses import MERGE_FORBIDDEN, forbidden_id, settled_by_merge
from muniment.engine.write.mentions import all_mentions, renamed
from muniment.engine.write.move import replaced
from muniment.engine.write.ownership import Sides
from muniment.engine.write.survivors import survivors
from muniment.graph_schema.errors import Conflict, Invalid, NotFound
from muniment.graph_schema.ids import AssertionId, EntityId, EpisodeId, MergeId, digest
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.places import places_of
from muniment.graph_schema.records import (
    Action,
    Alias,
    Assertion,
    Because,
    Change,
    Document,
    Entity,
    Kind,
    Mention,
    MentionRole,
)

MERGE = "merge"
LIFTED = "lifted"
OPEN_MERGE = "merged"
_TAKEN_APART = "unmerged"
_ALL = 10_000


async def draft_merge(reader: Reader, ids: Sequence[EntityId], ontology: Ontology, hand: Hand) -> Draft:
    """Makes the first entity stand for all: facts move with their evidence, ids and spellings keep leading somewhere.

    What would become a fact of an entity about itself is withdrawn, and counts again when the two are taken apart.
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
    looped = [replace(a, withdrawn_at=hand.at) for a in moves.looped if a.withdrawn_at is None]
    mentions = await all_mentions(reader, [e.id for e in entities])
    kept = {(m.episode, m.role) for m in mentions[keep.id]}
    given = [m for e in others for m in mentions[e.id]]
    merges = {e.id: await _new_merge_id(reader, keep.id, e.id) for e in others}
    documents = [_merge(merges[e.id], keep, e, assertions, looped, mentions[e.id], kept, hand) for e in others]
    return Draft(
        verb="merge",
        actor=hand.actor,
        at=hand.at,
        reason=hand.reason,
        cause="identity.merged",
        moved=(*moves.moved, *looped),
        turned=frozenset(a.id for a in looped),
        slots=moves.left,
        entities=(_with_spellings(keep, others), *(replace(e, merged_into=keep.id) for e in others)),
        moved_mentions=renamed(given, keep.id),
        dropped_mentions=tuple(given),
        documents=(*documents, *await settled_by_merge(reader, [e.id for e in entities])),
        about=tuple(e.id for e in entities),
        changes=tuple(_joined(keep, e, merges[e.id]) for e in others),
        special={"unmerge": [document.id for document in documents]},
    )


async def draft_unmerge(reader: Reader, id: MergeId, ontology: Ontology, hand: Hand) -> Draft:
    """Takes a merged entity out again, with the evidence it had, and with that since whose words name only it.

    `id` is that of the merge, or of the entity that was merged away. Raises NotFound, Conflict where it was taken apart
    already.
    """
    document = await merge_of(reader, id)
    if document.status != OPEN_MERGE:
        raise Conflict(f"merge {id!r} was taken apart already")
    return await draft_parting(reader, [document], ontology, hand)


async def merge_of(reader: Reader, id: str) -> Document:
    """The merge of this id, or the last one that merged this entity away; one whose ends the reader may not see is not
    there. Raises NotFound."""
    document = await reader.document(MERGE, id)
    if document is None:
        of_entity = await reader.documents(DocumentQuery(kind=MERGE, ref=id, limit=_ALL))
        document = max(of_entity, key=lambda d: (d.status == OPEN_MERGE, d.created_at), default=None)
    if document is None or len(await reader.entities([document.body["keep"], document.body["other"]])) < 2:
        raise NotFound.of("merge", id)
    return document


async def draft_parting(reader: Reader, documents: Sequence[Document], ontology: Ontology, hand: Hand) -> Draft:
    """Takes apart the merges of these documents, all of one survivor. Raises NotFound for an entity that was erased."""
    stands, others = await _ends_of(reader, documents)
    had = {AssertionId(a): (EntityId(s), EntityId(o)) for d in documents for a, s, o in d.body["had"]}
    looped = frozenset(AssertionId(id) for d in documents for id in d.body["looped"])
    stored = await reader.assertions(list(had))
    apart = {other.id for other in others}
    back = [_given_back(a, had[a.id], stands.id, apart, restore=a.id in looped) for a in stored]
    moved = [*replaced(back, ontology).over(back)]
    left = {place for a in stored for place in places_of(a)}
    put: list[Mention] = []
    drop: list[Mention] = []
    touching = await reader.assertions_of_entities([stands.id])
    for document, other in zip(documents, others, strict=True):
        sides = Sides(own=_names(other), others=[n for n in _names(stands) if n not in _names(other)])
        since = [
            a
            for a in touching
            if a.id not in had and a.recorded_at >= document.created_at and sides.is_own(a.quote or a.text)
        ]
        moves = replaced(since, ontology, {stands.id: other.id})
        moved += moves.moved
        left |= set(moves.left)
        mentions = await _mentions_back(reader, document, stands.id, other.id, sides)
        put += mentions.put
        drop += mentions.drop
    return Draft(
        verb="unmerge",
        actor=hand.actor,
        at=hand.at,
        reason=hand.reason,
        cause="identity.unmerged",
        moved=tuple({a.id: a for a in moved}.values()),
        turned=looped & {a.id for a in stored if a.withdrawn_at is not None},
        slots=tuple(sorted(left)),
        entities=(
            await _without_spellings(reader, stands, documents, others),
            *(replace(other, merged_into=None) for other in others),
        ),
        moved_mentions=tuple(put),
        dropped_mentions=tuple(drop),
        documents=tuple(replace(document, status=_TAKEN_APART) for document in documents),
        about=(stands.id, *(other.id for other in others)),
        changes=tuple(_parted(stands, o, MergeId(d.id)) for d, o in zip(documents, others, strict=True)),
        special={"merge": [stands.id, *(other.id for other in others)]},
    )


async def open_merges(reader: Reader, ids: Sequence[str]) -> list[Document]:
    """The documents of these merges that were not taken apart meanwhile. Raises Conflict where none is left."""
    found = [await reader.document(MERGE, id) for id in ids]
    standing = [document for document in found if document is not None and document.status == OPEN_MERGE]
    if not standing:
        raise Conflict("the merge was taken apart already")
    return standing


async def draft_forbid(reader: Reader, a: EntityId, b: EntityId, hand: Hand) -> Draft:
    """Says that two entities are not one, and never shall be joined. Raises NotFound, Conflict where they are one."""
    found = await survivors(reader, [a, b])
    if found[a].id == found[b].id:
        raise Conflict(f"{a!r} and {b!r} are one entity: take the merge apart first")
    pair = sorted((found[a].id, found[b].id))
    document = Document(
        kind=MERGE_FORBIDDEN, id=forbidden_id(*pair), ref=pair[0], created_at=hand.at, body={"pair": pair}
    )
    return Draft(
        verb="forbid_merge",
        actor=hand.actor,
        at=hand.at,
        reason=hand.reason,
        cause="identity.forbidden",
        documents=(document,),
        about=tuple(pair),
        special={"documents": [[MERGE_FORBIDDEN, document.id, LIFTED, {"pair": pair}]]},
    )


async def _new_merge_id(reader: Reader, keep: EntityId, other: EntityId) -> MergeId:
    """The id of the next merge of a pair: the same in a dry run and in the write itself."""
    earlier = await reader.documents(DocumentQuery(kind=MERGE, ref=other, limit=_ALL))
    return MergeId("m_" + digest(keep, other, str(len(earlier)), size=10))


async def _refuse_forbidden(reader: Reader, entities: Sequence[Entity]) -> None:
    """Raises Conflict where two of them, or what was merged into them, must not be joined."""
    ids = {e.id for e in entities}
    forbidden = [
        [EntityId(id) for id in document.body["pair"]]
        for document in await reader.documents(DocumentQuery(kind=MERGE_FORBIDDEN, limit=_ALL))
        if document.status != LIFTED
    ]
    there = {e.id for e in await reader.entities(sorted({id for pair in forbidden for id in pair}))}
    pairs = [pair for pair in forbidden if set(pair) <= there]
    stands = await survivors(reader, sorted({id for pair in pairs for id in pair}))
    for one, other in pairs:
        if {stands[one].id, stands[other].id} <= ids and stands[one].id != stands[other].id:
            raise Conflict(f"joining {one!r} and {other!r} is forbidden")


async def _ends_of(reader: Reader, documents: Sequence[Document]) -> tuple[Entity, list[Entity]]:
    """The entity that stands for the survivor now, and those that were merged away, one a document."""
    keep = EntityId(documents[0].body["keep"])
    others = [EntityId(document.body["other"]) for document in documents]
    found = {e.id: e for e in await reader.entities(others)}
    for id in others:
        if id not in found:
            raise NotFound.of("entity", id)
    return (await survivors(reader, [keep]))[keep], [found[id] for id in others]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """Spellings and identifiers that the survivor has of its own."""

    keys: frozenset[str]
    identifiers: frozenset[str]


async def _without_spellings(
    reader: Reader, stands: Entity, documents: Sequence[Document], others: Sequence[Entity]
) -> Entity:
    """The survivor without the spellings and identifiers that it has from these entities only."""
    kept = await _kept(reader, documents[0], stands)
    keys = {alias.key for other in others for alias in other.aliases} - kept.keys
    identifiers = {i for other in others for i in other.identifiers} - kept.identifiers
    return replace(
        stands,
        aliases=tuple(a for a in stands.aliases if a.key not in keys),
        identifiers=tuple(i for i in stands.identifiers if i not in identifiers),
    )


async def _kept(reader: Reader, document: Document, stands: Entity) -> _Kept:
    """What the survivor had without this merge, over every merge that leads from it to the entity that stands now."""
    keys, identifiers = set(document.body["kept_keys"]), set(document.body["kept_identifiers"])
    at = EntityId(document.body["keep"])
    while at != stands.id:
        further = await reader.documents(DocumentQuery(kind=MERGE, ref=at, status=OPEN_MERGE, limit=1))
        if not further:
            break
        keys.update(further[0].body["kept_keys"])
        identifiers.update(further[0].body["kept_identifiers"])
        at = EntityId(further[0].body["keep"])
    return _Kept(keys=frozenset(keys), identifiers=frozenset(identifiers))


def _given_back(
    a: Assertion,
    had: tuple[EntityId, EntityId],
    stands: EntityId,
    apart: Collection[EntityId],
    *,
    restore: bool,
) -> Assertion:
    """The assertion with the entity's own id where the survivor's stands. One that never moved counts again; one that left
    the survivor meanwhile, by another merge taken apart, stays where it went."""
    if restore:
        return replace(a, withdrawn_at=None)
    own = next(end for end in had if end in apart)
    return replace(a, subject=own if a.subject == stands else a.subject, object=own if a.object == stands else a.object)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Moved:
    put: tuple[Mention, ...]
    drop: tuple[Mention, ...]


async def _mentions_back(reader: Reader, document: Document, stands: EntityId, other: EntityId, sides: Sides) -> _Moved:
    """The mentions that the entity had, and those since in episodes that name only it."""
    had = [
        (Mention(episode=EpisodeId(e), entity=other, role=MentionRole(role), wall=wall), bool(shared))
        for e, role, wall, shared in document.body["mentions"]
    ]
    known = {(m.episode, m.role) for m, _ in had}
    now = (await all_mentions(reader, [stands]))[stands]
    episodes = await reader.episodes(list(dict.fromkeys(m.episode for m in now if (m.episode, m.role) not in known)))
    own = {
        e.id
        for e in episodes
        if e.recorded_at >= document.created_at and sides.is_own(f"{e.title} {e.speaker} {e.text}")
    }
    since = [m for m in now if (m.episode, m.role) not in known and m.episode in own]
    there = {(m.episode, m.role) for m in now}
    back = [(m, shared) for m, shared in had if (m.episode, m.role) in there]
    return _Moved(
        put=(*(m for m, _ in back), *renamed(since, other)),
        drop=(*renamed([m for m, shared in back if not shared], stands), *since),
    )


def _joined(keep: Entity, other: Entity, id: MergeId) -> Change:
    """That an entity now leads to another; its receipt names the merge, so that it can be taken apart."""
    because = Because(rule="identity.merged", by=(keep.id, id))
    return Change(action=Action.MERGED, kind=Kind.ENTITY, id=other.id, because=because)


def _parted(keep: Entity, other: Entity, id: MergeId) -> Change:
    because = Because(rule="identity.unmerged", by=(keep.id, id))
    return Change(action=Action.REOPENED, kind=Kind.ENTITY, id=other.id, because=because)


def _names(entity: Entity) -> list[str]:
    return [alias.name for alias in entity.aliases if alias.name]


def _with_spellings(keep: Entity, others: Sequence[Entity]) -> Entity:
    aliases: dict[tuple[str, str], Alias] = {(a.key, a.name): a for a in keep.aliases}
    for other in others:
        aliases.update({(a.key, a.name): a for a in other.aliases})
    identifiers = dict.fromkeys(i for e in (keep, *others) for i in e.identifiers)
    return replace(keep, aliases=tuple(aliases.values()), identifiers=tuple(identifiers))


def _merge(
    id: MergeId,
    keep: Entity,
    other: Entity,
    assertions: Sequence[Assertion],
    looped: Sequence[Assertion],
    mentions: Sequence[Mention],
    kept: Iterable[tuple[EpisodeId, MentionRole]],
    hand: Hand,
) -> Document:
    """What taking apart needs: the entity's assertions with their ends, its mentions, and what the survivor had itself."""
    own = [a for a in assertions if other.id in (a.subject, a.object)]
    ids = {a.id for a in own}
    shared = set(kept)
    return Document(
        kind=MERGE,
        id=id,
        ref=other.id,
        status=OPEN_MERGE,
        created_at=hand.at,
        body={
            "keep": keep.id,
            "other": other.id,
            "had": [[a.id, a.subject, a.object] for a in own],
            "looped": [a.id for a in looped if a.id in ids],
            "mentions": [[m.episode, m.role.value, m.wall, (m.episode, m.role) in shared] for m in mentions],
            "kept_keys": [a.key for a in keep.aliases],
            "kept_identifiers": list(keep.identifiers),
        },
    )
