"""One step over names: from the best passages to those about, or mentioning, what they name.

The step of HippoRAG-like graphs (Gutiérrez et al. 2024) without PageRank, which did worse here: a name of one of the
best passages lends its score to the passages with that title, and less to those that mention it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from muniment.engine.rank.board import Board, best_first, episode_key, is_chat
from muniment.engine.retrieve.names import Holders, NameLinks
from muniment.graph_schema.ids import EntityId, EpisodeId


async def title_lifts(links: NameLinks, asked: Iterable[EntityId], weight: float) -> dict[EpisodeId, float]:
    """What episodes about the named things earn by it, the less the more of them there are."""
    holders = await links.holders_of(asked)
    lifts: dict[EpisodeId, float] = {}
    for found in holders.values():
        for episode in found.titled:
            lifts[episode] = lifts.get(episode, 0.0) + weight / math.sqrt(len(found.titled))
    return lifts


async def hop_over_names(board: Board, links: NameLinks, asked: frozenset[EntityId]) -> None:
    """From the best passages one step over each name that the question does not have itself; the best way counts."""
    policy = board.given.policy
    scores, episodes = board.episode_scores(), board.episodes()
    best = [id for id in best_first(scores) if not is_chat(episodes[id])][: policy.hop_from]
    best = [id for id in best if scores[id] > 0]
    names = await links.names_of(best)
    holders = await links.holders_of(name for found in names.values() for name in found if name not in asked)
    gains: dict[EpisodeId, float] = {}
    for start in best:
        for name in names[start]:
            if name in asked:
                continue
            for target, strength in _links(holders[name], policy.hop_max_mentions):
                if target != start:
                    gains[target] = max(gains.get(target, 0.0), scores[start] * strength)
    await board.pool.want_episodes(gains)
    board.refresh()
    threads = {id: episode.thread for id, episode in board.episodes().items()}
    own = {threads[id] for id in best if threads[id]}
    for target, gain in gains.items():
        if threads.get(target) not in own:
            board.add(episode_key(target), "names", policy.hop * gain)


def _links(holders: Holders, max_mentions: int) -> list[tuple[EpisodeId, float]]:
    out = [(episode, 1 / math.sqrt(len(holders.titled))) for episode in holders.titled]
    if holders.count <= max_mentions:
        rarity = 1 / (1 + math.log(max(1, holders.count)))
        out += [(episode, rarity) for episode in holders.mentioned]
    return out
