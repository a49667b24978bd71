"""Entities: unique by key, found by any name, counted."""

from __future__ import annotations

import pytest

from muniment.engine.ports.store import EntityCounts, EntityKey, EntityQuery, Page, TenantStore
from muniment.graph_schema.errors import Conflict, NotFound
from muniment.graph_schema.ids import EntityId
from muniment.graph_schema.records import Alias, Entity, Kind
from muniment.graph_schema.temporal import Clocks, to_ms
from tests.builders import NOW, at, entity, episode, fact, mention, ref, scope

ANA = EntityId("ana")
TODAY = Clocks(as_of=NOW, known_at=NOW)


async def put(store: TenantStore, *entities: Entity) -> None:
    async with store.write() as unit:
        await unit.put_entities(entities)


def alias(key: str) -> Alias:
    return Alias(key=key, name=key.upper())


async def listed(store: TenantStore, query: EntityQuery | None = None, page: Page | None = None) -> list[str]:
    return [one.id for one in await store.list_entities(query or EntityQuery(), page or Page())]


async def found_by_alias(store: TenantStore, *keys: str) -> dict[str, list[str]]:
    return {key: [one.id for one in found] for key, found in (await store.entities_by_alias(keys)).items()}


async def test_an_entity_comes_back_as_given(store: TenantStore) -> None:
    given = entity(
        name="Ana María",
        type="person",
        key="ana maría",
        aliases=(Alias(key="ana", name="Ana"), Alias(key="安娜", name="安娜")),
        identifiers=("email:ana@acme.example", "phone:1"),
        summary="Buyer.",
        scope=scope("u", "a", "s"),
        merged_into=EntityId("other"),
        created_at=at(ms=7),
        archived=True,
        attributes={"tags": [{"a": [1]}]},
    )
    await put(store, given, entity("bob"))
    assert await store.entities([EntityId("bob"), EntityId("nobody"), ANA]) == [entity("bob"), given]


async def test_a_key_is_held_by_one_id(store: TenantStore, walled: TenantStore, other: TenantStore) -> None:
    await put(store, entity("a", "Ana"))
    with pytest.raises(Conflict):
        await put(store, entity("b", "Ana"))
    assert await store.entities([EntityId("b")]) == []
    await put(store, entity("a", "Ana", summary="again"), entity("c", "Ana", type="product"))
    await put(walled, entity("d", "Ana", wall="deal"))
    await put(other, entity("e", "Ana"))
    assert len(await walled.entities([EntityId(id) for id in "abcd"])) == 3


async def test_entities_are_found_by_wall_type_and_key(store: TenantStore, walled: TenantStore) -> None:
    await put(
        store, entity("b", "Bob"), entity("a", "Ana", merged_into=EntityId("b")), entity("c", "Cy", archived=True)
    )
    await put(walled, entity("d", "Dan", wall="deal"))
    keys = [EntityKey(wall=w, type="person", key=k) for w, k in (("", "bob"), ("", "ana"), ("", "cy"), ("deal", "dan"))]
    keys += [EntityKey(wall="", type="product", key="bob"), EntityKey(wall="", type="person", key="dan")]
    assert [one.id for one in await store.entities_by_key(keys)] == ["a", "b", "c"]
    assert [one.id for one in await walled.entities_by_key(keys)] == ["a", "b", "c", "d"]
    assert await store.entities_by_key([]) == []


async def test_live_entities_are_found_by_any_alias(
    store: TenantStore, walled: TenantStore, other: TenantStore
) -> None:
    both = (alias("acme"), alias("the firm"))
    await put(store, entity("b", aliases=both), entity("a", aliases=(alias("acme"),)))
    await put(
        store, entity("gone", aliases=both, merged_into=EntityId("a")), entity("old", aliases=both, archived=True)
    )
    await put(walled, entity("secret", aliases=both, wall="deal"))
    assert await found_by_alias(store, "acme", "the firm", "firm", "ACME") == {"acme": ["a", "b"], "the firm": ["b"]}
    assert await found_by_alias(walled, "the firm") == {"the firm": ["b", "secret"]}
    assert await found_by_alias(other, "acme") == {}


async def test_a_replaced_entity_is_no_longer_found_by_its_old_names(store: TenantStore) -> None:
    await put(store, entity("a", aliases=(alias("old"),), identifiers=("email:old",)))
    await put(store, entity("a", aliases=(alias("new"),), identifiers=("email:new",)))
    assert await found_by_alias(store, "old", "new") == {"new": ["a"]}
    assert list(await store.entities_by_identifier(["email:old", "email:new"])) == ["email:new"]


async def test_live_entities_are_found_by_identifier(store: TenantStore, walled: TenantStore) -> None:
    await put(store, entity("a", identifiers=("email:x", "vat:1")), entity("b", identifiers=("vat:1",), archived=True))
    await put(walled, entity("c", identifiers=("vat:1",), wall="deal"))
    found = await store.entities_by_identifier(["vat:1", "email:x", "x"])
    assert {key: [one.id for one in ones] for key, ones in found.items()} == {"vat:1": ["a"], "email:x": ["a"]}
    assert [one.id for one in (await walled.entities_by_identifier(["vat:1"]))["vat:1"]] == ["a", "c"]


async def test_lists_are_newest_first_and_of_live_ones(store: TenantStore, walled: TenantStore) -> None:
    await put(store, entity("b"), entity("a"), entity("new", created_at=at(1)), entity("old", archived=True))
    await put(store, entity("gone", merged_into=EntityId("a")))
    await put(walled, entity("secret", wall="deal"))
    assert await listed(store) == ["new", "a", "b"]
    assert await listed(store, EntityQuery(include_archived=True)) == ["new", "a", "b", "old"]
    assert await listed(walled) == ["new", "a", "b", "secret"]


