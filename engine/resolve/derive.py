"""From a slot's assertions to the fact versions to store, and what changed by it.

`revise` compares what the timeline gives now with what is stored and yields the versions to put. `replay` makes every
version that should be there when some evidence was recorded in the past (an import with its own record times).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from muniment.engine.resolve.timeline import Dispute, Stretch, recorded_order, timeline
from muniment.graph_schema.ids import AssertionId, EntityId, EpisodeId, FactId
from muniment.graph_schema.records import FORGOTTEN, Action, Assertion, Because, Change, EntityRef, Fact, Quote


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """What to write after some slots' evidence changed. `gone` are facts of which nothing is left but history."""

    put: tuple[Fact, ...]
    changes: tuple[Change, ...]
    disputes: tuple[Dispute, ...]
    gone: tuple[FactId, ...] = ()

    @property
    def held(self) -> tuple[Fact, ...]:
        """The versions in `put` that stand from now on."""
        return tuple(fact for fact in self.put if fact.expired_at is None)


def revise(
    assertions: Iterable[Assertion],
    stored: Iterable[Fact],
    refs: Mapping[EntityId, EntityRef],
    *,
    now: datetime,
    cause: str,
) -> Revision:
    """The versions that bring `stored` (unexpired ones of the slots concerned) in line with `assertions`.

    `cause` is the rule named where the timeline itself gives none: why evidence came or went. Facts that only gained evidence
    keep their version; one of which anything else changed is expired at `now` and gets the next version. Changes come slot
    by slot, in the order in which the slots were last heard of: a receipt reads as the text did.
    """
    told = {a.id: a for a in assertions}
    line = timeline(told.values())
    heard = {a.slot: recorded_order(a) for a in sorted(told.values(), key=recorded_order)}
    before = {fact.id: fact for fact in stored}
    put: list[Fact] = []
    changes: list[Change] = []
    for stretch in sorted(line.stretches, key=lambda stretch: heard[stretch.slot]):
        old = before.pop(stretch.id, None)
        new = _fact(stretch, refs, created_at=now, old=old)
        if old is None:
            put.append(new)
            changes.append(_change(Action.CREATED, new, stretch, cause, told))
            continue
        rows, action = _next_versions(old, new, now)
        put.extend(rows)
        if action is not None:
            changes.append(_change(action, new, stretch, cause, told))
    heirs = {a.id: stretch.id for stretch in line.stretches for a in stretch.supporters}
    for old in before.values():
        put.append(replace(old, expired_at=now))
        changes.append(_vanished(old, heirs, cause))
    return Revision(put=tuple(put), changes=tuple(changes), disputes=line.disputes, gone=tuple(before))


def continued(revision: Revision, earlier: Iterable[Fact]) -> Revision:
    """The revision where facts that stood before and went are not made anew, but go on: as the next version, with the marks
    that they had. `earlier` are their last versions; what was known of them in the meantime stays told.
    """
    last = {fact.id: fact for fact in earlier if fact.expired_at is not None}
    return replace(revision, put=tuple(_next_of(fact, last.get(fact.id)) for fact in revision.put))


def forgotten(revision: Revision, before: Mapping[FactId, Fact], *, now: datetime) -> Revision:
    """The revision where facts that went are kept as archived: one more version each, in force at no moment. Not those whose
    evidence speaks for another interval now, or that were denied."""
    went = {change.id for change in revision.changes if change.action is Action.ARCHIVED} & set(revision.gone)
    kept = [as_forgotten(before[FactId(id)], now) for id in sorted(went) if not before[FactId(id)].rejected]
    return replace(revision, put=(*revision.put, *kept))


def as_forgotten(last: Fact, now: datetime) -> Fact:
    """What is kept of a fact after its last version, whose episodes were forgotten."""
    return replace(last, version=last.version + 1, created_at=now, expired_at=now, archived=True, closed_by=FORGOTTEN)


def _next_of(fact: Fact, last: Fact | None) -> Fact:
    if last is None or fact.version > 1:
        return fact
    return replace(fact, version=last.version + 1, pinned=last.pinned, archived=last.archived)


def replay(
    assertions: Sequence[Assertion], refs: Mapping[EntityId, EntityRef], flags: Iterable[Fact] = ()
) -> list[Fact]:
    """Every version that the assertions give as they became known, oldest first.

    `flags` are stored facts whose pinned and archived marks are carried over.
    """
    marks = {fact.id: fact for fact in flags}
    moments = sorted({a.recorded_at for a in assertions} | {a.withdrawn_at for a in assertions if a.withdrawn_at})
    current: dict[FactId, Fact] = {}
    versions: list[Fact] = []
    for moment in moments:
        known = [
            replace(a, withdrawn_at=None)
            for a in assertions
            if a.recorded_at <= moment and (a.withdrawn_at is None or moment < a.withdrawn_at)
        ]
        stood = dict(current)
        for stretch in timeline(known).stretches:
            old = stood.pop(stretch.id, None)
            new = _fact(stretch, refs, created_at=moment, old=old)
            if old is None:
                current[new.id] = new
            else:
                rows, _ = _next_versions(old, new, moment)
                versions.extend(row for row in rows if row.expired_at is not None)
                current[new.id] = rows[-1] if rows else old
        for old in stood.values():
            versions.append(replace(old, expired_at=moment))
            del current[old.id]
    versions.extend(current.values())
    return [_marked(version, marks.get(version.id)) for version in versions]


