"""Setting a tenant's ontology: every timeline that it touches is recomputed, and the receipt says what changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from muniment.engine.ports.store import Reader
from muniment.engine.write.changes import Hand
from muniment.engine.write.draft import Draft
from muniment.engine.write.move import under
from muniment.graph_schema.ontology import Ontology, base_ontology
from muniment.graph_schema.records import Document

ONTOLOGY = "ontology"
OVERLAY_ID = "overlay"


async def overlay_of(reader: Reader) -> Mapping[str, Any]:
    """What the tenant laid over the base ontology; empty where it laid nothing."""
    document = await reader.document(ONTOLOGY, OVERLAY_ID)
    return document.body if document else {}


def ontology_with(overlay: Mapping[str, Any]) -> Ontology:
    """The ontology in force under an overlay. Raises Invalid for a wrong one."""
    return base_ontology().with_overlay(overlay) if overlay else base_ontology()


async def draft_ontology(reader: Reader, overlay: Mapping[str, Any], hand: Hand) -> tuple[Draft, Ontology]:
    """The draft, and the ontology that it puts in force. `reader` must see every wall. Raises Invalid."""
    ontology = ontology_with(overlay)
    moves = await under(reader, ontology)
    before = await overlay_of(reader)
    draft = Draft(
        verb="set_ontology",
        actor=hand.actor,
        at=hand.at,
        reason=hand.reason,
        cause="ontology.changed",
        moved=moves.moved,
        slots=moves.left,
        documents=(Document(kind=ONTOLOGY, id=OVERLAY_ID, created_at=hand.at, body=dict(overlay)),),
        special={"ontology": dict(before)},
    )
    return draft, ontology
