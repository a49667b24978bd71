"""A memory for an agent: the real engine on an empty store, with the time as it is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

import muniment
from muniment.engine.bootstrap import open_engine
from muniment.engine.memory import Memory
from muniment.engine.settings import Settings
from muniment.engine.sync import SyncMemory

SETTINGS = Settings(environment="test")


@pytest.fixture
async def memory() -> AsyncIterator[Memory]:
    async with open_engine("sqlite://", settings=SETTINGS) as engine:
        yield engine.for_tenant("acme", actor="agent")


@pytest.fixture
def plain_memory() -> Iterator[SyncMemory]:
    """The same for code without `await`."""
    with muniment.open("sqlite://", settings=SETTINGS) as engine:
        yield engine.for_tenant("acme", actor="agent")
