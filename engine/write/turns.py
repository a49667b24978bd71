"""Whose write is next: the writers of a space in the order in which they came, those that wait committed together.

Writing to disk for good takes longer than most writes, and it is done once for a whole transaction. So what waits while a
transaction runs goes into the next one, each write with its own receipt, one after another, as if each had been alone.
Where one of them fails, nothing of that transaction is kept, and each is done by itself: none fails for another's sake.
(Group commit: DeWitt et al., "Implementation techniques for main memory database systems", SIGMOD 1984.)
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextvars import Context, copy_context
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from muniment.engine.ports.store import TenantStore, Unit
from muniment.engine.write.units import in_unit
from muniment.graph_schema.errors import StoreUnavailable
from muniment.graph_schema.ids import Space

logger = logging.getLogger(__name__)

MOST_TOGETHER: Final = 16
_LARGEST_TOGETHER: Final = 64  # items of all in one transaction: larger ones would keep the small ones waiting

Result = TypeVar("Result")
Work = Callable[[Unit], Coroutine[Any, Any, Result]]


@dataclass(slots=True, eq=False)
class _Waiting:
    store: TenantStore
    work: Work[Any]
    size: int
    done: asyncio.Future[Any]
    context: Context

    def fits(self, first: _Waiting) -> bool:
        """Whether both may go through one unit: they see the same."""
        return (self.store.walls, self.store.all_walls) == (first.store.walls, first.store.all_walls)


class Turns:
    """The writers of one process. Bound to one event loop."""

    def __init__(self) -> None:
        self._queues: dict[Space, deque[_Waiting]] = {}
        self._serving: set[asyncio.Task[None]] = set()

    async def write(self, store: TenantStore, work: Work[Result], *, size: int = 1) -> Result:
        """What `work` gives, once it is committed. It may be run more than once, each time in a transaction anew.

        `size` is how many items it writes; larger ones have a transaction to themselves. Raises what `work` and the store
        raise; then nothing of it was written. Who stops waiting while it runs does not know whether it was done.
        """
        loop = asyncio.get_running_loop()
        waiting = _Waiting(store, work, size, loop.create_future(), copy_context())
        queue = self._queues.get(store.space)
        if queue is None:
            queue = self._queues[store.space] = deque()
            task = loop.create_task(self._serve(store.space, queue), context=Context())
            self._serving.add(task)
            task.add_done_callback(self._serving.discard)
        queue.append(waiting)
        result: Result = await waiting.done
        return result

    async def close(self) -> None:
        """Waits until everything that was begun is done."""
        while self._serving:
            await asyncio.wait(self._serving)

    async def _serve(self, space: Space, queue: deque[_Waiting]) -> None:
        try:
            while queue:
                if together := _next(queue):
                    await _settle(together)
        finally:
            del self._queues[space]
            for left in queue:
                left.done.cancel()


def _next(queue: deque[_Waiting]) -> list[_Waiting]:
    """Takes the first that still waits, and those behind it that may go with it."""
    together: list[_Waiting] = []
    size = 0
    for one in list(queue):
        if one.done.done():  # nobody waits for it any more
            queue.remove(one)
            continue
        if together and not (
            one.fits(together[0]) and size + one.size <= _LARGEST_TOGETHER and len(together) < MOST_TOGETHER
        ):
            break  # nobody is overtaken
        queue.remove(one)
        together.append(one)
        size += one.size
    return together


async def _settle(together: Sequence[_Waiting]) -> None:
    """Does them in one transaction, or each in its own where that cannot be; tells each what came of it."""
    try:
        if len(together) == 1 or not await _settled_at_once(together):
            for one in together:
                await _settle_alone(one)
    finally:
        for one in together:
            one.done.cancel()  # only where this task itself was stopped: the others know already


async def _settled_at_once(together: Sequence[_Waiting]) -> bool:
    try:
        results = await _committed(together)
    except StoreUnavailable as error:  # of no one's making: alone they would fail alike, one after another
        for one in together:
            _fail(one, error)
    except Exception as error:
        logger.info("writes taken apart", extra={"together": len(together), "error": type(error).__name__})
        return False
    else:
        for one, result in zip(together, results, strict=True):
            _tell(one, result)
    return True


async def _settle_alone(one: _Waiting) -> None:
    if one.done.done():
        return
    try:
        (result,) = await _committed([one])
    except Exception as error:
        _fail(one, error)
    else:
        _tell(one, result)


async def _committed(together: Sequence[_Waiting]) -> list[Any]:
    async def work(unit: Unit) -> list[Any]:
        return [await _within(one.context, one.work(unit)) for one in together]

    return await in_unit(together[0].store, work)


def _within(context: Context, work: Coroutine[Any, Any, Result]) -> Awaitable[Result]:
    """Runs it as a part of what its writer does: logs and spans name that one's request."""
    return asyncio.get_running_loop().create_task(work, context=context)


def _tell(one: _Waiting, result: Any) -> None:
    if not one.done.done():
        one.done.set_result(result)


def _fail(one: _Waiting, error: Exception) -> None:
    if not one.done.done():
        one.done.set_exception(error)
