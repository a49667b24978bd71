"""From scored candidates to the answer: order, rivals, copies, limits, the recently used, and the trace."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from muniment.engine.ports.search import Found
from muniment.engine.ports.store import Reader
from muniment.engine.rank.answer import MAX_RANKED_EPISODES, Recall, ranked_episodes
from muniment.engine.rank.asked import Asked
from muniment.engine.rank.board import Board, episode_key, is_chat
from muniment.engine.rank.diversity import fold_copies, fold_told_together
from muniment.engine.rank.emptiness import looked_at
from muniment.engine.rank.entities import among, entity_hits
from muniment.engine.rank.hits import Hit, Omitted, Scored, hit_of, kind_of
from muniment.engine.rank.misses import hidden_by_status
from muniment.engine.rank.news import news_first
from muniment.engine.rank.rivals import newest_first, word_likeness
from muniment.engine.rank.scored import Findings, Ranked
from muniment.engine.rank.trace import trace_of
from muniment.engine.retrieve.pool import Key
from muniment.engine.retrieve.question import is_question
from muniment.graph_schema.ids import EpisodeId, fold
from muniment.graph_schema.places import places_of
from muniment.graph_schema.records import Episode, Fact, Kind, Quote, Status

_NEAR_MISSES = 10
_AHEAD = 0.01  # between two steps of a path


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """The candidates in order. `kept` are those that can become hits, best first; `copies` by place in it what each stands
    for; `over` tell only what no longer holds; `beyond` stand so low that they were not compared with others."""

    kept: Sequence[Key]
    copies: Mapping[int, Sequence[Key]]
    over: Sequence[Key]
    beyond: Sequence[Key]


def put_in_order(ranked: Ranked) -> Order:
    """The candidates of the kinds that were asked for, in order. The first of a sure walk get their part for it."""
    asked, board = ranked.asked, ranked.board
    order = rank(asked, board, ranked.findings)
    folded = 2 * _depth(asked)
    over = set() if asked.request.include_superseded else {episode_key(id) for id in ranked.findings.standing.over}
    asked_for = [key for key in order if not asked.request.kinds or key[0] in asked.request.kinds]
    wanted = [key for key in asked_for if key not in over]
    once, together = fold_told_together(wanted[:folded], told=_told_together(ranked))
    kept, copies = fold_copies(
        once,
        words=lambda key: board.pool.found[key].words,
        same=asked.policy.near_copy,
        group=lambda key: key[0],
    )
    gone = [key for key in asked_for[: _depth(asked)] if key in over]
    place_of = {key: place for place, key in enumerate(kept)} | {
        key: place for place, keys in copies.items() for key in keys
    }
    for place, keys in together.items():
        copies.setdefault(place_of[once[place]], []).extend(keys)
    return Order(kept=kept, copies=copies, over=gone, beyond=wanted[folded:])


def _told_together(ranked: Ranked) -> Callable[[Key], Hashable | None]:
    """What is the same of facts of one sentence, which read alike; nothing of a step of a path, of what is disputed, nor of
    what stands otherwise."""
    walked, at = ranked.findings.walked, ranked.asked.marked_at
    steps = {step.fact for path in walked.paths.values() if len(path) > 1 for step in path}
    steps.update(fact.id for fact in walked.sure)

    def told(key: Key) -> Hashable | None:
        fact = ranked.board.pool.found[key].memory
        if not isinstance(fact, Fact) or fact.id in steps or fact.conflicts_with or fact.pinned or not fact.evidence:
            return None
        quotes = frozenset((quote.episode, quote.quote) for quote in fact.evidence)
        return fact.kind, fold(fact.text), quotes, fact.status_at(at), fact.is_guess, fact.scope, fact.wall

    return told


def _depth(asked: Asked) -> int:
    return max(asked.request.limit, MAX_RANKED_EPISODES) + _NEAR_MISSES


async def present(reader: Reader, ranked: Ranked, used: Sequence[Found]) -> Recall:
    """The answer to a question whose candidates have their scores; `used` are memories lately used, the latest first."""
    asked, board, findings = ranked.asked, ranked.board, ranked.findings
    policy, depth = asked.policy, _depth(asked)
    order = put_in_order(ranked)
    copies = order.copies
    hits = [_hit(asked, board, findings, key, copies.get(place, ())) for place, key in enumerate(order.kept[:depth])]
    if Kind.ENTITY in asked.request.kinds:
        everything = rank(asked, board, findings)
        hits = among(hits, await entity_hits(reader, ranked, everything, limit=depth))
    if asked.request.known_at is not None:
        hits = await _as_known(reader, hits, asked.request.known_at)
    shown = hits[: asked.request.limit]
    omitted = [
        *(Omitted(id=id, reason="superseded", kind=kind) for kind, id in order.over),
        *(Omitted(id=hit.id, reason="limit", kind=hit.kind) for hit in hits[len(shown) : len(shown) + _NEAR_MISSES]),
        *(
            Omitted(id=id, reason="duplicate", kind=kind)
            for place in range(len(shown))
            for kind, id in copies.get(place, ())
        ),
        *hidden_by_status(asked, board),
    ]
    return Recall(
        hits=tuple(shown),
        recent=_recent(asked, used, {hit.id for hit in shown}, limit=policy.recent),
        omitted=tuple(omitted),
        degraded=asked.degraded,
        episodes=tuple(
            ranked_episodes(hits, later=_behind(asked, board, findings), apart={id for _, id in findings.apart})
        ),
        empty="" if shown else looked_at(asked, candidates=len(board.parts)),
        trace=trace_of(ranked, hits=shown, omitted=omitted),
    )


def _behind(asked: Asked, board: Board, findings: Findings) -> frozenset[EpisodeId]:
    """Episodes that stand behind because what they tell no longer holds, or not yet."""
    announced = frozenset() if asked.question.looks_ahead else findings.standing.ahead | findings.sentences.ahead
    return announced.union(
        EpisodeId(key[1])
        for key, parts in board.parts.items()
        if key[0] is Kind.EPISODE and min(parts.get("superseded", 0.0), parts.get("older", 0.0)) < 0
    )


async def _as_known(reader: Reader, hits: Sequence[Hit], known_at: datetime) -> list[Hit]:
    """The hits without evidence that was heard of later: a fact's evidence goes on growing after its version began."""
    cited = list(dict.fromkeys(quote.episode for hit in hits for quote in hit.evidence))
    known = {e.id for e in await reader.episodes(cited) if e.recorded_at <= known_at}
    return [replace(hit, evidence=tuple(q for q in hit.evidence if q.episode in known)) for hit in hits]


