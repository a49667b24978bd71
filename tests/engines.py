"""Whole engines for tests: the real one on a store, with a clock that the test moves."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any

from muniment.engine.bootstrap import Engine, open_engine
from muniment.engine.memory import Memory
from muniment.engine.settings import Settings
from muniment.graph_schema.records import Action, Change, Fact, Kind, Receipt
from tests.builders import NOW


class Hands:
    """A clock whose hands a test moves; each look moves it on by a millisecond, as time does."""

    def __init__(self, now: datetime = NOW) -> None:
        self.now = now

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=1)
        return self.now

    def forward(self, **by: float) -> None:
        self.now += timedelta(**by)


@asynccontextmanager
async def engine_on(url: str, clock: Hands | None = None) -> AsyncIterator[Engine]:
    """The engine with its real models on a store of the environment `test`."""
    engine = await open_engine(url, settings=Settings(environment="test"), clock=clock or Hands())
    try:
        yield engine
    finally:
        await engine.close()


@asynccontextmanager
async def memory_on(url: str, clock: Hands | None = None, tenant: str = "acme") -> AsyncIterator[Memory]:
    """One tenant's memory on a store."""
    async with engine_on(url, clock) as engine:
        yield engine.for_tenant(tenant, actor="tester")


def told(subject: str, relation: str, object: str, **more: Any) -> dict[str, Any]:
    """A fact as a caller gives it."""
    return {"subject": {"name": subject}, "relation": relation, "object": {"name": object}, **more}


def changes(receipt: Receipt, action: Action, kind: Kind = Kind.FACT) -> list[Change]:
    return [c for c in receipt.changes if c.action is action and c.kind is kind]


def made(receipt: Receipt, kind: Kind = Kind.FACT) -> str:
    """The id of the one memory of this kind that the write made."""
    (change,) = changes(receipt, Action.CREATED, kind)
    return change.id


async def objects(memory: Memory, **filters: Any) -> set[str]:
    """The names at the object's end of the facts that a list gives."""
    return {fact.object.name for fact in (await memory.facts(**filters)).items}


async def everything(memory: Memory) -> list[Mapping[str, object]]:
    """All facts of all times without what differs between two equal graphs: ids and record times."""
    rows: list[Fact] = []
    cursor = None
    while True:
        page = await memory.facts(include_superseded=True, include_archived=True, limit=200, cursor=cursor)
        rows.extend(page.items)
        cursor = page.next_cursor
        if cursor is None:
            break
    shown = [
        {
            "subject": f.subject.name,
            "relation": f.relation,
            "object": f.object.name,
            "valid_at": f.valid_at,
            "invalid_at": f.invalid_at,
            "closed_by": f.closed_by,
            "confidence": f.confidence,
        }
        for f in rows
    ]
    return sorted(shown, key=str)
