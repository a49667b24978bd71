"""The service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from muniment.api.cli.parts import EXITS, WRONG
from tests.api.calling import Caller
from tests.api.ways.said import FactSaid, Json, Refused, body_of, moment


class OverHttp:
    """The service, called with an administrator's key."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def _ask(self, method: str, path: str, body: Any = None, **params: Any) -> Any:
        answer = self._caller(method, f"/v1{path}", body, params=params or None)
        if answer.is_success:
            return answer.json()
        problem = answer.json()
        raise Refused(EXITS.get(problem["code"], WRONG), problem["detail"])

    def tell(self, said: FactSaid) -> Json:
        return dict(self._ask("POST", "/facts", {"facts": [body_of(said)]}))

    def tell_all(self, said: Sequence[FactSaid]) -> None:
        self._ask("POST", "/facts", {"facts": [body_of(one) for one in said]})

    def tell_at_once(self, said: Sequence[FactSaid]) -> None:
        with ThreadPoolExecutor(len(said)) as pool:
            list(pool.map(self.tell, said))

    def note(self, text: str, *, at: str, id: str) -> Json:
        told = {"text": text, "kind": "note", "occurred_at": moment(at), "external_id": id}
        return dict(self._ask("POST", "/episodes", {"episodes": [told]}))

    def command(self, body: Mapping[str, Any]) -> Json:
        return dict(self._ask("POST", "/commands", body))

    def facts(self, **filters: Any) -> list[Json]:
        return list(self._ask("GET", "/facts", limit=200, **filters)["items"])

    def fact(self, id: str) -> Json:
        return dict(self._ask("GET", f"/facts/{id}"))

    def history(self, id: str) -> Json:
        return dict(self._ask("GET", f"/facts/{id}/history"))

    def entities(self, q: str = "") -> list[Json]:
        return list(self._ask("GET", "/entities", q=q, limit=200)["items"])

    def entity(self, id: str) -> Json:
        return dict(self._ask("GET", f"/entities/{id}"))

    def paths(self, a: str, b: str, **options: Any) -> list[Json]:
        return list(self._ask("GET", "/graph/paths", a=a, b=b, **options)["items"])

    def episode(self, id: str) -> Json:
        return dict(self._ask("GET", f"/episodes/{id}"))

    def keep(self, body: Mapping[str, Any]) -> Json:
        return dict(self._ask("POST", "/episodes", {"episodes": [body], "extract": "none"}))

    def retract(self, id: str) -> Json:
        kind = "episodes" if id.startswith("e_") else "facts"
        return dict(self._ask("POST", f"/{kind}/{id}/retract"))

    def forget(self, id: str) -> Json:
        return dict(self._ask("POST", "/forget", {"ids": [id]}))

    def reviews(self) -> list[Json]:
        return list(self._ask("GET", "/reviews")["items"])

    def recall(self, query: str, **options: Any) -> list[Json]:
        return list(self._ask("POST", "/recall", {"query": query, **options})["hits"])

    def recall_at_once(self, query: str, limits: Sequence[int]) -> list[int]:
        with ThreadPoolExecutor(len(limits)) as pool:
            return [len(hits) for hits in pool.map(lambda limit: self.recall(query, limit=limit), limits)]

    def block(self, query: str, **options: Any) -> str:
        return str(self.context(query, **options)["text"])

    def context(self, query: str, **options: Any) -> Json:
        return dict(self._ask("POST", "/context", {"query": query, **options}))

    def merge(self, ids: Sequence[str]) -> Json:
        return dict(self._ask("POST", "/merges", {"ids": list(ids)}))

    def purge(self, episode: str) -> Json:
        return dict(self._ask("POST", "/purge", {"scope": {"episode": episode}}))

    def export(self) -> str:
        answer = self._caller("GET", "/v1/export")
        assert answer.is_success, answer.text
        return str(answer.text)

    def audit(self) -> list[Json]:
        return list(self._ask("GET", "/audit")["items"])

    def reopen(self) -> None:
        """The service stays up."""
