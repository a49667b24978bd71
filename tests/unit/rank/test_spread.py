"""PageRank from the names of a question and its best episodes: against the linear system that it solves."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from muniment.engine.rank.spread import ranked
from muniment.engine.retrieve.names import Holders
from muniment.graph_schema.ids import EntityId, EpisodeId


def held(*episodes: str, titled: tuple[str, ...] = (), count: int = 0) -> Holders:
    mentioned = tuple(map(EpisodeId, episodes))
    return Holders(
        titled=tuple(map(EpisodeId, titled)), mentioned=mentioned, count=count or len(episodes) + len(titled)
    )


@pytest.mark.parametrize("seed", range(5))
def test_ranks_solve_the_equation_of_pagerank(seed: int) -> None:
    rng = random.Random(seed)
    episodes = [f"e{n}" for n in range(12)]
    graph = {EntityId(f"n{n}"): held(*rng.sample(episodes, rng.randint(2, 5))) for n in range(6)}
    begin = {EpisodeId("e0"): 2.0, EpisodeId("e5"): 1.0}
    found = ranked(graph, names={EntityId("n1"): 1.0}, episodes=begin)

    nodes = [*graph, *{e for h in graph.values() for e in h.mentioned} | begin.keys()]
    at = {node: place for place, node in enumerate(nodes)}
    weight = np.zeros((len(nodes), len(nodes)))
    for name, holders in graph.items():
        for episode in holders.mentioned:
            weight[at[name], at[episode]] = weight[at[episode], at[name]] = 1 / (1 + math.log(holders.count))
    start = np.zeros(len(nodes))
    start[at[EntityId("n1")]], start[at[EpisodeId("e0")]], start[at[EpisodeId("e5")]] = 1 / 2, 1 / 3, 1 / 6
    step = weight / np.maximum(weight.sum(axis=1, keepdims=True), 1e-12)
    wanted = np.linalg.solve(np.eye(len(nodes)) - 0.5 * step.T, 0.5 * start)
    for episode in {e for h in graph.values() for e in h.mentioned}:
        assert found[episode] == pytest.approx(wanted[at[episode]], abs=1e-5)


def test_near_and_rare_names_give_more() -> None:
    graph = {
        EntityId("rare"): held("start", "by-rare"),
        EntityId("common"): held("start", "by-common", *(f"other{n}" for n in range(8))),
        EntityId("next"): held("by-rare", "two-away"),
    }
    found = ranked(graph, names={}, episodes={EpisodeId("start"): 1.0})
    assert found[EpisodeId("start")] > found[EpisodeId("by-rare")] > found[EpisodeId("two-away")] > 0
    assert found[EpisodeId("by-rare")] > found[EpisodeId("by-common")]


def test_nothing_leads_anywhere_without_names() -> None:
    assert ranked({}, names={EntityId("n"): 1.0}, episodes={EpisodeId("e"): 1.0}) == {EpisodeId("e"): 1.0}
