"""What a tenant's use of a language model costs, by day, kept in its store so that all processes count together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeVar

from muniment.engine.extract.assisted.extractor import AssistedExtractor
from muniment.engine.extract.assisted.purse import Usage
from muniment.engine.extract.candidates import Extractor
from muniment.engine.ports.clock import Clock
from muniment.engine.ports.store import DocumentQuery, TenantStore, Unit
from muniment.engine.retrieve.browse import Listing, Slice, list_documents, seen_by
from muniment.engine.write.units import in_unit
from muniment.graph_schema.records import Document
from muniment.graph_schema.temporal import to_ms

logger = logging.getLogger(__name__)

MODEL_USE: Final = "model_use"
_A_MONTH: Final = 31
_MILLION: Final = 1_000_000
_COUNTS: Final = (
    "calls",
    "tokens_in",
    "tokens_out",
    "failed_calls",
    "repaired_answers",
    "rejected_answers",
    "rejected_statements",
)

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What a tenant may spend in one day (UTC). 0 sets no cap. Prices are for a million tokens, in any one currency."""

    daily_tokens: int = 0
    daily_cost: float = 0.0
    price_in: float = 0.0
    price_out: float = 0.0

    def cost(self, *, tokens_in: int, tokens_out: int) -> float:
        return (tokens_in * self.price_in + tokens_out * self.price_out) / _MILLION


@dataclass(frozen=True, slots=True, kw_only=True)
class DayOfUse:
    """One day's counts. `set_aside` tokens belong to calls that are under way, or whose process died."""

    day: str
    usage: Usage
    cost: float
    set_aside: int


def at_expense_of(extractor: Extractor, store: TenantStore, budget: Budget, clock: Clock) -> Extractor:
    """The extractor, its language model (if it has one) paid from the tenant's budget. Call it on the event loop."""
    if not isinstance(extractor, AssistedExtractor):
        return extractor
    return extractor.paid_from(StoredPurse(store, asyncio.get_running_loop(), budget, clock))


async def days_of_use(store: TenantStore, listing: Listing | None = None) -> Slice[DayOfUse]:
    """What the last days cost, newest first."""
    listing = listing or Listing(name=MODEL_USE, whose=seen_by(store), limit=_A_MONTH)
    return await list_documents(store, DocumentQuery(kind=MODEL_USE, newest_first=True), listing, _day_of)


class StoredPurse:
    """Implements `Purse` for an extractor in a worker thread. Must not be called on the event loop's own thread."""

    def __init__(self, store: TenantStore, loop: asyncio.AbstractEventLoop, budget: Budget, clock: Clock) -> None:
        self._store = store
        self._loop = loop
        self._budget = budget
        self._clock = clock

    def take(self, *, tokens_in: int, tokens_out: int) -> bool:
        """Sets aside the most that a call can cost; False where that is over the day's cap. Raises StoreUnavailable."""
        return self._on_loop(self._take(tokens_in, tokens_out))

    def settle(self, usage: Usage, *, tokens_in: int, tokens_out: int) -> None:
        """Counts what was used. Raises StoreUnavailable; then what was set aside stays counted as spent."""
        self._on_loop(self._settle(usage, tokens_in, tokens_out))

    def _on_loop(self, work: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _take(self, tokens_in: int, tokens_out: int) -> bool:
        return await self._change(Usage(), aside_in=tokens_in, aside_out=tokens_out, capped=True)

    async def _settle(self, usage: Usage, tokens_in: int, tokens_out: int) -> None:
        await self._change(usage, aside_in=-tokens_in, aside_out=-tokens_out, capped=False)

    async def _change(self, usage: Usage, *, aside_in: int, aside_out: int, capped: bool) -> bool:
        """Adds to the day's counts, unless that is over the cap."""

        async def work(unit: Unit) -> bool:
            now = self._clock()
            day = now.date().isoformat()
            old = await unit.document(MODEL_USE, day)
            body = dict(old.body) if old else {}
            if capped and self._is_over(body, aside_in, aside_out):
                return False
            new = self._added(body, usage, aside_in, aside_out)
            seq = to_ms(datetime.fromisoformat(f"{day}T00:00:00+00:00"))
            created_at = old.created_at if old else now
            await unit.put_documents([Document(kind=MODEL_USE, id=day, seq=seq, created_at=created_at, body=new)])
            return True

        return await in_unit(self._store, work)

    def _is_over(self, body: dict[str, Any], tokens_in: int, tokens_out: int) -> bool:
        budget = self._budget
        gone_in = body.get("tokens_in", 0) + body.get("aside_in", 0) + tokens_in
        gone_out = body.get("tokens_out", 0) + body.get("aside_out", 0) + tokens_out
        aside = budget.cost(
            tokens_in=body.get("aside_in", 0) + tokens_in, tokens_out=body.get("aside_out", 0) + tokens_out
        )
        over_tokens = budget.daily_tokens > 0 and gone_in + gone_out > budget.daily_tokens
        return over_tokens or (budget.daily_cost > 0 and body.get("cost", 0.0) + aside > budget.daily_cost)

    def _added(self, body: dict[str, Any], usage: Usage, aside_in: int, aside_out: int) -> dict[str, Any]:
        counts = {name: body.get(name, 0) + getattr(usage, name) for name in _COUNTS}
        cost = body.get("cost", 0.0) + self._budget.cost(tokens_in=usage.tokens_in, tokens_out=usage.tokens_out)
        return {
            **counts,
            "cost": round(cost, 9),
            "aside_in": max(0, body.get("aside_in", 0) + aside_in),
            "aside_out": max(0, body.get("aside_out", 0) + aside_out),
        }


def _day_of(document: Document) -> DayOfUse:
    body = document.body
    return DayOfUse(
        day=document.id,
        usage=Usage(**{name: body.get(name, 0) for name in _COUNTS}),
        cost=body.get("cost", 0.0),
        set_aside=body.get("aside_in", 0) + body.get("aside_out", 0),
    )
