"""Search: every filter inside the store, two groups, all features of whatever was found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from muniment.engine.ports.models import Vector
from muniment.engine.ports.search import Found, IndexEntry, ReadFilter, SearchRequest
from muniment.engine.ports.store import TenantStore, Unit
from muniment.graph_schema.errors import Invalid, NotFound
from muniment.graph_schema.records import Episode, Fact, Kind, Summary
from tests.builders import (
    EMBEDDER,
    at,
    clocks,
    entity,
    episode,
    fact,
    indexed,
    read_filter,
    ref,
    scope,
    summary,
    unit_vector,
)

QUESTION = unit_vector(1)


async def put(store: TenantStore, *memories: Episode | Fact | Summary, words: str = "zebra") -> None:
    """Memories that all have the same words and a vector like the question."""
    async with store.write() as unit:
        await put_in(unit, *memories)
        await unit.put_index([indexed(kind_of(one), one.id, words, QUESTION) for one in memories])


async def put_in(unit: Unit, *memories: Episode | Fact | Summary) -> None:
    await unit.put_entities([entity("ana"), entity("acme"), entity("tea")])
    await unit.put_episodes([one for one in memories if isinstance(one, Episode)])
    await unit.put_facts([one for one in memories if isinstance(one, Fact)])
    await unit.put_summaries([one for one in memories if isinstance(one, Summary)])


def kind_of(memory: Episode | Fact | Summary) -> Kind:
    if isinstance(memory, Fact):
        return memory.kind
    return Kind.EPISODE if isinstance(memory, Episode) else Kind.SUMMARY


def words_request(*terms: str, filter: ReadFilter | None = None, **fields: Any) -> SearchRequest:
    return SearchRequest(filter=filter or read_filter(), terms=terms or ("zebra",), **fields)


def vector_request(question: Vector = QUESTION, filter: ReadFilter | None = None, **fields: Any) -> SearchRequest:
    return SearchRequest(filter=filter or read_filter(), vectors={EMBEDDER: question}, **fields)


def ids(found: Sequence[Found]) -> list[str]:
    return sorted(one.memory.id for one in found)


async def seen(store: TenantStore, **filter: Any) -> list[str]:
    """What the filter shows of all that `put` wrote, the same by words, by vectors, and when wanted."""
    asked = read_filter(**filter)
    by_words = ids(await store.search(words_request(filter=asked)))
    by_vectors = ids(await store.search(vector_request(filter=asked)))
    assert by_words == by_vectors
    everything = await store.search(
        words_request(filter=read_filter(scope=None, include_superseded=True, include_archived=True))
    )
    wanted = frozenset((kind_of(one.memory), one.memory.id) for one in everything)
    by_wish = await store.search(SearchRequest(filter=asked, wanted=wanted))
    assert set(ids(by_wish)) <= set(by_words)
    return by_words


# the channels


async def test_nothing_is_found_in_an_empty_space(store: TenantStore) -> None:
    assert await store.search(words_request()) == []
    assert await store.search(vector_request()) == []


async def test_whoever_finds_a_memory_gives_all_its_features(store: TenantStore) -> None:
    async with store.write() as unit:
        await put_in(unit, fact("near"), fact("worded"), fact("wanted"), fact("other"))
        await unit.put_index(
            [
                indexed(Kind.FACT, "near", "horse", unit_vector(1, 1)),
                indexed(Kind.FACT, "worded", "zebra stripe zebra", unit_vector(0, 1)),
                indexed(Kind.FACT, "other", "cow", unit_vector(0, 1)),
            ]
        )
    request = replace(vector_request(limit=1), terms=("zebra",), wanted=frozenset({(Kind.FACT, "wanted")}))
    found = {str(one.memory.id): one for one in await store.search(request)}
    assert set(found) == {"near", "worded", "wanted"}
    assert found["near"].cosine == pytest.approx(0.7071, abs=1e-4)
    assert found["worded"].cosine == pytest.approx(0, abs=1e-4)
    assert (found["near"].words, found["worded"].words) == ("horse", "zebra stripe zebra")
    assert (found["near"].fingerprint, found["near"].memory) == (EMBEDDER, fact("near"))
    assert found["wanted"] == Found(memory=fact("wanted"))


HIDDEN: list[Episode | Fact] = [
    fact("over", invalid_at=at(-1), valid_at=at(-2)),
    fact("future", valid_at=at(9000)),
    fact("archived", archived=True),
    episode("put away", archived=True),
]


@pytest.mark.parametrize("request_for", [words_request, vector_request])
async def test_what_only_its_status_hides_is_told_besides(
    store: TenantStore, walled: TenantStore, request_for: Any
) -> None:
    never = [
        fact("rejected", rejected=True),
        fact("recorded later", created_at=at(9000)),
        fact("other's", scope=scope(user="bo")),
    ]
    await put(walled, fact("walled", wall="deal", valid_at=at(9000)))
    await put(store, fact("shown"), episode("told"), *HIDDEN, *never)
    found = await store.search(replace(request_for(), hidden=10))
    assert ids([one for one in found if not one.hidden]) == ["shown", "told"]
    assert ids([one for one in found if one.hidden]) == ["archived", "future", "over", "put away"]
    assert all(one.words == "zebra" for one in found)
    async with store.write() as unit:
        await unit.put_facts([fact("new"), fact("new and over", valid_at=at(-2), invalid_at=at(-1))])
        await unit.put_index([indexed(Kind.FACT, id, "zebra", QUESTION) for id in ("new", "new and over")])
        within = await unit.search(replace(request_for(), hidden=10))
    assert ids([one for one in within if not one.hidden]) == ["new", "shown", "told"]
    assert ids([one for one in within if one.hidden]) == ["archived", "future", "new and over", "over", "put away"]
    assert not [one for one in await store.search(request_for()) if one.hidden]
    assert await store.search(replace(request_for(), limit=0, hidden=10)) == []


async def test_of_the_hidden_only_those_among_the_best_are_told(store: TenantStore) -> None:
    async with store.write() as unit:
        await put_in(
            unit,
            *(fact(f"f{n}") for n in range(4)),
            *(fact(f"over{n}", valid_at=at(-2), invalid_at=at(-1)) for n in range(4)),
        )
        near = [indexed(Kind.FACT, f"f{n}", "zebra", unit_vector(1, 0.1 + n)) for n in range(4)]
        between = [indexed(Kind.FACT, f"over{n}", "zebra", unit_vector(1, 0.6 + n)) for n in range(4)]
        await unit.put_index([*near, *between])
    found = await store.search(vector_request(limit=2, hidden=3))
    assert ids([one for one in found if not one.hidden]) == ["f0", "f1"]
    assert ids([one for one in found if one.hidden]) == ["over0"]  # the third is shown, and over1 stands behind it


FILLER = " ".join(f"word{n}" for n in range(60))


@pytest.mark.parametrize("make", [fact, episode])
async def test_words_weigh_what_was_asked_however_often_and_in_however_long_a_text(
    store: TenantStore, make: Callable[..., Episode | Fact]
) -> None:
    """The store's own index would put the short texts first, and those that say it often; those of one weight go by id."""
    kind = kind_of(make("x"))
    words = {
        "a": f"zebra {FILLER}",
        "b": "zebra " * 5,
        "both": f"zebra lion {FILLER}",
        "c": "zebra",
        "lion": "lion lion lion",
    }
    async with store.write() as unit:
        await put_in(unit, *map(make, words), make("over", archived=True), make("over too", archived=True))
        await unit.put_index([indexed(kind, id, text) for id, text in words.items()])
        await unit.put_index([indexed(kind, "over", f"zebra lion {FILLER}"), indexed(kind, "over too", "zebra zebra")])
    asked = words_request("zebra", "lion", idf={"zebra": 1.0, "lion": 0.4})
    for limit, best in enumerate((["both"], ["a", "both"], ["a", "b", "both"]), 1):
        assert ids(await store.search(replace(asked, limit=limit))) == best
    hidden = [one for one in await store.search(replace(asked, limit=1, hidden=2)) if one.hidden]
    assert ids(hidden) == ["over"]


