"""Merging two entities and taking the merge apart leaves every fact as it was, whatever was told of them."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.engine.bootstrap import open_database
from muniment.engine.ingest.inputs import facts_in
from muniment.engine.ports.store import FactQuery, Page, TenantStore
from muniment.engine.write.assert_facts import draft_facts
from muniment.engine.write.changes import Hand
from muniment.engine.write.commit import Writing, commit, commit_drafted
from muniment.engine.write.indexing import Indexer
from muniment.engine.write.merges import draft_merge
from muniment.engine.write.turns import Turns
from muniment.engine.write.undo import undo_in
from muniment.graph_schema.ids import EntityId, space_of
from muniment.graph_schema.ontology import base_ontology
from muniment.graph_schema.records import Fact

START = datetime(2026, 1, 1, tzinfo=UTC)
NAMES = ("Vesta Labs", "Orrin Mills", "Quill Harbour", "Ines Marlow")
RELATIONS = ("headquartered_in", "partner_of", "bought_from", "reports_to")
WRITING = Writing(ontology=base_ontology(), indexer=Indexer(None), turns=Turns())


@st.composite
def facts(draw: st.DrawFn) -> list[dict[str, Any]]:
    def one() -> dict[str, Any]:
        subject, object_ = draw(st.permutations(NAMES))[:2]
        day = draw(st.integers(min_value=0, max_value=5))
        return {
            "subject": {"name": subject},
            "relation": draw(st.sampled_from(RELATIONS)),
            "object": {"name": object_},
            **({"valid_at": (START + timedelta(days=day)).isoformat()} if day else {}),
        }

    return [one() for _ in range(draw(st.integers(min_value=1, max_value=8)))]


async def held(store: TenantStore) -> list[Fact]:
    """All that is held, denied and ended facts too, without when and in which version it was written."""
    query = FactQuery(as_of=START, include_superseded=True, include_archived=True)
    return sorted(await store.list_facts(query, Page(limit=500)), key=lambda fact: fact.id)


def told(found: list[Fact]) -> list[tuple[object, ...]]:
    return [
        (
            f.id,
            f.slot,
            f.claim,
            f.subject,
            f.relation,
            f.object,
            f.valid_at,
            f.invalid_at,
            set(f.assertions),
            f.closed_by,
        )
        for f in found
    ]


async def laws(given_facts: list[dict[str, Any]]) -> None:
    database = await open_database("sqlite://", environment="test")
    try:
        store = database.space(space_of("test", "acme"))
        draft = await draft_facts(store, facts_in(given_facts), actor="t", now=START, indexer=WRITING.indexer)
        await commit(store, draft, WRITING)
        before = await held(store)
        ids = sorted({end.id for fact in before for end in (fact.subject, fact.object)})[:3]
        hand = Hand(actor="t", at=START + timedelta(days=9))

        async def joined(count: int) -> None:
            entities = [EntityId(id) for id in ids[:count]]
            receipt = await commit_drafted(
                store, lambda unit: draft_merge(unit, entities, WRITING.ontology, hand), WRITING
            )
            merged = await held(store)
            assert not [f for f in merged if f.subject.id == f.object.id]
            assert not [f for f in merged if {f.subject.id, f.object.id} & set(entities[1:])]
            again = await undo_in(store, (await undo_in(store, receipt.id, hand, WRITING)).id, hand, WRITING)
            assert told(await held(store)) == told(merged)
            await undo_in(store, again.id, hand, WRITING)
            assert told(await held(store)) == told(before)

        await joined(2)
        if len(ids) > 2:
            await joined(3)
    finally:
        await database.close()


@settings(max_examples=25)
@given(facts())
def test_merging_and_parting_is_the_identity_on_facts(given_facts: list[dict[str, Any]]) -> None:
    asyncio.run(laws(given_facts))
