"""Episodes, facts and summaries to properties and back: the rows that are searched.

Each row has the properties that statements filter by, those that Graphiti's reader knows, and `rest`: the remaining fields
as one JSON text, because one value is several times faster to carry and to read than thirty. Long texts stand outside of it, once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from muniment.engine.ports.search import Memory
from muniment.engine.stores.neo4j.row_pieces import (
    Properties,
    dumped,
    loaded,
    optional_moment,
    optional_ms,
    scope_list,
    scope_of,
)
from muniment.engine.stores.neo4j.texts import LONGEST_NAME, area, audience, decode, encode, key
from muniment.graph_schema.ids import (
    AssertionId,
    EntityId,
    EpisodeId,
    FactId,
    ReceiptId,
    SummaryId,
)
from muniment.graph_schema.records import (
    EntityRef,
    Episode,
    EpisodeKind,
    Fact,
    Kind,
    Quote,
    Scope,
    Summary,
)
from muniment.graph_schema.temporal import BEGINNING_MS, FOREVER_MS, from_ms, to_ms

HIDDEN_NOT, HIDDEN_ARCHIVED, HIDDEN_REJECTED = 0, 1, 2

_KEPT_FACTS: Final = 8_192  # about 20 MB
# A summary has no importance, and the least importance asked for must not leave it out.
_NEVER_UNIMPORTANT = 99


def _seen_by(wall: str, scope: Scope) -> Properties:
    """The properties that say who may see a row."""
    return {
        "wall": encode(wall),
        "user": encode(scope.user),
        "agent": encode(scope.agent),
        "session": encode(scope.session),
        "audience": audience(wall, scope),
        "area": area(wall, scope),
    }


def episode_properties(episode: Episode) -> Properties:
    """What an `:Episodic` node holds, `uuid` included."""
    name = episode.title or episode.external_id or episode.id
    return {
        "uuid": key(episode.id),
        "name": encode(name[:LONGEST_NAME]),
        "content": encode(episode.text),
        "source": "message" if episode.kind is EpisodeKind.MESSAGE else "text",
        "source_description": encode(episode.source),
        "kind": Kind.EPISODE.value,
        "episode_kind": episode.kind.value,
        **_seen_by(episode.wall, episode.scope),
        "recorded_ms": to_ms(episode.recorded_at),
        "occurred_ms": to_ms(episode.occurred_at),
        "hidden": HIDDEN_ARCHIVED if episode.archived else HIDDEN_NOT,
        "importance": episode.importance,
        "thread": key(episode.thread) if episode.thread else None,
        "position": episode.position,
        "external": None if episode.external_id is None else key(episode.external_id),
        "rest": dumped(
            [
                episode.id,
                episode.kind.value,
                to_ms(episode.occurred_at),
                to_ms(episode.recorded_at),
                episode.external_id,
                episode.speaker,
                episode.title,
                episode.source,
                episode.lang,
                episode.thread,
                episode.position,
                scope_list(episode.scope),
                episode.wall,
                episode.importance,
                episode.metadata,
                episode.content_hash,
                episode.archived,
                episode.pinned,
                episode.degraded,
                episode.receipt,
            ]
        ),
    }


def episode_of(content: str, rest: str) -> Episode:
    """The episode of a row."""
    fields = loaded(rest)
    return Episode(
        id=EpisodeId(fields[0]),
        text=decode(content),
        kind=EpisodeKind(fields[1]),
        occurred_at=from_ms(fields[2]),
        recorded_at=from_ms(fields[3]),
        external_id=fields[4],
        speaker=fields[5],
        title=fields[6],
        source=fields[7],
        lang=fields[8],
        thread=fields[9],
        position=fields[10],
        scope=scope_of(fields[11]),
        wall=fields[12],
        importance=fields[13],
        metadata=fields[14],
        content_hash=fields[15],
        archived=fields[16],
        pinned=fields[17],
        degraded=tuple(fields[18]),
        receipt=ReceiptId(fields[19]),
    )


def is_current_row(fact: Fact) -> bool:
    """Whether Graphiti's reader may see this version: unexpired, neither rejected nor archived."""
    return fact.expired_at is None and not fact.rejected and not fact.archived


