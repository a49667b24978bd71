"""Calls to the service as a client makes them, and a tenant with something in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from starlette.testclient import TestClient

SKILL = {
    "memory_commands": [
        {"op": "create", "type": "skill", "content": "When an invoice is disputed: check the order, then call back."}
    ]
}
EPISODE = {
    "text": "Ana Ruiz moved to the Lyon office and prefers calls before noon.",
    "kind": "note",
    "occurred_at": "2026-03-05T09:00:00+01:00",
    "external_id": "note-1",
    "title": "Call with Ana Ruiz",
}
GLOBEX = {
    "subject": {"name": "Ana Ruiz", "type": "person"},
    "relation": "works_for",
    "object": {"name": "Globex", "type": "organisation"},
    "valid_at": "2025-01-01T00:00:00Z",
}
INITECH = {**GLOBEX, "object": {"name": "Initech", "type": "organisation"}, "valid_at": "2026-03-01T00:00:00Z"}


class Caller:
    """Somebody with a key."""

    def __init__(self, client: TestClient, key: str) -> None:
        self.client = client
        self.key = key

    def __call__(self, method: str, path: str, body: Any = None, **options: Any) -> Any:
        headers = {"Authorization": f"Bearer {self.key}", **options.pop("headers", {})}
        if body is not None:
            options["json"] = body
        return self.client.request(method, path, headers=headers, **options)

    def ok(self, method: str, path: str, body: Any = None, **options: Any) -> dict[str, Any]:
        """The body of an answer that must be a success."""
        response = self(method, path, body, **options)
        assert response.is_success, response.text
        answer: dict[str, Any] = response.json()
        return answer

    def every(self, path: str, **params: Any) -> Iterator[dict[str, Any]]:
        """All items of a list, page after page."""
        query = {"limit": 200, **params}
        while True:
            page = self.ok("GET", path, params=query)
            yield from page["items"]
            if page["next_cursor"] is None:
                return
            query["cursor"] = page["next_cursor"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeded:
    """Ids of what a seeded tenant holds."""

    episode: str
    fact: str  # Ana works for Initech, current
    old_fact: str  # Ana works for Globex, ended by the one above
    ana: str
    globex: str
    initech: str
    receipt: str
    skill: str
    trace: str


def seed(caller: Caller) -> Seeded:
    """Puts an episode, two facts of one slot and a skill into the caller's tenant."""
    episode = caller.ok("POST", "/v1/episodes", {"episodes": [EPISODE], "extract": "none"})["episodes"][0]["id"]
    caller.ok("POST", "/v1/facts", {"facts": [{**GLOBEX, "evidence": [episode]}]})
    receipt = caller.ok("POST", "/v1/facts", {"facts": [INITECH]})["id"]
    query = {"subject": "Ana Ruiz", "relation": "works_for", "include_superseded": True}
    facts = {f["object"]["name"]: f for f in caller.ok("GET", "/v1/facts", params=query)["items"]}
    skill = caller.ok("POST", "/v1/commands", SKILL)["changes"]
    return Seeded(
        episode=episode,
        fact=facts["Initech"]["id"],
        old_fact=facts["Globex"]["id"],
        ana=facts["Initech"]["subject"]["id"],
        globex=facts["Globex"]["object"]["id"],
        initech=facts["Initech"]["object"]["id"],
        receipt=receipt,
        skill=next(c["id"] for c in skill if c["kind"] == "skill"),
        trace=caller.ok("POST", "/v1/recall", {"query": "Where does Ana work?"})["trace_id"],
    )
