"""Recall, the same on every store: what is found, in which order, and what is never found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from muniment.engine.ingest.terms import index_terms
from muniment.engine.ports.search import IndexEntry
from muniment.engine.ports.store import TenantStore, Use
from muniment.engine.rank.answer import Recall, RecallRequest
from muniment.engine.rank.policy import DEFAULT_POLICY, RankingPolicy
from muniment.engine.rank.recall import Retriever
from muniment.engine.retrieve.statistics import STATISTICS, Indexed, delta_document, delta_for, group_of
from muniment.graph_schema.ids import EntityId, FactId
from muniment.graph_schema.ontology import base_ontology
from muniment.graph_schema.records import (
    Entity,
    EntityRef,
    Episode,
    EpisodeKind,
    Fact,
    Kind,
    Mention,
    MentionRole,
    Quote,
)
from tests.builders import NOW, assertion, at, entity, episode, mention, scope

from .conftest import OpenStore


class World:
    """A tenant's memories, written with what makes them findable."""

    def __init__(self, store: TenantStore) -> None:
        self.store = store
        self.names: dict[str, Entity] = {}
        self.writes = 0

    async def tell(self, *episodes: Episode, about: Iterable[tuple[str, str]] = (), title: bool = False) -> None:
        """Puts episodes; `about` says which names they mention."""
        role = MentionRole.TITLE if title else MentionRole.MENTIONED
        rows = [mention(e, await self._id(name), role=role, wall=episodes[0].wall) for e, name in about]
        await self._write(episodes=episodes, mentions=rows)

    async def hold(self, id: str, subject: str, relation: str, object: str, text: str, **more: Any) -> Fact:
        """Puts a fact with the note that tells it, `note-<id>`."""
        note = episode(f"note-{id}", text=text, kind=EpisodeKind.NOTE, wall=more.get("wall", ""))
        ends = [await self._ref(subject), await self._ref(object)]
        told = assertion(
            f"as-{id}", slot=more.get("slot", f"slot-{id}"), claim=f"claim-{id}", subject=ends[0].id, object=ends[1].id,
            relation=relation, episode=note.id, wall=more.get("wall", ""),
        )  # fmt: skip
        values: dict[str, Any] = {
            "id": FactId(id), "slot": f"slot-{id}", "claim": f"claim-{id}", "subject": ends[0], "relation": relation,
            "object": ends[1], "text": text, "valid_at": at(0), "created_at": at(0),
            "evidence": (Quote(episode=note.id, quote=text),), "assertions": (told.id,),
        }  # fmt: skip
        held = Fact(**{**values, **more})
        rows = [mention(note.id, end.id, wall=note.wall) for end in ends]
        await self._write(episodes=[note], mentions=rows, facts=[held], assertions=[told])
        return held

    async def _id(self, name: str) -> str:
        return (await self._ref(name)).id

    async def _ref(self, name: str) -> EntityRef:
        if name not in self.names:
            self.names[name] = entity(f"x-{name}", name, type="thing")
            async with self.store.write() as unit:
                await unit.put_entities([self.names[name]])
        return self.names[name].ref

    async def _write(
        self,
        episodes: Sequence[Episode] = (),
        mentions: Sequence[Mention] = (),
        facts: Sequence[Fact] = (),
        assertions: Sequence[Any] = (),
    ) -> None:
        rows = [
            Indexed(entry=IndexEntry(kind=kind, id=m.id, words=_words(m)), group=group_of(m), wall=m.wall)
            for kind, group in ((Kind.EPISODE, episodes), (Kind.FACT, facts))
            for m in group
        ]
        self.writes += 1
        async with self.store.write() as unit:
            await unit.put_episodes(episodes)
            await unit.put_mentions(mentions)
            await unit.put_assertions(assertions)
            await unit.put_facts(facts)
            await unit.put_index([row.entry for row in rows])
            await unit.put_documents([delta_document(delta_for(rows), seq=self.writes, at=NOW)])


def _words(memory: Episode | Fact) -> str:
    extra = memory.title if isinstance(memory, Episode) else f"{memory.subject.name} {memory.object.name}"
    return " ".join(index_terms(f"{extra} {memory.text}"))


def retriever(policy: RankingPolicy = DEFAULT_POLICY) -> Retriever:
    """Words and graph only: what models add does not depend on the store."""
    return Retriever(embedders=None, analyzer=None, ontology=base_ontology(), policy=policy, clock=lambda: NOW)