def fact_properties(fact: Fact) -> Properties:
    """What a fact's relationship holds, `uuid` and `version` included, with the ids of its ends."""
    valid_ms = to_ms(fact.valid_at)
    hidden = HIDDEN_REJECTED if fact.rejected else HIDDEN_ARCHIVED if fact.archived else HIDDEN_NOT
    return {
        "uuid": key(fact.id),
        "version": fact.version,
        "name": key(fact.relation),
        "fact": encode(fact.text),
        "episodes": [encode(episode) for episode in dict.fromkeys(quote.episode for quote in fact.evidence)],
        "kind": fact.kind.value,
        "slot": key(fact.slot),
        "subject": key(fact.subject.id),
        "object": key(fact.object.id),
        "subject_type": encode(fact.subject.type),
        "object_type": encode(fact.object.type),
        **_seen_by(fact.wall, fact.scope),
        "valid_ms": valid_ms,
        "invalid_ms": FOREVER_MS if fact.invalid_at is None else to_ms(fact.invalid_at),
        "created_ms": to_ms(fact.created_at),
        "expired_ms": FOREVER_MS if fact.expired_at is None else to_ms(fact.expired_at),
        # Graphiti's own words for "no beginning" and "no end" are nothing at all.
        "valid_at": None if valid_ms == BEGINNING_MS else valid_ms,
        "invalid_at": optional_ms(fact.invalid_at),
        "expired_at": optional_ms(fact.expired_at),
        "hidden": hidden,
        "superseded": fact.superseded_by is not None,
        "importance": fact.importance,
        "standing": True if fact.kind is Kind.PREFERENCE and fact.attributes.get("constraint") is True else None,
        "forgotten": fact.is_forgotten or None,
        "rest": dumped(
            [
                fact.id,
                fact.version,
                fact.kind.value,
                fact.slot,
                fact.claim,
                [fact.subject.id, fact.subject.name, fact.subject.type],
                fact.relation,
                [fact.object.id, fact.object.name, fact.object.type],
                valid_ms,
                optional_ms(fact.invalid_at),
                to_ms(fact.created_at),
                optional_ms(fact.expired_at),
                fact.rejected,
                fact.archived,
                fact.pinned,
                fact.confidence,
                fact.importance,
                scope_list(fact.scope),
                fact.wall,
                [[quote.episode, quote.quote, quote.start, quote.end] for quote in fact.evidence],
                fact.assertions,
                fact.closed_by,
                fact.superseded_by,
                fact.conflicts_with,
                fact.attributes,
            ]
        ),
    }


@lru_cache(maxsize=_KEPT_FACTS)
def fact_of(text: str, rest: str) -> Fact:
    """The fact version of a row. The two texts say all there is to say of it, so that what is found often is built once."""
    fields = loaded(rest)
    return Fact(
        id=FactId(fields[0]),
        version=fields[1],
        kind=Kind(fields[2]),
        slot=fields[3],
        claim=fields[4],
        subject=EntityRef(id=EntityId(fields[5][0]), name=fields[5][1], type=fields[5][2]),
        relation=fields[6],
        object=EntityRef(id=EntityId(fields[7][0]), name=fields[7][1], type=fields[7][2]),
        text=decode(text),
        valid_at=from_ms(fields[8]),
        invalid_at=optional_moment(fields[9]),
        created_at=from_ms(fields[10]),
        expired_at=optional_moment(fields[11]),
        rejected=fields[12],
        archived=fields[13],
        pinned=fields[14],
        confidence=fields[15],
        importance=fields[16],
        scope=scope_of(fields[17]),
        wall=fields[18],
        evidence=tuple(
            Quote(episode=EpisodeId(episode), quote=quote, start=start, end=end)
            for episode, quote, start, end in fields[19]
        ),
        assertions=tuple(AssertionId(id) for id in fields[20]),
        closed_by=fields[21],
        superseded_by=None if fields[22] is None else FactId(fields[22]),
        conflicts_with=tuple(FactId(id) for id in fields[23]),
        attributes=fields[24],
    )


def summary_properties(summary: Summary) -> Properties:
    """What a `:Summary` node holds, `uuid` included."""
    return {
        "uuid": key(summary.id),
        "content": encode(summary.text),
        "kind": Kind.SUMMARY.value,
        **_seen_by(summary.wall, summary.scope),
        "recorded_ms": to_ms(summary.created_at),
        "hidden": HIDDEN_ARCHIVED if summary.archived else HIDDEN_NOT,
        "importance": _NEVER_UNIMPORTANT,
        "rest": dumped(
            [
                summary.id,
                summary.topic,
                to_ms(summary.start),
                to_ms(summary.end),
                summary.covers,
                to_ms(summary.created_at),
                scope_list(summary.scope),
                summary.wall,
                summary.archived,
            ]
        ),
    }


def summary_of(content: str, rest: str) -> Summary:
    """The summary of a row."""
    fields = loaded(rest)
    return Summary(
        id=SummaryId(fields[0]),
        text=decode(content),
        topic=fields[1],
        start=from_ms(fields[2]),
        end=from_ms(fields[3]),
        covers=tuple(fields[4]),
        created_at=from_ms(fields[5]),
        scope=scope_of(fields[6]),
        wall=fields[7],
        archived=fields[8],
    )


def memory_of(kind: str, text: str, rest: str) -> Memory:
    """The memory of a row of that kind."""
    if kind == Kind.EPISODE:
        return episode_of(text, rest)
    if kind == Kind.SUMMARY:
        return summary_of(text, rest)
    return fact_of(text, rest)
