"""What belongs in every context block: pinned memories and standing constraints."""

from __future__ import annotations

from datetime import datetime

from muniment.engine.ports.store import DocumentQuery, FactQuery, Page, Reader
from muniment.graph_schema.ids import EpisodeId, FactId
from muniment.graph_schema.records import Episode, Fact, Kind, Scope, Status
from muniment.graph_schema.temporal import to_ms

PIN = "pin"
PINNED = "pinned"
UNPINNED = "unpinned"
_MOST = 200
_PAGES = 10  # of constraints that are looked through for those of the reader's scope


async def standing(reader: Reader, *, scope: Scope | None, as_of: datetime, known_at: datetime) -> list[Fact | Episode]:
    """Pinned memories and constraints that hold at `as_of` and that a reader of this scope may see: the oldest pin first,
    then the latest constraint, some hundred at most."""
    pins = await reader.documents(DocumentQuery(kind=PIN, status=PINNED, limit=_MOST))
    held_ids = [FactId(p.id) for p in pins if p.ref != Kind.EPISODE.value]
    told_ids = [EpisodeId(p.id) for p in pins if p.ref == Kind.EPISODE.value]
    facts = await reader.facts(held_ids, known_at=known_at) if held_ids else []
    episodes = await reader.episodes(told_ids) if told_ids else []
    constraints = await _constraints(reader, scope, as_of, known_at)
    held = {f.id: f for f in (*facts, *constraints) if f.status_at(as_of) is Status.CURRENT}
    told = [e for e in episodes if not e.archived and e.recorded_at <= known_at]
    seen: list[Fact | Episode] = [*held.values(), *told]
    return [m for m in seen if scope is None or may_see(scope, m.scope)]


async def _constraints(reader: Reader, scope: Scope | None, as_of: datetime, known_at: datetime) -> list[Fact]:
    query = FactQuery(kinds=frozenset({Kind.PREFERENCE}), as_of=as_of, known_at=known_at, standing=True)
    found: list[Fact] = []
    after: tuple[int, str] | None = None
    for _ in range(_PAGES):
        rows = await reader.list_facts(query, Page(limit=_MOST, after=after))
        found += [f for f in rows if scope is None or may_see(scope, f.scope)]
        if len(rows) < _MOST or len(found) >= _MOST:
            break
        after = (to_ms(rows[-1].created_at), rows[-1].id)
    return sorted(found[:_MOST], key=lambda f: (-to_ms(f.valid_at), f.text))


def may_see(reader: Scope, memory: Scope) -> bool:
    """The rule of scopes: each field of the memory's is empty or equals the reader's."""
    return (
        memory.user in ("", reader.user)
        and memory.agent in ("", reader.agent)
        and memory.session in ("", reader.session)
    )
