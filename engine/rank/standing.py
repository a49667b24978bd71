"""Evidence for what no longer holds, or not yet, stands behind: judged by the slots of the facts that it told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Final

from muniment.engine.ingest.terms import index_terms
from muniment.engine.ports.store import Reader
from muniment.engine.rank.asked import Asked
from muniment.engine.rank.board import Board, episode_key, is_chat
from muniment.engine.rank.formula import word_share
from muniment.engine.retrieve.chunks import Chunk
from muniment.engine.retrieve.matching import Matcher
from muniment.engine.retrieve.statistics import is_han
from muniment.engine.retrieve.told import facts_told
from muniment.graph_schema.ids import EpisodeId, FactId
from muniment.graph_schema.places import places_of
from muniment.graph_schema.records import Episode, EpisodeKind, Fact, Status

_LOOKED_AT: Final = 60
_LOOKED_AT_LATE: Final = 25  # again, where names led to other episodes
_INHERITED: Final = 0.02
_SURE: Final = 0.85  # plain statements; what is told less plainly stands behind, but is not left out
_MOST: Final = 0.6  # of an episode's text: the rest of a note of several sentences may still be wanted
_TOLD_ENDS: Final = frozenset({"until.told", "instant.told"})  # rules by which a fact ends that nothing followed
_DEAD: Final = frozenset({Status.SUPERSEDED, Status.ENDED, Status.FUTURE, Status.REJECTED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Episodes that tell, of what is asked, only what does not hold; and which episodes tell what holds instead.

    `ahead` tell what was announced and has not begun: news, and no reason to stand back. `begins`: since when what such an
    episode tells will hold, where it tells little else, and what one that is closed for it tells of what is asked.
    """

    closed: frozenset[EpisodeId] = frozenset()
    over: frozenset[EpisodeId] = frozenset()  # of these, the ones that tell nothing else and surely do not hold
    wrong: frozenset[EpisodeId] = frozenset()  # of these, the ones of which that was corrected or rejected
    ahead: frozenset[EpisodeId] = frozenset()
    ended: frozenset[EpisodeId] = frozenset()  # like closed, but wanted all the same: the question is one of history
    begins: Mapping[EpisodeId, datetime] = field(default_factory=dict)
    heirs: Mapping[EpisodeId, tuple[EpisodeId, ...]] = field(default_factory=dict)
    looked_at: frozenset[EpisodeId] = frozenset()

    def as_history(self) -> Standing:
        """For a question to which what is over is an answer too: it is marked and loses nothing."""
        return Standing(wrong=self.wrong, ended=self.closed - self.wrong, begins=self.begins)

    def with_late(self, late: Standing) -> Standing:
        """Together with what was found of other episodes."""
        return Standing(
            closed=self.closed | late.closed,
            over=self.over | late.over,
            wrong=self.wrong | late.wrong,
            ahead=self.ahead | late.ahead,
            ended=self.ended | late.ended,
            begins={**self.begins, **late.begins},
            heirs={**self.heirs, **late.heirs},
            looked_at=self.looked_at | late.looked_at,
        )


