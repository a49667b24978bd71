"""Where the current moment comes from."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from muniment.graph_schema.temporal import truncated

Clock = Callable[[], datetime]
"""Gives the present moment as aware UTC at millisecond precision."""


def system_clock() -> datetime:
    """The machine's own clock."""
    return truncated(datetime.now(UTC))
