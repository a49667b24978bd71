"""The wire to a Neo4j server: where it is, how statements run, what its errors mean."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, LiteralString
from urllib.parse import parse_qsl, unquote, urlsplit
from weakref import WeakValueDictionary

from neo4j import READ_ACCESS, AsyncDriver, AsyncGraphDatabase, AsyncSession, AsyncTransaction, Query
from neo4j.auth_management import AsyncAuthManager
from neo4j.exceptions import (
    ClientError,
    ConstraintError,
    DatabaseError,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    TransientError,
)

from muniment.engine.stores.neo4j.statements import statement
from muniment.graph_schema.errors import Conflict, Invalid, MunimentError, StoreUnavailable

logger = logging.getLogger(__name__)

SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")
_OPTIONS = frozenset({"user", "password", "database"})

Row = list[Any]
Parameters = Mapping[str, Any]

READ_TIMEOUT_S = 60.0
# A unit holds its space's lock; the server ends one that never comes to its end.
UNIT_TIMEOUT_S = 300.0
_CONNECT_TIMEOUT_S = 5.0
_POOL_WAIT_S = 30.0
# A fresh connection after a server's restart needs a moment, a dead server should be told soon.
_TRIES = 4
_LOCK_TRIES = 8
_BACKOFF_S = 0.1
_IDLE_SESSIONS = 16
# What is said of a transaction that the server ended: where it ran, where it waited for a lock, or at its next step.
_ENDED_BY_SERVER = (
    "TransactionTimedOut",
    "TransactionTimedOutClientConfiguration",
    "LockClientStopped",
    "TransactionTerminated",
    "Terminated",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a database is and who asks; the credentials do not show in its text."""

    url: str  # without credentials
    user: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)
    database: str = "neo4j"


def parse_address(
    url: str, *, user: str | None = None, password: str | None = None, database: str | None = None
) -> Address:
    """The address in a store URL; what is given beside the URL goes before what stands in it.

    User, password and database may stand in the query (`?user=…&password=…&database=…`), the first two also before the
    host. Raises Invalid for another scheme or an unknown option, and never repeats the URL.
    """
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES:
        raise Invalid(f"store URL has the scheme {parts.scheme!r}: use one of {', '.join(SCHEMES)}", field="store")
    if not parts.hostname:
        raise Invalid("store URL names no host: use a form such as neo4j://127.0.0.1:7687", field="store")
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    if unknown := sorted(set(options) - _OPTIONS):
        raise Invalid(f"store URL has unknown options {unknown}: known are {sorted(_OPTIONS)}", field="store")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return Address(
        url=f"{parts.scheme}://{host}:{parts.port or 7687}",
        user=user or options.get("user") or (unquote(parts.username) if parts.username else None),
        password=password or options.get("password") or (unquote(parts.password) if parts.password else None),
        database=database or options.get("database") or parts.path.strip("/") or "neo4j",
    )


