"""A fake language model over real HTTP, and engines that ask it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

from muniment.engine.bootstrap import Engine, open_engine
from muniment.engine.settings import Settings
from tests.chat_server import ChatServer, chat_server
from tests.engines import Hands

Assisted = Callable[..., AbstractAsyncContextManager[Engine]]


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chat_server() as running:
        yield running


@pytest.fixture
def assisted(server: ChatServer) -> Assisted:
    """`assisted(url, llm_tries=1)`: an engine whose settings name the fake server."""

    @asynccontextmanager
    async def opened(url: str = "sqlite://", clock: Hands | None = None, **settings: Any) -> AsyncIterator[Engine]:
        given = {"llm_url": server.url, "llm_model": "m1", "llm_tries": 1, **settings}
        engine = await open_engine(url, settings=Settings(environment="test", **given), clock=clock or Hands())
        try:
            yield engine
        finally:
            await engine.close()

    return opened
