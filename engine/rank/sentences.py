"""Notes whose sentence that is asked for no longer holds, or not yet: told by the successions kept at writing.

A closing told by words only demotes, it never hides, and only where the later sentence meets the question about as well as
the earlier one. What holds instead gets the place that the closed one had, in chains too.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

import numpy as np

from muniment.engine.extract.change.kept import (
    CORRECTED,
    KeptNote,
    Key,
    Succession,
    kept_notes,
    successions_of,
)
from muniment.engine.extract.change.wordlists import change_words
from muniment.engine.ingest.language import has_han
from muniment.engine.ingest.terms import index_terms
from muniment.engine.ports.models import Vector
from muniment.engine.ports.store import Reader
from muniment.engine.rank.asked import Asked
from muniment.engine.rank.board import Board, episode_key
from muniment.engine.rank.formula import word_share
from muniment.engine.retrieve.namesakes import Namesakes
from muniment.graph_schema.errors import ModelUnavailable
from muniment.graph_schema.ids import EntityId, EpisodeId
from muniment.graph_schema.records import Episode, EpisodeKind, Quote
from muniment.graph_schema.temporal import format_time

NOT_YET: Final = "sentence.not-yet"

_LOOKED_AT: Final = 40
_SLACK: Final = 0.2  # a later sentence counts that meets the question this much less than the earlier one
_CLEARLY: Final = (
    0.0  # a note is demoted whose best closed sentence meets the question by so much more than its best live one
)
_LEAST: Final = 0.1  # a Chinese sentence that meets the question less is not asked for: there scores lie close together
_HALF: Final = (
    0.5  # a closed sentence this good, of the note's best one, passes its place on, though the note is not demoted
)
_PARTLY: Final = 0.15  # of the weight is taken off where only some of what a sentence lists no longer holds
_RELATION: Final = 0.1  # a sentence tells the relation that is asked for
_OWN_ROW: Final = 0.15
_FRESH: Final = 0.02
_ANSWERS: Final = 0.15  # what holds, where the relation and the name are the ones asked for
_TOGETHER: Final = 0.8  # of its score an episode lends to what it took the place of, where history is asked for
_USUAL_WORDS: Final = 8.0

Embed = Callable[[str, Collection[str]], Mapping[str, Vector]]
"""The vectors of a question by these fingerprints; raises ModelUnavailable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentences:
    """What the successions among the found notes say to the question.

    `down` are notes whose best sentence for it does not hold at the asked moment, `partly` those of which some of it does
    not; `instead` leads from notes with such a
    sentence to the notes that tell what holds. `about`: names that a note has in closed sentences; `shut`: those that it has
    in no other. `ahead`: notes whose best sentence was announced and has not begun, which stand behind what holds. `ended`: where in a note its closed sentences stand, by offsets. `answers`: notes that tell what holds of the name and the relation that are asked for. `told` are the successions that were used, for the trace.
    """

    down: frozenset[EpisodeId] = frozenset()
    partly: frozenset[EpisodeId] = frozenset()
    instead: Mapping[EpisodeId, tuple[EpisodeId, ...]] = field(default_factory=dict)
    shut: Mapping[EpisodeId, frozenset[EntityId]] = field(default_factory=dict)
    about: Mapping[EpisodeId, frozenset[EntityId]] = field(default_factory=dict)
    ended: Mapping[EpisodeId, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    ahead: frozenset[EpisodeId] = frozenset()
    answers: frozenset[EpisodeId] = frozenset()
    told: tuple[Mapping[str, Any], ...] = ()

    def has_ended(self, quote: Quote) -> bool:
        """Whether the words lie in a sentence that does not hold; also where nobody knows where they stand."""
        spans = self.ended.get(quote.episode, ())
        return any(quote.start < end and start < quote.end for start, end in spans) or bool(spans and quote.start < 0)


NO_SENTENCES: Final = Sentences()


async def find_sentences(reader: Reader, asked: Asked, board: Board, embed: Embed | None) -> Sentences:
    """Looks at the sentences of the best notes, as of the question's clocks."""
    found = await _visible(reader, board)
    if not found:
        return NO_SENTENCES
    notes = await kept_notes(reader, sorted({key[0] for one in found for key in (one.old, one.new)}))
    found = [one for one in found if _is_kept(one.old, notes) and _is_kept(one.new, notes)]
    wanted = await _wanted(reader, asked, found, notes)
    asks = await _asks(asked, board, notes, wanted, embed)
    standing = _standing(found, asks, asked.filter.clocks.as_of, notes, looks_ahead=asked.question.looks_ahead)
    return _judged(standing, notes, asks, wanted)


def asks_course(asked: Asked) -> bool:
    """Whether it is asked how something went, so that what no longer holds is wanted too."""
    if asked.request.as_of is not None:
        return False
    if asked.question.lang == "zh" and asked.question.wants_history:
        return True
    return change_words(asked.question.lang).courses.search(asked.question.text) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """What the question asks for, in the terms of the notes: relations, and the names in all their forms."""

    relations: frozenset[str]
    names: frozenset[str]
    named: bool = False  # it names something

    def fits(self, one: Succession) -> bool:
        """Whether the succession is about the relation and the name that are asked for."""
        return one.name in self.names and not self.relations.isdisjoint(one.relation.split("/"))


async def _wanted(
    reader: Reader, asked: Asked, found: Sequence[Succession], notes: Mapping[EpisodeId, KeptNote]
) -> _Wanted:
    namesakes = Namesakes(reader)
    own = asked.entities
    names = {EntityId(one.name) for one in found if one.name}
    names |= {EntityId(n) for note in notes.values() for s in note.sentences if s.row for n in s.names}
    groups = await namesakes.groups_of(sorted({*own, *names})) if own else {}
    heads = {groups[id] for id in own}
    return _Wanted(
        relations=change_words(asked.question.lang).asked_in(asked.question.text),
        names=frozenset(str(name) for name in names if groups.get(name) in heads),
        named=bool(own),
    )


async def join_history(reader: Reader, board: Board) -> None:
    """Lets notes that follow one another stand together, where a question asks how something went."""
    for one in await _visible(reader, board):
        scores = {key[0]: board.score(episode_key(key[0])) for key in (one.old, one.new)}
        for here, there in ((one.old[0], one.new[0]), (one.new[0], one.old[0])):
            board.add(episode_key(here), "succession", max(0.0, _TOGETHER * scores[there] - scores[here]))


def demote_notes(board: Board, sentences: Sentences, *, already: Collection[EpisodeId]) -> dict[EpisodeId, float]:
    """Takes the weight off notes that do not hold; gives what each had before. `already` demoted ones only pass on."""
    before = {id: board.score(episode_key(id)) for id in {*sentences.instead, *sentences.down, *sentences.ahead}}
    for id in sentences.down:
        if id not in already:
            board.add(episode_key(id), "superseded", -board.given.policy.superseded)
    for id in sentences.partly - {*already}:
        board.add(episode_key(id), "superseded", -_PARTLY * board.given.policy.superseded)
    _pass_on(board, sentences, before)
    return before


def keep_down(board: Board, sentences: Sentences, before: Mapping[EpisodeId, float]) -> None:
    """After chains: what they lent to a demoted note goes to the note that holds instead."""
    dead = board.given.policy.superseded
    lifted = {id: max(before[id], board.score(episode_key(id))) for id in sentences.down | sentences.ahead}
    for id in sentences.down:
        board.add(episode_key(id), "superseded", min(0.0, before[id] - dead - board.score(episode_key(id))))
    _pass_on(board, sentences, lifted)


def _pass_on(board: Board, sentences: Sentences, scores: Mapping[EpisodeId, float]) -> None:
    for id, heirs in sentences.instead.items():
        for heir in heirs:
            if id in scores and heir not in sentences.down:
                fresh = _FRESH + _ANSWERS * (heir in sentences.answers)
                gain = scores[id] + fresh - board.score(episode_key(heir))
                board.add(episode_key(heir), "inherited", max(0.0, gain))


async def _visible(reader: Reader, board: Board) -> list[Succession]:
    """The successions of the best episodes of which the reader may see both notes."""
    ids = board.best_first(board.episode_scores())[:_LOOKED_AT]
    found = await successions_of(reader, ids) if ids else []
    if not found:
        return []
    await board.pool.want_episodes(key[0] for one in found for key in (one.old, one.new))
    board.refresh()
    seen = board.episodes()
    return [
        one
        for one in found
        if one.old[0] in seen
        and one.new[0] in seen
        and (one.rule == CORRECTED or not _stand_side_by_side(seen[one.old[0]], seen[one.new[0]]))
    ]


def _stand_side_by_side(one: Episode, other: Episode) -> bool:
    """Two titled documents of one moment are parts of one collection: neither is the other's later state."""
    documents = one.kind is EpisodeKind.DOCUMENT and other.kind is EpisodeKind.DOCUMENT
    return documents and bool(one.title and other.title) and one.occurred_at == other.occurred_at


def _is_kept(key: Key, notes: Mapping[EpisodeId, KeptNote]) -> bool:
    return key[0] in notes and key[1] < len(notes[key[0]].sentences)


async def _asks(
    asked: Asked, board: Board, notes: Mapping[EpisodeId, KeptNote], wanted: _Wanted, embed: Embed | None
) -> dict[Key, float]:
    """How well each sentence meets what is asked, without the names on both sides."""
    masked = _masked(asked)
    terms = set(index_terms(masked))
    weights = {term: weight for term, weight in asked.weights.items() if term in terms}
    policy = board.given.policy
    asks: dict[Key, float] = {}
    for id, note in notes.items():
        for at, sentence in enumerate(note.sentences):
            share = word_share(sentence.terms, weights, average_length=_USUAL_WORDS)
            related = not wanted.relations.isdisjoint(sentence.relations)
            asks[id, at] = policy.lexical * share + _RELATION * related
            # The rows of a table differ in nothing but what they are about.
            asks[id, at] += _OWN_ROW * (sentence.row and not wanted.names.isdisjoint(sentence.names))
    # Vectors of many languages do not tell Chinese relations apart.
    told = {id: note for id, note in notes.items() if not has_han(note.sentences[0].masked)}
    held = {model for note in told.values() for model in note.vectors} & set(asked.vectors)
    if embed is None or not held:
        return asks
    try:
        vectors = await asyncio.to_thread(embed, masked, held)
    except ModelUnavailable:
        return asks
    for model in sorted(held & vectors.keys())[:1]:
        cosines = {id: note.vectors[model] @ vectors[model] for id, note in told.items() if model in note.vectors}
        mean = float(np.mean(np.concatenate(list(cosines.values()))))
        for id, row in cosines.items():
            for at, cosine in enumerate(row):
                asks[id, at] += policy.dense * (float(cosine) - mean)
    return asks


def _masked(asked: Asked) -> str:
    """The question with a stand-in for each name."""
    text, word = asked.question.text, change_words(asked.question.lang).stand_ins["thing"]
    spans = sorted({(seed.start, seed.end) for seed in asked.seeds if seed.proper}, reverse=True)
    limit = len(text)
    for start, end in spans:
        if end <= limit:
            text = text[:start] + word + text[end:]
            limit = start
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standing:
    """Closed sentences, and the one that holds in each one's place. `announced`: those that were told by then and have not
    begun, so that what holds comes first, and nothing else."""

    closed: Mapping[Key, Succession]
    holds: Mapping[Key, Key]
    announced: frozenset[Key] = frozenset()


def _standing(
    found: Iterable[Succession],
    asks: Mapping[Key, float],
    moment: datetime,
    notes: Mapping[EpisodeId, KeptNote],
    *,
    looks_ahead: bool,
) -> _Standing:
    counts = [one for one in found if one.rule == CORRECTED or asks[one.new] >= asks[one.old] - _SLACK]
    begun = [one for one in counts if one.since is None or one.since <= moment]
    closed: dict[Key, Succession] = {}
    after: dict[Key, Key] = {}
    for one in sorted(begun, key=lambda one: (one.since is not None, one.since or moment, one.new)):
        closed[one.old], after[one.old] = one, one.new  # the latest that has begun
    announced: set[Key] = set()
    for one in counts:
        if one.since is not None and one.since > moment and one.new not in closed:
            if notes[one.new[0]].told_at <= moment:
                if looks_ahead:
                    continue
                announced.add(one.new)
            closed[one.new] = one
            if one.old not in closed:
                after[one.new] = one.old
    return _Standing(
        closed=closed, holds={key: _last(key, after, closed) for key in after}, announced=frozenset(announced)
    )


def _last(key: Key, after: Mapping[Key, Key], closed: Mapping[Key, Succession]) -> Key:
    met = {key}
    while key in closed and key in after and after[key] not in met:
        key = after[key]
        met.add(key)
    return key


def _judged(
    standing: _Standing, notes: Mapping[EpisodeId, KeptNote], asks: Mapping[Key, float], wanted: _Wanted
) -> Sentences:
    down: set[EpisodeId] = set()
    partly: set[EpisodeId] = set()
    ahead: set[EpisodeId] = set()
    instead: dict[EpisodeId, dict[EpisodeId, None]] = defaultdict(dict)
    shut: dict[EpisodeId, frozenset[EntityId]] = {}
    about: dict[EpisodeId, frozenset[EntityId]] = {}
    ended: dict[EpisodeId, tuple[tuple[int, int], ...]] = {}
    for id in sorted({key[0] for key in standing.closed}):
        sentences = notes[id].sentences
        closed = {at: standing.closed[id, at] for at in range(len(sentences)) if (id, at) in standing.closed}
        told = [at for at, one in closed.items() if not (wanted.named and _is_of_others(one, wanted))]
        if not told:
            continue
        coming = {at for at in told if (id, at) in standing.announced}
        dead = [
            at for at in told if at not in coming and not closed[at].in_part and not _is_of_others(closed[at], wanted)
        ]
        live = [at for at in range(len(sentences)) if at not in dead]
        ended[id] = tuple((sentences[at].start, sentences[at].end) for at in dead)
        gone = max(asks[id, at] for at in told)
        best = max((asks[id, at] for at in live if at not in told), default=None)
        about[id] = _names(sentences[at].names for at in dead)
        shut[id] = about[id] - _names(sentences[at].names for at in live)
        if gone < _LEAST and has_han(sentences[0].masked):
            continue
        if best is None or best < gone - _CLEARLY:
            whole = max((asks[id, at] for at in dead), default=-1.0) == gone
            if max(told, key=lambda at: (asks[id, at], -at)) in coming:
                ahead.add(id)
            else:
                (down if whole else partly).add(id)
        elif gone < _HALF * best:
            continue
        for at in told:
            heir = standing.holds.get((id, at))
            if heir is not None and heir[0] != id:
                instead[id][heir[0]] = None
    return Sentences(
        down=frozenset(down),
        partly=frozenset(partly),
        instead={id: tuple(heirs) for id, heirs in instead.items()},
        shut=shut,
        about=about,
        ended=ended,
        ahead=frozenset(ahead),
        answers=frozenset(
            standing.holds[key][0] for key, one in standing.closed.items() if key in standing.holds and wanted.fits(one)
        ),
        told=tuple(_to_trace(one, notes, key) for key, one in sorted(standing.closed.items())),
    )


def _is_of_others(one: Succession, wanted: _Wanted) -> bool:
    """Whether a sentence told the same of several things and is closed for one of them that is not asked for."""
    return one.of_group and one.name not in wanted.names


def _names(keys: Iterable[Sequence[str]]) -> frozenset[EntityId]:
    return frozenset(EntityId(name) for names in keys for name in names)


def _to_trace(one: Succession, notes: Mapping[EpisodeId, KeptNote], closed: Key) -> dict[str, Any]:
    """What a trace keeps of a succession: the rule, both sentences by their places, since when, what spoke for it."""

    def place(key: Key) -> dict[str, Any]:
        sentence = notes[key[0]].sentences[key[1]]
        return {"episode": key[0], "start": sentence.start, "end": sentence.end}

    return {
        "rule": one.rule if closed == one.old else NOT_YET,
        "closed": place(closed),
        "by": place(one.new if closed == one.old else one.old),
        "since": None if one.since is None else format_time(one.since),
        "strength": one.strength,
        "in_part": one.in_part,
        "relation": one.relation,
        "parts": dict(one.parts),
    }
