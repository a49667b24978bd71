"""Opening a Neo4j database as a store."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from muniment.engine.ports.clock import Clock
from muniment.engine.ports.leases import unbelievable_from
from muniment.engine.ports.store import Database, JobLoad, StoreCapabilities
from muniment.engine.stores.neo4j.connection import Connection, parse_address
from muniment.engine.stores.neo4j.filters import Walls
from muniment.engine.stores.neo4j.memory_rows import fact_of
from muniment.engine.stores.neo4j.migrations import migrate
from muniment.engine.stores.neo4j.rows import entity_of, job_of, job_properties
from muniment.engine.stores.neo4j.search import Means
from muniment.engine.stores.neo4j.tenant import Neo4jTenantStore
from muniment.engine.stores.neo4j.texts import encode, key
from muniment.graph_schema.errors import StoreUnavailable
from muniment.graph_schema.ids import Space
from muniment.graph_schema.records import Job, JobState
from muniment.graph_schema.temporal import from_ms, to_ms

# Vector indexes that filter inside came with the calendar versions.
_FIRST_FILTERED = 2026
_OLDEST = 5
_ERASE_BATCH = 5000


async def open_neo4j(
    url: str,
    *,
    environment: str,
    clock: Clock,
    user: str | None = None,
    password: str | None = None,
    database: str | None = None,
) -> Database:
    """The database behind a `neo4j://` or `bolt://` URL: stamped, migrated, ready.

    Raises Invalid for a URL that is none, StoreUnavailable where the server does not answer, refuses the credentials or
    is older than 5.26, WrongEnvironment for a database stamped with another environment.
    """
    connection = Connection(parse_address(url, user=user, password=password, database=database))
    try:
        try:
            version, edition = await _server(connection)
        except (
            StoreUnavailable
        ) as error:  # whoever opens a store chose the address; whoever asks later need not know it
            raise StoreUnavailable(f"{error} ({connection.address.url})") from error
        year = _major(version)
        if year < _OLDEST:
            raise StoreUnavailable(f"Neo4j {version} is too old: 5.26 or later is needed")
        is_filtered = year >= _FIRST_FILTERED
        schema_version = await migrate(
            connection, environment=environment, vectors="filtered" if is_filtered else "plain", clock=clock
        )
    except BaseException:
        await connection.close()
        raise
    capabilities = StoreCapabilities(
        name="neo4j", version=version, filtered_vector_index=is_filtered, many_processes=True, remote=True
    )
    return Neo4jDatabase(
        connection,
        capabilities=capabilities,
        environment=environment,
        edition=edition,
        schema_version=schema_version,
        clock=clock,
    )


class Neo4jDatabase:
    """What the `Database` port promises. Its connections belong to the event loop that opened it."""

    def __init__(
        self,
        connection: Connection,
        *,
        capabilities: StoreCapabilities,
        environment: str,
        edition: str,
        schema_version: int,
        clock: Clock,
    ) -> None:
        self._connection = connection
        self._capabilities = capabilities
        self._environment = environment
        self._edition = edition
        self._schema_version = schema_version
        self._clock = clock

    @property
    def capabilities(self) -> StoreCapabilities:
        return self._capabilities

    @property
    def environment(self) -> str:
        return self._environment

    def space(self, space: Space, *, walls: frozenset[str] = frozenset(), all_walls: bool = False) -> Neo4jTenantStore:
        return Neo4jTenantStore(
            self._connection,
            space=space,
            walls=Walls(names=walls | {""}, all=all_walls),
            means=Means.INDEXES if self._capabilities.filtered_vector_index else Means.NEIGHBOURS,
            clock=self._clock,
        )

    async def spaces(self) -> list[Space]:
        return [Space(name) for (name,) in await self._connection.read("space_list", {})]

    async def claim_jobs(
        self, kinds: Sequence[str], *, owner: str, now: datetime, lease_s: float, limit: int = 1
    ) -> list[tuple[Space, Job]]:
        never = to_ms(unbelievable_from(now, lease_s))
        due = {"kinds": sorted(encode(kind) for kind in kinds), "now": to_ms(now), "never": never, "limit": limit}
        if not await self._connection.read("job_list_due", {"given": due}):
            return []  # what a waiting worker mostly meets: no lock is taken for it
        async with self._connection.transaction("meta_lock", {"name": "jobs"}) as transaction:
            claimed: list[tuple[Space, Job]] = []
            for space, rest in await transaction.run("job_lock_due", {"given": due}):
                job = job_of(rest)
                claimed.append(
                    (
                        Space(space),
                        replace(
                            job,
                            state=JobState.RUNNING,
                            attempts=job.attempts + 1,
                            updated_at=now,
                            owner=owner,
                            lease_until=now + timedelta(seconds=lease_s),
                        ),
                    )
                )
            rows = [{"space": space, "row": job_properties(job)} for space, job in claimed]
            await transaction.run("job_set", {"given": {"rows": rows}})
        return claimed

    async def finish_job(self, space: Space, job: Job, *, owner: str) -> bool:
        async with self._connection.transaction("meta_lock", {"name": "jobs"}) as transaction:
            held = await transaction.run(
                "job_lock_held", {"space": space, "given": {"id": key(job.id), "owner": encode(owner)}}
            )
            if not held:
                return False
            await transaction.run("job_set", {"given": {"rows": [{"space": space, "row": job_properties(job)}]}})
        return True

    async def job_load(self, *, now: datetime, failed_since: datetime, without: Sequence[str] = ()) -> JobLoad:
        given = {"now": to_ms(now), "failed_since": to_ms(failed_since), "without": list(without)}
        ((failed, waiting, since),) = await self._connection.read("job_load", {"given": given})
        return JobLoad(failed=failed, waiting=waiting, oldest=None if since is None else from_ms(since))

    async def erase_space(self, space: Space) -> int:
        erased = 0
        parameters = {"space": space, "given": {"limit": _ERASE_BATCH}}
        while True:
            async with self._connection.transaction("space_lock", parameters) as transaction:
                count = int((await transaction.run("space_erase_some", parameters))[0][0])
                if count == 0:
                    await transaction.run("space_erase", parameters)
                    return erased
            erased += count

    async def scrub(self) -> None:
        """Drops what this process keeps of rows; the server reuses and overwrites the room of erased ones by itself."""
        fact_of.cache_clear()
        entity_of.cache_clear()

    async def tend(self, *, dry_run: bool = False) -> Mapping[str, int]:
        return {}  # the server keeps its log, its indexes and its planner's statistics by itself

    @property
    def search_memory_bytes(self) -> int:
        return 0

    async def describe(self) -> Mapping[str, str]:
        counts = await self._connection.read("meta_count", {})
        return {
            "store": "neo4j",
            "version": self._capabilities.version,
            "edition": self._edition,
            "schema_version": str(self._schema_version),
            "environment": self._environment,
            "where": self._connection.address.url,
            "database": self._connection.address.database,
            "vectors": "filtered index"
            if self._capabilities.filtered_vector_index
            else "plain index, exact where that is not enough",
            **{str(name): str(count) for name, count in counts},
        }

    async def close(self) -> None:
        await self._connection.close()


async def _server(connection: Connection) -> tuple[str, str]:
    """The server's version and edition."""
    rows = await connection.read("meta_components", {})
    for name, versions, edition in rows:
        if name == "Neo4j Kernel":
            return str(versions[0]), str(edition)
    raise StoreUnavailable("the server does not say that it is Neo4j")


def _major(version: str) -> int:
    match = re.match(r"\d+", version)
    return int(match[0]) if match else 0
