"""What a write changed of entities, as its receipt tells it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from muniment.engine.resolve.identity import Register
from muniment.engine.resolve.told_identifiers import SAME_IDENTIFIER
from muniment.engine.write.likenesses import SAME_IDENTIFIER_RULE, SAME_NAME
from muniment.graph_schema.ids import EntityId, EpisodeId
from muniment.graph_schema.records import Action, Assertion, Because, Change, Kind

NEW_NAME: Final = "identity.new-name"
FINER_TYPE: Final = "identity.finer-type"


def entity_changes(register: Register, new: Sequence[Assertion]) -> list[Change]:
    """One `created` for each entity that the write made, with the episodes that name it; one `updated` for each that a new
    spelling was taken to mean, and for each whose type became more telling."""
    evidence: dict[EntityId, list[EpisodeId]] = {}
    for a in new:
        for end in (a.subject, a.object):
            evidence.setdefault(end, []).extend([a.episode] if a.episode else [])

    def change(action: Action, id: EntityId, rule: str, *, by_evidence: bool = True) -> Change:
        told = tuple(dict.fromkeys(evidence.get(id, ()))) if by_evidence else ()
        return Change(action=action, kind=Kind.ENTITY, id=id, because=Because(rule=rule, evidence=told))

    made = [id for id in register.made() if not register.entity(id).ref.is_value]
    taken = [(id, SAME_IDENTIFIER in match.features) for id, match in register.taken().items()]
    return [
        *(change(Action.CREATED, id, NEW_NAME) for id in made),
        *(change(Action.UPDATED, id, SAME_IDENTIFIER_RULE) for id, is_identifier in taken if is_identifier),
        *(change(Action.UPDATED, id, SAME_NAME, by_evidence=False) for id, is_identifier in taken if not is_identifier),
        *(change(Action.UPDATED, id, FINER_TYPE) for id in sorted(register.retyped())),
    ]
