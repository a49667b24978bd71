"""Who contradicts whom among what a block may hold: so that no side of a conflict is told as plain truth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from muniment.engine.ports.store import Reader
from muniment.engine.rank.hits import Hit
from muniment.engine.retrieve.pinned import may_see
from muniment.graph_schema.records import Episode, Fact, Scope


async def rivals_of(
    reader: Reader, hits: Iterable[Hit], *, scope: Scope | None, as_of: datetime, known_at: datetime | None
) -> Mapping[str, Sequence[str]]:
    """By the id of a memory the ids of the facts that contradict it, in order; empty where nothing is disputed.

    Of the facts among the hits, of their rivals, hits or not, and of the episodes that tell either. A rival counts that the
    reader may see, that was not taken back, and that holds at some moment at which the fact does; what is to come
    at `as_of` contradicts nothing that holds, and a guess nothing that was plainly said.
    """
    held = {hit.id: hit.memory for hit in hits if isinstance(hit.memory, Fact)}
    told = {hit.id for hit in hits if isinstance(hit.memory, Episode)}
    named = {id for fact in held.values() for id in fact.conflicts_with} - held.keys()
    if not named and not any(fact.conflicts_with for fact in held.values()):
        return {}
    rows = await reader.facts(sorted(named), known_at=known_at)
    known: dict[str, Fact] = dict(held)
    known |= {row.id: row for row in rows if scope is None or may_see(scope, row.scope)}
    found: dict[str, set[str]] = defaultdict(set)
    for fact in held.values():
        for rival in (known[id] for id in fact.conflicts_with if id in known):
            if _both_hold(fact, rival, as_of):
                for one, other in ((fact, rival), (rival, fact)):
                    if other.is_guess and not one.is_guess:
                        continue
                    found[one.id].add(other.id)
                    for quote in one.evidence:
                        found[quote.episode].add(other.id)
    return {id: sorted(against) for id, against in found.items() if id in held or id in told}


def _both_hold(one: Fact, other: Fact, as_of: datetime) -> bool:
    if (one.valid_at > as_of) is not (other.valid_at > as_of):
        return False
    if one.rejected or other.rejected or one.archived or other.archived:
        return False
    return all(b.invalid_at is None or a.valid_at < b.invalid_at for a, b in ((one, other), (other, one)))
