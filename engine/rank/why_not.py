"""Why one memory is not among the hits of a question: the filter that hides it, what it gave way to, or its rank."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from muniment.engine.ports.search import Memory, ReadFilter
from muniment.engine.ports.store import Reader
from muniment.engine.rank.base import total
from muniment.engine.rank.entities import entity_hits
from muniment.engine.rank.hits import kind_of
from muniment.engine.rank.present import Order, put_in_order
from muniment.engine.rank.scored import Ranked
from muniment.engine.rank.sentences import NOT_YET
from muniment.engine.rank.trace import rounded
from muniment.engine.retrieve.heirs import stands_for
from muniment.engine.retrieve.pinned import may_see
from muniment.engine.retrieve.pool import Key
from muniment.graph_schema.errors import NotFound
from muniment.graph_schema.ids import EntityId, EpisodeId, FactId, SummaryId
from muniment.graph_schema.places import places_of
from muniment.graph_schema.records import Entity, Episode, Fact, Kind, Says, Status
from muniment.graph_schema.temporal import format_time, parse_time

_TOLD_PARTS: Final = 3
_MOST_ENTITIES: Final = 500
_STATUS_WORDS: Final = {
    Status.FUTURE: "not_yet",
    Status.SUPERSEDED: "superseded",
    Status.ENDED: "ended",
}
_OVER: Final = frozenset({*_STATUS_WORDS, Status.REJECTED})


@dataclass(frozen=True, slots=True, kw_only=True)
class LastHit:
    """The hit that a memory would have had to beat."""

    id: str
    rank: int
    score: float
    parts: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyNot:
    """What stopped one memory, in one word and in a sentence.

    `stopped_by`: shown (it is a hit), rejected, retracted, archived, unknown_then, scope, kind, type, relation, importance,
    not_yet, superseded, ended, duplicate, limit (its rank is beyond the limit), not_found (no channel found it), wall (the
    question of the trace could not see it), budget (a hit that the context block had no room for, or left out).
    `by` are the ids of what it gave way to, `since` the moment from which that is so. `rank` counts from 1; `score` and
    `parts` are those it has, or would have by itself where no channel found it.
    """

    id: str
    kind: Kind
    stopped_by: str
    why: str
    by: tuple[str, ...] = ()
    since: datetime | None = None
    rank: int | None = None
    score: float | None = None
    parts: Mapping[str, float] = field(default_factory=dict)
    last_hit: LastHit | None = None
    trace_id: str = ""


async def memory_of(reader: Reader, id: str) -> Memory | Entity:
    """The memory of this id, in its latest version, or the entity, through merges. Raises NotFound."""
    found: list[Any] = list(await reader.episodes([EpisodeId(id)]))
    found = found or list(await reader.facts([FactId(id)])) or list(await reader.summaries([SummaryId(id)]))
    found = found or list((await stands_for(reader, [EntityId(id)])).values())
    if not found:
        raise NotFound.of("memory", id)
    memory: Memory | Entity = found[0]
    return memory


async def why_not(reader: Reader, ranked: Ranked, memory: Memory | Entity) -> WhyNot:
    """What stopped a memory of the reader's; `ranked` is the question, scored and not yet cut."""
    asked = ranked.asked
    order = put_in_order(ranked)
    if isinstance(memory, Entity):
        return await _entity(reader, ranked, order, memory)
    if isinstance(memory, Fact):
        versions = await reader.facts([memory.id], known_at=asked.filter.clocks.known_at)
        if not versions:
            return _unknown_then(memory, asked.filter)
        memory = versions[0]
    barred = _barred(memory, asked.filter, asked.request.kinds)
    if barred is not None:
        return barred
    return await _placed(reader, ranked, order, memory)


async def _entity(reader: Reader, ranked: Ranked, order: Order, entity: Entity) -> WhyNot:
    request, kind = ranked.asked.request, Kind.ENTITY
    if kind not in request.kinds:
        return WhyNot(
            id=entity.id, kind=kind, stopped_by="kind", why="entities are hits only where that kind is asked for"
        )
    if entity.archived and not request.include_archived:
        return WhyNot(id=entity.id, kind=kind, stopped_by="archived", why="it was put away; include_archived shows it")
    if request.types and entity.type not in request.types:
        why = f"its type is {entity.type}, and {', '.join(sorted(request.types))} was asked for"
        return WhyNot(id=entity.id, kind=kind, stopped_by="type", why=why)
    found = await entity_hits(reader, ranked, [*order.kept, *order.beyond], limit=_MOST_ENTITIES)
    last = found[: request.limit][-1:]
    told = WhyNot(
        id=entity.id,
        kind=kind,
        stopped_by="not_found",
        why="the question does not name it, and nothing that was found tells of it",
        last_hit=LastHit(
            id=last[0].id, rank=min(request.limit, len(found)), score=last[0].score, parts=rounded(last[0].parts)
        )
        if last
        else None,
    )
    for rank, hit in enumerate(found, 1):
        if hit.id == entity.id:
            told = replace(told, rank=rank, score=hit.score, parts=rounded(hit.parts))
            if rank <= request.limit:
                return replace(told, stopped_by="shown", why=f"it is the entity at rank {rank}")
            why = f"it has rank {rank} of {len(found)} entities, and {request.limit} were asked for{_weaker(told)}"
            return replace(told, stopped_by="limit", why=why)
    return told


