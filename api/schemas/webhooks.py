"""Shapes of webhooks."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from muniment.api.schemas.base import In, Out

EventName = Literal["receipt.written", "review.opened", "job.done", "job.failed", "memory.purged", "access.refused"]


class WebhookIn(In):
    """Who is to be told of what."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"url": "https://crm.example/hooks/memory", "events": ["receipt.written", "review.opened"]}]
        }
    )

    url: Annotated[str, Field(max_length=2048, description="An https:// address that is public.")]
    events: Annotated[tuple[EventName, ...], Field(max_length=20, description="All of them where none is named.")] = ()


class WebhookOut(Out):
    id: str
    url: str
    events: list[str]
    created_at: str


class NewWebhookOut(WebhookOut):
    secret: Annotated[str, Field(description="Signs the deliveries (Standard Webhooks); shown this once.")]


class WebhooksOut(Out):
    items: list[WebhookOut]
    next_cursor: str | None
