"""Edges and mentions: both directions, capped, counted, filtered."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from muniment.engine.ports.search import Edges, Mentions
from muniment.engine.ports.store import TenantStore
from muniment.graph_schema.errors import NotFound
from muniment.graph_schema.ids import EntityId, EpisodeId
from muniment.graph_schema.records import Fact, Kind, Mention, MentionRole
from tests.builders import NOW, at, clocks, entity, episode, fact, mention, read_filter, ref, scope

ANA, BOB, ACME = EntityId("ana"), EntityId("bob"), EntityId("acme")


async def put(store: TenantStore, *facts: Fact) -> None:
    async with store.write() as unit:
        await unit.put_entities([entity("ana"), entity("bob"), entity("acme"), entity("beta")])
        await unit.put_facts(facts)


def ids(found: Sequence[Fact]) -> list[str]:
    return [one.id for one in found]


async def edges(store: TenantStore, *of: EntityId, per_node: int = 100, **filter: object) -> Edges:
    return await store.edges(of or (ANA,), read_filter(**filter), per_node=per_node)


async def test_edges_are_followed_in_both_directions(store: TenantStore) -> None:
    out, in_ = fact("out"), fact("in", subject=ref("bob"), object=ref("ana"))
    await put(store, out, in_, fact("loop", object=ref("ana")), fact("else", subject=ref("bob")))
    found = await edges(store)
    assert ids(found.facts) == ["in", "loop", "out"]
    assert found.degrees == {"ana": 3}
    assert found.facts[0] == in_


async def test_an_edge_between_two_asked_ones_comes_once(store: TenantStore) -> None:
    await put(store, fact("f1"), fact("f2", subject=ref("bob")))
    found = await edges(store, ANA, ACME, EntityId("none"))
    assert ids(found.facts) == ["f1", "f2"]
    assert found.degrees == {"ana": 1, "acme": 2}
    assert await store.edges([], read_filter()) == Edges(facts=(), degrees={})


async def test_the_most_important_then_the_latest_edges_are_kept(store: TenantStore) -> None:
    await put(
        store,
        fact("a", importance=2, valid_at=at(9)),
        fact("b", importance=5, valid_at=at(1)),
        fact("c", importance=3, valid_at=at(2)),
        fact("e", importance=3, valid_at=at(1)),
        fact("d", importance=3, valid_at=at(1)),
        fact("hidden", importance=5, archived=True),
    )
    assert ids((await edges(store)).facts) == ["b", "c", "d", "e", "a"]
    capped = await edges(store, per_node=3)
    assert ids(capped.facts) == ["b", "c", "d"]
    assert capped.degrees == {"ana": 5}


async def test_the_cap_is_for_each_entity(store: TenantStore) -> None:
    await put(
        store,
        *(fact(f"a{n}", importance=5) for n in range(3)),
        *(fact(f"b{n}", subject=ref("bob"), object=ref("beta"), importance=1) for n in range(3)),
    )
    found = await edges(store, ANA, BOB, per_node=2)
    assert ids(found.facts) == ["a0", "a1", "b0", "b1"]
    assert found.degrees == {"ana": 3, "bob": 3}


async def test_a_crowd_of_one_kind_is_cut_short_and_counted(store: TenantStore) -> None:
    residents = [
        fact(f"r{n}", subject=ref("bob"), object=ref("ana"), relation="lives_in", importance=5) for n in range(4)
    ]
    await put(
        store,
        *residents,
        fact("late", subject=ref("bob"), object=ref("ana"), relation="lives_in", importance=5, valid_at=at(3)),
        fact("out", relation="lives_in", importance=1),
        *(fact(f"u{n}", relation="uses", importance=1) for n in range(2)),
        fact("old", relation="uses", invalid_at=at(ms=1)),
    )
    found = await store.edges((ANA,), read_filter(), per_kind=2)
    assert ids(found.facts) == ["late", "r0", "out", "u0", "u1"]
    assert found.degrees == {"ana": 8}
    assert found.crowds == {("ana", "lives_in", False): 5, ("ana", "lives_in", True): 1, ("ana", "uses", True): 2}
    assert ids((await store.edges((ANA,), read_filter(), per_kind=2, per_node=3)).facts) == ["late", "r0", "out"]
    assert (await edges(store)).crowds == {}


async def test_edges_obey_the_filter(store: TenantStore) -> None:
    await put(
        store,
        fact("current"),
        fact("ended", invalid_at=at(1)),
        fact("future", valid_at=at(999)),
        fact("expired", expired_at=at(1)),
        fact("denied", rejected=True),
        fact("archived", archived=True),
        fact("liking", kind=Kind.PREFERENCE, relation="prefers"),
        fact("mine", scope=scope("u")),
        fact("small", importance=1),
        fact("bought", relation="buys_from", object=ref("beta", "product")),
    )
    all_ = ["bought", "current", "liking", "small"]
    assert sorted(ids((await edges(store)).facts)) == all_
    assert sorted(ids((await edges(store, kinds=frozenset({Kind.FACT}))).facts)) == ["bought", "current", "small"]
    assert sorted(ids((await edges(store, include_archived=True)).facts)) == ["archived", *all_]
    superseded = await edges(store, include_superseded=True)
    assert sorted(ids(superseded.facts)) == ["bought", "current", "ended", "future", "liking", "small"]
    assert superseded.degrees == {"ana": 6}
    assert sorted(ids((await edges(store, scope=scope("u"))).facts)) == ["bought", "current", "liking", "mine", "small"]
    assert sorted(ids((await edges(store, min_importance=2)).facts)) == ["bought", "current", "liking"]
    assert ids((await edges(store, relations=frozenset({"buys_from"}), kinds=frozenset({Kind.FACT}))).facts) == [
        "bought"
    ]
    assert sorted(ids((await edges(store, types=frozenset({"product"}))).facts)) == ["bought", "liking"]
    past = await edges(store, clocks=clocks(as_of=NOW, known_at=at(ms=1)))
    assert sorted(ids(past.facts)) == ["bought", "current", "expired", "liking", "small"]


async def test_edges_are_of_both_clocks_half_open(store: TenantStore) -> None:
    await put(
        store,
        fact(expired_at=at(10), valid_at=at(1)),
        fact(version=2, created_at=at(10), valid_at=at(1), invalid_at=at(3)),
    )
    for as_of, known_at, expected in (
        (at(1, ms=-1), NOW, []),
        (at(1), NOW, [2]),
        (at(3, ms=-1), at(10), [2]),
        (at(3), at(10), []),
        (at(3), at(10, ms=-1), [1]),
    ):
        found = await edges(store, clocks=clocks(as_of, known_at))
        assert [one.version for one in found.facts] == expected
        assert found.degrees == ({ANA: 1} if expected else {})


async def test_edges_end_at_tenants_and_walls(store: TenantStore, walled: TenantStore, other: TenantStore) -> None:
    await put(walled, fact("open"), fact("secret", wall="deal"))
    await put(other, fact("theirs"))
    assert await edges(store) == Edges(facts=(fact("open"),), degrees={ANA: 1})
    assert (await edges(walled)).degrees == {"ana": 2}
    assert ids((await edges(other)).facts) == ["theirs"]


# mentions


async def put_mentions(store: TenantStore, *mentions: Mention) -> None:
    async with store.write() as unit:
        await unit.put_mentions(mentions)


async def put_episodes(store: TenantStore) -> None:
    async with store.write() as unit:
        await unit.put_entities([entity("ana"), entity("bob")])
        await unit.put_episodes(
            [
                episode("e1", occurred_at=at(1)),
                episode("e2", occurred_at=at(2)),
                episode("e3", occurred_at=at(2)),
                episode("old", occurred_at=at(3), archived=True),
                episode("mine", occurred_at=at(4), scope=scope("u")),
                episode("late", occurred_at=at(5), recorded_at=at(300)),
            ]
        )


async def test_mentions_of_episodes_are_in_order(store: TenantStore) -> None:
    await put_episodes(store)
    given = [mention("e2"), mention("e1", "bob"), mention("e1", role=MentionRole.TITLE), mention("e1"), mention("e3")]
    await put_mentions(store, *given, given[0])
    found = await store.mentions_of_episodes([EpisodeId("e2"), EpisodeId("e1"), EpisodeId("none")])
    assert found == [given[3], given[2], given[1], given[0]]


async def test_mentions_of_entities_are_latest_first_capped_and_counted(store: TenantStore) -> None:
    await put_episodes(store)
    names = ("e1", "e2", "e3", "old", "mine", "late")
    await put_mentions(store, *(mention(name) for name in names), mention("e1", "bob"))
    found = await store.mentions_of_entities([ANA, BOB, EntityId("none")], read_filter(), per_entity=2)
    assert found == Mentions(mentions=(mention("e2"), mention("e3"), mention("e1", "bob")), counts={ANA: 3, BOB: 1})
    wide = read_filter(scope=scope("u"), include_archived=True, clocks=clocks(known_at=at(300)))
    assert [one.episode for one in (await store.mentions_of_entities([ANA], wide)).mentions] == [
        "late",
        "mine",
        "old",
        "e2",
        "e3",
        "e1",
    ]
    facts_only = read_filter(kinds=frozenset({Kind.FACT}))
    assert await store.mentions_of_entities([ANA], facts_only) == Mentions(mentions=(), counts={})


async def test_mentions_end_at_tenants_and_walls(store: TenantStore, walled: TenantStore, other: TenantStore) -> None:
    async with walled.write() as unit:
        await unit.put_entities([entity("ana")])
        await unit.put_episodes([episode("open"), episode("secret", wall="deal")])
        await unit.put_mentions([mention("open"), mention("secret", wall="deal")])
    for reader, expected in ((store, ["open"]), (walled, ["open", "secret"]), (other, [])):
        episodes = [EpisodeId("open"), EpisodeId("secret")]
        assert [one.episode for one in await reader.mentions_of_episodes(episodes)] == expected
        found = await reader.mentions_of_entities([ANA], read_filter())
        assert [one.episode for one in found.mentions] == expected
        assert found.counts == ({"ana": len(expected)} if expected else {})


async def test_a_mention_needs_its_episode_and_its_entity(store: TenantStore, walled: TenantStore) -> None:
    async with walled.write() as unit:
        await unit.put_entities([entity("ana"), entity("hidden", wall="deal")])
        await unit.put_episodes([episode("e1"), episode("secret", wall="deal")])
    for wrong, name in (
        (mention("none"), "none"),
        (mention("e1", "none"), "none"),
        (mention("secret"), "secret"),
        (mention("e1", "hidden"), "hidden"),
        (mention("e1", wall="deal"), "e1"),
    ):
        with pytest.raises(NotFound, match=name):
            await put_mentions(store, wrong)
    assert await walled.mentions_of_episodes([EpisodeId("e1"), EpisodeId("secret")]) == []
    await put_mentions(walled, mention("e1", wall="deal"), mention("secret", "hidden", wall="deal"))
    assert len(await walled.mentions_of_episodes([EpisodeId("e1"), EpisodeId("secret")])) == 2
    with pytest.raises(NotFound, match="e1"):
        await put_mentions(walled, mention("e1"))


async def test_dropped_mentions_are_gone_and_others_stay(store: TenantStore, walled: TenantStore) -> None:
    async with walled.write() as unit:
        await unit.put_entities([entity(), entity("bob"), entity("eve", wall="deal")])
        await unit.put_episodes([episode("e1"), episode("e2"), episode("secret", wall="deal")])
        title = mention("e1", role=MentionRole.TITLE)
        await unit.put_mentions([mention("e1"), title, mention("e2"), mention("secret", "eve", wall="deal")])
    async with store.write() as unit:
        await unit.drop_mentions([mention("e1"), mention("e2", "bob"), mention("secret", "eve", wall="deal")])
    everything = [EpisodeId(id) for id in ("e1", "e2", "secret")]
    assert await walled.mentions_of_episodes(everything) == [
        title,
        mention("e2"),
        mention("secret", "eve", wall="deal"),
    ]