def _unknown_then(fact: Fact, filter: ReadFilter) -> WhyNot:
    known_at = filter.clocks.known_at
    if fact.created_at > known_at:
        why = f"it became known on {format_time(fact.created_at)}, after the {format_time(known_at)} that was asked for"
        return WhyNot(id=fact.id, kind=fact.kind, stopped_by="unknown_then", why=why, since=fact.created_at)
    why = "its evidence was taken back" + (f" on {format_time(fact.expired_at)}" if fact.expired_at else "")
    return WhyNot(id=fact.id, kind=fact.kind, stopped_by="retracted", why=why, since=fact.expired_at)


def _barred(memory: Memory, filter: ReadFilter, kinds: frozenset[Kind]) -> WhyNot | None:
    """The first filter that hides a memory, as the stores apply them; None where none does."""
    kind = kind_of(memory)

    def stopped(word: str, why: str, **more: Any) -> WhyNot:
        return WhyNot(id=memory.id, kind=kind, stopped_by=word, why=why, **more)

    if isinstance(memory, Fact) and memory.rejected:
        return stopped("rejected", "somebody said that it is not so")
    if memory.archived and not filter.include_archived:
        return stopped("archived", "it was put away; include_archived shows it")
    recorded = memory.recorded_at if isinstance(memory, Episode) else memory.created_at
    if recorded > filter.clocks.known_at:
        why = f"it became known on {format_time(recorded)}, after the {format_time(filter.clocks.known_at)} asked for"
        return stopped("unknown_then", why, since=recorded)
    if filter.scope is not None and not may_see(filter.scope, memory.scope):
        return stopped("scope", f"it belongs to {_scope(memory)}, and the question was not asked for that scope")
    if kind not in filter.kinds or (kinds and kind not in kinds):
        return stopped("kind", f"it is of the kind {kind.value}, and only {', '.join(sorted(kinds))} was asked for")
    importance = getattr(memory, "importance", None)
    if importance is not None and importance < filter.min_importance:
        return stopped("importance", f"its importance is {importance}, and {filter.min_importance} was the least")
    return _barred_fact(memory, filter, stopped) if isinstance(memory, Fact) else None


def _barred_fact(fact: Fact, filter: ReadFilter, stopped: Callable[..., WhyNot]) -> WhyNot | None:
    if fact.kind is Kind.FACT:
        types = {fact.subject.type, fact.object.type}
        if filter.types and not types & filter.types:
            why = f"it joins {' and '.join(sorted(types))}, and {', '.join(sorted(filter.types))} was asked for"
            return stopped("type", why)
        if filter.relations and fact.relation not in filter.relations:
            why = f"its relation is {fact.relation}, and {', '.join(sorted(filter.relations))} was asked for"
            return stopped("relation", why)
    if filter.include_superseded:
        return None
    status = fact.status_at(filter.clocks.as_of)
    if status is Status.FUTURE and filter.include_future:
        return None
    word = _STATUS_WORDS.get(status)
    if word is None:
        return None
    as_of = format_time(filter.clocks.as_of)
    if status is Status.FUTURE:
        why = f"it holds from {format_time(fact.valid_at)} on, after the {as_of} that was asked for"
        return stopped(word, why, since=fact.valid_at)
    by = (fact.superseded_by,) if fact.superseded_by else ()
    end = format_time(fact.invalid_at) if fact.invalid_at else "the beginning"
    why = f"it held until {end}" + (f", when {fact.superseded_by} took its place" if by else "")
    return stopped(word, why + "; include_superseded shows it", by=by, since=fact.invalid_at)


def _scope(memory: Memory) -> str:
    scope = memory.scope
    named = (("user", scope.user), ("agent", scope.agent), ("session", scope.session))
    return ", ".join(f"{name} {value!r}" for name, value in named if value)