async def ask(world: World | TenantStore, query: str, **options: Any) -> Recall:
    store = world.store if isinstance(world, World) else world
    return await retriever().recall(store, RecallRequest(query=query, **options))


def ids(answer: Recall) -> list[str]:
    return [hit.id for hit in answer.hits]


@pytest.fixture
def world(store: TenantStore) -> World:
    return World(store)


async def test_a_rare_word_finds_its_note_first(world: World) -> None:
    await world.tell(*[episode(f"n{i}", text=f"The client called about order {i}.") for i in range(6)])
    await world.tell(episode("rare", text="The client asked for a zeppelin."))

    assert ids(await ask(world, "Who asked for a zeppelin?"))[0] == "rare"


async def test_old_and_unimportant_does_not_hide_the_only_match(world: World) -> None:
    old = at(-20 * 365)
    await world.tell(episode("old", text="The vault code is kestrel.", importance=1, occurred_at=old, recorded_at=old))
    await world.tell(*[episode(f"n{i}", text=f"Lunch with the team, day {i}.", importance=5) for i in range(8)])

    assert ids(await ask(world, "What is the vault code?"))[0] == "old"


async def test_a_chain_is_answered_with_every_step_in_order(world: World) -> None:
    await world.hold("f1", "Mira Voss", "works_for", "Harbour Mills", "Mira Voss works for Harbour Mills.")
    await world.hold("f2", "Harbour Mills", "supplied_by", "Tor Grain", "Harbour Mills is supplied by Tor Grain.")
    await world.hold("f3", "Tor Grain", "headquartered_in", "Bergen", "Tor Grain has its head office in Bergen.")
    await world.tell(*[episode(f"n{i}", text=f"Head office news, supplier talk {i}.") for i in range(5)])

    answer = await ask(world, "Where is the headquarters of the supplier of the employer of Mira Voss?")

    assert ids(answer)[:3] == ["f1", "f2", "f3"]
    assert [step.fact for step in answer.hits[2].path] == ["f1", "f2", "f3"]
    assert [step.target.name for step in answer.hits[2].path] == ["Harbour Mills", "Tor Grain", "Bergen"]
    assert list(answer.episodes)[:3] == ["note-f1", "note-f2", "note-f3"]


async def test_without_hops_nothing_is_walked(world: World) -> None:
    await world.hold("f1", "Mira Voss", "works_for", "Harbour Mills", "Mira Voss works for Harbour Mills.")

    answer = await ask(world, "Who is the employer of Mira Voss?", hops=0)

    assert all(not hit.path for hit in answer.hits)


async def change_of_job(world: World) -> None:
    slot = {"slot": "job"}
    old = await world.hold(
        "old", "Ana Ruiz", "works_for", "Acme", "Ana Ruiz works for Acme.", invalid_at=at(50), superseded_by=FactId("new"),
        **slot,
    )  # fmt: skip
    assert old.invalid_at
    await world.hold("new", "Ana Ruiz", "works_for", "Globex", "Ana Ruiz works for Globex.", valid_at=at(50), **slot)


async def test_what_surely_holds_no_longer_is_left_out_and_named(world: World) -> None:
    await change_of_job(world)

    answer = await ask(world, "Who does Ana Ruiz work for?")

    assert ids(answer)[0] == "new"
    assert {"old", "note-old"} & set(ids(answer)) == set()
    assert "note-old" not in answer.episodes
    assert {(entry.id, entry.reason) for entry in answer.omitted} >= {("old", "superseded"), ("note-old", "superseded")}


async def test_superseded_memories_are_shown_by_asking_and_stand_behind(world: World) -> None:
    await change_of_job(world)

    answer = await ask(world, "Who does Ana Ruiz work for?", include_superseded=True)

    assert [id for id in answer.episodes if id in ("note-new", "note-old")] == ["note-new", "note-old"]
    note = next(hit for hit in answer.hits if hit.id == "note-old")
    assert note.superseded
    assert note.parts["superseded"] < 0


async def test_as_of_asks_for_what_held_then(world: World) -> None:
    await change_of_job(world)

    answer = await ask(world, "Who does Ana Ruiz work for?", as_of=at(20))

    assert ids(answer)[0] == "old"
    assert "new" not in ids(answer)
    assert ("new", "not_yet") in [(entry.id, entry.reason) for entry in answer.omitted]


