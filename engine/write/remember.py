"""From what happened to a draft: episodes, what they name, what they state, and how they will be found."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from muniment.engine.extract.assisted.extractor import AssistedExtractor
from muniment.engine.extract.candidates import Extraction, Extractor
from muniment.engine.ingest.inputs import EpisodeIn
from muniment.engine.ingest.language import language_of
from muniment.engine.ingest.own_blocks import without_own_blocks
from muniment.engine.ports.search import IndexEntry
from muniment.engine.ports.spans import span
from muniment.engine.ports.store import Reader
from muniment.engine.resolve.statements import from_candidate
from muniment.engine.write.draft import Draft
from muniment.engine.write.external_ids import by_external_id
from muniment.engine.write.indexing import Indexer, episode_words
from muniment.engine.write.known_names import StoredNames
from muniment.engine.write.named_in import named_in
from muniment.engine.write.taken_back import taken_back
from muniment.graph_schema.errors import MunimentError
from muniment.graph_schema.ids import EpisodeId, JobId, digest
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.records import (
    Episode,
    EpisodeKind,
    EpisodeOutcome,
    EpisodeStatus,
    Job,
    Kind,
    Rejection,
)

DERIVE = "derive"
"""The kind of a job that derives what follows from episodes kept raw."""

_DRAFT = "draft_"

_PATIENT = ThreadPoolExecutor(max_workers=16, thread_name_prefix="muniment-language-model")
"""Threads that wait for a language model, apart from those in which everything else is worked out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """The episodes of one call, sorted out: new ones with draft ids, and those that were there already."""

    new: tuple[Episode, ...]
    existing: tuple[EpisodeStatus, ...]
    rejected: tuple[Rejection, ...]
    inputs: tuple[int, ...] = ()  # which input of the call each is, the new ones and then the existing


async def hear(
    reader: Reader, given: Sequence[EpisodeIn], *, now: datetime, numbers: Sequence[int] | None = None
) -> Heard:
    """New episodes get the next places in their threads. The same external id again, in one call too, is the same
    episode, unless its telling was undone: then it is told anew. Where its text differs from what is kept, the difference is reported and the kept one stands. `numbers` are the places in the
    call of those that are given here, where some were left out.
    """
    known = await by_external_id(reader, given)
    stored = {e.id: e for e in await reader.episodes(sorted(set(known.values())))}
    gone = await taken_back(reader, stored.values())
    known = {key: id for key, id in known.items() if id not in gone}
    ends = dict(await reader.thread_ends(sorted({_thread(e) for e in given} - {""})))
    new: list[Episode] = []
    places: list[int] = []
    again: list[int] = []
    existing: list[EpisodeStatus] = []
    rejected: list[Rejection] = []
    firsts: dict[tuple[str, str | None], Episode] = {}
    for number, item in zip(numbers if numbers is not None else range(len(given)), given, strict=True):
        key = (item.wall, item.external_id)
        there = known.get(key)
        twin = stored.get(there) if there else firsts.get(key)
        if there is not None or twin is not None:
            id = there or (twin.id if twin else EpisodeId(""))
            existing.append(EpisodeStatus(id=id, external_id=item.external_id, status=EpisodeOutcome.EXISTS))
            again.append(number)
            if twin is not None and twin.text != item.text:
                rejected.append(_changed_text(number, item))
            continue
        thread = _thread(item)
        position = ends.get(thread, -1) + 1 if thread else 0
        ends[thread] = position
        episode = _episode(item, number, thread=thread, position=position, now=now)
        new.append(episode)
        places.append(number)
        if item.external_id:
            firsts[key] = episode
    return Heard(new=tuple(new), existing=tuple(existing), rejected=tuple(rejected), inputs=(*places, *again))


async def draft_memories(
    reader: Reader,
    heard: Heard,
    *,
    verb: str,
    actor: str,
    now: datetime,
    indexer: Indexer,
    extractor: Extractor | None,
    ontology: Ontology,
) -> Draft:
    """The whole draft. A failing extractor costs what it would have found, never the episode, which then says so."""
    extraction, index = await asyncio.gather(
        extract(reader, heard.new, extractor, ontology=ontology, now=now), indexer.episode_entries(heard.new)
    )
    episodes = tuple(replace(e, degraded=extraction.degraded) if extraction.degraded else e for e in heard.new)
    by_id = {e.id: e for e in episodes}
    statements = [s for c in extraction.candidates if (s := from_candidate(c, by_id[c.episode])) is not None]
    statements = [replace(s, input=_input(s.episode)) for s in statements]
    ready = {
        e.text: v.vectors
        for e, v in zip(episodes, index, strict=True)
        if _is_one_part(v.vectors) and not (e.title or e.speaker)
    }
    vectors = {**ready, **await indexer.vectors_of([s.text for s in statements if s.text not in ready])}
    return Draft(
        verb=verb,
        actor=actor,
        at=now,
        cause="evidence.told",
        episodes=episodes,
        index=tuple(index),
        mentions=tuple(named_in(episodes, extraction.candidates)),
        statements=tuple(statements),
        notes=extraction.notes,
        vectors=vectors,
        existing=heard.existing,
        inputs=heard.inputs,
        rejected=heard.rejected,
        degraded=extraction.degraded,
    )