async def test_all_kinds_come_as_their_records(store: TenantStore) -> None:
    memories: list[Episode | Fact | Summary] = [
        fact(),
        fact("liking", kind=Kind.PREFERENCE),
        fact("skill", kind=Kind.SKILL),
        episode(),
        summary(),
    ]
    await put(store, *memories)
    found = await store.search(words_request())
    assert sorted((one.memory for one in found), key=lambda one: one.id) == sorted(memories, key=lambda one: one.id)


async def test_any_term_matches_and_rarer_terms_weigh_more(store: TenantStore) -> None:
    async with store.write() as unit:
        await put_in(unit, *(fact(id) for id in "abcd"))
        for id, words in (("a", "common"), ("b", "common rare"), ("c", "rare"), ("d", "commons")):
            await unit.put_index([indexed(Kind.FACT, id, words)])
    assert ids(await store.search(words_request("common", "rare"))) == ["a", "b", "c"]
    idf = {"common": 0.5, "rare": 2.0}
    assert ids(await store.search(words_request("common", "rare", idf=idf, limit=2))) == ["b", "c"]
    assert ids(await store.search(words_request("rare", limit=1))) in (["b"], ["c"])
    assert await store.search(words_request("absent")) == []
    assert all(one.cosine is None and one.fingerprint == "" for one in await store.search(words_request("rare")))


