"""Routes of the operator and of a tenant's own key keeper."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Final

from fastapi import APIRouter, Query, Response

from muniment.api import shapes
from muniment.api.auth import Caller
from muniment.api.guard import guarded_router, needs
from muniment.api.roles import Verb
from muniment.api.routes.parts import CallerDep, Cursor, Limit, MemoryDep, ServiceDep, answer
from muniment.api.schemas.keys import (
    KeyIn,
    KeyOut,
    KeysOut,
    ModelUseOut,
    NewKeyOut,
    RotateIn,
    TenantIn,
    TenantOut,
    TenantSettingsIn,
    TenantsOut,
)
from muniment.engine.keys import Grant, Role, walls_of
from muniment.engine.tenants import create_tenant, find_tenant, list_tenants, set_tenant_settings
from muniment.graph_schema.errors import Forbidden, TenantRequired

if TYPE_CHECKING:
    from muniment.engine.memory import Memory

router: APIRouter = guarded_router("operate")
_KEYS = needs(Verb.KEYS)
_TENANTS = needs(Verb.TENANTS)
_SETTINGS = needs(Verb.SETTINGS)
Days = Annotated[
    int | None,
    Query(ge=1, le=366, description="How many days at most, of those on which it was used; 31 where absent."),
]
SomeDays = Annotated[int | None, Query(ge=1, le=200, description="The same by its other name.")]
_MONTH: Final = 31
TenantFilter = Annotated[str | None, Query(min_length=1, description="For an operator: only this tenant's.")]


@router.post("/keys", summary="Make a key", response_model=NewKeyOut, openapi_extra=_KEYS)
async def create_key(body: KeyIn, caller: CallerDep, service: ServiceDep) -> Response:
    """The key is in this one answer and nowhere else. An admin makes keys of the own tenant only."""
    grant = _grant(body, caller)
    return answer(shapes.new_key(await service.keys.create(grant, actor=caller.actor)))


@router.get("/keys", summary="Keys, oldest first", response_model=KeysOut, openapi_extra=_KEYS)
async def keys(
    caller: CallerDep,
    service: ServiceDep,
    tenant: TenantFilter = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """Never their secrets."""
    found = await service.keys.list(tenant=_reach(caller, tenant), limit=limit, cursor=cursor)
    return answer(shapes.items(map(shapes.key, found.items), found.next_cursor))


@router.get("/keys/{id}", summary="One key", response_model=KeyOut, openapi_extra=_KEYS)
async def key(id: str, caller: CallerDep, service: ServiceDep) -> Response:
    return answer(shapes.key(await service.keys.get(id, tenant=_reach(caller))))


@router.delete("/keys/{id}", summary="Revoke a key at once", response_model=KeyOut, openapi_extra=_KEYS)
async def revoke_key(id: str, caller: CallerDep, service: ServiceDep) -> Response:
    return answer(shapes.key(await service.keys.revoke(id, actor=caller.actor, tenant=_reach(caller))))


@router.post(
    "/keys/{id}/rotate",
    summary="A new key for an old one",
    response_model=NewKeyOut,
    openapi_extra=_KEYS,
)
async def rotate_key(id: str, caller: CallerDep, service: ServiceDep, body: RotateIn | None = None) -> Response:
    """The old one goes on working for the overlap."""
    overlap = timedelta(seconds=(body or RotateIn()).overlap_s)
    new = await service.keys.rotate(id, actor=caller.actor, overlap=overlap, tenant=_reach(caller))
    return answer(shapes.new_key(new))


@router.post("/tenants", summary="Make a tenant", response_model=TenantOut, openapi_extra=_TENANTS)
async def make_tenant(body: TenantIn, service: ServiceDep) -> Response:
    return answer(shapes.tenant(await create_tenant(service.engine.database, body.name)))


@router.get("/tenants", summary="Tenants by name", response_model=TenantsOut, openapi_extra=_TENANTS)
async def tenants(service: ServiceDep, limit: Limit = 50, cursor: Cursor = None) -> Response:
    found = await list_tenants(service.engine.database, limit=limit, cursor=cursor)
    return answer(shapes.items(map(shapes.tenant, found.items), found.next_cursor))


@router.get("/tenants/{name}", summary="One tenant", response_model=TenantOut, openapi_extra=_TENANTS)
async def tenant(name: str, service: ServiceDep) -> Response:
    return answer(shapes.tenant(await find_tenant(service.engine.database, name)))


@router.patch("/tenants/{name}", summary="Change a tenant's settings", response_model=TenantOut, openapi_extra=_TENANTS)
async def change_tenant(name: str, body: TenantSettingsIn, caller: CallerDep, service: ServiceDep) -> Response:
    """From the tenant's next write on."""
    changes = body.changes()
    return answer(shapes.tenant(await set_tenant_settings(service.engine.database, name, changes, actor=caller.actor)))


