"""What an attack compares and looks up: an id that nobody has, an answer without what differs anyway, and what was noted."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from tests.api.calling import Caller

ID: Final = re.compile(r"(?:[a-z]+_)?[0-9a-f]{10,64}")
HOLDS_IDS: Final = re.compile(
    r"(?:^|_)(?:ids?|a|b|subject|object|episode|evidence|target|by|covers|token|wall|why_not)$"
)
_REFUSALS: Final = ("not_found", "forbidden", "tenant_required")
# Answers differ in these whatever is asked.
_MOVING = (
    "request_id",
    "trace_id",
    "took_ms",
    "created_at",
    "updated_at",
    "at",
    "id",
    "token",
    "digest",
    "seq",
    "hash",
    "occurred_at",
    "recorded_at",
)


def nobodys(said: str) -> str | None:
    """An id of the same form that nobody has; None for a name or a cursor, which anybody may say."""
    if not ID.fullmatch(said):
        return None
    mark, line, rest = said.rpartition("_")
    return mark + line + "0" * len(rest)


def is_refusal(problem: Mapping[str, Any]) -> bool:
    """Whether an answer says that something is not the caller's: what is refused so is written down."""
    return problem["code"] in _REFUSALS or [one["field"] for one in problem.get("errors", ())] == ["cursor"]


def still(answer: Any) -> Any:
    """What an answer says, without what differs anyway and without ids."""
    return _still(json.loads(ID.sub("ID", json.dumps(answer))))


def _still(value: Any) -> Any:
    if isinstance(value, list):
        return [_still(one) for one in value]
    if isinstance(value, dict):
        return {name: _still(one) for name, one in value.items() if name not in _MOVING}
    return value


def written_down(caller: Caller) -> set[str]:
    """The ids of the requests that the caller's chain notes as refused."""
    return {row["detail"]["request_id"] for row in caller.every("/v1/audit") if row["outcome"] == "refused"}