async def _placed(reader: Reader, ranked: Ranked, order: Order, memory: Memory) -> WhyNot:
    """The place of a memory that no filter hides."""
    asked, board = ranked.asked, ranked.board
    key: Key = (kind_of(memory), memory.id)
    found_by_channel = key in board.parts
    limit = asked.request.limit
    last = _last_hit(ranked, order, limit)
    if not found_by_channel:
        await board.pool.want([key])
        board.refresh()
    parts = board.parts.get(key, {})
    told = WhyNot(
        id=memory.id, kind=key[0], stopped_by="shown", why="", score=total(parts), parts=rounded(parts), last_hit=last
    )
    if not found_by_channel:
        return replace(told, stopped_by="not_found", why=_not_found(told, ranked))
    for place, copies in order.copies.items():
        if key in copies:
            why = f"its words are nearly those of {order.kept[place][1]}, which stands for it at rank {place + 1}"
            return replace(told, stopped_by="duplicate", why=why, by=(order.kept[place][1],), rank=place + 1)
    if key[0] is Kind.EPISODE and memory.id in ranked.findings.standing.over and not asked.request.include_superseded:
        return await _over(reader, ranked, told)
    ranks = [*order.kept, *order.beyond]
    rank = ranks.index(key) + 1
    if rank <= limit:
        return replace(told, rank=rank, why=f"it is the hit at rank {rank}")
    why = f"it has rank {rank} of {len(ranks)}, and {limit} were asked for{_weaker(told)}"
    if parts.get("superseded", 0.0) < 0:
        closed = await _over(reader, ranked, told)
        return replace(closed, stopped_by="limit", why=f"{why}; {closed.why}", rank=rank)
    return replace(told, stopped_by="limit", why=why, rank=rank)


def _last_hit(ranked: Ranked, order: Order, limit: int) -> LastHit | None:
    shown = order.kept[:limit]
    if not shown:
        return None
    key = shown[-1]
    parts = ranked.board.parts[key]
    return LastHit(id=key[1], rank=len(shown), score=total(parts), parts=rounded(parts))


def _not_found(told: WhyNot, ranked: Ranked) -> str:
    asked = ranked.asked
    why = (
        f"no channel found it: it is not among the first {asked.policy.candidates} by words or by meaning, it is not about "
        "what the question names, and no walk, name or neighbour led to it"
    )
    shared = [term for term in asked.question.terms if f" {term} " in f" {_words(ranked, told)} "]
    return f"{why}; it has {len(shared)} of the question's {len(asked.question.terms)} words"


def _words(ranked: Ranked, told: WhyNot) -> str:
    found = ranked.board.pool.found.get((told.kind, told.id))
    return found.words if found else ""


def _weaker(told: WhyNot) -> str:
    """The parts in which the last hit is most ahead."""
    if told.last_hit is None:
        return ""
    names = {*told.parts, *told.last_hit.parts}
    gaps = {n: told.last_hit.parts.get(n, 0.0) - told.parts.get(n, 0.0) for n in names}
    ahead = [
        f"{n} by {gaps[n]:.2f}" for n in sorted(gaps, key=lambda n: (-gaps[n], n))[:_TOLD_PARTS] if gaps[n] > 0.005
    ]
    return f"; the last hit is ahead in {', '.join(ahead)}" if ahead else ""


async def _over(reader: Reader, ranked: Ranked, told: WhyNot) -> WhyNot:
    """An episode that tells, of what was asked, only what does not hold at the asked moment."""
    as_of = ranked.asked.filter.clocks.as_of
    rows = [
        row
        for row in await reader.assertions_of_episodes([EpisodeId(told.id)])
        if row.says in (Says.HOLDS, Says.RESTATED) and row.withdrawn_at is None
    ]
    own = {row.id for row in rows}
    facts = [
        f for f in await reader.facts_of_slots(sorted({p for r in rows for p in places_of(r)})) if own & {*f.assertions}
    ]
    over = [f for f in facts if f.status_at(as_of) in _OVER]
    if not over:
        return _followed(ranked, told)
    by = tuple(dict.fromkeys(f.superseded_by for f in over if f.superseded_by))
    ends = [f.invalid_at for f in over if f.invalid_at is not None]
    since = max(ends) if ends else max((f.valid_at for f in over), default=None)
    future = bool(over) and all(f.status_at(as_of) is Status.FUTURE for f in over)
    when = f" since {format_time(since)}" if since and not future else ""
    why = f"what it tells of this does not hold {'yet' if future else 'any more'}{when}"
    return replace(told, stopped_by="not_yet" if future else "superseded", why=why, by=by, since=since)


def _followed(ranked: Ranked, told: WhyNot) -> WhyNot:
    """The same, where the sentence that is asked for was followed by another note's, and no fact says so."""
    rows = [one for one in ranked.findings.sentences.told if one["closed"]["episode"] == told.id]
    by = tuple(dict.fromkeys(row["by"]["episode"] for row in rows))
    since = max((parse_time(row["since"]) for row in rows if row["since"]), default=None)
    early = bool(rows) and all(row["rule"] == NOT_YET for row in rows)
    when = f" since {format_time(since)}" if since and not early else ""
    why = f"its sentence on this does not hold {'yet' if early else 'any more'}{when}"
    return replace(told, stopped_by="not_yet" if early else "superseded", why=why, by=by, since=since)
