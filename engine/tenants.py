"""The tenants of a database, as its operator sees them: names and dates, never a memory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from muniment.engine.ports.clock import Clock, system_clock
from muniment.engine.ports.store import Database, DocumentQuery, Unit
from muniment.engine.retrieve.browse import Listing, Slice, list_by_id, seen_by
from muniment.engine.system import SYSTEM_NAME, record, system_store, tenant_store
from muniment.engine.tenant_settings import TenantSettings, settings_changes, settings_of, settings_with
from muniment.engine.write.units import in_unit
from muniment.graph_schema.errors import Conflict, NotFound
from muniment.graph_schema.ids import space_of, tenant_of
from muniment.graph_schema.records import Document, Tenant
from muniment.graph_schema.temporal import to_ms

TENANT: Final = "tenant"
_BATCH: Final = 500


async def create_tenant(database: Database, name: str, *, clock: Clock = system_clock) -> Tenant:
    """A new tenant. Raises Conflict where it is there already, TenantRequired or Invalid for a name that is none."""
    tenant, is_new = await _meet(database, name, clock=clock)
    if not is_new:
        raise Conflict(f"tenant {name!r} is already there")
    return tenant


async def ensure_tenant(database: Database, name: str, *, clock: Clock = system_clock) -> Tenant:
    """The tenant of that name, made if it is not there. Raises TenantRequired or Invalid for a name that is none."""
    return (await _meet(database, name, clock=clock))[0]


async def list_tenants(database: Database, *, limit: int = 50, cursor: str | None = None) -> Slice[Tenant]:
    """Tenants by name: those that were made, and those that simply have memories. Raises Invalid for another list's cursor."""
    listing = Listing(name="tenants", whose=seen_by(system_store(database)), limit=limit, cursor=cursor)
    return list_by_id(await all_tenants(database), listing, lambda tenant: tenant.name)


async def all_tenants(database: Database) -> list[Tenant]:
    """Every tenant by name, in one list."""
    found = {tenant.name: tenant for tenant in await _made(database)}
    for space in await database.spaces():
        name = tenant_of(space)
        if name != SYSTEM_NAME and name not in found:
            found[name] = await ensure_tenant(database, name)
    return [found[name] for name in sorted(found)]


async def find_tenant(database: Database, name: str) -> Tenant:
    """One tenant. Raises NotFound."""
    for tenant in await all_tenants(database):
        if tenant.name == name:
            return tenant
    raise NotFound.of("tenant", name)


async def tenant_settings(database: Database, name: str) -> TenantSettings:
    """What the tenant has set; the defaults where it has set nothing, or is not there yet."""
    document = await system_store(database).document(TENANT, name)
    return settings_of(document.body) if document else TenantSettings()


async def set_tenant_settings(
    database: Database, name: str, changes: object, *, actor: str, clock: Clock = system_clock
) -> Tenant:
    """Changes some settings of a tenant, from its next call on in every process. Raises NotFound, Invalid.

    What was set stands in the tenant's audit chain.
    """
    given = settings_changes(changes)
    await find_tenant(database, name)

    async def work(unit: Unit) -> Document:
        there = await unit.document(TENANT, name)
        if there is None:
            raise NotFound.of("tenant", name)
        changed = replace(there, body=settings_with(there.body, given))
        await unit.put_documents([changed])
        return changed

    document = await in_unit(system_store(database), work)
    told = {key: _told(value) for key, value in given.items()}
    store = tenant_store(database, name)
    await record(store, at=clock(), actor=actor, verb="tenant.settings", outcome="done", ids=(name,), **told)
    return _tenant_of(document)


async def _meet(database: Database, name: str, *, clock: Clock) -> tuple[Tenant, bool]:
    space_of(database.environment, name)

    async def work(unit: Unit) -> tuple[Tenant, bool]:
        there = await unit.document(TENANT, name)
        if there is not None:
            return _tenant_of(there), False
        now = clock()
        seq = max(to_ms(now), await unit.last_seq(TENANT) + 1)
        document = Document(kind=TENANT, id=name, seq=seq, created_at=now)
        await unit.put_documents([document])
        return _tenant_of(document), True

    return await in_unit(system_store(database), work)


async def _made(database: Database) -> list[Tenant]:
    system = system_store(database)
    found: list[Tenant] = []
    after: int | None = None
    while rows := await system.documents(DocumentQuery(kind=TENANT, after_seq=after, limit=_BATCH)):
        found += [_tenant_of(row) for row in rows]
        after = rows[-1].seq
    return found


def _tenant_of(document: Document) -> Tenant:
    return Tenant(name=document.id, created_at=document.created_at, settings=document.body)


def _told(value: object) -> str:
    """A setting's new value in the audit chain."""
    if isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    return "default" if value is None else str(value).lower()
