"""What the OpenAPI document says beyond what the routes say themselves."""

from __future__ import annotations

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from muniment.api.errors import PROBLEM_TYPE, TABLE
from muniment.api.guard import READ_AFTER_HEADER, VERB_KEY, reads
from muniment.api.roles import ALLOWED, KEPT, Verb

DESCRIPTION: Final = """A knowledge-graph memory for agents: every answer dated, traced, undone and walled.

Send a key as `Authorization: Bearer mk_…`; it fixes the tenant. Times are RFC 3339 with an offset. Errors are RFC 9457
problems with a stable `code`. Writes may carry an `Idempotency-Key` (kept 24 h), any request an `X-Request-Id`. Lists page
by `limit` and `cursor`."""

_PROBLEM_SCHEMA: Final = {
    "type": "object",
    "description": "What is wrong (RFC 9457).",
    "required": ["type", "title", "status", "detail", "code", "request_id"],
    "properties": {
        "type": {"type": "string", "description": "An address that stands for the code."},
        "title": {"type": "string", "description": "What a code means, in a few words."},
        "status": {"type": "integer", "description": "The status of the answer."},
        "detail": {"type": "string", "description": "What is wrong here and what would be right."},
        "code": {"type": "string", "enum": sorted(TABLE), "description": "A stable word for what is wrong."},
        "request_id": {"type": "string", "description": "As in `X-Request-Id`, in logs and in the audit chain."},
        "errors": {
            "type": "array",
            "description": "Each field that is wrong.",
            "items": {
                "type": "object",
                "properties": {"field": {"type": "string"}, "message": {"type": "string"}},
            },
        },
    },
}
_IDEMPOTENCY: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "The same key with the same request gives the same answer for 24 hours.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255},
}
_READ_AFTER: Final = {
    "name": READ_AFTER_HEADER,
    "in": "header",
    "required": False,
    "description": "Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read.",
    "schema": {"type": "string", "pattern": "^([jr]_[0-9a-zA-Z]+(, ?[jr]_[0-9a-zA-Z]+)*)?$"},
}
_IN_PATHS: Final = {
    "id": "Its id, as another answer gave it.",
    "memory_id": "Id of the memory that is asked about.",
    "name": "Name of the tenant.",
}
# Which problems a guarded route can answer with; 422, 404 and the like depend on what is asked.
_GUARDED: Final = ("400", "401", "403", "404", "409", "413", "422", "423", "429", "503")


def describe(app: FastAPI) -> None:
    """Adds the bearer key, the problems and the roles of every guarded route to the application's document."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            made = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
            app.openapi_schema = _completed(made)
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]  # the way the framework documents


def _completed(document: dict[str, Any]) -> dict[str, Any]:
    parts = document.setdefault("components", {})
    parts["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer", "description": "mk_<key id>_<secret>"}}
    parts.setdefault("schemas", {})["Problem"] = _PROBLEM_SCHEMA
    problem = {"content": {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    for path in document["paths"].values():
        for method, operation in path.items():
            if VERB_KEY not in operation:
                continue
            verb = Verb(operation[VERB_KEY])
            operation["security"] = [{"key": []}]
            operation["x-muniment-roles"] = [role.value for role, verbs in ALLOWED.items() if verb in verbs]
            for status in _GUARDED:
                operation["responses"][status] = {"description": _titles(int(status)), **problem}
            if method in ("post", "put", "delete") and verb in KEPT:
                operation.setdefault("parameters", []).append(_IDEMPOTENCY)
            if reads(method.upper(), verb):
                operation.setdefault("parameters", []).append(_READ_AFTER)
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "path":
                    parameter.setdefault("description", _IN_PATHS[parameter["name"]])
    for name in ("HTTPValidationError", "ValidationError"):  # the framework's own, in whose place problems stand
        parts["schemas"].pop(name, None)
    return document


def _titles(status: int) -> str:
    return " / ".join(f"{told.title} (`{code}`)" for code, told in TABLE.items() if told.status == status)
