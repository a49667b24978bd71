"""Who may do what: every route by every role, told here once more, independently of the service's own table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.api.calling import Caller
from tests.api.running import Running
from tests.api.test_routes import ROUTES

READER, WRITER, CURATOR, ADMIN, OPERATOR = "reader", "writer", "curator", "admin", "operator"
ROLES = (READER, WRITER, CURATOR, ADMIN, OPERATOR)
FROM_READER = {READER, WRITER, CURATOR, ADMIN}
FROM_WRITER = {WRITER, CURATOR, ADMIN}
FROM_CURATOR = {CURATOR, ADMIN}
ONLY_ADMIN = {ADMIN}

EXPECTED: dict[str, set[str]] = {
    "POST /v1/episodes": FROM_WRITER,
    "POST /v1/facts": FROM_WRITER,
    "POST /v1/commands": FROM_WRITER,
    "POST /v1/skills/{id}/outcomes": FROM_WRITER,
    "POST /v1/extract": FROM_READER,
    "POST /v1/recall": FROM_READER,
    "POST /v1/context": FROM_READER,
    "POST /v1/trim": FROM_READER,
    "GET /v1/traces/{id}": FROM_READER,
    "GET /v1/traces/{id}/replay": FROM_READER,
    "GET /v1/traces/{id}/why-not/{memory_id}": FROM_READER,
    "POST /v1/why-not": FROM_READER,
    "GET /v1/episodes": FROM_READER,
    "GET /v1/episodes/{id}": FROM_READER,
    "GET /v1/facts": FROM_READER,
    "GET /v1/facts/{id}": FROM_READER,
    "GET /v1/facts/{id}/history": FROM_READER,
    "GET /v1/entities": FROM_READER,
    "GET /v1/entities/{id}": FROM_READER,
    "GET /v1/graph/neighbourhood": FROM_READER,
    "GET /v1/graph/paths": FROM_READER,
    "GET /v1/preferences": FROM_READER,
    "GET /v1/skills": FROM_READER,
    "GET /v1/ontology": FROM_READER,
    "GET /v1/receipts/{id}": FROM_READER,
    "PUT /v1/ontology": FROM_CURATOR,
    "POST /v1/facts/{id}/retract": FROM_CURATOR,
    "POST /v1/episodes/{id}/retract": FROM_CURATOR,
    "POST /v1/facts/{id}/end": FROM_CURATOR,
    "POST /v1/facts/{id}/correct": FROM_CURATOR,
    "POST /v1/facts/{id}/reject": FROM_CURATOR,
    "POST /v1/facts/{id}/pin": FROM_CURATOR,
    "POST /v1/facts/{id}/unpin": FROM_CURATOR,
    "POST /v1/merges": FROM_CURATOR,
    "POST /v1/merges/forbidden": FROM_CURATOR,
    "DELETE /v1/merges/{id}": FROM_CURATOR,
    "GET /v1/reviews": FROM_CURATOR,
    "POST /v1/reviews/{id}": FROM_CURATOR,
    "POST /v1/receipts/{id}/undo": FROM_CURATOR,
    "POST /v1/forget": FROM_CURATOR,
    "POST /v1/purge": ONLY_ADMIN,
    "GET /v1/certificates": ONLY_ADMIN,
    "GET /v1/certificates/{id}": ONLY_ADMIN,
    "POST /v1/holds": ONLY_ADMIN,
    "GET /v1/holds": ONLY_ADMIN,
    "DELETE /v1/holds/{id}": ONLY_ADMIN,
    "POST /v1/holds/{id}/release": ONLY_ADMIN,
    "GET /v1/audit": ONLY_ADMIN,
    "GET /v1/audit/verify": ONLY_ADMIN,
    "GET /v1/export": ONLY_ADMIN,
    "POST /v1/import": ONLY_ADMIN,
    "GET /v1/jobs": FROM_WRITER,
    "GET /v1/jobs/{id}": FROM_WRITER,
    "POST /v1/jobs/{id}/retry": FROM_WRITER,
    "POST /v1/jobs/{id}/cancel": FROM_WRITER,
    "POST /v1/keys": {ADMIN, OPERATOR},
    "GET /v1/keys": {ADMIN, OPERATOR},
    "GET /v1/keys/{id}": {ADMIN, OPERATOR},
    "DELETE /v1/keys/{id}": {ADMIN, OPERATOR},
    "POST /v1/keys/{id}/rotate": {ADMIN, OPERATOR},
    "POST /v1/tenants": {OPERATOR},
    "GET /v1/tenants": {OPERATOR},
    "GET /v1/tenants/{name}": {OPERATOR},
    "PATCH /v1/tenants/{name}": {OPERATOR},
    "GET /v1/tenants/{name}/model-use": {OPERATOR},
    "GET /v1/model-use": ONLY_ADMIN,
    "POST /v1/webhooks": ONLY_ADMIN,
    "GET /v1/webhooks": ONLY_ADMIN,
    "GET /v1/webhooks/{id}": ONLY_ADMIN,
    "DELETE /v1/webhooks/{id}": ONLY_ADMIN,
    "GET /v1/settings": ONLY_ADMIN,
    "PATCH /v1/settings": ONLY_ADMIN,
}
GUARDED = [
    f"{m} {route.path}" for route in ROUTES for m in sorted(route.methods or ()) if route.path.startswith("/v1/")
]
OPERATING = ("/v1/keys", "/v1/tenants")
Check = Callable[[Any, int, str], dict[str, Any]]


@pytest.fixture(scope="module")
def callers(running: Running) -> dict[str, Caller]:
    return {role: running.caller("role-matrix", role) for role in ROLES}


def test_every_route_has_its_row_here() -> None:
    assert [route for route in GUARDED if route not in EXPECTED] == []


@pytest.mark.parametrize("route", GUARDED)
@pytest.mark.parametrize("role", ROLES)
def test_a_role_may_do_what_it_is_for_and_nothing_else(
    route: str, role: str, callers: dict[str, Caller], problem: Check
) -> None:
    method, path = _of(route)
    response = callers[role](method, path, _body(method))
    if role in EXPECTED[route]:
        assert response.status_code not in (401, 403), response.text
    else:
        problem(response, 403, "forbidden")


@pytest.mark.parametrize("route", GUARDED)
def test_nobody_comes_in_without_a_key(route: str, running: Running, problem: Check) -> None:
    response = running.client.request(*_of(route))
    problem(response, 401, "unauthenticated")
    assert response.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize("route", [route for route in GUARDED if not route.split()[1].startswith(OPERATING)])
def test_a_request_that_names_another_tenant_is_refused(route: str, callers: dict[str, Caller], problem: Check) -> None:
    method, path = _of(route)
    response = callers[ADMIN](method, path, _body(method), headers={"X-Muniment-Tenant": "globex"})
    problem(response, 403, "forbidden")


def _of(route: str) -> tuple[str, str]:
    method, path = route.split(" ")
    return method, path.replace("{id}", "nothing").replace("{name}", "nothing")


def _body(method: str) -> Any:
    return {} if method in ("POST", "PUT") else None
