"""What entities were called at a moment: without the spellings and identifiers that later writes brought, with those that later
ones took off. Receipts tell of both; who stands for whom and what type a thing has stay as they are today."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime

from muniment.engine.ports.store import Reader
from muniment.engine.resolve.identity import Learned, with_spellings
from muniment.engine.write.erase.scan import all_documents
from muniment.engine.write.ontology import ontology_with, overlay_of
from muniment.engine.write.receipts import RECEIPT, UndoPlan
from muniment.engine.write.spellings import root_of, without_spellings
from muniment.graph_schema.ids import EntityId
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.records import Document, Entity


@dataclass(frozen=True, slots=True, kw_only=True)
class NamesThen:
    """The spellings that entities have and had not yet, and those that they had and have no more."""

    ontology: Ontology
    later: dict[EntityId, set[str]] = field(default_factory=lambda: defaultdict(set))
    gone: dict[EntityId, list[Learned]] = field(default_factory=lambda: defaultdict(list))

    def of(self, entity: Entity) -> Entity:
        """The entity as it was called then; its own name stays."""
        root = root_of(self.ontology, entity.type)
        had = {spelling for one in self.gone.get(entity.id, ()) for spelling in one.spellings}
        later = self.later.get(entity.id, set()) - had - {entity.name}
        then = without_spellings(entity, later, self.ontology) if later else entity
        for one in self.gone.get(entity.id, ()):
            then = with_spellings(then, one, root)
        return then


async def names_then(reader: Reader, moment: datetime) -> NamesThen:
    """What the receipts since a moment say of names. Reads every receipt of the tenant."""
    found = NamesThen(ontology=ontology_with(await overlay_of(reader)))
    before: set[str] = set()
    since: list[Document] = []
    async for documents in all_documents(reader, RECEIPT):
        before |= {d.id for d in documents if d.created_at <= moment}
        since += [d for d in documents if d.created_at > moment]
    for document in since:
        plan = UndoPlan.from_json(document.body["undo"])
        for one in plan.unlearn:
            found.later[one.entity].update(one.spellings)
        if (plan.special or {}).get("undoes") in before:
            for one in plan.relearn:
                found.gone[one.entity].append(one)
    return found
