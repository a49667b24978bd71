"""What the adapters need of a memory, and the way to it from plain and from asynchronous code alike."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from muniment.engine.sync import SyncMemory
from muniment.engine.verbs import Verbs

T = TypeVar("T")


class Bridge:
    """Runs an adapter's work, which is written once and asynchronous, for whoever calls.

    Made with an asynchronous memory inside a running loop, plain calls work from every other thread of the program, such as
    those in which frameworks run plain functions. Plain code without any loop gives a `SyncMemory`: what `muniment.open` leads to, or a `Client`.
    """

    def __init__(self, memory: Verbs | SyncMemory) -> None:
        self._face = memory if isinstance(memory, SyncMemory) else None
        self.memory: Verbs = memory.asynchronous if isinstance(memory, SyncMemory) else memory
        self._loop = _running_loop()

    def run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What the work gives. Raises RuntimeError where waiting for it would never end."""
        if self._face is not None:
            return self._face.run(work())
        running = _running_loop()
        if self._loop is None or self._loop.is_closed():
            raise RuntimeError(
                "this memory is asynchronous: await the asynchronous method, or give one of muniment.open"
            )
        if running is self._loop:
            raise RuntimeError("this would stop the event loop that it waits for: await the asynchronous method here")
        return asyncio.run_coroutine_threadsafe(work(), self._loop).result()

    async def arun(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What the work gives, whichever loop the memory lives in."""
        if self._face is not None:
            return await asyncio.to_thread(self._face.run, work())
        running = asyncio.get_running_loop()
        if self._loop is None:
            self._loop = running
        if self._loop is running:
            return await work()
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work(), self._loop))


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
