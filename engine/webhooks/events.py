"""What can be told to a subscriber, read off the audit chain: it holds every write, in order, with ids and counts only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from muniment.graph_schema.records import AuditEntry

JOB_VERB: Final = "job"
"""The verb of the audit row of a job that was given up."""
DELIVER: Final = "deliver"
"""The kind of a job that tells one subscriber of one event."""
_DERIVED: Final = "derive"
_PURGED: Final = "purge"
_RECEIPT_MARK: Final = "r_"


class EventType(StrEnum):
    """What a subscriber can ask to hear of."""

    RECEIPT_WRITTEN = "receipt.written"
    REVIEW_OPENED = "review.opened"
    JOB_DONE = "job.done"
    JOB_FAILED = "job.failed"
    MEMORY_PURGED = "memory.purged"
    ACCESS_REFUSED = "access.refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened. `seq` is the number of its audit row."""

    type: EventType
    seq: int
    at: datetime
    data: Mapping[str, Any]


def events_of(entry: AuditEntry) -> list[Event]:
    """The events that an audit row tells of: several for a write that also opened reviews, none for most other rows."""
    if entry.outcome == "refused":
        code = str(entry.detail.get("code", ""))
        return [_event(entry, EventType.ACCESS_REFUSED, verb=entry.verb, code=code)]
    if entry.verb == JOB_VERB and entry.outcome == "failed":
        kind = str(entry.detail.get("kind", ""))
        # A delivery that was given up is no event: telling of it would fail the same way.
        return [] if kind == DELIVER else [_event(entry, EventType.JOB_FAILED, job=_id(entry, 0), kind=kind)]
    receipt = _id(entry, 0)
    if entry.outcome != "done" or not receipt.startswith(_RECEIPT_MARK):
        return []
    counts = {name: int(entry.detail.get(name, 0)) for name in ("episodes", "changes", "reviews")}
    found = [_event(entry, EventType.RECEIPT_WRITTEN, receipt=receipt, verb=entry.verb, **counts)]
    if counts["reviews"]:
        found.append(_event(entry, EventType.REVIEW_OPENED, receipt=receipt, reviews=counts["reviews"]))
    if entry.verb == _DERIVED:
        found.append(_event(entry, EventType.JOB_DONE, job=str(entry.detail.get("job", "")), receipt=receipt))
    if entry.verb == _PURGED:
        found.append(_event(entry, EventType.MEMORY_PURGED, receipt=receipt, certificate=_id(entry, 1)))
    return found


def _event(entry: AuditEntry, type: EventType, **data: object) -> Event:
    return Event(type=type, seq=entry.seq, at=entry.at, data=data)


def _id(entry: AuditEntry, number: int) -> str:
    return entry.ids[number] if len(entry.ids) > number else ""
