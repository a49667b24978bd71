"""Webhooks against a real receiver: what is told, signed, tried again, given up, and where nothing is ever sent."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import ssl
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from muniment.engine.bootstrap import Engine, open_engine
from muniment.engine.settings import Settings, read_settings
from muniment.engine.system import system_space
from muniment.engine.webhooks.addresses import networks_in
from muniment.engine.webhooks.delivery import Deliverer
from muniment.engine.webhooks.events import DELIVER
from muniment.engine.webhooks.relay import relay
from muniment.engine.webhooks.subscriptions import MOST, NewWebhook, Webhooks
from muniment.graph_schema.errors import Conflict, Forbidden, Unavailable
from muniment.graph_schema.ids import JobId, space_of
from muniment.graph_schema.records import Job, JobState
from tests.api.calling import Caller
from tests.api.running import Running, serving

START = datetime(2026, 4, 1, 9, tzinfo=UTC)
MARKER = "Xyzzymarker"
LOCAL = ("127.0.0.0/8",)
Check = Callable[[Any, int, str], dict[str, Any]]


class Receiver:
    """A real receiver. `statuses` are its next answers, 200 when they are used up."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.statuses: list[int] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
                status = receiver.statuses.pop(0) if receiver.statuses else 200
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                return

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        if tls is not None:
            self.server.socket = tls.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_port
        self.url = f"http://127.0.0.1:{self.port}/hook"
        self._thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self._thread.start()

    def told(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body in self.got]

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self._thread.join()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.close()


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def with_webhooks(*networks: str, **more: Any) -> Settings:
    return read_settings(store_url="sqlite://", webhooks=True, webhook_networks=",".join(networks), **more)


async def subscribe(engine: Engine, url: str, *events: str, tenant: str = "acme") -> NewWebhook:
    networks = networks_in(engine.settings.webhook_networks)
    return await Webhooks(engine.database, tenant, networks=networks, clock=engine.tools.clock).create(
        url, events, actor="test"
    )


async def deliver(engine: Engine) -> None:
    for worker in engine.deliverers():
        await worker.run_until_idle()


async def deliveries(engine: Engine, tenant: str = "acme") -> list[Job]:
    return [job for job in (await engine.for_tenant(tenant).jobs()).items if job.kind == DELIVER]


def note(n: int = 0) -> dict[str, Any]:
    return {"text": f"{MARKER} Ruiz lives in Oslo.", "kind": "note", "occurred_at": START, "external_id": f"n{n}"}


async def test_what_happens_is_told_once_signed_and_without_memories(receiver: Receiver, clock: Clock) -> None:
    async with open_engine(settings=with_webhooks(*LOCAL), clock=clock) as engine:
        memory = engine.for_tenant("acme")
        await memory.remember([note(0)])  # before anybody asked
        hook = await subscribe(engine, receiver.url)
        receipt = await memory.remember([note(1)])
        waiting = await memory.remember([note(2)], mode="async")
        await engine.worker().run_until_idle()
        certificate = await memory.purge({"episode": receipt.episodes[0].id})
        await memory.refused("recall", detail={"code": "forbidden"})
        await deliver(engine)
        await deliver(engine)
        told = receiver.told()
    types = [one["type"] for one in told]
    assert types.count("receipt.written") == 4  # two told, one derived, one purged
    assert {type: types.count(type) for type in set(types) - {"receipt.written"}} == {
        "job.done": 1, "memory.purged": 1, "access.refused": 1,
    }  # fmt: skip
    data = {one["type"]: one["data"] for one in told}
    assert data["job.done"]["job"] == waiting.job
    assert data["memory.purged"]["certificate"] == certificate.id
    assert data["access.refused"] == {"verb": "recall", "code": "forbidden"}
    first = next(one["data"] for one in told if one["data"].get("receipt") == receipt.id)
    assert (first["verb"], first["episodes"]) == ("remember", 1)
    assert MARKER not in json.dumps(told)
    for headers, body in receiver.got:
        key = base64.b64decode(hook.secret.removeprefix("whsec_"))
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        mark = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        assert headers["webhook-signature"] == f"v1,{mark}"
        assert int(headers["webhook-timestamp"]) == int(START.timestamp())
    assert len({headers["webhook-id"] for headers, _ in receiver.got}) == len(told)


async def test_only_what_was_asked_for_is_told_and_to_the_tenants_own_receiver(receiver: Receiver) -> None:
    async with open_engine(settings=with_webhooks(*LOCAL)) as engine:
        await subscribe(engine, receiver.url, "access.refused")
        await subscribe(engine, receiver.url, tenant="globex")
        await engine.for_tenant("acme").remember([note()])
        await deliver(engine)
        assert receiver.got == []
        await engine.for_tenant("acme").refused("recall")
        await deliver(engine)
        assert [one["type"] for one in receiver.told()] == ["access.refused"]