async def test_superseded_facts_are_marked_when_asked_for(world: World) -> None:
    await change_of_job(world)

    answer = await ask(world, "Who does Ana Ruiz work for?", include_superseded=True)

    assert {hit.id: hit.superseded for hit in answer.hits if hit.kind is Kind.FACT} == {"new": False, "old": True}


async def test_a_question_for_the_past_gets_the_whole_timeline(world: World) -> None:
    await change_of_job(world)

    answer = await ask(world, "Which employers has Ana Ruiz had over time?")

    assert list(answer.episodes)[:2] == ["note-old", "note-new"]


async def test_what_was_not_known_yet_is_not_there(world: World) -> None:
    await world.tell(episode("early", text="The zeppelin is blue.", recorded_at=at(0)))
    await world.tell(episode("late", text="The zeppelin is red.", recorded_at=at(90)))

    assert ids(await ask(world, "zeppelin", known_at=at(30))) == ["early"]


async def test_clocks_before_all_records_give_an_empty_answer_that_says_what_was_looked_at(world: World) -> None:
    await world.tell(episode("early", text="The zeppelin is blue."))

    answer = await ask(world, "zeppelin", known_at=at(-400))

    assert answer.hits == ()
    assert answer.trace.body["looked_at"]["candidates"] == 0
    assert answer.trace.body["clocks"]["known_at"].startswith("2024-11-27")
    assert answer.empty == (
        "looked at what is kept (1 message) as of 2026-06-01T12:00:00Z, as known by 2024-11-27T09:00:00Z: nothing fits the "
        "question; all of it may have been recorded later"
    )


async def test_behind_a_wall_is_not_there_for_others_not_even_as_a_near_miss(open_store: OpenStore) -> None:
    inside = World(open_store(walls={"deal"}))
    await inside.hold("secret", "Ana Ruiz", "works_for", "Vault", "Ana Ruiz works for Vault.", wall="deal")
    await World(open_store()).tell(episode("open", text="Lunch at noon."))

    outside = await ask(open_store(), "Who does Ana Ruiz work for?")

    assert ids(await ask(inside, "Who does Ana Ruiz work for?"))[0] == "secret"
    assert "secret" not in str(outside.trace.body)
    assert not [hit for hit in outside.hits if hit.id in ("secret", "note-secret")]


async def test_another_tenants_memories_are_not_there(world: World, other: TenantStore) -> None:
    await world.tell(episode("ours", text="The zebra is ours."))
    await World(other).tell(*[episode(f"z{i}", text=f"zebra zebra {i}") for i in range(30)])

    assert ids(await ask(world, "zebra")) == ["ours"]


async def test_another_session_is_not_read(world: World) -> None:
    await world.tell(episode("a", text="The zebra sleeps.", scope=scope(session="A")))

    assert ids(await ask(world, "zebra", scope=scope(session="B"))) == []
    assert ids(await ask(world, "zebra", scope=scope(session="A"))) == ["a"]


async def test_a_name_leads_from_a_passage_to_the_one_about_it(world: World) -> None:
    film = episode(
        "film", text="The Glass Harbour is a film by Ida Lorne.", title="The Glass Harbour", kind=EpisodeKind.DOCUMENT
    )
    person = episode("person", text="She was born in Tromsø in 1961.", title="Ida Lorne", kind=EpisodeKind.DOCUMENT)
    noise = [
        episode(f"d{i}", text=f"Born in a town, number {i}.", title=f"Person {i}", kind=EpisodeKind.DOCUMENT)
        for i in range(12)
    ]
    await world.tell(film, about=[("film", "The Glass Harbour")], title=True)
    await world.tell(person, about=[("person", "Ida Lorne")], title=True)
    await world.tell(*noise)
    async with world.store.write() as unit:
        await unit.put_mentions([mention("film", world.names["Ida Lorne"].id)])

    answer = await ask(world, "Where was the director of The Glass Harbour born?")

    assert ids(answer)[:2] == ["film", "person"]
    assert answer.hits[0].parts["title"] > 0
    assert answer.hits[1].parts["names"] > 0


