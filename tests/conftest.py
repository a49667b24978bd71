"""Options of the whole suite, and fixtures for tests on real stores.

- `store_url`: the test runs once on each chosen store, each time an empty one. `store_leg` says which it is.
- `neo4j_store_url`: the same on the chosen Neo4j releases only.
- `neo4j_url("2026")`: the URL of that release's server, as it is.
- `local_neo4j()`: a server of the test's own, to stop and start at will.

URLs only: an async driver belongs to the event loop of the test that opens it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from muniment.engine.stores.neo4j.local.server import ANY_PORT, LocalNeo4j
from muniment.engine.stores.neo4j.local.versions import Tuning
from tests._stores import Choice, Leg, NotTested, Servers, current_choice

_CHOICE = pytest.StashKey[Choice]()
_SERVERS = pytest.StashKey[Servers]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write golden files anew; then read the diff")


def pytest_configure(config: pytest.Config) -> None:
    try:
        config.stash[_CHOICE] = current_choice()
    except ValueError as error:
        raise pytest.UsageError(str(error)) from error
    # How long an example takes says how busy the machine is, and nothing of the product.
    settings.register_profile(
        "untimed", parent=settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.load_profile("untimed")


def pytest_report_header(config: pytest.Config) -> str:
    choice = config.stash[_CHOICE]
    return f"stores: {', '.join(choice.store_legs)}{' (on the Neo4j server given)' if choice.given_url else ''}"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    choice = metafunc.config.stash[_CHOICE]
    # Session scope groups the tests by store, so that a later store's server starts as late as it can.
    if "store_leg" in metafunc.fixturenames:
        metafunc.parametrize("store_leg", choice.store_legs, ids=str, scope="session")
    if "neo4j_leg" in metafunc.fixturenames:
        metafunc.parametrize("neo4j_leg", choice.neo4j_legs, ids=str, scope="session")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """For `-n 2 --dist loadgroup`: all tests on one Neo4j server go to one process, which empties it between them; of the
    others those of one file stay together, with what they have in common."""
    if not config.pluginmanager.hasplugin("xdist"):
        return
    for item in items:
        item.add_marker(pytest.mark.xdist_group(_together(item)))


def _together(item: pytest.Item) -> str:
    parameters: dict[str, object] = getattr(getattr(item, "callspec", None), "params", {})
    legs = [leg for name in ("store_leg", "neo4j_leg") if (leg := parameters.get(name)) not in (None, Leg.SQLITE)]
    if legs:
        return str(legs[0])
    if "neo4j_servers" in getattr(item, "fixturenames", ()):
        return str(Leg.NEO4J_2026)
    return item.nodeid.partition("::")[0]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, object, object]:
    """Says after everything else, pytest's closing line too, what was left out, so that it cannot be overlooked."""
    result = yield
    servers = session.config.stash.get(_SERVERS, None)
    if servers is not None and not servers.choice.must_start:
        for leg, reason in servers.not_tested.items():
            session.config.get_terminal_writer().line(f"NOT TESTED: Neo4j ({leg}: {reason})", red=True)
    return result


@pytest.fixture(scope="session")
def neo4j_servers(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """The run's Neo4j servers; all are ended with the run."""
    servers = Servers(pytestconfig.stash[_CHOICE], tmp_path_factory.mktemp("neo4j"))
    pytestconfig.stash[_SERVERS] = servers
    yield servers
    servers.close()


def _url_or_skip(servers: Servers, leg: Leg) -> str:
    try:
        return servers.url(leg)
    except NotTested as reason:
        pytest.skip(f"not tested: {leg}: {reason}")


@pytest.fixture
def store_url(store_leg: Leg, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """The URL of an empty store. On Neo4j it is one server for all tests, emptied before each."""
    if store_leg is Leg.SQLITE:
        return f"sqlite:///{tmp_path / 'muniment.db'}"
    return _empty_neo4j(request.getfixturevalue("neo4j_servers"), store_leg)


@pytest.fixture
def neo4j_store_url(neo4j_leg: Leg, neo4j_servers: Servers) -> str:
    """The URL of an empty Neo4j store, once for each chosen release."""
    return _empty_neo4j(neo4j_servers, neo4j_leg)


def _empty_neo4j(servers: Servers, leg: Leg) -> str:
    url = _url_or_skip(servers, leg)
    servers.wipe(url)
    return url


@pytest.fixture(scope="session")
def neo4j_url(neo4j_servers: Servers) -> Callable[[str], str]:
    """Gives the URL of the server of a release ("2026" or "5"), with whatever earlier tests left there."""

    def url(version: str) -> str:
        leg = Leg(f"neo4j-{version}")
        if leg not in neo4j_servers.choice.neo4j_legs:
            pytest.skip(f"{leg} is not among the stores chosen for this run")
        return _url_or_skip(neo4j_servers, leg)

    return url


@pytest.fixture
def local_neo4j(tmp_path: Path, neo4j_servers: Servers) -> Iterator[Callable[..., LocalNeo4j]]:
    """Makes servers of the test's own, not started yet; what is left running is ended after the test.

    All have one data folder unless told otherwise, and take what `LocalNeo4j` takes.
    """
    made: list[LocalNeo4j] = []

    def make(version: str = "2026", **options: Any) -> LocalNeo4j:
        leg = Leg(f"neo4j-{version}")
        if leg not in neo4j_servers.choice.legs:
            pytest.skip(f"{leg} is not among the stores chosen for this run")
        try:
            neo4j_servers.prepare(leg)
        except NotTested as reason:
            pytest.skip(f"not tested: {leg}: {reason}")
        defaults = {
            "data_dir": tmp_path / "neo4j",
            "port": ANY_PORT,
            "end_with_parent": True,
            "heap_mb": 512,
            "tuning": Tuning.QUICK_START,
        }
        server = LocalNeo4j(version, **{**defaults, **options})
        made.append(server)
        return server

    yield make
    for server in made:
        server.stop(timeout_s=0)
