"""A memory for an agent: the real engine on an empty store, with the time as it is."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from muniment.engine.bootstrap import open_engine
from muniment.engine.memory import Memory
from muniment.engine.settings import Settings


@pytest.fixture
async def memory() -> AsyncIterator[Memory]:
    async with open_engine("sqlite://", settings=Settings(environment="test")) as engine:
        yield engine.for_tenant("acme", actor="agent")
