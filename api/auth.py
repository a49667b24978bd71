"""Who calls: from the bearer key to a caller, and what else a request may say about its tenant."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

from starlette.requests import Request

from muniment.api.oidc.tokens import WORDS, TokenVerifier
from muniment.engine.keys import PREFIX, ApiKey, KeyRing, Role
from muniment.graph_schema.errors import Forbidden, RateLimited, TenantRequired, Unauthenticated
from muniment.graph_schema.ids import digest, is_nobody

TENANT_HEADER: Final = "X-Muniment-Tenant"
RATE_HEADERS: Final = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
RATE_KEY: Final = "muniment_rate"  # where a request's scope holds its `Rate`, or None
_MINUTE_S: Final = 60.0
_ITEM_LISTS: Final = ("episodes", "facts", "memory_commands")
_MOST_ADDRESSES: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who may do what: everything later is bound to it.

    `subject` is whom an identity provider's token speaks for, empty for a key of ours; `key_id` is then made from both.
    """

    key_id: str
    tenant: str
    role: Role
    walls: frozenset[str]
    subject: str = ""

    @property
    def actor(self) -> str:
        return f"oidc:{self.subject}" if self.subject else f"key:{self.key_id}"


def caller_of(key: ApiKey) -> Caller:
    return Caller(key_id=key.id, tenant=key.tenant, role=key.role, walls=key.walls)


async def authenticate(request: Request, keys: KeyRing, tokens: TokenVerifier | None = None) -> Caller:
    """The caller whose key the request shows, or for whom its token speaks, where tokens are taken.

    Raises Unauthenticated, Unavailable where a token's issuer cannot be asked for its keys.
    """
    text = _shown(request)
    if not text:
        raise Unauthenticated("no key: send 'Authorization: Bearer mk_…'")
    if tokens is None or text.startswith(PREFIX + "_") or text.count(".") != 2:
        return caller_of(await keys.authenticate(text))
    speaker = await tokens.speaker(text)
    if speaker.tenant and not await keys.has_tenant(speaker.tenant):
        raise Unauthenticated(WORDS)
    return Caller(
        key_id="oidc_" + digest(speaker.issuer, speaker.subject, speaker.tenant),
        tenant=speaker.tenant,
        role=speaker.role,
        walls=speaker.walls,
        subject=speaker.subject,
    )


def recalled(request: Request, keys: KeyRing) -> Caller | None:
    """The caller whose key was good when it was shown here last; `authenticate` must still agree before anything is answered."""
    key = keys.recall(_shown(request))
    return None if key is None else caller_of(key)


def _shown(request: Request) -> str:
    """The key or token of a request, empty where it shows none, or several."""
    shown = request.headers.getlist("Authorization")
    scheme, _, text = shown[0].partition(" ") if len(shown) == 1 else ("", "", "")
    return text.strip() if scheme.casefold() == "bearer" else ""


def check_named_tenants(named: Sequence[object], caller: Caller) -> None:
    """Refuses a request that names another tenant than its key's.

    Raises TenantRequired for a name that is none or could mean everybody (null, empty, `*`), Forbidden for any other that is
    not the key's.
    """
    for name in named:
        if name is None or (isinstance(name, str) and is_nobody(name)):
            raise TenantRequired(f"a tenant is required, got {name!r}; leave it out, the key names it")
        if name != caller.tenant:
            raise Forbidden("the key is of another tenant than the one named")


def named_tenants(request: Request, body: object) -> list[object]:
    """Every tenant that a request names: in its header, its query, its body and the items and scopes in that."""
    named: list[object] = list(request.headers.getlist(TENANT_HEADER))
    named += request.query_params.getlist("tenant")
    named += tenants_in(body)
    return named


def tenants_in(body: object) -> Iterator[object]:
    """Every tenant that a body names: itself, its scope, the items in it and theirs."""
    if not isinstance(body, Mapping):
        return
    yield from _in_object(body)
    for name in _ITEM_LISTS:
        items = body.get(name)
        for item in items if isinstance(items, list) else ():
            if isinstance(item, Mapping):
                yield from _in_object(item)


def drop_tenants(body: object, *, from_scope: bool) -> None:
    """Takes the tenants that `tenants_in` finds out of a body, once they are known to be the key's own: it says nothing more.

    `from_scope` is false where a scope may name a tenant, as that of a purge.
    """
    if not isinstance(body, dict):
        return
    listed = [body.get(name) for name in _ITEM_LISTS]
    for one in (body, *(item for items in listed if isinstance(items, list) for item in items)):
        if isinstance(one, dict):
            _drop(one)
            if from_scope and isinstance(one.get("scope"), dict):
                _drop(one["scope"])


def _drop(value: dict[str, Any]) -> None:
    if not isinstance(value.get("tenant"), bool):
        value.pop("tenant", None)


def _in_object(value: Mapping[str, Any]) -> Iterator[object]:
    # `true` and `false` name no tenant: in the scope of a purge the first means "all of mine", the second is wrong everywhere.
    scope = value.get("scope")
    for one in (value, scope):
        if isinstance(one, Mapping) and "tenant" in one and not isinstance(one["tenant"], bool):
            yield one["tenant"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """How much of a limit is left; the oldest call that counts is forgotten in `reset_s` seconds."""

    limit: int
    remaining: int
    reset_s: float

    def headers(self) -> dict[str, str]:
        """As answers tell it (draft-ietf-httpapi-ratelimit-headers, the form with three headers)."""
        return dict(
            zip(RATE_HEADERS, map(str, (self.limit, self.remaining, max(1, math.ceil(self.reset_s)))), strict=True)
        )


class Throttle:
    """How many calls each caller made in the last minute; 0 allowed means no limit.

    Kept in this process: with several, each counts for itself.
    """

    def __init__(self, allowed: int, *, clock: Callable[[], float] = monotonic) -> None:
        self._allowed = allowed
        self._clock = clock
        self._calls: dict[str, deque[float]] = {}

    def count(self, who: str) -> Rate | None:
        """Counts a call, and says how many are left; None without a limit.

        Raises RateLimited where there were too many within a minute.
        """
        if not self._allowed:
            return None
        now = self._clock()
        calls = self._calls.setdefault(who, deque())
        while calls and now - calls[0] >= _MINUTE_S:
            calls.popleft()
        if len(calls) >= self._allowed:
            wait = _MINUTE_S - (now - calls[0])
            raise RateLimited(
                f"more than {self._allowed} calls a minute; come back in {wait:.0f} s",
                retry_after_s=wait,
                limit=self._allowed,
            )
        calls.append(now)
        if len(self._calls) > _MOST_ADDRESSES:
            self._forget(now)
        return Rate(limit=self._allowed, remaining=self._allowed - len(calls), reset_s=_MINUTE_S - (now - calls[0]))

    def _forget(self, now: float) -> None:
        for who in [who for who, calls in self._calls.items() if not calls or now - calls[-1] >= _MINUTE_S]:
            del self._calls[who]
