"""Everything of a space, read page by page: for work that concerns a tenant as a whole."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime

from muniment.engine.ports.search import ReadFilter
from muniment.engine.ports.store import DocumentQuery, EntityQuery, EpisodeQuery, Page, Reader
from muniment.graph_schema.ids import EntityId, JobId
from muniment.graph_schema.records import Document, Entity, Episode, Job, Mention
from muniment.graph_schema.temporal import Clocks, to_ms

_PAGE = 500
_EVER = datetime(9999, 1, 1, tzinfo=UTC)
EVERYTHING = ReadFilter(
    clocks=Clocks(as_of=_EVER, known_at=_EVER), scope=None, include_superseded=True, include_archived=True
)
"""Shows every memory of every scope, archived and ended ones too."""


async def all_episodes(reader: Reader, query: EpisodeQuery | None = None) -> AsyncIterator[list[Episode]]:
    """Every episode, archived ones included, newest first."""
    query = query or EpisodeQuery(include_archived=True)
    page = Page(limit=_PAGE)
    while rows := await reader.list_episodes(query, page):
        yield rows
        page = Page(limit=_PAGE, after=(to_ms(rows[-1].recorded_at), rows[-1].id))


async def all_live_entities(reader: Reader) -> AsyncIterator[list[Entity]]:
    """Every entity that is not merged away, archived ones included, newest first."""
    page = Page(limit=_PAGE)
    while rows := await reader.list_entities(EntityQuery(include_archived=True), page):
        yield rows
        page = Page(limit=_PAGE, after=(to_ms(rows[-1].created_at), rows[-1].id))


async def all_documents(reader: Reader, kind: str) -> AsyncIterator[list[Document]]:
    """Every document of a kind, in order of (seq, id).

    Most kinds are not numbered: all theirs have the number 0 and come as one page.
    """
    limit = _PAGE
    after: int | None = None
    while True:
        rows = await reader.documents(DocumentQuery(kind=kind, after_seq=after, limit=limit))
        if len(rows) < limit:
            yield rows
            return
        whole = [row for row in rows if row.seq < rows[-1].seq]  # the last number may go on beyond the page
        if whole:
            yield whole
            after, limit = whole[-1].seq, _PAGE
        else:
            limit *= 4


async def all_jobs(reader: Reader) -> AsyncIterator[list[Job]]:
    """Every job, in order of id."""
    after: JobId | None = None
    while rows := await reader.jobs(limit=_PAGE, after=after):
        yield rows
        after = rows[-1].id


async def all_mentions(reader: Reader, ids: Sequence[EntityId]) -> list[Mention]:
    """Every mention of these entities."""
    if not ids:
        return []
    return list((await reader.mentions_of_entities(ids, EVERYTHING, per_entity=10_000_000)).mentions)
