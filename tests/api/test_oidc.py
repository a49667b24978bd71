"""Bearer tokens of an identity provider: good ones, every way to be a bad one, and the issuer's keys as they change."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from muniment.api.oidc.key_set import LOOK_AGAIN_S, MAY_BE_STALE_S, KeySet
from muniment.engine.settings import read_settings
from muniment.graph_schema.errors import Invalid, Unavailable
from tests.api.calling import Caller
from tests.api.running import Running, serving

ISSUER, AUDIENCE = "https://login.example", "muniment"
Check = Callable[[Any, int, str], dict[str, Any]]
RSA_KEY, OTHER_RSA = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2))
SMALL_RSA = rsa.generate_private_key(public_exponent=65537, key_size=1024)
EC_KEY = ec.generate_private_key(ec.SECP256R1())
RSA_PEM = RSA_KEY.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


def jwk(key: Any, kid: str, **more: str) -> dict[str, Any]:
    """The public key as an issuer publishes it."""
    if isinstance(key, rsa.RSAPrivateKey):
        told = RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
    else:
        told = ECAlgorithm.to_jwk(key.public_key(), as_dict=True)
    return {**told, "kid": kid, "use": "sig", **more}


KEYS = [jwk(RSA_KEY, "r1", alg="RS256"), jwk(EC_KEY, "e1"), jwk(SMALL_RSA, "small")]


def token(key: Any = RSA_KEY, alg: str = "RS256", kid: str | None = "r1", typ: str = "JWT", **claims: Any) -> str:
    """A signed token; a claim of None is left out."""
    now = datetime.now(UTC)
    told = {
        "iss": ISSUER, "aud": AUDIENCE, "sub": "ana@acme", "iat": now, "exp": now + timedelta(minutes=5),
        "tenant": "acme", "role": "writer", **claims,
    }  # fmt: skip
    headers = {"typ": typ, **({"kid": kid} if kid else {})}
    return jwt.encode({k: v for k, v in told.items() if v is not None}, key, algorithm=alg, headers=headers)


def forged(header: dict[str, Any], signed: Callable[[bytes], bytes]) -> str:
    """A token that no library would make."""
    now = int(datetime.now(UTC).timestamp())
    claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": "x", "exp": now + 300, "tenant": "acme", "role": "admin"}
    parts = [_text(json.dumps(part).encode()) for part in (header, claims)]
    return ".".join([*parts, _text(signed(".".join(parts).encode()))])


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _hs256(secret: bytes) -> Callable[[bytes], bytes]:
    return lambda told: hmac.new(secret, told, hashlib.sha256).digest()


def _rs256(key: rsa.RSAPrivateKey) -> Callable[[bytes], bytes]:
    return lambda told: key.sign(told, padding.PKCS1v15(), hashes.SHA256())


def test_the_forger_makes_tokens_that_are_good_where_all_else_is(service: Running) -> None:
    """The control of the forged tokens below: nothing but their header is wrong."""
    good = forged({"alg": "RS256", "kid": "r1", "typ": "JWT"}, _rs256(RSA_KEY))
    assert bearer(service, good)("GET", "/v1/facts").status_code == 200


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    path = tmp_path_factory.mktemp("oidc") / "jwks.json"
    path.write_text(json.dumps({"keys": KEYS}))
    with serving("sqlite://", oidc_issuer=ISSUER, oidc_audience=AUDIENCE, oidc_jwks=str(path)) as running:
        running.key("acme")
        yield running


def bearer(service: Running, text: str) -> Caller:
    return Caller(service.client, text)


def ago(**time: float) -> datetime:
    return datetime.now(UTC) - timedelta(**time)


@pytest.mark.parametrize(
    "make",
    [
        lambda: token(),
        lambda: token(EC_KEY, "ES256", "e1"),
        lambda: token(typ="at+jwt"),
        lambda: token(aud=["other", AUDIENCE]),
        lambda: token(exp=ago(seconds=10)),  # within the clock skew
        lambda: token(role=["someone", "reader", "writer"]),
    ],
    ids=["rs256", "es256", "access-token", "two-audiences", "skewed", "many-roles"],
)
def test_a_good_token_acts_as_its_subject(service: Running, make: Callable[[], str]) -> None:
    caller = bearer(service, make())
    fact = {"subject": {"name": "Ana"}, "relation": "likes", "object": {"name": "tea"}}
    assert caller.ok("POST", "/v1/facts", {"facts": [fact]})["actor"] == "oidc:ana@acme"
    assert caller.ok("GET", "/v1/facts")["items"]


# Made when they are asked for: one that had meanwhile expired would be refused for that.
BAD: dict[str, Callable[[], str]] = {
    "none": lambda: forged({"alg": "none", "typ": "JWT", "kid": "r1"}, lambda _: b""),
    "None": lambda: forged({"alg": "None", "kid": "r1"}, lambda _: b""),
    "hs256-with-the-public-key": lambda: forged({"alg": "HS256", "kid": "r1"}, _hs256(RSA_PEM)),
    "hs256-with-the-modulus": lambda: forged({"alg": "HS256", "kid": "r1"}, _hs256(KEYS[0]["n"].encode())),
    "own-key-in-the-header": lambda: forged(
        {"alg": "RS256", "kid": "r1", "jwk": jwk(OTHER_RSA, "r1")}, _rs256(OTHER_RSA)
    ),
    "own-place-in-the-header": lambda: forged(
        {"alg": "RS256", "kid": "r1", "jku": "https://evil.example"}, _rs256(OTHER_RSA)
    ),
    "critical-extension": lambda: forged({"alg": "RS256", "kid": "r1", "crit": ["exp"]}, _rs256(RSA_KEY)),
    "kid-is-no-text": lambda: forged({"alg": "RS256", "kid": {"a": 1}}, _rs256(RSA_KEY)),
    "wrong-key": lambda: token(OTHER_RSA),
    "unknown-kid": lambda: token(kid="r9"),
    "kid-of-another-kind": lambda: token(kid="e1"),
    "es256-named-by-an-rsa-kid": lambda: token(EC_KEY, "ES256", "r1"),
    "no-kid-and-two-keys": lambda: token(kid=None),
    "algorithm-not-allowed": lambda: token(alg="RS512"),
    "small-key": lambda: token(SMALL_RSA, kid="small"),
    "expired": lambda: token(exp=ago(minutes=2)),
    "not-yet": lambda: token(nbf=ago(minutes=-5)),
    "without-end": lambda: token(exp=None),
    "without-subject": lambda: token(sub=None),
    "subject-with-a-line-break": lambda: token(sub="a\nb"),
    "wrong-audience": lambda: token(aud="other"),
    "without-audience": lambda: token(aud=None),
    "wrong-issuer": lambda: token(iss="https://login.example.evil"),
    "another-kind-of-token": lambda: token(typ="logout+jwt"),
    "without-tenant": lambda: token(tenant=None),
    "tenant-of-everybody": lambda: token(tenant="*"),
    "tenant-is-a-list": lambda: token(tenant=["acme"]),
    "unknown-tenant": lambda: token(tenant="nobody"),
    "system-tenant": lambda: token(tenant="_system"),
    "without-role": lambda: token(role=None),
    "unknown-role": lambda: token(role="root"),
    "operator-unless-mapped": lambda: token(role="operator"),
    "wall-pattern": lambda: token(walls=["*"]),
    "not-base64": lambda: "a.b.c",
    "too-long": lambda: token(more="x" * 20_000),
}


@pytest.mark.parametrize("make", BAD.values(), ids=BAD.keys())
def test_a_bad_token_is_refused_in_the_same_words(service: Running, problem: Check, make: Callable[[], str]) -> None:
    body = problem(bearer(service, make())("GET", "/v1/facts"), 401, "unauthenticated")
    assert body["detail"] == "the token is unknown, expired or not for this service"


def test_a_changed_token_is_refused(service: Running) -> None:
    head, _, mark = token().split(".")
    _, claims, _ = token(role="admin").split(".")
    assert bearer(service, f"{head}.{claims}.{mark}")("GET", "/v1/facts").status_code == 401


def test_role_tenant_and_walls_of_a_token_bind_as_those_of_a_key_do(service: Running, problem: Check) -> None:
    problem(bearer(service, token(role="reader"))("POST", "/v1/forget", {"ids": ["x"]}), 403, "forbidden")
    other = bearer(service, token())("GET", "/v1/facts", headers={"X-Muniment-Tenant": "globex"})
    problem(other, 403, "forbidden")
    fact = {"subject": {"name": "Bo"}, "relation": "likes", "object": {"name": "rye"}, "wall": "deal-7"}
    behind, before = (bearer(service, token(walls=walls, sub=s)) for walls, s in ((["deal-7"], "b"), (None, "c")))
    id = next(c["id"] for c in behind.ok("POST", "/v1/facts", {"facts": [fact]})["changes"] if c["kind"] == "fact")
    assert behind("GET", f"/v1/facts/{id}").status_code == 200
    assert before("GET", f"/v1/facts/{id}").status_code == 404


def test_tokens_of_two_subjects_do_not_share_idempotency_keys(service: Running) -> None:
    fact = {"subject": {"name": "Cy"}, "relation": "likes", "object": {"name": "oats"}}
    answers = [
        bearer(service, token(sub=sub)).ok("POST", "/v1/facts", {"facts": [fact]}, headers={"Idempotency-Key": "one"})
        for sub in ("first", "second")
    ]
    assert [a["actor"] for a in answers] == ["oidc:first", "oidc:second"]


def test_names_of_the_issuer_are_mapped(tmp_path: Path) -> None:
    path = tmp_path / "jwks.json"
    path.write_text(json.dumps({"keys": [jwk(EC_KEY, "e1")]}))
    with serving(
        "sqlite://",
        oidc_issuer=ISSUER,
        oidc_audience=AUDIENCE,
        oidc_jwks=str(path),
        oidc_tenant_claim="https://acme.example/tenant",
        oidc_role_claim="realm_access.roles",
        oidc_roles="crm-staff=writer, crm-ops=operator",
    ) as service:
        service.key("acme")
        told: dict[str, Any] = {"https://acme.example/tenant": "acme", "tenant": None, "role": None}
        staff = token(EC_KEY, "ES256", None, realm_access={"roles": ["x", "crm-staff"]}, **told)
        assert bearer(service, staff)("GET", "/v1/jobs").status_code == 200  # one key: no id is needed
        ops = bearer(service, token(EC_KEY, "ES256", "e1", realm_access={"roles": ["crm-ops"]}, **told))
        assert [t["name"] for t in ops.ok("GET", "/v1/tenants")["items"]] == ["acme"]
        assert ops("GET", "/v1/facts").status_code == 403
        plain = token(EC_KEY, "ES256", "e1", realm_access={"roles": ["writer"]}, **told)
        assert bearer(service, plain)("GET", "/v1/jobs").status_code == 401


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"oidc_audience": ""}, "oidc_audience"),
        ({"oidc_jwks": ""}, "oidc_jwks"),
        ({"oidc_jwks": "http://keys.example/jwks"}, "oidc_jwks"),
        ({"oidc_algorithms": "RS256,none"}, "oidc_algorithms"),
        ({"oidc_algorithms": "HS256"}, "oidc_algorithms"),
        ({"oidc_roles": "staff=king"}, "oidc_roles"),
    ],
)
def test_wrong_settings_stop_the_start(changes: dict[str, str], name: str) -> None:
    from muniment.api.oidc.tokens import token_verifier

    given = {"oidc_issuer": ISSUER, "oidc_audience": AUDIENCE, "oidc_jwks": "https://login.example/jwks", **changes}
    with pytest.raises(Invalid) as wrong:
        token_verifier(read_settings(**given))
    assert wrong.value.field == name


class Publisher:
    """A real server that publishes keys, and counts who asks."""

    def __init__(self) -> None:
        self.keys: list[dict[str, Any]] = []
        self.status, self.asked = 200, 0
        publisher = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                publisher.asked += 1
                self.send_response(publisher.status)
                if publisher.status == 302:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()
                self.wfile.write(json.dumps({"keys": publisher.keys}).encode())

            def log_message(self, format: str, *args: object) -> None:
                return

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.place = f"http://127.0.0.1:{self.server.server_port}/jwks"


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    made = Publisher()
    thread = threading.Thread(target=made.server.serve_forever, daemon=True)
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()
    thread.join()


async def test_keys_from_an_address_are_kept_rotated_and_not_asked_for_too_often(publisher: Publisher) -> None:
    now = 0.0
    keys = KeySet(publisher.place, keep_s=300, passing=lambda: now)
    publisher.keys = [jwk(RSA_KEY, "r1")]
    for _ in range(3):
        assert [key["kid"] for key in await keys.named("r1")] == ["r1"]
    assert publisher.asked == 1
    publisher.keys = [jwk(OTHER_RSA, "r2")]
    assert await keys.named("r2") == []  # too soon to look again
    assert publisher.asked == 1
    now += LOOK_AGAIN_S
    assert [key["kid"] for key in await keys.named("r2")] == ["r2"]
    assert await keys.named("r1") == []  # what was taken off is refused at once
    for n in range(20):
        assert await keys.named(f"made-up-{n}") == []
    assert publisher.asked == 2


async def test_known_keys_bridge_a_pause_of_the_issuer_but_not_for_ever(publisher: Publisher) -> None:
    now = 0.0
    keys = KeySet(publisher.place, keep_s=60, passing=lambda: now)
    publisher.keys = [jwk(RSA_KEY, "r1")]
    await keys.named("r1")
    publisher.status = 302  # a redirect is not followed
    now = 100.0
    assert len(await keys.named("r1")) == 1
    now = 60.0 + MAY_BE_STALE_S
    with pytest.raises(Unavailable):
        await keys.named("r1")
    publisher.status = 200
    now += LOOK_AGAIN_S
    assert len(await keys.named("r1")) == 1


async def test_nothing_is_asked_for_before_a_token_comes(publisher: Publisher) -> None:
    settings = {"oidc_issuer": ISSUER, "oidc_audience": AUDIENCE, "oidc_jwks": publisher.place}
    with serving("sqlite://", **settings) as service:
        caller = service.caller("acme")
        caller.ok("GET", "/v1/facts")
        assert publisher.asked == 0
        publisher.status = 500
        assert bearer(service, token())("GET", "/v1/facts").status_code == 503
        caller.ok("GET", "/v1/facts")  # keys of our own need no issuer
