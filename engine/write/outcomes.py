"""How often a skill went well: counted beside the skill, since it is use and not evidence of what the skill says."""

from __future__ import annotations

from dataclasses import replace

from muniment.engine.ports.store import Reader, TenantStore
from muniment.engine.write import audit
from muniment.engine.write.changes import Hand, standing_fact
from muniment.graph_schema.errors import NotFound
from muniment.graph_schema.ids import FactId
from muniment.graph_schema.records import Document, Fact, Kind

OUTCOMES = "skill_outcomes"


async def record_outcome(store: TenantStore, id: FactId, *, ok: bool, hand: Hand) -> Fact:
    """Counts one outcome and gives the skill with its counts. Raises NotFound where there is no such skill."""
    async with store.write() as unit:
        skill = await standing_fact(unit, id)
        if skill.kind is not Kind.SKILL:
            raise NotFound.of("skill", id)
        before = await unit.document(OUTCOMES, skill.id)
        counts = {"ok": 0, "failed": 0, **(before.body if before else {})}
        counts["ok" if ok else "failed"] += 1
        await unit.put_documents([Document(kind=OUTCOMES, id=skill.id, created_at=hand.at, body=counts)])
        await audit.append(
            unit,
            at=hand.at,
            actor=hand.actor,
            verb="record_outcome",
            outcome="done",
            ids=(skill.id,),
            detail={"ok": ok},
        )
        return _counted(skill, counts)


async def with_outcomes(reader: Reader, skills: list[Fact]) -> list[Fact]:
    """Each skill with its counts in `attributes["outcomes"]`."""
    counted = []
    for skill in skills:
        document = await reader.document(OUTCOMES, skill.id)
        counted.append(_counted(skill, {"ok": 0, "failed": 0, **(document.body if document else {})}))
    return counted


def _counted(skill: Fact, counts: dict[str, int]) -> Fact:
    return replace(skill, attributes={**skill.attributes, "outcomes": dict(counts)})
