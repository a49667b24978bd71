"""Hits made by hand, naming only what matters."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from muniment.engine.rank.hits import Hit, Scored, hit_of
from muniment.graph_schema.ids import EntityId, EpisodeId, FactId
from muniment.graph_schema.records import EntityRef, Episode, EpisodeKind, Fact, Kind, Quote

NOW = datetime(2026, 6, 1, 9, 30, tzinfo=UTC)


def ref(name: str, type: str = "person") -> EntityRef:
    return EntityRef(id=EntityId(f"e-{name}"), name=name, type=type)


def fact(id: str, text: str, **more: Any) -> Fact:
    values: dict[str, Any] = {
        "id": FactId(id),
        "slot": f"slot-{id}",
        "claim": f"claim-{id}",
        "subject": ref("Ana"),
        "relation": "works_for",
        "object": ref("Acme", "company"),
        "text": text,
        "valid_at": NOW,
        "created_at": NOW,
    }
    return Fact(**{**values, **more})


def preference(id: str, text: str, *, constraint: bool = False, **more: Any) -> Fact:
    return fact(id, text, kind=Kind.PREFERENCE, attributes={"constraint": constraint}, **more)


def episode(id: str, text: str, **more: Any) -> Episode:
    values: dict[str, Any] = {"kind": EpisodeKind.MESSAGE, "occurred_at": NOW, "recorded_at": NOW}
    return Episode(**{"id": EpisodeId(id), "text": text, **values, **more})


def hit(memory: Fact | Episode, score: float = 1.0) -> Hit:
    return hit_of(Scored(memory=memory, parts={"lexical": score}), at=NOW)


def quote(episode_id: str, text: str = "") -> Quote:
    return Quote(episode=EpisodeId(episode_id), quote=text)
