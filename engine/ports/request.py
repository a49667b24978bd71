"""Which request a piece of work belongs to: known where it comes in, and told in the logs and in the audit chain."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

current_request_id: Final[ContextVar[str]] = ContextVar("current_request_id", default="")
"""The id of the request under way; empty where a program calls the verbs itself, and for a worker."""
