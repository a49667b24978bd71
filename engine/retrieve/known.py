"""Facts as they were known at a moment: without what was heard of later.

A change of what a fact says makes a new version, but more evidence for the same alone does not: each piece of evidence
knows since when it is known, so the later ones are left out when the fact is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from muniment.engine.ports.store import Reader
from muniment.graph_schema.ids import AssertionId
from muniment.graph_schema.records import Assertion, Fact


async def as_known(reader: Reader, facts: Sequence[Fact], known_at: datetime | None) -> list[Fact]:
    """The versions that stood at `known_at`, each with the evidence heard of by then; None: as they are."""
    if known_at is None:
        return list(facts)
    rows = await reader.assertions(sorted({id for fact in facts for id in fact.assertions}))
    later = {row.id: row for row in rows if row.recorded_at > known_at}
    if not later:
        return list(facts)
    told = {row.id: _quoted(row) for row in rows if row.id not in later}
    return [_without(fact, later, told) for fact in facts]


def _without(fact: Fact, later: dict[AssertionId, Assertion], told: dict[AssertionId, tuple[object, ...]]) -> Fact:
    dropped = [later[id] for id in fact.assertions if id in later]
    if not dropped:
        return fact
    kept = tuple(id for id in fact.assertions if id not in later)
    unheard = {_quoted(row) for row in dropped} - {told[id] for id in kept if id in told}
    evidence = tuple(q for q in fact.evidence if (q.episode, q.quote, q.start, q.end) not in unheard)
    return replace(fact, assertions=kept, evidence=evidence)


def _quoted(row: Assertion) -> tuple[object, ...]:
    return (row.episode, row.quote, row.start, row.end)
