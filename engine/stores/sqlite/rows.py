"""Records as rows and rows as records: one pair of functions and one list of columns each.

The lists give the order of a row's columns, in statements (`{fact:f}`) and here; `space` and `changed` are added by the
writer. A test writes and reads each record back.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from muniment.engine.ports.store import Use
from muniment.engine.stores.sqlite.codec import (
    dumped,
    end_ms,
    end_time,
    loaded,
    loaded_object,
    loaded_strings,
    ms_or_none,
    restored,
    stored,
    stored_or_none,
    time_or_none,
)
from muniment.graph_schema.ids import AssertionId, EntityId, EpisodeId, FactId, JobId, ReceiptId, SummaryId
from muniment.graph_schema.records import (
    SHARED,
    Alias,
    Assertion,
    Document,
    Entity,
    EntityRef,
    Episode,
    EpisodeKind,
    Fact,
    Job,
    JobState,
    Kind,
    Mention,
    MentionRole,
    Quote,
    Says,
    Scope,
    Summary,
)
from muniment.graph_schema.temporal import from_ms, to_ms

Row = tuple[Any, ...]

_KEPT_FACTS: Final = 8_192  # about 20 MB
_KEPT_ENTITIES: Final = 4_096  # about 8 MB
_KEPT_ASSERTIONS: Final = 4_096  # a slot with a long history is read whole at each change

_NAMES: Final = {
    "episode": (
        "id kind text occurred_at recorded_at external_id speaker title source lang thread position user agent session"
        " wall importance metadata content_hash archived pinned degraded receipt"
    ),
    "entity": (
        "id name type key aliases identifiers summary user agent session wall merged_into created_at archived attributes"
    ),
    "mention": "episode entity role wall",
    "assertion": (
        "id kind slot claim says subject relation object text valid_from valid_to told_at recorded_at withdrawn_at"
        " turned_by confidence importance rank episode quote quote_start quote_end rule actor receipt place user agent session"
        " wall attributes"
    ),
    "fact": (
        "id version kind slot claim subject subject_name subject_type relation object object_name object_type text"
        " valid_at invalid_at created_at expired_at rejected archived pinned confidence importance user agent session"
        " wall evidence assertions closed_by superseded_by conflicts_with attributes"
    ),
    "summary": 'id text topic start "end" covers created_at user agent session wall archived',
    "document": "kind id ref status seq created_at expires_at body",
    "job": ("id kind payload state attempts reason created_at updated_at due_at owner lease_until receipt dedup_key"),
    "use": "kind id count last_at",
}
COLUMNS: Final = {noun: tuple(names.split()) for noun, names in _NAMES.items()}


def _scope(user: str, agent: str, session: str) -> Scope:
    if not (user or agent or session):
        return SHARED
    return Scope(user=restored(user), agent=restored(agent), session=restored(session))


def episode_row(e: Episode) -> Row:
    return (
        stored(e.id),
        e.kind.value,
        stored(e.text),
        to_ms(e.occurred_at),
        to_ms(e.recorded_at),
        stored_or_none(e.external_id),
        stored(e.speaker),
        stored(e.title),
        stored(e.source),
        stored(e.lang),
        stored(e.thread),
        e.position,
        stored(e.scope.user),
        stored(e.scope.agent),
        stored(e.scope.session),
        stored(e.wall),
        e.importance,
        dumped(e.metadata),
        stored(e.content_hash),
        e.archived,
        e.pinned,
        dumped(e.degraded),
        stored(e.receipt),
    )


def episode_of(row: Row) -> Episode:
    (
        id, kind, text, occurred_at, recorded_at, external_id, speaker, title, source, lang, thread, position,
        user, agent, session, wall, importance, metadata, content_hash, archived, pinned, degraded, receipt,
    ) = row  # fmt: skip
    return Episode(
        id=EpisodeId(restored(id)),
        text=restored(text),
        kind=EpisodeKind(kind),
        occurred_at=from_ms(occurred_at),
        recorded_at=from_ms(recorded_at),
        external_id=None if external_id is None else restored(external_id),
        speaker=restored(speaker),
        title=restored(title),
        source=restored(source),
        lang=restored(lang),
        thread=restored(thread),
        position=position,
        scope=_scope(user, agent, session),
        wall=restored(wall),
        importance=importance,
        metadata=loaded_object(metadata),
        content_hash=restored(content_hash),
        archived=bool(archived),
        pinned=bool(pinned),
        degraded=loaded_strings(degraded),
        receipt=ReceiptId(restored(receipt)),
    )


def entity_row(e: Entity) -> Row:
    return (
        stored(e.id),
        stored(e.name),
        stored(e.type),
        stored(e.key),
        dumped([[alias.key, alias.name] for alias in e.aliases]),
        dumped(e.identifiers),
        stored(e.summary),
        stored(e.scope.user),
        stored(e.scope.agent),
        stored(e.scope.session),
        stored(e.wall),
        stored_or_none(e.merged_into),
        to_ms(e.created_at),
        e.archived,
        dumped(e.attributes),
    )


@lru_cache(maxsize=_KEPT_ENTITIES)
def entity_of(row: Row) -> Entity:
    """The entity of a row, built once as facts are: one name is met under several keys, and in one write after another."""
    (
        id, name, type, key, aliases, identifiers, summary, user, agent, session, wall, merged_into, created_at,
        archived, attributes,
    ) = row  # fmt: skip
    return Entity(
        id=EntityId(restored(id)),
        name=restored(name),
        type=restored(type),
        key=restored(key),
        aliases=() if aliases == "[]" else tuple(Alias(key=k, name=n) for k, n in loaded(aliases)),
        identifiers=loaded_strings(identifiers),
        summary=restored(summary),
        scope=_scope(user, agent, session),
        wall=restored(wall),
        merged_into=None if merged_into is None else EntityId(restored(merged_into)),
        created_at=from_ms(created_at),
        archived=bool(archived),
        attributes=loaded_object(attributes),
    )


def mention_row(m: Mention) -> Row:
    return (stored(m.episode), stored(m.entity), m.role.value, stored(m.wall))


def mention_of(row: Row) -> Mention:
    episode, entity, role, wall = row
    return Mention(
        episode=EpisodeId(restored(episode)),
        entity=EntityId(restored(entity)),
        role=MentionRole(role),
        wall=restored(wall),
    )


def assertion_row(a: Assertion) -> Row:
    return (
        stored(a.id),
        a.kind.value,
        stored(a.slot),
        stored(a.claim),
        a.says.value,
        stored(a.subject),
        stored(a.relation),
        stored(a.object),
        stored(a.text),
        ms_or_none(a.valid_from),
        ms_or_none(a.valid_to),
        to_ms(a.told_at),
        to_ms(a.recorded_at),
        ms_or_none(a.withdrawn_at),
        dumped(a.turned_by),
        a.confidence,
        a.importance,
        a.rank,
        stored_or_none(a.episode),
        stored(a.quote),
        a.start,
        a.end,
        stored(a.rule),
        stored(a.actor),
        stored(a.receipt),
        a.order,
        stored(a.scope.user),
        stored(a.scope.agent),
        stored(a.scope.session),
        stored(a.wall),
        dumped(a.attributes),
    )


@lru_cache(maxsize=_KEPT_ASSERTIONS)
def assertion_of(row: Row) -> Assertion:
    (
        id, kind, slot, claim, says, subject, relation, object, text, valid_from, valid_to, told_at, recorded_at,
        withdrawn_at, turned_by, confidence, importance, rank, episode, quote, start, end, rule, actor, receipt, order,
        user, agent, session, wall, attributes,
    ) = row  # fmt: skip
    return Assertion(
        id=AssertionId(restored(id)),
        kind=Kind(kind),
        slot=restored(slot),
        claim=restored(claim),
        says=Says(says),
        subject=EntityId(restored(subject)),
        relation=restored(relation),
        object=EntityId(restored(object)),
        text=restored(text),
        valid_from=time_or_none(valid_from),
        valid_to=time_or_none(valid_to),
        told_at=from_ms(told_at),
        recorded_at=from_ms(recorded_at),
        withdrawn_at=time_or_none(withdrawn_at),
        turned_by=tuple(ReceiptId(id) for id in loaded_strings(turned_by)),
        confidence=confidence,
        importance=importance,
        rank=rank,
        episode=None if episode is None else EpisodeId(restored(episode)),
        quote=restored(quote),
        start=start,
        end=end,
        rule=restored(rule),
        actor=restored(actor),
        receipt=ReceiptId(restored(receipt)),
        order=order,
        scope=_scope(user, agent, session),
        wall=restored(wall),
        attributes=loaded_object(attributes),
    )


def fact_row(f: Fact) -> Row:
    return (
        stored(f.id),
        f.version,
        f.kind.value,
        stored(f.slot),
        stored(f.claim),
        stored(f.subject.id),
        stored(f.subject.name),
        stored(f.subject.type),
        stored(f.relation),
        stored(f.object.id),
        stored(f.object.name),
        stored(f.object.type),
        stored(f.text),
        to_ms(f.valid_at),
        end_ms(f.invalid_at),
        to_ms(f.created_at),
        end_ms(f.expired_at),
        f.rejected,
        f.archived,
        f.pinned,
        f.confidence,
        f.importance,
        stored(f.scope.user),
        stored(f.scope.agent),
        stored(f.scope.session),
        stored(f.wall),
        dumped([[q.episode, q.quote, q.start, q.end] for q in f.evidence]),
        dumped(f.assertions),
        stored(f.closed_by),
        stored_or_none(f.superseded_by),
        dumped(f.conflicts_with),
        dumped(f.attributes),
    )


@lru_cache(maxsize=_KEPT_FACTS)
def fact_of(row: Row) -> Fact:
    """The fact of a row. A question meets hundreds of facts and the next one many of them again; since a row says all
    there is to say of a fact and facts are frozen, the same row can be the same object.
    """
    (
        id, version, kind, slot, claim, subject, subject_name, subject_type, relation, object, object_name, object_type,
        text, valid_at, invalid_at, created_at, expired_at, rejected, archived, pinned, confidence, importance,
        user, agent, session, wall, evidence, assertions, closed_by, superseded_by, conflicts_with, attributes,
    ) = row  # fmt: skip
    return Fact(
        id=FactId(restored(id)),
        version=version,
        kind=Kind(kind),
        slot=restored(slot),
        claim=restored(claim),
        subject=EntityRef(id=EntityId(restored(subject)), name=restored(subject_name), type=restored(subject_type)),
        relation=restored(relation),
        object=EntityRef(id=EntityId(restored(object)), name=restored(object_name), type=restored(object_type)),
        text=restored(text),
        valid_at=from_ms(valid_at),
        invalid_at=end_time(invalid_at),
        created_at=from_ms(created_at),
        expired_at=end_time(expired_at),
        rejected=bool(rejected),
        archived=bool(archived),
        pinned=bool(pinned),
        confidence=confidence,
        importance=importance,
        scope=_scope(user, agent, session),
        wall=restored(wall),
        evidence=_quotes(evidence),
        assertions=tuple(AssertionId(id) for id in loaded_strings(assertions)),
        closed_by=restored(closed_by),
        superseded_by=None if superseded_by is None else FactId(restored(superseded_by)),
        conflicts_with=tuple(FactId(id) for id in loaded_strings(conflicts_with)),
        attributes=loaded_object(attributes),
    )


def _quotes(text: str) -> tuple[Quote, ...]:
    if text == "[]":
        return ()
    return tuple(
        Quote(episode=EpisodeId(episode), quote=quote, start=start, end=end)
        for episode, quote, start, end in loaded(text)
    )


def summary_row(s: Summary) -> Row:
    return (
        stored(s.id),
        stored(s.text),
        stored(s.topic),
        to_ms(s.start),
        to_ms(s.end),
        dumped(s.covers),
        to_ms(s.created_at),
        stored(s.scope.user),
        stored(s.scope.agent),
        stored(s.scope.session),
        stored(s.wall),
        s.archived,
    )


def summary_of(row: Row) -> Summary:
    id, text, topic, start, end, covers, created_at, user, agent, session, wall, archived = row
    return Summary(
        id=SummaryId(restored(id)),
        text=restored(text),
        topic=restored(topic),
        start=from_ms(start),
        end=from_ms(end),
        covers=loaded_strings(covers),
        created_at=from_ms(created_at),
        scope=_scope(user, agent, session),
        wall=restored(wall),
        archived=bool(archived),
    )


def document_row(d: Document) -> Row:
    return (
        stored(d.kind),
        stored(d.id),
        stored(d.ref),
        stored(d.status),
        d.seq,
        to_ms(d.created_at),
        ms_or_none(d.expires_at),
        dumped(d.body),
    )


def document_of(row: Row) -> Document:
    kind, id, ref, status, seq, created_at, expires_at, body = row
    return Document(
        kind=restored(kind),
        id=restored(id),
        ref=restored(ref),
        status=restored(status),
        seq=seq,
        created_at=from_ms(created_at),
        expires_at=time_or_none(expires_at),
        body=loaded_object(body),
    )


def job_row(j: Job) -> Row:
    return (
        stored(j.id),
        stored(j.kind),
        dumped(j.payload),
        j.state.value,
        j.attempts,
        stored(j.reason),
        to_ms(j.created_at),
        to_ms(j.updated_at),
        to_ms(j.due_at),
        stored(j.owner),
        ms_or_none(j.lease_until),
        stored_or_none(j.receipt),
        stored(j.dedup_key),
    )


def job_of(row: Row) -> Job:
    (
        id, kind, payload, state, attempts, reason, created_at, updated_at, due_at, owner, lease_until, receipt,
        dedup_key,
    ) = row  # fmt: skip
    return Job(
        id=JobId(restored(id)),
        kind=restored(kind),
        payload=loaded_object(payload),
        state=JobState(state),
        attempts=attempts,
        reason=restored(reason),
        created_at=from_ms(created_at),
        updated_at=from_ms(updated_at),
        due_at=from_ms(due_at),
        owner=restored(owner),
        lease_until=time_or_none(lease_until),
        receipt=None if receipt is None else ReceiptId(restored(receipt)),
        dedup_key=restored(dedup_key),
    )


def use_of(row: Row) -> Use:
    kind, id, count, last_at = row
    return Use(kind=Kind(kind), id=restored(id), count=count, last_at=from_ms(last_at))
