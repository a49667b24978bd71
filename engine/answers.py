"""Answers kept for callers who repeat a request with the same idempotency key.

An answer belongs to the API key that asked, so nobody else's repetition can see it. A request under way holds its place,
so that a repetition that comes too early waits for its answer instead of being done twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from time import monotonic
from typing import Any, Final

from muniment.engine.ports.clock import Clock, system_clock
from muniment.engine.ports.store import Database, DocumentQuery, Unit
from muniment.engine.system import system_store
from muniment.engine.write.erase.scan import all_documents
from muniment.engine.write.turns import Turns
from muniment.engine.write.units import in_unit
from muniment.graph_schema.errors import Conflict, MunimentError, UnderWay
from muniment.graph_schema.ids import digest
from muniment.graph_schema.records import Document
from muniment.graph_schema.temporal import to_ms

logger = logging.getLogger(__name__)

ANSWER: Final = "answer"
_PENDING: Final = "pending"
_DONE: Final = "done"
_HELD_FOR: Final = timedelta(seconds=60)  # a place held by a process that died is free after it
_HELD_AGAIN_S: Final = 15.0  # so often a request under way says that it lives
_SWEEP: Final = 20
_FIRST_LOOK_S: Final = 0.01
_LONGEST_LOOK_S: Final = 0.2  # between two looks at a request under way


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request as it is recognised when it comes again: who, under which key, and a digest of all it says."""

    caller: str
    key: str
    fingerprint: str
    tenant: str = ""

    @property
    def id(self) -> str:
        return digest(self.caller, self.key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was answered. With `told_once` the answer itself is not kept, only the id of what was made or done."""

    status: int
    body: Mapping[str, Any]
    told_once: bool = False


async def forget_answers(database: Database, tenant: str) -> int:
    """Drops every kept answer of a tenant, since it may tell of what was erased; gives how many. Where only an id is kept,
    it stays, or a repetition would be done twice."""

    async def work(unit: Unit) -> int:
        dropped = 0
        async for rows in all_documents(unit, ANSWER):
            told = [row for row in rows if row.status == _DONE and not row.body.get("told_once")]
            gone = [row.id for row in told if row.body.get("tenant") == tenant]
            await unit.drop_documents(ANSWER, gone)
            dropped += len(gone)
        return dropped

    return await in_unit(system_store(database), work)


def _holds(document: Document, moment: datetime) -> bool:
    return document.expires_at is None or moment < document.expires_at


class KeptAnswers:
    """The kept answers of one database."""

    def __init__(
        self, database: Database, *, keep: timedelta, clock: Clock = system_clock, turns: Turns | None = None
    ) -> None:
        self._system = system_store(database)
        self._turns = turns or Turns()  # one space holds every tenant's, so those that wait go together
        self._keep = keep
        self._clock = clock

    async def begin(self, request: Request) -> Answer | None:
        """The kept answer, or None when the request is to be done now: its place is then held until `keep` or `drop`.

        Raises Conflict where the key came with another request before, or the answer was one that is told once, UnderWay while the same request is being done.
        """
        now = self._clock()

        async def work(unit: Unit) -> Document | None:
            there = await unit.document(ANSWER, request.id)
            if there is not None and _holds(there, now):
                return there
            await self._sweep(unit)
            await unit.put_documents([self._document(request, status=_PENDING, keep=_HELD_FOR, body={})])
            return None

        there = await self._turns.write(self._system, work)
        if there is None:
            return None
        if there.ref != request.fingerprint:
            raise Conflict(f"Idempotency-Key {request.key!r} was used for another request; take a new one")
        if there.status == _PENDING:
            raise UnderWay(f"the request with Idempotency-Key {request.key!r} is still under way; ask again")
        if there.body.get("told_once"):
            id = there.body["body"].get("id", "")
            raise Conflict(
                f"the request with Idempotency-Key {request.key!r} is already done: id {id!r}; its answer was told once"
            )
        return Answer(status=int(there.body["status"]), body=there.body["body"])

    async def begin_in_turn(self, request: Request, *, wait_s: float) -> Answer | None:
        """As `begin`, but waits up to `wait_s` for the same request under way, and then gives its answer.

        Where that one comes to nothing, this one takes its place. Raises Conflict as `begin` does, UnderWay when the wait is
        over; the same request may then be sent once more.
        """
        until = monotonic() + wait_s
        pause = _FIRST_LOOK_S
        while True:
            try:
                return await self.begin(request)
            except UnderWay:
                while await self._is_under_way(request):
                    left = until - monotonic()
                    if left <= 0:
                        raise
                    await asyncio.sleep(min(pause, left))
                    pause = min(2 * pause, _LONGEST_LOOK_S)

    async def _is_under_way(self, request: Request) -> bool:
        there = await self._system.document(ANSWER, request.id)
        return there is not None and there.status == _PENDING and _holds(there, self._clock())

    @asynccontextmanager
    async def held(self, request: Request, *, every_s: float = _HELD_AGAIN_S) -> AsyncIterator[None]:
        """Keeps the place of a request that was begun for as long as the block takes."""
        beat = asyncio.create_task(self._hold(request, every_s))
        try:
            yield
        finally:
            beat.cancel()
            await asyncio.gather(beat, return_exceptions=True)  # not in the middle of its transaction

    async def _hold(self, request: Request, every_s: float) -> None:
        async def is_held_again(unit: Unit) -> bool:
            there = await unit.document(ANSWER, request.id)
            if there is None or there.status != _PENDING:
                return False
            await unit.put_documents([replace(there, expires_at=self._clock() + _HELD_FOR)])
            return True

        while True:
            await asyncio.sleep(every_s)
            try:
                if not await in_unit(self._system, is_held_again):
                    return
            except MunimentError:
                logger.warning("place of a request not held", extra={"tenant": request.tenant})

    async def keep(self, request: Request, answer: Answer) -> None:
        """Keeps the answer of a request that was begun."""
        body: dict[str, Any] = {"status": answer.status, "body": dict(answer.body), "tenant": request.tenant}
        if answer.told_once:
            body |= {"body": {"id": answer.body.get("id", "")}, "told_once": True}

        async def work(unit: Unit) -> None:
            await unit.put_documents([self._document(request, status=_DONE, keep=self._keep, body=body)])

        await self._turns.write(self._system, work)

    async def drop(self, request: Request) -> None:
        """Frees the place of a request that came to nothing, so that it may be tried again."""

        async def work(unit: Unit) -> None:
            await unit.drop_documents(ANSWER, [request.id])

        await self._turns.write(self._system, work)

    def _document(self, request: Request, *, status: str, keep: timedelta, body: Mapping[str, Any]) -> Document:
        now = self._clock()
        return Document(
            kind=ANSWER,
            id=request.id,
            ref=request.fingerprint,
            status=status,
            seq=to_ms(now),
            created_at=now,
            expires_at=now + keep,
            body=body,
        )

    async def _sweep(self, unit: Unit) -> None:
        """Drops a few answers that are past their time: the oldest come first, so a little each time is enough."""
        oldest = await unit.documents(DocumentQuery(kind=ANSWER, limit=_SWEEP))
        now = self._clock()
        gone = [row.id for row in oldest if row.expires_at is not None and row.expires_at <= now]
        if gone:
            await unit.drop_documents(ANSWER, gone)
