"""The system space: what belongs to the whole database and to no tenant (tenants, keys, kept answers).

It is a space like any other, so it works alike on every store; its name starts with a mark that no tenant's name may
start with, so no tenant can be named into it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from muniment.engine.ports.store import Database, TenantStore
from muniment.engine.write import audit
from muniment.engine.write.units import in_unit
from muniment.graph_schema.ids import Space, space_of

SYSTEM_NAME: Final = "_system"


def system_space(environment: str) -> Space:
    """The space of the database itself."""
    return Space(f"{environment}/{SYSTEM_NAME}")


def system_store(database: Database) -> TenantStore:
    """The store of the database's own records."""
    return database.space(system_space(database.environment))


def tenant_store(database: Database, tenant: str) -> TenantStore:
    """A tenant's store without any wall open, for its audit chain. Raises TenantRequired or Invalid as `space_of` does."""
    return database.space(space_of(database.environment, tenant))


async def record(
    store: TenantStore, *, at: datetime, actor: str, verb: str, outcome: str, ids: tuple[str, ...] = (), **detail: str
) -> None:
    """Adds one row to the audit chain of a space. `detail` must hold no memory's text."""
    await in_unit(
        store,
        lambda unit: audit.append(unit, at=at, actor=actor, verb=verb, outcome=outcome, ids=ids, detail=detail),
    )
