"""What people decided about facts whose evidence is erased: it goes with the fact, or is told in words of its own.

A decision (an end, a correction, a rejection, a chosen side) carries the sentence of the fact that it is about. So a decision
about a fact for which nothing else speaks any more is derived from the erased and goes with it. What a person gave in place of
a wrong value is their own word and stays; only the sentence, which was the erased one with another name in it, does not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from muniment.engine.ports.store import Reader
from muniment.engine.write.changes import DECIDED, plain_words
from muniment.engine.write.erase.gather import Target
from muniment.graph_schema.ids import EntityId
from muniment.graph_schema.places import places_of
from muniment.graph_schema.records import Assertion, Says


async def add_decisions(reader: Reader, target: Target) -> None:
    """Adds to the target what was decided about claims for which nothing else is left to speak."""
    claims = {a.claim for a in target.assertions.values()}
    texts = {a.text for a in target.assertions.values()}
    standing: dict[str, list[Assertion]] = defaultdict(list)
    for a in await _beside(reader, target.assertions.values()):
        if a.claim in claims and a.id not in target.assertions:
            standing[a.claim].append(a)
    for told in standing.values():
        if all(_is_decision(a) and not (a.says is Says.HOLDS and a.text not in texts) for a in told):
            target.assertions |= {a.id: a for a in told}


async def reworded(reader: Reader, target: Target) -> list[Assertion]:
    """The decisions that stay though they carry an erased sentence, each with plain words in its place."""
    erased = [a for a in target.assertions.values() if a.text]
    near = {a.id: a for a in await _beside(reader, erased) if _is_decision(a)}
    decided = {a.receipt for a in (*near.values(), *erased) if _is_decision(a)}
    for receipt in sorted(decided):
        near |= {a.id: a for a in await reader.assertions_of_receipt(receipt) if _is_decision(a)}
    staying = [a for id, a in sorted(near.items()) if id not in target.assertions]
    if not staying:
        return []
    names = await _names(reader, (*erased, *staying))
    return [
        replace(a, text=plain_words(names[a.subject], a.relation, names[a.object]))
        for a in staying
        if a.text in _sentences(erased, names, names[a.object])
    ]


async def _beside(reader: Reader, assertions: Iterable[Assertion]) -> list[Assertion]:
    """All that is told in the slots of these."""
    slots = sorted({place for a in assertions for place in places_of(a)})
    return await reader.assertions_of_slots(slots) if slots else []


async def _names(reader: Reader, assertions: Iterable[Assertion]) -> Mapping[EntityId, str]:
    ends = {end for a in assertions for end in (a.subject, a.object)}
    return dict.fromkeys(ends, "") | {e.id: e.name for e in await reader.entities(sorted(ends))}


def _is_decision(a: Assertion) -> bool:
    return a.episode is None and a.rule.startswith(DECIDED)


def _sentences(erased: Iterable[Assertion], names: Mapping[EntityId, str], object: str) -> Collection[str]:
    """The erased sentences, as they are and with this name in place of the object's: so a correction words its value."""
    return {a.text for a in erased} | {
        a.text.replace(names[a.object], object) for a in erased if names[a.object] and names[a.object] in a.text
    }