async def find_closed(
    reader: Reader,
    asked: Asked,
    board: Board,
    matcher: Matcher,
    chunks: Sequence[Chunk],
    before: Standing | None = None,
) -> Standing:
    """Looks at the facts told by the best episodes, as of the question's clocks; those looked at `before` are left out."""
    ids = board.best_first(board.episode_scores())[: _LOOKED_AT if before is None else _LOOKED_AT_LATE]
    if before is not None:
        ids = [id for id in ids if id not in before.looked_at]
        if not ids:
            return Standing()
    shown = await facts_told(reader, ids, known_at=asked.request.known_at)
    told, slots = shown.of, shown.slots
    as_of = asked.filter.clocks.as_of
    # What was told of later times is no news of the day that a question names, but no reason to hide the telling either.
    names_day = asked.request.as_of is None and asked.question.time.day is not None
    closed: set[EpisodeId] = set()
    over: set[EpisodeId] = set()
    wrong: set[EpisodeId] = set()
    ahead: set[EpisodeId] = set()
    begins: dict[EpisodeId, datetime] = {}
    episodes = board.episodes()
    not_yet: set[EpisodeId] = set()
    later: dict[EpisodeId, datetime] = {}
    heirs: dict[EpisodeId, tuple[EpisodeId, ...]] = {}
    weighed: dict[FactId, float] = {}

    def asks_for(fact: Fact) -> float:
        if fact.id not in weighed:
            weighed[fact.id] = _asks_for(fact, asked, board, matcher, chunks)
        return weighed[fact.id]

    for id, facts in told.items():
        status = {fact.id: fact.status_at(as_of) for fact in facts}
        was_told = names_day or _is_told_by(episodes.get(id), as_of)
        announced = [fact for fact in facts if was_told and status[fact.id] is Status.FUTURE]
        dead = [
            fact
            for fact in facts
            if status[fact.id] in _DEAD
            and fact not in announced
            and not _is_the_past_asked_for(fact, slots, asked)
            and not _is_put_right(fact, slots, as_of)
        ]
        coming = [fact for fact in facts if fact.status_at(asked.marked_at) is Status.FUTURE]
        if coming and _is_most_of(coming, id, board) and _is_told_by(episodes.get(id), asked.marked_at):
            begins[id] = min(fact.valid_at for fact in coming)
        if not dead and not announced:
            continue
        live = [fact for fact in facts if status[fact.id] is Status.CURRENT or fact in announced]
        if announced and not any(s is Status.CURRENT for s in status.values()):
            next_ = _most_asked_for(announced, asks_for)
            ahead.add(id)
            heirs[id] = _heirs(_rivals(next_, slots), next_, asked)
        if not dead:
            continue
        worst = _most_asked_for(dead, asks_for)
        if not any(asks_for(fact) >= asks_for(worst) for fact in live):
            closed.add(id)
            if status[worst.id] is Status.REJECTED:
                wrong.add(id)
            if Status.FUTURE in status.values():
                not_yet.add(id)
            if status[worst.id] is Status.FUTURE:
                later[id] = worst.valid_at
            if all(_is_surely_over(fact, id, board, status[fact.id]) for fact in dead) and not live:
                over.add(id)
            heirs[id] = _heirs(_rivals(worst, slots), worst, asked)
    closed -= await _still_stand(board, {id: heirs[id] for id in closed - not_yet})
    return Standing(
        closed=frozenset(closed),
        over=frozenset(over & closed),
        wrong=frozenset(wrong & closed),
        ahead=frozenset(ahead - closed),
        begins={id: at for id, at in begins.items() if id not in closed}
        | {id: at for id, at in later.items() if id in closed},
        heirs=heirs,
        looked_at=frozenset(ids),
    )


def _is_told_by(episode: Episode | None, moment: datetime) -> bool:
    """Whether it was told by then: what begins later was announced, and is not what only the time after knows."""
    return episode is not None and min(episode.occurred_at, episode.recorded_at) <= moment


def _rivals(fact: Fact, slots: Mapping[str, Sequence[Fact]]) -> list[Fact]:
    return list({other.id: other for place in places_of(fact) for other in slots[place]}.values())


def _is_put_right(fact: Fact, slots: Mapping[str, Sequence[Fact]], as_of: datetime) -> bool:
    """Whether a fact was only told with wrong dates or words, and what it says holds all the same."""
    return fact.rejected and any(
        other.claim == fact.claim and other.status_at(as_of) is Status.CURRENT for other in _rivals(fact, slots)
    )


async def _still_stand(board: Board, heirs: Mapping[EpisodeId, Sequence[EpisodeId]]) -> set[EpisodeId]:
    """The titled documents of which nothing that was told later took the place: what such a passage tells as past is what it
    is read for, and what stands beside it in one collection is no news."""
    passages = {id for id in heirs if (e := board.episodes().get(id)) and e.kind is EpisodeKind.DOCUMENT and e.title}
    await board.pool.want_episodes(heir for id in sorted(passages) for heir in heirs[id])
    board.refresh()
    told = {id: episode.occurred_at for id, episode in board.episodes().items()}
    return {id for id in passages if not any(heir in told and told[heir] > told[id] for heir in heirs[id])}


