"""One service for all tests of a run; each test has tenants of its own, which keeps tests apart as it keeps customers."""

from __future__ import annotations

import importlib.util
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any
from uuid import uuid4

import pytest

from tests._stores import Leg, NotTested
from tests.api.calling import Caller, Seeded, seed
from tests.api.running import Running, serving
from tests.api.surfaces import Asked, Surface, Surfaces, surfaces_on
from tests.api.victims import MARK, Victim, memories_of, victim
from tests.api.ways.agent import OverMcp

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    # Jobs that a test leaves behind wait for as long as the run takes.
    with serving(
        f"sqlite:///{tmp_path_factory.mktemp('api') / 'muniment.db'}", job_late_s=1e9, webhooks=True
    ) as service:
        yield service


@pytest.fixture
def tenant() -> str:
    """A tenant that no other test knows."""
    return f"t-{uuid4().hex[:12]}"


@pytest.fixture(scope="module")
def surfaces(
    store_leg: Leg, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Surfaces]:
    """The ways into one store, for all tests of a module; each test has a tenant of its own."""
    folder = tmp_path_factory.mktemp("cases")
    url = f"sqlite:///{folder / 'muniment.db'}"
    if store_leg is not Leg.SQLITE:
        servers = request.getfixturevalue("neo4j_servers")
        try:
            url = servers.url(store_leg)
        except NotTested as reason:
            pytest.skip(f"not tested: {store_leg}: {reason}")
        servers.wipe(url)
    with surfaces_on(url, folder) as ready:
        yield ready


@pytest.fixture(params=["python", "http", "cli"])
def surface(surfaces: Surfaces, tenant: str, request: pytest.FixtureRequest) -> Surface:
    """The test's tenant through one of the ways in."""
    return surfaces.of(request.param, tenant)


@pytest.fixture(params=["python", "http", "cli", "mcp"])
def way(request: pytest.FixtureRequest) -> str:
    """The name of a way in, agents' tools among them."""
    return str(request.param)


@pytest.fixture
def asked(surfaces: Surfaces, tenant: str, way: str) -> Asked:
    """The test's tenant through that way."""
    return surfaces.way(way, tenant)


@pytest.fixture
def desk(surfaces: Surfaces, tenant: str, way: str, asked: Asked) -> Surface:
    """The same where it has every verb; beside an agent's tools, somebody who can do what those cannot."""
    return surfaces.of("python", tenant) if isinstance(asked, OverMcp) else surfaces.of(way, tenant)


@pytest.fixture
def admin(running: Running, tenant: str) -> Caller:
    return running.caller(tenant)


@pytest.fixture
def seeded(admin: Caller) -> Seeded:
    """The tenant with an episode, two facts of one slot and a skill."""
    return seed(admin)


@pytest.fixture
def problem() -> Callable[[Any, int, str], dict[str, Any]]:
    """Checks that an answer is a problem of this status and code, and gives its body."""

    def check(response: Any, status: int, code: str) -> dict[str, Any]:
        body: dict[str, Any] = response.json()
        assert (response.status_code, body["code"]) == (status, code), body
        assert response.headers["content-type"] == "application/problem+json"
        assert body["status"] == status
        assert body["request_id"] == response.headers["x-request-id"]
        assert body.keys() >= {"type", "title", "detail"}
        assert "Traceback" not in response.text
        return body

    return check


@pytest.fixture(scope="module")
def attacked() -> Iterator[Running]:
    """A service of their own for a module's attacks, whose refused tries slow nobody else down."""
    with serving("sqlite://", job_late_s=1e9, read_after_wait_s=0.01, webhooks=True) as service:
        yield service


@pytest.fixture(scope="module")
def harmed(attacked: Running) -> Iterator[Victim]:
    """The victim of all tries; they must have left it as it was."""
    caller = attacked.caller("victim")
    one = victim(caller, "victim", attacked.client.get("/openapi.json").json())
    before = memories_of(caller)
    assert MARK in before
    yield one
    assert memories_of(caller) == before


@pytest.fixture(scope="session")
def typescript() -> ModuleType:
    """The client's tools, with its packages in place. Without a network it is not tested, which in CI is an error."""
    spec = importlib.util.spec_from_file_location("typescript", ROOT / "tools" / "typescript.py")
    assert spec is not None
    assert spec.loader is not None
    tools = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tools)
    try:
        tools.install()
    except (subprocess.SubprocessError, OSError) as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"not tested: the packages of the TypeScript client cannot be had: {error}")
    return tools
