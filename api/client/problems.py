"""A problem that a server told, as the error of the engine that it stands for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from muniment.graph_schema import errors

_STATUS_CODES: Final[Mapping[int, type[errors.MunimentError]]] = {
    400: errors.Invalid,
    401: errors.Unauthenticated,
    403: errors.Forbidden,
    404: errors.NotFound,
    409: errors.Conflict,
    413: errors.TooLarge,
    422: errors.Invalid,
    429: errors.RateLimited,
    502: errors.Unavailable,
    503: errors.Unavailable,
    504: errors.Unavailable,
}
"""For answers that are no problems of ours: a proxy's own pages."""


def _classes(kind: type[errors.MunimentError]) -> Iterator[type[errors.MunimentError]]:
    yield kind
    for below in kind.__subclasses__():
        yield from _classes(below)


# A class without a code of its own shares its base's, and the base comes first.
_BY_CODE: Final[Mapping[str, type[errors.MunimentError]]] = {
    kind.code: kind for kind in reversed(list(_classes(errors.MunimentError)))
}


def error_of(status: int, body: object, *, retry_after_s: float | None) -> errors.MunimentError:
    """The error to raise, with the server's words and the request's id as a note."""
    if not isinstance(body, Mapping) or not isinstance(body.get("code"), str):
        kind = _STATUS_CODES.get(status, errors.MunimentError)
        return kind(f"the server answered {status} and no problem of its own: something between may have")
    error = _error(body, retry_after_s=retry_after_s)
    if body.get("request_id"):
        error.add_note(f"request id {body['request_id']}")
    return error


def _error(body: Mapping[str, Any], *, retry_after_s: float | None) -> errors.MunimentError:
    kind = _BY_CODE.get(body["code"], errors.MunimentError)
    detail = str(body.get("detail") or body.get("title") or body["code"])
    if issubclass(kind, errors.Invalid):
        wrong = body.get("errors") or [{}]
        return kind(detail, field=str(wrong[0].get("field", "")))
    if issubclass(kind, errors.Ambiguous):
        return kind(detail, candidates=body.get("candidates", ()))
    if issubclass(kind, errors.Held):
        return kind(detail, holds=body.get("holds", ()))
    if issubclass(kind, errors.RateLimited):
        return kind(detail, retry_after_s=1.0 if retry_after_s is None else retry_after_s)
    return kind(detail)
