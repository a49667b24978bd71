"""What the adapters need of a memory, and the way to it from plain and from asynchronous code alike."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from datetime import datetime

    from muniment.engine.reading import Answer, ContextAnswer
    from muniment.engine.retrieve.browse import Slice
    from muniment.graph_schema.records import Episode, Receipt

T = TypeVar("T")


class AgentMemory(Protocol):
    """The verbs that the adapters use; `Memory` and `AsyncClient` have them."""

    async def recall(self, query: str, **options: Any) -> Answer: ...

    async def context(self, query: str, **options: Any) -> ContextAnswer: ...

    async def episodes(
        self,
        *,
        thread: str = "",
        user: str = "",
        session: str = "",
        known_at: datetime | str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Slice[Episode]: ...

    async def remember(
        self, episodes: Sequence[Mapping[str, Any]], *, extract: Any = "auto", dry_run: bool = False
    ) -> Receipt: ...

    async def forget(self, ids: Sequence[str], *, reason: str = "", dry_run: bool = False) -> Receipt: ...


@runtime_checkable
class SyncFace(Protocol):
    """A memory for plain code: its verbs run in a thread of their own. `muniment.open` gives one, `Client` is one."""

    @property
    def asynchronous(self) -> AgentMemory: ...

    def run(self, work: Coroutine[Any, Any, T]) -> T: ...


class Bridge:
    """Runs an adapter's work, which is written once and asynchronous, for whoever calls.

    Made with an asynchronous memory inside a running loop, plain calls work from every other thread of the program, such as
    those in which frameworks run plain functions. Plain code without any loop gives a `SyncFace`.
    """

    def __init__(self, memory: AgentMemory | SyncFace) -> None:
        self._face = memory if isinstance(memory, SyncFace) else None
        self.memory: AgentMemory = memory.asynchronous if isinstance(memory, SyncFace) else memory
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
