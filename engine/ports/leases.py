"""How far off a due time or a lease can lie: what is farther was written by a clock that was wrong."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

FARTHEST: Final = timedelta(hours=2)
"""No job is put off, and no lease of a living worker lasts, for longer than this: more than the longest pause between two tries."""


def unbelievable_from(now: datetime, lease_s: float) -> datetime:
    """The moment after which no due time and no lease can lie, seen from `now`."""
    return now + max(FARTHEST, timedelta(seconds=2 * lease_s))
