"""What stands in a tenant's audit chain: every write, refusal and use of an admin's key, under the request's id."""

from __future__ import annotations

from typing import Any

import pytest

from muniment.engine.ports.store import DocumentQuery
from muniment.engine.system import system_store
from muniment.engine.write.audit import AUDIT, entry_of
from tests.api.calling import EPISODE, GLOBEX, Caller, Seeded
from tests.api.running import Running

Row = dict[str, Any]


def newest(admin: Caller) -> Row:
    row: Row = admin.ok("GET", "/v1/audit", params={"limit": 1})["items"][0]
    return row


WRITES = [
    ("POST", "/v1/episodes", {"episodes": [{**EPISODE, "external_id": "n-7"}]}, "remember"),
    ("POST", "/v1/facts", {"facts": [GLOBEX]}, "assert_facts"),
    ("POST", "/v1/holds", {"scope": {"user": "ana"}, "reason": "a claim"}, "hold"),
    ("POST", "/v1/purge", {"scope": {"subject": "Ana Ruiz"}}, "purge"),
    ("POST", "/v1/keys", {"role": "reader"}, "keys.create"),
    ("PATCH", "/v1/settings", {"log_only": True}, "tenant.settings"),
]


@pytest.mark.parametrize(("method", "path", "body", "verb"), WRITES, ids=[verb for *_, verb in WRITES])
def test_a_write_stands_in_the_chain_under_its_request(
    admin: Caller, seeded: Seeded, method: str, path: str, body: Any, verb: str
) -> None:
    admin.ok(method, path, body, headers={"X-Request-Id": "call-9"})
    row = newest(admin)
    assert (row["verb"], row["outcome"], row["detail"]["request_id"]) == (verb, "done", "call-9")
    assert admin.ok("GET", "/v1/audit/verify")["ok"]


READS: list[tuple[str, str, list[str]]] = [
    ("/v1/export", "export", []),
    ("/v1/audit", "audit", []),
    ("/v1/audit/verify", "audit", []),
    ("/v1/keys", "keys", []),
    ("/v1/holds", "hold", []),
    ("/v1/certificates", "purge", []),
    ("/v1/settings", "settings", []),
    ("/v1/webhooks", "webhooks", []),
]


@pytest.mark.parametrize(("path", "verb", "ids"), READS, ids=[path for path, *_ in READS])
def test_what_an_admin_looks_at_leaves_a_row(
    admin: Caller, seeded: Seeded, path: str, verb: str, ids: list[str]
) -> None:
    assert admin("GET", path, headers={"X-Request-Id": "look-1"}).is_success
    row = newest(admin)
    told = {"request_id": "look-1", "route": path}
    assert (row["verb"], row["outcome"], row["ids"], row["detail"]) == (verb, "done", ids, told)


def test_looking_at_memories_leaves_none(admin: Caller, seeded: Seeded) -> None:
    before = newest(admin)
    for path in ("/v1/facts", f"/v1/facts/{seeded.fact}", "/v1/episodes", "/v1/reviews", "/v1/jobs"):
        admin.ok("GET", path)
    admin.ok("POST", "/v1/recall", {"query": "Where does Ana work?"})
    assert newest(admin)["seq"] == before["seq"] + 1  # the row of having looked at the chain


def test_conflicts_and_targets_that_fit_several_are_refusals(admin: Caller, seeded: Seeded) -> None:
    admin.ok("POST", f"/v1/receipts/{seeded.receipt}/undo")
    assert admin("POST", f"/v1/receipts/{seeded.receipt}/undo").status_code == 409
    row = newest(admin)
    assert (row["verb"], row["outcome"], row["detail"]["code"]) == ("undo", "refused", "conflict")
    for kind in ("person", "organisation"):
        fact = {**GLOBEX, "subject": {"name": "Calder Voss", "type": kind}}
        admin.ok("POST", "/v1/facts", {"facts": [fact]})
    assert admin("POST", "/v1/purge", {"scope": {"subject": "Calder Voss"}}).json()["code"] == "ambiguous"
    row = newest(admin)
    assert (row["verb"], row["outcome"], row["detail"]["code"]) == ("purge", "refused", "ambiguous")


def test_jobs_that_people_turn_stand_in_the_chain(admin: Caller, seeded: Seeded) -> None:
    told = {"episodes": [{**EPISODE, "external_id": "later"}], "mode": "async"}
    job = admin.ok("POST", "/v1/episodes", told)["job"]
    for verb in ("cancel", "retry"):
        admin.ok("POST", f"/v1/jobs/{job}/{verb}")
        row = newest(admin)
        assert (row["verb"], row["outcome"], row["ids"]) == (f"{verb}_job", "done", [job])


def test_an_operator_leaves_rows_in_the_chain_of_the_database(running: Running, tenant: str) -> None:
    operator = running.caller("", "operator")
    operator.ok("POST", "/v1/tenants", {"name": tenant})
    operator.ok("GET", f"/v1/tenants/{tenant}")
    app: Any = running.client.app
    system = system_store(app.state.service.engine.database)
    query = DocumentQuery(kind=AUDIT, newest_first=True, limit=2)
    assert running.client.portal is not None
    rows = [entry_of(one) for one in running.client.portal.call(system.documents, query)]
    assert [(row.verb, row.detail["route"], row.ids) for row in rows] == [
        ("tenants", "/v1/tenants/{name}", (tenant,)),
        ("tenants", "/v1/tenants", ()),
    ]
    assert rows[0].actor.startswith("key:")