async def test_terms_are_never_read_as_syntax(store: TenantStore) -> None:
    odd = [
        '"',
        "(",
        ")",
        "*",
        ":",
        "~",
        "/",
        "AND",
        "OR",
        "NOT",
        "near",
        "'",
        "-",
        "+",
        "^",
        "{",
        "\\",
        "%",
        "_",
        "c++",
    ]
    async with store.write() as unit:
        await put_in(unit, *(fact(f"f{n}") for n in range(len(odd))))
        await unit.put_index([indexed(Kind.FACT, f"f{n}", f"word {term}") for n, term in enumerate(odd)])
    for n, term in enumerate(odd):
        assert ids(await store.search(words_request(term))) == [f"f{n}"], term
    assert len(await store.search(words_request(*odd))) == len(odd)


async def test_a_question_of_two_hundred_words_is_answered(store: TenantStore) -> None:
    await put(store, fact())
    assert ids(await store.search(words_request(*(f"w{n}" for n in range(200)), "zebra"))) == ["f1"]


async def test_terms_of_all_scripts_are_found(store: TenantStore) -> None:
    terms = ["北京", "京大", "проект", "josé", "東京支社", "😀", "ملف", "straße"]
    async with store.write() as unit:
        await put_in(unit, *(fact(f"f{n}") for n in range(len(terms))))
        await unit.put_index([indexed(Kind.FACT, f"f{n}", term) for n, term in enumerate(terms)])
    for n, term in enumerate(terms):
        assert ids(await store.search(words_request(term))) == [f"f{n}"], term
    assert await store.search(words_request("jose", "strasse", "北", "Проект")) == []


async def test_the_best_part_of_a_memory_counts(store: TenantStore) -> None:
    async with store.write() as unit:
        await put_in(unit, fact("one"), fact("many"), fact("last"))
        await unit.put_index(
            [
                indexed(Kind.FACT, "one", "", unit_vector(1, 1)),
                indexed(Kind.FACT, "many", "", unit_vector(0, 1), unit_vector(1, 0.1), unit_vector(0, 0, 1)),
                indexed(Kind.FACT, "last", "", unit_vector(0, 0, 1)),
            ]
        )
    found = {one.memory.id: one.cosine for one in await store.search(vector_request(limit=2))}
    assert found == {"many": pytest.approx(0.99504, abs=1e-4), "one": pytest.approx(0.70711, abs=1e-4)}


