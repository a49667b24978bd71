"""Vectors of another model are made anew in the background, by the workers that do all other jobs.

A worker looks once, when it begins: the model changes with the settings, and those are read when a process starts. Meanwhile
recall finds by meaning what has its new vector already, and the rest by words and graph.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from functools import partial
from typing import Final

from muniment.engine.jobs.readable import JOB_MARK
from muniment.engine.maintain.vectors import renew_vectors
from muniment.engine.ports.clock import Clock
from muniment.engine.ports.store import Database, DocumentQuery, TenantStore, Unit
from muniment.engine.retrieve.statistics import STATISTICS, TenantStatistics
from muniment.engine.system import system_space
from muniment.engine.write.indexing import Indexer
from muniment.engine.write.units import in_unit
from muniment.graph_schema.errors import Conflict
from muniment.graph_schema.ids import JobId, Space
from muniment.graph_schema.records import Job, JobState

REVECTOR: Final = "revector"
"""The kind of the jobs that make a tenant's vectors anew."""

_ALL: Final = 10_000


class Renewing:
    """Finds the tenants that hold vectors of another model than those in use, and does the jobs that it queues for them."""

    def __init__(self, database: Database, indexer: Indexer, clock: Clock) -> None:
        self._database, self._indexer, self._clock = database, indexer, clock
        self._has_looked = False

    async def look(self) -> None:
        """Queues a job for each tenant that has work; only the first call looks. One that waits already is not queued twice."""
        if self._has_looked or not self._indexer.fingerprints:
            return
        self._has_looked = True
        for space in await self._database.spaces():
            store = self._database.space(space, all_walls=True)
            if space != system_space(self._database.environment) and await self._holds_others(store):
                now = self._clock()
                job = Job(
                    id=JobId(JOB_MARK + secrets.token_hex(10)),
                    kind=REVECTOR,
                    payload={},
                    created_at=now,
                    updated_at=now,
                    due_at=now,
                    dedup_key=REVECTOR,
                )
                await in_unit(store, partial(_put_job, job=job))

    async def do(self, space: Space, job: Job) -> None:
        """Renews a tenant's vectors. Raises what the embedder raises: what was renewed stays so, and the next try goes on."""
        store = self._database.space(space, all_walls=True)
        await renew_vectors(store, self._indexer, at=self._clock())

        async def work(unit: Unit) -> None:
            mine = await unit.job(job.id)
            if mine is None or mine.state is not JobState.RUNNING or mine.owner != job.owner:
                raise Conflict(f"job {job.id!r} is no longer this worker's")
            now = self._clock()
            await unit.put_jobs([replace(mine, state=JobState.DONE, updated_at=now, owner="", lease_until=None)])

        await in_unit(store, work)

    async def _holds_others(self, store: TenantStore) -> bool:
        whole = TenantStatistics()
        for document in await store.documents(DocumentQuery(kind=STATISTICS, limit=_ALL)):
            whole.apply(document)
        return not whole.fingerprints <= set(self._indexer.fingerprints)


async def _put_job(unit: Unit, *, job: Job) -> None:
    await unit.put_jobs([job])