def _is_the_past_asked_for(fact: Fact, slots: Mapping[str, Sequence[Fact]], asked: Asked) -> bool:
    """Whether a fact is over by its own words alone, and the question names no moment and not the present.

    What lasted from then to then, with nothing in its place, is what is known of it, not old news.
    """
    if asked.request.as_of is not None or asked.question.wants_now or fact.closed_by not in _TOLD_ENDS:
        return False
    return not _heirs(_rivals(fact, slots), fact, asked)


def _is_surely_over(fact: Fact, id: EpisodeId, board: Board, status: Status) -> bool:
    """Whether the fact was plainly told, its words are most of the episode, and nobody disputes that it does not hold."""
    episode = board.episodes().get(id)
    is_disputed = bool(fact.conflicts_with) and status is not Status.FUTURE  # a dispute about later is none about now
    if episode is None or is_chat(episode) or fact.confidence < _SURE or is_disputed:
        return False  # a turn of talk says more than its facts
    return _is_most_of([fact], id, board)


def _is_most_of(facts: Sequence[Fact], id: EpisodeId, board: Board) -> bool:
    """Whether the words that tell these facts are most of the episode."""
    episode = board.episodes().get(id)
    quotes = {quote.quote for fact in facts for quote in fact.evidence if quote.episode == id}
    return episode is not None and sum(map(len, quotes)) >= _MOST * len(episode.text.strip())


def _heirs(rivals: Sequence[Fact], fact: Fact, asked: Asked) -> tuple[EpisodeId, ...]:
    """The episodes that tell what stands in the fact's slot at the asked moment."""
    as_of = asked.filter.clocks.as_of
    live = [f for f in rivals if f.id != fact.id and f.status_at(as_of) is Status.CURRENT]
    return tuple(quote.episode for f in live for quote in f.evidence[:1])


def _most_asked_for(facts: Sequence[Fact], asks_for: Callable[[Fact], float]) -> Fact:
    return facts[0] if len(facts) == 1 else max(facts, key=lambda fact: (asks_for(fact), fact.id))


def _asks_for(fact: Fact, asked: Asked, board: Board, matcher: Matcher, chunks: Sequence[Chunk]) -> float:
    """How much the question is about the fact: by its relation from either end, or by its words."""
    by_relation = max(
        (matcher.match(fact, end, chunk) for chunk in chunks for end in (fact.subject.id, fact.object.id)), default=0.0
    )
    words = _terms(f"{fact.subject.name} {fact.object.name} {fact.text}")
    average = board.given.statistics.average_length(str(fact.kind), han=is_han(words))
    return max(by_relation, word_share(words, asked.weights, average_length=average))


@lru_cache(4_096)
def _terms(text: str) -> str:
    return " ".join(index_terms(text))


def demote(board: Board, standing: Standing, *, looks_ahead: bool = False) -> None:
    """Takes the weight off closed episodes; what holds instead gets the place that they had. What was announced keeps its
    weight and stands behind what holds until then, unless the question looks ahead.

    Turns of talk and passages say more than their facts: they lose little, and a passage passes its place on to nothing.
    """
    policy, scores, episodes = board.given.policy, board.episode_scores(), board.episodes()
    for id in standing.ahead if not looks_ahead else ():
        for heir in standing.heirs.get(id, ()):
            if heir not in standing.closed and heir in scores:
                board.add(
                    episode_key(heir), "inherited", max(0.0, scores[id] + _INHERITED - board.score(episode_key(heir)))
                )
    for id in standing.closed:
        passage = id in episodes and episodes[id].kind is EpisodeKind.DOCUMENT
        for heir in () if passage else standing.heirs.get(id, ()):
            if heir not in standing.closed and heir in scores:
                gain = scores[id] + _INHERITED - board.score(episode_key(heir))
                board.add(episode_key(heir), "inherited", max(0.0, gain))
        wordy = passage or (id in episodes and is_chat(episodes[id]))
        board.add(episode_key(id), "superseded", -(policy.superseded_talk if wordy else policy.superseded))
