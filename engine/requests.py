"""A recall request from what a caller hands in: every option checked, with its default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from muniment.engine.ingest.given import flag, text, texts, whole
from muniment.engine.ingest.inputs import scope_in, time_in
from muniment.engine.rank.answer import FOUND_KINDS, RecallRequest
from muniment.graph_schema.errors import Invalid, TooLarge
from muniment.graph_schema.records import Kind, Scope

MAX_QUERY = 8_000
MAX_LIMIT = 200
MAX_HOPS = 4

Choice = TypeVar("Choice", bound=StrEnum)


def recall_request(
    query: str,
    *,
    limit: int = 10,
    as_of: datetime | str | None = None,
    known_at: datetime | str | None = None,
    asked_at: datetime | str | None = None,
    scope: Scope | Mapping[str, Any] | None = None,
    kinds: Iterable[str] | None = None,
    hops: int = 2,
    types: Iterable[str] | None = None,
    relations: Iterable[str] | None = None,
    min_importance: int | None = None,
    include_superseded: bool = False,
    include_archived: bool = False,
    speaker: str = "",
    read_time_words: bool = True,
) -> RecallRequest:
    """The request. `scope` is whose memories are read beside the shared ones; without one only the shared ones are.

    Raises Invalid naming the option, its value and what would be right; TooLarge for a query over 8,000 characters.
    """
    if not isinstance(query, str) or not query.strip():
        raise Invalid(f"query is {query!r}: ask something", field="query")
    if len(query) > MAX_QUERY:
        raise TooLarge(f"query has {len(query)} characters: at most {MAX_QUERY} are taken")
    return RecallRequest(
        query=query,
        limit=whole("limit", limit, 1, MAX_LIMIT),
        as_of=time_in(as_of, field="as_of"),
        known_at=time_in(known_at, field="known_at"),
        asked_at=time_in(asked_at, field="asked_at"),
        scope=scope_in(scope),
        kinds=frozenset(_kind(kind) for kind in texts("kinds", kinds)),
        hops=whole("hops", hops, 0, MAX_HOPS),
        types=frozenset(texts("types", types)),
        relations=frozenset(texts("relations", relations)),
        min_importance=1 if min_importance is None else whole("min_importance", min_importance, 1, 5),
        include_superseded=flag("include_superseded", include_superseded),
        include_archived=flag("include_archived", include_archived),
        speaker=text("speaker", speaker),
        read_time_words=flag("read_time_words", read_time_words),
    )


def _kind(value: str) -> Kind:
    allowed = {*FOUND_KINDS, Kind.ENTITY}
    if value not in allowed:
        raise Invalid(f"kinds holds {value!r}: use some of {', '.join(sorted(allowed))}", field="kinds")
    return Kind(value)
