"""The statistics of each space, kept between questions and brought up to date at the start of each."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, Protocol

from muniment.engine.ports.store import DocumentQuery, Reader
from muniment.engine.retrieve.statistics import STATISTICS, StatisticsView, TenantStatistics
from muniment.graph_schema.ids import Space

_MAX_SPACES: Final = 256
_BATCH: Final = 200


class BoundReader(Reader, Protocol):
    """A reader that says which space it reads and behind which walls."""

    @property
    def space(self) -> Space: ...
    @property
    def walls(self) -> frozenset[str]: ...


class StatisticsCache:
    """Statistics by space; the least lately used are forgotten and read again when they are needed."""

    def __init__(self, max_spaces: int = _MAX_SPACES) -> None:
        self._max = max_spaces
        self._spaces: OrderedDict[Space, TenantStatistics] = OrderedDict()

    async def view(self, reader: BoundReader, *, seq: int | None = None) -> StatisticsView:
        """What the reader may know, as of its latest write; with `seq` as of that earlier one, as far as the changes since
        have not been folded into one (the view's own `seq` tells)."""
        if seq is not None and seq < await reader.last_seq(STATISTICS):
            earlier = await _earlier(reader, seq)
            if earlier.seq == seq:
                return earlier.seen_from(reader.walls)
        statistics = self._spaces.get(reader.space)
        if statistics is None:
            statistics = TenantStatistics()
        last = await reader.last_seq(STATISTICS)
        if last < statistics.seq:  # the space was erased, or restored from an older copy
            statistics = TenantStatistics()
        while statistics.seq < last:
            query = DocumentQuery(kind=STATISTICS, after_seq=statistics.seq, limit=_BATCH)
            rows = await reader.documents(query)
            if not rows:
                break
            for document in rows:
                statistics.apply(document)
        self._spaces[reader.space] = statistics
        self._spaces.move_to_end(reader.space)
        while len(self._spaces) > self._max:
            self._spaces.popitem(last=False)
        return statistics.seen_from(reader.walls)


async def _earlier(reader: BoundReader, seq: int) -> TenantStatistics:
    """The statistics of the changes up to a number, without what was counted since."""
    statistics = TenantStatistics()
    after = 0
    while rows := await reader.documents(DocumentQuery(kind=STATISTICS, after_seq=after, limit=_BATCH)):
        for document in rows:
            if document.seq > seq:
                return statistics
            statistics.apply(document)
        after = rows[-1].seq
    return statistics
