"""Records as the JSON that every surface shows: HTTP answers, `--json` on the command line, exports to tools."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from muniment.api import shapes_admin as admin
from muniment.api.shapes_admin import Json, time
from muniment.engine.assemble.trim import Trimmed
from muniment.engine.extract.candidates import Candidate, Extraction, Named
from muniment.engine.ports.search import Memory
from muniment.engine.rank.hits import Hit, Omitted
from muniment.graph_schema.records import (
    Assertion,
    Change,
    Entity,
    EntityRef,
    Episode,
    Fact,
    Job,
    Quote,
    Receipt,
    Scope,
    Summary,
)

if TYPE_CHECKING:
    from muniment.engine.asking import Answer, ContextAnswer
    from muniment.engine.explaining import Replay
    from muniment.engine.rank.why_not import WhyNot
    from muniment.engine.retrieve.browse import EntityPage
    from muniment.engine.retrieve.history import History
    from muniment.engine.retrieve.paths import Neighbourhood, Path, Paths
    from muniment.engine.write.reviews import Review


audit_check = admin.audit_check
audit_entry = admin.audit_entry
certificate = admin.certificate
day_of_use = admin.day_of_use
hold = admin.hold
imported = admin.imported
key = admin.key
new_key = admin.new_key
released = admin.released
tenant = admin.tenant

# The verbs of a candidate as they are told outwards; what only restates is told as holding.
_SAYS: Final = {"restated": "holds"}


def items(shown: Iterable[Json], next_cursor: str | None = None) -> Json:
    """A list, or one page of it."""
    return {"items": list(shown), "next_cursor": next_cursor}


def scope(value: Scope) -> Json:
    return {"user": value.user or None, "agent": value.agent or None, "session": value.session or None}


def reference(value: EntityRef) -> Json:
    return {"id": value.id, "name": value.name, "type": value.type}


def object_of(value: EntityRef) -> Json:
    """The object of a fact: an entity, or a bare value."""
    return {"value": value.name} if value.is_value else reference(value)


def quote(value: Quote) -> Json:
    return {"episode": value.episode, "quote": value.quote, "start": value.start, "end": value.end}


def episode(value: Episode) -> Json:
    return {
        "id": value.id,
        "text": value.text,
        "kind": value.kind.value,
        "occurred_at": time(value.occurred_at),
        "recorded_at": time(value.recorded_at),
        "external_id": value.external_id,
        "speaker": value.speaker or None,
        "title": value.title or None,
        "source": value.source or None,
        "lang": value.lang or None,
        "thread": value.thread or None,
        "position": value.position,
        "scope": scope(value.scope),
        "wall": value.wall,
        "importance": value.importance,
        "metadata": dict(value.metadata),
        "archived": value.archived,
        "pinned": value.pinned,
        "degraded": list(value.degraded),
    }


def fact(value: Fact, *, at: datetime) -> Json:
    """A fact, preference or skill, with the status it has at the moment `at` of valid time."""
    return {
        "id": value.id,
        "kind": value.kind.value,
        "subject": reference(value.subject),
        "relation": value.relation,
        "object": object_of(value.object),
        "text": value.text,
        "valid_at": time(value.valid_at),
        "invalid_at": time(value.invalid_at),
        "created_at": time(value.created_at),
        "expired_at": time(value.expired_at),
        "status": value.status_at(at).value,
        "confidence": value.confidence,
        "importance": value.importance,
        "pinned": value.pinned,
        "scope": scope(value.scope),
        "wall": value.wall,
        "evidence": [quote(one) for one in value.evidence],
        "superseded_by": value.superseded_by,
        "conflicts_with": list(value.conflicts_with),
        "closed_by": value.closed_by or None,
        "version": value.version,
        "attributes": dict(value.attributes),
    }


def assertion(value: Assertion) -> Json:
    """One piece of evidence in the history of a fact."""
    return {
        "id": value.id,
        "says": value.says.value,
        "relation": value.relation,
        "subject": value.subject,
        "object": value.object,
        "text": value.text,
        "valid_from": time(value.valid_from),
        "valid_to": time(value.valid_to),
        "told_at": time(value.told_at),
        "recorded_at": time(value.recorded_at),
        "withdrawn_at": time(value.withdrawn_at),
        "confidence": value.confidence,
        "rule": value.rule,
        "actor": value.actor,
        "episode": value.episode,
        "quote": value.quote,
        "receipt": value.receipt or None,
    }


COUNTS: Final = frozenset({"facts", "first_seen", "last_seen"})
"""What an entity's page tells beside its record."""


