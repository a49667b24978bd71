"""Entities, mentions, assertions, documents and jobs to properties and back; see `memory_rows` for the form of a row."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from muniment.engine.stores.neo4j.row_pieces import (
    Properties,
    dumped,
    loaded,
    optional_moment,
    optional_ms,
    scope_list,
    scope_of,
)
from muniment.engine.stores.neo4j.texts import LONGEST_NAME, decode, encode, key
from muniment.graph_schema.ids import (
    AssertionId,
    EntityId,
    EpisodeId,
    JobId,
    ReceiptId,
    digest,
)
from muniment.graph_schema.records import (
    Alias,
    Assertion,
    Document,
    Entity,
    Job,
    JobState,
    Kind,
    Mention,
    MentionRole,
    Says,
)
from muniment.graph_schema.temporal import from_ms, to_ms

_KEPT_ENTITIES: Final = 4_096  # about 5 MB


def entity_properties(entity: Entity) -> Properties:
    """What an `:Entity` node holds, `uuid` included."""
    alias_keys = [encode(alias.key) for alias in entity.aliases]
    return {
        "uuid": key(entity.id),
        "name": encode(entity.name[:LONGEST_NAME]),
        "summary": encode(entity.summary),
        "type": encode(entity.type),
        "key": key(entity.key),
        "wall": encode(entity.wall),
        "created_ms": to_ms(entity.created_at),
        "live": entity.merged_into is None and not entity.archived,
        "listed": entity.merged_into is None,
        "alias_keys": alias_keys,
        "first_alias": key(entity.aliases[0].key) if entity.aliases else None,
        "rest": dumped(
            [
                entity.id,
                entity.name,
                entity.type,
                entity.key,
                [[alias.key, alias.name] for alias in entity.aliases],
                entity.identifiers,
                scope_list(entity.scope),
                entity.wall,
                entity.merged_into,
                to_ms(entity.created_at),
                entity.archived,
                entity.attributes,
            ]
        ),
    }


def handles_of(entity: Entity) -> list[Properties]:
    """The further look-up rows of an entity: aliases beyond the first, and identifiers."""
    first = key(entity.aliases[0].key) if entity.aliases else None
    aliases = dict.fromkeys(key(alias.key) for alias in entity.aliases)
    aliases.pop(first or "", None)
    handles = [{"entity": key(entity.id), "kind": "alias", "key": one} for one in aliases]
    identifiers = dict.fromkeys(key(identifier) for identifier in entity.identifiers)
    return handles + [{"entity": key(entity.id), "kind": "identifier", "key": one} for one in identifiers]


@lru_cache(maxsize=_KEPT_ENTITIES)
def entity_of(summary: str, rest: str) -> Entity:
    """The entity of a row, built once as facts are: one name is met under several keys, and in one write after another."""
    fields = loaded(rest)
    return Entity(
        id=EntityId(fields[0]),
        name=fields[1],
        type=fields[2],
        key=fields[3],
        aliases=tuple(Alias(key=folded_name, name=name) for folded_name, name in fields[4]),
        identifiers=tuple(fields[5]),
        summary=decode(summary),
        scope=scope_of(fields[6]),
        wall=fields[7],
        merged_into=None if fields[8] is None else EntityId(fields[8]),
        created_at=from_ms(fields[9]),
        archived=fields[10],
        attributes=fields[11],
    )


def mention_properties(mention: Mention) -> Properties:
    """What a `[:MENTIONS]` relationship holds, with the ids of its ends."""
    return {
        "uuid": digest(mention.episode, mention.entity, mention.role.value),
        "episode": key(mention.episode),
        "entity": key(mention.entity),
        "wall": encode(mention.wall),
        "role": mention.role.value,
        "rest": dumped([mention.episode, mention.entity, mention.role.value, mention.wall]),
    }


def mention_of(rest: str) -> Mention:
    """The mention of a row."""
    episode, entity, role, wall = loaded(rest)
    return Mention(episode=EpisodeId(episode), entity=EntityId(entity), role=MentionRole(role), wall=wall)


def assertion_properties(assertion: Assertion) -> Properties:
    """What an `:Assertion` node holds, `uuid` included."""
    return {
        "uuid": key(assertion.id),
        "slot": key(assertion.slot),
        "subject": key(assertion.subject),
        "object": key(assertion.object),
        "episode": None if assertion.episode is None else key(assertion.episode),
        "receipt": key(assertion.receipt) if assertion.receipt else None,
        "wall": encode(assertion.wall),
        "recorded_ms": to_ms(assertion.recorded_at),
        "place": assertion.order,
        "rest": dumped(
            [
                assertion.id,
                assertion.kind.value,
                assertion.slot,
                assertion.claim,
                assertion.says.value,
                assertion.subject,
                assertion.relation,
                assertion.object,
                assertion.text,
                optional_ms(assertion.valid_from),
                optional_ms(assertion.valid_to),
                to_ms(assertion.told_at),
                to_ms(assertion.recorded_at),
                optional_ms(assertion.withdrawn_at),
                assertion.confidence,
                assertion.importance,
                assertion.rank,
                assertion.episode,
                assertion.quote,
                assertion.start,
                assertion.end,
                assertion.rule,
                assertion.actor,
                assertion.receipt,
                assertion.order,
                scope_list(assertion.scope),
                assertion.wall,
                assertion.attributes,
                assertion.turned_by,
            ]
        ),
    }


def assertion_of(rest: str) -> Assertion:
    """The assertion of a row."""
    fields = loaded(rest)
    return Assertion(
        id=AssertionId(fields[0]),
        kind=Kind(fields[1]),
        slot=fields[2],
        claim=fields[3],
        says=Says(fields[4]),
        subject=EntityId(fields[5]),
        relation=fields[6],
        object=EntityId(fields[7]),
        text=fields[8],
        valid_from=optional_moment(fields[9]),
        valid_to=optional_moment(fields[10]),
        told_at=from_ms(fields[11]),
        recorded_at=from_ms(fields[12]),
        withdrawn_at=optional_moment(fields[13]),
        confidence=fields[14],
        importance=fields[15],
        rank=fields[16],
        episode=None if fields[17] is None else EpisodeId(fields[17]),
        quote=fields[18],
        start=fields[19],
        end=fields[20],
        rule=fields[21],
        actor=fields[22],
        receipt=ReceiptId(fields[23]),
        order=fields[24],
        scope=scope_of(fields[25]),
        wall=fields[26],
        attributes=fields[27],
        turned_by=tuple(ReceiptId(id) for id in fields[28]) if len(fields) > 28 else (),
    )


def document_properties(document: Document) -> Properties:
    """What a `:Document` node holds, `kind` and `uuid` included."""
    return {
        "kind": key(document.kind),
        "uuid": key(document.id),
        "ref": key(document.ref),
        "status": encode(document.status),
        "seq": document.seq,
        "expires_ms": optional_ms(document.expires_at),
        "rest": dumped(
            [
                document.kind,
                document.id,
                document.ref,
                document.status,
                document.seq,
                to_ms(document.created_at),
                optional_ms(document.expires_at),
                document.body,
            ]
        ),
    }


def document_of(rest: str) -> Document:
    """The document of a row."""
    fields = loaded(rest)
    return Document(
        kind=fields[0],
        id=fields[1],
        ref=fields[2],
        status=fields[3],
        seq=fields[4],
        created_at=from_ms(fields[5]),
        expires_at=optional_moment(fields[6]),
        body=fields[7],
    )


def job_properties(job: Job) -> Properties:
    """What a `:Job` node holds, `uuid` included. `free_ms` is when it may be claimed: a running one when its lease ends."""
    lease_ms = optional_ms(job.lease_until)
    free_ms: int | None = None
    if job.state is JobState.QUEUED:
        free_ms = to_ms(job.due_at)
    elif job.state is JobState.RUNNING:
        free_ms = lease_ms
    return {
        "uuid": key(job.id),
        "kind": encode(job.kind),
        "state": job.state.value,
        "free_ms": free_ms,
        "due_ms": to_ms(job.due_at),
        "owner": encode(job.owner),
        "dedup_key": key(job.dedup_key) if job.dedup_key else None,
        "rest": dumped(
            [
                job.id,
                job.kind,
                job.payload,
                job.state.value,
                job.attempts,
                job.reason,
                to_ms(job.created_at),
                to_ms(job.updated_at),
                to_ms(job.due_at),
                job.owner,
                lease_ms,
                job.receipt,
                job.dedup_key,
            ]
        ),
    }


def job_of(rest: str) -> Job:
    """The job of a row."""
    fields = loaded(rest)
    return Job(
        id=JobId(fields[0]),
        kind=fields[1],
        payload=fields[2],
        state=JobState(fields[3]),
        attempts=fields[4],
        reason=fields[5],
        created_at=from_ms(fields[6]),
        updated_at=from_ms(fields[7]),
        due_at=from_ms(fields[8]),
        owner=fields[9],
        lease_until=optional_moment(fields[10]),
        receipt=None if fields[11] is None else ReceiptId(fields[11]),
        dedup_key=fields[12],
    )
