"""Episodes: kept as given, listed, in threads."""

from __future__ import annotations

import pytest

from muniment.engine.ports.search import Neighbours
from muniment.engine.ports.store import EpisodeQuery, Page, TenantStore
from muniment.graph_schema.errors import Conflict, NotFound
from muniment.graph_schema.ids import EpisodeId
from muniment.graph_schema.records import Episode, EpisodeKind
from muniment.graph_schema.temporal import to_ms
from tests.builders import NOW, at, clocks, episode, read_filter, scope

A = EpisodeId("a")


async def put(store: TenantStore, *episodes: Episode) -> None:
    async with store.write() as unit:
        await unit.put_episodes(episodes)


def ids(*names: str) -> list[EpisodeId]:
    return [EpisodeId(name) for name in names]


async def listed(store: TenantStore, query: EpisodeQuery | None = None, page: Page | None = None) -> list[str]:
    return [one.id for one in await store.list_episodes(query or EpisodeQuery(), page or Page())]


async def test_an_episode_comes_back_as_given(store: TenantStore) -> None:
    given = episode(
        text="Ana moved to Beta.",
        kind=EpisodeKind.DOCUMENT,
        occurred_at=at(ms=1),
        recorded_at=at(days=3, ms=999),
        external_id="mail-7",
        speaker="Ana",
        title="News",
        source="mail",
        lang="en",
        thread="t",
        position=4,
        scope=scope("u", "a", "s"),
        importance=5,
        metadata={"meta": {"tags": ["x", None, 1.5, True, {"deep": []}]}, "empty": {}},
        content_hash="abc",
        archived=True,
        pinned=True,
        degraded=("no model", "no words"),
        receipt="r1",
    )
    await put(store, given, episode("plain"))
    assert await store.episodes(ids("ep1", "plain")) == [given, episode("plain")]


async def test_the_same_id_is_replaced(store: TenantStore) -> None:
    await put(store, episode(text="before"))
    await put(store, episode(text="after"))
    assert [one.text for one in await store.episodes(ids("ep1"))] == ["after"]
    assert await listed(store) == ["ep1"]


async def test_ids_are_answered_in_the_order_asked_and_missing_ones_left_out(store: TenantStore) -> None:
    await put(store, episode("a"), episode("b"), episode("c"))
    found = await store.episodes(ids("c", "nobody", "a", "c"))
    assert [one.id for one in found] == ["c", "a"]
    assert await store.episodes([]) == []


async def test_another_tenant_sees_and_changes_nothing(store: TenantStore, other: TenantStore) -> None:
    await put(store, episode(text="ours", external_id="x", thread="t"))
    await put(other, episode(text="theirs", external_id="x", thread="t", position=9))
    assert [one.text for one in await store.episodes(ids("ep1"))] == ["ours"]
    assert [one.text for one in await other.episodes(ids("ep1"))] == ["theirs"]
    assert await store.thread_ends(["t"]) == {"t": 0}
    assert await listed(store) == ["ep1"]


async def test_behind_a_wall_it_is_as_if_absent(store: TenantStore, walled: TenantStore) -> None:
    await put(walled, episode("secret", wall="deal", external_id="x", thread="t", position=3))
    assert await store.episodes(ids("secret")) == []
    assert await store.episodes_by_external_id(["x"]) == {}
    assert await store.thread_ends(["t"]) == {}
    assert await listed(store) == []
    assert [one.id for one in await walled.episodes(ids("secret"))] == ["secret"]
    assert await walled.episodes_by_external_id(["x"]) == {"x": "secret"}
    assert await walled.thread_ends(["t"]) == {"t": 3}
    assert await listed(walled) == ["secret"]


async def test_writing_behind_a_wall_that_is_not_granted_is_refused(store: TenantStore, walled: TenantStore) -> None:
    with pytest.raises(NotFound, match="ep1"):
        await put(store, episode(wall="deal"))
    assert await walled.episodes(ids("ep1")) == []
    await put(walled, episode(wall="deal"))
    assert len(await walled.episodes(ids("ep1"))) == 1


async def test_an_id_keeps_its_wall(store: TenantStore, walled: TenantStore) -> None:
    await put(walled, episode(wall="deal", text="secret"))
    for writer in (store, walled):
        with pytest.raises(NotFound, match="ep1"):
            await put(writer, episode(text="overwritten"))
    assert [one.text for one in await walled.episodes(ids("ep1"))] == ["secret"]


async def test_an_external_id_is_taken_once(store: TenantStore, walled: TenantStore) -> None:
    await put(store, episode("a", external_id="x"))
    with pytest.raises(Conflict):
        await put(store, episode("b", external_id="x"))
    await put(store, episode("a", external_id="x", text="again"), episode("c"), episode("d"))
    await put(walled, episode("e", external_id="x", wall="deal"))
    assert await store.episodes_by_external_id(["x", "y"]) == {"x": "a"}


async def test_lists_are_newest_first_then_by_id(store: TenantStore) -> None:
    await put(
        store, episode("b"), episode("a"), episode("newer", recorded_at=at(1)), episode("older", recorded_at=at(-1))
    )
    assert await listed(store) == ["newer", "a", "b", "older"]


