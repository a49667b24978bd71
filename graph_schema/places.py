"""What the key of a slot says: whether what is in it competes for one end of a relation, or for both.

Most slots are opaque keys. Those of a single-valued relation that reads the same both ways (`married_to`), and of what
excludes it, are *paired*: the key is `group.entity`, one slot for each entity that can be an end, and a claim that reads
both ways takes the slots of both its ends. It is stored in that of its subject; the other follows from its object.
"""

from __future__ import annotations

from muniment.graph_schema.ids import EntityId
from muniment.graph_schema.records import Assertion, Fact

BOTH_WAYS = "="
"""How the key of a claim begins that takes the slots of both its ends."""
_BETWEEN = "."


def paired_slot(group: str, entity: EntityId) -> str:
    """The slot of an entity in a group of relations that pair entities; `group` is a digest."""
    return f"{group}{_BETWEEN}{entity}"


def is_paired(slot: str) -> bool:
    return _BETWEEN in slot


def group_of(slot: str) -> str:
    """What has to be looked at in one pass: the group of a paired slot, else the slot itself."""
    return slot.partition(_BETWEEN)[0]


def end_of(slot: str) -> EntityId:
    """The entity whose slot a paired one is."""
    return EntityId(slot.partition(_BETWEEN)[2])


def places_of(held: Assertion | Fact) -> tuple[str, ...]:
    """The slots that this takes part in: its own, then that of its object where its claim reads both ways."""
    if not held.claim.startswith(BOTH_WAYS):
        return (held.slot,)
    object_ = held.object if isinstance(held, Assertion) else held.object.id
    return (held.slot, paired_slot(group_of(held.slot), object_))
