"""Spellings that an entity learned, and taking them off again where no memory that counts has them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from muniment.engine.ingest.names import ORGANISATION, PERSON, lookup_keys
from muniment.engine.ingest.titles import title_keys
from muniment.engine.ports.store import Reader
from muniment.engine.resolve.blocking import blocking_keys
from muniment.engine.resolve.identity import Learned, with_spellings
from muniment.engine.write.mentions import all_mentions
from muniment.graph_schema.ids import AssertionId, EntityId, EpisodeId, ReceiptId, fold
from muniment.graph_schema.ontology import ANY_TYPE, Ontology
from muniment.graph_schema.records import Assertion, Entity, Episode

_PAGE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaving:
    """What a write takes with it: evidence that will not count, episodes that will be archived."""

    assertions: frozenset[AssertionId]
    episodes: frozenset[EpisodeId]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlearned:
    """`entities` without what nothing says any more.

    `heirs` are the writes that say the rest first now: taking one of them back has to look at those spellings again. `back` are
    the writes that took back what says a spelling that goes: taking one of them back brings it again.
    """

    entities: tuple[Entity, ...] = ()
    heirs: Mapping[ReceiptId, tuple[Learned, ...]] = field(default_factory=dict)
    back: Mapping[ReceiptId, tuple[Learned, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Text:
    """What one piece of evidence says, folded, and the write that brought it, or took it back where it does not count."""

    at: datetime
    receipt: ReceiptId
    text: str
    counts: bool = True


async def unlearned(reader: Reader, learned: Sequence[Learned], leaving: Leaving, ontology: Ontology) -> Unlearned:
    """The entities without the spellings and identifiers that nothing which counts still says.

    An entity that was merged away loses them together with those that stand for it.
    """
    wanted: dict[EntityId, set[str]] = defaultdict(set)
    for one in learned:
        wanted[one.entity].update(one.spellings)
    entities = {e.id: e for e in await _with_survivors(reader, wanted)}
    if not entities:
        return Unlearned()
    written = await _written(reader, entities, leaving)
    after: list[Entity] = []
    heirs: dict[ReceiptId, list[Learned]] = defaultdict(list)
    back: dict[ReceiptId, list[Learned]] = defaultdict(list)
    for id, entity in sorted(entities.items()):
        own: set[str] = set()
        for spelling in sorted(wanted[id] - {entity.name}):
            saying = [text for text in written[id] if occurs(spelling, text.text)]
            heir = next((text.receipt for text in saying if text.counts), None)
            if heir is not None:
                heirs[heir].append(_as_learned(entity, spelling))
                continue
            own.add(spelling)
            for receipt in sorted({text.receipt for text in saying}):
                back[receipt].append(_as_learned(entity, spelling))
        without = without_spellings(entity, own, ontology)
        if without != entity:
            after.append(without)
    return Unlearned(
        entities=tuple(after),
        heirs={receipt: tuple(kept) for receipt, kept in heirs.items()},
        back={receipt: tuple(lost) for receipt, lost in back.items()},
    )


def _as_learned(entity: Entity, spelling: str) -> Learned:
    if spelling in entity.identifiers:
        return Learned(entity=entity.id, names=(), identifiers=(spelling,))
    return Learned(entity=entity.id, names=(spelling,))


async def relearned(reader: Reader, learned: Sequence[Learned], ontology: Ontology) -> list[Entity]:
    """The entities with these spellings and identifiers again; those that were erased are left out."""
    stored = {e.id: e for e in await reader.entities(sorted({one.entity for one in learned}))}
    after: dict[EntityId, Entity] = {}
    for one in learned:
        entity = after.get(one.entity) or stored.get(one.entity)
        if entity is not None:
            after[one.entity] = with_spellings(entity, one, root_of(ontology, entity.type))
    return [e for id, e in sorted(after.items()) if e != stored[id]]


def without_spellings(entity: Entity, lost: Collection[str], ontology: Ontology) -> Entity:
    """The entity without these names and identifiers, and without the keys by which only those names are found."""
    root = root_of(ontology, entity.type)
    kept = {key for a in entity.aliases if a.name and a.name not in lost for key in keys_of_name(a.name, root)}
    gone = {key for name in lost for key in keys_of_name(name, root)} - kept
    return replace(
        entity,
        aliases=tuple(a for a in entity.aliases if a.name not in lost and (a.name or a.key not in gone)),
        identifiers=tuple(i for i in entity.identifiers if i not in lost),
    )


def keys_of_name(name: str, root: str) -> tuple[str, ...]:
    """The keys under which an entity of this name is found."""
    return (*lookup_keys(name, root), *blocking_keys(name, root), *title_keys(name))


def root_of(ontology: Ontology, type_name: str) -> str:
    """The broad type by whose rules names are read."""
    if type_name == ANY_TYPE:
        return ""
    return next((root for root in (PERSON, ORGANISATION) if ontology.is_a(type_name, root)), type_name)


def texts_of_episode(e: Episode) -> str:
    return fold(" ".join((e.title, e.speaker, e.text)))


def texts_of_assertion(a: Assertion) -> str:
    return fold(" ".join((a.text, a.quote)))


def occurs(spelling: str, text: str) -> bool:
    """Whether a folded text has the spelling, or the value of the identifier."""
    word = spelling.partition(":")[2] if ":" in spelling else spelling
    return fold(word) in text


async def _with_survivors(reader: Reader, wanted: dict[EntityId, set[str]]) -> list[Entity]:
    """The entities, and those that stand for them since a merge, of which the same is wanted then."""
    found: dict[EntityId, Entity] = {}
    asked = set(wanted)
    while asked:
        rows = await reader.entities(sorted(asked))
        found.update({e.id: e for e in rows})
        for e in rows:
            if e.merged_into is not None:
                wanted[e.merged_into] |= wanted[e.id]
        asked = {e.merged_into for e in rows if e.merged_into is not None} - found.keys()
    return list(found.values())


async def _written(reader: Reader, entities: Iterable[EntityId], leaving: Leaving) -> dict[EntityId, list[_Text]]:
    """For each entity all that is told of it by what goes on counting, as it was heard, and by assertions that do not count."""
    ids = sorted(entities)
    texts: dict[EntityId, list[_Text]] = defaultdict(list)
    for a in await reader.assertions_of_entities(ids):
        counts = a.withdrawn_at is None
        if a.id in leaving.assertions or not (counts or a.turned_by):
            continue
        receipt = a.receipt if counts else a.turned_by[-1]
        said = _Text(at=a.recorded_at, receipt=receipt, text=texts_of_assertion(a), counts=counts)
        for end in (a.subject, a.object):
            texts[end].append(said)
    naming: dict[EpisodeId, set[EntityId]] = defaultdict(set)
    for id, mentions in (await all_mentions(reader, ids)).items():
        for mention in mentions:
            naming[mention.episode].add(id)
    episodes = sorted(naming.keys() - leaving.episodes)
    for first in range(0, len(episodes), _PAGE):
        for e in await reader.episodes(episodes[first : first + _PAGE]):
            for id in naming[e.id] if not e.archived else ():
                texts[id].append(_Text(at=e.recorded_at, receipt=e.receipt, text=texts_of_episode(e)))
    return {id: sorted(texts[id], key=lambda t: (t.at, t.receipt)) for id in ids}