async def test_pages_of_entities_go_on(store: TenantStore) -> None:
    await put(store, *(entity(f"e{n}", created_at=at(n // 2)) for n in range(5)))
    first = await store.list_entities(EntityQuery(), Page(limit=2))
    after = (to_ms(first[-1].created_at), first[-1].id)
    assert [one.id for one in first] == ["e4", "e2"]
    assert await listed(store, page=Page(limit=9, after=after)) == ["e3", "e0", "e1"]


async def test_names_are_typed_ahead_and_searched_in_folded_form(store: TenantStore, walled: TenantStore) -> None:
    await put(
        store, entity("a", aliases=(alias("ana maría"), alias("the buyer"))), entity("b", aliases=(alias("banana"),))
    )
    await put(
        store, entity("c", type="product", aliases=(alias("anaconda"),)), entity("d", aliases=(alias("上海分公司"),))
    )
    await put(walled, entity("secret", aliases=(alias("analyst"),), wall="deal"))
    assert await listed(store, EntityQuery(prefix="ANA")) == ["a", "c"]
    assert await listed(store, EntityQuery(prefix="ana  M")) == ["a"]
    assert await listed(store, EntityQuery(prefix="Ａｎａ", types=frozenset({"product"}))) == ["c"]
    assert await listed(store, EntityQuery(prefix="ana%")) == []
    assert await listed(store, EntityQuery(text="ANA")) == ["a", "b", "c"]
    assert await listed(store, EntityQuery(text="分公司")) == ["d"]
    assert await listed(store, EntityQuery(text="buyer", prefix="ana")) == ["a"]
    assert await listed(walled, EntityQuery(prefix="ana")) == ["a", "c", "secret"]


async def test_what_touches_an_entity_is_counted(store: TenantStore) -> None:
    async with store.write() as unit:
        await unit.put_entities([entity("ana"), entity("acme"), entity("idle")])
        await unit.put_episodes([episode("e1", occurred_at=at(-9)), episode("e2", occurred_at=at(3))])
        await unit.put_episodes([episode("late", occurred_at=at(-99), recorded_at=at(999))])
        await unit.put_mentions([mention("e1"), mention("e2"), mention("late"), mention("e2", "acme")])
        await unit.put_facts(
            [
                fact("now"),
                fact("liking", kind=Kind.PREFERENCE),
                fact("loop", object=ref("ana")),
                fact("ended", invalid_at=at(1)),
                fact("future", valid_at=at(999)),
                fact("expired", expired_at=at(1)),
                fact("unknown", created_at=at(999)),
                fact("denied", rejected=True),
                fact("archived", archived=True),
            ]
        )
    ids = [ANA, EntityId("acme"), EntityId("idle"), EntityId("nobody")]
    assert await store.entity_counts(ids, TODAY) == {
        "ana": EntityCounts(facts=3, first_seen=at(-9), last_seen=at(3)),
        "acme": EntityCounts(facts=2, first_seen=at(3), last_seen=at(3)),
        "idle": EntityCounts(facts=0, first_seen=None, last_seen=None),
    }
    early, late = at(ms=-1), at(1000)
    assert (await store.entity_counts([ANA], Clocks(as_of=early, known_at=NOW)))[ANA].facts == 0
    assert (await store.entity_counts([ANA], Clocks(as_of=NOW, known_at=early)))[ANA].facts == 0
    assert (await store.entity_counts([ANA], Clocks(as_of=late, known_at=NOW)))[ANA].facts == 4
    assert (await store.entity_counts([ANA], Clocks(as_of=NOW, known_at=late)))[ANA].first_seen == at(-99)


async def test_counts_stop_at_walls(store: TenantStore, walled: TenantStore, other: TenantStore) -> None:
    async with walled.write() as unit:
        await unit.put_entities([entity("ana"), entity("acme"), entity("hidden", wall="deal")])
        await unit.put_episodes([episode("e1", wall="deal")])
        await unit.put_mentions([mention("e1", wall="deal")])
        await unit.put_facts([fact("open"), fact("walled", wall="deal")])
    ids = [ANA, EntityId("hidden")]
    assert await store.entity_counts(ids, TODAY) == {"ana": EntityCounts(facts=1, first_seen=None, last_seen=None)}
    assert (await walled.entity_counts(ids, TODAY))[ANA] == EntityCounts(facts=2, first_seen=at(), last_seen=at())
    assert set(await walled.entity_counts(ids, TODAY)) == {"ana", "hidden"}
    assert await other.entity_counts(ids, TODAY) == {}


async def test_another_callers_entity_is_not_overwritten(store: TenantStore, walled: TenantStore) -> None:
    await put(walled, entity("secret", wall="deal", summary="ours"))
    for wall in ("", "deal"):
        with pytest.raises(NotFound, match="secret"):
            await put(store, entity("secret", wall=wall, summary="theirs"))
    assert [one.summary for one in await walled.entities([EntityId("secret")])] == ["ours"]


async def test_literal_values_are_listed_only_by_asking_for_them(store: TenantStore) -> None:
    async with store.write() as unit:
        await unit.put_entities([entity("acme", type="organisation"), entity("tea", type="value")])
    assert [e.id for e in await store.list_entities(EntityQuery(), Page())] == ["acme"]
    assert [e.id for e in await store.list_entities(EntityQuery(types=frozenset({"value"})), Page())] == ["tea"]
