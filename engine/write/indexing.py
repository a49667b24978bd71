"""How a memory is made findable: its index terms and its vectors."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Protocol

from muniment.engine.ingest.terms import index_terms
from muniment.engine.ingest.windows import windows
from muniment.engine.ports.models import Vector
from muniment.engine.ports.search import IndexEntry
from muniment.graph_schema.records import Episode, Fact, Kind


class TextEmbedders(Protocol):
    """The embedders in use; each text goes to the one of its language."""

    @property
    def fingerprints(self) -> tuple[str, ...]: ...

    def embed_parts(self, memories: Sequence[Sequence[str]]) -> list[dict[str, Vector]]:
        """For each memory, given as its parts, the (parts, dim) vectors by fingerprint."""
        ...


class Indexer:
    """Makes index entries. Embedding runs in a worker thread, so that the event loop stays free."""

    def __init__(self, embedders: TextEmbedders | None) -> None:
        self._embedders = embedders

    @property
    def fingerprints(self) -> tuple[str, ...]:
        """Of the embedders in use; none without one."""
        return self._embedders.fingerprints if self._embedders is not None else ()

    async def vectors_of(self, texts: Sequence[str]) -> dict[str, Mapping[str, Vector]]:
        """For each distinct text, taken as one part, its vectors by fingerprint; nothing without an embedder."""
        distinct = list(dict.fromkeys(text for text in texts if text.strip()))
        if self._embedders is None or not distinct:
            return {}
        made = await asyncio.to_thread(self._embedders.embed_parts, [[text] for text in distinct])
        return dict(zip(distinct, made, strict=True))

    async def episode_entries(self, episodes: Sequence[Episode]) -> list[IndexEntry]:
        """One entry an episode, in their order."""
        if not episodes:
            return []
        parts = [windows(e.text, title=e.title, speaker=e.speaker) for e in episodes]
        vectors: Sequence[Mapping[str, Vector]] = [{}] * len(episodes)
        if self._embedders is not None:
            vectors = await asyncio.to_thread(self._embedders.embed_parts, parts)
        return [
            IndexEntry(kind=Kind.EPISODE, id=episode.id, words=episode_words(episode), vectors=found)
            for episode, found in zip(episodes, vectors, strict=True)
        ]


def episode_words(episode: Episode) -> str:
    """The index terms of an episode: what it is about, who speaks, what is said."""
    return " ".join(index_terms(" ".join(filter(None, (episode.title, episode.speaker, episode.text)))))


def fact_words(fact: Fact) -> str:
    """The index terms of a held memory: its sentence, and the names of its ends where the sentence has other words."""
    told = fact.text.casefold()
    names = [ref.name for ref in (fact.subject, fact.object) if ref.name.casefold() not in told]
    relation = fact.relation.replace("_", " ") if fact.relation.replace("_", " ") not in told else ""
    return " ".join(index_terms(" ".join(filter(None, (*names, relation, fact.text)))))


def fact_entry(fact: Fact, vectors: Mapping[str, Vector]) -> IndexEntry:
    """The entry of a held memory whose sentence has these vectors."""
    return IndexEntry(kind=fact.kind, id=fact.id, words=fact_words(fact), vectors=vectors)
