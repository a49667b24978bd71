"""What of the texts in a block does not hold any more, and what holds instead: so that no old sentence is told as news."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final

from muniment.engine.ports.store import Reader
from muniment.engine.rank.hits import Hit
from muniment.engine.rank.sentences import NOT_YET
from muniment.engine.retrieve.pinned import may_see
from muniment.engine.retrieve.slots import rivals_of
from muniment.engine.retrieve.told import Told, facts_told
from muniment.graph_schema.ids import EpisodeId
from muniment.graph_schema.places import places_of
from muniment.graph_schema.records import Episode, EpisodeKind, Fact, Scope, Status
from muniment.graph_schema.temporal import parse_time

_OVER: Final = frozenset({Status.SUPERSEDED, Status.ENDED, Status.REJECTED})
_OWN_END: Final = frozenset({"until.told", "instant.told"})  # rules by which a fact ends when its own words say so


@dataclass(frozen=True, slots=True, kw_only=True)
class Lapse:
    """Words of a memory that do not hold at the moment asked for.

    `since` is when they ceased to, None where they never held. `now` says what holds instead, under the id `by`; both are
    empty where nothing does.
    """

    words: str
    since: datetime | None = None
    now: str = ""
    by: str = ""


NO_LAPSES: Final[Mapping[str, Sequence[Lapse]]] = MappingProxyType({})


async def lapses_of(
    reader: Reader,
    hits: Iterable[Hit],
    *,
    scope: Scope | None,
    as_of: datetime,
    known_at: datetime | None,
    successions: Sequence[Mapping[str, Any]] = (),
) -> Mapping[str, Sequence[Lapse]]:
    """By the id of an episode or a fact among the hits what of it is over at `as_of`, in the order of the text.

    Told by the slots of the facts, and where an episode's sentences tell none, by their `successions`, as a trace lists them. Nothing is
    over for it that says by its own words until when it lasts, or that tells itself what came after; nor, in a titled
    document, what nothing told later has taken the place of. What a reader of the scope may not see is not named.
    """
    shown = list(hits)
    episodes = {hit.memory.id: hit.memory for hit in shown if isinstance(hit.memory, Episode)}
    told = await facts_told(reader, sorted(episodes), known_at=known_at)
    view = _View(told=told, scope=scope, as_of=as_of)
    found: dict[str, dict[str, Lapse]] = defaultdict(dict)
    later = await _later(reader, episodes, view)
    for id, facts in told.of.items():
        for fact in facts:
            heir = view.heir(fact)
            for quote in fact.evidence if view.is_over(fact) else ():
                if quote.episode == id and quote.quote and not _tells(heir, id) and (id, fact.id) not in later:
                    found[id].setdefault(quote.quote, _lapse(quote.quote, fact, heir))
    await _by_sentences(reader, episodes, successions, view, found)
    over = [hit.memory for hit in shown if isinstance(hit.memory, Fact) and hit.superseded]
    slots = Told.from_facts(await rivals_of(reader, over)) if over else Told()
    for fact in over:
        heir = _View(told=slots, scope=scope, as_of=as_of).heir(fact)
        if heir is not None:
            found[fact.id] = {"": _lapse("", fact, heir)}
    return {id: _in_order(episodes[EpisodeId(id)].text if id in episodes else "", rows) for id, rows in found.items()}


def _lapse(words: str, fact: Fact, heir: Fact | None) -> Lapse:
    since = None if fact.rejected else fact.invalid_at
    return Lapse(words=words, since=since, now=heir.text if heir else "", by=heir.id if heir else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class _View:
    """Facts with those of their slots, as a reader sees them at a moment."""

    told: Told
    scope: Scope | None
    as_of: datetime

    def is_over(self, fact: Fact) -> bool:
        """Whether it ceased to hold, or never did, and what it says holds in no other way."""
        if fact.status_at(self.as_of) not in _OVER or fact.closed_by in _OWN_END:
            return False
        return not any(other.claim == fact.claim and self._holds(other) for other in self._rivals(fact))

    def heir(self, fact: Fact) -> Fact | None:
        """The latest of what holds in its slot that the reader may see."""
        held = [other for other in self._rivals(fact) if self._holds(other) and self._sees(other)]
        return max(held, key=lambda other: (other.valid_at, other.id), default=None)

    def in_force(self, id: EpisodeId) -> set[str]:
        """The words of an episode that tell facts in force."""
        held = [fact for fact in self.told.of.get(id, ()) if self._holds(fact)]
        return {quote.quote for fact in held for quote in fact.evidence if quote.episode == id and quote.quote}

    def _rivals(self, fact: Fact) -> list[Fact]:
        return [other for place in places_of(fact) for other in self.told.slots.get(place, ()) if other.id != fact.id]

    def _holds(self, fact: Fact) -> bool:
        return fact.status_at(self.as_of) is Status.CURRENT

    def _sees(self, fact: Fact) -> bool:
        return self.scope is None or may_see(self.scope, fact.scope)


def _tells(heir: Fact | None, id: EpisodeId) -> bool:
    return heir is not None and any(quote.episode == id for quote in heir.evidence)


async def _later(
    reader: Reader, episodes: Mapping[EpisodeId, Episode], view: _View
) -> frozenset[tuple[EpisodeId, str]]:
    """The facts of titled documents, each with its document, of which nothing that was told later took the place."""
    passages = {id for id, e in episodes.items() if e.kind is EpisodeKind.DOCUMENT and e.title}
    heirs = {
        (id, fact.id): heir.evidence[0].episode if (heir := view.heir(fact)) and heir.evidence else None
        for id in passages
        for fact in view.told.of.get(id, ())
        if view.is_over(fact)
    }
    rows = await reader.episodes(sorted({id for id in heirs.values() if id is not None})) if heirs else []
    at = {row.id: row.occurred_at for row in rows}
    return frozenset(
        (id, fact)
        for (id, fact), by in heirs.items()
        if by is None or by not in at or at[by] <= episodes[id].occurred_at
    )


async def _by_sentences(
    reader: Reader,
    episodes: Mapping[EpisodeId, Episode],
    successions: Sequence[Mapping[str, Any]],
    view: _View,
    found: dict[str, dict[str, Lapse]],
) -> None:
    """Adds the sentences that later ones have taken the place of, where no fact of theirs says whether they hold."""
    closed = [
        one
        for one in successions
        if one["closed"]["episode"] in episodes and one["rule"] != NOT_YET and not one.get("in_part")
    ]
    by = {row.id: row for row in await reader.episodes(sorted({EpisodeId(one["by"]["episode"]) for one in closed}))}
    for one in closed:
        id, heir = EpisodeId(one["closed"]["episode"]), by.get(EpisodeId(one["by"]["episode"]))
        if heir is None:
            continue
        words = episodes[id].text[one["closed"]["start"] : one["closed"]["end"]].strip()
        said = {*found.get(id, {}), *view.in_force(id)}
        if not words or any(words in told or told in words for told in said):
            continue
        now = heir.text[one["by"]["start"] : one["by"]["end"]].strip()
        since = parse_time(one["since"]) if one["since"] else None
        found[id][words] = Lapse(words=words, since=since, now=now, by=heir.id)


def _in_order(text: str, lapses: Mapping[str, Lapse]) -> tuple[Lapse, ...]:
    return tuple(sorted(lapses.values(), key=lambda one: (text.find(one.words), one.words)))
