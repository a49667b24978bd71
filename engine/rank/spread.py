"""Personalised PageRank over the tenant's neighbourhood of a question: names, and the episodes that mention them.

The walk starts at the names of the question and at the best episodes (Haveliwala 2002; over a graph of names and passages as
in HippoRAG, Gutiérrez et al. 2024). The neighbourhood is bounded, and names that stand in very many episodes are no part of
it. Off by default: `docs/recall.md` says what it is worth.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from muniment.engine.rank.board import Board, episode_key
from muniment.engine.retrieve.names import Holders, NameLinks
from muniment.graph_schema.ids import EntityId, EpisodeId

_STARTS: Final = 12  # of the best episodes
_NAMES: Final = 120  # of one round, the rarest first
_EPISODES: Final = 300
_ROUNDS: Final = 2
_DAMPING: Final = 0.5  # of what stands on a node goes on; the rest goes back to where the walk began
_STEPS: Final = 20  # 0.5 to this power is below a millionth
_TITLE: Final = 2.0  # an edge to an episode that is about the name counts as so many mentions
_OWN: Final = 0.5  # of the beginning lies on the names of the question, where it has any


async def spread(board: Board, links: NameLinks, asked: frozenset[EntityId]) -> None:
    """Gives the episodes of the neighbourhood, but for those where the walk begins, the part `spread`: their rank as a share of
    the best one's, times the policy's weight and the best score."""
    policy = board.given.policy
    scores = board.episode_scores()
    starts = [id for id in board.best_first(scores)[:_STARTS] if scores[id] > 0]
    graph = await _neighbourhood(links, asked, starts, most=policy.hop_max_mentions)
    if not starts or not graph:
        return
    begin = {id: max(0.0, scores[id]) for id in starts}
    ranks = ranked(graph, names=dict.fromkeys(asked, 1.0), episodes=begin)
    ranks = {id: value for id, value in ranks.items() if id not in begin}  # where a walk begins most of it stays
    best = max(ranks.values(), default=0.0)
    await board.pool.want_episodes(ranks)
    board.refresh()
    top = scores[starts[0]]
    for id, value in ranks.items():
        board.add(episode_key(id), "spread", policy.spread * top * value / best if best else 0.0)


async def _neighbourhood(
    links: NameLinks, asked: frozenset[EntityId], starts: list[EpisodeId], *, most: int
) -> dict[EntityId, Holders]:
    """The names around, each with the episodes that hold it; those that most of the tenant mentions lead nowhere."""
    graph: dict[EntityId, Holders] = {}
    episodes, new = list(starts), sorted(asked)
    for _ in range(_ROUNDS):
        names = await links.names_of(episodes)
        new += [name for episode in episodes for name in names[episode]]
        holders = await links.holders_of(name for name in new if name not in graph)
        near = sorted((h.count, name) for name, h in holders.items() if 1 < h.count <= most)[:_NAMES]
        graph |= {name: holders[name] for _, name in near}
        seen = {e for h in graph.values() for e in (*h.titled, *h.mentioned)}
        episodes, new = sorted(seen - set(episodes))[:_EPISODES], []
    return graph


def ranked(
    graph: Mapping[EntityId, Holders], *, names: Mapping[EntityId, float], episodes: Mapping[EpisodeId, float]
) -> dict[EpisodeId, float]:
    """The PageRank of each episode, from a beginning that lies on some names and episodes."""
    place: dict[str, int] = {}
    edges: list[tuple[int, int, float]] = []
    for name, holders in graph.items():
        own = place.setdefault(name, len(place))
        for weight, ids in ((_TITLE, holders.titled), (1.0, holders.mentioned)):
            # A name that stands in many episodes says less of each of them.
            rarity = weight / (1 + math.log(max(1, holders.count)))
            edges += [(own, place.setdefault(id, len(place)), rarity) for id in ids]
    for id in episodes:
        place.setdefault(id, len(place))
    begin = _share({place[n]: w for n, w in names.items() if n in place}, len(place))
    told = _share({place[e]: w for e, w in episodes.items()}, len(place))
    begin = told if not begin.any() else _OWN * begin + (1 - _OWN) * told
    rank = _walked(len(place), edges, begin)
    return {id: float(rank[place[id]]) for id in {EpisodeId(k) for k in place} - {EpisodeId(n) for n in graph}}


def _share(weights: Mapping[int, float], size: int) -> NDArray[np.float64]:
    out = np.zeros(size)
    for at, weight in weights.items():
        out[at] = weight
    return np.asarray(out / out.sum() if out.sum() > 0 else out)


def _walked(size: int, edges: list[tuple[int, int, float]], begin: NDArray[np.float64]) -> NDArray[np.float64]:
    if not edges:
        return begin
    one, other, weight = (np.asarray(column) for column in zip(*edges, strict=True))
    source, target = np.concatenate([one, other]), np.concatenate([other, one])
    weights = np.concatenate([weight, weight])
    out = np.bincount(source, weights=weights, minlength=size)
    share = weights / out[source]
    rank = begin
    for _ in range(_STEPS):
        rank = (1 - _DAMPING) * begin + _DAMPING * np.bincount(target, weights=share * rank[source], minlength=size)
    return rank