async def test_many_relays_at_once_tell_each_event_once(receiver: Receiver, clock: Clock) -> None:
    async with open_engine(settings=with_webhooks(*LOCAL), clock=clock) as engine:
        hook = await subscribe(engine, receiver.url, "receipt.written")
        await engine.for_tenant("acme").remember([note()])
        assert await relay(engine.database, clock) == 1
        system = engine.database.space(system_space("dev"))
        document = await system.document("webhook", hook.webhook.id)
        assert document is not None
        async with system.write() as unit:  # as if it had died before it noted how far it was
            await unit.put_documents([replace(document, body={**document.body, "cursor": 0})])
        assert await relay(engine.database, clock) == 0
        await deliver(engine)
        assert len(receiver.got) == 1


async def test_a_delivery_is_tried_again_with_growing_pauses_under_the_same_id(
    receiver: Receiver, clock: Clock
) -> None:
    async with open_engine(settings=with_webhooks(*LOCAL), clock=clock) as engine:
        await subscribe(engine, receiver.url, "receipt.written")
        await engine.for_tenant("acme").remember([note()])
        receiver.statuses = [500, 302, 429]
        pauses: list[float] = []
        for _ in range(3):
            await deliver(engine)
            (job,) = await deliveries(engine)
            assert job.state is JobState.QUEUED
            pauses.append((job.due_at - clock.now).total_seconds())
            clock.now = job.due_at
        await deliver(engine)
        (job,) = await deliveries(engine)
        assert (job.state, job.attempts, len(receiver.got)) == (JobState.DONE, 4, 4)
        assert 24 <= pauses[0] < pauses[1] < pauses[2] <= 144
        assert len({headers["webhook-id"] for headers, _ in receiver.got}) == 1
        assert receiver.got[0][0]["webhook-timestamp"] != receiver.got[-1][0]["webhook-timestamp"]


async def test_a_dead_receiver_ends_a_delivery_and_not_the_health_of_the_service(
    receiver: Receiver, clock: Clock
) -> None:
    receiver.close()
    async with open_engine(settings=with_webhooks(*LOCAL, webhook_attempts=3), clock=clock) as engine:
        await subscribe(engine, receiver.url)
        await engine.for_tenant("acme").remember([note()])
        for _ in range(3):
            await deliver(engine)
            clock.now += timedelta(hours=1)
        (job,) = await deliveries(engine)
        assert (job.state, job.attempts) == (JobState.FAILED, 3)
        assert job.reason.startswith("Unavailable: the receiver cannot be reached")
        load = await engine.database.job_load(now=clock.now, failed_since=START, without=[DELIVER])
        assert load.failed == 0
        row = (await engine.for_tenant("acme").audit()).items[0]
        assert (row.verb, row.outcome, row.ids) == ("job", "failed", (job.id,))
        await deliver(engine)
        assert len(await deliveries(engine)) == 1  # that it failed is not told in turn


async def test_the_failure_of_other_work_is_told(receiver: Receiver, clock: Clock) -> None:
    async with open_engine(settings=with_webhooks(*LOCAL, job_attempts=1), clock=clock) as engine:
        await subscribe(engine, receiver.url, "job.failed")
        store = engine.database.space(space_of("dev", "acme"))
        broken = Job(
            id=JobId("j_broken"), kind="derive", payload={"wrong": 1}, created_at=START, updated_at=START, due_at=START
        )
        async with store.write() as unit:
            await unit.put_jobs([broken])
        await engine.worker().run_until_idle()
        await deliver(engine)
        assert [one["data"] for one in receiver.told()] == [{"job": "j_broken", "kind": "derive"}]


async def test_a_deleted_webhook_hears_nothing_more(receiver: Receiver, clock: Clock) -> None:
    async with open_engine(settings=with_webhooks(*LOCAL), clock=clock) as engine:
        hook = await subscribe(engine, receiver.url)
        await engine.for_tenant("acme").remember([note()])
        await relay(engine.database, clock)
        await Webhooks(engine.database, "acme").delete(hook.webhook.id, actor="test")
        await deliver(engine)
        assert receiver.got == []
        assert [job.state for job in await deliveries(engine)] == [JobState.CANCELLED]