@router.get(
    "/tenants/{name}/model-use",
    summary="What a tenant's language model cost, by day",
    response_model=ModelUseOut,
    openapi_extra=_TENANTS,
)
async def tenant_model_use(
    name: str, service: ServiceDep, days: Days = None, limit: SomeDays = None, cursor: Cursor = None
) -> Response:
    """Counts and cost only, newest day (UTC) first; for an operator."""
    await find_tenant(service.engine.database, name)
    memory = service.engine.for_tenant(name, actor="operator")
    return await _days_of_use(memory, limit or days or _MONTH, cursor)


@router.get(
    "/model-use",
    summary="What the own tenant's language model cost, by day",
    response_model=ModelUseOut,
    openapi_extra=_SETTINGS,
)
async def own_model_use(
    memory: MemoryDep, days: Days = None, limit: SomeDays = None, cursor: Cursor = None
) -> Response:
    """Newest day (UTC) first."""
    return await _days_of_use(memory, limit or days or _MONTH, cursor)


@router.get("/settings", summary="The own tenant's settings", response_model=TenantOut, openapi_extra=_SETTINGS)
async def own_settings(caller: CallerDep, service: ServiceDep) -> Response:
    """What is not named is as for all tenants."""
    return answer(shapes.tenant(await find_tenant(service.engine.database, caller.tenant)))


@router.patch("/settings", summary="Change the own tenant's", response_model=TenantOut, openapi_extra=_SETTINGS)
async def change_own_settings(body: TenantSettingsIn, caller: CallerDep, service: ServiceDep) -> Response:
    """From the next write on."""
    changes, database = body.changes(), service.engine.database
    return answer(shapes.tenant(await set_tenant_settings(database, caller.tenant, changes, actor=caller.actor)))


async def _days_of_use(memory: Memory, days: int, cursor: str | None) -> Response:
    found = await memory.model_use(limit=days, cursor=cursor)
    return answer(shapes.items(map(shapes.day_of_use, found.items), found.next_cursor))


def _reach(caller: Caller, tenant: str | None = None) -> str | None:
    """Whose keys the caller may see: an operator of the database everybody's, anybody else the own tenant's."""
    return tenant if caller.role is Role.OPERATOR else caller.tenant


def _grant(body: KeyIn, caller: Caller) -> Grant:
    """The grant asked for, if the caller may give it: nobody gives more than they have.

    Raises Forbidden for an operator's key or a wall that an admin does not see.
    """
    role, walls = Role(body.role), walls_of(body.walls)
    if caller.role is Role.OPERATOR:
        if body.tenant is None and role is not Role.OPERATOR:
            raise TenantRequired("a tenant is required: name the one whose key it is to be")
        tenant = body.tenant or ""
    else:
        tenant = caller.tenant
        if role is Role.OPERATOR:
            raise Forbidden("only an operator makes keys of operators")
        if hidden := walls - caller.walls:
            raise Forbidden(f"the walls {sorted(hidden)} are not in your own grant; an operator can give them")
    return Grant(tenant=tenant, role=role, walls=walls, name=body.name or "", expires_at=body.expires_at)
