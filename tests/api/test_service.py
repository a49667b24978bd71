"""What every answer has: ids, headers, tags, kept answers; and what everybody may ask."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from muniment.engine.ports.store import DocumentQuery
from muniment.engine.system import system_store
from muniment.engine.write.audit import AUDIT
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


def test_repetitions_at_the_same_time_are_done_once_and_answered_alike(admin: Caller) -> None:
    body = {"episodes": [{**EPISODE, "external_id": None}]}

    def send(_: int) -> Any:
        return admin("POST", "/v1/episodes", body, headers={"Idempotency-Key": "k1"})

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(send, range(6)))
    assert {(a.status_code, a.json()["id"]) for a in answers} == {(200, answers[0].json()["id"])}
    assert sum("idempotency-replayed" not in a.headers for a in answers) == 1
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
        left = [caller("GET", "/v1/facts").headers["ratelimit-remaining"] for _ in range(3)]
        assert left == ["2", "1", "0"]
        response = caller("GET", "/v1/facts")
        assert (response.headers["ratelimit-limit"], response.headers["ratelimit-remaining"]) == ("3", "0")
        problem(response, 429, "rate_limited")
        assert 1 <= int(response.headers["retry-after"]) <= 60
        other.ok("GET", "/v1/facts")


@pytest.mark.parametrize(
    ("method", "path", "body", "lists"),
    [
        ("POST", "/v1/holds", {"scope": {"user": "ana"}, "reason": "a claim"}, "/v1/holds"),
        ("PATCH", "/v1/settings", {"log_only": False}, ""),
    ],
    ids=["holds", "settings"],
)
def test_a_repeated_administration_gives_the_same_answer(
    admin: Caller, method: str, path: str, body: dict[str, Any], lists: str, problem: Check
) -> None:
    first, again = (admin(method, path, body, headers={"Idempotency-Key": "k"}) for _ in range(2))
    assert first.is_success
    assert first.json() == again.json()
    assert again.headers["idempotency-replayed"] == "true"
    if lists:
        assert len(admin.ok("GET", lists)["items"]) == 1
    problem(admin(method, path, {**body, "x": 1}, headers={"Idempotency-Key": "k"}), 409, "conflict")


def test_a_repeated_release_tenant_and_import_is_done_once(
    running: Running, admin: Caller, tenant: str, seeded: Seeded, problem: Check
) -> None:
    key = {"Idempotency-Key": "k"}
    hold = admin.ok("POST", "/v1/holds", {"scope": {"user": "ana"}, "reason": "a claim"})["id"]
    first, again = (admin("DELETE", f"/v1/holds/{hold}", headers=key) for _ in range(2))
    assert first.is_success
    assert first.json() == again.json()
    operator = running.caller("", "operator")
    made = [operator.ok("POST", "/v1/tenants", {"name": f"{tenant}-b"}, headers=key) for _ in range(2)]
    assert made[0] == made[1]
    lines = admin("GET", "/v1/export").text
    other = running.caller(f"{tenant}-b", "admin")
    taken = [other("POST", "/v1/import", content=lines, headers=key) for _ in range(2)]
    assert taken[0].json()["created"]["episode"] == 1
    assert taken[0].json() == taken[1].json()
    problem(other("POST", "/v1/import", content=lines + "\n", headers=key), 409, "conflict")


@pytest.mark.parametrize(
    ("path", "body", "lists"),
    [
        ("/v1/keys", {"role": "reader"}, "/v1/keys"),
        ("/v1/webhooks", {"url": "https://example.com/told"}, "/v1/webhooks"),
        ("/v1/purge", {"scope": {"subject": "Ana Ruiz"}}, "/v1/certificates"),
    ],
    ids=["keys", "webhooks", "purge"],
)
def test_what_is_told_once_is_done_once(
    admin: Caller, seeded: Seeded, path: str, body: dict[str, Any], lists: str, problem: Check
) -> None:
    if path == "/v1/purge":
        dry = [admin("POST", path, {**body, "dry_run": True}, headers={"Idempotency-Key": "dry"}) for _ in range(2)]
        assert all(one.is_success for one in dry)
    first = admin.ok("POST", path, body, headers={"Idempotency-Key": "k"})
    listed = admin.ok("GET", lists)["items"]
    told = problem(admin("POST", path, body, headers={"Idempotency-Key": "k"}), 409, "conflict")
    assert "already done" in told["detail"]
    assert first["id"] in told["detail"]
    assert admin.ok("GET", lists)["items"] == listed


def test_wrong_keys_are_audited_and_slowed_down_and_a_right_one_is_not() -> None:
    with serving("sqlite://", failed_keys_per_minute=3) as service:
        caller, wrong = service.caller("acme"), Caller(service.client, "mk_" + "0" * 16 + "_" + "0" * 64)
        assert [wrong("GET", "/v1/facts").status_code for _ in range(5)] == [401, 401, 401, 429, 429]
        assert int(wrong("GET", "/v1/facts").headers["retry-after"]) >= 1
        caller.ok("GET", "/v1/facts")
        app: Any = service.client.app
        assert service.client.portal is not None
        query = DocumentQuery(kind=AUDIT, ref="/v1/facts")
        rows = service.client.portal.call(system_store(app.state.service.engine.database).documents, query)
        assert [(row.status, row.body["actor"]) for row in rows] == [("refused", "anonymous")] * 3


def test_a_key_ends_at_once_when_it_is_revoked_and_after_the_overlap_when_it_is_rotated(admin: Caller) -> None:
    made = admin.ok("POST", "/v1/keys", {"role": "reader"})
    old = Caller(admin.client, made["key"])
    new = Caller(admin.client, admin.ok("POST", f"/v1/keys/{made['id']}/rotate", {"overlap_s": 60})["key"])
    assert [c("GET", "/v1/facts").status_code for c in (old, new)] == [200, 200]
    admin.ok("POST", f"/v1/keys/{made['id']}/rotate", {"overlap_s": 0})
    assert [c("GET", "/v1/facts").status_code for c in (old, new)] == [401, 200]
    admin.ok("DELETE", f"/v1/keys/{new.key.split('_')[1]}")
    assert new("GET", "/v1/facts").status_code == 401


def test_a_read_is_worked_out_while_its_key_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving("sqlite://", rate_limit_per_minute=3) as running:
        caller = running.caller("acme")
        caller.ok("GET", "/v1/facts")
        app: Any = running.client.app
        service = app.state.service
        begun, looked_up, memory = asyncio.Event(), service.keys.authenticate, service.memory

        def begin(caller: Any) -> Any:
            begun.set()
            return memory(caller)

        async def look_up_late(text: str) -> Any:
            await asyncio.wait_for(begun.wait(), 30)
            return await looked_up(text)

        monkeypatch.setattr(service, "memory", begin)
        monkeypatch.setattr(service.keys, "authenticate", look_up_late)
        caller.ok("GET", "/v1/facts")
        begun.clear()
        assert caller.ok("GET", "/v1/facts", headers={"If-None-Match": "x"})["items"] == []
        assert caller("GET", "/v1/facts").status_code == 429


def test_browsers_that_came_by_tls_are_told_to_keep_to_it(running: Running) -> None:
    assert "max-age" in running.client.get("https://testserver/healthz").headers["strict-transport-security"]
    assert "strict-transport-security" not in running.client.get("/healthz").headers


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