async def test_vectors_of_two_embedders_are_never_compared(store: TenantStore) -> None:
    async with store.write() as unit:
        await put_in(unit, fact("old"), fact("new"), fact("both"))
        await unit.put_index(
            [
                indexed(Kind.FACT, "old", "", unit_vector(0, 1), embedder="a"),
                indexed(Kind.FACT, "new", "", unit_vector(1, dim=4), embedder="b"),
                IndexEntry(
                    kind=Kind.FACT,
                    id="both",
                    vectors={"a": unit_vector(1)[np.newaxis], "b": unit_vector(0, 1, dim=4)[np.newaxis]},
                ),
            ]
        )
    found = await store.search(SearchRequest(filter=read_filter(), vectors={"a": QUESTION}))
    assert {one.memory.id: one.fingerprint for one in found} == {"old": "a", "both": "a"}
    both_asked = {"b": unit_vector(1, dim=4), "a": QUESTION, "c": QUESTION}
    found = await store.search(SearchRequest(filter=read_filter(), vectors=both_asked, limit=1))
    by_id = {one.memory.id: (one.fingerprint, round(one.cosine or 0, 3)) for one in found}
    assert by_id == {"new": ("b", 1.0), "old": ("a", 0.0)}
    wanted = frozenset({(Kind.FACT, "both")})
    found = await store.search(SearchRequest(filter=read_filter(), vectors=both_asked, limit=0, wanted=wanted))
    assert [(one.fingerprint, one.cosine) for one in found] == [("b", 0.0)]
    assert await store.search(SearchRequest(filter=read_filter(), vectors={"c": QUESTION})) == []


async def test_held_and_told_memories_do_not_crowd_each_other_out(store: TenantStore) -> None:
    await put(store, *(fact(f"f{n}") for n in range(5)), *(episode(f"e{n}") for n in range(5)), summary())
    assert ids(await store.search(words_request(limit=2))) == ids(await store.search(vector_request(limit=2)))
    kinds = [kind_of(one.memory) for one in await store.search(words_request(limit=2))]
    assert sorted(kinds) == [Kind.EPISODE, Kind.EPISODE, Kind.FACT, Kind.FACT]


async def test_the_limit_holds_among_equals(store: TenantStore) -> None:
    await put(store, *(fact(f"f{n}") for n in (4, 2, 0, 3, 1)))
    for limit, expected in ((0, 0), (2, 2), (5, 5), (50, 5)):
        assert len(await store.search(vector_request(limit=limit))) == expected
        assert len(await store.search(words_request(limit=limit))) == expected


async def test_a_new_entry_replaces_the_old_one(store: TenantStore) -> None:
    await put(store, fact())
    async with store.write() as unit:
        await unit.put_index([indexed(Kind.FACT, "f1", "horse", unit_vector(0, 1))])
    assert await store.search(words_request("zebra")) == []
    found = await store.search(words_request("horse"))
    assert [(one.memory.id, one.words) for one in found] == [("f1", "horse")]
    assert [one.cosine for one in await store.search(vector_request())] == [pytest.approx(0, abs=1e-4)]
    async with store.write() as unit:
        await unit.drop_index([(Kind.FACT, "f1"), (Kind.FACT, "none")])
    assert await store.search(replace(vector_request(), terms=("horse",))) == []
    assert len(await store.search(SearchRequest(filter=read_filter(), wanted=frozenset({(Kind.FACT, "f1")})))) == 1


async def test_an_entry_needs_its_memory(store: TenantStore, walled: TenantStore, other: TenantStore) -> None:
    await put(walled, episode(wall="deal"))
    await put(store, fact("liking", kind=Kind.PREFERENCE))
    for entry in (indexed(Kind.EPISODE, "ep1", "horse"), indexed(Kind.FACT, "liking"), indexed(Kind.SUMMARY, "none")):
        with pytest.raises(NotFound, match=entry.id):
            async with store.write() as unit:
                await unit.put_index([entry])
    async with store.write() as unit:
        await unit.drop_index([(Kind.EPISODE, "ep1")])
    async with other.write() as unit:
        await unit.drop_index([(Kind.EPISODE, "ep1")])
    assert [one.words for one in await walled.search(words_request("zebra"))] == ["zebra", "zebra"]


async def test_vectors_must_be_vectors(store: TenantStore) -> None:
    await put(store, fact())
    for vectors in (np.full((1, 4), np.nan, dtype=np.float32), np.zeros(4, dtype=np.float32)):
        with pytest.raises(Invalid):
            async with store.write() as unit:
                await unit.put_index([IndexEntry(kind=Kind.FACT, id="f1", vectors={EMBEDDER: vectors})])


# the filters