async def test_a_chain_of_notes_steps_from_a_full_name_to_the_short_one(world: World) -> None:
    await world.tell(
        episode(
            "n1", text="On-site repairs at the Brackwater hall go to Kestrel Print Services.", kind=EpisodeKind.NOTE
        ),
        episode("n2", text="Kestrel has a single engineer with clearance, Wojciech Lis.", kind=EpisodeKind.NOTE),
        *[episode(f"x{i}", text=f"Engineer news, clearance talk {i}.", kind=EpisodeKind.NOTE) for i in range(4)],
        about=[("n1", "Brackwater"), ("n1", "Kestrel Print Services"), ("n2", "Kestrel"), ("n2", "Wojciech Lis")],
    )

    answer = await ask(world, "Who may do repairs at Brackwater?")

    assert ids(answer)[:2] == ["n1", "n2"]
    assert answer.hits[1].parts["names"] > 0


async def test_an_answer_follows_its_question(world: World) -> None:
    turns = [
        episode("q", text="Which colour did you paint the shed?", thread="t", position=1, speaker="Bo"),
        episode("a", text="Ochre, in the end.", thread="t", position=2, speaker="Cy"),
        *[episode(f"o{i}", text=f"Ochre talk {i}.", thread=f"u{i}", position=1, speaker="Cy") for i in range(4)],
    ]
    await world.tell(*turns)

    answer = await ask(world, "What colour is the shed?")

    assert ids(answer)[:2] == ["q", "a"]
    assert answer.hits[1].parts["neighbours"] > 0


async def test_the_latest_of_two_like_turns_comes_first_when_the_question_asks_for_now(world: World) -> None:
    await world.tell(
        episode("then", text="My weight is 71 kilos now, I think, seventy one.", thread="t1", position=1),
        episode("now", text="My weight is 68 kilos.", thread="t2", position=1, occurred_at=at(100)),
    )

    assert ids(await ask(world, "What is my current weight?"))[0] == "now"
    assert ids(await ask(world, "What was my weight before, seventy one kilos?"))[0] == "then"


async def test_copies_fold_into_one_hit_that_counts_and_cites_them(world: World) -> None:
    text = "The zeppelin lands at noon near harbour."
    await world.tell(*[episode(f"e{i}", text=text) for i in range(3)], episode("other", text="A zeppelin flew."))

    answer = await ask(world, "When does the zeppelin land?")

    assert ids(answer) == ["e0", "other"]
    assert answer.hits[0].copies == 2
    assert [quote.episode for quote in answer.hits[0].evidence] == ["e0", "e1", "e2"]
    assert {entry.id for entry in answer.omitted if entry.reason == "duplicate"} == {"e1", "e2"}


async def test_each_caller_gets_its_own_limit_and_the_rest_is_named(world: World) -> None:
    await world.tell(*[episode(f"e{i}", text=f"zebra number {i} {'x' * i}") for i in range(6)])

    one, many = await ask(world, "zebra", limit=1), await ask(world, "zebra", limit=50)

    assert (len(one.hits), len(many.hits)) == (1, 6)
    assert {entry.id for entry in one.omitted if entry.reason == "limit"} == set(ids(many)[1:])


async def test_kinds_restrict_what_is_shown(world: World) -> None:
    await change_of_job(world)

    assert {hit.kind for hit in (await ask(world, "Ana Ruiz", kinds=frozenset({Kind.EPISODE}))).hits} == {Kind.EPISODE}


async def test_recently_used_are_given_beside_the_hits(world: World) -> None:
    await world.tell(episode("e1", text="The zebra sleeps."), episode("e2", text="Lunch is at noon."))
    async with world.store.write() as unit:
        await unit.add_uses([Use(kind=Kind.EPISODE, id=id, count=1, last_at=NOW) for id in ("e1", "e2")])

    answer = await ask(world, "zebra")

    assert (ids(answer), [hit.id for hit in answer.recent]) == (["e1"], ["e2"])


@pytest.mark.parametrize(
    "query",
    ['? " ( ) : * ~ /', "AND OR NOT", "*", "~", "\u0000", "\ud800", "😀😀", "zebra AND (", "Ж" * 300, "word " * 1600],
)
async def test_no_question_is_refused_or_breaks_a_store(world: World, query: str) -> None:
    await world.tell(episode("e1", text="The zebra sleeps."))

    answer = await ask(world, query)

    assert answer.trace.body["looked_at"]["memories"] == {"message": 1}
    assert answer.hits or "looked at what is kept (1 message)" in answer.empty