async def test_nothing_is_sent_to_this_machine_unless_a_setting_allows_it(receiver: Receiver, clock: Clock) -> None:
    """The subscription was made while the network was allowed, or its name resolves otherwise since."""
    async with open_engine(settings=with_webhooks(*LOCAL), clock=clock) as engine:
        await subscribe(engine, receiver.url.replace("127.0.0.1", "localhost"), "receipt.written")
        await engine.for_tenant("acme").remember([note()])
        await relay(engine.database, clock)
        (job,) = await deliveries(engine)
        space = space_of("dev", "acme")

        async def rebound(host: str, port: int) -> Sequence[str]:
            return ["127.0.0.1"]

        with pytest.raises(Forbidden):
            await Deliverer(engine.database, clock, resolve=rebound)(space, job)
        assert receiver.got == []
        await Deliverer(engine.database, clock, networks=networks_in(LOCAL), resolve=rebound)(space, job)
        assert len(receiver.got) == 1  # the control


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """A certificate of that name, signed by itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    paths = folder / f"{name}.pem", folder / f"{name}.key"
    paths[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return paths


async def test_by_tls_the_certificate_is_checked_against_the_name_though_the_number_is_called(
    tmp_path: Path, clock: Clock
) -> None:
    chain, key = certificate(tmp_path, "hooks.example")
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(chain, key)
    receiver, trust = Receiver(tls), ssl.create_default_context(cafile=str(chain))

    async def resolve(host: str, port: int) -> Sequence[str]:
        assert host.endswith(".example")
        return ["127.0.0.1"]

    try:
        async with open_engine(settings=with_webhooks(*LOCAL), clock=clock) as engine:
            for host in ("hooks.example", "other.example"):
                await subscribe(engine, f"https://{host}:{receiver.port}/hook", "receipt.written", tenant=host[:5])
                await engine.for_tenant(host[:5]).remember([note()])
            await relay(engine.database, clock)
            send = Deliverer(engine.database, clock, networks=networks_in(LOCAL), resolve=resolve, verify=trust)
            await send(space_of("dev", "hooks"), (await deliveries(engine, "hooks"))[0])
            assert receiver.got[0][0]["host"] == f"hooks.example:{receiver.port}"
            other = (await deliveries(engine, "other"))[0]
            with pytest.raises(Unavailable, match="ConnectError"):
                await send(space_of("dev", "other"), other)
            untrusting = Deliverer(engine.database, clock, networks=networks_in(LOCAL), resolve=resolve)
            with pytest.raises(Unavailable, match="ConnectError"):
                await untrusting(space_of("dev", "hooks"), (await deliveries(engine, "hooks"))[0])
    finally:
        receiver.close()
    assert len(receiver.got) == 1


async def test_a_tenant_has_so_many_and_no_more() -> None:
    async with open_engine(settings=with_webhooks()) as engine:
        for n in range(MOST):
            await subscribe(engine, f"https://crm.example/{n}")
        with pytest.raises(Conflict):
            await subscribe(engine, "https://crm.example/more")
        await subscribe(engine, "https://crm.example/other", tenant="globex")


# over HTTP


def test_an_admin_makes_lists_and_deletes_webhooks_of_the_own_tenant(
    admin: Caller, running: Running, problem: Check
) -> None:
    made = admin.ok("POST", "/v1/webhooks", {"url": "https://crm.example/hook", "events": ["job.failed"]})
    assert made["secret"].startswith("whsec_")
    listed = admin.ok("GET", "/v1/webhooks")["items"]
    assert [(one["id"], one["events"]) for one in listed] == [(made["id"], ["job.failed"])]
    assert "secret" not in listed[0]
    stranger = running.caller("webhook-stranger")
    for method in ("GET", "DELETE"):
        problem(stranger(method, f"/v1/webhooks/{made['id']}"), 404, "not_found")
    assert admin.ok("GET", f"/v1/webhooks/{made['id']}") == listed[0]
    admin.ok("DELETE", f"/v1/webhooks/{made['id']}")
    assert admin.ok("GET", "/v1/webhooks")["items"] == []
    rows = [(row["verb"], row["ids"]) for row in admin.ok("GET", "/v1/audit")["items"]]
    assert ("webhooks.delete", [made["id"]]) in rows
    assert ("webhooks.create", [made["id"]]) in rows
    assert made["secret"] not in json.dumps(list(admin("GET", "/v1/export").iter_lines()))


@pytest.mark.parametrize(
    "body",
    [
        {"url": "http://crm.example/hook"},
        {"url": "https://169.254.169.254/latest/meta-data"},
        {"url": "https://crm.example", "events": ["memory.read"]},
        {"url": ""},
        {},
    ],
)
def test_a_wrong_webhook_is_a_problem(admin: Caller, problem: Check, body: dict[str, Any]) -> None:
    problem(admin("POST", "/v1/webhooks", body), 422, "invalid")


def test_webhooks_are_off_unless_a_setting_turns_them_on(problem: Check) -> None:
    with serving("sqlite://") as service:
        problem(service.caller("acme")("POST", "/v1/webhooks", {"url": "https://crm.example"}), 403, "forbidden")
        app: Any = service.client.app
        assert app.state.service.engine.deliverers() == ()