async def test_a_tenants_only_match_is_found_among_anothers_many(store: TenantStore, other: TenantStore) -> None:
    await put(other, *(fact(f"f{n:02}") for n in range(60)))
    await put(store, fact("ours"))
    for request in (words_request(limit=1), vector_request(limit=1)):
        assert ids(await store.search(request)) == ["ours"]
        assert len(await other.search(replace(request, limit=60))) == 60


async def test_the_only_visible_match_is_found_among_many_walled_ones(store: TenantStore, walled: TenantStore) -> None:
    await put(
        walled,
        *(fact(f"f{n:02}", wall="deal") for n in range(60)),
        *(episode(f"e{n:02}", wall="deal") for n in range(9)),
    )
    await put(walled, fact("open"))
    for request in (words_request(limit=1), vector_request(limit=1)):
        assert ids(await store.search(request)) == ["open"]
    wanted = frozenset({(Kind.FACT, "f00"), (Kind.FACT, "open")})
    assert ids(await store.search(SearchRequest(filter=read_filter(), wanted=wanted))) == ["open"]
    assert ids(await walled.search(SearchRequest(filter=read_filter(), wanted=wanted))) == ["f00", "open"]


async def test_two_walls_are_two(open_store: Any) -> None:
    await put(open_store(all_walls=True), fact("a", wall="a"), fact("b", wall="b"), fact("c"))
    assert await seen(open_store()) == ["c"]
    assert await seen(open_store(walls={"a"})) == ["a", "c"]
    assert await seen(open_store(walls={"a", "b"})) == ["a", "b", "c"]
    assert await seen(open_store(walls={"x"})) == ["c"]
    assert await seen(open_store(all_walls=True)) == ["a", "b", "c"]


async def test_validity_is_half_open(store: TenantStore) -> None:
    await put(store, fact(valid_at=at(1), invalid_at=at(3)), fact("empty", valid_at=at(2), invalid_at=at(2)), episode())
    for moment, expected in (
        (at(1, ms=-1), ["ep1"]),
        (at(1), ["ep1", "f1"]),
        (at(3, ms=-1), ["ep1", "f1"]),
        (at(3), ["ep1"]),
    ):
        assert await seen(store, clocks=clocks(as_of=moment)) == expected
    assert await seen(store, clocks=clocks(as_of=at(3)), include_superseded=True) == ["empty", "ep1", "f1"]
    assert await seen(store, clocks=clocks(as_of=at(-9)), include_superseded=True) == ["empty", "ep1", "f1"]


async def test_what_was_not_recorded_yet_is_not_known(store: TenantStore) -> None:
    await put(store, fact(created_at=at(1)), episode(recorded_at=at(1)), summary(created_at=at(1)))
    assert await seen(store, clocks=clocks(known_at=at(1, ms=-1))) == []
    assert await seen(store, clocks=clocks(known_at=at(1))) == ["ep1", "f1", "su1"]


async def test_the_version_in_force_then_is_searched(store: TenantStore) -> None:
    first = fact(expired_at=at(10))
    second = fact(version=2, created_at=at(10), invalid_at=at(5))
    await put(store, first)
    async with store.write() as unit:
        await unit.put_facts([second])
    for known_at, as_of, expected in (
        (at(10, ms=-1), at(6), [first]),
        (at(10), at(6), []),
        (at(10), at(4), [second]),
        (at(10, ms=-1), at(4), [first]),
    ):
        found = await store.search(words_request(filter=read_filter(clocks=clocks(as_of, known_at))))
        assert [one.memory for one in found] == expected
        found = await store.search(vector_request(filter=read_filter(clocks=clocks(as_of, known_at))))
        assert [one.memory for one in found] == expected


async def test_rejected_facts_are_never_found(store: TenantStore) -> None:
    await put(store, fact("denied", rejected=True), fact("held"))
    assert await seen(store, include_superseded=True, include_archived=True) == ["held"]


async def test_archived_memories_are_found_on_demand(store: TenantStore) -> None:
    await put(store, fact(archived=True), episode(archived=True), summary(archived=True), fact("held"))
    assert await seen(store) == ["held"]
    assert await seen(store, include_archived=True) == ["ep1", "f1", "held", "su1"]


async def test_importance_has_a_floor_for_what_has_importance(store: TenantStore) -> None:
    await put(store, fact("low", importance=2), fact("high", importance=4), episode(importance=3), summary())
    assert await seen(store, min_importance=3) == ["ep1", "high", "su1"]
    assert await seen(store, min_importance=5) == ["su1"]


