"""The tools for agents."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from mcp import Client

from muniment.api.auth import caller_of
from muniment.api.cli.parts import EXITS, WRONG
from muniment.api.mcp.server import Visit, memory_server
from muniment.api.service import Service
from muniment.engine.bootstrap import Engine
from muniment.engine.keys import ApiKey, Role
from muniment.graph_schema.ids import KeyId
from tests.api.ways.said import FactSaid, Json, Refused, body_of, moment


class OverMcp:
    """The tools for agents, over the protocol's own client; they have a part of the verbs.

    One connection serves an agent from its first call until `leave`.
    """

    def __init__(
        self, run: Callable[[Any], Any], opened: Callable[[], Engine], tenant: str, walls: Sequence[str] = ()
    ) -> None:
        self._run, self._opened = run, opened
        key = ApiKey(
            id=KeyId("agent"), tenant=tenant, role=Role.CURATOR, walls=frozenset(walls), created_at=datetime.now(UTC)
        )
        self._caller = caller_of(key)
        self._service: Service | None = None
        self._client: Client | None = None
        self._left = asyncio.Event()
        self._connection: asyncio.Task[None] | None = None

    def use(self, tool: str, **arguments: Any) -> Json:
        """What a tool answers."""
        (answer,) = self.use_at_once((tool, arguments))
        return answer

    def use_at_once(self, *calls: tuple[str, Json]) -> list[Json]:
        """What tools answer that are called at the same time, in the order given."""
        engine = self._opened()
        if self._service is None or self._service.engine is not engine:
            self._service = Service(engine)
        return [_answer(result) for result in self._run(self._called(calls))]

    def leave(self) -> None:
        """Ends the connection."""
        if self._connection is not None:
            self._left.set()
            self._run(asyncio.wait_for(self._connection, None))

    async def _called(self, calls: Sequence[tuple[str, Json]]) -> list[Any]:
        if self._client is None:
            ready = asyncio.Event()
            self._connection = asyncio.create_task(self._connect(ready))
            await ready.wait()
        client = self._client
        assert client is not None
        return await asyncio.gather(*(client.call_tool(tool, arguments) for tool, arguments in calls))

    async def _connect(self, ready: asyncio.Event) -> None:
        """Keeps the connection open; what opens it must close it, in one task."""
        try:
            async with Client(memory_server(self._receive)) as self._client:
                ready.set()
                await self._left.wait()
        finally:
            ready.set()
            self._client = None

    async def _receive(self, context: Any) -> Visit:
        assert self._service is not None
        return Visit(service=self._service, caller=self._caller, request_id="r")

    def tell(self, said: FactSaid) -> Json:
        return self.use("assert", facts=[body_of(said)])

    def tell_all(self, said: Sequence[FactSaid]) -> None:
        self.use("assert", facts=[body_of(one) for one in said])

    def note(self, text: str, *, at: str, id: str) -> Json:
        told = {"text": text, "kind": "note", "occurred_at": moment(at), "external_id": id}
        return self.use("remember", episodes=[told])

    def keep(self, body: Mapping[str, Any]) -> Json:
        return self.use("remember", episodes=[dict(body)], extract="none")

    def facts(self, **filters: Any) -> list[Json]:
        return list(self.use("facts", limit=200, **filters)["items"])

    def fact(self, id: str) -> Json:
        """No tool shows one fact: its history holds it."""
        return dict(self.history(id)["fact"])

    def history(self, id: str) -> Json:
        return self.use("history", id=id)

    def entities(self, q: str = "") -> list[Json]:
        return list(self.use("entities", q=q, limit=200)["items"])

    def paths(self, a: str, b: str, **options: Any) -> list[Json]:
        return list(self.use("paths", a=a, b=b, **options)["items"])

    def episode(self, id: str) -> Json:
        return self.use("episode", id=id)

    def recall(self, query: str, **options: Any) -> list[Json]:
        return list(self.use("recall", query=query, **options)["hits"])

    def recall_at_once(self, query: str, limits: Sequence[int]) -> list[int]:
        answers = self.use_at_once(*(("recall", {"query": query, "limit": limit}) for limit in limits))
        return [len(one["hits"]) for one in answers]

    def tell_at_once(self, said: Sequence[FactSaid]) -> None:
        self.use_at_once(*(("assert", {"facts": [body_of(one)]}) for one in said))

    def context(self, query: str, **options: Any) -> Json:
        return self.use("context", query=query, **options)

    def block(self, query: str, **options: Any) -> str:
        return str(self.context(query, **options)["text"])

    def retract(self, id: str) -> Json:
        return self.use("retract", id=id)


def _answer(result: Any) -> Json:
    answer: Json = result.structured_content
    if result.is_error:
        raise Refused(EXITS.get(answer["code"], WRONG), answer["detail"])
    return answer
