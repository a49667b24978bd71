"""Lists over HTTP on every store: pages that no write shifts, cursors of their own list only, filters inside the store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest

from tests.api.calling import EPISODE, GLOBEX, INITECH, Caller
from tests.api.running import Running, serving


@pytest.fixture
def service(store_url: str) -> Iterator[Running]:
    with serving(store_url, webhooks=True) as running:
        yield running


def paged(caller: Caller, path: str, between: Callable[[], Any], **params: Any) -> list[dict[str, Any]]:
    """The whole list in pages of one, with a write between the first two."""
    found: list[dict[str, Any]] = []
    query = {**params, "limit": 1}
    while True:
        page = caller.ok("GET", path, params=query)
        assert len(page["items"]) == 1
        found += page["items"]
        if page["next_cursor"] is None:
            return found
        query["cursor"] = page["next_cursor"]
        if len(found) == 1:
            between()


def test_lists_of_the_administration_come_in_pages_that_writes_do_not_shift(service: Running) -> None:
    name = f"t-{uuid4().hex[:8]}"
    admin, operator = service.caller(name), service.caller("", "operator")
    notes = [{**EPISODE, "external_id": f"n-{n}"} for n in range(3)]
    ids = [e["id"] for e in admin.ok("POST", "/v1/episodes", {"episodes": notes, "extract": "none"})["episodes"]]

    def hold(user: str) -> str:
        return str(admin.ok("POST", "/v1/holds", {"scope": {"user": user}, "reason": "a claim"})["id"])

    def purge(id: str) -> str:
        return str(admin.ok("POST", "/v1/purge", {"scope": {"episode": id}})["id"])

    def key(_: str) -> str:
        return str(admin.ok("POST", "/v1/keys", {"role": "reader"})["id"])

    def hook(word: str) -> str:
        return str(admin.ok("POST", "/v1/webhooks", {"url": f"https://crm.example/{word}"})["id"])

    cases: list[tuple[str, Callable[[str], str], list[str]]] = [
        ("/v1/certificates", purge, ids),
        ("/v1/keys", key, ["a", "b", "c"]),
        ("/v1/webhooks", hook, ["a", "b", "c"]),
        ("/v1/holds", hold, ["a", "b", "c"]),
    ]
    cursors: dict[str, str] = {}
    for path, make, words in cases:
        there = len(admin.ok("GET", path)["items"])  # the admin's own key
        made = [make(word) for word in words[:2]]
        cursors[path] = admin.ok("GET", path, params={"limit": 1})["next_cursor"]
        late: list[str] = []
        found = paged(admin, path, lambda late=late, make=make, words=words: late.append(make(words[2])))  # type: ignore[misc]
        assert [row["id"] for row in found][there:] == [*made, *late]
    others = {f"{name}-{word}" for word in "abc"}
    for other in others:
        operator.ok("POST", "/v1/tenants", {"name": other})
    listed = [
        t["name"] for t in paged(operator, "/v1/tenants", lambda: operator.ok("POST", "/v1/tenants", {"name": "0"}))
    ]
    assert listed == sorted(listed)
    assert others <= set(listed)
    assert "0" not in listed, "it comes before the page that was given already"
    admin.ok("POST", "/v1/facts", {"facts": [GLOBEX, INITECH]})
    for path in ("/v1/audit", "/v1/facts"):
        params = {"limit": 1, "include_superseded": True} if path == "/v1/facts" else {"limit": 1}
        cursors[path] = admin.ok("GET", path, params=params)["next_cursor"]
    asked = [*cursors, "/v1/reviews", "/v1/jobs", "/v1/model-use", "/v1/episodes", "/v1/entities"]
    for path in asked:
        for origin, cursor in cursors.items():
            if origin != path:
                answer = admin("GET", path, params={"cursor": cursor})
                assert (answer.status_code, answer.json().get("code")) == (422, "invalid"), (path, origin)
    for path, other_filter in (
        ("/v1/audit", {"outcome": "done"}),
        ("/v1/facts", {"q": "Ana"}),
        ("/v1/holds", {"include_released": True}),
    ):
        answer = admin("GET", path, params={"cursor": cursors[path], **other_filter})
        assert answer.status_code == 422, path


def test_filters_of_lists_are_applied_inside_the_store(service: Running) -> None:
    name = f"t-{uuid4().hex[:8]}"
    acme, walled = service.caller(name), service.caller(name, "admin", "m1")
    age = {
        "subject": {"name": "Ana Ruiz", "type": "person"},
        "relation": "age",
        "object": {"value": "41"},
        "scope": {"user": "u1"},
    }
    plant = {
        "subject": {"name": "Vat 9", "type": "product"},
        "relation": "color",
        "object": {"value": "red"},
        "scope": {"user": "u2"},
    }
    acme.ok(
        "POST",
        "/v1/facts",
        {"facts": [INITECH, age, plant, {**plant, "subject": {"name": "Run 8"}, "scope": {"session": "s"}}]},
    )
    walled.ok(
        "POST",
        "/v1/facts",
        {
            "facts": [
                {**plant, "subject": {"name": "Secret Vat", "type": "product"}, "scope": {"user": "u1"}, "wall": "m1"}
            ]
        },
    )
    early = {
        **EPISODE,
        "external_id": "old",
        "occurred_at": "2026-01-05T09:00:00Z",
        "text": "Petra Lind called.",
        "scope": {"user": "u3"},
    }
    acme.ok("POST", "/v1/episodes", {"episodes": [early, EPISODE]})
    acme.ok("POST", "/v1/episodes", {"episodes": [{**EPISODE, "external_id": "later"}], "mode": "async"})

    def names(path: str, caller: Caller = acme, **params: Any) -> set[str]:
        rows = caller.ok("GET", path, params={"limit": 200, **params})["items"]
        return {row["name"] if "name" in row else row["subject"]["name"] for row in rows}

    assert names("/v1/facts", type="product") == {"Vat 9"}
    assert names("/v1/facts", type="organisation") == {"Ana Ruiz"}
    assert names("/v1/facts", caller=walled, type="product") == {"Vat 9", "Secret Vat"}
    assert names("/v1/preferences", type="product") == set()
    assert names("/v1/entities", user="u2") == {"Vat 9"}
    assert names("/v1/entities", session="s") == {"Run 8"}
    assert "Ana Ruiz" in names("/v1/entities", user="u1")
    assert "Secret Vat" not in names("/v1/entities", user="u1")
    assert "Secret Vat" in names("/v1/entities", caller=walled, user="u1")
    assert "Petra Lind" in names("/v1/entities", user="u3", include_archived=True)
    assert names("/v1/entities", user="u1", session="s") == set()
    old = acme.ok("GET", "/v1/episodes", params={"as_of": "2026-02-01T00:00:00Z", "limit": 1})
    assert [e["external_id"] for e in old["items"]] == ["old"]
    assert old["next_cursor"] is None
    assert [job["kind"] for job in acme.ok("GET", "/v1/jobs", params={"kind": "derive"})["items"]] == ["derive"]
    assert acme.ok("GET", "/v1/jobs", params={"kind": "revector", "status": "queued"})["items"] == []
    twice = [{**GLOBEX, "valid_at": "2026-03-01T00:00:00Z"}]
    acme.ok("POST", "/v1/facts", {"facts": twice})
    (review,) = acme.ok("GET", "/v1/reviews")["items"]
    assert [r["id"] for r in acme.ok("GET", "/v1/reviews", params={"kind": review["kind"]})["items"]] == [review["id"]]
    assert acme.ok("GET", "/v1/reviews", params={"kind": "another"})["items"] == []
    assert {r["verb"] for r in acme.ok("GET", "/v1/audit", params={"verb": "assert_facts"})["items"]} == {
        "assert_facts"
    }
