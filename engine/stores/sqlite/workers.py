"""Threads that do the blocking work of a database, one piece after another, and tell the event loop what came of it.

A `ThreadPoolExecutor` does the same; between a queue, a future of its own, the loop's future and their callbacks it spends
as long on a piece of work as SQLite does on a small statement, and a write is a dozen of these.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")

_Job = tuple[Callable[[], Any], "asyncio.Future[Any]"]


class Workers:
    """A fixed number of threads, started with the first piece of work. With one thread the work is done in its order."""

    def __init__(self, count: int, name: str) -> None:
        self._count = count
        self._name = name
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._closed = False

    def submit(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """What the work will give or raise, for the running event loop. Raises RuntimeError after `close`.

        Where the future is cancelled before its turn, the work is left out; once begun, it is done to its end.
        """
        if self._closed:
            raise RuntimeError("these workers are closed")
        if not self._threads:
            self._start()
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.put((work, future))
        return future

    def close(self) -> None:
        """Waits for what was given before, then ends the threads. To close twice does nothing."""
        if self._closed:
            return
        self._closed = True
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join()

    def _start(self) -> None:
        for number in range(self._count):
            # A program that ends without closing its database must not wait for this thread: what is committed is safe.
            thread = threading.Thread(target=self._serve, name=f"{self._name}-{number}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self) -> None:
        while (job := self._jobs.get()) is not None:
            _do(*job)
            del job  # what it holds must not live until the next one comes


def _do(work: Callable[[], Any], future: asyncio.Future[Any]) -> None:
    if future.cancelled():
        return
    result, error = None, None
    try:
        result = work()
    except BaseException as cause:
        error = cause
    with suppress(RuntimeError):  # the loop is gone, and with it whoever waited
        future.get_loop().call_soon_threadsafe(_tell, future, result, error)


def _tell(future: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    if future.done():
        return  # cancelled meanwhile
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(result)
