"""Every route of the OpenAPI document answers its own example with a shape that the document promises."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from fastapi.routing import APIRoute
from pydantic import TypeAdapter

from muniment.api.app import create_app
from muniment.api.routes import ROUTERS
from muniment.engine.settings import read_settings
from tests.api.calling import Caller, Seeded
from tests.api.running import Running

ROUTES = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
DOCUMENT = create_app(settings=read_settings(store_url="sqlite://")).openapi()
# What stands for an id in a path, by the collection it is in.
PATH_IDS = {
    "facts": "fact",
    "episodes": "episode",
    "entities": "ana",
    "receipts": "receipt",
    "skills": "skill",
    "traces": "trace",
}
NEEDED_QUERY = {
    "/v1/graph/neighbourhood": {"id": "{ana}"},
    "/v1/graph/paths": {"a": "Ana Ruiz", "b": "Initech"},
}
# Ids in examples stand for what a seeded tenant has.
EXAMPLE_IDS = {"n_1": "globex", "n_2": "initech", "f_1": "fact", "e_1": "episode"}
# Tested where it can be set up: a review, a merge, a hold or a job that is there first.
ELSEWHERE = {
    "POST /v1/reviews/{id}",
    "DELETE /v1/merges/{id}",
    "DELETE /v1/holds/{id}",
    "POST /v1/holds/{id}/release",
    "GET /v1/certificates/{id}",
    "GET /v1/jobs/{id}",
    "POST /v1/jobs/{id}/retry",
    "POST /v1/jobs/{id}/cancel",
    "POST /v1/import",
    "GET /v1/webhooks/{id}",
    "DELETE /v1/webhooks/{id}",
}


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    route: APIRoute
    examples: tuple[Any, ...]

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def _operations() -> Iterator[Operation]:
    for route in ROUTES:
        for method in sorted(route.methods or ()):
            said = DOCUMENT["paths"][route.path][method.lower()]
            yield Operation(method, route.path, route, tuple(_examples(said)) or (None,))


def _examples(said: dict[str, Any]) -> Iterator[Any]:
    content = said.get("requestBody", {}).get("content", {}).get("application/json", {})
    for schema in _variants(content.get("schema", {})):
        yield from schema.get("examples", ())


def _variants(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "$ref" in schema:
        yield DOCUMENT["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    for one in schema.get("anyOf", ()):
        yield from _variants(one)


# Methods that write and cannot be tried: they only read, or they are of jobs and of the operator.
NOT_TRIED = {
    "POST /v1/extract",
    "POST /v1/recall",
    "POST /v1/context",
    "POST /v1/trim",
    "POST /v1/why-not",
    "POST /v1/jobs/{id}/retry",
    "POST /v1/jobs/{id}/cancel",
    "POST /v1/tenants",
    "PATCH /v1/tenants/{name}",
    "PATCH /v1/settings",
    "POST /v1/keys/{id}/rotate",
    "POST /v1/keys",
    "DELETE /v1/keys/{id}",
    "POST /v1/webhooks",
    "DELETE /v1/webhooks/{id}",
}
OPERATIONS = [operation for operation in _operations() if str(operation) not in ELSEWHERE]


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_the_example_of_a_route_is_answered_as_documented(
    operation: Operation, admin: Caller, seeded: Seeded, tenant: str, running: Running
) -> None:
    caller = running.caller(tenant, "operator") if operation.path.startswith("/v1/tenants") else admin
    for example in operation.examples:
        query = {k: v.replace("{ana}", seeded.ana) for k, v in NEEDED_QUERY.get(operation.path, {}).items()}
        body = _with_ids(example, seeded, tenant)
        response = caller(operation.method, _path(operation, seeded, tenant, running), body, params=query)
        assert response.is_success, response.text
        if operation.route.response_model is not None:
            TypeAdapter(operation.route.response_model).validate_python(response.json(), strict=True)


def test_every_body_has_an_example() -> None:
    without = [
        f"{method} {path}"
        for path, methods in DOCUMENT["paths"].items()
        for method, said in methods.items()
        if "application/json" in said.get("requestBody", {}).get("content", {}) and not list(_examples(said))
    ]
    assert without == []


def test_every_route_that_writes_memories_can_be_tried_first() -> None:
    writes = [operation for operation in _operations() if operation.method != "GET"]
    untried = {str(operation) for operation in writes if not _can_be_tried(operation)}
    assert untried == NOT_TRIED


def _can_be_tried(operation: Operation) -> bool:
    said = DOCUMENT["paths"][operation.path][operation.method.lower()]
    content = said.get("requestBody", {}).get("content", {}).get("application/json", {})
    fields = {name for schema in _variants(content.get("schema", {})) for name in schema.get("properties", ())}
    return "dry_run" in fields | {parameter["name"] for parameter in said.get("parameters", ())}


def test_every_guarded_route_says_its_verb_its_roles_and_its_key() -> None:
    guarded = [said for path, ms in DOCUMENT["paths"].items() for said in ms.values() if path.startswith("/v1/")]
    assert len(guarded) > 40
    for said in guarded:
        assert said["x-muniment-verb"]
        assert said["x-muniment-roles"]
        assert said["security"] == [{"key": []}]


def _path(operation: Operation, seeded: Seeded, tenant: str, running: Running) -> str:
    path = operation.path.replace("{name}", tenant).replace("{memory_id}", seeded.fact)
    if path.startswith("/v1/keys/"):
        return path.replace("{id}", running.key(tenant, "reader").split("_")[1])
    if "{id}" in path:
        return path.replace("{id}", str(getattr(seeded, PATH_IDS[path.split("/")[2]])))
    return path


def _with_ids(example: Any, seeded: Seeded, tenant: str) -> Any:
    text = json.dumps(example)
    for said, name in EXAMPLE_IDS.items():
        text = text.replace(f'"{said}"', json.dumps(getattr(seeded, name)))
    return json.loads(text.replace('{"name": "acme"}', json.dumps({"name": f"{tenant}-x"})))
