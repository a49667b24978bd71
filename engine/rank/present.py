"""From scored candidates to the answer: order, rivals, copies, limits, the recently used, and the trace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from muniment.engine.ports.search import Found
from muniment.engine.ports.store import Reader
from muniment.engine.rank.answer import MAX_RANKED_EPISODES, Recall, ranked_episodes
from muniment.engine.rank.asked import Asked
from muniment.engine.rank.board import Board, is_chat
from muniment.engine.rank.diversity import fold_copies
from muniment.engine.rank.hits import Hit, Omitted, PathStep, Scored, hit_of, kind_of
from muniment.engine.rank.rivals import newest_first, word_likeness
from muniment.engine.rank.trace import trace_of
from muniment.engine.retrieve.pool import Key

_NEAR_MISSES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Memories in order, best first, with the paths that lead to some of them."""

    order: Sequence[Key]
    paths: dict[Key, tuple[PathStep, ...]] = field(default_factory=dict)


async def present(reader: Reader, asked: Asked, board: Board) -> Recall:
    """The answer to a question whose candidates have their scores."""
    ranking = rank(asked, board)
    policy = board.given.policy
    depth = max(asked.request.limit, MAX_RANKED_EPISODES) + _NEAR_MISSES
    wanted = [key for key in ranking.order if not asked.request.kinds or key[0] in asked.request.kinds]
    kept, copies, dropped = fold_copies(
        wanted[: 2 * depth],
        words=lambda key: board.pool.found[key].words,
        same=policy.near_copy,
        group=lambda key: key[0],
    )
    hits = [_hit(asked, board, ranking, key, copies.get(place, 0)) for place, key in enumerate(kept[:depth])]
    shown = hits[: asked.request.limit]
    omitted = [
        *(Omitted(id=hit.id, reason="limit", kind=hit.kind) for hit in hits[len(shown) : len(shown) + _NEAR_MISSES]),
        *(Omitted(id=id, reason="duplicate", kind=kind) for kind, id in dropped[:_NEAR_MISSES]),
    ]
    return Recall(
        hits=tuple(shown),
        recent=await _recent(reader, asked, {hit.id for hit in shown}, limit=policy.recent),
        omitted=tuple(omitted),
        degraded=asked.degraded,
        episodes=tuple(ranked_episodes(hits)),
        trace=trace_of(asked, board, hits=shown, omitted=omitted),
    )


def rank(asked: Asked, board: Board) -> Ranking:
    """All candidates by score, ties by id; rivals newest first where the question asks for one present value."""
    order = sorted(board.parts, key=lambda key: (-board.score(key), key[1]))
    if asked.question.wants_now and asked.question.lang != "zh":
        order = _newest_turns_first(asked, board, order)
    return Ranking(order=order)


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


def _hit(asked: Asked, board: Board, ranking: Ranking, key: Key, copies: int) -> Hit:
    found = board.pool.found[key]
    scored = Scored(memory=found.memory, parts=board.parts[key], path=ranking.paths.get(key, ()))
    return hit_of(scored, at=asked.filter.clocks.as_of, copies=copies)


async def _recent(reader: Reader, asked: Asked, shown: set[str], *, limit: int) -> tuple[Hit, ...]:
    if not limit:
        return ()
    rows = await reader.recently_used(asked.filter, limit=limit + len(shown))
    fresh = [found for _, found in rows if _is_other(found, shown, asked)]
    return tuple(hit_of(Scored(memory=f.memory, parts={}), at=asked.filter.clocks.as_of) for f in fresh[:limit])


def _is_other(found: Found, shown: set[str], asked: Asked) -> bool:
    kinds = asked.request.kinds
    return found.memory.id not in shown and (not kinds or kind_of(found.memory) in kinds)
