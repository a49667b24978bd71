"""What need not wait for an answer: traces and use counts are gathered and written in batches.

Losing the last second of them in a crash costs an explanation or a count, never a memory.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, MutableMapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from muniment.engine.ports.store import TenantStore, Use
from muniment.graph_schema.errors import MunimentError
from muniment.graph_schema.ids import Space
from muniment.graph_schema.records import Document

logger = logging.getLogger(__name__)

FLUSH_AFTER_S = 1.0
FLUSH_AT = 200
"""Documents and uses of one space that are written at once without waiting for the second to pass."""


class Later:
    """Gathers what is to be written later, by space. Bound to one event loop."""

    def __init__(self) -> None:
        self._documents: dict[Space, dict[str, Document]] = defaultdict(dict)
        self._uses: dict[Space, list[Use]] = defaultdict(list)
        self._stores: dict[Space, TenantStore] = {}
        self._leaving: dict[Space, dict[str, Document]] = {}  # being written: not waiting any more, not yet to be read
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
                waiting: tuple[MutableMapping[Space, Any], ...] = (self._documents, self._uses, self._stores)
                for one in waiting:
                    one.pop(space, None)

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
        space = store.space
        if age is not None and age != self._ages[space]:
            return
        self._stores[space] = store
        self._documents[space].update({document.id: document for document in documents})
        self._uses[space].extend(uses)
        if self._timer is None or self._timer.done():
            self._timer = asyncio.get_running_loop().create_task(self._flush_soon())

    def document(self, space: Space, id: str) -> Document | None:
        """A document that waits to be written, or is being written."""
        return self._documents.get(space, {}).get(id) or self._leaving.get(space, {}).get(id)

    async def flush(self) -> None:
        """Writes everything that waits. What a store refuses is dropped and logged: it must not pile up."""
        async with self._flushing:
            await self._write_all()

    async def _write_all(self) -> None:
        for space, store in list(self._stores.items()):
            leaving = self._leaving[space] = self._documents.pop(space, {})
            documents = list(leaving.values())
            uses = self._uses.pop(space, [])
            self._stores.pop(space, None)
            try:
                if documents or uses:
                    async with store.write() as unit:
                        await unit.put_documents(documents)
                        await unit.add_uses(uses)
            except MunimentError:
                logger.warning("later writes dropped", extra={"documents": len(documents), "uses": len(uses)})
            finally:
                del self._leaving[space]

    async def close(self) -> None:
        """Writes what waits and stops."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        await self.flush()

    async def _flush_soon(self) -> None:
        waited = 0.0
        while waited < FLUSH_AFTER_S and self._waiting() < FLUSH_AT:
            await asyncio.sleep(FLUSH_AFTER_S / 10)
            waited += FLUSH_AFTER_S / 10
        await self.flush()

    def _waiting(self) -> int:
        return sum(map(len, self._documents.values())) + sum(map(len, self._uses.values()))
