"""Errors as HTTP tells them: one table from code to status and title, one shape (RFC 9457) for all of them."""

from __future__ import annotations

import logging
import math
import re
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from muniment.api.context import request_id_of
from muniment.api.rendering import json_bytes
from muniment.graph_schema import errors

logger = logging.getLogger(__name__)

PROBLEM_TYPE: Final = "application/problem+json"
_SHOWN_VALUE: Final = 80  # characters of a wrong value that an answer repeats


@dataclass(frozen=True, slots=True)
class Told:
    status: int
    title: str


# Where a class has no line of its own, its nearest base's holds.
TABLE: Final[Mapping[str, Told]] = {
    errors.Invalid.code: Told(422, "A value is wrong"),
    errors.ContextHardStop.code: Told(422, "The chat history is over the hard limit"),
    errors.TenantRequired.code: Told(400, "A tenant is required"),
    errors.Unauthenticated.code: Told(401, "A key is required"),
    errors.Forbidden.code: Told(403, "The key does not allow this"),
    errors.NotFound.code: Told(404, "There is no such thing"),
    errors.Conflict.code: Told(409, "Changed meanwhile, or already so"),
    errors.Ambiguous.code: Told(409, "The target fits several memories"),
    errors.WrongEnvironment.code: Told(409, "The database belongs to another environment"),
    errors.Held.code: Told(423, "A legal hold forbids erasing"),
    errors.TooLarge.code: Told(413, "Over a limit"),
    errors.RateLimited.code: Told(429, "Too many calls"),
    errors.Unavailable.code: Told(503, "Something needed does not answer"),
    errors.StoreUnavailable.code: Told(503, "The store does not answer"),
    errors.LaneUnavailable.code: Told(503, "An external lane does not answer"),
    errors.ModelUnavailable.code: Told(503, "A model is missing or not the known one"),
    errors.NotYetReadable.code: Told(503, "A write that the read waits for is not done yet"),
    errors.MunimentError.code: Told(500, "Something went wrong on the server"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One error, ready to be told. `more` holds members beyond those that every problem has."""

    code: str
    detail: str
    status: int
    errors: Sequence[Mapping[str, str]] = ()
    more: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def body(self, request_id: str) -> dict[str, Any]:
        body: dict[str, Any] = {
            "type": f"urn:muniment:error:{self.code}",
            "title": TABLE[self.code].title,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            "request_id": request_id,
            **self.more,
        }
        if self.errors:
            body["errors"] = list(self.errors)
        return body


def problem_of(error: errors.MunimentError) -> Problem:
    """How an error raised on purpose is told."""
    code = next(code for kind in type(error).__mro__ if (code := getattr(kind, "code", "")) in TABLE)
    more: dict[str, Any] = {}
    headers: dict[str, str] = {}
    wrong: list[Mapping[str, str]] = []
    if isinstance(error, errors.Invalid) and error.field:
        wrong.append({"field": error.field, "message": str(error)})
    if isinstance(error, errors.Ambiguous):
        more["candidates"] = list(error.candidates)
    if isinstance(error, errors.Held):
        more["holds"] = list(error.holds)
    if isinstance(error, errors.RateLimited):
        headers["Retry-After"] = str(max(1, math.ceil(error.retry_after_s)))
        if error.limit:
            headers |= {
                "RateLimit-Limit": str(error.limit),
                "RateLimit-Remaining": "0",
                "RateLimit-Reset": headers["Retry-After"],
            }
    if isinstance(error, errors.Unavailable | errors.UnderWay):
        headers["Retry-After"] = "1"
    if isinstance(error, errors.Unauthenticated):
        headers["WWW-Authenticate"] = 'Bearer realm="muniment"'
    return Problem(code=code, detail=str(error), status=TABLE[code].status, errors=wrong, more=more, headers=headers)


def problem_of_validation(found: Sequence[Mapping[str, Any]]) -> Problem:
    """How what the validator found is told: each wrong field by its path, and what would be right. The first part of each
    place says where it stood (body, query, path) and is left out."""
    wrong = [_wrong(one) for one in found]
    detail = wrong[0]["message"] if len(wrong) == 1 else f"{wrong[0]['message']} (and {len(wrong) - 1} more)"
    return Problem(code=errors.Invalid.code, detail=detail, status=422, errors=wrong)


def problem_response(problem: Problem, request_id: str) -> Response:
    """The answer that tells a problem."""
    body = json_bytes(problem.body(request_id))
    return Response(body, status_code=problem.status, media_type=PROBLEM_TYPE, headers=dict(problem.headers))


def unexpected(error: Exception) -> Problem:
    """An error that nobody raised on purpose: logged by type and place, told without either.

    The message is left out of the log as well, for it may repeat a memory's text.
    """
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames[-12:]]
    logger.error("unexpected error", extra={"error": type(error).__name__, "places": places})
    return Problem(
        code=errors.MunimentError.code,
        detail="The server met something it did not expect; the log has more under this request id.",
        status=500,
    )


def install(app: FastAPI) -> None:
    """Lets the application tell every error as a problem."""
    app.add_exception_handler(errors.MunimentError, _told_on_purpose)
    app.add_exception_handler(RequestValidationError, _told_validation)
    app.add_exception_handler(HTTPException, _told_http)


async def _told_on_purpose(request: Request, error: Exception) -> Response:
    assert isinstance(error, errors.MunimentError)
    return problem_response(problem_of(error), request_id_of(request))


async def _told_validation(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    found = error.errors()
    if tuple(found[0]["loc"]) == ("body",) and found[0]["type"] != "value_error":
        message = f"the body is {_kind_of(found[0])}: {_wanted(request)}"
        problem = Problem(
            code=errors.Invalid.code, detail=message, status=422, errors=[{"field": "body", "message": message}]
        )
        return problem_response(problem, request_id_of(request))
    return problem_response(problem_of_validation(found), request_id_of(request))


def _kind_of(error: Mapping[str, Any]) -> str:
    """What stands where an object should."""
    if error["type"] == "missing":
        return "missing"
    kinds = {
        type(None): "null",
        bool: "true or false",
        int: "a number",
        float: "a number",
        str: "a text",
        list: "a list",
    }
    return kinds.get(type(error.get("input")), "no object")


def _wanted(request: Request) -> str:
    """What the body of a route should be."""
    body = getattr(request.scope.get("route"), "body_field", None)
    shape = getattr(getattr(body, "field_info", None), "annotation", None)
    fields: Mapping[str, Any] = getattr(shape, "model_fields", {})
    needed = [name for name, one in fields.items() if one.is_required()]
    return "send a JSON object" + (f" with {', '.join(needed)}" if needed else "")


async def _told_http(request: Request, error: Exception) -> Response:
    """Errors of the framework: an unknown path, a method that a path does not take."""
    assert isinstance(error, HTTPException)
    code = {404: errors.NotFound.code, 413: errors.TooLarge.code}.get(error.status_code, errors.Invalid.code)
    if error.status_code >= 500:
        code = errors.MunimentError.code
    detail = {
        404: f"no path {request.url.path!r}",
        405: f"{request.url.path!r} does not take {request.method}",
    }.get(error.status_code, str(error.detail))
    headers = dict(error.headers or {})
    if error.status_code == 405:
        headers["Allow"] = ", ".join(sorted(_methods_of(request))) or headers.get("Allow", "GET")
    problem = Problem(code=code, detail=detail, status=error.status_code, headers=headers)
    return problem_response(problem, request_id_of(request))


def _methods_of(request: Request) -> set[str]:
    """Every method that a documented path takes; each is a route of its own, of which the framework names the first only."""
    document = request.app.openapi()
    for path, methods in document["paths"].items():
        pattern = re.sub(r"\\{[^}]+\\}", "[^/]+", re.escape(path))
        if re.fullmatch(pattern, request.url.path):
            return {method.upper() for method in methods}
    return set()


def _wrong(error: Mapping[str, Any]) -> dict[str, str]:
    field = _path(error["loc"])
    message = str(error["msg"]).removeprefix("Value error, ")
    kind = error["type"]
    if kind == "missing":
        return {"field": field, "message": f"{field} is missing"}
    if kind == "extra_forbidden":
        return {"field": field, "message": f"{field} is not a known field here"}
    if field and field in message:
        return {"field": field, "message": message}
    value = error.get("input")
    is_said = value is None or isinstance(value, dict | list | bytes) or repr(value) in message
    shown = "" if is_said else f" {_shortened(repr(value))}"
    colon = "" if message.startswith(repr(value)) else ":"
    return {"field": field, "message": f"{field or 'body'}{shown}{colon} {message}"}


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN_VALUE else text[: _SHOWN_VALUE - 1] + "…"


def _path(location: Sequence[str | int]) -> str:
    """`episodes[3].occurred_at` from where the validator found it; the leading part says body, query or path."""
    path = ""
    for part in location[1:]:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    return path
