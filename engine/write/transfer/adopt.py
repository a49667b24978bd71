"""What of a batch of imported records is new, under which ids, and what is refused because it was erased."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from muniment.engine.ports.store import EntityKey, Reader
from muniment.engine.resolve.slots import place
from muniment.engine.write.erase.listed import Listed
from muniment.engine.write.external_ids import by_external_id
from muniment.engine.write.survivors import survivors
from muniment.graph_schema.ids import EntityId, EpisodeId
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.records import Assertion, Entity, Episode, Mention, Rejection


@dataclass(slots=True)
class Ids:
    """What became of imported ids so far in this import.

    `entities` and `episodes` lead from an imported id to the stored one; an id that is refused or unknown is absent.
    `erased` are entities of the purge list, taken in only if something that is not erased names them.
    """

    entities: dict[EntityId, EntityId] = field(default_factory=dict)
    episodes: dict[EpisodeId, EpisodeId] = field(default_factory=dict)
    erased: dict[EntityId, Entity] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    adopted: set[EpisodeId] = field(default_factory=set)  # those that this import brought


@dataclass(slots=True)
class Outcome:
    """Counts of one import."""

    created: Counter[str] = field(default_factory=Counter)
    existed: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    rejected: list[Rejection] = field(default_factory=list)


async def new_entities(
    reader: Reader, given: Sequence[Entity], listed: Listed, ids: Ids, outcome: Outcome
) -> list[Entity]:
    """Entities to put: new ones, and stored ones that learn a spelling. One of the same name, type and wall is the same; where
    that one was merged away here only, what stands for it is."""
    cleaned = [_without_erased(e, listed) for e in given]
    by_id = {e.id: e for e in await reader.entities([e.id for e in cleaned])}
    keys = [EntityKey(wall=e.wall, type=e.type, key=e.key) for e in cleaned]
    by_key = {(e.wall, e.type, e.key): e for e in await reader.entities_by_key(keys)} if keys else {}
    hidden = [e for e in (*by_id.values(), *by_key.values()) if e.merged_into is not None]
    stands = await survivors(reader, [e.id for e in hidden])
    put: dict[EntityId, Entity] = {}
    for e in cleaned:
        stored = by_id.get(e.id) or by_key.get((e.wall, e.type, e.key))
        if stored is None and (e.id in listed.ids or e.merged_into in ids.erased):
            ids.erased[e.id] = e
            continue
        if stored is not None and e.merged_into is None:
            stored = stands.get(stored.id, stored)
        ids.entities[e.id] = stored.id if stored else e.id
        if stored is None:
            outcome.created["entity"] += 1
            by_key[e.wall, e.type, e.key] = e
            put[e.id] = e
        else:
            outcome.existed["entity"] += 1
            taught = _taught(put.get(stored.id, stored), e)
            if taught != stored:
                put[stored.id] = taught
    return [_led(e, ids) for e in put.values()]


def revived(wanted: Iterable[EntityId], ids: Ids, outcome: Outcome) -> list[Entity]:
    """Entities that were erased but are named again by what is taken in."""
    found: list[Entity] = []
    for id in wanted:
        entity = ids.erased.pop(id, None)
        if entity is not None:
            ids.entities[id] = id
            outcome.created["entity"] += 1
            found.append(_led(entity, ids))
    return found


async def new_episodes(
    reader: Reader, given: Sequence[Episode], listed: Listed, ids: Ids, outcome: Outcome
) -> list[Episode]:
    """Episodes that are not there yet. One of the same external id behind the same wall is the same, and the stored one stands."""
    by_id = {e.id for e in await reader.episodes([e.id for e in given])}
    outside = await by_external_id(reader, given)
    texts = {e.id: e.text for e in await reader.episodes(sorted(set(outside.values())))}
    new: dict[EpisodeId, Episode] = {}
    for e in given:
        twin = e.id if e.id in by_id else outside.get((e.wall, e.external_id)) if e.external_id is not None else None
        if twin is not None:
            ids.episodes[e.id] = twin
            outcome.existed["episode"] += 1
            if texts.get(twin, e.text) != e.text:
                detail = f"external_id {e.external_id!r} is there with another text; the kept one stands"
                outcome.rejected.append(Rejection(input=f"episode {e.id}", code="conflict", detail=detail))
        elif e.id in listed.ids or listed.has_external(e.wall, e.external_id):
            ids.refused.add(e.id)
            outcome.refused["episode"] += 1
        else:
            ids.episodes[e.id] = e.id
            ids.adopted.add(e.id)
            new[e.id] = e
            outcome.created["episode"] += 1
    return list(new.values())


def new_mentions(given: Sequence[Mention], ids: Ids) -> list[Mention]:
    """Mentions in episodes that this import brought; a stored episode keeps its own."""
    return [
        replace(m, entity=ids.entities[m.entity])
        for m in given
        if m.episode in ids.adopted and m.entity in ids.entities
    ]


async def new_assertions(
    reader: Reader, given: Sequence[Assertion], ontology: Ontology, listed: Listed, ids: Ids, outcome: Outcome
) -> list[Assertion]:
    """Assertions that are not there yet, each in its place under the tenant's own ontology.

    One that tells of a stored episode what that episode tells already is the same.
    """
    stored = {a.id for a in await reader.assertions([a.id for a in given])}
    foreign = sorted(
        {ids.episodes[a.episode] for a in given if a.episode and ids.episodes.get(a.episode, a.episode) != a.episode}
    )
    told = {_says(a) for a in (await reader.assertions_of_episodes(foreign) if foreign else [])}
    new: dict[str, Assertion] = {}
    for a in given:
        if a.id in stored:
            outcome.existed["assertion"] += 1
        elif a.id in listed.ids or (a.episode is not None and a.episode in ids.refused):
            outcome.refused["assertion"] += 1
        elif (missing := _missing(a, ids)) is not None:
            detail = f"{missing!r} is neither in the file before it nor stored"
            outcome.rejected.append(Rejection(input=f"assertion {a.id}", code="not_found", detail=detail))
        elif (placed := _placed(a, ontology, ids)) is None or _says(placed) in told:
            outcome.existed["assertion"] += 1
        else:
            outcome.created["assertion"] += 1
            new[placed.id] = placed
    return list(new.values())


def _missing(a: Assertion, ids: Ids) -> str | None:
    if a.episode is not None and a.episode not in ids.episodes:
        return a.episode
    return next((end for end in (a.subject, a.object) if end not in ids.entities), None)


def _placed(a: Assertion, ontology: Ontology, ids: Ids) -> Assertion | None:
    """The assertion with stored ends and in its slot; None where both ends are one here."""
    subject, object_ = ids.entities[a.subject], ids.entities[a.object]
    if subject == object_:
        return None
    where = place(
        ontology,
        kind=a.kind,
        subject=subject,
        relation=a.relation,
        object=object_,
        scope=a.scope,
        wall=a.wall,
        attributes=a.attributes,
    )
    return replace(
        a,
        subject=where.subject,
        relation=where.relation,
        object=where.object,
        slot=where.slot,
        claim=where.claim,
        episode=None if a.episode is None else ids.episodes[a.episode],
    )


def _says(a: Assertion) -> tuple[object, ...]:
    return (a.episode, a.slot, a.claim, a.says, a.valid_from, a.valid_to, a.rule)


def _without_erased(e: Entity, listed: Listed) -> Entity:
    """The entity without spellings that an erasure took from it; its summary may tell of what was erased."""
    if not listed:
        return e
    aliases = tuple(a for a in e.aliases if not a.name or not listed.has_spelling(e.id, a.name))
    kept = tuple(i for i in e.identifiers if not listed.has_spelling(e.id, i))
    return replace(e, aliases=aliases or e.aliases, identifiers=kept, summary="")


def _taught(stored: Entity, given: Entity) -> Entity:
    have = {(a.key, a.name) for a in stored.aliases}
    aliases = (*stored.aliases, *(a for a in given.aliases if (a.key, a.name) not in have))
    return replace(stored, aliases=aliases, identifiers=tuple(dict.fromkeys((*stored.identifiers, *given.identifiers))))


def _led(e: Entity, ids: Ids) -> Entity:
    """An entity that was merged away leads to where its survivor is here."""
    if e.merged_into is None:
        return e
    return replace(e, merged_into=ids.entities.get(e.merged_into, e.merged_into))
