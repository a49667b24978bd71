"""The time zone in which a tenant's days begin and end."""

import re
from datetime import UTC, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from muniment.graph_schema.errors import Invalid

_OFFSET = re.compile(r"([+-])(\d{2}):([0-5]\d)")
_FARTHEST = timedelta(hours=14)  # Kiribati; nowhere is farther from Greenwich


def zone_name(value: object) -> str:
    """`value` where it names a zone, "" where there is none. Raises `Invalid`."""
    if value is None or value == "":
        return ""
    if isinstance(value, str):
        zone_of(value)
        return value
    raise _refusal(value)


def zone_of(name: str) -> tzinfo:
    """The zone of an IANA name (`Asia/Shanghai`) or an offset (`+08:00`); UTC for "". Raises `Invalid`.

    Names are those of the machine's zone data, or of the `tzdata` package where it has none; offsets know no summer time.
    """
    if name in ("", "UTC"):
        return UTC
    offset = _OFFSET.fullmatch(name)
    if offset is not None:
        ahead = timedelta(hours=int(offset[2]), minutes=int(offset[3]))
        if ahead <= _FARTHEST:
            return timezone(ahead if offset[1] == "+" else -ahead)
        raise _refusal(name)
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, LookupError) as cause:  # malformed, a folder, unknown
        raise _refusal(name) from cause


def _refusal(value: object) -> Invalid:
    return Invalid(
        f"time_zone is {value!r}; it must be a zone such as 'Europe/Madrid' that this machine knows, or an offset"
        " such as '+08:00'",
        field="time_zone",
    )
