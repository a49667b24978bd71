"""What else may hold a trace of erased memories: documents and jobs. Each kind is rewritten, dropped or kept as it must be."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from muniment.engine.extract.change.kept import SUCCESSION, without_episodes
from muniment.engine.ports.store import Unit
from muniment.engine.retrieve.pinned import PIN
from muniment.engine.retrieve.statistics import STATISTICS
from muniment.engine.traces import TRACE
from muniment.engine.write.audit import AUDIT
from muniment.engine.write.erase.listed import CERTIFICATE, HOLD, PURGE, WAITING
from muniment.engine.write.erase.scan import all_documents, all_jobs
from muniment.engine.write.ledger import REVIEW
from muniment.engine.write.merges import MERGE
from muniment.engine.write.ontology import ONTOLOGY
from muniment.engine.write.receipts import RECEIPT
from muniment.graph_schema.ids import fold
from muniment.graph_schema.records import Document, JobState

KEPT = frozenset({AUDIT, PURGE, CERTIFICATE, WAITING, STATISTICS})
"""Ids, numbers and hashes only, or (statistics) put right by whoever erases."""

_ID = re.compile(r"\b[a-z]+_[0-9a-f]{16,40}\b")
_MOST_TEXTS = 2_000
_LONGEST_TEXT = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """What was erased, as it may stand in other records: ids, and words (external ids, spellings, sentences), folded.

    `everything`: the whole tenant was.
    """

    ids: frozenset[str]
    words: frozenset[str] = field(default_factory=frozenset)
    everything: bool = False

    def is_told_by(self, body: Mapping[str, Any] | str) -> bool:
        """Whether a record speaks of something erased."""
        if self.everything:
            return True
        text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
        if not self.ids.isdisjoint(_ID.findall(text)):
            return True
        folded = fold(text)
        return any(word in folded for word in self.words)


def gone_of(ids: Collection[str], words: Collection[str], *, everything: bool = False) -> Gone:
    """`words` are cut to those that can be looked for: not too short to mean anything, not too many or too long."""
    telling = sorted({fold(word) for word in words if 4 <= len(word) <= _LONGEST_TEXT})[:_MOST_TEXTS]
    return Gone(ids=frozenset(ids), words=frozenset(telling), everything=everything)


async def clear_documents(unit: Unit, gone: Gone) -> int:
    """Rewrites or drops every document that tells of something erased; gives how many.

    Traces go whole: what somebody asked may name what is gone without its id.
    """
    count = 0
    for kind in await unit.document_kinds():
        if kind in KEPT:
            continue
        async for rows in all_documents(unit, kind):
            after = {row.id: without(row, gone) for row in rows}
            dropped = [id for id, row in after.items() if row is None]
            changed = [row for old in rows if (row := after[old.id]) is not None and row != old]
            await unit.drop_documents(kind, dropped)
            await unit.put_documents(changed)
            count += len(dropped) + len(changed)
    return count


def without(document: Document, gone: Gone) -> Document | None:
    """The document without what is gone; None where nothing of it may stay."""
    if document.kind in KEPT:
        return document
    if document.kind == HOLD:
        return _hold(document, gone)
    if gone.everything or document.kind == TRACE:
        return None
    match document.kind:
        case k if k == RECEIPT:
            return _receipt(document, gone)
        case k if k == REVIEW:
            return None if set(document.body["facts"]) <= gone.ids else document
        case k if k == PIN:
            return None if document.id in gone.ids else document
        case k if k == MERGE:
            return _merge(document, gone)
        case k if k == SUCCESSION:
            return without_episodes(document, gone.ids)
        case k if k == ONTOLOGY:
            return document
        case _:
            told = document.id in gone.ids or document.ref in gone.ids or gone.is_told_by(document.body)
            return None if told else document


async def clear_jobs(unit: Unit, gone: Gone, *, at: datetime) -> int:
    """Empties the jobs that tell of something erased, and calls off those that were still to do it; gives how many."""
    cleared = []
    async for jobs in all_jobs(unit):
        for job in jobs:
            if (job.payload or job.reason) and (gone.is_told_by(job.payload) or gone.is_told_by(job.reason)):
                is_over = job.state in (JobState.DONE, JobState.CANCELLED)
                state = job.state if is_over else JobState.CANCELLED
                cleared.append(
                    replace(
                        job, payload={}, reason="", dedup_key="", state=state, updated_at=at, owner="", lease_until=None
                    )
                )
    await unit.put_jobs(cleared)
    return len(cleared)


def _hold(document: Document, gone: Gone) -> Document:
    """That there was a hold, over what and until when, stays; after its end the words of its ground go."""
    if document.body.get("released_at") and gone.is_told_by(document.body):
        return replace(document, body={**document.body, "reason": ""})
    return document


def _receipt(document: Document, gone: Gone) -> Document:
    """Ids and rules stay; external ids, reasons, learned spellings and what was said against an input go."""
    body = document.body
    if not gone.is_told_by(body):
        return document
    episodes = [[id, None if id in gone.ids else external, status] for id, external, status in body["episodes"]]
    rejected = [[input, code, ""] for input, code, _ in body["rejected"]]
    undo = {name: value for name, value in body["undo"].items() if name not in ("unlearn", "relearn")}
    return replace(document, body={**body, "episodes": episodes, "rejected": rejected, "reason": "", "undo": undo})


def _merge(document: Document, gone: Gone) -> Document | None:
    """What taking a merge apart needs, of what is left."""
    body = document.body
    if body["keep"] in gone.ids or body["other"] in gone.ids:
        return None
    had = [row for row in body["had"] if row[0] not in gone.ids]
    mentions = [row for row in body["mentions"] if row[0] not in gone.ids]
    kept = {
        field: [value for value in body[field] if not any(word in value for word in gone.words)]
        for field in ("kept_keys", "kept_identifiers")
    }
    return replace(document, body={**body, "had": had, "mentions": mentions, **kept})
