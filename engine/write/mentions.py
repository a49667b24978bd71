"""Mentions as a write moves them: from a merged entity to the one that stands for it, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from muniment.engine.ports.search import ReadFilter
from muniment.engine.ports.store import Reader
from muniment.graph_schema.ids import EntityId
from muniment.graph_schema.records import Mention
from muniment.graph_schema.temporal import Clocks

_ALWAYS = datetime(9999, 1, 1, tzinfo=UTC)
_EVERYTHING = ReadFilter(
    clocks=Clocks(as_of=_ALWAYS, known_at=_ALWAYS), scope=None, include_superseded=True, include_archived=True
)
_ALL = 1_000_000


async def all_mentions(reader: Reader, ids: Sequence[EntityId]) -> Mapping[EntityId, list[Mention]]:
    """Every mention of each entity, in archived episodes and of every scope too."""
    found: dict[EntityId, list[Mention]] = {id: [] for id in ids}
    for mention in (await reader.mentions_of_entities(list(ids), _EVERYTHING, per_entity=_ALL)).mentions:
        found[mention.entity].append(mention)
    return found


def renamed(mentions: Iterable[Mention], to: EntityId) -> tuple[Mention, ...]:
    """The same mentions of another entity, each once."""
    return tuple(dict.fromkeys(replace(mention, entity=to) for mention in mentions))
