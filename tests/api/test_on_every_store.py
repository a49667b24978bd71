"""The service on every store: the same calls, the same answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from muniment.engine.keys import KeyRing
from muniment.engine.ports.store import DocumentQuery
from muniment.engine.traces import TRACE
from muniment.graph_schema.ids import space_of
from muniment.graph_schema.records import Kind
from tests.api.calling import EPISODE, INITECH, Caller, seed
from tests.api.running import Running, serving


@pytest.fixture
def service(store_url: str) -> Iterator[Running]:
    with serving(store_url) as running:
        yield running


def test_a_fact_is_told_superseded_asked_and_taken_back(service: Running) -> None:
    acme = service.caller("acme")
    seeded = seed(acme)
    now = acme.ok("POST", "/v1/recall", {"query": "Where does Ana Ruiz work?", "kinds": ["fact"]})
    then = acme.ok(
        "POST", "/v1/recall", {"query": "Where does Ana Ruiz work?", "kinds": ["fact"], "as_of": "2025-06-01T00:00:00Z"}
    )
    assert (now["hits"][0]["id"], then["hits"][0]["id"]) == (seeded.fact, seeded.old_fact)
    acme.ok("POST", f"/v1/receipts/{seeded.receipt}/undo")
    assert acme.ok("GET", f"/v1/facts/{seeded.old_fact}")["status"] == "current"
    assert acme("GET", f"/v1/facts/{seeded.fact}").status_code == 404


def test_tenants_and_walls_never_meet_and_every_try_is_written_down(service: Running) -> None:
    acme, globex = service.caller("acme", "admin", "m1"), service.caller("globex")
    seeded = seed(acme)
    secret = acme.ok("POST", "/v1/facts", {"facts": [{**INITECH, "wall": "m1", "object": {"name": "Umbrella"}}]})
    id = next(c["id"] for c in secret["changes"] if c["kind"] == "fact")
    unwalled = service.caller("acme")
    for caller, path in ((globex, f"/v1/facts/{seeded.fact}"), (unwalled, f"/v1/facts/{id}")):
        assert caller("GET", path).status_code == 404
    assert acme.ok("GET", f"/v1/facts/{id}")["wall"] == "m1"
    assert globex.ok("POST", "/v1/recall", {"query": "Ana Ruiz"})["hits"] == []
    assert globex("GET", "/v1/facts", params={"tenant": "acme"}).status_code == 403
    assert globex.ok("GET", "/v1/audit")["items"][0]["outcome"] == "refused"
    assert globex.ok("GET", "/v1/audit/verify")["ok"]


def test_a_repeated_request_is_done_once(service: Running) -> None:
    acme = service.caller("acme")
    body: dict[str, Any] = {"episodes": [{**EPISODE, "external_id": None}]}
    answers = [acme.ok("POST", "/v1/episodes", body, headers={"Idempotency-Key": "k"}) for _ in range(2)]
    assert answers[0] == answers[1]
    assert len(acme.ok("GET", "/v1/episodes")["items"]) == 1


def test_a_revoked_key_ends_at_once(service: Running) -> None:
    admin = service.caller("acme")
    reader = Caller(service.client, admin.ok("POST", "/v1/keys", {"role": "reader"})["key"])
    reader.ok("GET", "/v1/facts")
    admin.ok("DELETE", f"/v1/keys/{reader.key.split('_')[1]}")
    assert reader("GET", "/v1/facts").status_code == 401


def test_a_key_that_another_process_revokes_ends_at_once_though_it_is_known_here(service: Running) -> None:
    seeded = seed(service.caller("acme"))
    reader = service.caller("acme", "reader")
    reader.ok("GET", "/v1/facts")
    app: Any = service.client.app
    ours, other = app.state.service.keys, KeyRing(app.state.service.engine.database)
    assert service.client.portal is not None
    service.client.portal.call(lambda: other.revoke(reader.key.split("_")[1], actor="another process"))
    assert ours.recall(reader.key) is not None
    tries = [("GET", "/v1/facts/f_0", None), ("GET", "/v1/audit", None), ("POST", "/v1/recall", {"query": "Ana Ruiz"})]
    for method, path, body in (("GET", f"/v1/facts/{seeded.fact}", None), *tries):
        answer = reader(method, path, body)
        assert answer.status_code == 401
        assert "Initech" not in answer.text
        assert ours.recall(reader.key) is None


def test_what_a_key_asks_that_another_process_revoked_leaves_neither_trace_nor_use(service: Running) -> None:
    seed(service.caller("acme"))
    reader = service.caller("acme", "reader")
    app: Any = service.client.app
    engine, portal = app.state.service.engine, service.client.portal
    assert portal is not None
    store = engine.database.space(space_of(engine.settings.environment, "acme"), all_walls=True)

    async def kept() -> int:
        await engine.tools.later.flush()
        return len(await store.documents(DocumentQuery(kind=TRACE)))

    found = reader.ok("POST", "/v1/recall", {"query": "Where does Ana Ruiz work?"})
    traces = portal.call(kept)
    before = portal.call(store.uses, [(Kind(hit["kind"]), hit["id"]) for hit in found["hits"]])
    assert traces
    assert before
    other = KeyRing(engine.database)
    portal.call(lambda: other.revoke(reader.key.split("_")[1], actor="another process"))
    assert app.state.service.keys.recall(reader.key) is not None
    assert reader("POST", "/v1/recall", {"query": "Where does Ana Ruiz work?"}).status_code == 401
    assert portal.call(kept) == traces
    assert portal.call(store.uses, list(before)) == before


def test_accepted_work_is_done_by_a_worker(service: Running) -> None:
    acme = service.caller("acme")
    note = {"text": "Ana Ruiz works for Initech.", "kind": "note", "occurred_at": "2026-03-05T09:00:00Z"}
    job = acme.ok("POST", "/v1/episodes", {"episodes": [note], "mode": "async"})["job"]
    app: Any = service.client.app
    assert service.client.portal is not None
    service.client.portal.call(app.state.service.engine.worker().run_until_idle)
    assert acme.ok("GET", f"/v1/jobs/{job}")["state"] == "done"
    assert acme.ok("GET", "/v1/facts")["items"][0]["object"]["name"] == "Initech"
