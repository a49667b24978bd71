"""From structured facts to a draft: no extraction, the same rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from muniment.engine.extract.candidates import Named
from muniment.engine.extract.change.facts import ToldFact, read_facts
from muniment.engine.extract.change.notes import NoteReading
from muniment.engine.ingest.inputs import EndIn, FactIn
from muniment.engine.ports.store import Reader
from muniment.engine.resolve.statements import ASSERTED, Statement, lasting_scope
from muniment.engine.write.draft import Draft
from muniment.engine.write.indexing import Indexer
from muniment.engine.write.survivors import survivors
from muniment.graph_schema.errors import NotFound
from muniment.graph_schema.ids import EntityId, EpisodeId
from muniment.graph_schema.records import Entity, Episode


async def draft_facts(
    reader: Reader,
    facts: Sequence[FactIn],
    *,
    actor: str,
    now: datetime,
    indexer: Indexer,
    verb: str = "assert_facts",
    numbers: Sequence[int] | None = None,
) -> Draft:
    """The draft; `numbers` are the places in the call of the facts given here, where some were left out. Raises NotFound where an entity id or an evidence id leads nowhere."""
    entities = await survivors(reader, [end.id for f in facts for end in (f.subject, f.object) if end.id is not None])
    episodes = await _evidence(reader, facts)
    places = numbers if numbers is not None else range(len(facts))
    statements = [
        s
        for number, fact in zip(places, facts, strict=True)
        for s in statements_of(fact, number, entities, episodes, now)
    ]
    return Draft(
        stored=tuple(episodes.values()),
        notes=tuple(notes_of(statements, episodes)),
        verb=verb,
        actor=actor,
        at=now,
        cause="evidence.asserted",
        statements=tuple(statements),
        vectors=await indexer.vectors_of([s.text for s in statements if s.worded]),
    )


def statements_of(
    fact: FactIn,
    number: int,
    entities: Mapping[EntityId, Entity],
    episodes: Mapping[EpisodeId, Episode],
    now: datetime,
) -> list[Statement]:
    """One statement for each episode that proves the fact, or one without evidence told now."""
    subject, object_ = (_end(end) for end in (fact.subject, fact.object))
    names = tuple(_name(end, entities) for end in (fact.subject, fact.object))
    relation = " ".join(fact.relation.split())
    text = fact.text.strip() or f"{names[0]} {relation.replace('_', ' ').lower()} {names[1]}"
    proofs: Sequence[Episode | None] = [episodes[id] for id in fact.evidence] or [None]
    return [
        Statement(
            subject=subject,
            relation=relation,
            object=object_,
            text=text,
            worded=bool(fact.text.strip()),
            valid_from=fact.valid_at,
            valid_to=fact.invalid_at,
            told_at=episode.occurred_at if episode else now,
            recorded_at=now,
            confidence=fact.confidence,
            importance=fact.importance,
            episode=episode.id if episode else None,
            quote=episode.text if episode and len(episode.text) <= 500 else "",
            start=0 if episode and len(episode.text) <= 500 else -1,
            end=len(episode.text) if episode and len(episode.text) <= 500 else -1,
            rule=ASSERTED,
            scope=lasting_scope(fact.scope),
            wall=fact.wall or (episode.wall if episode else ""),
            input=f"facts[{number}]",
        )
        for episode in proofs
    ]


async def _evidence(reader: Reader, facts: Sequence[FactIn]) -> dict[EpisodeId, Episode]:
    wanted = sorted({id for fact in facts for id in fact.evidence})
    found = {e.id: e for e in await reader.episodes(wanted)} if wanted else {}
    for id in wanted:
        if id not in found:
            raise NotFound.of("episode", id)
    return found


def notes_of(statements: Sequence[Statement], episodes: Mapping[EpisodeId, Episode]) -> Iterator[NoteReading]:
    """The facts of each episode as sentences that stand beside those of notes."""
    by_episode: dict[EpisodeId, list[Statement]] = defaultdict(list)
    for statement in statements:
        if statement.episode is not None and statement.start >= 0:
            by_episode[statement.episode].append(statement)
    for id, told in by_episode.items():
        facts = [
            ToldFact(subject=s.subject, relation=s.relation, object=s.object, since=s.valid_from)
            for s in told
            if isinstance(s.subject, Named) and isinstance(s.object, Named)
        ]
        if facts:
            yield read_facts(episodes[id], facts)


def _end(end: EndIn) -> Named | EntityId:
    if end.id is not None:
        return end.id  # not of the one that stands for it: a merge may be taken apart
    return Named(name=" ".join(end.name.split()), type=end.type, is_value=end.is_value, identifiers=end.identifiers)


def _name(end: EndIn, entities: Mapping[EntityId, Entity]) -> str:
    return entities[end.id].name if end.id is not None else " ".join(end.name.split())
