"""Changing what is held true: each change is evidence given or taken back, with a reason and an actor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from muniment.engine.extract.candidates import Named
from muniment.engine.ingest.inputs import EndIn
from muniment.engine.ports.store import Reader
from muniment.engine.resolve.statements import RANK_DECIDED, Statement
from muniment.engine.resolve.timeline import Rule
from muniment.engine.retrieve.heirs import heir_of
from muniment.engine.write.draft import Draft
from muniment.engine.write.receipts import Flag
from muniment.engine.write.survivors import survivors
from muniment.graph_schema.errors import Conflict, Invalid, NotFound
from muniment.graph_schema.ids import AssertionId, EntityId, EpisodeId, FactId
from muniment.graph_schema.records import FORGOTTEN, Fact, Kind, Says
from muniment.graph_schema.temporal import BEGINNING_MS, to_ms

DECIDED = "decided."
"""How the rule of a person's decision about a fact begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """Who changes something, when, and why."""

    actor: str
    at: datetime
    reason: str = ""


async def standing_fact(reader: Reader, id: FactId) -> Fact:
    """The fact that this id leads to now: itself, or the one that took over its evidence. Raises NotFound."""
    found = await reader.facts([id])
    if not found:
        raise NotFound.of("fact", id)
    fact = found[0]
    if fact.expired_at is None:
        return fact
    heir = await heir_of(reader, fact)
    if heir is None:
        raise NotFound.of("fact", id)
    return heir


async def draft_retraction(reader: Reader, id: str, hand: Hand) -> Draft:
    """Takes back the evidence behind a fact, of an episode, or one assertion. Raises NotFound."""
    if id.startswith("e_"):
        return await _without_episodes(reader, [EpisodeId(id)], hand, verb="retract")
    if id.startswith("a_"):
        found = await reader.assertions([AssertionId(id)])
        if not found:
            raise NotFound.of("assertion", id)
        withdraw: tuple[AssertionId, ...] = (found[0].id,)
    else:
        withdraw = (await standing_fact(reader, FactId(id))).assertions
    return _draft("retract", hand, cause="evidence.retracted", withdraw=withdraw)


async def draft_forgetting(reader: Reader, ids: Sequence[str], hand: Hand) -> Draft:
    """Hides memories softly: an episode with what only it proves, a fact as a whole.

    Raises NotFound for the first unknown, Invalid for an entity: what tells of it would still name it.
    """
    for id in ids:
        _no_entity(id, "forgotten: forget its facts and episodes, or purge it", field="ids")
    episodes = await _without_episodes(
        reader, [EpisodeId(id) for id in ids if id.startswith("e_")], hand, verb="forget"
    )
    facts = [await standing_fact(reader, FactId(id)) for id in ids if not id.startswith("e_")]
    flags = tuple(Flag(kind=f.kind, id=f.id, name="archived", value=True) for f in facts)
    draft = _draft("forget", hand, cause=FORGOTTEN, withdraw=episodes.withdraw, flags=(*episodes.flags, *flags))
    return replace(draft, forgets=True)


async def draft_end(reader: Reader, id: FactId, at: datetime | None, hand: Hand) -> Draft:
    """Says that a fact is no longer so from `at` on (now where None). Raises NotFound, Invalid before it began."""
    fact = await standing_fact(reader, id)
    moment = at or hand.at
    if moment < fact.valid_at:
        raise Invalid(
            f"at {moment.isoformat()} lies before the fact began, {fact.valid_at.isoformat()}: to say that it never was so, "
            "reject or correct it",
            field="at",
        )
    ended = decided(fact, hand, says=Says.ENDED, valid_to=moment)
    return _draft("end", hand, cause="end.told", statements=(ended,))


async def draft_correction(
    reader: Reader,
    id: FactId,
    hand: Hand,
    *,
    object: EndIn | None,
    valid_at: datetime | None,
    invalid_at: datetime | None,
    text: str,
) -> Draft:
    """Says that a fact was told wrong, and what is right: another object, other dates, other words.

    Raises NotFound, Invalid where nothing is corrected or the dates are in the wrong order.
    """
    fact = await standing_fact(reader, id)
    if object is None and valid_at is None and invalid_at is None and not text:
        raise Invalid("nothing to correct: give object, valid_at, invalid_at or text")
    start = valid_at or (None if to_ms(fact.valid_at) == BEGINNING_MS else fact.valid_at)
    told_end = fact.closed_by in (Rule.ENDED.value, Rule.UNTIL.value)
    end = invalid_at or (fact.invalid_at if told_end else None)
    if start and end and end < start:
        raise Invalid(
            f"invalid_at {end.isoformat()} lies before valid_at {start.isoformat()}: a fact cannot end before it begins",
            field="invalid_at",
        )
    wrong = decided(fact, hand, says=Says.CORRECTED, valid_from=fact.valid_at, valid_to=_after(fact))
    new_object, name = await _object(reader, fact, object)
    words = text or _with_object(fact, name)
    right = decided(fact, hand, says=Says.HOLDS, valid_from=start, valid_to=end, object=new_object, text=words)
    return _draft("correct", hand, cause="claim.corrected", statements=(wrong, right))


