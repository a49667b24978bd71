"""Reading a question's steps off the event loop, and remembering how questions of one shape were read."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final

from muniment.engine.ports.models import Analyzer
from muniment.engine.retrieve.chunks import Chunk, read_chunks

_KEPT: Final = 512


class StepReader:
    """Reads the steps that questions ask for.

    What stands around the name decides how a question is read, not the name; so "Who is the manager of X?" is parsed once
    whatever X is, and the last few hundred readings are kept. A parse takes several milliseconds, more than the walk
    itself. Used from one event loop.
    """

    def __init__(self, analyzer: Analyzer | None) -> None:
        self._analyzer = analyzer
        self._kept: OrderedDict[tuple[str, str], tuple[Chunk, ...]] = OrderedDict()

    async def read(self, text: str, start: int, end: int) -> tuple[Chunk, ...]:
        """As `read_chunks`. Raises ModelUnavailable where the analyzer cannot be opened."""
        around = text[:start], text[end:]
        found = self._kept.get(around)
        if found is None:
            found = tuple(await asyncio.to_thread(read_chunks, text, start, end, self._analyzer))
            self._kept[around] = found
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(around)
        return found