def rank(asked: Asked, board: Board, findings: Findings) -> list[Key]:
    """The steps of a sure walk, then all candidates by score.

    The first get what they lack in score as their part for the graph. Rivals among turns come newest first where the
    question asks for one present value.
    """
    order = board.in_order()
    if asked.question.wants_now and asked.question.lang != "zh":
        order = _newest_turns_first(asked, board, order)
    order = news_first(asked, board, order)
    first = findings.first
    rest = _after_their_evidence(board, [key for key in order if key not in set(first)], findings.apart)
    best = board.score(rest[0]) if rest else 0.0
    for place, key in enumerate(first):
        board.add(key, "graph", max(0.0, best + _AHEAD * (len(first) - place) - board.score(key)))
    return _without_echo(asked, board, guesses_last(board, [*first, *rest], asked.marked_at))


def guesses_last(board: Board, order: Sequence[Key], at: datetime) -> list[Key]:
    """The same order, with each fact before the guesses about its slot: what somebody said before what somebody supposed."""
    held = {(f.kind, str(f.id)): f for f in board.pool.facts() if f.status_at(at) is Status.CURRENT}
    said: dict[str, list[Key]] = defaultdict(list)
    for key in order if any(fact.is_guess for fact in held.values()) else ():
        if key in held and not held[key].is_guess:
            for place in places_of(held[key]):
                said[place].append(key)
    if not said:
        return list(order)
    out: dict[Key, None] = {}
    for key in order:
        if key in held and held[key].is_guess:
            out |= dict.fromkeys(one for place in places_of(held[key]) for one in said.get(place, ()))
        out[key] = None
    return list(out)