async def draft_rejection(reader: Reader, id: FactId, hand: Hand) -> Draft:
    """Says that a fact is not so, and that telling it again shall not bring it back. Raises NotFound, Conflict."""
    fact = await standing_fact(reader, id)
    if fact.rejected and fact.closed_by == Rule.REJECTED.value:
        raise Conflict(f"fact {id!r} is rejected already")
    rejected = decided(fact, hand, says=Says.REJECTED)
    return _draft("reject", hand, cause="claim.rejected", statements=(rejected,))


async def draft_pin(reader: Reader, id: str, hand: Hand, *, pinned: bool) -> Draft:
    """Marks a memory as always to be shown, or no longer. Raises NotFound, Invalid for an entity."""
    _no_entity(id, "pinned: pin its facts", field="id")
    if id.startswith("e_"):
        if not await reader.episodes([EpisodeId(id)]):
            raise NotFound.of("episode", id)
        flag = Flag(kind=Kind.EPISODE, id=id, name="pinned", value=pinned)
    else:
        fact = await standing_fact(reader, FactId(id))
        flag = Flag(kind=fact.kind, id=fact.id, name="pinned", value=pinned)
    return _draft("pin" if pinned else "unpin", hand, cause="mark.pinned", flags=(flag,))


def _no_entity(id: str, what_then: str, *, field: str) -> None:
    if id.startswith("n_"):
        raise Invalid(f"{field} has {id!r}: an entity cannot be {what_then}", field=field)


async def _without_episodes(reader: Reader, ids: Sequence[EpisodeId], hand: Hand, *, verb: str) -> Draft:
    found = {e.id: e for e in await reader.episodes(ids)} if ids else {}
    for id in ids:
        if id not in found or (found[id].archived and verb == "retract"):
            raise NotFound.of("episode", id)
    told = await reader.assertions_of_episodes(ids) if ids else []
    flags = tuple(Flag(kind=Kind.EPISODE, id=id, name="archived", value=True) for id in ids)
    withdraw = tuple(a.id for a in told if a.withdrawn_at is None)
    return _draft(verb, hand, cause="evidence.retracted", withdraw=withdraw, flags=flags)


async def _object(reader: Reader, fact: Fact, given: EndIn | None) -> tuple[Named | EntityId, str]:
    if given is None:
        return fact.object.id, fact.object.name
    if given.id is not None:
        entity = (await survivors(reader, [given.id]))[given.id]
        return entity.id, entity.name
    name = " ".join(given.name.split())
    return Named(name=name, type=given.type, is_value=given.is_value or fact.object.is_value), name


def _with_object(fact: Fact, name: str) -> str:
    """The sentence with the new object in the old one's place, else a plain one."""
    if name == fact.object.name:
        return fact.text
    if fact.object.name in fact.text:
        return fact.text.replace(fact.object.name, name)
    return plain_words(fact.subject.name, fact.relation, name)


def plain_words(subject: str, relation: str, object: str) -> str:
    """A claim in words that nobody wrote: `Ana Ruiz works for Acme`."""
    return f"{subject} {relation.replace('_', ' ')} {object}"


def _after(fact: Fact) -> datetime | None:
    """The end of a fact as a bound that takes in all that was told for it."""
    return fact.invalid_at if fact.invalid_at is None or fact.invalid_at > fact.valid_at else None


def decided(
    fact: Fact,
    hand: Hand,
    *,
    says: Says,
    valid_from: datetime | None = None,
    valid_to: datetime | None = None,
    object: Named | EntityId | None = None,
    text: str = "",
) -> Statement:
    """What a person decided about a fact, as a statement about its claim."""
    return Statement(
        kind=fact.kind,
        says=says,
        subject=fact.subject.id,
        relation=fact.relation,
        object=fact.object.id if object is None else object,
        text=text or fact.text,
        valid_from=valid_from,
        valid_to=valid_to,
        told_at=hand.at,
        recorded_at=hand.at,
        confidence=1.0,
        importance=fact.importance,
        rank=RANK_DECIDED,
        rule=f"{DECIDED}{says.value}",
        scope=fact.scope,
        wall=fact.wall,
        attributes=fact.attributes,
    )


def _draft(
    verb: str,
    hand: Hand,
    *,
    cause: str,
    statements: tuple[Statement, ...] = (),
    withdraw: tuple[AssertionId, ...] = (),
    flags: tuple[Flag, ...] = (),
) -> Draft:
    return Draft(
        verb=verb,
        actor=hand.actor,
        at=hand.at,
        reason=hand.reason,
        cause=cause,
        statements=statements,
        withdraw=withdraw,
        flags=flags,
    )