class Connection:
    """One driver, bound to one database of the server."""

    def __init__(self, address: Address, *, auth: AsyncAuthManager | None = None) -> None:
        self.address = address
        self._driver: AsyncDriver = AsyncGraphDatabase.driver(
            address.url,
            auth=auth or ((address.user, address.password or "") if address.user else None),
            telemetry_disabled=True,
            notifications_min_severity="WARNING",
            # A young database does not know every name that our statements use; that is no news.
            notifications_disabled_classifications=["UNRECOGNIZED"],
            connection_timeout=_CONNECT_TIMEOUT_S,
            connection_acquisition_timeout=_POOL_WAIT_S,
            keep_alive=True,
            user_agent="muniment",
        )
        # Shared by all sessions, so that on a cluster a read after a write sees it.
        self._bookmarks = AsyncGraphDatabase.bookmark_manager()
        self._idle: list[AsyncSession] = []  # between statements; a session serves one at a time
        # The server gives a lock to whichever of those that wait it likes; within this process the first has it first, and
        # whoever waits holds neither a connection nor a transaction. Kept for as long as somebody waits.
        self._turns: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    def _session(self, *, reading: bool = False) -> AsyncSession:
        if reading:
            return self._driver.session(
                database=self.address.database,
                default_access_mode=READ_ACCESS,
                bookmark_manager=self._bookmarks,
                fetch_size=-1,
            )
        return self._driver.session(database=self.address.database, bookmark_manager=self._bookmarks, fetch_size=-1)

    async def read(self, name: str, parameters: Parameters) -> list[Row]:
        """Runs a reading statement by itself, in one round trip; tried again where the connection or a lock failed."""
        query = Query(statement(name), timeout=READ_TIMEOUT_S)
        return await self._tried(query, parameters, reading=True)

    async def run(self, text: LiteralString, parameters: Parameters | None = None) -> list[Row]:
        """Runs a text by itself, for schema changes and questions about the server; it must be one that may run twice."""
        return await self._tried(Query(text, timeout=UNIT_TIMEOUT_S), parameters or {}, reading=False)

    async def _tried(self, query: Query, parameters: Parameters, *, reading: bool) -> list[Row]:
        for attempt in range(1, _TRIES + 1):
            try:
                with translated(began=monotonic(), timeout_s=query.timeout):
                    async with self._lent(reading=reading) as session:
                        result = await session.run(query, dict(parameters))
                        return await result.values()
            except StoreUnavailable as error:
                passing = ServiceUnavailable | SessionExpired | TransientError | DatabaseError
                if attempt == _TRIES or not (error.gave_way or isinstance(error.__cause__, passing)):
                    raise
                logger.warning("neo4j read tried again", extra={"attempt": attempt})
                await asyncio.sleep(_BACKOFF_S * attempt)
        raise AssertionError("unreachable: the last try returns or raises")

    @asynccontextmanager
    async def _lent(self, *, reading: bool) -> AsyncIterator[AsyncSession]:
        """A session for one statement. Making one costs more than a short way to the server, so readers' are kept; one whose
        statement failed is not."""
        session = self._idle.pop() if reading and self._idle else self._session(reading=reading)
        try:
            yield session
        except asyncio.CancelledError:
            session.cancel()
            raise
        except BaseException:
            await session.close()
            raise
        if reading and len(self._idle) < _IDLE_SESSIONS:
            self._idle.append(session)
        else:
            await session.close()

    @asynccontextmanager
    async def transaction(self, lock: str, parameters: Parameters) -> AsyncIterator[Transaction]:
        """A writing transaction that holds a lock: commits at the end of the block, rolls back when the block raises.

        `lock` names the statement that takes the lock; until it is held everything may be tried again, after that the
        block runs once. Whatever failed inside is raised at the end again, should the block have swallowed it.
        """
        which = (lock, str(parameters.get("space") or parameters.get("name")))
        turn = self._turns.setdefault(which, asyncio.Lock())
        async with turn, self._begun(lock, parameters) as transaction:
            yield transaction

    @asynccontextmanager
    async def _begun(self, lock: str, parameters: Parameters) -> AsyncIterator[Transaction]:
        with translated():
            opened = self._session()
        async with opened as session:
            with translated():
                inner, began = await self._locked(session, lock, parameters)
            transaction = Transaction(inner, began=began)
            try:
                yield transaction
            except BaseException:
                await _abandon(inner)
                raise
            if transaction.failure is not None:
                await _abandon(inner)
                raise transaction.failure
            with translated(began=began, timeout_s=UNIT_TIMEOUT_S):
                await inner.commit()

    async def _locked(self, session: AsyncSession, lock: str, parameters: Parameters) -> tuple[AsyncTransaction, float]:
        """A transaction that holds the lock, and when it began."""
        for attempt in range(1, _LOCK_TRIES + 1):
            inner: AsyncTransaction | None = None
            began = monotonic()
            try:
                inner = await session.begin_transaction(timeout=UNIT_TIMEOUT_S)
                held = await (await inner.run(statement(lock), dict(parameters))).values()
                if held:
                    return inner, began
                await _abandon(inner)
                await self._make_lock(lock, parameters)
            except (ServiceUnavailable, SessionExpired, TransientError, ClientError) as error:
                if inner is not None:
                    await _abandon(inner)
                lasting = isinstance(error, ClientError) and not _is_early(error, began, UNIT_TIMEOUT_S)
                if lasting or attempt >= _TRIES:
                    raise
                await asyncio.sleep(_BACKOFF_S * attempt * random.uniform(0.5, 1.5))
            except BaseException:
                if inner is not None:
                    await _abandon(inner)
                raise
        raise StoreUnavailable("the node that a write locks cannot be made")

    async def _make_lock(self, lock: str, parameters: Parameters) -> None:
        """Makes the node that `lock` locks, in a transaction of its own; somebody else may be first."""
        async with self._session() as session:
            try:
                await (await session.run(statement(lock.replace("_lock", "_make")), dict(parameters))).consume()
            except (ConstraintError, TransientError):
                logger.info("neo4j lock made by another")

    async def close(self) -> None:
        """Closes every connection."""
        while self._idle:
            await self._idle.pop().close()
        await self._driver.close()


