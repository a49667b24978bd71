"""News first: of two notes that tell of one thing about equally well, the later one that tells of a change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from muniment.engine.extract.change.wordlists import change_words
from muniment.engine.rank.asked import Asked
from muniment.engine.rank.board import Board, is_chat
from muniment.engine.rank.rivals import word_likeness
from muniment.engine.rank.sentences import asks_course
from muniment.engine.rank.walked import asks_history
from muniment.engine.retrieve.pool import Key
from muniment.graph_schema.records import Episode, EpisodeKind

_LOOKED_AT: Final = 8  # notes from the best on
_LATER: Final = 6  # of which so many may come forward


def news_first(asked: Asked, board: Board, order: Sequence[Key]) -> list[Key]:
    """`order` with each such note before the earlier one that it comes up to.

    Both are notes or mails, the later one has words of change and none of doubt, holds as far as its facts and sentences tell,
    and has `rivals_close` of the other's score and `rivals_alike` of its words. Only where the question asks for the
    present: a moment that was given, a course of things or what is to come is told by dates.
    """
    out = list(order)
    if asked.request.as_of is not None or asked.question.time.day is not None or asked.question.looks_ahead:
        return out
    if asks_history(asked) or asks_course(asked):
        return out
    policy, episodes = board.given.policy, board.episodes()
    notes = [key for key in order if (e := episodes.get(key[1])) and _is_note(e)][:_LOOKED_AT]  # type: ignore[call-overload]
    for later in notes[1:_LATER]:
        told: Episode = episodes[later[1]]  # type: ignore[index]
        if not _tells_change(told.text, asked.question.lang) or _stands_back(board, later):
            continue
        for key in notes:
            before = episodes[key[1]].occurred_at < told.occurred_at  # type: ignore[index]
            near = board.score(later) >= policy.rivals_close * board.score(key)
            if before and near and out.index(key) < out.index(later) and _alike(asked, board, key, later):
                out.remove(later)
                out.insert(out.index(key), later)
                break
    return out


def _is_note(episode: Episode) -> bool:
    """Not a turn of talk, which has an order of its own, nor a part of a collection, which tells of no change."""
    return not is_chat(episode) and not (episode.kind is EpisodeKind.DOCUMENT and episode.title)


def _tells_change(text: str, lang: str) -> bool:
    words = change_words(lang)
    return words.changes.search(text) is not None and words.doubts.search(text) is None


def _stands_back(board: Board, key: Key) -> bool:
    parts = board.parts[key]
    return min(parts.get("superseded", 0.0), parts.get("older", 0.0)) < 0


def _alike(asked: Asked, board: Board, one: Key, other: Key) -> bool:
    found = board.pool.found
    return word_likeness(found[one].words, found[other].words, asked.statistics.idf) >= board.given.policy.rivals_alike
