"""Shapes of webhooks."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from muniment.api.schemas.base import In, Out

EventName = Literal["receipt.written", "review.opened", "job.done", "job.failed", "memory.purged", "access.refused"]


# Said in the document and checked by the engine; where a network of one's own is allowed, it takes a few more.
_ADDRESS = (
    r"^https://([a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?\.){1,3}[a-z]{2,12}(:[1-9][0-9]{0,3})?(/[A-Za-z0-9._~-]{0,40}){0,5}$"
)


class WebhookIn(In):
    """Who is to be told of what."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"url": "https://crm.example/hooks/memory", "events": ["receipt.written", "review.opened"]}]
        }
    )

    url: Annotated[
        str,
        Field(
            max_length=2048, description="An https:// address that is public.", json_schema_extra={"pattern": _ADDRESS}
        ),
    ]
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
