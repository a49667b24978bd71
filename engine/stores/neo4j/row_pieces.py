"""The pieces from which rows are made: JSON that Bolt can carry, moments as milliseconds, scopes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from muniment.engine.stores.neo4j.texts import decode, encode
from muniment.graph_schema.records import Scope
from muniment.graph_schema.temporal import from_ms, to_ms

Properties = dict[str, Any]


def dumped(value: object) -> str:
    """JSON that the driver can carry, read back by `loaded`.

    Not JSON's own ASCII form: it would read two lone surrogates side by side as one character.
    """
    return encode(json.dumps(value, separators=(",", ":"), ensure_ascii=False))


def loaded(text: str) -> Any:
    """What was given to `dumped`."""
    return json.loads(decode(text))


def optional_ms(moment: datetime | None) -> int | None:
    """Milliseconds of a moment that may be none."""
    return None if moment is None else to_ms(moment)


def optional_moment(ms: int | None) -> datetime | None:
    """The moment of milliseconds that may be none."""
    return None if ms is None else from_ms(ms)


def scope_list(scope: Scope) -> list[str]:
    """The three parts of a scope, read back by `scope_of`."""
    return [scope.user, scope.agent, scope.session]


def scope_of(parts: Sequence[str]) -> Scope:
    """The scope of three parts."""
    return Scope(user=parts[0], agent=parts[1], session=parts[2])
