"""What people denied since a backup was made, taken over from newer files, so that no old backup brings it back.

A denial is what a person decided against a value: a rejection, a correction, a review decided against one side. It is carried as
the evidence that it is, so it is shown, explained and undone like any other. What was accepted again since is carried too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from muniment.engine.ports.store import TenantStore, Unit
from muniment.engine.write.changes import Hand
from muniment.engine.write.commit import Writing, commit_in
from muniment.engine.write.draft import Adopted, Draft
from muniment.engine.write.erase.listed import purge_list
from muniment.engine.write.survivors import survivors
from muniment.engine.write.transfer.adopt import Ids, Outcome, new_assertions, new_entities, revived
from muniment.graph_schema.ids import AssertionId, EntityId, ReceiptId
from muniment.graph_schema.places import places_of
from muniment.graph_schema.records import Assertion, Entity, Says

VERB: Final = "replay_rejections"
_BATCH: Final = 500


@dataclass(slots=True)
class Denials:
    """What a file, or several, say of denials: `at` is the moment of which they tell, `entities` those that they are about."""

    at: datetime
    assertions: dict[AssertionId, Assertion] = field(default_factory=dict)
    entities: dict[EntityId, Entity] = field(default_factory=dict)

    def take(self, assertion: Assertion) -> None:
        """Notes it where it is a denial that a person decided."""
        if assertion.says in (Says.REJECTED, Says.CORRECTED) and assertion.episode is None:
            self.assertions[assertion.id] = assertion

    @property
    def ends(self) -> frozenset[EntityId]:
        return frozenset(end for a in self.assertions.values() for end in (a.subject, a.object))


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """How many values were denied again, and of how many an older denial was lifted because they were accepted since."""

    denied: int
    accepted: int
    receipts: tuple[ReceiptId, ...]


def latest(told: Iterable[Denials], *, since: datetime) -> Denials:
    """What the newest of several says of each denial; what tells of a moment before `since` is older than the backup itself."""
    whole = Denials(at=since)
    for one in sorted((d for d in told if d.at >= since), key=lambda d: d.at):
        whole.assertions |= one.assertions
        whole.entities |= one.entities
    return whole


async def replay_denials(store: TenantStore, given: Denials, hand: Hand, writing: Writing) -> Replayed:
    """Makes the denials of a restored tenant be what they are in newer files; each batch is one write with its receipt."""
    rows = list(given.assertions.values())
    denied = accepted = 0
    receipts: list[ReceiptId] = []
    for first in range(0, len(rows), _BATCH):
        async with store.write() as unit:
            draft = await _draft(unit, rows[first : first + _BATCH], given.entities, hand, writing)
            if not draft.counts:
                continue
            receipts.append((await commit_in(unit, store, draft, writing)).id)
        denied += draft.counts["denied"]
        accepted += draft.counts["accepted"]
    return Replayed(denied=denied, accepted=accepted, receipts=tuple(receipts))


async def _draft(
    unit: Unit, given: list[Assertion], entities: Mapping[EntityId, Entity], hand: Hand, writing: Writing
) -> Draft:
    """What is to be written for these; it counts nothing where all are there as they should be."""
    stored = {a.id: a for a in await unit.assertions([a.id for a in given])}
    lifted = [a.id for a in given if a.withdrawn_at and a.id in stored and stored[a.id].withdrawn_at is None]
    again = [a.id for a in given if not a.withdrawn_at and a.id in stored and stored[a.id].withdrawn_at]
    new = [a for a in given if not a.withdrawn_at and a.id not in stored]
    listed = await purge_list(unit)
    ids, outcome = Ids(), Outcome()
    ends = sorted({end for a in new for end in (a.subject, a.object)})
    there = [e.id for e in await unit.entities(ends)] if ends else []
    ids.entities |= {id: e.id for id, e in (await survivors(unit, there)).items()}
    missing = [entities[id] for id in ends if id not in ids.entities and id in entities]
    put = await new_entities(unit, missing, listed, ids, outcome)
    put += revived([end for a in new if a.id not in listed.ids for end in (a.subject, a.object)], ids, outcome)
    adopted = await new_assertions(unit, new, writing.ontology, listed, ids, outcome)
    denied = len(adopted) + len(again)
    return Draft(
        verb=VERB,
        actor=hand.actor,
        at=hand.at,
        reason=hand.reason,
        cause="evidence.imported",
        adopted=Adopted(assertions=tuple(adopted)),
        entities=tuple(put),
        withdraw=tuple(lifted),
        restore=tuple(again),
        retold=tuple(sorted({place for a in adopted for place in places_of(a)})),
        counts={"denied": denied, "accepted": len(lifted)} if denied or lifted else {},
    )
