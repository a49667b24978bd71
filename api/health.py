"""How the service is: whether the store answers, and whether accepted work is done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from time import monotonic
from typing import TYPE_CHECKING, Final, Literal

from muniment.engine.ports.clock import Clock
from muniment.engine.webhooks.events import DELIVER
from muniment.graph_schema.errors import MunimentError

if TYPE_CHECKING:
    from muniment.engine.ports.store import Database, JobLoad
    from muniment.engine.settings import Settings

Status = Literal["ok", "degraded", "unavailable"]

JOBS_FAILED: Final = "jobs_failed"
JOBS_LATE: Final = "jobs_late"
_KEEP_S: Final = 2.0  # probes come often and from many places; the store is asked this seldom


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """`causes` are codes of errors, or `jobs_failed` and `jobs_late`; empty where all is well. No tenant is told."""

    status: Status
    causes: tuple[str, ...] = ()
    failed: int = 0
    waiting: int = 0
    lag_s: float = 0.0  # since when the longest waiting job could have been claimed


class Health:
    """Asks the store how it is, at most every two seconds."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        *,
        clock: Clock,
        passing: Callable[[], float] = monotonic,
    ) -> None:
        self._database = database
        self._late_s = settings.job_late_s
        self._failed_for = timedelta(hours=settings.job_failed_hours)
        self._clock = clock
        self._passing = passing
        self._last: tuple[float, Report] | None = None

    async def report(self) -> Report:
        """How it is now, or was two seconds ago. Never raises: what does not answer is a cause."""
        if self._last is not None and self._passing() - self._last[0] < _KEEP_S:
            return self._last[1]
        report = await self._ask()
        self._last = (self._passing(), report)
        return report

    async def _ask(self) -> Report:
        now = self._clock()
        try:
            load = await self._database.job_load(
                now=now,
                failed_since=now - self._failed_for,
                without=[DELIVER],  # a tenant's dead receiver is no trouble of the service
            )
        except MunimentError as error:
            return Report(status="unavailable", causes=(error.code,))
        lag_s = (now - load.oldest).total_seconds() if load.oldest is not None else 0.0
        causes = tuple(self._troubles(load, lag_s))
        return Report(
            status="degraded" if causes else "ok", causes=causes, failed=load.failed, waiting=load.waiting, lag_s=lag_s
        )

    def _troubles(self, load: JobLoad, lag_s: float) -> list[str]:
        troubles = [(JOBS_FAILED, load.failed > 0), (JOBS_LATE, lag_s > self._late_s)]
        return [name for name, is_so in troubles if is_so]
