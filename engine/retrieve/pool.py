"""The memories under consideration for one question, fetched in few calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from muniment.engine.ports.models import Vector
from muniment.engine.ports.search import Found, ReadFilter, SearchRequest
from muniment.engine.ports.store import Reader
from muniment.graph_schema.ids import EpisodeId
from muniment.graph_schema.records import Episode, Fact, Kind, Summary

Key = tuple[Kind, str]


class Pool:
    """What channels have found so far, each memory once with its raw features; more can be asked for by id."""

    def __init__(
        self,
        reader: Reader,
        filter: ReadFilter,
        *,
        vectors: Mapping[str, Vector],
        weights: Mapping[str, float],
        limit: int,
        hidden: int = 0,
    ) -> None:
        """`limit` and `hidden` as in a `SearchRequest`."""
        self._reader = reader
        self._filter = filter
        self._vectors = dict(vectors)
        self._weights = dict(weights)
        self._limit = limit
        self._most_hidden = hidden
        self.hidden: list[Found] = []
        self._missing: set[Key] = set()
        self.found: dict[Key, Found] = {}
        self._episodes: dict[EpisodeId, Episode] = {}
        self._facts: list[Fact] = []

    async def search(self, wanted: Iterable[Key] = ()) -> None:
        """Asks the word and vector channels, and for the wanted memories besides."""
        await self._ask(frozenset(wanted), terms=tuple(self._weights), vectors=self._vectors, limit=self._limit)

    async def search_words(self, terms: Sequence[str], *, limit: int) -> None:
        """Asks the word channel for other words than the question's, each as rare as the other."""
        known = dict.fromkeys(terms, 1.0)
        await self._ask(frozenset(), terms=tuple(known), vectors={}, limit=limit, rarity=known)

    async def want(self, keys: Iterable[Key]) -> None:
        """Fetches the features of these memories where they are not here yet; what the filter hides stays out."""
        new = frozenset(key for key in keys if key not in self.found and key not in self._missing)
        if new:
            await self._ask(new, terms=(), vectors=self._vectors, limit=0)
            self._missing |= {key for key in new if key not in self.found}

    async def want_episodes(self, ids: Iterable[EpisodeId]) -> None:
        """The same for episodes by id."""
        await self.want((Kind.EPISODE, id) for id in ids)

    def episodes(self) -> Mapping[EpisodeId, Episode]:
        """The episodes here, by id."""
        return self._episodes

    def facts(self) -> Sequence[Fact]:
        """The held memories here."""
        return self._facts

    def new_since(self, count: int) -> list[tuple[Key, Found]]:
        """What came in after the first `count`, in order of coming."""
        return list(islice(self.found.items(), count, None))

    async def _ask(
        self,
        wanted: frozenset[Key],
        *,
        terms: tuple[str, ...],
        vectors: Mapping[str, Vector],
        limit: int,
        rarity: Mapping[str, float] | None = None,
    ) -> None:
        idf = rarity or self._weights
        request = SearchRequest(
            filter=self._filter,
            vectors=vectors,
            terms=terms,
            idf={term: idf[term] for term in terms},
            limit=limit,
            wanted=wanted,
            hidden=self._most_hidden if limit and rarity is None else 0,
        )
        for found in await self._reader.search(request):
            if found.hidden:
                self.hidden.append(found)
                continue
            key = key_of(found)
            if key in self.found:
                continue
            self.found[key] = found
            if isinstance(found.memory, Episode):
                self._episodes[found.memory.id] = found.memory
            elif isinstance(found.memory, Fact):
                self._facts.append(found.memory)


def key_of(found: Found) -> Key:
    """The kind and id of what was found."""
    memory = found.memory
    if isinstance(memory, Episode):
        return Kind.EPISODE, memory.id
    if isinstance(memory, Summary):
        return Kind.SUMMARY, memory.id
    return memory.kind, memory.id