class Transaction:
    """What runs inside one writing transaction."""

    def __init__(self, inner: AsyncTransaction, *, began: float) -> None:
        self._inner = inner
        self._began = began  # by the monotonic clock
        self.failure: MunimentError | None = None  # the first, after which nothing may be committed

    async def run(self, name: str, parameters: Parameters) -> list[Row]:
        """Runs the statement of that name and gives all its rows."""
        if self.failure is not None:
            raise self.failure
        try:
            with translated(began=self._began, timeout_s=UNIT_TIMEOUT_S):
                result = await self._inner.run(statement(name), dict(parameters))
                return await result.values()
        except MunimentError as error:
            self.failure = error
            raise

    def refuse(self, error: MunimentError) -> MunimentError:
        """Marks the transaction as one that must not commit, and gives back the error to raise."""
        self.failure = self.failure or error
        return error


def _is_early(error: Neo4jError, began: float, timeout_s: float) -> bool:
    """Whether the server ended what ran as one that took too long, long before its time. It looks at the times of
    transactions while it makes them, and now and then takes that of an earlier one; what it says then is to try again."""
    ended = (error.code or "").endswith(_ENDED_BY_SERVER)
    return ended and monotonic() - began < timeout_s / 2


@contextmanager
def translated(*, began: float | None = None, timeout_s: float | None = None) -> Iterator[None]:
    """Turns the driver's errors into ours: a broken uniqueness is a Conflict, what the server cannot do now is
    StoreUnavailable. A statement that is wrong in itself is our mistake and stays what it is.

    `began` is when what runs began, by the monotonic clock, and `timeout_s` how long it may take.
    """
    try:
        yield
    except ConstraintError as error:
        raise Conflict("another row holds the same key") from error
    except (ServiceUnavailable, SessionExpired) as error:
        raise StoreUnavailable("Neo4j does not answer") from error
    except ClientError as error:
        if (error.code or "").startswith("Neo.ClientError.Statement"):
            raise
        early = began is not None and timeout_s is not None and _is_early(error, began, timeout_s)
        raise StoreUnavailable(f"Neo4j refused: {error.code}", gave_way=early) from error
    except Neo4jError as error:
        deadlock = (error.code or "").endswith("DeadlockDetected")
        raise StoreUnavailable(f"Neo4j could not do it: {error.code}", gave_way=deadlock) from error
    except (DriverError, OSError) as error:
        raise StoreUnavailable(f"the connection to Neo4j failed: {type(error).__name__}") from error


async def _abandon(inner: AsyncTransaction) -> None:
    """Rolls back; where the connection is gone the server does it by itself, so what that raises says nothing new."""
    if asyncio.current_task() is not None and asyncio.current_task().cancelling():  # type: ignore[union-attr]
        inner.cancel()
        return
    try:
        await inner.rollback()
    except (Neo4jError, DriverError, OSError) as error:
        logger.info("neo4j rollback left to the server", extra={"reason": type(error).__name__})


def in_batches(rows: Sequence[Any], size: int = 1000) -> list[Sequence[Any]]:
    """The rows in runs of at most `size`: what one UNWIND carries."""
    return [rows[start : start + size] for start in range(0, len(rows), size)]
