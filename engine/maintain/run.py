"""One round of maintenance over a database: safe while it is in use, resumable, and the same when run twice.

It goes in small transactions, so that writers wait a moment at most; what a round that was stopped left over, the next one does.
Nothing here changes what is held true.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from muniment.engine.answers import ANSWER
from muniment.engine.maintain.vectors import Revectored, renew_vectors
from muniment.engine.ports.store import Database, DocumentQuery, TenantStore, Unit
from muniment.engine.retrieve.statistics import STATISTICS
from muniment.engine.system import record, system_space, system_store
from muniment.engine.traces import TRACE
from muniment.engine.write.indexing import Indexer
from muniment.engine.write.ledger import fold_statistics
from muniment.engine.write.units import in_unit
from muniment.graph_schema.ids import Space, space_of, tenant_of

logger = logging.getLogger(__name__)

TRACES: Final = "traces"
ANSWERS: Final = "answers"
JOBS: Final = "jobs"
FOLDED: Final = "statistics"
VECTORS: Final = "vectors"

_AT_A_TIME: Final = 500
_EVER: Final = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What one task did to one tenant, or to the database itself (an empty name): rows dropped, folded or renewed."""

    tenant: str
    name: str
    count: int
    waiting: int = 0  # what it could not do, such as vectors without an embedder


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a round did, or with `dry_run` would have done."""

    dry_run: bool
    tasks: tuple[Task, ...]
    store: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Upkeep:
    """What a round is to do. `tenant` restricts it to one, and then leaves the database's own alone."""

    now: datetime
    keep_jobs: timedelta
    tenant: str = ""
    vectors: bool = True
    dry_run: bool = False


async def maintain(database: Database, indexer: Indexer, upkeep: Upkeep, *, actor: str) -> Report:
    """Does one round; only tasks that found something are reported. Raises what the store raises; what was done stays done."""
    tasks: list[Task] = []
    system = system_space(database.environment)
    if upkeep.tenant:
        spaces = [space_of(database.environment, upkeep.tenant)]
    else:
        spaces = [space for space in await database.spaces() if space != system]
        count = await _dropped(system_store(database), ANSWER, upkeep)
        tasks.append(Task(tenant="", name=ANSWERS, count=count))
    for space in spaces:
        tasks += await _tend_space(database, space, indexer, upkeep)
    store = {} if upkeep.tenant else await database.tend(dry_run=upkeep.dry_run)
    found = tuple(task for task in tasks if task.count or task.waiting)
    if not upkeep.dry_run:
        await _note(database, found, upkeep, actor=actor)
    return Report(dry_run=upkeep.dry_run, tasks=found, store=store)


async def _tend_space(database: Database, space: Space, indexer: Indexer, upkeep: Upkeep) -> list[Task]:
    store, tenant = database.space(space, all_walls=True), tenant_of(space)
    renewed = Revectored()
    if upkeep.vectors:
        renewed = await renew_vectors(store, indexer, at=upkeep.now, dry_run=upkeep.dry_run)
    return [
        Task(tenant=tenant, name=TRACES, count=await _dropped(store, TRACE, upkeep)),
        Task(tenant=tenant, name=JOBS, count=await _ended_jobs(store, upkeep)),
        Task(tenant=tenant, name=VECTORS, count=renewed.count, waiting=renewed.waiting),
        Task(tenant=tenant, name=FOLDED, count=await _folded(store, upkeep)),
    ]


async def _dropped(store: TenantStore, kind: str, upkeep: Upkeep) -> int:
    return await _until_none(
        store, lambda unit, limit: unit.drop_expired(kind, before=upkeep.now, limit=limit), dry_run=upkeep.dry_run
    )


async def _ended_jobs(store: TenantStore, upkeep: Upkeep) -> int:
    before = upkeep.now - upkeep.keep_jobs
    return await _until_none(
        store, lambda unit, limit: unit.drop_ended_jobs(before=before, limit=limit), dry_run=upkeep.dry_run
    )


class _Taken(Exception):
    """Leaves a transaction without keeping anything."""


async def _until_none(store: TenantStore, drop: Callable[[Unit, int], Awaitable[int]], *, dry_run: bool) -> int:
    """Drops some at a time until none is left; with `dry_run` counts what would go."""
    total = 0
    if dry_run:
        try:
            async with store.write() as unit:
                total = await drop(unit, _EVER)
                raise _Taken
        except _Taken:
            return total
    while True:
        count = await in_unit(store, lambda unit: drop(unit, _AT_A_TIME))
        total += count
        if count < _AT_A_TIME:
            return total


async def _folded(store: TenantStore, upkeep: Upkeep) -> int:
    """How many changes of statistics became one."""
    changes = len(await store.documents(DocumentQuery(kind=STATISTICS, limit=_AT_A_TIME)))
    if changes < 2:
        return 0
    if not upkeep.dry_run:
        await in_unit(store, fold_statistics)
    return changes


async def _note(database: Database, tasks: tuple[Task, ...], upkeep: Upkeep, *, actor: str) -> None:
    counts: dict[str, int] = {}
    for task in tasks:
        counts[task.name] = counts.get(task.name, 0) + task.count
    detail = {name: str(count) for name, count in counts.items()}
    await record(system_store(database), at=upkeep.now, actor=actor, verb="maintain", outcome="done", ids=(), **detail)
    logger.info("maintained", extra={"counts": counts})
