"""Entities as hits: those that a question names, and those at the ends of the facts and episodes that answer it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from muniment.engine.extract.identifiers import find_identifiers
from muniment.engine.ports.store import Reader
from muniment.engine.rank.asked import Asked
from muniment.engine.rank.base import Parts, total
from muniment.engine.rank.board import episode_key
from muniment.engine.rank.hits import NAMED_PARTS, Hit, PathStep
from muniment.engine.rank.scored import Ranked
from muniment.engine.retrieve.heirs import stands_for
from muniment.engine.retrieve.pinned import may_see
from muniment.engine.retrieve.pool import Key
from muniment.graph_schema.ids import EntityId, EpisodeId
from muniment.graph_schema.records import VALUE_TYPE, Entity, Fact, Kind, Quote, Status

# All stand on the scale of the other hits: a fact that meets the question well scores about 1.
_NAMED: Final = 0.5  # the question names it, by a name, an alias or an identifier; divided by the root of its namesakes
_GUESSED: Final = 0.5  # of that, where the name is only near to it
_AHEAD: Final = 0.01
_OF_FACTS: Final = 0.9  # of the best fact's score
_OF_EPISODES: Final = 0.4  # of the best episode's score in which it is mentioned
_EPISODES: Final = 20
_FACTS: Final = 60
_QUOTES: Final = 5


class _Gathered:
    """What speaks for each entity: parts, the evidence that gave them, and the path to it."""

    def __init__(self) -> None:
        self.parts: dict[EntityId, Parts] = {}
        self.quotes: dict[EntityId, dict[EpisodeId, Quote]] = {}
        self.paths: dict[EntityId, tuple[PathStep, ...]] = {}

    def add(self, id: EntityId, part: str, value: float, quotes: Iterable[Quote] = ()) -> None:
        """The best value of each part counts."""
        if value <= 0:
            return
        own = self.parts.setdefault(id, {})
        own[part] = max(own.get(part, 0.0), value)
        for quote in quotes:
            kept = self.quotes.setdefault(id, {})
            if len(kept) < _QUOTES:
                kept.setdefault(quote.episode, quote)


async def entity_hits(reader: Reader, ranked: Ranked, order: Sequence[Key], *, limit: int) -> list[Hit]:
    """The best entities, best first; of those of the types that were asked for, where types were."""
    found = _Gathered()
    await _named(reader, ranked.asked, found)
    _of_facts(ranked, order, found)
    await _of_episodes(reader, ranked, found)
    _ends_first(ranked, found)
    entities = await _seen(reader, ranked.asked, found)
    scores = {entity.id: total(found.parts[id]) for id, entity in entities.items()}
    best = sorted(entities.items(), key=lambda row: (-scores[row[1].id], row[1].id))
    return [_hit(entity, id, found) for id, entity in best[:limit]]


async def _named(reader: Reader, asked: Asked, found: _Gathered) -> None:
    for seed in asked.seeds:
        share = 1.0 if seed.proper else _GUESSED
        for id in seed.ids:
            found.add(id, "name", _NAMED * share / math.sqrt(len(seed.ids)))
    marks = [i for one in find_identifiers(asked.question.text, lang=asked.question.lang) for i in one.identifiers]
    if marks:
        for entities in (await reader.entities_by_identifier(marks)).values():
            for entity in entities:
                found.add(entity.id, "name", _NAMED / math.sqrt(len(entities)))


def _of_facts(ranked: Ranked, order: Sequence[Key], found: _Gathered) -> None:
    board, walked = ranked.board, ranked.findings.walked
    for fact in _facts(ranked, order):
        key = (fact.kind, str(fact.id))
        for end in (fact.subject, fact.object):
            found.add(end.id, "facts", _OF_FACTS * board.score(key), fact.evidence)
    for fact in walked.sure:
        path = walked.paths.get((fact.kind, str(fact.id)), ())
        for number, step in enumerate(path, 1):
            found.paths.setdefault(step.target.id, path[:number])


def _ends_first(ranked: Ranked, found: _Gathered) -> None:
    """Where a walk is sure, what it ends at was asked for, and stands before everything that leads there."""
    paths = ranked.findings.walked.paths.values() if ranked.findings.walked.sure else ()
    longest = max((len(path) for path in paths), default=0)
    ends = {path[-1].target.id for path in paths if path and len(path) == longest}
    best = max((total(parts) for id, parts in found.parts.items() if id not in ends), default=0.0)
    for id in ends:
        found.add(id, "graph", best + _AHEAD - total(found.parts.get(id, {})))


def _facts(ranked: Ranked, order: Sequence[Key]) -> list[Fact]:
    memories = (ranked.board.pool.found[key].memory for key in order if key[0] is not Kind.EPISODE)
    return [memory for memory in memories if isinstance(memory, Fact)][:_FACTS]


async def _of_episodes(reader: Reader, ranked: Ranked, found: _Gathered) -> None:
    scores = ranked.board.episode_scores()
    best = ranked.board.best_first(scores)[:_EPISODES]
    for mention in await reader.mentions_of_episodes(best):
        quote = Quote(episode=mention.episode)
        score = ranked.board.score(episode_key(mention.episode))
        found.add(mention.entity, "mentions", _OF_EPISODES * score, [quote])


async def _seen(reader: Reader, asked: Asked, found: _Gathered) -> dict[EntityId, Entity]:
    """The entities by the id under which they were found: through merges, each once, filtered as memories are."""
    rows = await stands_for(reader, found.parts)
    out: dict[EntityId, Entity] = {}
    for id in sorted(found.parts, key=lambda id: (-total(found.parts[id]), id)):
        entity = rows.get(id)
        if entity is not None and _shows(asked, entity) and entity.id not in {e.id for e in out.values()}:
            out[id] = entity
    return out


def _shows(asked: Asked, entity: Entity) -> bool:
    filter = asked.filter
    return (
        entity.type != VALUE_TYPE
        and (filter.include_archived or not entity.archived)
        and entity.created_at <= filter.clocks.known_at
        and (filter.scope is None or may_see(filter.scope, entity.scope))
        and (not filter.types or entity.type in filter.types)
    )


def _hit(entity: Entity, found_as: EntityId, found: _Gathered) -> Hit:
    parts = found.parts[found_as]
    return Hit(
        kind=Kind.ENTITY,
        id=entity.id,
        text=f"{entity.name}: {entity.summary}" if entity.summary else entity.name,
        score=total(parts),
        parts={**NAMED_PARTS, **parts},
        memory=entity,
        path=found.paths.get(found_as, ()),
        evidence=tuple(found.quotes.get(found_as, {}).values()),
        status=Status.ARCHIVED if entity.archived else Status.CURRENT,
    )


def among(hits: Sequence[Hit], entities: Sequence[Hit]) -> list[Hit]:
    """Hits with entities put between them: each before the first hit that scores less; the others keep their order."""
    out, left = list[Hit](), list(entities)
    for hit in hits:
        while left and left[0].score > hit.score:
            out.append(left.pop(0))
        out.append(hit)
    return [*out, *left]
