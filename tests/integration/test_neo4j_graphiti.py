"""graphiti-core's own classes open a database that Muniment wrote: they find what holds now, and nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from graphiti_core.driver.neo4j_driver import Neo4jDriver
from graphiti_core.edges import EntityEdge, EpisodicEdge
from graphiti_core.errors import GroupIdValidationError
from graphiti_core.nodes import EntityNode, EpisodeType, EpisodicNode
from graphiti_core.search.search_filters import SearchFilters
from graphiti_core.search.search_utils import edge_bfs_search, edge_fulltext_search, edge_similarity_search

from muniment.engine.bootstrap import open_database
from muniment.engine.ports.search import SearchRequest
from muniment.engine.ports.store import Database
from muniment.graph_schema.ids import EpisodeId, space_of
from muniment.graph_schema.records import Kind, Quote
from tests.builders import (
    EMBEDDER,
    NOW,
    START,
    at,
    entity,
    episode,
    fact,
    indexed,
    mention,
    read_filter,
    ref,
    unit_vector,
)

ACME = space_of("dev", "acme")
QUESTION = unit_vector(1.0, 0.2)
EVERYTHING = SearchFilters()


@pytest_asyncio.fixture
async def database(neo4j_store_url: str) -> AsyncIterator[Database]:
    """A tenant with one current, one ended, one superseded, one rejected and one archived fact, and another tenant."""
    opened = await open_database(neo4j_store_url, environment="dev", clock=lambda: NOW)
    told = (Quote(episode=EpisodeId("ep1")),)
    facts = [
        fact("holds", text="Ana works for Acme.", evidence=told),
        fact("ended", invalid_at=at(days=5)),
        fact("closed", version=1, expired_at=at(days=2)),
        fact("closed", version=2, created_at=at(days=2), invalid_at=at(days=1)),
        fact("denied", rejected=True),
        fact("forgotten", archived=True),
    ]
    async with opened.space(ACME).write() as unit:
        await unit.put_episodes([episode("ep1", text="Ana told us.", title="Call", source="phone")])
        await unit.put_entities([entity("ana", summary="An engineer."), entity("acme", type="organisation")])
        await unit.put_mentions([mention("ep1", "ana")])
        await unit.put_facts(facts)
        await unit.put_index(
            [indexed(Kind.FACT, one, f"word-{one}", unit_vector(1.0)) for one in {f.id for f in facts}]
        )
    async with opened.space(space_of("dev", "globex")).write() as unit:
        await unit.put_entities([entity("bo"), entity("globex")])
        await unit.put_facts([fact("other", subject=ref("bo"), object=ref("globex"))])
        await unit.put_index([indexed(Kind.FACT, "other", "word", unit_vector(1.0))])
    yield opened
    await opened.close()


@pytest_asyncio.fixture
async def graphiti(
    neo4j_store_url: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Neo4jDriver]:
    """Graphiti's driver, with the indexes that it makes for itself, which are taken away again."""
    monkeypatch.setenv("GRAPHITI_TELEMETRY_ENABLED", "false")
    driver = Neo4jDriver(neo4j_store_url, None, None)
    if driver._init_task is not None:
        await driver._init_task
    yield driver
    await _without_their_indexes(driver)


async def _without_their_indexes(driver: Neo4jDriver) -> None:
    names, _, _ = await driver.execute_query(
        "SHOW INDEXES YIELD name, type WHERE NOT name STARTS WITH 'muniment' AND type <> 'LOOKUP' RETURN name"
    )
    for name in names:
        await driver.execute_query(f"DROP INDEX {name['name']} IF EXISTS")  # pyright: ignore[reportArgumentType]
    await driver.close()


async def test_nodes_and_episodes_are_read(graphiti: Neo4jDriver) -> None:
    nodes = {node.name: node for node in await EntityNode.get_by_group_ids(graphiti, [ACME])}
    assert set(nodes) == {"Ana", "Acme"}
    assert (nodes["Ana"].uuid, nodes["Ana"].summary, nodes["Ana"].created_at) == ("ana", "An engineer.", START)
    (told,) = await EpisodicNode.get_by_group_ids(graphiti, [ACME])
    assert (told.name, told.content, told.source, told.source_description) == (
        "Call",
        "Ana told us.",
        EpisodeType.message,
        "phone",
    )
    assert (told.valid_at, told.created_at) == (START, START)
    (mentioned,) = await EpisodicEdge.get_by_group_ids(graphiti, [ACME])
    assert (mentioned.source_node_uuid, mentioned.target_node_uuid) == ("ep1", "ana")


async def test_edges_are_what_holds_or_held_as_known_today(graphiti: Neo4jDriver) -> None:
    edges = {edge.uuid: edge for edge in await EntityEdge.get_by_group_ids(graphiti, [ACME])}
    assert set(edges) == {"holds", "ended", "closed"}  # neither denied, nor forgotten, nor another tenant's
    assert [uuid for uuid, edge in edges.items() if edge.invalid_at is None] == ["holds"]
    assert all(edge.expired_at is None for edge in edges.values())
    holds = edges["holds"]
    assert (holds.name, holds.fact, holds.episodes) == ("works_for", "Ana works for Acme.", ["ep1"])
    assert (holds.source_node_uuid, holds.target_node_uuid) == ("ana", "acme")
    assert (holds.valid_at, holds.created_at) == (START, START)
    assert edges["closed"].invalid_at == at(days=1)
    await holds.load_fact_embedding(graphiti)
    assert holds.fact_embedding == pytest.approx(unit_vector(1.0).tolist())


async def test_its_searches_find_the_same_facts(graphiti: Neo4jDriver, database: Database) -> None:
    similar = await edge_similarity_search(graphiti, QUESTION.tolist(), None, None, EVERYTHING, [ACME])
    assert {edge.uuid for edge in similar} == {"holds", "ended", "closed"}
    walked = await edge_bfs_search(graphiti, ["ana"], 1, EVERYTHING, [ACME])
    assert {edge.uuid for edge in walked} == {"holds", "ended", "closed"}
    worded = await edge_fulltext_search(graphiti, "Ana works", EVERYTHING)
    assert [edge.uuid for edge in worded] == ["holds"]
    ours = await database.space(ACME).search(SearchRequest(filter=read_filter(), vectors={EMBEDDER: QUESTION}))
    assert {found.memory.id for found in ours} == {"holds"}


async def test_its_word_search_takes_no_space_as_a_group(graphiti: Neo4jDriver) -> None:
    """Graphiti's alphabet for group ids has no slash, so its word search is for the whole database only."""
    with pytest.raises(GroupIdValidationError):
        await edge_fulltext_search(graphiti, "Ana works", EVERYTHING, [ACME])


async def test_a_database_that_graphiti_wrote_is_taken_as_it_is(neo4j_store_url: str) -> None:
    driver = Neo4jDriver(neo4j_store_url, None, None)
    if driver._init_task is not None:
        await driver._init_task
    try:
        node = EntityNode(name="Ana", group_id="their-group", created_at=START, name_embedding=[0.6, 0.8])
        await node.save(driver)
        opened = await open_database(neo4j_store_url, environment="dev", clock=lambda: NOW)
        assert await opened.spaces() == []
        await opened.close()
        assert [one.name for one in await EntityNode.get_by_group_ids(driver, ["their-group"])] == ["Ana"]
    finally:
        await _without_their_indexes(driver)