async def test_a_misspelt_or_partial_name_is_guessed_where_one_fits(world: World) -> None:
    await world.hold("f1", "Thaddeus Quillfeather", "works_for", "Acme", "Thaddeus Quillfeather works for Acme.")

    for name in ("Quillfeather", "Thadeus"):
        answer = await ask(world, f"Who employs {name}?")
        assert answer.trace.body["read"]["entities"][0]["ids"] == ["x-Thaddeus Quillfeather"], name


async def test_parts_of_a_score_add_up_to_it(world: World) -> None:
    await change_of_job(world)

    for hit in (await ask(world, "Who does Ana Ruiz work for?")).hits:
        assert hit.score == pytest.approx(sum(hit.parts.values()))


async def test_the_same_question_gets_the_same_answer(world: World) -> None:
    await change_of_job(world)
    await world.tell(*[episode(f"e{i}", text=f"Ana talked of work {i}.") for i in range(20)])

    first, again = await ask(world, "Where does Ana Ruiz work?"), await ask(world, "Where does Ana Ruiz work?")

    assert first.trace.body == again.trace.body


async def test_statistics_are_read_again_when_something_was_written(world: World) -> None:
    keeper = retriever()
    await world.tell(episode("e1", text="The zebra sleeps."))
    before = await keeper.recall(world.store, RecallRequest(query="zebra"))
    await world.tell(episode("e2", text="Another zebra."))
    after = await keeper.recall(world.store, RecallRequest(query="zebra"))

    assert (before.trace.body["looked_at"]["statistics_seq"], after.trace.body["looked_at"]["statistics_seq"]) == (1, 2)
    assert await world.store.last_seq(STATISTICS) == 2


async def test_asking_changes_nothing(world: World) -> None:
    await change_of_job(world)
    facts = await world.store.facts([FactId("old"), FactId("new")])
    await ask(world, "Who does Ana Ruiz work for?")

    assert await world.store.facts([FactId("old"), FactId("new")]) == facts
    assert await world.store.uses([(Kind.FACT, "new")]) == {}
    assert await world.store.entities([EntityId("x-Acme")]) == [world.names["Acme"]]


async def test_what_is_over_by_its_own_words_is_found_where_the_past_is_asked_for(world: World) -> None:
    text = "Ana Ruiz rented the Pier Hall."
    await world.hold("rent", "Ana Ruiz", "rented", "Pier Hall", text, invalid_at=at(20), closed_by="until.told")

    assert "note-rent" in (await ask(world, "When did Ana Ruiz rent the Pier Hall?")).episodes
    assert "note-rent" not in (await ask(world, "Where is Ana Ruiz now in Pier Hall?")).episodes
    assert "note-rent" not in (await ask(world, "When did Ana Ruiz rent the Pier Hall?", as_of=at(40))).episodes


async def test_from_what_happened_on_a_day_to_what_else_did(world: World) -> None:
    await world.tell(
        episode("fair", kind=EpisodeKind.NOTE, text="The spring fair opened on 4 May 2026 in Hall Two."),
        episode("other", kind=EpisodeKind.NOTE, text="On 4 May 2026 a lorry blocked the north gate."),
        *[episode(f"n{i}", kind=EpisodeKind.NOTE, text=f"On {i + 5} May 2026 a lorry came late.") for i in range(6)],
    )

    asked = await ask(world, "What was blocked on the day that the spring fair opened in Hall Two?")

    assert set(ids(asked)[:2]) == {"fair", "other"}
    assert next(hit for hit in asked.hits if hit.id == "other").parts["day"] > 0


async def test_a_note_that_only_names_lead_to_is_left_out_too_where_it_holds_no_longer(world: World) -> None:
    await world.hold("works", "Mira Voss", "works_for", "Harbour Mills", "Mira Voss works for Harbour Mills.")
    await world.tell(*[
        episode(f"n{i}", kind=EpisodeKind.NOTE, text=f"Mira Voss had soup with supplier {i}.") for i in range(70)
    ])  # fmt: skip
    seat = {"slot": "seat"}
    await world.hold(
        "old", "Harbour Mills", "sits_in", "Old Quay", "Harbour Mills sits in Old Quay.", invalid_at=at(50),
        superseded_by=FactId("new"), **seat,
    )  # fmt: skip
    await world.hold(
        "new", "Harbour Mills", "sits_in", "New Quay", "Harbour Mills sits in New Quay.", valid_at=at(50), **seat
    )

    answer = await ask(world, "Whom does Mira Voss work for, supplier and soup?", limit=50)

    assert "note-old" not in answer.episodes
