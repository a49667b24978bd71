"""What need not wait for an answer: traces and use counts are gathered and written in batches.

Losing the last second of them in a crash costs an explanation or a count, never a memory.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial

from muniment.engine.ports.store import TenantStore, Unit, Use
from muniment.engine.write.units import in_unit
from muniment.graph_schema.errors import MunimentError, NotFound
from muniment.graph_schema.ids import Space
from muniment.graph_schema.records import Document

logger = logging.getLogger(__name__)

FLUSH_AFTER_S = 1.0
FLUSH_AT = 200
"""Documents and uses of one space that are written at once without waiting for the second to pass."""


_held_back: ContextVar[list[Callable[[], None]] | None] = ContextVar("muniment_held_back", default=None)


@contextmanager
def held_back() -> Iterator[list[Callable[[], None]]]:
    """What the block gives to any `Later` is held back: it waits to be written once each of the list has been called.

    For whoever may find out at the end of the block that nothing of it counts.
    """
    held: list[Callable[[], None]] = []
    token = _held_back.set(held)
    try:
        yield held
    finally:
        _held_back.reset(token)


@dataclass(slots=True)
class _Waiting:
    """What one kind of caller leaves to be written: a store behind other walls may not write it."""

    store: TenantStore
    documents: dict[str, Document] = field(default_factory=dict)
    uses: list[Use] = field(default_factory=list)

    @property
    def count(self) -> int:
        return len(self.documents) + len(self.uses)


_Sight = tuple[Space, frozenset[str], bool]


class Later:
    """Gathers what is to be written later, by space and by what its caller may see. Bound to one event loop."""

    def __init__(self) -> None:
        self._waiting: dict[_Sight, _Waiting] = {}
        self._leaving: list[_Waiting] = []  # being written: not waiting any more, not yet to be read
        self._timer: asyncio.Task[None] | None = None
        self._flushing = asyncio.Lock()
        self._ages: dict[Space, int] = defaultdict(int)

    def age(self, space: Space) -> int:
        """A number that changes whenever what waits for a space is thrown away; see `add`."""
        return self._ages[space]

    @asynccontextmanager
    async def thrown_away(self, space: Space) -> AsyncIterator[None]:
        """What waits for the space when the block begins or ends is thrown away, and nothing is written meanwhile.

        For erasing: a trace may tell of what is being erased.
        """
        async with self._flushing:
            try:
                yield
            finally:
                self._ages[space] += 1
                for sight in [sight for sight in self._waiting if sight[0] == space]:
                    del self._waiting[sight]

    def add(
        self,
        store: TenantStore,
        *,
        documents: Sequence[Document] = (),
        uses: Sequence[Use] = (),
        age: int | None = None,
    ) -> None:
        """Takes something to be written soon; `store` must be allowed to write it.

        With the `age` of before it was made, it is left out where erasing came between.
        """
        if (held := _held_back.get()) is not None:
            held.append(partial(self.add, store, documents=documents, uses=uses, age=age))
            return
        if age is not None and age != self._ages[store.space]:
            return
        sight = (store.space, store.walls, store.all_walls)
        waiting = self._waiting.setdefault(sight, _Waiting(store))
        waiting.documents.update({document.id: document for document in documents})
        waiting.uses.extend(uses)
        if self._timer is None or self._timer.done():
            self._timer = asyncio.get_running_loop().create_task(self._flush_soon())

    def document(self, space: Space, id: str) -> Document | None:
        """A document that waits to be written, or is being written."""
        for waiting in (*self._waiting.values(), *self._leaving):
            if waiting.store.space == space and id in waiting.documents:
                return waiting.documents[id]
        return None

    async def flush(self) -> None:
        """Writes everything that waits. What a store refuses is dropped and logged: it must not pile up."""
        async with self._flushing:
            for sight in list(self._waiting):
                waiting = self._waiting.pop(sight)
                self._leaving.append(waiting)
                try:
                    await _write(waiting)
                finally:
                    self._leaving.remove(waiting)

    async def close(self) -> None:
        """Writes what waits and stops."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        await self.flush()

    async def _flush_soon(self) -> None:
        waited = 0.0
        while waited < FLUSH_AFTER_S and sum(waiting.count for waiting in self._waiting.values()) < FLUSH_AT:
            await asyncio.sleep(FLUSH_AFTER_S / 10)
            waited += FLUSH_AFTER_S / 10
        await self.flush()


async def _write(waiting: _Waiting) -> None:
    """Writes both together, or the documents alone where a memory that was used is gone meanwhile."""
    documents = list(waiting.documents.values())

    async def both(unit: Unit) -> None:
        await unit.put_documents(documents)
        await unit.add_uses(waiting.uses)

    try:
        try:
            await in_unit(waiting.store, both)
        except NotFound:
            logger.info("uses dropped", extra={"uses": len(waiting.uses)})
            await in_unit(waiting.store, lambda unit: unit.put_documents(documents))
    except MunimentError:
        logger.warning("later writes dropped", extra={"documents": len(documents), "uses": len(waiting.uses)})
