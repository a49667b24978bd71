"""A slot's history as a pure function of its surviving assertions.

`timeline(assertions)` is the only place where it is decided what is true when. It reads no clock and no store; the same
assertions in any order give the same answer, and taking one away gives what would have been without it. So late and
out-of-order facts, undo, re-opening, re-assertion after an end and preview need no code of their own.

How a slot is folded: every assertion is put at its moment of valid time (an undated one at the time it was told), then
time is swept once from the past. A claim that starts closes the rivals that hold at that moment; told ends close their own
claim; weaker evidence never closes stronger. Rule ids are those of `Rule`; each has a page in docs/rules/.

A claim of a relation that pairs entities (`married_to`) takes the slots of both its ends and is still one claim. Slots that
such claims may join are swept together, and claims meet where they have a slot in common.

After Snodgrass and Jensen's bitemporal model (Developing Time-Oriented Database Applications in SQL, 1999, ch. 10), from
which we differ in deriving the valid-time table from assertions instead of editing it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import groupby

from muniment.engine.resolve.statements import RANK_DECIDED
from muniment.graph_schema.ids import AssertionId, FactId
from muniment.graph_schema.places import group_of, places_of
from muniment.graph_schema.records import Assertion, Says
from muniment.graph_schema.temporal import BEGINNING_MS, from_ms

BEGINNING = from_ms(BEGINNING_MS)
"""Where a claim starts whose start nobody told, but of which it is known that it ended."""

INSTANT = timedelta(milliseconds=1)
"""How long a claim holds that was told for one instant: the smallest time both stores keep."""

WEAKER_BY = 0.2
"""Evidence is weaker when its confidence is lower by this much. Plain statements lie within 0.15 of each other
(rules give 0.85 to 1.0), so they can close one another; a guess (0.5 and less) cannot close a plain statement."""

LOWER_BY = 2
"""Evidence is also weaker when its source stands this many ranks lower: hearsay (0) against a message or record (2)."""


class Rule(StrEnum):
    """Why an interval is as it is."""

    SUCCESSOR = "slot.successor"
    ENDED = "end.told"
    UNTIL = "until.told"
    INSTANT = "instant.told"
    CORRECTED = "claim.corrected"
    REJECTED = "claim.rejected"
    EQUAL_STARTS = "review.equal-starts"
    WEAKER = "review.weaker-evidence"
    WEAKER_END = "review.weaker-end"
    OBSERVED_OTHERWISE = "review.observed-otherwise"


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """Why an interval ended: the rule, and the assertions that made it so."""

    rule: Rule
    at: datetime
    by: tuple[AssertionId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A claim held during [start, end). `supporters` are in the order in which they were recorded.

    `id` is made of the id of the supporter recorded first, so it does not change as later evidence moves the bounds.
    `denied` stretches are what evidence says was never so.
    """

    id: FactId
    slot: str
    claim: str
    start: datetime
    end: datetime | None
    supporters: tuple[Assertion, ...]
    closing: Closing | None = None
    superseded_by: FactId | None = None
    conflicts_with: tuple[FactId, ...] = ()
    denied: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """What a person should decide: which stretches cannot be told apart or ordered by evidence, and why.

    `slot` is that of the stretches; where they are stored in different ones, the first by name.
    """

    rule: Rule
    slot: str
    facts: tuple[FactId, ...]
    by: tuple[AssertionId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """Everything that follows from some assertions. Stretches are in order of (slot, start, end, id)."""

    stretches: tuple[Stretch, ...]
    disputes: tuple[Dispute, ...]


def timeline(assertions: Iterable[Assertion]) -> Timeline:
    """The history that these assertions give; withdrawn ones do not count.

    Stretches that have a slot in common do not overlap, but for those that name each other in `conflicts_with`.
    """
    groups: dict[str, list[Assertion]] = defaultdict(list)
    for assertion in assertions:
        if assertion.withdrawn_at is None:
            groups[group_of(assertion.slot)].append(assertion)
    stretches: list[Stretch] = []
    disputes: list[Dispute] = []
    for group in sorted(groups):
        sweep = _Sweep()
        sweep.run(sorted(groups[group], key=recorded_order))
        stretches.extend(sweep.stretches())
        disputes.extend(sweep.disputes())
    return Timeline(stretches=tuple(sorted(stretches, key=_stretch_order)), disputes=tuple(disputes))


def _stretch_order(stretch: Stretch) -> tuple[str, datetime, bool, datetime, str]:
    return (stretch.slot, stretch.start, stretch.end is None, stretch.end or stretch.start, stretch.id)


def fact_id_of(assertion: AssertionId) -> FactId:
    """The id of the fact that this assertion founds, when it is the first to be recorded for it."""
    return FactId("f_" + assertion.removeprefix("a_"))


def assertion_id_of(fact: FactId) -> AssertionId:
    """The assertion after which the fact is named."""
    return AssertionId("a_" + fact.removeprefix("f_"))


def recorded_order(assertion: Assertion) -> tuple[datetime, int, str]:
    """The order in which we heard."""
    return (assertion.recorded_at, assertion.order, assertion.id)


def is_weaker(new: Assertion, held: Sequence[Assertion]) -> bool:
    """Whether `new` is too weak to close what `held` supports."""
    confidence = max(a.confidence for a in held)
    rank = max(a.rank for a in held)
    return confidence - new.confidence > WEAKER_BY - 1e-9 or rank - new.rank >= LOWER_BY


def _told_order(assertion: Assertion) -> tuple[datetime, datetime, int, str]:
    return (assertion.told_at, *recorded_order(assertion))


@dataclass(slots=True)
class _Run:
    """A stretch while it is being made."""

    claim: str
    start: datetime
    supporters: list[Assertion]
    end: datetime | None = None
    closing: Closing | None = None
    successor: _Run | None = None
    rivals: list[_Run] = field(default_factory=list)
    denied: bool = False

    @property
    def id(self) -> FactId:
        return fact_id_of(min(self.supporters, key=recorded_order).id)

    def close(self, rule: Rule, at: datetime, by: Assertion, successor: _Run | None = None) -> None:
        self.end = at
        self.closing = Closing(rule=rule, at=at, by=(by.id,))
        self.successor = successor

    @property
    def slot(self) -> str:
        return self.supporters[0].slot

    def meets(self, told: Assertion) -> bool:
        """Whether what is told is of this claim, or of one that competes with it."""
        own = self.supporters[0]
        return own.slot == told.slot or not set(places_of(own)).isdisjoint(places_of(told))


@dataclass(frozen=True, slots=True)
class _Event:
    """A moment of the sweep. At equal times ends told with a start come first: A until March, B from March."""

    at: datetime
    turn: int  # 0 an `until` of a hold, 1 anything else
    assertion: Assertion
    opens: bool

    @property
    def order(self) -> tuple[datetime, int, datetime, int, str]:
        return (self.at, self.turn, *recorded_order(self.assertion))


class _Sweep:
    """One pass over one slot, or over those that paired claims join, from the past to the future."""

    def __init__(self) -> None:
        self.open: list[_Run] = []
        self.done: list[_Run] = []
        self._disputes: list[tuple[Rule, tuple[_Run, ...], Assertion]] = []

    def run(self, assertions: Sequence[Assertion]) -> None:
        told, denied = _without_denied(assertions)
        held = {a.claim for a in told if a.says is Says.HOLDS}
        restated = [a for a in told if a.says is Says.RESTATED and a.claim in held]
        opening = [replace(a, says=Says.HOLDS) for a in told if a.says is Says.RESTATED and a.claim not in held]
        for _, moment in groupby(
            sorted(_events((*told, *opening)), key=lambda e: e.order), key=lambda e: (e.at, e.turn)
        ):
            holding = {run.claim for run in self.open}
            for event in _in_turn(list(moment), holding):
                if event.opens:
                    self._start(event.assertion, event.at)
                else:
                    self._end(event.assertion, event.at)
        self.done.extend(self.open)
        self._restate(restated)
        self._deny(denied)

    def stretches(self) -> list[Stretch]:
        """What the pass found, in no order."""
        for run in self.done:
            if run.successor is None and run.end is not None and not run.denied:
                run.successor = self._follower(run)
        return [self._stretch(run) for run in self.done]

    def disputes(self) -> list[Dispute]:
        """One per pair of stretches and rule, however often evidence repeats it."""
        seen: dict[tuple[str, Rule, tuple[FactId, ...]], list[AssertionId]] = {}
        for rule, runs, by in self._disputes:
            slot = min(run.slot for run in runs)
            seen.setdefault((slot, rule, tuple(sorted({run.id for run in runs}))), []).append(by.id)
        return [
            Dispute(rule=rule, slot=slot, facts=facts, by=tuple(sorted(set(by))))
            for (slot, rule, facts), by in sorted(seen.items())
        ]

    def _start(self, told: Assertion, at: datetime) -> None:
        run = next((r for r in self.open if r.claim == told.claim), None)
        if run is not None:
            run.supporters.append(told)
        elif _is_instant(told):
            self._observe(told, at)
            return
        else:
            run = _Run(claim=told.claim, start=at, supporters=[told])
            self.open.append(run)
        for rival in [r for r in self.open if r is not run and r.meets(told)]:
            self._meet(run, rival, told, at)

    def _meet(self, run: _Run, rival: _Run, told: Assertion, at: datetime) -> None:
        """`told` says at `at` that `run` holds, while `rival` holds too."""
        if is_weaker(told, rival.supporters):
            self._dispute(Rule.WEAKER, run, rival, told)
        elif not _begin_as_one(told, rival, at):
            self._close(rival, Rule.SUCCESSOR, at, told, successor=run)
        elif all(is_weaker(held, [told]) for held in rival.supporters):
            self._dispute(Rule.WEAKER, rival, run, rival.supporters[0])  # as if the stronger had been heard first
        else:
            self._dispute(Rule.EQUAL_STARTS, run, rival, told)

    def _observe(self, told: Assertion, at: datetime) -> None:
        """An instant: it holds for itself, and says nothing about the time after it."""
        seen_now = [r for r in self.done if r.start == at and r.end == at + INSTANT and r.meets(told)]
        same = next((r for r in seen_now if r.claim == told.claim), None)
        if same is not None:
            same.supporters.append(told)
            return
        seen = _Run(claim=told.claim, start=at, supporters=[told])
        seen.close(Rule.INSTANT, at + INSTANT, told)
        self.done.append(seen)
        for rival in (*(r for r in self.open if r.meets(told)), *seen_now):
            self._dispute(Rule.OBSERVED_OTHERWISE, seen, rival, told)

    def _end(self, told: Assertion, at: datetime) -> None:
        run = next((r for r in self.open if r.claim == told.claim), None)
        rule = Rule.ENDED if told.says is Says.ENDED else Rule.UNTIL
        if run is None:
            if _tells_of_the_past(told):
                self._ended_before_we_knew(told, at, rule)
        elif is_weaker(told, run.supporters):
            self._dispute(Rule.WEAKER_END, run, run, told)
        elif rule is Rule.ENDED or (run.start < at and not _is_extended(run, told)):
            self._close(run, rule, at, told)

    def _ended_before_we_knew(self, told: Assertion, at: datetime, rule: Rule) -> None:
        """An end of a claim that does not hold: it tells of a past that nobody told, unless that past is known.

        Such a past ends no later than what holds now began, and begins where what is known before it ended. The end of a
        fact that a person decided on tells of that fact only: without the fact it tells nothing.
        """
        if told.rank >= RANK_DECIDED or any(r.claim == told.claim for r in self.done):
            return
        open_rivals = [r for r in self.open if r.start > BEGINNING and r.meets(told)]
        limit, cut_by = at, min(open_rivals, key=lambda r: (r.start, r.id), default=None)
        if cut_by is not None and cut_by.start < at:
            limit = cut_by.start
        else:
            cut_by = None
        before = [r for r in self.done if r.meets(told)]
        for held in sorted(before, key=lambda r: r.start, reverse=True):
            if held.start < limit and held.end is not None and held.end > limit:
                limit, cut_by = held.start, held
        start = max([BEGINNING, *(r.end for r in before if r.end is not None and r.end <= limit)])
        if start < limit:
            past = _Run(claim=told.claim, start=start, supporters=[told])
            if cut_by is None:
                past.close(rule, limit, told)
            else:
                past.close(Rule.SUCCESSOR, limit, cut_by.supporters[0], cut_by)
            self.done.append(past)

    def _close(self, run: _Run, rule: Rule, at: datetime, by: Assertion, successor: _Run | None = None) -> None:
        run.close(rule, at, by, successor)
        self.open.remove(run)
        self.done.append(run)

    def _dispute(self, rule: Rule, run: _Run, rival: _Run, by: Assertion) -> None:
        if run is not rival and rival not in run.rivals:
            run.rivals.append(rival)
            rival.rivals.append(run)
        self._disputes.append((rule, (run, rival), by))

    def _restate(self, restated: Sequence[Assertion]) -> None:
        """The same again: support for the stretch it falls into, else for the latest one of its claim."""
        for told in restated:
            runs = sorted((r for r in self.done if r.claim == told.claim), key=lambda r: r.start)
            at = _moment(told)
            inside = [r for r in runs if r.start <= at and (r.end is None or at < r.end)]
            if runs:
                (inside or runs)[-1].supporters.append(told)

    def _deny(self, denied: Sequence[tuple[Assertion, Assertion]]) -> None:
        """What was told and then denied is kept apart, one stretch a claim, so that it can be shown."""
        claims: dict[str, list[tuple[Assertion, Assertion]]] = defaultdict(list)
        for told, denial in denied:
            claims[told.claim].append((told, denial))
        for claim, pairs in sorted(claims.items()):
            start = min(_moment(told) for told, _ in pairs)
            ends = [told.valid_to for told, _ in pairs]
            end = None if None in ends else max(e for e in ends if e is not None)
            run = _Run(claim=claim, start=start, supporters=[told for told, _ in pairs], denied=True)
            rule = Rule.REJECTED if pairs[0][1].says is Says.REJECTED else Rule.CORRECTED
            by = tuple(sorted({denial.id for _, denial in pairs}))
            run.end = end if end is None or end > start else start + INSTANT
            run.closing = Closing(rule=rule, at=pairs[0][1].told_at, by=by)
            self.done.append(run)

    def _follower(self, run: _Run) -> _Run | None:
        """The rival that begins just where this one ended."""
        told = run.supporters[0]
        after = [r for r in self.done if r.start == run.end and r.claim != run.claim and not r.denied and r.meets(told)]
        return min(after, key=lambda r: r.id, default=None)

    def _stretch(self, run: _Run) -> Stretch:
        supporters = tuple(sorted({a.id: a for a in run.supporters}.values(), key=recorded_order))
        return Stretch(
            id=run.id,
            slot=run.slot,
            claim=run.claim,
            start=run.start,
            end=run.end,
            supporters=supporters,
            closing=run.closing,
            superseded_by=run.successor.id if run.successor else None,
            conflicts_with=tuple(sorted({r.id for r in run.rivals})),
            denied=run.denied,
        )


def _begin_as_one(told: Assertion, rival: _Run, at: datetime) -> bool:
    """Whether nothing says which of the two came first: both are told to begin at `at`, or both were told then."""
    if told.valid_from == at:
        return any(held.valid_from == at for held in rival.supporters)
    return rival.start == at and any(_are_told_at_once(told, held, at) for held in rival.supporters)


def _are_told_at_once(one: Assertion, other: Assertion, at: datetime) -> bool:
    """Whether two texts that came by themselves tell without a date at the same moment: neither is news of the other.

    What came in one write is in the order in which it was said.
    """
    return (
        one.valid_from is None
        and other.valid_from is None
        and one.told_at == other.told_at == at
        and None not in (one.episode, other.episode)
        and one.episode != other.episode
        and one.recorded_at != other.recorded_at
    )


def _without_denied(
    assertions: Sequence[Assertion],
) -> tuple[list[Assertion], list[tuple[Assertion, Assertion]]]:
    """What counts, and what was denied with the denial."""
    denials: dict[str, list[Assertion]] = defaultdict(list)
    for a in assertions:
        if a.says in (Says.REJECTED, Says.CORRECTED):
            denials[a.claim].append(a)
    told: list[Assertion] = []
    denied: list[tuple[Assertion, Assertion]] = []
    for a in assertions:
        if a.says in (Says.REJECTED, Says.CORRECTED):
            continue
        denial = next((d for d in denials.get(a.claim, ()) if _is_denied(a, d)), None)
        if denial is None:
            told.append(a)
        else:
            denied.append((a, denial))
    return told, denied


def _is_denied(told: Assertion, denial: Assertion) -> bool:
    """A rejection denies its claim whenever it is told; a correction what had been told of it until then.

    A correction with bounds denies only what stands within them: one of several intervals of a claim.
    """
    if denial.says is Says.REJECTED:
        return True
    at = _moment(told)
    after = denial.valid_from is None or denial.valid_from <= at
    before = denial.valid_to is None or at < denial.valid_to
    return after and before and _told_order(told) < _told_order(denial)


def _events(told: Iterable[Assertion]) -> Iterable[_Event]:
    for a in told:
        if a.says is Says.ENDED:
            yield _Event(at=a.valid_to or a.valid_from or a.told_at, turn=1, assertion=a, opens=False)
        elif a.says is Says.HOLDS and _tells_of_the_past(a):
            yield _Event(at=a.valid_to or a.told_at, turn=0, assertion=a, opens=False)
        elif a.says is Says.HOLDS:
            yield _Event(at=_moment(a), turn=1, assertion=a, opens=True)
            if a.valid_to is not None and not _is_instant(a):
                yield _Event(at=a.valid_to, turn=0, assertion=a, opens=False)


def _in_turn(moment: Sequence[_Event], holding: Collection[str]) -> list[_Event]:
    """The events of one moment in the order in which they are taken, else in that of recording.

    What speaks of a claim that already holds comes first: it is news of the old before the new begins. An instant comes
    last: it may fall into what begins just then. A claim that is told to end and to begin at one moment ends first.
    """
    ended = {e.assertion.claim for e in moment if e.assertion.says is Says.ENDED}

    def turn(event: _Event) -> tuple[bool, bool, bool]:
        told = event.assertion
        begins_anew = event.opens and told.valid_from == event.at and told.claim in ended
        return told.claim not in holding, _is_instant(told), begins_anew and told.claim in holding

    return sorted(moment, key=turn)


def _tells_of_the_past(a: Assertion) -> bool:
    """An end whose beginning was not said: "is no longer there", "was there until 2020"."""
    if a.says is Says.ENDED:
        return True
    return a.valid_from is None and a.valid_to is not None and a.valid_to <= a.told_at


def _moment(a: Assertion) -> datetime:
    """Where an assertion that something holds stands in valid time."""
    if a.valid_from is not None:
        return a.valid_from
    return BEGINNING if _tells_of_the_past(a) else a.told_at


def _is_instant(a: Assertion) -> bool:
    return a.valid_from is not None and a.valid_from == a.valid_to


def _is_extended(run: _Run, told: Assertion) -> bool:
    """Whether something told later gives the run a later end than `told` does."""
    end = told.valid_to
    return end is not None and any(
        a.says is Says.HOLDS and a.valid_to is not None and a.valid_to > end and _told_order(a) > _told_order(told)
        for a in run.supporters
    )
