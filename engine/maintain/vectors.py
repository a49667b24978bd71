"""Makes vectors anew that are of another model than the one in use, or that were never made.

After a change of the model, recall goes by words and graph until this was run. Some memories at a time, each in a
transaction with the statistics that belong to it: it may be stopped and started again, and goes on where it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeVar

from muniment.engine.ports.search import IndexEntry
from muniment.engine.ports.store import TenantStore, Unit
from muniment.engine.retrieve.statistics import Indexed, group_of
from muniment.engine.write.erase.scan import all_episodes, all_jobs
from muniment.engine.write.indexing import Indexer, fact_entry
from muniment.engine.write.ledger import add_statistics
from muniment.engine.write.remember import DERIVE
from muniment.engine.write.units import in_unit
from muniment.graph_schema.records import Episode, Fact, JobState, Kind

_AT_A_TIME: Final = 100

Key = tuple[Kind, str]
Memory = TypeVar("Memory", Episode, Fact)


@dataclass(frozen=True, slots=True, kw_only=True)
class Revectored:
    """How many memories got new vectors, or with a dry run would; `waiting` those for which there is no embedder."""

    count: int = 0
    waiting: int = 0

    def __add__(self, other: Revectored) -> Revectored:
        return Revectored(count=self.count + other.count, waiting=self.waiting + other.waiting)


async def renew_vectors(store: TenantStore, indexer: Indexer, *, at: datetime, dry_run: bool = False) -> Revectored:
    """Renews the vectors of a tenant's episodes and held memories, archived ones too. Raises what the embedder raises."""
    total, waiting = Revectored(), await _to_be_derived(store)
    work = _Renewal(store=store, indexer=indexer, at=at, dry_run=dry_run)
    async for episodes in all_episodes(store):
        for some in _some([episode for episode in episodes if episode.id not in waiting]):
            total += await work.episodes(some)
    async for versions in store.all_facts():
        held = [fact for fact in versions if fact.expired_at is None and not fact.rejected]
        for few in _some(held):
            total += await work.facts(few)
    return total


async def _to_be_derived(store: TenantStore) -> set[str]:
    """Episodes kept raw whose job is still to make their vectors; it reckons with an entry that has none."""
    found: set[str] = set()
    async for jobs in all_jobs(store):
        for job in jobs:
            if job.kind == DERIVE and job.state is not JobState.DONE:
                found.update(map(str, job.payload.get("episodes", ())))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Renewal:
    store: TenantStore
    indexer: Indexer
    at: datetime
    dry_run: bool

    async def episodes(self, episodes: Sequence[Episode]) -> Revectored:
        keys: dict[Key, tuple[str, str]] = {(Kind.EPISODE, e.id): (group_of(e), e.wall) for e in episodes}
        stale = await self._stale(keys)
        if self._is_only_counted(stale):
            return self._counted(stale)
        wanted = [episode for episode in episodes if (Kind.EPISODE, episode.id) in stale]
        return await self._put(keys, stale, await self.indexer.episode_entries(wanted))

    async def facts(self, facts: Sequence[Fact]) -> Revectored:
        keys: dict[Key, tuple[str, str]] = {(f.kind, f.id): (str(f.kind), f.wall) for f in facts}
        stale = await self._stale(keys)
        if self._is_only_counted(stale):
            return self._counted(stale)
        wanted = [fact for fact in facts if (fact.kind, fact.id) in stale]
        vectors = await self.indexer.vectors_of([fact.text for fact in wanted])
        return await self._put(keys, stale, [fact_entry(fact, vectors.get(fact.text, {})) for fact in wanted])

    def _is_only_counted(self, stale: Mapping[Key, IndexEntry]) -> bool:
        return not stale or self.dry_run or not self.indexer.fingerprints

    def _counted(self, stale: Mapping[Key, IndexEntry]) -> Revectored:
        if self.indexer.fingerprints:
            return Revectored(count=len(stale))
        return Revectored(waiting=sum(1 for entry in stale.values() if entry.vectors))

    async def _stale(self, keys: Mapping[Key, tuple[str, str]]) -> dict[Key, IndexEntry]:
        """The entries among these whose vectors are of another model, or missing."""
        current = set(self.indexer.fingerprints)
        entries = await self.store.index_entries(list(keys))
        return {(e.kind, e.id): e for e in entries if not e.vectors or not set(e.vectors) <= current}

    async def _put(
        self,
        keys: Mapping[Key, tuple[str, str]],
        stale: Mapping[Key, IndexEntry],
        made: Sequence[IndexEntry],
    ) -> Revectored:
        """Writes the new entries of those that are still as they were seen; a memory erased or changed meanwhile is left."""
        better = {(e.kind, e.id): e for e in made if set(e.vectors) != set(stale[(e.kind, e.id)].vectors)}
        if not better:
            return Revectored()

        async def work(unit: Unit) -> int:
            there = {(e.kind, e.id): e for e in await unit.index_entries(list(better))}
            same = [k for k, e in there.items() if (e.words, set(e.vectors)) == _seen(stale[k])]
            await unit.put_index([better[k] for k in same])
            await add_statistics(
                unit,
                added=[Indexed(entry=better[k], group=keys[k][0], wall=keys[k][1]) for k in same],
                removed=[Indexed(entry=there[k], group=keys[k][0], wall=keys[k][1]) for k in same],
                at=self.at,
            )
            return len(same)

        return Revectored(count=await in_unit(self.store, work))


def _seen(entry: IndexEntry) -> tuple[str, set[str]]:
    return entry.words, set(entry.vectors)


def _some(items: Sequence[Memory]) -> list[Sequence[Memory]]:
    return [items[n : n + _AT_A_TIME] for n in range(0, len(items), _AT_A_TIME)]