def _fact(stretch: Stretch, refs: Mapping[EntityId, EntityRef], *, created_at: datetime, old: Fact | None) -> Fact:
    """The fact of a stretch: a first version, or one that differs from `old` only in what the assertions say."""
    speaker = _telling(stretch)
    return Fact(
        id=stretch.id,
        version=old.version if old else 1,
        kind=speaker.kind,
        slot=stretch.slot,
        claim=stretch.claim,
        subject=refs[speaker.subject],
        relation=speaker.relation,
        object=refs[speaker.object],
        text=speaker.text,
        valid_at=stretch.start,
        invalid_at=stretch.end,
        created_at=old.created_at if old else created_at,
        pinned=old.pinned if old else False,
        archived=old.archived if old else False,
        rejected=stretch.denied,
        confidence=max(a.confidence for a in stretch.supporters),
        importance=max(a.importance for a in stretch.supporters),
        scope=speaker.scope,
        wall=speaker.wall,
        evidence=_quotes(stretch.supporters),
        assertions=tuple(a.id for a in stretch.supporters),
        closed_by=stretch.closing.rule.value if stretch.closing else "",
        superseded_by=stretch.superseded_by,
        conflicts_with=stretch.conflicts_with,
        attributes=speaker.attributes,
    )


def _telling(stretch: Stretch) -> Assertion:
    """The supporter whose words stand for the fact: the surest, of those the latest told."""
    return max(stretch.supporters, key=lambda a: (a.confidence, a.told_at, *recorded_order(a)))


def _quotes(supporters: Sequence[Assertion]) -> tuple[Quote, ...]:
    return tuple(
        Quote(episode=a.episode, quote=a.quote, start=a.start, end=a.end) for a in supporters if a.episode is not None
    )


def _next_versions(old: Fact, new: Fact, now: datetime) -> tuple[list[Fact], Action | None]:
    """The rows that turn `old` into `new`, the standing one last, and what to call it; none where nothing differs."""
    if new == old:
        return [], None
    if (old.valid_at, old.invalid_at, old.rejected) != (new.valid_at, new.invalid_at, new.rejected):
        action: Action | None = _moved(old, new)
    else:
        action = Action.UPDATED if new.assertions != old.assertions else None
    # What was never known in between has no version of its own; what only more evidence says has none either, as each piece
    # of evidence knows since when it is known (`known.as_known`): else a fact told a thousand times were kept a thousand times.
    if old.created_at >= now or _only_grew(old, new):
        return [new], action
    return [replace(old, expired_at=now), replace(new, version=old.version + 1, created_at=now)], action


def _only_grew(old: Fact, new: Fact) -> bool:
    """Whether the two differ in evidence only, of which there is more now."""
    return set(old.assertions) <= set(new.assertions) and old == replace(
        new, evidence=old.evidence, assertions=old.assertions
    )


def _moved(old: Fact, new: Fact) -> Action:
    if old.rejected != new.rejected:
        return Action.ARCHIVED if new.rejected else Action.REOPENED
    if old.invalid_at == new.invalid_at:
        return Action.UPDATED
    if new.invalid_at is None:
        return Action.REOPENED
    if old.invalid_at is None or new.invalid_at < old.invalid_at:
        return Action.CLOSED
    return Action.REOPENED


def _change(action: Action, fact: Fact, stretch: Stretch, cause: str, told: Mapping[AssertionId, Assertion]) -> Change:
    rule, by, evidence = cause, tuple(fact.assertions[-1:]), _episodes(fact)
    if action is Action.CREATED:
        by = fact.assertions
    elif stretch.closing is not None and action in (Action.CLOSED, Action.ARCHIVED, Action.UPDATED):
        rule = stretch.closing.rule.value
        by = (*((stretch.superseded_by,) if stretch.superseded_by else ()), *stretch.closing.by)
        # What proves the end is what told of it, not what had told of the beginning.
        causes = [told[id].episode for id in stretch.closing.by if id in told]
        evidence = tuple(dict.fromkeys(episode for episode in causes if episode is not None))
    return Change(
        action=action, kind=fact.kind, id=fact.id, because=Because(rule=rule, by=tuple(by), evidence=evidence)
    )


def _vanished(old: Fact, heirs: Mapping[AssertionId, FactId], cause: str) -> Change:
    """A stored fact that no stretch answers for: its evidence went, or now belongs to another stretch of its claim."""
    heir = next((heirs[a] for a in old.assertions if a in heirs), None)
    return Change(
        action=Action.MERGED if heir else Action.ARCHIVED,
        kind=old.kind,
        id=old.id,
        because=Because(rule=cause, by=(heir,) if heir else old.assertions, evidence=_episodes(old)),
    )


def _episodes(fact: Fact) -> tuple[EpisodeId, ...]:
    return tuple(dict.fromkeys(quote.episode for quote in fact.evidence))


def _marked(fact: Fact, flags: Fact | None) -> Fact:
    return fact if flags is None else replace(fact, pinned=flags.pinned, archived=flags.archived)
