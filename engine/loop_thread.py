"""An event loop in a thread of its own: lets plain code, from any thread, call what is asynchronous."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from concurrent.futures import Future, wait
from typing import Any, TypeVar

from muniment.graph_schema.errors import Unavailable

T = TypeVar("T")


class LoopThread:
    """Runs coroutines for callers that wait for them. Ends with `close`, after the calls under way."""

    def __init__(self, *, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._lock = threading.Lock()
        self._under_way: set[Future[Any]] = set()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    @property
    def is_closed(self) -> bool:
        return self._closed

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """What the coroutine gives or raises. Raises Unavailable once closed, RuntimeError from the loop's own thread."""
        future = self._begin(coroutine)
        try:
            return future.result()
        except BaseException:
            future.cancel()  # the caller was interrupted; what is over already takes no notice
            raise
        finally:
            self._under_way.discard(future)

    def each(self, items: AsyncIterator[T]) -> Iterator[T]:
        """The items one by one; the source is closed where the caller stops early."""
        try:
            while True:
                try:
                    yield self.run(_next(items))
                except StopAsyncIteration:
                    return
        finally:
            close = getattr(items, "aclose", None)
            if close is not None and not self._closed:
                self.run(close())

    def close(self, last: Coroutine[Any, Any, None] | None = None) -> None:
        """Waits for the calls under way, runs `last`, and ends the thread. Closing again changes nothing."""
        with self._lock:
            if self._closed:
                if last is not None:
                    last.close()
                return
            self._closed = True
            pending = set(self._under_way)
        wait(pending)
        try:
            if last is not None:
                asyncio.run_coroutine_threadsafe(last, self._loop).result()
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()

    def _begin(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        try:
            if threading.current_thread() is self._thread:
                raise RuntimeError("this is the engine's own thread: await the asynchronous verb here instead")
            with self._lock:
                if self._closed:
                    raise Unavailable("this engine is closed: open it again, or call it inside its `with` block")
                future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
                self._under_way.add(future)
                return future
        except BaseException:
            coroutine.close()
            raise

    def _work(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
            for task in asyncio.all_tasks(self._loop):
                task.cancel()
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        finally:
            self._loop.close()


async def _next(items: AsyncIterator[T]) -> T:
    return await anext(items)
