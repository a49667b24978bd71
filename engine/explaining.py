"""An earlier answer explained: given once more under what it was given then, and why one memory is not in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from muniment.engine.ports.store import TenantStore
from muniment.engine.rank.answer import Recall, RecallRequest
from muniment.engine.rank.asked import Under
from muniment.engine.rank.hits import kind_of
from muniment.engine.rank.policy import DEFAULT_POLICY
from muniment.engine.rank.recall import Retriever
from muniment.engine.rank.trace import request_from_json
from muniment.engine.rank.why_not import WhyNot, memory_of, why_not
from muniment.graph_schema.errors import Invalid, NotFound
from muniment.graph_schema.temporal import parse_time

_SAME_SCORE: Final = 1e-4  # vectors may be added up in another order


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A memory that is not where it was: its rank among the hits then and now (None: no hit), and its scores."""

    id: str
    kind: str
    rank_then: int | None
    rank_now: int | None
    score_then: float | None
    score_now: float | None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """An answer given once more: its question, clocks and weights, over what is stored now.

    `equal`: the same hits in the same order with the same scores. `moved` are the hits that differ, `reasons` what has
    changed since of that on which an answer depends: ontology, models, statistics, the reading of the question.
    """

    trace_id: str
    equal: bool
    hits: tuple[str, ...]
    moved: tuple[Moved, ...] = ()
    reasons: tuple[str, ...] = ()


def asked_again(body: Mapping[str, Any]) -> tuple[RecallRequest, Under]:
    """The question of a trace and what it was answered under. Raises Invalid for the trace of a write."""
    if "request" not in body:
        raise Invalid("the trace is of a write, not of an answer: it has no question", field="trace_id")
    request = request_from_json(body["request"])
    under = Under(
        policy=DEFAULT_POLICY.with_weights(body.get("policy", {})),
        now=parse_time(body["now"]),
        statistics_seq=body["looked_at"]["statistics_seq"],
        reread=body.get("reread") == "done",
    )
    return replace(request, known_at=parse_time(body["clocks"]["known_at"])), under


async def replay(store: TenantStore, retriever: Retriever, trace_id: str, body: Mapping[str, Any]) -> Replay:
    """The answer of a trace given once more, from a store that sees what the asker saw, and what differs."""
    request, under = asked_again(body)
    found = await retriever.recall(store, request, under)
    moved = [row for row in _pairs(body["hits"], found) if not _is_same(row)]
    return Replay(
        trace_id=trace_id,
        equal=not moved,
        hits=tuple(hit.id for hit in found.hits),
        moved=tuple([await _with_reason(store, retriever, row, request, under) for row in moved]),
        reasons=tuple(_reasons(body, found.trace.body)),
    )


def _pairs(then: Sequence[Mapping[str, Any]], found: Recall) -> list[Moved]:
    before = {hit["id"]: (rank, hit) for rank, hit in enumerate(then, 1)}
    now = {hit.id: (rank, hit) for rank, hit in enumerate(found.hits, 1)}
    rows = []
    for id in dict.fromkeys([*before, *now]):
        was, is_ = before.get(id), now.get(id)
        rows.append(
            Moved(
                id=id,
                kind=was[1]["kind"] if was else str(now[id][1].kind),
                rank_then=was[0] if was else None,
                rank_now=is_[0] if is_ else None,
                score_then=was[1]["score"] if was else None,
                score_now=is_[1].score if is_ else None,
            )
        )
    return rows


def _is_same(row: Moved) -> bool:
    if row.score_then is None or row.score_now is None or row.rank_then != row.rank_now:
        return False
    return abs(row.score_then - row.score_now) <= _SAME_SCORE


async def _with_reason(
    store: TenantStore, retriever: Retriever, row: Moved, request: RecallRequest, under: Under
) -> Moved:
    if row.rank_now is not None:
        return row
    try:
        memory = await memory_of(store, row.id)
    except NotFound:
        return replace(row, why="it is no longer there")
    return replace(row, why=(await why_not(store, await retriever.ranked(store, request, under), memory)).why)


def _reasons(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    out = []
    if then.get("ontology") != now["ontology"]:
        out.append("the ontology is another")
    if then["looked_at"]["models"] != now["looked_at"]["models"]:
        out.append("the models that read the question are others")
    if then["looked_at"]["statistics_seq"] != now["looked_at"]["statistics_seq"]:
        out.append("the statistics of that time are no longer kept apart: rarity of words and means are of now")
    if then["read"] != now["read"]:
        out.append("the question is read otherwise: other names or steps")
    if then["degraded"] != now["degraded"]:
        out.append("other parts of the engine are at hand")
    return out


async def why_not_in(
    store: TenantStore, sees: TenantStore, retriever: Retriever, trace_id: str, body: Mapping[str, Any], id: str
) -> WhyNot:
    """Why a memory that the caller of `store` sees is not in the answer of a trace; `sees` is the asker's view.

    Raises NotFound where the caller does not see it.
    """
    request, under = asked_again(body)
    memory = await memory_of(store, id)
    if memory.wall not in sees.walls and not sees.all_walls:
        why = f"it stands behind the wall {memory.wall!r}, which the question could not see"
        found = WhyNot(id=id, kind=kind_of(memory), stopped_by="wall", why=why)
    else:
        found = await why_not(sees, await retriever.ranked(sees, request, under), memory)
    block = body.get("block", {})
    if found.stopped_by == "shown" and block and id not in block["items"]:
        reason = next((one["reason"] for one in block["omitted"] if one["id"] == id), "budget")
        why = f"it has rank {found.rank} among the hits, and the block left it out: {reason}"
        found = replace(found, stopped_by=reason, why=why)
    return replace(found, trace_id=trace_id)
