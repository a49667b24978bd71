"""The story of a fact: every piece of evidence and every change of its interval, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from muniment.engine.ports.store import Reader
from muniment.engine.retrieve.heirs import heir_of
from muniment.engine.retrieve.slots import connected, rivals_of
from muniment.engine.retrieve.turns import WITHDRAWN, Turn, turns_of
from muniment.graph_schema.errors import NotFound
from muniment.graph_schema.ids import EntityId, FactId
from muniment.graph_schema.places import places_of
from muniment.graph_schema.records import Assertion, Fact, Says
from muniment.graph_schema.temporal import BEGINNING_MS, format_time, to_ms

_SAYS = {
    Says.HOLDS: "says{of} that it holds",
    Says.ENDED: "says{of} that it ended",
    Says.CORRECTED: "says{of} that it was told wrong",
    Says.REJECTED: "rejects{it}",
    Says.RESTATED: "says{of} once more that it holds",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryLine:
    """One thing that happened to the fact, at a moment of record time."""

    at: datetime
    what: str
    rule: str
    actor: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A fact with all its versions, all evidence of its slot, and the story they tell in order of record time."""

    fact: Fact
    versions: tuple[Fact, ...]
    rivals: tuple[Fact, ...]
    assertions: tuple[Assertion, ...]
    story: tuple[StoryLine, ...]


async def history(reader: Reader, id: FactId) -> History:
    """What is known of a fact and how it came about; a withdrawn fact has one too. Raises NotFound.

    A fact whose evidence a merge moved to another's slot is told of as the one that it became.
    """
    versions = await reader.fact_versions(id)
    if not versions:
        raise NotFound.of("fact", id)
    last = versions[-1]
    if last.expired_at is not None and (heir := await heir_of(reader, last)) is not None and heir.slot != last.slot:
        id, versions = heir.id, await reader.fact_versions(heir.id)
    shown, versions = versions[-1], [version for version in versions if not version.is_forgotten]
    fact = versions[-1]
    places = set(places_of(fact))
    told = await reader.assertions_of_slots(await connected(reader, places))
    assertions = [a for a in told if not places.isdisjoint(places_of(a))]
    rivals = [f for f in await rivals_of(reader, [fact]) if f.id != id]
    turns = await turns_of(reader, told)
    values = await _values(reader, [a for a in assertions if a.claim != fact.claim])
    lines = [_evidence_line(a, values) for a in assertions]
    lines += [_turn_line(turn, values) for turn in turns if not places.isdisjoint(places_of(turn.assertion))]
    lines += [
        _version_line(before, version, told, turns)
        for before, version in zip([None, *versions], versions, strict=False)
    ]
    if fact.expired_at is not None:
        lines.append(_gone_line(fact, fact.expired_at, told, turns))
    return History(
        fact=shown,
        versions=tuple(versions),
        rivals=tuple(rivals),
        assertions=tuple(assertions),
        story=tuple(sorted(lines, key=lambda line: line.at)),
    )


async def _values(reader: Reader, rivals: Sequence[Assertion]) -> dict[str, str]:
    """For each claim of these how to name it: by its object, or by both ends where it reads both ways."""
    ids = {end for a in rivals for end in (a.subject, a.object)}
    names = {e.id: e.name for e in await reader.entities(sorted(ids))} if ids else {}
    return {a.claim: _value(a, names) for a in rivals}


def _value(a: Assertion, names: Mapping[EntityId, str]) -> str:
    ends = (a.subject, a.object) if len(places_of(a)) > 1 else (a.object,)
    return " and ".join(names.get(end, end) for end in ends)


def _evidence_line(a: Assertion, values: Mapping[str, str]) -> StoryLine:
    rival = values.get(a.claim)
    said = _SAYS[a.says].format(
        of="" if rival is None else f' of the rival value "{rival}"',
        it=" it" if rival is None else f' the rival value "{rival}"',
    )
    source = f"episode {a.episode}" if a.episode else (a.actor or "a caller")
    quote = f': "{a.quote}"' if a.quote else ""
    ids = (a.id, *((a.episode,) if a.episode else ()))
    what = f"{source} {said}{_span(a.valid_from, a.valid_to)}, told {format_time(a.told_at)}{quote}"
    return StoryLine(at=a.recorded_at, what=what, rule=a.rule, actor=a.actor, ids=ids)


