"""Erasing a scope for good, with everything derived from it, in one transaction.

What is erased leaves no text anywhere in the space: not in old versions, indexes, statistics, traces, receipts or jobs.
Facts that other evidence supports too are told anew from that evidence, as if the erased had never been there. The purge
list keeps ids and hashes, so that neither an import nor an old backup brings anything back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, replace

from muniment.engine.ports.models import Vector
from muniment.engine.ports.store import DocumentQuery, Erasable, TenantStore, Unit, Use
from muniment.engine.resolve.timeline import Stretch, fact_id_of, timeline
from muniment.engine.retrieve.slots import connected
from muniment.engine.retrieve.statistics import STATISTICS, Indexed, delta_for, group_of
from muniment.engine.write import audit, receipts
from muniment.engine.write.changes import Hand
from muniment.engine.write.commit import Writing, commit_in
from muniment.engine.write.draft import Draft
from muniment.engine.write.erase.certificate import Certificate, certificate_document, digest_of
from muniment.engine.write.erase.decisions import add_decisions, reworded
from muniment.engine.write.erase.gather import Target, gather
from muniment.engine.write.erase.holds import refuse_held
from muniment.engine.write.erase.leftovers import Gone, clear_documents, clear_jobs, gone_of
from muniment.engine.write.erase.listed import CERTIFICATE, Listed, add_to_list, external_hash, spelling_hash
from muniment.engine.write.erase.scan import all_documents
from muniment.engine.write.erase.scopes import EraseScope, Reach, Sight
from muniment.engine.write.erase.spellings import Remains, remains
from muniment.engine.write.ledger import add_statistics, fold_statistics
from muniment.engine.write.merges import MERGE
from muniment.engine.write.ontology import ONTOLOGY
from muniment.engine.write.receipts import RECEIPT, Flag
from muniment.engine.write.undo import ERASED_BY
from muniment.engine.write.units import in_unit
from muniment.graph_schema.ids import EntityId, FactId, digest
from muniment.graph_schema.places import places_of
from muniment.graph_schema.records import Action, Assertion, Document, Fact, Kind, Receipt

VERB = ERASED_BY
_MOST_IN_AUDIT = 100
_TELLING_SENTENCE = 12  # characters; a shorter text ("okay") may stand anywhere


class _DryRun(Exception):
    """Leaves the transaction without keeping anything; carries the certificate out."""

    def __init__(self, certificate: Certificate) -> None:
        super().__init__()
        self.certificate = certificate


@dataclass(frozen=True, slots=True, kw_only=True)
class _Facts:
    """The facts that an erasure touches. `standing` are the unexpired ones of the slots to tell anew."""

    slots: tuple[str, ...]
    standing: tuple[Fact, ...]
    expired: frozenset[FactId]
    gone: frozenset[FactId]
    stretches: tuple[Stretch, ...]


async def purge(
    store: TenantStore, scope: EraseScope, sight: Sight, hand: Hand, writing: Writing, *, dry_run: bool = False
) -> Certificate:
    """Erases a scope. `store` sees every wall; what the caller may name is told by `sight`.

    The files are not scrubbed yet. With `dry_run` everything is worked out the same way and nothing is kept. Raises Held,
    NotFound, Ambiguous; then nothing was erased.
    """

    async def work(unit: Unit) -> Certificate:
        certificate = await _purge_in(unit, store, scope, sight, hand, writing)
        if dry_run:
            raise _DryRun(replace(certificate, dry_run=True))
        return certificate

    try:
        return await in_unit(store, work)
    except _DryRun as run:
        return run.certificate


async def _purge_in(
    unit: Unit, store: TenantStore, scope: EraseScope, sight: Sight, hand: Hand, writing: Writing
) -> Certificate:
    target = await gather(unit, scope, sight)
    await add_decisions(unit, target)
    await refuse_held(unit, target, store.space)
    end = await audit.chain_end(unit)
    id = "c_" + digest(store.space, str(end.seq), end.hash, size=10)
    everything = scope.reach is Reach.TENANT

    unindexed = await _indexed(unit, target)
    plain = await reworded(unit, target)
    await unit.put_assertions(plain)
    touched = {m.entity for m in await unit.mentions_of_episodes(sorted(target.episodes))}
    touched |= target.doubted | {e for a in target.assertions.values() for e in (a.subject, a.object)}
    await unit.erase(Erasable.ASSERTION, sorted(target.assertions))
    await unit.erase(Erasable.EPISODE, sorted(target.episodes))
    left = await remains(unit, target, touched, writing.ontology)
    facts = await _facts(unit, target, plain, left, everything=everything)
    await _add_summaries(unit, target, facts)
    unindexed += await _indexed_summaries(unit, target)
    uses = await _uses(unit, facts)
    vectors = await _vectors(unit, facts.standing)

    gone = _gone(target, left, facts, everything=everything)
    cleared = await clear_documents(unit, gone)
    jobs = await clear_jobs(unit, gone, at=hand.at)
    await unit.erase(Erasable.FACT, sorted(facts.expired))
    await unit.erase(Erasable.SUMMARY, sorted(target.summaries))
    await add_statistics(unit, added=(), removed=unindexed, at=hand.at)
    draft = _draft(hand, facts, left, vectors, about=(id, *target.named[:_MOST_IN_AUDIT]))
    receipt = await commit_in(unit, store, draft, writing)
    await _tell_erased(unit, receipt, facts.gone)
    await unit.erase(Erasable.ENTITY, [e.id for e in left.orphans])
    await unit.add_uses(uses)
    await _settle_statistics(unit, hand, everything=everything)

    await add_to_list(unit, id, _listed(target, left, facts), at=hand.at)
    certificate = Certificate(
        id=id,
        scope=scope.to_json(),
        at=hand.at,
        actor=hand.actor,
        reason=hand.reason,
        counts={
            "episode": len(target.episodes),
            "assertion": len(target.assertions),
            "fact": len(facts.gone),
            "entity": len(left.orphans),
            "summary": len(target.summaries),
            "document": cleared,
            "job": jobs,
        },
        remaining=await count_remaining(unit, gone, target, facts.gone, left),
        derived=_derived(target, left, facts),
        kept=sum(1 for stretch in facts.stretches if not stretch.denied),
        receipt=receipt.id,
        digest="",
    )
    document = certificate_document(certificate, scope.veiled(), seq=await unit.last_seq(CERTIFICATE) + 1)
    await unit.put_documents([document])
    return replace(certificate, digest=digest_of(document.body))


async def _indexed(unit: Unit, target: Target) -> list[Indexed]:
    """The index entries of the episodes, to be taken out of the statistics."""
    told = {str(id): (group_of(e), e.wall) for id, e in target.episodes.items()}
    entries = await unit.index_entries([(Kind.EPISODE, id) for id in told])
    return [Indexed(entry=entry, group=told[entry.id][0], wall=told[entry.id][1]) for entry in entries]


async def _indexed_summaries(unit: Unit, target: Target) -> list[Indexed]:
    walls = {str(id): s.wall for id, s in target.summaries.items()}
    entries = await unit.index_entries([(Kind.SUMMARY, id) for id in target.summaries])
    return [Indexed(entry=entry, group="summary", wall=walls[entry.id]) for entry in entries]


async def _facts(unit: Unit, target: Target, plain: Sequence[Assertion], left: Remains, *, everything: bool) -> _Facts:
    """Which facts go, and which slots are told anew: those of the erased evidence, and those that show a changed name or
    have other words."""
    own = {place for a in (*target.assertions.values(), *plain) for place in places_of(a)}
    renamed = await unit.assertions_of_entities(sorted(left.renamed)) if left.renamed else []
    slots = await connected(unit, own | {place for a in renamed for place in places_of(a)})
    ever = set(await unit.fact_ids_of_slots(slots)) if slots else set()
    if everything or await _has_moved(unit):
        ever |= await _resting_on(unit, target, everything=everything)
    if everything:
        return _Facts(slots=(), standing=(), expired=frozenset(ever), gone=frozenset(ever), stretches=())
    standing = await unit.facts_of_slots(slots) if slots else []
    told = await unit.assertions_of_slots(slots) if slots else []
    stretches = timeline(told).stretches
    # What is founded on evidence that stays is told anew as history, also where that evidence was withdrawn.
    stay = {s.id for s in stretches} | {fact_id_of(a.id) for a in told}
    return _Facts(
        slots=tuple(slots),
        standing=tuple(standing),
        expired=frozenset(ever - {f.id for f in standing}),
        gone=frozenset(ever - stay),
        stretches=stretches,
    )


async def _has_moved(unit: Unit) -> bool:
    """Whether evidence may have left versions behind in other slots: only merges and ontologies move it."""
    for kind in (MERGE, ONTOLOGY):
        if await unit.documents(DocumentQuery(kind=kind, limit=1)):
            return True
    return False


async def _resting_on(unit: Unit, target: Target, *, everything: bool) -> set[FactId]:
    """Every fact with a version that rested on the erased evidence, wherever it lies."""
    found: set[FactId] = set()
    async for versions in unit.all_facts():
        found |= {
            f.id
            for f in versions
            if everything
            or not target.assertions.keys().isdisjoint(f.assertions)
            or any(q.episode in target.episodes for q in f.evidence)
        }
    return found


async def _add_summaries(unit: Unit, target: Target, facts: _Facts) -> None:
    """A summary that covers anything erased goes whole: what of its text came from where, nobody can tell."""
    covered = {*map(str, target.episodes), *map(str, facts.gone), *map(str, target.assertions)}
    async for summaries in unit.all_summaries():
        target.summaries |= {s.id: s for s in summaries if not covered.isdisjoint(s.covers)}


async def _uses(unit: Unit, facts: _Facts) -> list[Use]:
    """How often the facts that stay were used: rewriting them forgets it."""
    stay = {s.id for s in facts.stretches}
    keys = [(f.kind, str(f.id)) for f in facts.standing if f.id in stay]
    return list((await unit.uses(keys)).values()) if keys else []


async def _vectors(unit: Unit, facts: Sequence[Fact]) -> dict[str, Mapping[str, Vector]]:
    """The vectors of the sentences as they are stored, so that nothing is embedded again."""
    entries = {(e.kind, e.id): e for e in await unit.index_entries([(f.kind, f.id) for f in facts])} if facts else {}
    return {f.text: entries[f.kind, f.id].vectors for f in facts if (f.kind, f.id) in entries}


def _gone(target: Target, left: Remains, facts: _Facts, *, everything: bool) -> Gone:
    scope = target.scope
    words = {e.external_id for e in target.episodes.values() if e.external_id}
    words |= {name for _, name in left.dropped}
    words |= {name for e in left.orphans if not e.ref.is_value for name in (e.name, *(a.name for a in e.aliases))}
    told = (*(e.text for e in target.episodes.values()), *(a.text for a in target.assertions.values()))
    words |= {text for text in told if len(text) >= _TELLING_SENTENCE}
    if scope.reach in (Reach.USER, Reach.AGENT, Reach.SESSION, Reach.EXTERNAL_ID, Reach.SUBJECT):
        words.add(scope.value)
    ids = {*target.episodes, *target.assertions, *target.summaries, *facts.gone, *(e.id for e in left.orphans)}
    return gone_of(ids, words, everything=everything)


def _draft(
    hand: Hand, facts: _Facts, left: Remains, vectors: Mapping[str, Mapping[str, Vector]], *, about: tuple[str, ...]
) -> Draft:
    return Draft(
        verb=VERB,
        actor=hand.actor,
        at=hand.at,
        reason=hand.reason,
        cause="evidence.erased",
        retold=facts.slots,
        entities=left.changed,
        flags=tuple(_inherited(facts)),
        vectors=vectors,
        about=about,
    )


def _inherited(facts: _Facts) -> Iterable[Flag]:
    """A fact whose first evidence went has another id from now on; its marks go over to it."""
    stay = {s.id for s in facts.stretches}
    for old in facts.standing:
        if old.id in stay or not (old.pinned or old.archived):
            continue
        for stretch in facts.stretches:
            if {a.id for a in stretch.supporters} & set(old.assertions):
                marks = (("pinned", old.pinned), ("archived", old.archived))
                yield from (
                    Flag(kind=old.kind, id=stretch.id, name=name, value=True) for name, is_set in marks if is_set
                )


async def _tell_erased(unit: Unit, receipt: Receipt, gone: frozenset[FactId]) -> None:
    """The receipt says of facts that are gone for good that they were erased."""
    told = [replace(c, action=Action.ERASED) if c.id in gone else c for c in receipt.changes]
    document = await unit.document(RECEIPT, receipt.id)
    if document is not None and told != list(receipt.changes):
        await unit.put_documents([receipts.to_document(replace(receipt, changes=tuple(told)), seq=document.seq)])


async def _settle_statistics(unit: Unit, hand: Hand, *, everything: bool) -> None:
    if not everything:
        await fold_statistics(unit)
        return
    # A number above all that were: whoever counted along sees that all is to be counted anew.
    seq = await unit.last_seq(STATISTICS) + 1
    async for rows in all_documents(unit, STATISTICS):
        await unit.drop_documents(STATISTICS, [row.id for row in rows])
    body = {"snapshot": True, **delta_for((), ()).to_json()}
    await unit.put_documents([Document(kind=STATISTICS, id=f"{seq:012d}", seq=seq, created_at=hand.at, body=body)])


def _listed(target: Target, left: Remains, facts: _Facts) -> Listed:
    orphans = [e.id for e in left.orphans]
    return Listed(
        ids=frozenset({*target.episodes, *target.assertions, *target.summaries, *orphans}),
        external=frozenset(external_hash(e.wall, e.external_id) for e in target.episodes.values() if e.external_id),
        spellings=frozenset(spelling_hash(id, name) for id, name in left.dropped),
    )


def _derived(target: Target, left: Remains, facts: _Facts) -> tuple[str, ...]:
    entities: list[EntityId] = [e.id for e in left.orphans if e.id not in target.entities]
    return (*sorted(facts.gone), *sorted(entities), *sorted(target.summaries))


async def count_remaining(unit: Unit, gone: Gone, target: Target, facts: frozenset[FactId], left: Remains) -> int:
    """How many of the erased rows are found when they are looked for again, by every way that leads to them."""
    episodes = sorted(target.episodes)
    keys = [
        *((Kind.EPISODE, id) for id in episodes),
        *((kind, id) for kind in (Kind.FACT, Kind.PREFERENCE, Kind.SKILL) for id in sorted(facts)),
        *((Kind.SUMMARY, id) for id in sorted(target.summaries)),
    ]
    found: list[Sized] = [
        await unit.episodes(episodes),
        await unit.mentions_of_episodes(episodes),
        await unit.assertions_of_episodes(episodes),
        await unit.assertions(sorted(target.assertions)),
        await unit.facts(sorted(facts)),
        await unit.entities([e.id for e in left.orphans]),
        await unit.summaries(sorted(target.summaries)),
        await unit.index_entries(keys),
        await unit.uses(keys),
    ]
    return sum(map(len, found))
