"""Where a claim competes: the slot, and the value it puts there.

Two assertions can close one another only inside one slot. For a functional relation that is (wall, scope, subject,
relation); for a many-valued one also the object, so that it has no rivals, but for relations declared its opposites.
A preference competes by subject and topic, a skill by its trigger.

A functional relation that reads the same both ways (`married_to`) binds both its ends: the claim is stored once and takes
the slot of each end (see `graph_schema/places.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from muniment.graph_schema.ids import EntityId, digest, fold
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.places import BOTH_WAYS, paired_slot
from muniment.graph_schema.records import Kind, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A statement in the direction in which it is stored, with its slot and claim."""

    subject: EntityId
    relation: str
    object: EntityId
    slot: str
    claim: str


def place(
    ontology: Ontology,
    *,
    kind: Kind,
    subject: EntityId,
    relation: str,
    object: EntityId,
    scope: Scope,
    wall: str,
    attributes: Mapping[str, Any],
) -> Place:
    """Where the statement competes, and as what. Pure, and the same for every order of ingestion."""
    where = (wall, scope.user, scope.agent, scope.session)
    if kind is Kind.PREFERENCE:
        topic = fold(str(attributes.get("topic", "")))
        slot = digest(*where, subject, "preference", topic or object)
        return Place(
            subject=subject,
            relation=relation,
            object=object,
            slot=slot,
            claim=f"{object}|{attributes.get('polarity', '')}",
        )
    if kind is Kind.SKILL:
        slot = digest(*where, "skill", fold(str(attributes.get("trigger", ""))))
        return Place(subject=subject, relation=relation, object=object, slot=slot, claim=object)
    stored = ontology.canonical(relation, subject, object)
    family = ontology.opposites_family(stored.relation)
    if ontology.is_functional(stored.relation) and ontology.binds_both_ends(family):
        both = BOTH_WAYS if ontology.relation(stored.relation).relation.symmetric else ""
        return Place(
            subject=stored.subject,
            relation=stored.relation,
            object=stored.object,
            slot=paired_slot(digest(*where, "paired", family), stored.subject),
            claim=f"{both}{stored.relation}|{stored.subject}|{stored.object}",
        )
    rival = "" if ontology.is_functional(stored.relation) else stored.object
    return Place(
        subject=stored.subject,
        relation=stored.relation,
        object=stored.object,
        slot=digest(*where, stored.subject, family, rival),
        claim=f"{stored.relation}|{stored.object}",
    )
