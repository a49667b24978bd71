"""Time as the graph knows it: aware UTC instants, half-open intervals, two clocks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from muniment.graph_schema.errors import Invalid

FOREVER_MS = 253_402_300_799_999
"""9999-12-31T23:59:59.999Z in milliseconds: stands for "no end" where a store cannot filter on nothing."""
BEGINNING_MS = -62_135_596_800_000
"""0001-01-01T00:00:00Z in milliseconds: stands for "no known beginning"."""


def to_ms(moment: datetime) -> int:
    """UTC milliseconds since 1970, rounded down; the unit in which both stores keep time."""
    delta = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return (delta.days * 86_400_000) + delta.seconds * 1000 + delta.microseconds // 1000


def from_ms(ms: int) -> datetime:
    """The aware UTC moment of `to_ms`."""
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms)


def truncated(moment: datetime) -> datetime:
    """The moment in UTC at millisecond precision, which is what survives a round trip through a store."""
    return from_ms(to_ms(moment.astimezone(UTC)))


def parse_time(text: str, *, field: str = "time") -> datetime:
    """An RFC 3339 time with an offset, as aware UTC at millisecond precision.

    A date alone or a time without an offset is refused: which day it is depends on where one stands.
    Raises Invalid.
    """
    try:
        moment = datetime.fromisoformat(text.strip().replace("z", "Z"))
    except (ValueError, AttributeError) as cause:
        raise Invalid(
            f"{field} {text!r} is not a time: use RFC 3339 with an offset, such as 2026-03-01T09:00:00+01:00",
            field=field,
        ) from cause
    if moment.tzinfo is None:
        raise Invalid(
            f"{field} {text!r} has no offset: add one, such as {moment.isoformat()}+00:00 or ...Z for UTC", field=field
        )
    return _bounded(moment, text, field)


def require_aware(moment: datetime, *, field: str = "time") -> datetime:
    """The same moment in UTC at millisecond precision; raises Invalid where it is naive, or the last one there is."""
    if moment.tzinfo is None:
        raise Invalid(f"{field} {moment.isoformat()} has no time zone: pass an aware datetime", field=field)
    return _bounded(moment, moment.isoformat(), field)


def _bounded(moment: datetime, text: str, field: str) -> datetime:
    try:
        at = truncated(moment)
    except OverflowError as cause:
        raise Invalid(f"{field} {text!r} lies outside the years 1 to 9999 in UTC", field=field) from cause
    if to_ms(at) >= FOREVER_MS:
        raise Invalid(
            f"{field} {text!r} is the last moment there is: leave the field out for what has no end", field=field
        )
    return at


def format_time(moment: datetime) -> str:
    """RFC 3339 in UTC with `Z`; milliseconds only where there are any."""
    text = moment.astimezone(UTC).isoformat(timespec="milliseconds" if moment.microsecond else "seconds")
    return text.replace("+00:00", "Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Half-open [start, end); an open side is None: no known beginning, no known end."""

    start: datetime | None = None
    end: datetime | None = None

    def __contains__(self, moment: datetime) -> bool:
        return (self.start is None or self.start <= moment) and (self.end is None or moment < self.end)

    @property
    def is_empty(self) -> bool:
        return self.start is not None and self.end is not None and self.end <= self.start

    def overlaps(self, other: Interval) -> bool:
        """Whether some moment lies in both; adjacent intervals do not overlap."""
        starts_before_end = self.start is None or other.end is None or self.start < other.end
        other_starts_before_end = other.start is None or self.end is None or other.start < self.end
        return starts_before_end and other_starts_before_end and not self.is_empty and not other.is_empty


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """The two moments a read is made for: what was true at `as_of`, as we knew it at `known_at`."""

    as_of: datetime
    known_at: datetime
