"""LangGraph's long-term store on a tenant's memory: `graph.compile(store=MunimentStore(memory))`.

An item is an episode: its words are found by meaning and give facts like any other, its value stands beside them as it was
given. Putting a key again, or deleting it, forgets the episode before it with what only that one proved; the audit chain keeps
both, and `undo` brings them back. So a store that overwrites or deletes needs the role of a curator.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, Final
from urllib.parse import quote

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        MatchCondition,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        get_text_at_path,
        tokenize_path,
    )
    from langgraph.store.base import validate_op_namespace as check_labels
except ImportError as cause:
    raise ImportError("LangGraph is not installed: pip install 'muniment[langgraph]'") from cause

from muniment.api.adapters.bridge import Bridge
from muniment.engine.ingest.inputs import MAX_ITEMS
from muniment.engine.memory import ExtractMode
from muniment.engine.sync import SyncMemory
from muniment.engine.verbs import Verbs
from muniment.graph_schema.errors import NotFound
from muniment.graph_schema.records import Episode
from muniment.graph_schema.temporal import format_time, from_ms, parse_time, to_ms

Namespace = tuple[str, ...]
ScopeOf = Callable[[Namespace], Mapping[str, str]]

_ROOT: Final = "langgraph/"
_KEY: Final = "="  # escaped in labels, so that no label is taken for a key
_MARK: Final = "langgraph"
_PAGE: Final = 200
_FIELD_OF: Final = {
    "user": "user",
    "users": "user",
    "agent": "agent",
    "agents": "agent",
    "assistants": "agent",
    "session": "session",
    "sessions": "session",
    "threads": "session",
}


def scope_in_labels(namespace: Namespace) -> dict[str, str]:
    """The scope that a namespace names itself: `("users", "ana", …)` is of the user ana; likewise agents and sessions."""
    return {_FIELD_OF[label]: name for label, name in pairwise(namespace) if label in _FIELD_OF}


class MunimentStore(BaseStore):
    """A `BaseStore` whose items are memories.

    `scope_of` says whose memory a namespace is ({user, agent, session}, each optional); what it leaves out is shared in the
    tenant and is met by other questions to the same memory. `fields` are the paths of a value whose text is found and read
    (all text in it where empty); an item's own `index` wins. With `extract` "none" nothing is derived from items.

    Search with a query ranks what the scope of the prefix sees; further items under the prefix follow without a score.
    """

    def __init__(
        self,
        memory: Verbs | SyncMemory,
        *,
        scope_of: ScopeOf = scope_in_labels,
        fields: Sequence[str] = (),
        extract: ExtractMode = "auto",
        wall: str = "",
    ) -> None:
        self._bridge = Bridge(memory)
        self._scope_of = scope_of
        self._fields = tuple(fields)
        self._extract: ExtractMode = extract
        self._wall = wall

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Does the operations, reads before writes. Raises RuntimeError from the event loop's own thread."""
        given = list(ops)
        return self._bridge.run(lambda: self._do(given))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Does the operations, reads before writes; of several puts to one key the last one counts."""
        given = list(ops)
        return await self._bridge.arun(lambda: self._do(given))

    async def _do(self, ops: Sequence[Op]) -> list[Result]:
        puts: dict[tuple[Namespace, str], PutOp] = {}
        results: list[Result] = []
        for op in ops:
            check_labels(op)
            if isinstance(op, PutOp):
                puts[op.namespace, op.key] = op
                results.append(None)
            elif isinstance(op, GetOp):
                results.append(await self._get(op))
            elif isinstance(op, SearchOp):
                results.append(await self._search(op))
            else:
                results.append(await self._namespaces(op))
        await self._put(list(puts.values()))
        return results

    async def _get(self, op: GetOp) -> Item | None:
        found = await self._bridge.memory.episodes(thread=_thread_of(op.namespace, op.key), limit=1)
        kept = _Kept.of(found.items[0]) if found.items else None
        return kept.item() if kept is not None else None

    async def _put(self, ops: Sequence[PutOp]) -> None:
        """First what is new, then away with what it replaces: whoever is interrupted in between reads the newer."""
        now = from_ms(to_ms(datetime.now(UTC)))  # as finely as it is kept
        replaced: list[str] = []
        told: dict[ExtractMode, list[dict[str, Any]]] = {"none": [], self._extract: []}
        for op in ops:
            before = [one async for one in self._episodes(_thread_of(op.namespace, op.key))]
            replaced += [one.id for one in before]
            if op.value is not None:
                first = _Kept.of(before[-1]) if before else None
                episode = self._episode(op, now=now, since=first.created_at if first else now)
                mode: ExtractMode = "none" if op.index is False else self._extract
                told[mode].append(episode)
        memory = self._bridge.memory
        for extract, episodes in told.items():
            for start in range(0, len(episodes), MAX_ITEMS):
                await memory.remember(episodes[start : start + MAX_ITEMS], extract=extract)
        if replaced:
            with suppress(NotFound):  # somebody else was quicker
                await memory.forget(replaced, reason="put again or deleted")

    def _episode(self, op: PutOp, *, now: datetime, since: datetime) -> dict[str, Any]:
        value = dict(op.value or {})
        words = [] if op.index is False else list(_texts(value, op.index or self._fields))
        return {
            "kind": "note",
            "text": "\n".join(words).strip() or op.key or "-",
            "occurred_at": now,
            "thread": _thread_of(op.namespace, op.key),
            "source": "langgraph",
            "scope": dict(self._scope_of(op.namespace)),
            "wall": self._wall,
            "metadata": {
                _MARK: {
                    "namespace": list(op.namespace),
                    "key": op.key,
                    "value": value,
                    "created_at": format_time(since),
                    "indexed": bool(words),
                }
            },
        }

    async def _search(self, op: SearchOp) -> list[SearchItem]:
        wanted = op.offset + op.limit
        found: dict[tuple[Namespace, str], SearchItem] = {}
        if op.query:
            for kept, score in await self._ranked(op.query, op.namespace_prefix):
                if _fits(kept.value, op.filter):
                    found.setdefault((kept.namespace, kept.key), kept.found(score))
        if len(found) < wanted:
            async for kept in self._under(op.namespace_prefix):
                if _fits(kept.value, op.filter):
                    found.setdefault((kept.namespace, kept.key), kept.found(None))
                    if len(found) >= wanted:
                        break
        return list(found.values())[op.offset : wanted]

    async def _ranked(self, query: str, prefix: Namespace) -> list[tuple[_Kept, float]]:
        scope = dict(self._scope_of(prefix))
        answer = await self._bridge.memory.recall(query, kinds=["episode"], limit=_PAGE, scope=scope or None)
        ranked = [(kept, hit.score) for hit in answer.recall.hits if (kept := _Kept.of(hit.memory)) is not None]
        return [(kept, score) for kept, score in ranked if kept.indexed and kept.namespace[: len(prefix)] == prefix]

    async def _namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        conditions = op.match_conditions or ()
        plain = next((c.path for c in conditions if c.match_type == "prefix" and "*" not in c.path), ())
        found = {kept.namespace async for kept in self._under(tuple(plain))}
        matching = {one for one in found if all(_matches(one, condition) for condition in conditions)}
        return sorted({one[: op.max_depth] for one in matching})[op.offset : op.offset + op.limit]

    async def _under(self, prefix: Namespace) -> AsyncIterator[_Kept]:
        """The items under a prefix, newest first, each once."""
        seen: set[tuple[Namespace, str]] = set()
        async for episode in self._episodes(_prefix_of(prefix)):
            kept = _Kept.of(episode)
            if kept is not None and (kept.namespace, kept.key) not in seen:
                seen.add((kept.namespace, kept.key))
                yield kept

    async def _episodes(self, thread: str) -> AsyncIterator[Episode]:
        cursor: str | None = None
        while True:
            page = await self._bridge.memory.episodes(thread=thread, limit=_PAGE, cursor=cursor)
            for episode in page.items:
                yield episode
            if (cursor := page.next_cursor) is None:
                return


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """An item as it lies in an episode."""

    namespace: Namespace
    key: str
    value: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    indexed: bool

    @classmethod
    def of(cls, memory: object) -> _Kept | None:
        """The item of an episode; None for an episode that is none of ours, and for other memories."""
        told = memory.metadata.get(_MARK) if isinstance(memory, Episode) else None
        if not isinstance(memory, Episode) or not isinstance(told, Mapping):
            return None
        return cls(
            namespace=tuple(told["namespace"]),
            key=told["key"],
            value=dict(told["value"]),
            created_at=parse_time(told["created_at"]),
            updated_at=memory.occurred_at,
            indexed=told["indexed"],
        )

    def item(self) -> Item:
        return Item(
            namespace=self.namespace,
            key=self.key,
            value=self.value,
            created_at=self.created_at,
            updated_at=self.updated_at,
        )

    def found(self, score: float | None) -> SearchItem:
        return SearchItem(self.namespace, self.key, self.value, self.created_at, self.updated_at, score)


def _prefix_of(namespace: Namespace) -> str:
    return _ROOT + "".join(f"{quote(label, safe='')}/" for label in namespace)


def _thread_of(namespace: Namespace, key: str) -> str:
    return f"{_prefix_of(namespace)}{_KEY}{quote(key, safe='')}"


def _texts(value: Mapping[str, Any], paths: Sequence[str]) -> Iterator[str]:
    """The words of a value: what stands at the paths, or all text in it; a number with the name it stands under."""
    if paths:
        for path in paths:
            yield from get_text_at_path(value, tokenize_path(path))
    else:
        yield from _words("", value)


def _words(name: str, value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner, one in value.items():
            yield from _words(str(inner), one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _words(name, one)
    elif value is not None:
        yield f"{name}: {value}"


def _matches(namespace: Namespace, condition: MatchCondition) -> bool:
    path = tuple(condition.path)
    if len(namespace) < len(path):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for label, wanted in zip(part, path, strict=True))


def _fits(value: Mapping[str, Any], filter: Mapping[str, Any] | None) -> bool:
    return all(_equals(value.get(name), wanted) for name, wanted in (filter or {}).items())


def _equals(value: Any, wanted: Any) -> bool:
    """The framework's comparison: equal, nested, or by operators such as `{"$gte": 3}`."""
    if not isinstance(wanted, Mapping):
        return bool(value == wanted)
    if any(name.startswith("$") for name in wanted):
        return all(_compares(value, operator, other) for operator, other in wanted.items())
    return isinstance(value, Mapping) and _fits(value, wanted)


def _compares(value: Any, operator: str, other: Any) -> bool:
    if operator in ("$eq", "$ne"):
        return bool(value == other) is (operator == "$eq")
    if operator not in _ORDER:
        raise ValueError(f"filter operator {operator!r} is not one of $eq, $ne, $gt, $gte, $lt, $lte")
    try:
        return _ORDER[operator](float(value), float(other))
    except (TypeError, ValueError):
        return False  # what is no number is neither more nor less


_ORDER: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "$gt": lambda value, other: value > other,
    "$gte": lambda value, other: value >= other,
    "$lt": lambda value, other: value < other,
    "$lte": lambda value, other: value <= other,
}
