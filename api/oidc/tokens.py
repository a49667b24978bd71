"""Who a bearer token speaks for: a signed statement (JWT, RFC 7519) of an identity provider, read as a caller.

What is checked follows RFC 8725: the algorithm is one of an own list and fits the key's kind, the key is one that the settings
lead to, issuer and audience are ours, the token has not ended. Nothing in a token's header leads anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from muniment.api.oidc.key_set import KeySet
from muniment.engine.keys import Role, walls_of
from muniment.graph_schema.errors import Invalid, TenantRequired, Unauthenticated
from muniment.graph_schema.ids import space_of

if TYPE_CHECKING:
    from muniment.api.oidc.key_set import Key
    from muniment.engine.settings import Settings

# Each algorithm with the kind of key (and the curve) that it needs: a key never serves another one.
ALGORITHMS: Final[Mapping[str, tuple[str, str]]] = {
    **dict.fromkeys(("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"), ("RSA", "")),
    "ES256": ("EC", "P-256"),
    "ES384": ("EC", "P-384"),
    "ES512": ("EC", "P-521"),
    "EdDSA": ("OKP", "Ed25519"),
}
_TYPES: Final = frozenset({"jwt", "at+jwt", "application/at+jwt"})
_REQUIRED: Final = ("exp", "iss", "aud", "sub")
_PUBLIC: Final = ("kty", "n", "e", "crv", "x", "y")  # a set that shows its private parts is read without them
_LONGEST_TOKEN: Final = 16_384
_LONGEST_SUBJECT: Final = 255
_LEAST_RSA_BITS: Final = 2048
_RANKS: Final = tuple(Role)[:4]  # least first; an operator is no rank above an admin but something else

WORDS: Final = "the token is unknown, expired or not for this service"
"""What every caller hears, whatever is wrong with the token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaker:
    """Whom a good token speaks for."""

    issuer: str
    subject: str
    tenant: str  # empty for an operator
    role: Role
    walls: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenPolicy:
    """What makes a token good, and which claims say what. `roles` maps what an issuer calls a role to ours."""

    issuer: str
    audience: str
    algorithms: tuple[str, ...]
    roles: Mapping[str, Role]
    leeway_s: float = 30.0
    tenant_claim: str = "tenant"
    role_claim: str = "role"
    walls_claim: str = "walls"


class TokenVerifier:
    """Reads tokens of one issuer."""

    def __init__(self, keys: KeySet, policy: TokenPolicy) -> None:
        self._keys = keys
        self._policy = policy

    async def speaker(self, token: str) -> Speaker:
        """Whom the token speaks for. Raises Unauthenticated in the same words whatever is wrong, Unavailable where the
        issuer's keys cannot be had."""
        claims = await self._claims(token)
        subject = claims["sub"]
        if not isinstance(subject, str) or not 1 <= len(subject) <= _LONGEST_SUBJECT or not subject.isprintable():
            raise Unauthenticated(WORDS)
        role = self._role(_at(claims, self._policy.role_claim))
        try:
            walls = walls_of(_names(_at(claims, self._policy.walls_claim)))
            tenant = "" if role is Role.OPERATOR else _one_name(_at(claims, self._policy.tenant_claim))
        except (Invalid, TenantRequired) as cause:
            raise Unauthenticated(WORDS) from cause
        return Speaker(issuer=self._policy.issuer, subject=subject, tenant=tenant, role=role, walls=walls)

    async def _claims(self, token: str) -> Mapping[str, Any]:
        import jwt

        if len(token) > _LONGEST_TOKEN:
            raise Unauthenticated(WORDS)
        try:
            header = jwt.get_unverified_header(token)
        except jwt.PyJWTError as cause:
            raise Unauthenticated(WORDS) from cause
        algorithm, kid = self._header(header)
        fitting = [key for key in await self._keys.named(kid) if _fits(key, algorithm)]
        if len(fitting) != 1:  # none, or a token that does not say which
            raise Unauthenticated(WORDS)
        try:
            key = jwt.PyJWK({part: fitting[0][part] for part in _PUBLIC if part in fitting[0]}, algorithm=algorithm)
            if key.key_type == "RSA" and key.key.key_size < _LEAST_RSA_BITS:
                raise Unauthenticated(WORDS)
            claims: dict[str, Any] = jwt.decode(
                token,
                key=key,
                algorithms=[algorithm],
                audience=self._policy.audience,
                issuer=self._policy.issuer,
                leeway=self._policy.leeway_s,
                options={"require": list(_REQUIRED)},
            )
        except (jwt.PyJWTError, ValueError, TypeError) as cause:
            raise Unauthenticated(WORDS) from cause
        return claims

    def _header(self, header: Mapping[str, Any]) -> tuple[str, str | None]:
        """The algorithm and the key's id that a header names, where both are what we take."""
        algorithm, kid, kind = header.get("alg"), header.get("kid"), header.get("typ", "JWT")
        if algorithm not in self._policy.algorithms or "crit" in header:
            raise Unauthenticated(WORDS)
        if not isinstance(kind, str) or kind.casefold() not in _TYPES or not isinstance(kid, str | None):
            raise Unauthenticated(WORDS)
        return algorithm, kid

    def _role(self, told: object) -> Role:
        """The highest of the roles that the claim names; an operator only where nothing else is named."""
        found = {self._policy.roles[name] for name in _names(told) if name in self._policy.roles}
        ranked = [role for role in _RANKS if role in found]
        if ranked:
            return ranked[-1]
        if Role.OPERATOR in found:
            return Role.OPERATOR
        raise Unauthenticated(WORDS)