async def test_kinds_are_chosen(store: TenantStore) -> None:
    await put(store, fact(), fact("liking", kind=Kind.PREFERENCE), fact("skill", kind=Kind.SKILL), episode(), summary())
    assert await seen(store) == ["ep1", "f1", "liking", "skill", "su1"]
    assert await seen(store, kinds=frozenset({Kind.FACT})) == ["f1"]
    assert await seen(store, kinds=frozenset({Kind.SKILL, Kind.SUMMARY})) == ["skill", "su1"]
    assert await seen(store, kinds=frozenset({Kind.EPISODE})) == ["ep1"]
    assert await seen(store, kinds=frozenset()) == []


async def test_types_and_relations_restrict_facts_only(store: TenantStore) -> None:
    await put(
        store,
        fact("works"),
        fact("likes", relation="likes", subject=ref("tea", "product"), object=ref("acme", "product")),
        fact("liking", kind=Kind.PREFERENCE, relation="prefers", object=ref("tea", "value")),
        episode(),
    )
    assert await seen(store, types=frozenset({"organisation"})) == ["ep1", "liking", "works"]
    assert await seen(store, types=frozenset({"person", "x"})) == ["ep1", "liking", "works"]
    assert await seen(store, types=frozenset({"product"})) == ["ep1", "likes", "liking"]
    assert await seen(store, types=frozenset({"x"})) == ["ep1", "liking"]
    assert await seen(store, relations=frozenset({"likes", "x"})) == ["ep1", "likes", "liking"]
    assert await seen(store, relations=frozenset({"likes"}), types=frozenset({"person"})) == ["ep1", "liking"]


async def test_a_scope_is_seen_where_each_field_is_empty_or_the_readers(store: TenantStore) -> None:
    await put(
        store,
        fact("shared"),
        fact("u", scope=scope("u")),
        fact("us", scope=scope("u", session="s")),
        episode("a", scope=scope(agent="a")),
        summary("s", scope=scope(session="s")),
    )
    assert await seen(store) == ["shared"]
    assert await seen(store, scope=scope("u")) == ["shared", "u"]
    assert await seen(store, scope=scope("u", session="s")) == ["s", "shared", "u", "us"]
    assert await seen(store, scope=scope("x", "a", "s")) == ["a", "s", "shared"]
    assert await seen(store, scope=None) == ["a", "s", "shared", "u", "us"]


# following the writes


async def test_what_is_changed_is_searched_as_changed(store: TenantStore) -> None:
    await put(store, fact(), episode())
    assert await seen(store) == ["ep1", "f1"]
    async with store.write() as unit:
        await unit.put_facts([fact(invalid_at=at(1))])
        await unit.put_episodes([episode(archived=True)])
    assert await seen(store) == []
    assert await seen(store, include_superseded=True, include_archived=True) == ["ep1", "f1"]
    await put(store, fact("f2"), fact("f3"))
    assert await seen(store) == ["f2", "f3"]


async def test_a_unit_finds_what_it_wrote_and_nobody_else_does(store: TenantStore) -> None:
    await put(store, fact("before"))
    async with store.write() as unit:
        assert ids(await unit.search(words_request())) == ["before"]
        await put_in(unit, fact("inside"))
        await unit.put_index([indexed(Kind.FACT, "inside", "zebra", QUESTION)])
        await unit.put_facts([fact("before", invalid_at=at(1))])
        assert ids(await unit.search(words_request())) == ["inside"]
        assert ids(await unit.search(vector_request())) == ["inside"]
        assert ids(await store.search(words_request())) == ["before"]
    assert await seen(store) == ["inside"]


async def test_what_was_rolled_back_is_not_found(store: TenantStore) -> None:
    await put(store, fact("before"))

    async def fail_in_the_middle() -> None:
        async with store.write() as unit:
            await put_in(unit, fact("inside"))
            await unit.put_index([indexed(Kind.FACT, "inside", "zebra", QUESTION)])
            assert len(await unit.search(words_request())) == 2
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail_in_the_middle()
    assert await seen(store) == ["before"]
