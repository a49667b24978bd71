"""The way of every guarded request: key, tenant, role, body, then the route; and the answer kept if it was asked to be.

A route names its verb; nothing else can forget a check, because a guarded router makes no other routes.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Coroutine, Sequence
from tempfile import SpooledTemporaryFile
from time import monotonic
from typing import Any, Final, NoReturn

from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute
from starlette.types import Message

from muniment.api.auth import RATE_KEY, Caller, authenticate, check_named_tenants, drop_tenants, named_tenants, recalled
from muniment.api.context import request_id_of
from muniment.api.rendering import json_bytes
from muniment.api.roles import KEPT, SEEN, TOLD_ONCE, Verb, may
from muniment.api.service import Service, service_of
from muniment.engine import answers
from muniment.engine.jobs.later import held_back
from muniment.graph_schema.errors import (
    Ambiguous,
    Conflict,
    Forbidden,
    Invalid,
    NotFound,
    NotThisLists,
    RateLimited,
    TenantRequired,
    Unauthenticated,
    UnderWay,
)

IDEMPOTENCY_HEADER: Final = "Idempotency-Key"
REPLAYED_HEADER: Final = "Idempotency-Replayed"
READ_AFTER_HEADER: Final = "X-Muniment-Read-After"
_MOST_TOKENS: Final = 20
_DIGEST: Final = "muniment_body_digest"
_IN_MEMORY_BYTES: Final = 1024 * 1024
_CHUNK_BYTES: Final = 64 * 1024
VERB_KEY: Final = "x-muniment-verb"
_LONGEST_KEY: Final = 255
DEEPEST: Final = 64  # levels of JSON; records need about five
OWN_TENANT_ONLY: Final = frozenset(Verb) - {Verb.KEYS, Verb.TENANTS, Verb.HEALTH}
TENANT_IN_SCOPE: Final = frozenset({Verb.PURGE, Verb.HOLD})
_WRITING_METHODS: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})

REFUSED: Final = (Forbidden, TenantRequired, Conflict, Ambiguous)
"""More than the caller has (a key with other walls, another's tenant), or what something stands against."""

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class GuardedRoute(APIRoute):
    """A route behind the guard; its verb stands in the OpenAPI document too."""

    def get_route_handler(self) -> Handler:
        inner = super().get_route_handler()
        verb = Verb((self.openapi_extra or {})[VERB_KEY])
        known_parameters = tuple(dict.fromkeys(field.alias for field in self.dependant.query_params))
        streams = bool((self.openapi_extra or {}).get("x-muniment-streams"))

        async def answered(request: Request) -> Response:
            try:
                if reads(request.method, verb):
                    await _wait_for_writes(request)
                return await inner(request)
            except (NotFound, NotThisLists) as error:
                service, caller = service_of(request), request.state.caller
                await service.record_missing(
                    caller, verb=verb.value, code=error.code, request_id=request_id_of(request)
                )
                raise

        async def guarded(request: Request) -> Response:
            service = service_of(request)
            caller = recalled(request, service.keys) if reads(request.method, verb) else None
            if caller is None:
                return await admitted(request, service, await known(request, service))
            request.scope[RATE_KEY] = service.calls.count(caller.key_id)
            return await _if_known(request, service, caller, admitted(request, service, caller))

        async def admitted(request: Request, service: Service, caller: Caller) -> Response:
            request.state.caller = caller
            body = None if streams else await _body(request)
            named = named_tenants(request, body)
            await check_allowed(service, caller, verb, named=named, request_id=request_id_of(request))
            if verb in OWN_TENANT_ONLY:
                drop_tenants(body, from_scope=verb not in TENANT_IN_SCOPE)
            _check_parameters(request, known_parameters)
            try:
                key = request.headers.get(IDEMPOTENCY_HEADER)
                if key is not None and verb in KEPT and request.method in _WRITING_METHODS:
                    if not streams:
                        return await _once(request, service, caller, key, answered, verb)
                    with _BodyAside() as aside:
                        return await _once(await aside.taken(request), service, caller, key, answered, verb)
                response = await answered(request)
            except REFUSED as error:
                if not isinstance(error, UnderWay):  # that one is being done
                    await service.record_refused(
                        caller, verb=verb.value, code=error.code, request_id=request_id_of(request)
                    )
                raise
            if verb in SEEN and request.method in SEEN[verb] and response.status_code < 400:
                told = {name: str(value) for name, value in request.path_params.items()}
                await service.record_seen(caller, verb=verb.value, route=_route_path(request), ids=told.values())
            return _tagged(request, response) if request.method == "GET" else response

        return guarded


def guarded_router(tag: str) -> APIRouter:
    """A router of `/v1` whose routes all stand behind the guard."""
    return APIRouter(prefix="/v1", route_class=GuardedRoute, tags=[tag])


def needs(verb: Verb, *, streams: bool = False, **more: Any) -> dict[str, Any]:
    """What a route passes as `openapi_extra`: its verb, and whether its body is read as a stream."""
    extra: dict[str, Any] = {VERB_KEY: verb.value, **more}
    if streams:
        extra["x-muniment-streams"] = True
    return extra


async def known(request: Request, service: Service) -> Caller:
    """The caller. Wrong keys are counted by address and written to the database's own audit chain."""
    caller = await _authenticated(request, service)
    request.scope[RATE_KEY] = service.calls.count(caller.key_id)
    return caller


async def _authenticated(request: Request, service: Service) -> Caller:
    try:
        return await authenticate(request, service.keys, service.tokens)
    except Unauthenticated as refusal:
        await _note_unknown(request, service, refusal)
        raise


async def _if_known(
    request: Request, service: Service, caller: Caller, work: Coroutine[Any, Any, Response]
) -> Response:
    """The answer of a read that is worked out while the caller's key is looked up, which on a server takes a round trip.

    Whatever came of it, a caller whose key has been revoked since it was good last hears of that and of nothing else, and
    leaves no trace and no use.
    """
    looked_up = asyncio.create_task(_authenticated(request, service))
    try:
        with held_back() as held:
            response = await work
    except Exception:
        await looked_up
        raise
    except BaseException:
        looked_up.cancel()
        raise
    if await looked_up != caller:
        raise Unauthenticated("the key allows something else than before; send the request once more")
    for one in held:
        one()
    return response


async def _note_unknown(request: Request, service: Service, refusal: Unauthenticated) -> None:
    """Writes a try without a good key into the database's own chain, up to a number a minute, or tries could fill the disk.

    Raises RateLimited where one address tries too many wrong keys; a call without any key guesses nothing.
    """
    address = request.client.host if request.client else ""
    try:
        service.failures.count(address)
    except RateLimited as limited:
        if "Authorization" in request.headers:
            raise limited from refusal
        return
    await service.record_unknown(verb=_route_path(request), request_id=request_id_of(request))


async def check_allowed(
    service: Service, caller: Caller, verb: Verb, *, named: Sequence[object], request_id: str
) -> None:
    """Refuses what the role or the tenant does not allow, and says so in the tenant's audit chain.

    `named` are the tenants that the request names. Raises Forbidden, TenantRequired.
    """
    try:
        if verb in OWN_TENANT_ONLY or caller.role is not caller.role.OPERATOR:
            check_named_tenants(named, caller)
        if not may(caller.role, verb):
            raise Forbidden(f"the role {caller.role.value!r} may not {verb.value!r}")
    except (Forbidden, TenantRequired) as error:
        await service.record_refused(caller, verb=verb.value, code=error.code, request_id=request_id)
        raise


def _check_parameters(request: Request, known: Sequence[str]) -> None:
    """Raises Invalid for a query parameter that the route does not take: an answer that leaves a filter out looks filtered.

    `tenant` may stand everywhere; it has been compared with the key's. A list that is short is given whole, whatever its limit.
    """
    for name in request.query_params:
        if name not in known and name not in ("tenant", "limit", "cursor"):
            told = ", ".join(known) or "none"
            raise Invalid(f"{name[:100]!r} is not a known parameter here: those known are {told}", field=name[:100])


def reads(method: str, verb: Verb) -> bool:
    """Whether a route reads memories, and so may be asked to wait for a write."""
    return verb in (Verb.RECALL, Verb.CONTEXT) or (method == "GET" and verb in OWN_TENANT_ONLY)


async def _wait_for_writes(request: Request) -> None:
    """Waits until the writes whose tokens the request carries can be read; all of them within one bound.

    Raises NotYetReadable, Conflict, NotFound, Invalid.
    """
    given = [token for line in request.headers.getlist(READ_AFTER_HEADER) for token in line.split(",")]
    tokens = list(dict.fromkeys(token.strip() for token in given if token.strip()))
    if len(tokens) > _MOST_TOKENS:
        raise Invalid(
            f"{READ_AFTER_HEADER} has {len(tokens)} tokens: use at most {_MOST_TOKENS}", field=READ_AFTER_HEADER
        )
    service, caller = service_of(request), request.state.caller
    until = monotonic() + service.settings.read_after_wait_s
    for token in tokens:
        await service.memory(caller).wait_for(token, timeout_s=max(0.0, until - monotonic()))


async def _body(request: Request) -> object:
    """The parsed body, kept on the request for the route; None where there is none. Raises Invalid, TooLarge."""
    raw = await request.body()
    if not raw:
        return None
    media = request.headers.get("content-type", "application/json").partition(";")[0].strip().casefold()
    if media != "application/json" and not media.endswith("+json"):
        raise Invalid(f"the body is {media!r}: send JSON with 'Content-Type: application/json'", field="Content-Type")
    try:
        parsed = json.loads(raw, parse_constant=_no_constant)
    except RecursionError as cause:
        raise Invalid(f"the body is nested too deeply: use at most {DEEPEST} levels") from cause
    except (ValueError, UnicodeDecodeError) as cause:
        raise Invalid(f"the body is not JSON: {cause}") from cause
    if depth_exceeds(parsed, DEEPEST):
        raise Invalid(f"the body is nested too deeply: use at most {DEEPEST} levels")
    request._json = parsed  # where the framework looks first, so that it is parsed once
    return parsed


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def depth_exceeds(value: object, levels: int) -> bool:
    """Whether lists and objects stand in each other deeper than that."""
    layer: list[object] = [value]
    for _ in range(levels):
        layer = [
            child
            for one in layer
            if isinstance(one, dict | list)
            for child in (one.values() if isinstance(one, dict) else one)
        ]
        if not layer:
            return False
    return True


async def _once(request: Request, service: Service, caller: Caller, key: str, inner: Handler, verb: Verb) -> Response:
    """The kept answer where the same request was answered before, or is just being, else the route's, which is then kept.

    Only answers of success are kept: after an error the caller may mend the request or try again.
    """
    if not 1 <= len(key) <= _LONGEST_KEY:
        raise Invalid(
            f"{IDEMPOTENCY_HEADER} has {len(key)} characters: use 1 to {_LONGEST_KEY}", field=IDEMPOTENCY_HEADER
        )
    asked = answers.Request(
        caller=caller.key_id, key=key, fingerprint=await _fingerprint(request), tenant=caller.tenant
    )
    kept = await service.answers.begin_in_turn(asked, wait_s=service.settings.idempotency_wait_s)
    if kept is not None:
        headers = {REPLAYED_HEADER: "true"}
        return Response(json_bytes(kept.body), status_code=kept.status, media_type="application/json", headers=headers)
    try:
        async with service.answers.held(asked):
            response = await inner(request)
    except BaseException:
        await service.answers.drop(asked)
        raise
    is_told = response.status_code < 300 and response.media_type == "application/json"
    body = json.loads(bytes(response.body)) if is_told else {}
    told_once = (verb, request.method) in TOLD_ONCE
    if is_told and not (told_once and body.get("dry_run")):
        kept = answers.Answer(status=response.status_code, body=body, told_once=told_once)
        await service.answers.keep(asked, kept)
    else:
        await service.answers.drop(asked)
    return response


def _tagged(request: Request, response: Response) -> Response:
    """The answer with a tag of what it says; without a body where the caller has that very answer already."""
    if response.status_code != 200 or response.media_type != "application/json":
        return response
    tag = f'"{hashlib.sha256(bytes(response.body)).hexdigest()[:32]}"'
    had = {one.strip().removeprefix("W/") for one in request.headers.get("If-None-Match", "").split(",")}
    if tag in had:
        return Response(status_code=304, headers={"ETag": tag})
    response.headers["ETag"] = tag
    return response


async def _fingerprint(request: Request) -> str:
    told = hashlib.sha256()
    for part in (request.method, request.url.path, request.url.query):
        told.update(part.encode() + b"\0")
    digest = request.scope.get(_DIGEST)
    told.update(await request.body() if digest is None else digest)
    return told.hexdigest()


class _BodyAside:
    """A long body put aside in a file without a name, so that it can be recognised before it is read by the route."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES)  # noqa: SIM115  # closed by the block

    def __enter__(self) -> _BodyAside:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    async def taken(self, request: Request) -> Request:
        """The request with its body read and its digest known; it is read once more from the file."""
        digest = hashlib.sha256()
        async for chunk in request.stream():
            digest.update(chunk)
            self._file.write(chunk)
        self._file.seek(0)
        request.scope[_DIGEST] = digest.digest()
        return Request(request.scope, self._receive)

    async def _receive(self) -> Message:
        chunk = self._file.read(_CHUNK_BYTES)
        return {"type": "http.request", "body": chunk, "more_body": bool(chunk)}


def _route_path(request: Request) -> str:
    """The path as the route writes it, without the ids that stand in it."""
    route = request.scope.get("route")
    return str(getattr(route, "path", "unknown"))
