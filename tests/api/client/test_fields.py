"""The Python records have the fields of the outward shapes, embedded and over a server, under the same names."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

import muniment
from muniment.api import shapes
from muniment.graph_schema import errors
from muniment.graph_schema.records import Status
from tests.api.client.live import Live

AT = "2026-03-02T10:15:00+01:00"
EPISODE = {"text": "Ana Ruiz lives in Lyon.", "kind": "note", "occurred_at": AT, "external_id": "note-1"}
WORKS = {"subject": {"name": "Ana Ruiz", "type": "person"}, "relation": "works_for", "object": {"name": "Globex"}}
PRICE = {"subject": {"name": "Plan A"}, "relation": "price_of", "object": {"value": 99}}

NAMED = {
    "episode": "text kind occurred_at external_id speaker title source lang scope wall importance metadata",
    "receipt": "id dry_run episodes changes reviews rejected job",
    "told": "id external_id status",
    "change": "action kind id because",
    "because": "rule by evidence",
    "ontology": "default_cardinality entity_types relations",
    "entity": "id name type aliases summary scope wall merged_into facts first_seen last_seen",
    "job": "id kind state attempts reason created_at updated_at receipt",
    "fact": "id subject relation object text valid_at invalid_at created_at expired_at status confidence importance pinned "
    "scope wall evidence superseded_by conflicts_with",
    "end": "id name type",
    "quote": "episode quote start end",
    "candidate": "kind text start end rule confidence type subject relation object valid_at invalid_at assertion episode",
    "recall": "hits recent omitted degraded trace_id took_ms",
    "hit": "kind id text score parts valid_at invalid_at occurred_at status path evidence superseded",
    "context": "text tokens sections omitted trace_id degraded empty",
    "section": "name tokens items",
    "item": "id text date source shortened",
    "trimmed": "messages tokens dropped degraded",
    "certificate": "id scope at actor counts remaining derived held digest",
    "page": "items next_cursor",
}
"""The fields that the outward contract names of each record."""


async def _records(memory: Any) -> dict[str, Any]:
    """One of each record, from the verbs that give them."""
    told = await memory.remember([EPISODE])
    receipt = await memory.assert_facts([WORKS, PRICE])
    answer = await memory.recall("Where does Ana Ruiz work?")
    block = await memory.context("Where does Ana Ruiz work?")
    later = await memory.remember(
        [{**EPISODE, "text": "Bo Lind lives in Oslo.", "external_id": "note-2"}], mode="async"
    )
    entities = await memory.entities(q="Ana Ruiz")
    fact = (await memory.facts(subject="Ana Ruiz", relation="lives_in")).items[0]
    found: dict[str, Any] = {
        "episode": await memory.episode(told.episodes[0].id),
        "receipt": receipt,
        "told": told.episodes[0],
        "change": receipt.changes[0],
        "because": receipt.changes[0].because,
        "ontology": await memory.ontology(),
        "entity": await memory.entity(entities.items[0].id),
        "listed entity": entities.items[0],
        "job": await memory.job(later.job),
        "fact": fact,
        "end": fact.object,
        "quote": fact.evidence[0],
        "candidate": (await memory.extract([{**EPISODE, "external_id": None}])).candidates[0],
        "recall": answer,
        "hit": answer.hits[0],
        "context": block,
        "section": block.sections[0],
        "item": block.sections[0].items[0],
        "trimmed": muniment.trim([{"role": "user", "content": "Hello"}], soft=10, hard=20),
        "page": entities,
        "price": (await memory.facts(subject="Plan A")).items[0],
    }
    return {**found, "certificate": await memory.purge({"external_id": "note-1"})}


@pytest.mark.parametrize("where", ["embedded", "server"])
async def test_records_have_the_fields_of_the_shapes(where: str, server: Live, tmp_path: Path) -> None:
    tenant = f"t-{uuid4().hex[:12]}"
    url, key = (server.url, server.key(tenant)) if where == "server" else (f"sqlite:///{tmp_path / 'own.db'}", "")
    async with muniment.connect(url, tenant=tenant, key=key) as memory:
        found = await _records(memory)
    missing = {
        name: gone
        for name, record in found.items()
        if (gone := [field for field in NAMED.get(name.split()[-1], "").split() if not hasattr(record, field)])
    }
    assert missing == {}
    _mean_the_same(found)


def _mean_the_same(found: dict[str, Any]) -> None:
    """The names say what the shapes say under them."""
    entity, fact, price, answer, block = (found[name] for name in ("entity", "fact", "price", "recall", "context"))
    shown = shapes.entity_page(entity)
    told = {name: getattr(entity, name) for name in ("id", "name", "type", "summary", "wall", "merged_into", "facts")}
    assert told == {name: shown[name] for name in told}
    assert list(entity.aliases) == shown["aliases"] == ["Ana Ruiz"]
    assert (entity.first_seen, entity.identifiers, entity.archived) == (entity.counts.first_seen, (), False)
    assert fact.status is Status.CURRENT
    assert (fact.object.value, fact.object.name) == (None, "Lyon")
    assert price.object.value == "99"
    assert (answer.hits, answer.omitted, answer.recent) == (
        answer.recall.hits,
        answer.recall.omitted,
        answer.recall.recent,
    )
    assert answer.degraded == answer.recall.degraded == block.degraded
    assert (block.text, block.tokens) == (block.context.text, block.context.tokens)
    assert all({"dense", "lexical", "graph", "recency", "importance", "use"} <= hit.parts.keys() for hit in answer.hits)
    assert all(hit.score == pytest.approx(sum(hit.parts.values())) for hit in answer.hits)


def test_the_errors_of_the_contract_and_trim_are_at_hand() -> None:
    named = "Invalid Forbidden NotFound Conflict Ambiguous Held TooLarge RateLimited TenantRequired WrongEnvironment"
    for name in [*named.split(), "ContextHardStop", "StoreUnavailable", "LaneUnavailable"]:
        assert getattr(muniment, name) is getattr(errors, name)
        assert name in muniment.__all__
    with pytest.raises(muniment.ContextHardStop):
        muniment.trim([{"role": "user", "content": "Hello there " * 50}], soft=5, hard=5)


@pytest.mark.parametrize("where", ["embedded", "server"])
async def test_an_empty_block_says_why(where: str, server: Live, tmp_path: Path) -> None:
    tenant = f"t-{uuid4().hex[:12]}"
    url, key = (server.url, server.key(tenant)) if where == "server" else (f"sqlite:///{tmp_path / 'own.db'}", "")
    async with muniment.connect(url, tenant=tenant, key=key) as memory:
        nothing = await memory.context("Where does Ana Ruiz live?")
        await memory.remember([EPISODE])
        tight = await memory.context("Where does Ana Ruiz live?", budget_tokens=5)
        full = await memory.context("Where does Ana Ruiz live?")
    assert nothing.empty == "nothing is kept here yet that you may see"
    assert tight.empty.startswith("of what was found nothing stands in a block of 5 tokens: left out ")
    assert "(budget)" in tight.empty
    assert full.sections
    assert full.empty == ""
