"""The names a tenant has, for an extractor that runs in a worker thread."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime

from muniment.engine.extract.candidates import Candidate
from muniment.engine.ports.store import Reader
from muniment.engine.resolve.identity import Register
from muniment.engine.resolve.placing import meet_ends
from muniment.engine.resolve.statements import from_candidate
from muniment.engine.write.named_in import named_in
from muniment.graph_schema.ids import Space
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.records import VALUE_TYPE, Entity, Episode


class StoredNames:
    """Looks names up in the store, each once, and among those that the call itself has named so far.

    `lookup` blocks, so it must not be called on the event loop's thread. What the call names is settled as its write will
    settle it, but for names that only sound like one of the store's.
    """

    def __init__(self, reader: Reader, loop: asyncio.AbstractEventLoop, *, ontology: Ontology, now: datetime) -> None:
        self._reader = reader
        self._loop = loop
        self._ontology = ontology
        self._asked: set[str] = set()
        self._register = Register(ontology, space=Space(""), now=now)

    def lookup(self, keys: Sequence[str]) -> Mapping[str, tuple[tuple[str, str], ...]]:
        """For each folded spelling that is known: the (name, type) pairs it may mean; unknown ones are left out.

        What was only ever told as a value ("association football") is no name: where a text says something of it, it is a thing.
        """
        new = [key for key in dict.fromkeys(keys) if key not in self._asked]
        if new:
            found = asyncio.run_coroutine_threadsafe(self._ask(new), self._loop).result()
            self._asked.update(new)
            self._register.learn(entity for entities in found.values() for entity in entities)
        meant = {key: self._meanings(key) for key in keys}
        return {key: meanings for key, meanings in meant.items() if meanings}

    def learn(self, episode: Episode, candidates: Sequence[Candidate]) -> None:
        """Takes in what an episode of this call names, so that those behind it are read as if it were stored already."""
        statements = [s for c in candidates if (s := from_candidate(c, episode)) is not None]
        self._register.next_telling()
        meet_ends(statements, self._register, self._ontology)
        for mention in named_in([episode], candidates):
            self._register.find(mention.named, wall=episode.wall)

    def _meanings(self, key: str) -> tuple[tuple[str, str], ...]:
        return tuple((entity.name, entity.type) for entity in self._register.known_by(key) if entity.type != VALUE_TYPE)

    async def _ask(self, keys: Sequence[str]) -> Mapping[str, tuple[Entity, ...]]:
        return await self._reader.entities_by_alias(keys)