def entity(
    value: Entity, *, facts: int = 0, first_seen: datetime | None = None, last_seen: datetime | None = None
) -> Json:
    return {
        "id": value.id,
        "name": value.name,
        "type": value.type,
        "aliases": list(value.spellings),
        "identifiers": list(value.identifiers),
        "summary": value.summary,
        "scope": scope(value.scope),
        "wall": value.wall,
        "merged_into": value.merged_into,
        "facts": facts,
        "first_seen": time(first_seen),
        "last_seen": time(last_seen),
        "created_at": time(value.created_at),
        "archived": value.archived,
        "attributes": dict(value.attributes),
    }


def change(value: Change) -> Json:
    because = value.because
    return {
        "action": value.action.value,
        "kind": value.kind.value,
        "id": value.id,
        "because": {"rule": because.rule, "by": list(because.by), "evidence": list(because.evidence)},
    }


def receipt(value: Receipt) -> Json:
    return {
        "id": value.id,
        "dry_run": value.dry_run,
        "verb": value.verb,
        "actor": value.actor,
        "reason": value.reason or None,
        "created_at": time(value.created_at),
        "episodes": [{"id": e.id, "external_id": e.external_id, "status": e.status.value} for e in value.episodes],
        "changes": [change(one) for one in value.changes],
        "reviews": list(value.reviews),
        "rejected": [{"input": r.input, "code": r.code, "detail": r.detail} for r in value.rejected],
        "job": value.job,
        "degraded": list(value.degraded),
        "screened": [{"input": s.input, "kind": s.kind, "count": s.count, "done": s.done} for s in value.screened],
        "trace_id": value.trace,
        "undone_by": value.undone_by,
        "token": value.token,
    }


def job(value: Job) -> Json:
    return {
        "id": value.id,
        "kind": value.kind,
        "state": value.state.value,
        "attempts": value.attempts,
        "reason": value.reason or None,
        "created_at": time(value.created_at),
        "updated_at": time(value.updated_at),
        "receipt": value.receipt,
        "token": value.token,
    }


def candidate(value: Candidate) -> Json:
    said = value.assertion.value
    return {
        "kind": value.kind.value,
        "text": value.text,
        "start": value.start,
        "end": value.end,
        "rule": value.rule,
        "confidence": value.confidence,
        "type": value.type or None,
        "subject": named(value.subject),
        "relation": value.relation or None,
        "object": named(value.object),
        "valid_at": time(value.valid_at),
        "invalid_at": time(value.invalid_at),
        "assertion": _SAYS.get(said, said),
        "episode": value.episode,
        "attributes": dict(value.attributes),
    }


def named(value: Named | None) -> Json | None:
    if value is None:
        return None
    return {"value": value.name} if value.is_value else {"name": value.same_as or value.name, "type": value.type}


def extraction(value: Extraction) -> Json:
    return {"candidates": [candidate(one) for one in value.candidates], "degraded": list(value.degraded)}


def summary(value: Summary) -> Json:
    return {
        "id": value.id,
        "text": value.text,
        "topic": value.topic,
        "start": time(value.start),
        "end": time(value.end),
        "covers": list(value.covers),
        "created_at": time(value.created_at),
        "scope": scope(value.scope),
        "wall": value.wall,
        "archived": value.archived,
    }


def memory(value: Memory | Entity, *, at: datetime) -> Json:
    """The whole record of what was found; of an entity without its counts."""
    if isinstance(value, Entity):
        return {name: told for name, told in entity(value).items() if name not in COUNTS}
    if isinstance(value, Fact):
        return fact(value, at=at)
    return episode(value) if isinstance(value, Episode) else summary(value)


def whole_hit(value: Hit, *, at: datetime) -> Json:
    """A hit with the record that was found and the exact place of each quote."""
    more = {"copies": value.copies, "memory": memory(value.memory, at=at)}
    return {**hit(value), "evidence": [quote(one) for one in value.evidence], **more}


def hit(value: Hit) -> Json:
    return {
        "kind": value.kind.value,
        "id": value.id,
        "text": value.text,
        "score": value.score,
        "parts": dict(value.parts),
        "valid_at": time(value.valid_at),
        "invalid_at": time(value.invalid_at),
        "occurred_at": time(value.occurred_at),
        "status": value.status.value,
        "path": [{"fact": s.fact, "from": reference(s.source), "to": reference(s.target)} for s in value.path],
        "evidence": [{"episode": one.episode, "quote": one.quote} for one in value.evidence],
        "superseded": value.superseded,
    }


