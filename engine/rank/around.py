"""What stands around a turn of a conversation: the turn before, the turn after, the rest of the thread."""

from __future__ import annotations

from typing import Final

from muniment.engine.ingest.windows import count_words
from muniment.engine.ports.search import Neighbours, ReadFilter
from muniment.engine.ports.store import Reader
from muniment.engine.rank.board import Board, episode_key, is_chat
from muniment.graph_schema.ids import EpisodeId
from muniment.graph_schema.records import Episode

_LOOKED_AT: Final = 200  # turns whose neighbours are fetched: a turn below lends too little to lift another into sight
_TYPICAL_NEIGHBOURS: Final = 0.2  # what a turn gets from its neighbours, as a share of its own score
_PICTURE: Final = " [picture:"


async def add_neighbours(board: Board, reader: Reader, filter: ReadFilter) -> None:
    """Lets turns share in the scores of their neighbours and of the best turn of their thread.

    An answer follows its question, so a turn gets more from one before it that asks. Long turns need it less.
    """
    policy = board.given.policy
    chat = [id for id, episode in board.episodes().items() if is_chat(episode)]
    if not chat:
        return
    scores = board.episode_scores()
    near = dict(await reader.neighbours(board.best_first(scores, chat)[:_LOOKED_AT], filter))
    await board.pool.want_episodes(id for pair in near.values() for id in (pair.previous, pair.next) if id)
    board.refresh()
    episodes = {id: episode for id, episode in board.episodes().items() if is_chat(episode)}
    scores = board.episode_scores()
    _complete(near)
    threads: dict[str, float] = {}
    for id, episode in episodes.items():
        threads[episode.thread] = max(threads.get(episode.thread, -9.0), scores[id])
    for id, episode in episodes.items():
        need = min(1.0, policy.neighbour_words / max(1, _words(episode.text)))
        pair = near.get(id, Neighbours())
        gain = 0.0
        if pair.previous is not None and pair.previous in episodes:
            asks = _asks(episodes[pair.previous])
            gain += (policy.previous_question if asks else policy.previous) * scores[pair.previous]
        if pair.next is not None and pair.next in episodes:
            gain += policy.next * scores[pair.next]
        # Divided by what a good turn gets on the whole, so that turns and notes stay on one scale.
        whole = 1.0 + policy.thread + _TYPICAL_NEIGHBOURS
        board.add(episode_key(id), "neighbours", need * gain / whole)
        board.add(
            episode_key(id), "session", (scores[id] + policy.thread * threads[episode.thread]) / whole - scores[id]
        )


def _complete(near: dict[EpisodeId, Neighbours]) -> None:
    """A turn that was fetched as a neighbour has the one that it was fetched for on its other side."""
    for id, pair in list(near.items()):
        if pair.previous and pair.previous not in near:
            near[pair.previous] = Neighbours(next=id)
        if pair.next:
            before = near.get(pair.next)
            if before is None:
                near[pair.next] = Neighbours(previous=id)
            elif before.previous is None:
                near[pair.next] = Neighbours(previous=id, next=before.next)


def _words(text: str) -> int:
    return text.count(" ") + 1 if text.isascii() else count_words(text)


def _asks(episode: Episode) -> bool:
    return episode.text.split(_PICTURE)[0].rstrip().endswith(("?", "？"))
