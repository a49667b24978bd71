"""From the audit chains to deliveries: what subscribers are to hear of becomes jobs, each exactly one.

The chain is written in the transaction of the write itself, so nothing that was done is missed, whoever is killed when. A
delivery's id follows from subscription and event: many relays may run, and run again, without telling twice.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from muniment.engine.jobs.readable import JOB_MARK
from muniment.engine.ports.clock import Clock
from muniment.engine.ports.store import Database, DocumentQuery, TenantStore, Unit
from muniment.engine.system import system_store, tenant_store
from muniment.engine.webhooks.events import DELIVER, Event, events_of
from muniment.engine.webhooks.subscriptions import WEBHOOK
from muniment.engine.write.audit import AUDIT, entry_of
from muniment.engine.write.units import in_unit
from muniment.graph_schema.ids import JobId, digest
from muniment.graph_schema.records import Document, Job
from muniment.graph_schema.temporal import format_time

_PAGE: Final = 200


async def relay(database: Database, clock: Clock) -> int:
    """Makes a delivery of every new event for every subscription that wants it; gives how many."""
    system = system_store(database)
    made, after = 0, None
    while rows := await system.documents(DocumentQuery(kind=WEBHOOK, after_seq=after, limit=_PAGE)):
        for row in rows:
            made += await _relay_one(database, row, clock)
        after = rows[-1].seq
    return made


async def _relay_one(database: Database, webhook: Document, clock: Clock) -> int:
    store, cursor, made = tenant_store(database, webhook.ref), int(webhook.body["cursor"]), 0
    while rows := await store.documents(DocumentQuery(kind=AUDIT, after_seq=cursor, limit=_PAGE)):
        wanted = set(webhook.body["events"])
        events = [event for row in rows for event in events_of(entry_of(row)) if event.type in wanted]
        made += await _enqueue(store, [_delivery(webhook, event, clock) for event in events])
        cursor = rows[-1].seq
        await _move_on(database, webhook, cursor)
    return made


async def _enqueue(store: TenantStore, jobs: list[Job]) -> int:
    if not jobs:
        return 0

    async def work(unit: Unit) -> int:
        new = [job for job in jobs if await unit.job(job.id) is None]
        await unit.put_jobs(new)
        return len(new)

    return await in_unit(store, work)


async def _move_on(database: Database, webhook: Document, cursor: int) -> None:
    async def work(unit: Unit) -> None:
        there = await unit.document(WEBHOOK, webhook.id)
        if there is not None and int(there.body["cursor"]) < cursor:
            await unit.put_documents([replace(there, body={**there.body, "cursor": cursor})])

    await in_unit(system_store(database), work)


def _delivery(webhook: Document, event: Event, clock: Clock) -> Job:
    now = clock()
    return Job(
        id=JobId(JOB_MARK + digest(webhook.id, str(event.seq), event.type, size=10)),
        kind=DELIVER,
        payload={
            "webhook": webhook.id,
            "type": event.type.value,
            "at": format_time(event.at),
            "data": dict(event.data),
        },
        created_at=now,
        updated_at=now,
        due_at=now,
    )
