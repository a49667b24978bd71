"""Entities after an erasure: which are named by nothing any more, and which spellings nobody has written who is left."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterable
from dataclasses import dataclass, replace

from muniment.engine.ingest.names import name_keys
from muniment.engine.ports.store import EntityKey, Reader
from muniment.engine.write.erase.gather import Target
from muniment.engine.write.erase.scan import all_documents, all_mentions
from muniment.engine.write.merges import MERGE
from muniment.engine.write.spellings import keys_of_name, occurs, root_of, texts_of_assertion, texts_of_episode
from muniment.graph_schema.ids import AssertionId, EntityId, EpisodeId, digest
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.records import Document, Entity

_PAGE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Remains:
    """`orphans` are entities to go; `renamed` those that stay without some spelling, with what was taken from each."""

    orphans: tuple[Entity, ...]
    changed: tuple[Entity, ...]
    dropped: tuple[tuple[EntityId, str], ...]
    renamed: frozenset[EntityId]


async def remains(reader: Reader, target: Target, touched: Iterable[EntityId], ontology: Ontology) -> Remains:
    """What becomes of the entities that the erased rows named. To be asked when those rows are gone."""
    merges = [d async for rows in all_documents(reader, MERGE) for d in rows]
    ids = {*touched, *target.entities}
    for merge in merges:
        ends = {EntityId(merge.body["keep"]), EntityId(merge.body["other"])}
        ids |= ends if ids & ends else set()
    stored = {e.id: e for e in await reader.entities(sorted(ids))}
    named = {m.entity for m in await all_mentions(reader, sorted(stored))}
    for a in await reader.assertions_of_entities(sorted(stored)) if stored else []:
        named |= {a.subject, a.object}
    named |= await _taken_over(reader, [m for m in merges if m.body["other"] in stored])
    staying = {id for id in stored if id in named and id not in target.entities}
    # An entity that was merged away keeps the one it leads to.
    while more := {e.merged_into for id, e in stored.items() if id in staying and e.merged_into} - staying:
        staying |= {id for id in more if id is not None}
    orphans = tuple(e for id, e in sorted(stored.items()) if id not in staying)
    gone = _texts_of(target)
    changed: list[Entity] = []
    dropped: list[tuple[EntityId, str]] = []
    renamed: set[EntityId] = set()
    for id in sorted(staying & stored.keys()):
        entity = stored[id]
        doubtful = [name for name in _spellings(entity) if occurs(name, gone)]
        if not doubtful:
            continue
        lost = set(doubtful) - await _still_written(reader, entity, doubtful)
        after = await _without(reader, entity, lost, ontology)
        if after == entity:
            continue
        changed.append(after)
        kept = _spellings(after)
        dropped += [(id, name) for name in sorted(lost) if name not in kept]
        if (after.name, after.type) != (entity.name, entity.type):
            renamed.add(id)
    return Remains(orphans=orphans, changed=tuple(changed), dropped=tuple(dropped), renamed=frozenset(renamed))


async def _taken_over(reader: Reader, merges: Iterable[Document]) -> set[EntityId]:
    """Entities that were merged away and whose statements, now the survivor's, are not all gone."""
    named: set[EntityId] = set()
    for merge in merges:
        told = await reader.assertions([AssertionId(id) for id, _, _ in merge.body["had"]])
        if told or await reader.episodes([EpisodeId(row[0]) for row in merge.body["mentions"]]):
            named.add(EntityId(merge.body["other"]))
    return named


def _texts_of(target: Target) -> str:
    """All that was erased, as one folded text."""
    told = (*map(texts_of_episode, target.episodes.values()), *map(texts_of_assertion, target.assertions.values()))
    return " \n ".join(told)


def _spellings(entity: Entity) -> set[str]:
    """Names and the values of identifiers, as written."""
    return {entity.name, *(a.name for a in entity.aliases if a.name), *entity.identifiers}


async def _still_written(reader: Reader, entity: Entity, names: Collection[str]) -> set[str]:
    """Those of the names that some memory of the entity that is left has."""
    open_names = set(names)
    async for text in _surviving_texts(reader, entity.id):
        open_names -= {name for name in open_names if occurs(name, text)}
        if not open_names:
            break
    return set(names) - open_names


async def _surviving_texts(reader: Reader, id: EntityId) -> AsyncIterator[str]:
    for a in await reader.assertions_of_entities([id]):
        yield texts_of_assertion(a)
    episodes = sorted({m.episode for m in await all_mentions(reader, [id])})
    for first in range(0, len(episodes), _PAGE):
        for e in await reader.episodes(episodes[first : first + _PAGE]):
            yield texts_of_episode(e)


async def _without(reader: Reader, entity: Entity, lost: Collection[str], ontology: Ontology) -> Entity:
    """The entity without these spellings; where none would be left, it keeps the name by which others call it."""
    names = [a.name for a in entity.aliases if a.name and a.name not in lost]
    identifiers = tuple(i for i in entity.identifiers if i not in lost)
    if not names:
        return replace(entity, identifiers=identifiers, summary="")
    root = root_of(ontology, entity.type)
    kept_keys = {key for name in names for key in keys_of_name(name, root)}
    lost_keys = {key for name in lost for key in keys_of_name(name, root)} - kept_keys
    aliases = tuple(a for a in entity.aliases if a.key not in lost_keys and a.name not in lost)
    after = replace(entity, aliases=aliases, identifiers=identifiers, summary="")
    if entity.name not in lost:
        return after
    key = name_keys(names[0], root).key
    rivals = await reader.entities_by_key([EntityKey(wall=entity.wall, type=entity.type, key=key)])
    if any(rival.id != entity.id for rival in rivals):
        key = f"{key}#{digest(entity.id, size=4)}"
    return replace(after, name=names[0], key=key)