async def test_pages_go_on_where_the_last_one_ended(store: TenantStore) -> None:
    await put(store, *(episode(f"e{n:02}", recorded_at=at(n // 3)) for n in range(10)))
    seen: list[Episode] = []
    while page := await store.list_episodes(
        EpisodeQuery(), Page(limit=3, after=(to_ms(seen[-1].recorded_at), seen[-1].id) if seen else None)
    ):
        seen += page
        # What is told meanwhile comes before the place reached, and is not met.
        await put(store, episode(f"new{len(seen)}", recorded_at=at(days=50)))
    assert [one.id for one in seen] == ["e09", "e06", "e07", "e08", "e03", "e04", "e05", "e00", "e01", "e02"]


async def test_lists_are_filtered(store: TenantStore) -> None:
    await put(
        store,
        episode("a", text="The PRICE is 30 €.", kind=EpisodeKind.NOTE, scope=scope("u1")),
        episode("b", text="Ünser Preis, 100%_fest", scope=scope("u2", session="s")),
        episode("c", archived=True),
        episode("d", recorded_at=at(5)),
    )
    assert await listed(store) == ["d", "a", "b"]
    assert await listed(store, EpisodeQuery(include_archived=True)) == ["d", "a", "b", "c"]
    assert await listed(store, EpisodeQuery(text="price")) == ["a"]
    assert await listed(store, EpisodeQuery(text="ÜNSER")) == ["b"]
    assert await listed(store, EpisodeQuery(text="%_")) == ["b"]
    assert await listed(store, EpisodeQuery(text="nowhere")) == []
    assert await listed(store, EpisodeQuery(kind="note")) == ["a"]
    assert await listed(store, EpisodeQuery(user="u2")) == ["b"]
    assert await listed(store, EpisodeQuery(session="s")) == ["b"]
    assert await listed(store, EpisodeQuery(known_at=at(5))) == ["d", "a", "b"]
    assert await listed(store, EpisodeQuery(known_at=at(5, ms=-1))) == ["a", "b"]


async def test_lists_are_kept_to_a_thread_or_to_all_that_begin_alike(store: TenantStore, walled: TenantStore) -> None:
    long = "n/" + "x" * 400
    await put(
        store,
        episode("a", thread="n/a/=k"),
        episode("b", thread="n/a/=k", recorded_at=at(1), kind=EpisodeKind.NOTE),
        episode("c", thread="n/ab/=k", recorded_at=at(2)),
        episode("d", thread=long, recorded_at=at(3)),
        episode("e", thread="n/\U0010ffff", recorded_at=at(4)),
        episode("f"),
        episode("g", thread="n", recorded_at=at(5)),
        episode("h", thread=long + "y"),
    )
    await put(walled, episode("w", thread="n/a/=k", wall="deal"))
    assert await listed(store, EpisodeQuery(thread="n/a/=k")) == ["b", "a"]
    assert await listed(store, EpisodeQuery(thread="n/a/")) == ["b", "a"]
    assert await listed(store, EpisodeQuery(thread="n/a/", kind="note")) == ["b"]
    assert await listed(store, EpisodeQuery(thread="n/"), Page(limit=3)) == ["e", "d", "c"]
    assert await listed(store, EpisodeQuery(thread="n/"), Page(limit=3, after=(to_ms(at(2)), "c"))) == ["b", "a", "h"]
    assert await listed(store, EpisodeQuery(thread="n/x/")) == []
    assert await listed(store, EpisodeQuery(thread=long)) == ["d"]
    assert await listed(walled, EpisodeQuery(thread="n/a/")) == ["b", "a", "w"]


async def test_neighbours_are_the_nearest_in_the_thread(store: TenantStore) -> None:
    await put(
        store,
        episode("a", thread="t", position=1),
        episode("b", thread="t", position=2),
        episode("c", thread="t", position=2),
        episode("d", thread="t", position=7),
        episode("else", thread="u", position=3),
        episode("alone"),
        episode("alone2"),
    )
    found = await store.neighbours(ids("a", "b", "c", "d", "alone", "nobody"), read_filter())
    assert found == {
        "a": Neighbours(next=EpisodeId("b")),
        "b": Neighbours(previous=EpisodeId("a"), next=EpisodeId("c")),
        "c": Neighbours(previous=EpisodeId("b"), next=EpisodeId("d")),
        "d": Neighbours(previous=EpisodeId("c")),
        "alone": Neighbours(),
    }


async def test_a_neighbour_that_the_filter_hides_is_none(store: TenantStore) -> None:
    await put(
        store,
        episode("a", thread="t", position=1),
        episode("b", thread="t", position=2, recorded_at=at(5), scope=scope("u1")),
        episode("c", thread="t", position=3, archived=True),
    )
    later = read_filter(clocks=clocks(NOW, at(4)))
    mine = read_filter(scope=scope("u1"))
    assert (await store.neighbours(ids("a"), mine))[A].next == "b"
    assert (await store.neighbours(ids("a"), read_filter()))[A].next is None
    assert (await store.neighbours(ids("a"), later))[A].next is None
    assert (await store.neighbours(ids("b"), mine))[EpisodeId("b")] == Neighbours(previous=EpisodeId("a"))


async def test_a_neighbour_behind_a_wall_is_passed_over(store: TenantStore, walled: TenantStore) -> None:
    await put(walled, episode("a", thread="t", position=1), episode("c", thread="t", position=3))
    await put(walled, episode("b", thread="t", position=2, wall="deal"))
    assert (await store.neighbours(ids("a", "b"), read_filter())) == {"a": Neighbours(next=EpisodeId("c"))}
    assert (await walled.neighbours(ids("a"), read_filter()))[A].next == "b"


async def test_a_thread_ends_at_its_highest_position(store: TenantStore) -> None:
    await put(store, episode("a", thread="t", position=4), episode("b", thread="t", position=2), episode("c"))
    assert await store.thread_ends(["t", "new", ""]) == {"t": 4}
