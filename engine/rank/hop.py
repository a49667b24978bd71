"""One step over names: from the best passages to those about, or mentioning, what they name.

The step of HippoRAG-like graphs (Gutiérrez et al. 2024) without PageRank, which did worse here: a name of one of the
best passages lends its score to the passages with that title, and less to those that mention it. Of the passages that a
name leads to those are more likely meant that have the words of the question which the first one lacks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from muniment.engine.rank.board import Board, episode_key, is_chat
from muniment.engine.rank.rest import Rest
from muniment.engine.retrieve.names import Holders, NameLinks
from muniment.graph_schema.ids import EntityId, EpisodeId


async def title_lifts(links: NameLinks, titles: Sequence[frozenset[EntityId]], weight: float) -> dict[EpisodeId, float]:
    """What episodes about the named things earn by it, the less the more of one title there are."""
    holders = await links.holders_of(sorted(frozenset().union(*titles)))
    lifts: dict[EpisodeId, float] = {}
    for entities in titles:
        titled = dict.fromkeys(episode for id in sorted(entities) for episode in holders[id].titled)
        for episode in titled:
            lifts[episode] = lifts.get(episode, 0.0) + weight / math.sqrt(len(titled))
    return lifts


async def hop_over_names(board: Board, links: NameLinks, asked: frozenset[EntityId]) -> None:
    """From the best passages one step over each name that the question does not have itself; the best way counts."""
    policy = board.given.policy
    scores, episodes = board.episode_scores(), board.episodes()
    best = [id for id in board.best_first(scores) if not is_chat(episodes[id])][: policy.hop_from]
    best = [id for id in best if scores[id] > 0]
    named = await links.names_of(best)
    proper = await links.proper(name for found in named.values() for name in found if name not in asked)
    names = {start: [name for name in named[start] if name in proper] for start in best}
    holders = await links.holders_of(proper)
    titled = await links.titled_alike(proper)
    reached = {
        start: [link for name in names[start] for link in _links(holders[name], titled[name], policy.hop_max_mentions)]
        for start in best
    }
    await board.pool.want_episodes(dict.fromkeys(target for found in reached.values() for target, _ in found))
    board.refresh()
    rest, gains = Rest(board), dict[EpisodeId, float]()
    for start, found in reached.items():
        for target, strength in found:
            if target != start and (episode_key(target) in board.parts):
                gain = scores[start] * strength * (1 + policy.hop_rest * rest.share(start, target))
                gains[target] = max(gains.get(target, 0.0), gain)
    threads = {id: episode.thread for id, episode in board.episodes().items()}
    own = {threads[id] for id in best if threads[id]}
    for target, gain in gains.items():
        if threads.get(target) not in own:
            board.add(episode_key(target), "names", policy.hop * gain)


def _links(holders: Holders, alike: Sequence[EpisodeId], max_mentions: int) -> list[tuple[EpisodeId, float]]:
    titled = dict.fromkeys((*holders.titled, *alike))
    out = [(episode, 1 / math.sqrt(len(titled))) for episode in titled]
    if holders.count <= max_mentions:
        rarity = 1 / (1 + math.log(max(1, holders.count)))
        out += [(episode, rarity) for episode in holders.mentioned]
    return out
