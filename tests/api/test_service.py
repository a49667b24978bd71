"""What every answer has: ids, headers, tags, kept answers; and what everybody may ask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.api.calling import EPISODE, INITECH, Caller, Seeded
from tests.api.running import Running, serving

Check = Callable[[Any, int, str], dict[str, Any]]


def test_a_request_id_comes_back_and_reaches_the_audit_log(admin: Caller) -> None:
    response = admin("GET", "/v1/facts", headers={"X-Request-Id": "call-7", "X-Muniment-Tenant": "globex"})
    assert response.headers["x-request-id"] == "call-7"
    assert admin.ok("GET", "/v1/audit")["items"][0]["detail"]["request_id"] == "call-7"


@pytest.mark.parametrize("given", ["", "a b", "x" * 200, "ü", "<script>"])
def test_a_request_id_that_is_no_plain_one_is_replaced(admin: Caller, given: str) -> None:
    response = admin("GET", "/v1/facts", headers={"X-Request-Id": given.encode()})
    assert response.headers["x-request-id"].startswith("req_")


@pytest.mark.parametrize("path", ["/healthz", "/v1/facts", "/nothing"])
def test_every_answer_has_the_security_headers(running: Running, path: str) -> None:
    headers = running.client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "access-control-allow-origin" not in headers


def test_a_read_that_has_not_changed_is_answered_without_a_body(admin: Caller, seeded: Seeded) -> None:
    first = admin("GET", f"/v1/facts/{seeded.fact}")
    again = admin("GET", f"/v1/facts/{seeded.fact}", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    admin.ok("POST", f"/v1/facts/{seeded.fact}/pin")
    assert admin("GET", f"/v1/facts/{seeded.fact}", headers={"If-None-Match": first.headers["etag"]}).status_code == 200


def test_a_long_answer_is_compressed_for_who_takes_it(admin: Caller) -> None:
    response = admin("GET", "/v1/ontology", headers={"Accept-Encoding": "gzip"})
    assert response.headers["content-encoding"] == "gzip"
    assert response.json()["relations"]


def test_a_repeated_write_is_done_once(admin: Caller) -> None:
    body = {"episodes": [{**EPISODE, "external_id": None}]}
    first = admin("POST", "/v1/episodes", body, headers={"Idempotency-Key": "k1"})
    again = admin("POST", "/v1/episodes", body, headers={"Idempotency-Key": "k1"})
    assert (again.status_code, again.json()) == (first.status_code, first.json())
    assert again.headers["idempotency-replayed"] == "true"
    assert len(admin.ok("GET", "/v1/episodes")["items"]) == 1


def test_an_idempotency_key_with_another_body_is_a_conflict(admin: Caller, problem: Check) -> None:
    admin.ok("POST", "/v1/facts", {"facts": [INITECH]}, headers={"Idempotency-Key": "k1"})
    other = {"facts": [{**INITECH, "confidence": 0.5}]}
    problem(admin("POST", "/v1/facts", other, headers={"Idempotency-Key": "k1"}), 409, "conflict")


def test_a_failed_write_may_be_tried_again_under_its_key(admin: Caller, problem: Check) -> None:
    problem(admin("POST", "/v1/facts", {"facts": []}, headers={"Idempotency-Key": "k1"}), 422, "invalid")
    admin.ok("POST", "/v1/facts", {"facts": [INITECH]}, headers={"Idempotency-Key": "k1"})


def test_an_idempotency_key_is_the_callers_own(admin: Caller, running: Running) -> None:
    other = running.caller("somebody-else")
    first = admin.ok("POST", "/v1/facts", {"facts": [INITECH]}, headers={"Idempotency-Key": "k1"})
    second = other.ok("POST", "/v1/facts", {"facts": [INITECH]}, headers={"Idempotency-Key": "k1"})
    assert first["actor"] != second["actor"]
    assert other.ok("GET", "/v1/facts")["items"]


@pytest.mark.parametrize("key", ["", "x" * 256])
def test_an_idempotency_key_has_a_length(admin: Caller, problem: Check, key: str) -> None:
    problem(admin("POST", "/v1/facts", {"facts": [INITECH]}, headers={"Idempotency-Key": key}), 422, "invalid")


def test_health_is_open_and_says_no_tenant(running: Running, admin: Caller, tenant: str) -> None:
    admin.ok("GET", "/v1/facts")
    assert running.client.get("/healthz").json()["status"] == "ok"
    assert running.client.get("/readyz").json() == {"status": "ready", "causes": []}
    metrics = running.client.get("/metrics")
    assert 'muniment_requests_total{route="/v1/facts",method="GET",status="200"}' in metrics.text
    assert metrics.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert tenant not in metrics.text


def test_the_documents_are_served(running: Running) -> None:
    assert running.client.get("/openapi.json").json()["info"]["title"] == "Muniment"
    assert "/v1/recall" in running.client.get("/docs").text


def test_lists_page_without_loss_or_repetition_while_others_write(admin: Caller) -> None:
    def remember(n: int) -> None:
        episode = {**EPISODE, "external_id": f"n{n}", "text": f"note {n}"}
        admin.ok("POST", "/v1/episodes", {"episodes": [episode], "extract": "none"})

    for n in range(7):
        remember(n)
    seen: list[str] = []
    page = admin.ok("GET", "/v1/episodes", params={"limit": 3})
    while True:
        seen += [item["external_id"] for item in page["items"]]
        if page["next_cursor"] is None:
            break
        remember(100 + len(seen))
        page = admin.ok("GET", "/v1/episodes", params={"limit": 3, "cursor": page["next_cursor"]})
    assert seen == [f"n{n}" for n in reversed(range(7))]


def test_a_key_is_slowed_down_where_a_limit_is_set(problem: Check) -> None:
    with serving("sqlite://", rate_limit_per_minute=3) as service:
        caller, other = service.caller("acme"), service.caller("acme")
        for _ in range(3):
            caller.ok("GET", "/v1/facts")
        response = caller("GET", "/v1/facts")
        problem(response, 429, "rate_limited")
        assert 1 <= int(response.headers["retry-after"]) <= 60
        other.ok("GET", "/v1/facts")


def test_a_chosen_origin_may_call_from_a_browser_and_no_other() -> None:
    with serving("sqlite://", cors_origins="https://crm.example") as service:
        asked = {"Access-Control-Request-Method": "POST"}
        good = service.client.options("/v1/recall", headers={"Origin": "https://crm.example", **asked})
        bad = service.client.options("/v1/recall", headers={"Origin": "https://evil.example", **asked})
        assert good.headers["access-control-allow-origin"] == "https://crm.example"
        assert "access-control-allow-origin" not in bad.headers


def test_what_the_conversation_says_already_is_not_said_again(admin: Caller, seeded: Seeded) -> None:
    asked: dict[str, Any] = {"query": "Where does Ana Ruiz work?", "sections": ["facts"]}
    told = admin.ok("POST", "/v1/context", asked)["sections"][0]["items"][0]
    messages = [{"role": "user", "content": f"I know: {told['text']}"}]
    again = admin.ok("POST", "/v1/context", {**asked, "messages": messages})
    assert told["id"] not in [item["id"] for section in again["sections"] for item in section["items"]]
    assert {"id": told["id"], "reason": "duplicate", "kind": "fact"} in again["omitted"]
