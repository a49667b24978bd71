"""The client of a server without `await`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from muniment.api.client.client import DEFAULT_TIMEOUT_S, AsyncClient
from muniment.engine.loop_thread import LoopThread
from muniment.engine.sync import SyncMemory

if TYPE_CHECKING:
    from muniment.api.client.transport import RetryPolicy
    from muniment.engine.assemble.trim import Trimmed


class Client(SyncMemory):
    """`AsyncClient` for plain code: the same verbs and records. A context manager; threads may share it."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        tenant: str = "",
        timeout_s: float = DEFAULT_TIMEOUT_S,
        retry: RetryPolicy | None = None,
    ) -> None:
        self._client = AsyncClient(url, key, tenant=tenant, timeout_s=timeout_s, retry=retry)
        super().__init__(self._client, LoopThread(name="muniment-client"))

    def __repr__(self) -> str:
        return repr(self._client).replace("AsyncClient", "Client", 1)

    def trim(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        soft: int,
        hard: int,
        on_overflow: str = "raise",
        keep_last: int = 4,
    ) -> Trimmed:
        """Chat history cut to a budget by the server."""
        return self._loop.run(
            self._client.trim(messages, soft=soft, hard=hard, on_overflow=on_overflow, keep_last=keep_last)
        )

    def close(self) -> None:
        """Ends the connections, once the calls under way are over. Closing again changes nothing."""
        if not self._loop.is_closed:
            self._loop.close(self._client.close())

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
