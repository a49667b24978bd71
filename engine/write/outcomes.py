"""How often a skill went well: counted beside the skill, since it is use and not evidence of what the skill says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from muniment.engine.ports.store import Reader
from muniment.engine.write.changes import Hand, standing_fact
from muniment.engine.write.draft import Draft
from muniment.graph_schema.errors import Conflict, NotFound
from muniment.graph_schema.ids import FactId
from muniment.graph_schema.records import Action, Because, Change, Document, Fact, Kind

OUTCOMES = "skill_outcomes"
RULE = "skill.outcome"


async def draft_outcome(reader: Reader, id: FactId, *, ok: bool, hand: Hand) -> Draft:
    """Counts one outcome of a skill. Raises NotFound where there is no such skill."""
    skill = await standing_fact(reader, id)
    if skill.kind is not Kind.SKILL:
        raise NotFound.of("skill", id)
    return await _counting(reader, skill, hand, ok=ok, by=1, rule=RULE)


async def draft_outcome_again(reader: Reader, given: Mapping[str, Any], hand: Hand) -> Draft:
    """Takes an outcome out of the counts, or counts it again, whatever was counted since: `given` is what the receipt of
    the write kept of it. Raises Conflict where the skill was erased."""
    found = await reader.facts([FactId(given["skill"])])
    if not found:
        raise Conflict(f"skill {given['skill']!r} was erased: nothing of its outcomes is left to take back")
    return await _counting(reader, found[0], hand, ok=bool(given["ok"]), by=int(given["by"]), rule="write.undone")


async def with_outcomes(reader: Reader, skills: list[Fact]) -> list[Fact]:
    """Each skill with its counts in `attributes["outcomes"]`."""
    counted = []
    for skill in skills:
        counts = await _counts(reader, skill.id)
        counted.append(replace(skill, attributes={**skill.attributes, "outcomes": counts}))
    return counted


async def _counting(reader: Reader, skill: Fact, hand: Hand, *, ok: bool, by: int, rule: str) -> Draft:
    counts = await _counts(reader, skill.id)
    counts["ok" if ok else "failed"] += by
    return Draft(
        verb="record_outcome",
        actor=hand.actor,
        at=hand.at,
        reason=hand.reason,
        cause=rule,
        documents=(Document(kind=OUTCOMES, id=skill.id, created_at=hand.at, body=counts),),
        changes=(Change(action=Action.UPDATED, kind=Kind.SKILL, id=skill.id, because=Because(rule=rule)),),
        special={"outcome": {"skill": skill.id, "ok": ok, "by": -by}},
        walls=frozenset({skill.wall}),
        about=(skill.id,),
    )


async def _counts(reader: Reader, id: FactId) -> dict[str, int]:
    document = await reader.document(OUTCOMES, id)
    return {"ok": 0, "failed": 0, **(document.body if document else {})}
