"""The stores that tests run on: which were chosen, and one real Neo4j server for each release and run.

A server is started when the first test asks for it, on a free port and an empty folder, and is ended by its process id.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from neo4j import Driver, GraphDatabase

from muniment.engine.stores.neo4j.local.folders import default_cache_dir
from muniment.engine.stores.neo4j.local.jars import ensure_jars
from muniment.engine.stores.neo4j.local.runtime import ensure_runtime
from muniment.engine.stores.neo4j.local.server import ANY_PORT, LocalNeo4j
from muniment.engine.stores.neo4j.local.versions import Tuning, find_version
from muniment.graph_schema.errors import StoreUnavailable

LEGS_VARIABLE = "MUNIMENT_TEST_STORES"
URL_VARIABLE = "MUNIMENT_TEST_NEO4J_URL"
DEFAULT_LEGS = "sqlite,neo4j-2026"
# Tests hold little data; two servers and the tests themselves have to fit on a small machine.
_HEAP_MB = 1024
_PAGE_CACHE_MB = 128
_IS_EMPTY = "MATCH (n) RETURN n IS NULL AS is_empty LIMIT 1"
_WIPE = "MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS"


class Leg(StrEnum):
    """One store that the contract tests can run on."""

    SQLITE = "sqlite"
    NEO4J_2026 = "neo4j-2026"
    NEO4J_5 = "neo4j-5"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What this run tests on."""

    legs: tuple[Leg, ...]
    given_url: str | None  # a server of the user's, in place of ours
    must_start: bool  # a leg that cannot start fails the run

    @property
    def neo4j_legs(self) -> tuple[Leg, ...]:
        """The chosen legs on Neo4j; at most one where a server was given, which has one release only."""
        legs = tuple(leg for leg in self.legs if leg is not Leg.SQLITE)
        return legs[:1] if self.given_url else legs

    @property
    def store_legs(self) -> tuple[Leg, ...]:
        """All legs, in the order named."""
        return tuple(leg for leg in self.legs if leg is Leg.SQLITE or leg in self.neo4j_legs)


def choice_from(environment: Mapping[str, str]) -> Choice:
    """What the environment asks for. Raises ValueError for a leg that does not exist."""
    names = [name.strip() for name in environment.get(LEGS_VARIABLE, DEFAULT_LEGS).split(",") if name.strip()]
    unknown = sorted(set(names) - set(Leg))
    if unknown or not names:
        raise ValueError(f"{LEGS_VARIABLE}: {', '.join(unknown) or 'nothing'} chosen; known are {', '.join(Leg)}")
    return Choice(
        legs=tuple(Leg(name) for name in dict.fromkeys(names)),
        given_url=environment.get(URL_VARIABLE) or None,
        must_start=environment.get("CI", "").lower() not in ("", "0", "false"),
    )


class NotTested(Exception):
    """A leg could not be started, and this run may go on without it; the text says why."""


class Servers:
    """The Neo4j servers of one run."""

    def __init__(self, choice: Choice, folder: Path) -> None:
        """Starts nothing; `folder` is where servers may keep their data until the run ends."""
        self.choice = choice
        self.not_tested: dict[Leg, str] = {}
        self._folder = folder
        self._started: dict[Leg, LocalNeo4j] = {}
        self._urls: dict[Leg, str] = {}
        self._drivers: dict[str, Driver] = {}

    def url(self, leg: Leg) -> str:
        """The URL of that leg's server, started by the first call.

        Raises NotTested when it cannot be started and need not be, StoreUnavailable when it must be. Either answer is
        remembered: nobody waits for a second try.
        """
        if leg in self.not_tested:
            raise self._refusal(leg)
        if leg not in self._urls:
            try:
                self._urls[leg] = self._start(leg)
            except StoreUnavailable as error:
                self.not_tested[leg] = str(error)
                raise self._refusal(leg) from error
        return self._urls[leg]

    def prepare(self, leg: Leg) -> None:
        """Sees to it that a server of that leg can be started here. Raises as `url` does."""
        if leg in self.not_tested:
            raise self._refusal(leg)
        try:
            version = find_version(leg.value.removeprefix("neo4j-"))
            ensure_runtime(version, cache_dir=default_cache_dir())
            ensure_jars(version, cache_dir=default_cache_dir())
        except StoreUnavailable as error:
            self.not_tested[leg] = str(error)
            raise self._refusal(leg) from error

    def wipe(self, url: str) -> None:
        """Deletes every node and relationship of the database; constraints and indexes stay."""
        with self._driver(url).session(database=_login(url).database) as session:
            session.run(_WIPE).consume()

    def close(self) -> None:
        """Ends the servers that were started, and empties the one that was given."""
        if self.choice.given_url and self.choice.given_url in self._urls.values():
            self.wipe(self.choice.given_url)
        for driver in self._drivers.values():
            driver.close()
        for server in self._started.values():
            server.stop(timeout_s=0)  # its data is not needed again, so there is nothing to wait for
            shutil.rmtree(server.data_dir, ignore_errors=True)
        self._started.clear()
        self._urls.clear()
        self._drivers.clear()

    def _start(self, leg: Leg) -> str:
        if self.choice.given_url:
            self._check_empty(self.choice.given_url)
            return self.choice.given_url
        server = LocalNeo4j(
            leg.value.removeprefix("neo4j-"),
            data_dir=self._folder / leg.value,
            port=ANY_PORT,
            end_with_parent=True,
            heap_mb=_HEAP_MB,
            page_cache_mb=_PAGE_CACHE_MB,
            tuning=Tuning.QUICK_START,
        )
        url = server.start().url
        self._started[leg] = server
        return url

    def _check_empty(self, url: str) -> None:
        from neo4j.exceptions import DriverError, Neo4jError

        try:
            with self._driver(url).session(database=_login(url).database) as session:
                has_data = session.run(_IS_EMPTY).single() is not None
        except (DriverError, Neo4jError) as error:
            raise StoreUnavailable(f"the server of {URL_VARIABLE} does not answer: {error}") from error
        if has_data:
            raise StoreUnavailable(f"the database of {URL_VARIABLE} holds data, and tests would delete it")

    def _driver(self, url: str) -> Driver:
        if url not in self._drivers:
            login = _login(url)
            self._drivers[url] = GraphDatabase.driver(
                login.address, auth=login.auth, telemetry_disabled=True, notifications_min_severity="OFF"
            )
        return self._drivers[url]

    def _refusal(self, leg: Leg) -> Exception:
        reason = self.not_tested[leg]
        return StoreUnavailable(reason) if self.choice.must_start else NotTested(reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Login:
    address: str
    auth: tuple[str, str] | None
    database: str


def _login(url: str) -> _Login:
    """What the driver wants apart: credentials may stand before the host or, with the database, in the query."""
    parts = urlsplit(url)
    query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    user = unquote(parts.username or "") or query.get("user", "")
    password = unquote(parts.password or "") or query.get("password", "")
    return _Login(
        address=f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}",
        auth=(user, password) if user else None,
        database=query.get("database", "neo4j"),
    )


def current_choice() -> Choice:
    """What this process's environment asks for."""
    return choice_from(os.environ)
