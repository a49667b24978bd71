"""Tries to open nobody's memory, or everybody's: each leaves a row in the audit chain of the database itself.

The try is refused where it is made, without waiting for a store; its row follows at once where an event loop runs, and at
the latest when the engine closes.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from muniment.engine.ports.clock import Clock
from muniment.engine.ports.store import Database, Unit
from muniment.engine.system import system_store
from muniment.engine.write import audit
from muniment.engine.write.units import in_unit
from muniment.graph_schema.errors import MunimentError

logger = logging.getLogger(__name__)

FOR_TENANT: Final = "for_tenant"
MOST_WAITING: Final = 1_000
"""Tries that wait for their rows; more are dropped, so that a caller's loop cannot fill the memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Try:
    at: datetime
    actor: str
    code: str


class Refusals:
    """Takes refused tries and writes their rows. What was given as the tenant's name is not kept: it may be anything."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._store = system_store(database)
        self._clock = clock
        self._waiting: list[_Try] = []
        self._writing = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    def note(self, error: MunimentError, *, actor: str) -> None:
        """Takes a refused try; returns at once."""
        if len(self._waiting) < MOST_WAITING:
            self._waiting.append(_Try(at=self._clock(), actor=actor, code=error.code))
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        task = loop.create_task(self.write())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def write(self) -> None:
        """Writes the rows that wait. What the store refuses is dropped and logged."""
        async with self._writing:
            waiting, self._waiting = self._waiting, []
            if not waiting:
                return

            async def work(unit: Unit) -> None:
                for one in waiting:
                    detail = {"code": one.code}
                    await audit.append(
                        unit, at=one.at, actor=one.actor, verb=FOR_TENANT, outcome="refused", detail=detail
                    )

            try:
                await in_unit(self._store, work)
            except MunimentError:
                logger.warning("rows of refused tries dropped", extra={"tries": len(waiting)})

    async def close(self) -> None:
        """Writes what waits, once what is being written is done."""
        await asyncio.gather(*self._tasks)
        await self.write()