def _turn_line(turn: Turn, values: Mapping[str, str]) -> StoryLine:
    a = turn.assertion
    of = f' of the rival value "{values[a.claim]}"' if a.claim in values else ""
    what = f"evidence {a.id}{of} {'counts again' if turn.counts else 'was withdrawn'}{_by(turn)}"
    return StoryLine(at=turn.at, what=what, rule=turn.rule, actor=turn.actor, ids=(a.id, *_receipts([turn])))


def _version_line(before: Fact | None, version: Fact, told: Sequence[Assertion], turns: Sequence[Turn]) -> StoryLine:
    """That the fact held from then to then, and which evidence made it so when the version was written."""
    span = f"{_moment(version.valid_at)} to {_moment(version.invalid_at)}"
    what = f"held from {span}" if before is None else f"now held from {span}"
    if version.rejected:
        what = "denied"
    elif before is not None and version.invalid_at is None and before.invalid_at is not None:
        what = f"opened again: {what}"
    elif before is not None and _bounds(before) == _bounds(version):
        what = _what_else(before, version)
    by = f", superseded by {version.superseded_by}" if version.superseded_by else ""
    new = [a for a in told if a.recorded_at == version.created_at]
    turned = [turn for turn in turns if turn.at == version.created_at]
    actors = dict.fromkeys([a.actor for a in new if a.actor] + [turn.actor for turn in turned if turn.actor])
    superseder = (version.superseded_by,) if version.superseded_by else ()
    causes = [a.id for a in new] + [turn.assertion.id for turn in turned]
    return StoryLine(
        at=version.created_at,
        what=what + by + (_by(turned[0]) if turned else ""),
        rule=version.closed_by or (turned[0].rule if turned and before is not None else "slot.open"),
        actor=", ".join(actors),
        ids=tuple(dict.fromkeys((version.id, *superseder, *causes, *_receipts(turned)))),
    )


def _bounds(version: Fact) -> tuple[datetime, datetime | None, bool]:
    return version.valid_at, version.invalid_at, version.rejected


def _what_else(before: Fact, version: Fact) -> str:
    """What is new in a version that holds from and to the same moments as the one before."""
    news: list[str] = []
    if version.text != before.text:
        news.append(f'now worded "{version.text}"')
    for name, old, new in (
        ("confidence", before.confidence, version.confidence),
        ("importance", before.importance, version.importance),
    ):
        if old != new:
            news.append(f"{name} {new:g} after {old:g}")
    news += [f"conflicts with {id}" for id in version.conflicts_with if id not in before.conflicts_with]
    news += [f"conflicts no longer with {id}" for id in before.conflicts_with if id not in version.conflicts_with]
    if not set(before.assertions) <= set(version.assertions):
        news.append("rests on less evidence")
    return ", ".join(news) or "told differently"


def _gone_line(fact: Fact, at: datetime, told: Sequence[Assertion], turns: Sequence[Turn]) -> StoryLine:
    """That nothing speaks for the fact any more, or that its evidence speaks for another."""
    turned = [turn for turn in turns if turn.at == at]
    counts = any(a.id in fact.assertions and a.withdrawn_at is None for a in told)
    why = "its evidence speaks for another interval" if counts else "no evidence for it counts"
    return StoryLine(
        at=at,
        what=f"not held any more: {why}" + (_by(turned[0]) if turned else ""),
        rule=turned[0].rule if turned else WITHDRAWN,
        actor=", ".join(dict.fromkeys(turn.actor for turn in turned if turn.actor)),
        ids=tuple(dict.fromkeys((fact.id, *(turn.assertion.id for turn in turned), *_receipts(turned)))),
    )


def _by(turn: Turn) -> str:
    """By whom, and by which verb."""
    if not turn.verb:
        return ""
    return f" by {turn.actor or 'a caller'} ({turn.verb.replace('_', ' ')}, {format_time(turn.at)})"


def _receipts(turns: Sequence[Turn]) -> list[str]:
    return list(dict.fromkeys(turn.receipt for turn in turns if turn.receipt is not None))


def _span(start: datetime | None, end: datetime | None) -> str:
    parts = [f" from {format_time(start)}" if start else "", f" until {format_time(end)}" if end else ""]
    return "".join(parts)


def _moment(at: datetime | None) -> str:
    if at is None:
        return "now on"
    return "an unknown beginning" if to_ms(at) == BEGINNING_MS else format_time(at)