async def draft_raw(heard: Heard, *, actor: str, now: datetime) -> Draft:
    """A draft that keeps the episodes, findable by their words, and leaves the rest to a job.

    The job is written in the same transaction, so that what is accepted is done some time.
    """
    derive = Job(
        id=JobId(""),  # it gets one with the write
        kind=DERIVE,
        payload={"episodes": [e.id for e in heard.new]},
        created_at=now,
        updated_at=now,
        due_at=now,
    )
    return Draft(
        verb="remember",
        actor=actor,
        at=now,
        cause="evidence.told",
        episodes=heard.new,
        index=tuple(IndexEntry(kind=Kind.EPISODE, id=e.id, words=episode_words(e)) for e in heard.new),
        existing=heard.existing,
        inputs=heard.inputs,
        rejected=heard.rejected,
        jobs=(derive,) if heard.new else (),
    )


async def draft_derivation(
    reader: Reader, job: Job, *, actor: str, now: datetime, indexer: Indexer, extractor: Extractor, ontology: Ontology
) -> Draft:
    """What follows from episodes that were kept raw; the claimed job is done in the same transaction."""
    ids = [EpisodeId(id) for id in job.payload["episodes"]]
    stored = tuple(e for e in await reader.episodes(ids) if not e.archived)
    heard = Heard(new=stored, existing=(), rejected=())
    whole = await draft_memories(
        reader, heard, verb="derive", actor=actor, now=now, indexer=indexer, extractor=extractor, ontology=ontology
    )
    return replace(whole, episodes=(), stored=whole.episodes, claimed=job)


async def extract(
    reader: Reader, episodes: Sequence[Episode], extractor: Extractor | None, *, ontology: Ontology, now: datetime
) -> Extraction:
    """What the extractor finds, in a worker thread; nothing, and why, when it fails."""
    if extractor is None or not episodes:
        return Extraction(candidates=())
    known = StoredNames(reader, asyncio.get_running_loop(), ontology=ontology, now=now)
    told = [replace(e, text=without_own_blocks(e.text)) for e in episodes]
    threads = _PATIENT if isinstance(extractor, AssistedExtractor) else None
    try:
        with span("write.extract", episodes=len(told)) as opened:
            work = partial(extractor.extract, told, known=known)
            found = await asyncio.get_running_loop().run_in_executor(threads, work)
            opened.set(candidates=len(found.candidates))
            return found
    except MunimentError as error:
        return Extraction(candidates=(), degraded=(f"extraction: {error}",))


def _input(episode: EpisodeId | None) -> str:
    """Which input of the call an episode is by its draft id; the id itself where it was stored before."""
    id = episode or ""
    return f"episodes[{id.removeprefix(_DRAFT)}]" if id.startswith(_DRAFT) else id


def _thread(item: EpisodeIn) -> str:
    return item.thread or item.scope.session


def _episode(item: EpisodeIn, number: int, *, thread: str, position: int, now: datetime) -> Episode:
    speaker = item.speaker
    if not speaker and item.kind is EpisodeKind.MESSAGE:
        speaker = item.scope.user
    return Episode(
        id=EpisodeId(f"{_DRAFT}{number}"),
        text=item.text,
        kind=item.kind,
        occurred_at=item.occurred_at,
        recorded_at=min(item.recorded_at, now) if item.recorded_at else now,
        external_id=item.external_id,
        speaker=speaker,
        title=item.title,
        source=item.source,
        lang=item.lang or language_of(item.text),
        thread=thread,
        position=position,
        scope=item.scope,
        wall=item.wall,
        importance=item.importance,
        metadata=item.metadata,
        content_hash=digest(item.text),
    )


def _changed_text(number: int, item: EpisodeIn) -> Rejection:
    return Rejection(
        input=f"episodes[{number}]",
        code="conflict",
        detail=f"external_id {item.external_id!r} is there with another text; the kept one stands, nothing was changed",
    )


def _is_one_part(vectors: Mapping[str, object]) -> bool:
    return len(vectors) > 0 and all(getattr(rows, "shape", (0,))[0] == 1 for rows in vectors.values())