def omitted(values: Sequence[Omitted]) -> list[Json]:
    return [{"id": one.id, "reason": one.reason, "kind": one.kind.value} for one in values]


def context(value: ContextAnswer) -> Json:
    return {
        "text": value.text,
        "tokens": value.tokens,
        "sections": [
            {
                "name": section.name,
                "tokens": section.tokens,
                "items": [
                    {
                        "id": one.id,
                        "text": one.text,
                        "date": time(one.date),
                        "source": one.source,
                        "shortened": one.shortened,
                    }
                    for one in section.items
                ],
            }
            for section in value.sections
        ],
        "omitted": omitted(value.omitted),
        "degraded": list(value.degraded),
        "empty": value.empty or None,
        "trace_id": value.trace_id,
    }


def trimmed(value: Trimmed) -> Json:
    return {
        "messages": [dict(message) for message in value.messages],
        "tokens": value.tokens,
        "dropped": value.dropped,
        "degraded": value.degraded,
    }


def entity_page(value: EntityPage) -> Json:
    """An entity with its counts."""
    counts = value.counts
    return entity(value.entity, facts=counts.facts, first_seen=counts.first_seen, last_seen=counts.last_seen)


def recall(value: Answer, *, records_at: datetime | None = None) -> Json:
    """An answer; with `records_at` also the record of each hit, as it stands at that moment, and all ranked episodes."""
    found = value.recall
    shown = hit if records_at is None else partial(whole_hit, at=records_at)
    more = {} if records_at is None else {"episodes": list(found.episodes)}
    return {
        "hits": [shown(one) for one in found.hits],
        "recent": [shown(one) for one in found.recent],
        **more,
        "omitted": omitted(found.omitted),
        "degraded": list(found.degraded),
        "empty": found.empty or None,
        "trace_id": value.trace_id,
        "took_ms": value.took_ms,
    }


def why_not(value: WhyNot) -> Json:
    return {
        "id": value.id,
        "kind": value.kind.value,
        "stopped_by": value.stopped_by,
        "why": value.why,
        "by": list(value.by),
        "since": time(value.since),
        "rank": value.rank,
        "score": value.score,
        "parts": dict(value.parts),
        "last_hit": value.last_hit and asdict(value.last_hit),
        "trace_id": value.trace_id or None,
    }


def replay(value: Replay) -> Json:
    return {
        "trace_id": value.trace_id,
        "equal": value.equal,
        "hits": list(value.hits),
        "moved": [asdict(one) for one in value.moved],
        "reasons": list(value.reasons),
    }


def history(value: History, *, at: datetime) -> Json:
    return {
        "fact": fact(value.fact, at=at),
        "versions": [fact(one, at=at) for one in value.versions],
        "rivals": [fact(one, at=at) for one in value.rivals],
        "assertions": [assertion(one) for one in value.assertions],
        "story": [
            {"at": time(line.at), "what": line.what, "rule": line.rule, "actor": line.actor, "ids": list(line.ids)}
            for line in value.story
        ],
    }


def neighbourhood(value: Neighbourhood, *, at: datetime) -> Json:
    return {
        "entities": [{**reference(one), "distance": value.distances[one.id]} for one in value.entities],
        "facts": [fact(one, at=at) for one in value.facts],
        "capped": list(value.capped),
    }


def path(value: Path, *, at: datetime) -> Json:
    """A chain of facts: the entities in order, one more than there are legs."""
    entities = [value.legs[0].source, *(leg.target for leg in value.legs)] if value.legs else []
    return {
        "entities": [reference(one) for one in entities],
        "facts": [fact(leg.fact, at=at) for leg in value.legs],
    }


def paths(found: Paths, *, at: datetime) -> Json:
    return {**items(path(one, at=at) for one in found), "empty": (found.empty or None) if not found else None}


def review(value: Review, *, at: datetime) -> Json:
    return {
        "id": value.id,
        "kind": value.rule,
        "status": value.status,
        "created_at": time(value.created_at),
        "facts": [fact(one, at=at) for one in value.facts],
        "raised_by": [assertion(one) for one in value.raised_by],
        "entities": [entity(one) for one in value.entities],
        "score": value.score,
        "features": dict(value.features),
        "choices": [{"choice": one.name, "effect": one.effect} for one in value.choices],
    }
