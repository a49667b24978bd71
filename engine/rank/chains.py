"""Chains of notes: several steps over shared names, for notes that have no titles and tell one thing each.

A step earns by the rarity of the name, and by how much the new note meets what the path has not met of the question.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from muniment.engine.rank.board import Board, episode_key, is_chat
from muniment.engine.rank.sentences import NO_SENTENCES, Sentences
from muniment.engine.retrieve.names import NameLinks
from muniment.graph_schema.ids import EntityId, EpisodeId

_BASE = 0.7  # what a step is worth when the new note meets nothing of the rest of the question


@dataclass(frozen=True, slots=True)
class _Path:
    score: float
    episodes: tuple[EpisodeId, ...]
    used: frozenset[EntityId]
    left: Mapping[str, float]  # the question's terms that no note of the path has, with their weights


async def chain_over_names(
    board: Board,
    links: NameLinks,
    asked: frozenset[EntityId],
    *,
    rounds: int,
    closed: frozenset[EpisodeId] = frozenset(),
    sentences: Sentences = NO_SENTENCES,
) -> None:
    """Lifts notes to the score of the best chain that reaches them.

    `closed` ones are never left from, nor are names that a note has in closed `sentences` only; a step to a note that does not
    hold goes to the one that holds instead.
    """
    policy = board.given.policy
    scores, episodes = board.episode_scores(), board.episodes()
    told = [id for id in board.best_first(scores) if not is_chat(episodes[id]) and scores[id] > 0]
    starts = told[: policy.chain_from]
    paths = [_Path(scores[id], (id,), frozenset(), _without(board, id, board.given.weights)) for id in starts]
    best: dict[EpisodeId, float] = {}
    for _ in range(min(rounds, policy.chain_rounds)):
        open_paths = [path for path in paths if path.episodes[-1] not in closed]
        reached = await _step(board, links, asked, open_paths, sentences)
        for id, path in reached.items():
            best[id] = max(best.get(id, 0.0), path.score)
        paths = sorted(reached.values(), key=lambda p: (-p.score, p.episodes))[: policy.chain_width]
        if not paths:
            break
    for id, score in best.items():
        board.add(episode_key(id), "names", max(0.0, score - board.score(episode_key(id))))


async def _step(
    board: Board, links: NameLinks, asked: frozenset[EntityId], paths: Sequence[_Path], sentences: Sentences
) -> dict[EpisodeId, _Path]:
    policy = board.given.policy
    names = await links.names_of(path.episodes[-1] for path in paths)
    shut = {id: await links.grouped(sentences.shut.get(id, ())) for id in {path.episodes[-1] for path in paths}}
    about = {id: await links.grouped(sentences.about[id]) for id in sentences.down}
    open_names = [
        [n for n in names[path.episodes[-1]] if n not in asked | path.used | shut[path.episodes[-1]]] for path in paths
    ]
    holders = await links.holders_of(n for found in open_names for n in found)
    near = {n: h for n, h in holders.items() if 1 < h.count <= policy.hop_max_mentions}
    await board.pool.want_episodes(e for h in near.values() for e in (*h.titled, *h.mentioned))
    board.refresh()
    scores = board.episode_scores()
    reached: dict[EpisodeId, _Path] = {}
    for path, path_names in zip(paths, open_names, strict=True):
        for name in path_names:
            if name not in near:
                continue
            link = 1 / (1 + policy.chain_rarity * math.log(max(1, near[name].count - 1)))
            for target in _holding((*near[name].titled, *near[name].mentioned), name, about, sentences):
                if target in path.episodes or target not in scores:
                    continue
                met = _met(board, target, path.left)
                score = path.score * policy.chain_decay * link * (_BASE + (1 - _BASE) * met)
                score += policy.chain_own * max(0.0, scores[target])
                if target not in reached or score > reached[target].score:
                    left = _without(board, target, path.left)
                    reached[target] = _Path(score, (*path.episodes, target), path.used | {name}, left)
    return reached


def _holding(
    targets: Iterable[EpisodeId], name: EntityId, about: Mapping[EpisodeId, frozenset[EntityId]], sentences: Sentences
) -> Iterator[EpisodeId]:
    """The notes, and beside one in which the name stands in what does not hold those that tell what does."""
    for target in targets:
        yield target
        if name in about.get(target, ()):
            yield from sentences.instead.get(target, ())


def _words(board: Board, id: EpisodeId) -> frozenset[str]:
    return frozenset(board.pool.found[episode_key(id)].words.split(" "))


def _without(board: Board, id: EpisodeId, weights: Mapping[str, float]) -> Mapping[str, float]:
    words = _words(board, id)
    return {term: weight for term, weight in weights.items() if term not in words}


def _met(board: Board, id: EpisodeId, left: Mapping[str, float]) -> float:
    """The share of what is left of the question that the note has, in [0, 1]."""
    whole = sum(left.values())
    if whole <= 0:
        return 0.0
    words = _words(board, id)
    return min(1.0, 2 * sum(weight for term, weight in left.items() if term in words) / whole)
