"""Records of a tenant's and an operator's administration as JSON; `api/shapes.py` has these too, under the same names."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from muniment.engine.keys import ApiKey, NewKey
from muniment.graph_schema.records import AuditEntry, Tenant
from muniment.graph_schema.temporal import BEGINNING_MS, format_time, to_ms

if TYPE_CHECKING:
    from muniment.engine.webhooks.subscriptions import Webhook
    from muniment.engine.write.audit import AuditCheck
    from muniment.engine.write.erase.certificate import Certificate
    from muniment.engine.write.erase.holds import Hold
    from muniment.engine.write.erase.run import Released
    from muniment.engine.write.spending import DayOfUse
    from muniment.engine.write.transfer.imports import ImportReport

Json = dict[str, Any]


def time(moment: datetime | None) -> str | None:
    """RFC 3339, or null for none and for the beginning that nobody told."""
    if moment is None or to_ms(moment) <= BEGINNING_MS:
        return None
    return format_time(moment)


def audit_entry(value: AuditEntry) -> Json:
    return {
        "seq": value.seq,
        "at": time(value.at),
        "actor": value.actor,
        "verb": value.verb,
        "outcome": value.outcome,
        "ids": list(value.ids),
        "detail": dict(value.detail),
        "previous": value.previous,
        "hash": value.hash,
    }


def key(value: ApiKey) -> Json:
    """A key without its secret."""
    return {
        "id": value.id,
        "tenant": value.tenant or None,
        "role": value.role.value,
        "walls": sorted(value.walls),
        "name": value.name or None,
        "created_at": time(value.created_at),
        "expires_at": time(value.expires_at),
        "revoked_at": time(value.revoked_at),
    }


def webhook(value: Webhook) -> Json:
    """A subscription without its secret."""
    return {
        "id": value.id,
        "url": value.url,
        "events": list(value.events),
        "created_at": time(value.created_at),
    }


def new_key(value: NewKey) -> Json:
    """A key just made, with the text that is shown this once."""
    return {**key(value.key), "key": value.text}


def tenant(value: Tenant) -> Json:
    return {"name": value.name, "created_at": time(value.created_at), "settings": dict(value.settings)}


def day_of_use(value: DayOfUse) -> Json:
    """One day's use of a language model."""
    return {"day": value.day, **asdict(value.usage), "cost": value.cost, "set_aside_tokens": value.set_aside}


def audit_check(value: AuditCheck) -> Json:
    return {
        "ok": value.ok,
        "entries": value.entries,
        "last_hash": value.last_hash,
        "broken_at": value.broken_at,
        "reason": value.reason or None,
    }


def certificate(value: Certificate) -> Json:
    return {
        "id": value.id,
        "scope": dict(value.scope),
        "at": time(value.at),
        "actor": value.actor,
        "reason": value.reason,
        "counts": dict(value.counts),
        "remaining": value.remaining,
        "derived": list(value.derived),
        "kept": value.kept,
        "held": list(value.held),
        "scrubbed": value.scrubbed,
        "dry_run": value.dry_run,
        "digest": value.digest,
    }


def hold(value: Hold) -> Json:
    return {
        "id": value.id,
        "scope": dict(value.scope),
        "reason": value.reason,
        "actor": value.actor,
        "created_at": time(value.at),
        "released_at": time(value.released_at),
        "released_by": value.released_by or None,
        "dry_run": value.dry_run,
    }


def released(value: Released) -> Json:
    return {
        "hold": hold(value.hold),
        "purged": [certificate(one) for one in value.certificates],
        "dry_run": value.dry_run,
    }


def imported(value: ImportReport) -> Json:
    return {
        "lines": value.lines,
        "created": dict(value.created),
        "existed": dict(value.existed),
        "refused": dict(value.refused),
        "rejected": [{"input": r.input, "code": r.code, "detail": r.detail} for r in value.rejected],
        "receipts": list(value.receipts),
        "complete": value.complete,
        "dry_run": value.dry_run,
    }
