"""The trace of an answer: plain data from which it can be explained and replayed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from muniment.engine.rank.answer import RecallRequest, Trace
from muniment.engine.rank.emptiness import unknown_terms
from muniment.engine.rank.hits import Hit, Omitted
from muniment.engine.rank.policy import DEFAULT_POLICY
from muniment.engine.rank.scored import Ranked
from muniment.engine.retrieve.answer_kinds import expected
from muniment.graph_schema.records import Kind, Scope
from muniment.graph_schema.temporal import format_time, parse_time

_DIGITS: Final = 5


def trace_of(ranked: Ranked, *, hits: Sequence[Hit], omitted: Sequence[Omitted]) -> Trace:
    """Question, clocks, what was looked at, and the parts of every hit and near miss, as JSON-able data."""
    asked, board, walked = ranked.asked, ranked.board, ranked.findings.walked
    clocks = asked.filter.clocks
    question = asked.question
    body: dict[str, Any] = {
        "request": request_to_json(asked.request),
        "read": {
            "lang": question.lang,
            "terms": list(question.terms),
            "expects": sorted(expected(question.text)),
            "entities": [{"text": s.text, "ids": list(s.ids)} for s in asked.seeds],
            "time_words": list(question.time.words),
            "steps": [{"from": seed, "words": [chunk.text for chunk in chunks]} for seed, chunks in walked.read],
            "wants_now": question.wants_now,
            "wants_history": question.wants_history,
        },
        "clocks": {"as_of": format_time(clocks.as_of), "known_at": format_time(clocks.known_at)},
        "now": format_time(asked.now),
        "policy": asked.policy.differences(DEFAULT_POLICY),
        "ontology": asked.ontology,
        "looked_at": {
            "candidates": len(board.parts),
            "memories": asked.statistics.groups(),
            "unknown_terms": unknown_terms(question.terms, asked.statistics),
            "statistics_seq": asked.statistics.seq,
            "models": sorted(asked.vectors),
        },
        "walk": {"share": round(walked.best, _DIGITS), "sure": bool(walked.sure)},
        "successions": [dict(one) for one in ranked.findings.sentences.told],
        "reread": ranked.reread,
        "hits": [hit_to_json(hit) for hit in hits],
        "omitted": [
            {
                "id": entry.id,
                "kind": str(entry.kind),
                "reason": entry.reason,
                "parts": rounded(board.parts.get((entry.kind, entry.id), {})),
            }
            for entry in omitted
        ],
        "degraded": list(asked.degraded),
    }
    return Trace(body=body)


def hit_to_json(hit: Hit) -> dict[str, Any]:
    """What a trace keeps of a hit: ids and numbers, no text."""
    return {
        "id": hit.id,
        "kind": str(hit.kind),
        "score": round(hit.score, _DIGITS),
        "parts": rounded({name: value for name, value in hit.parts.items() if value}),
        "status": str(hit.status),
        "path": [{"fact": step.fact, "from": step.source.id, "to": step.target.id} for step in hit.path],
        "evidence": [quote.episode for quote in hit.evidence],
        "copies": hit.copies,
    }


def rounded(parts: Any) -> dict[str, float]:
    """Parts of a score for showing."""
    return {name: round(value, _DIGITS) for name, value in sorted(parts.items())}


def request_to_json(request: RecallRequest) -> dict[str, Any]:
    """The request as JSON-able data, without what was left at its default."""
    out: dict[str, Any] = {}
    default = asdict(RecallRequest(query=""))
    for name, value in asdict(request).items():
        if name != "query" and value == default[name]:
            continue
        if isinstance(value, frozenset):
            out[name] = sorted(str(v) for v in value)
        elif hasattr(value, "tzinfo"):
            out[name] = format_time(value)
        else:
            out[name] = value
    return out


def request_from_json(told: Mapping[str, Any]) -> RecallRequest:
    """The request that `request_to_json` wrote."""
    values = dict(told)
    for name in ("as_of", "known_at", "asked_at"):
        if values.get(name):
            values[name] = parse_time(values[name])
    for name in ("types", "relations"):
        values[name] = frozenset(values.get(name, ()))
    values["kinds"] = frozenset(Kind(kind) for kind in values.get("kinds", ()))
    if values.get("scope"):
        values["scope"] = Scope(**values["scope"])
    return RecallRequest(**values)
