"""The story of a fact: every piece of evidence and every change of its interval, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from muniment.engine.ports.store import Reader
from muniment.engine.retrieve.slots import connected, rivals_of
from muniment.graph_schema.errors import NotFound
from muniment.graph_schema.ids import FactId
from muniment.graph_schema.places import places_of
from muniment.graph_schema.records import Assertion, Fact, Says
from muniment.graph_schema.temporal import BEGINNING_MS, format_time, to_ms

_SAYS = {
    Says.HOLDS: "says that it holds",
    Says.ENDED: "says that it ended",
    Says.CORRECTED: "says that it was told wrong",
    Says.REJECTED: "rejects it",
    Says.RESTATED: "says it again",
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
    """What is known of a fact and how it came about; a withdrawn fact has one too. Raises NotFound."""
    versions = await reader.fact_versions(id)
    if not versions:
        raise NotFound.of("fact", id)
    fact = versions[-1]
    places = set(places_of(fact))
    told = await reader.assertions_of_slots(await connected(reader, places))
    assertions = [a for a in told if not places.isdisjoint(places_of(a))]
    rivals = [f for f in await rivals_of(reader, [fact]) if f.id != id]
    lines = [line for a in assertions for line in _evidence_lines(a, fact)]
    lines += [
        line
        for before, version in zip([None, *versions], versions, strict=False)
        for line in _version_lines(before, version, assertions)
    ]
    return History(
        fact=fact,
        versions=tuple(versions),
        rivals=tuple(rivals),
        assertions=tuple(assertions),
        story=tuple(sorted(lines, key=lambda line: line.at)),
    )


def _evidence_lines(a: Assertion, fact: Fact) -> list[StoryLine]:
    whose = "" if a.claim == fact.claim else " of a rival value"
    source = f"episode {a.episode}" if a.episode else (a.actor or "a caller")
    when = _span(a.valid_from, a.valid_to)
    quote = f': "{a.quote}"' if a.quote else ""
    ids = (a.id, *((a.episode,) if a.episode else ()))
    told = f"{source} {_SAYS[a.says]}{whose}{when}, told {format_time(a.told_at)}{quote}"
    lines = [StoryLine(at=a.recorded_at, what=told, rule=a.rule, actor=a.actor, ids=ids)]
    if a.withdrawn_at is not None:
        taken = f"evidence {a.id}{whose} was withdrawn"
        lines.append(StoryLine(at=a.withdrawn_at, what=taken, rule="evidence.withdrawn", actor="", ids=(a.id,)))
    return lines


def _version_lines(before: Fact | None, version: Fact, assertions: Sequence[Assertion]) -> list[StoryLine]:
    span = f"{_moment(version.valid_at)} to {_moment(version.invalid_at)}"
    what = f"held from {span}" if before is None else f"now held from {span}"
    if version.rejected:
        what = "denied"
    by = f", superseded by {version.superseded_by}" if version.superseded_by else ""
    told = [a for a in assertions if a.recorded_at == version.created_at]  # what the version is there for
    actors = dict.fromkeys(a.actor for a in told if a.actor)
    ids = (version.id, *((version.superseded_by,) if version.superseded_by else ()), *(a.id for a in told))
    rule = version.closed_by or "slot.open"
    return [StoryLine(at=version.created_at, what=what + by, rule=rule, actor=", ".join(actors), ids=ids)]


def _span(start: datetime | None, end: datetime | None) -> str:
    parts = [f" from {format_time(start)}" if start else "", f" until {format_time(end)}" if end else ""]
    return "".join(parts)


def _moment(at: datetime | None) -> str:
    if at is None:
        return "now on"
    return "an unknown beginning" if to_ms(at) == BEGINNING_MS else format_time(at)
