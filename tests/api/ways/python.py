"""The façade itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from muniment.api import shapes
from muniment.api.cli.parts import EXITS, WRONG
from muniment.engine.bootstrap import Engine
from muniment.engine.memory import Memory
from muniment.graph_schema.errors import MunimentError
from tests.api.ways.said import FactSaid, Json, Refused, body_of, moment


class OverPython:
    """The façade itself; its records are told in the contract's shapes."""

    def __init__(
        self,
        run: Callable[[Any], Any],
        opened: Callable[[], Engine],
        reopen: Callable[[], None],
        tenant: str,
        walls: Sequence[str],
    ) -> None:
        self._run, self._opened, self._tenant, self._walls = run, opened, tenant, walls
        self.reopen = reopen

    def _do(self, work: Callable[[Memory], Any]) -> Any:
        memory = self._opened().for_tenant(self._tenant, actor="tester", walls=self._walls)
        try:
            return self._run(work(memory))
        except MunimentError as error:
            raise Refused(EXITS.get(error.code, WRONG), str(error)) from error

    def _at_once(self, work: Callable[[Memory, Any], Any], given: Sequence[Any]) -> list[Any]:
        async def all_of(memory: Memory) -> list[Any]:
            return await asyncio.gather(*(work(memory, one) for one in given))

        return list(self._do(all_of))

    def tell(self, said: FactSaid) -> Json:
        return shapes.receipt(self._do(lambda m: m.assert_facts([body_of(said)])))

    def tell_all(self, said: Sequence[FactSaid]) -> None:
        self._do(lambda m: m.assert_facts([body_of(one) for one in said]))

    def tell_at_once(self, said: Sequence[FactSaid]) -> None:
        self._at_once(lambda m, one: m.assert_facts([body_of(one)]), said)

    def note(self, text: str, *, at: str, id: str) -> Json:
        told = {"text": text, "kind": "note", "occurred_at": moment(at), "external_id": id}
        return shapes.receipt(self._do(lambda m: m.remember([told])))

    def command(self, body: Mapping[str, Any]) -> Json:
        return shapes.receipt(self._do(lambda m: m.apply_commands(body)))

    def facts(self, **filters: Any) -> list[Json]:
        at = datetime.fromisoformat(filters["as_of"]) if "as_of" in filters else datetime.now(UTC)
        return [shapes.fact(one, at=at) for one in self._do(lambda m: m.facts(limit=200, **filters)).items]

    def fact(self, id: str) -> Json:
        return shapes.fact(self._do(lambda m: m.fact(id)), at=datetime.now(UTC))

    def history(self, id: str) -> Json:
        return shapes.history(self._do(lambda m: m.history(id)), at=datetime.now(UTC))

    def entities(self, q: str = "") -> list[Json]:
        return [shapes.entity_page(one) for one in self._do(lambda m: m.entities(q=q, limit=200)).items]

    def entity(self, id: str) -> Json:
        return shapes.entity_page(self._do(lambda m: m.entity(id)))

    def paths(self, a: str, b: str, **options: Any) -> list[Json]:
        return [shapes.path(one, at=datetime.now(UTC)) for one in self._do(lambda m: m.paths(a, b, **options))]

    def episode(self, id: str) -> Json:
        return shapes.episode(self._do(lambda m: m.episode(id)))

    def keep(self, body: Mapping[str, Any]) -> Json:
        return shapes.receipt(self._do(lambda m: m.remember([body], extract="none")))

    def retract(self, id: str) -> Json:
        return shapes.receipt(self._do(lambda m: m.retract(id)))

    def forget(self, id: str) -> Json:
        return shapes.receipt(self._do(lambda m: m.forget([id])))

    def reviews(self) -> list[Json]:
        return [shapes.review(one, at=datetime.now(UTC)) for one in self._do(lambda m: m.reviews()).items]

    def recall(self, query: str, **options: Any) -> list[Json]:
        hits: list[Json] = shapes.recall(self._do(lambda m: m.recall(query, **options)))["hits"]
        return hits

    def recall_at_once(self, query: str, limits: Sequence[int]) -> list[int]:
        found = self._at_once(lambda m, limit: m.recall(query, limit=limit), limits)
        return [len(one.recall.hits) for one in found]

    def block(self, query: str, **options: Any) -> str:
        return str(self.context(query, **options)["text"])

    def context(self, query: str, **options: Any) -> Json:
        return shapes.context(self._do(lambda m: m.context(query, **options)))

    def merge(self, ids: Sequence[str]) -> Json:
        return shapes.receipt(self._do(lambda m: m.merge(ids)))

    def purge(self, episode: str) -> Json:
        return shapes.certificate(self._do(lambda m: m.purge({"episode": episode})))

    def export(self) -> str:
        async def lines(memory: Memory) -> list[Any]:
            return [line async for line in memory.export()]

        return json.dumps(self._do(lines), ensure_ascii=False)

    def audit(self) -> list[Json]:
        return [shapes.audit_entry(one) for one in self._do(lambda m: m.audit()).items]
