"""One step over a day: from what a question tells of to what else was on that day ("on the day that X was announced", 当天)."""

from __future__ import annotations

import math
from datetime import date
from typing import Final

from muniment.engine.ingest.terms import query_terms
from muniment.engine.rank.board import Board, episode_key, is_chat
from muniment.engine.retrieve.days import named_days
from muniment.engine.retrieve.question import Question
from muniment.graph_schema.ids import EpisodeId
from muniment.graph_schema.records import Episode

_FROM: Final = 2  # of the best memories
_LOOKED_AT: Final = 40  # memories with the words of a day
_CLOSE: Final = 0.8  # a second start has at least this share of the best one's score


async def hop_over_days(board: Board, question: Question) -> None:
    """Lets memories that name the day of one of the best share in its score, the less the more of them there are.

    The day is the first that the text names with its year. Turns of conversations lead nowhere: their day is that of the talk.
    """
    scores, episodes = board.episode_scores(), board.episodes()
    best = [id for id in board.best_first(scores) if not is_chat(episodes[id]) and scores[id] > 0][:_FROM]
    best = [id for id in best if scores[id] >= _CLOSE * scores[best[0]]]
    starts = {id: found for id in best if (found := _day(episodes[id]))}
    for words in dict.fromkeys(words for _, words in starts.values()):
        await board.pool.search_words(query_terms(words), limit=_LOOKED_AT)
    board.refresh()
    of_day: dict[date, list[EpisodeId]] = {}
    for id, episode in board.episodes().items():
        for day in named_days(episode.text):
            of_day.setdefault(day, []).append(id)
    for start, (day, _) in starts.items():
        others = [id for id in of_day.get(day, ()) if id != start]
        gain = board.given.policy.hop * scores[start] / (1 + math.log(max(1, len(others))))
        for id in others:
            board.add(episode_key(id), "day", gain)


def _day(episode: Episode) -> tuple[date, str] | None:
    """The day that an episode is about, with the words that name it."""
    return next(iter(named_days(episode.text).items()), None)