def _without_echo(asked: Asked, board: Board, order: list[Key]) -> list[Key]:
    """The same order, with what only asks the same word for word behind everything that was compared: it answers nothing."""
    if not is_question(asked.question.text):
        return order
    asks = fold(asked.question.text)
    echo = {key for key in order if key[0] is Kind.EPISODE and fold(board.pool.found[key].memory.text) == asks}
    return [*(key for key in order if key not in echo), *(key for key in order if key in echo)] if echo else order


def _after_their_evidence(board: Board, order: Sequence[Key], apart: Collection[Key]) -> list[Key]:
    """The same order, but a fact waits for the first episode that tells it: what moves the episode moves the fact. Those
    `apart` do not: their episode stands back for something else that it tells."""
    told_by = {
        (fact.kind, str(fact.id)): {k for q in fact.evidence if (k := episode_key(q.episode)) in board.parts}
        for fact in board.pool.facts()
    }
    out: dict[Key, None] = {}
    waiting: dict[Key, list[Key]] = {}
    for key in order:
        evidence = told_by.get(key, set())
        if evidence and key not in apart and not any(k in out for k in evidence):
            for k in evidence:
                waiting.setdefault(k, []).append(key)
            continue
        out[key] = None
        for fact in waiting.pop(key, ()):
            out.setdefault(fact)
    return [*out, *(key for key in order if key not in out)]


def _newest_turns_first(asked: Asked, board: Board, order: list[Key]) -> list[Key]:
    """Only turns of conversations: other memories say when they held, and their slots decide."""
    policy, episodes = board.given.policy, board.episodes()
    turns = [key for key in order if (e := episodes.get(key[1])) and is_chat(e)]  # type: ignore[call-overload]
    around = ("neighbours", "session")
    sorted_turns = iter(
        newest_first(
            turns,
            score=lambda key: board.score(key) - sum(board.parts[key].get(part, 0.0) for part in around),
            told_at=lambda key: episodes[key[1]].occurred_at,  # type: ignore[index]
            alike=lambda a, b: word_likeness(
                board.pool.found[a].words, board.pool.found[b].words, asked.statistics.idf
            ),
            threshold=policy.rivals_alike,
            close=policy.rivals_close,
            depth=policy.rivals_depth,
        )
    )
    places = set(turns)
    return [next(sorted_turns) if key in places else key for key in order]


def _hit(asked: Asked, board: Board, findings: Findings, key: Key, copies: Sequence[Key]) -> Hit:
    """The hit of a memory; its copies are evidence as much as it is."""
    found = board.pool.found[key]
    scored = Scored(memory=found.memory, parts=board.parts[key], path=findings.walked.paths.get(key, ()))
    hit = _with_standing(hit_of(scored, at=asked.marked_at, copies=len(copies)), asked, findings)
    told = [EpisodeId(id) for kind, id in copies if kind is Kind.EPISODE]
    return replace(hit, evidence=(*hit.evidence, *(Quote(episode=id) for id in told))) if told else hit


def _with_standing(hit: Hit, asked: Asked, findings: Findings) -> Hit:
    """An episode's hit with what the facts that it tells say of it."""
    standing = findings.standing
    if not isinstance(hit.memory, Episode) or hit.memory.archived:
        return hit
    if hit.memory.id in standing.wrong:
        return replace(hit, status=Status.REJECTED)
    if hit.memory.id in standing.ended:
        return replace(hit, superseded=True, status=Status.SUPERSEDED)
    if hit.memory.id in standing.begins:
        return replace(hit, status=Status.FUTURE, valid_at=standing.begins[hit.memory.id])
    # What will be over on a day ahead is not over.
    if hit.superseded and asked.marked_at < asked.filter.clocks.as_of:
        return replace(hit, superseded=False, status=Status.CURRENT)
    return hit


def _recent(asked: Asked, used: Sequence[Found], shown: set[str], *, limit: int) -> tuple[Hit, ...]:
    fresh = [found for found in used if _is_other(found, shown, asked)]
    return tuple(hit_of(Scored(memory=f.memory, parts={}), at=asked.marked_at) for f in fresh[:limit])


def _is_other(found: Found, shown: set[str], asked: Asked) -> bool:
    kinds = asked.request.kinds
    return found.memory.id not in shown and (not kinds or kind_of(found.memory) in kinds)
