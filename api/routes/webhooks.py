"""Routes of webhooks: a tenant's own, for its admin."""

from __future__ import annotations

from fastapi import APIRouter, Response

from muniment.api import shapes, shapes_admin
from muniment.api.auth import Caller
from muniment.api.guard import guarded_router, needs
from muniment.api.roles import Verb
from muniment.api.routes.parts import CallerDep, Cursor, Limit, ServiceDep, answer
from muniment.api.schemas.webhooks import NewWebhookOut, WebhookIn, WebhookOut, WebhooksOut
from muniment.api.service import Service
from muniment.engine.webhooks.addresses import networks_in
from muniment.engine.webhooks.subscriptions import Webhooks
from muniment.graph_schema.errors import Forbidden

router: APIRouter = guarded_router("administer")
_WEBHOOKS = needs(Verb.WEBHOOKS)


@router.post("/webhooks", summary="Be told of what happens", response_model=NewWebhookOut, openapi_extra=_WEBHOOKS)
async def create_webhook(body: WebhookIn, caller: CallerDep, service: ServiceDep) -> Response:
    """Deliveries hold ids and counts, never memories. The secret is in this one answer and nowhere else."""
    if not service.settings.webhooks:
        raise Forbidden("webhooks are off here: whoever runs the service sets MUNIMENT_WEBHOOKS")
    made = await _webhooks(service, caller).create(body.url, body.events, actor=caller.actor)
    return answer({**shapes_admin.webhook(made.webhook), "secret": made.secret})


@router.get("/webhooks", summary="Who is told", response_model=WebhooksOut, openapi_extra=_WEBHOOKS)
async def webhooks(caller: CallerDep, service: ServiceDep, limit: Limit = 50, cursor: Cursor = None) -> Response:
    """Oldest first, without secrets."""
    found = await _webhooks(service, caller).list(limit=limit, cursor=cursor)
    return answer(shapes.items(map(shapes_admin.webhook, found.items), found.next_cursor))


@router.get("/webhooks/{id}", summary="One webhook", response_model=WebhookOut, openapi_extra=_WEBHOOKS)
async def webhook(id: str, caller: CallerDep, service: ServiceDep) -> Response:
    return answer(shapes_admin.webhook(await _webhooks(service, caller).get(id)))


@router.delete("/webhooks/{id}", summary="Tell no more", response_model=WebhookOut, openapi_extra=_WEBHOOKS)
async def delete_webhook(id: str, caller: CallerDep, service: ServiceDep) -> Response:
    """Deliveries that wait are not made any more."""
    return answer(shapes_admin.webhook(await _webhooks(service, caller).delete(id, actor=caller.actor)))


def _webhooks(service: Service, caller: Caller) -> Webhooks:
    networks = networks_in(service.settings.webhook_networks)
    return Webhooks(service.engine.database, caller.tenant, networks=networks, clock=service.clock)