def token_verifier(settings: Settings) -> TokenVerifier | None:
    """The reader of tokens that the settings ask for; None where they name no issuer. Raises Invalid."""
    if not settings.oidc_issuer:
        return None
    try:
        import jwt.algorithms
    except ImportError as cause:
        raise Invalid(
            "MUNIMENT_OIDC_ISSUER is set, but the library is missing: pip install 'muniment[oidc]'", field="oidc_issuer"
        ) from cause
    if not jwt.algorithms.has_crypto:
        raise Invalid("MUNIMENT_OIDC_ISSUER needs the package cryptography: pip install 'muniment[oidc]'")
    for name in ("oidc_audience", "oidc_jwks"):
        if not getattr(settings, name):
            raise Invalid(f"MUNIMENT_{name.upper()} is empty: tokens of an issuer need it", field=name)
    unknown = sorted(set(settings.oidc_algorithms) - ALGORITHMS.keys())
    if unknown or not settings.oidc_algorithms:
        raise Invalid(
            f"MUNIMENT_OIDC_ALGORITHMS holds {unknown}: use some of {', '.join(ALGORITHMS)}", field="oidc_algorithms"
        )
    policy = TokenPolicy(
        issuer=settings.oidc_issuer,
        audience=settings.oidc_audience,
        algorithms=settings.oidc_algorithms,
        roles=_roles(settings.oidc_roles),
        leeway_s=settings.oidc_leeway_s,
        tenant_claim=settings.oidc_tenant_claim,
        role_claim=settings.oidc_role_claim,
        walls_claim=settings.oidc_walls_claim,
    )
    return TokenVerifier(KeySet(settings.oidc_jwks, keep_s=settings.oidc_jwks_keep_s), policy)


def _roles(pairs: Iterable[str]) -> dict[str, Role]:
    """What an issuer calls each role; without any, our own names, but never the operator's."""
    roles: dict[str, Role] = {}
    for pair in pairs:
        theirs, mark, ours = (part.strip() for part in pair.rpartition("="))
        if not mark or not theirs or ours not in set(Role):
            raise Invalid(
                f"MUNIMENT_OIDC_ROLES holds {pair!r}: write THEIRS=OURS with {', '.join(Role)}", field="oidc_roles"
            )
        roles[theirs] = Role(ours)
    return roles or {role.value: role for role in _RANKS}


def _fits(key: Key, algorithm: str) -> bool:
    """Whether a key is of the kind that the algorithm needs, and not kept for another."""
    kind, curve = ALGORITHMS[algorithm]
    return (
        key.get("kty") == kind
        and (not curve or key.get("crv") == curve)
        and key.get("alg", algorithm) == algorithm
        and "verify" in (key.get("key_ops") or ["verify"])
    )


def _at(claims: Mapping[str, Any], name: str) -> object:
    """The claim of that name, or the one that its dots lead to (`realm_access.roles`)."""
    if name in claims:
        return claims[name]
    found: object = claims
    for part in name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _names(told: object) -> list[str]:
    """The names in a claim: a list of them, or one."""
    listed: list[object] = told if isinstance(told, list) else [] if told is None else [told]
    names = [one for one in listed if isinstance(one, str)]
    if len(names) < len(listed):
        raise Unauthenticated(WORDS)
    return names


def _one_name(told: object) -> str:
    if not isinstance(told, str):
        raise Unauthenticated(WORDS)
    space_of("any", told)  # raises for what is no tenant's name
    return told
