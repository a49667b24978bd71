"""The names a tenant has, for an extractor that runs in a worker thread."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from muniment.engine.ports.store import Reader
from muniment.graph_schema.records import VALUE_TYPE


class StoredNames:
    """Looks names up in the store, each once. `lookup` blocks, so it must not be called on the event loop's thread."""

    def __init__(self, reader: Reader, loop: asyncio.AbstractEventLoop) -> None:
        self._reader = reader
        self._loop = loop
        self._known: dict[str, tuple[tuple[str, str], ...]] = {}

    def lookup(self, keys: Sequence[str]) -> Mapping[str, tuple[tuple[str, str], ...]]:
        """For each folded spelling that is known: the (name, type) pairs it may mean; unknown ones are left out.

        What was only ever told as a value ("association football") is no name: where a text says something of it, it is a thing.
        """
        new = [key for key in dict.fromkeys(keys) if key not in self._known]
        if new:
            found = asyncio.run_coroutine_threadsafe(self._ask(new), self._loop).result()
            self._known.update({key: found.get(key, ()) for key in new})
        return {key: self._known[key] for key in keys if self._known[key]}

    async def _ask(self, keys: Sequence[str]) -> dict[str, tuple[tuple[str, str], ...]]:
        found = await self._reader.entities_by_alias(keys)
        return {
            key: tuple((entity.name, entity.type) for entity in entities if entity.type != VALUE_TYPE)
            for key, entities in found.items()
        }
