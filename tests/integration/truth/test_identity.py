"""Which names are one entity: taken, asked, refused; joined and parted by hand, with everything that hangs on it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from muniment.engine.memory import Memory
from muniment.engine.reading import ReadOnlyMemory
from muniment.graph_schema.errors import Conflict, Invalid, NotFound
from muniment.graph_schema.records import Action, Entity, Kind, Receipt
from tests.engines import engine_on


def a(name: str, type: str = "") -> dict[str, Any]:
    return {"name": name, "type": type} if type else {"name": name}


def told(subject: Any, relation: str, object: Any, *, since: str = "", **more: Any) -> dict[str, Any]:
    ends = [{"name": end} if isinstance(end, str) else end for end in (subject, object)]
    dates = {"valid_at": f"{since}T00:00:00Z"} if since else {}
    return {"subject": ends[0], "relation": relation, "object": ends[1], **dates, **more}


def note(text: str, **more: Any) -> dict[str, Any]:
    return {"text": text, "kind": "note", "occurred_at": "2026-05-01T09:00:00Z", **more}


async def entity_named(memory: ReadOnlyMemory, name: str, type: str = "") -> Entity:
    """The one entity that is found under exactly this spelling."""
    found = (await memory.entities(q=name, type=type, limit=200)).items
    exact = [page.entity for page in found if name in spellings(page.entity)]
    (one,) = exact
    return one


def spellings(entity: Entity) -> set[str]:
    return {alias.name for alias in entity.aliases if alias.name}


async def names(memory: ReadOnlyMemory) -> list[str]:
    return sorted(page.entity.name for page in (await memory.entities(limit=200)).items)


async def facts_of(memory: ReadOnlyMemory) -> set[tuple[str, ...]]:
    """What is held, ids included, so that two states can be compared."""
    found = (await memory.facts(include_superseded=True, limit=200)).items
    return {
        (f.id, f.subject.id, f.subject.name, f.relation, f.object.id, f.object.name, str(f.valid_at), str(f.invalid_at))
        for f in found
    }


async def pairs(memory: ReadOnlyMemory) -> set[tuple[str, str, str]]:
    found = (await memory.facts(include_superseded=True, limit=200)).items
    return {(f.subject.name, f.relation, f.object.name) for f in found}


def merge_of(receipt: Receipt) -> str:
    (change,) = [c for c in receipt.changes if c.action is Action.MERGED and c.kind is Kind.ENTITY]
    return change.because.by[1]


# -- what a name means


async def test_undoing_a_write_takes_off_the_spellings_that_only_it_brought(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")

        async def known_as() -> set[str]:
            return spellings(await entity_named(memory, "Parvez Rahman"))

        await memory.assert_facts([told(a("Parvez Rahman", "person"), "likes", "tea")])
        turned = a("Rahman, Parvez", "person")
        first = await memory.assert_facts(
            [
                told({**turned, "identifiers": ["tax:GB7"]}, "likes", "cocoa"),
                told(a("Mr. Parvez Rahman", "person"), "likes", "rum"),
            ]
        )
        second = await memory.assert_facts([told(a("Mr. Parvez Rahman", "person"), "likes", "ale")])
        assert await known_as() == {"Parvez Rahman", "Rahman, Parvez", "Mr. Parvez Rahman"}
        undone = await memory.undo(first.id)
        assert await known_as() == {"Parvez Rahman", "Mr. Parvez Rahman"}  # the later write says one of them too
        assert (await entity_named(memory, "Parvez Rahman")).identifiers == ()
        again = await memory.undo(undone.id)
        assert await known_as() == {"Parvez Rahman", "Rahman, Parvez", "Mr. Parvez Rahman"}
        assert (await entity_named(memory, "Parvez Rahman")).identifiers == ("tax:GB7",)
        await memory.undo(second.id)
        assert "Mr. Parvez Rahman" in await known_as()  # the first write, which stands again, says it
        await memory.undo(again.id)
        assert await known_as() == {"Parvez Rahman"}


async def test_a_spelling_of_several_writes_goes_with_the_last_of_them_whatever_the_order(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        for tenant, order in (("ab", (0, 1, 2)), ("ba", (1, 0, 2)), ("cb", (2, 0, 1))):
            memory = engine.for_tenant(tenant)
            await memory.assert_facts([told(a("Parvez Rahman", "person"), "likes", "tea")])
            titled = a("Mr. Parvez Rahman", "person")
            writes = [
                await memory.assert_facts([told(titled, "likes", "cocoa")]),
                await memory.assert_facts([told(titled, "likes", "ale")]),
                await memory.remember([note("Mr. Parvez Rahman works for Brightwater.")]),
            ]
            undone = []
            for place in order:
                assert spellings(await entity_named(memory, "Parvez Rahman")) == {"Parvez Rahman", "Mr. Parvez Rahman"}
                undone.append(await memory.undo(writes[place].id))
            assert spellings(await entity_named(memory, "Parvez Rahman")) == {"Parvez Rahman"}, tenant
            again = await memory.undo(undone[0].id)
            assert spellings(await entity_named(memory, "Parvez Rahman")) == {"Parvez Rahman", "Mr. Parvez Rahman"}
            await memory.undo(again.id)
            assert spellings(await entity_named(memory, "Parvez Rahman")) == {"Parvez Rahman"}


async def test_an_undone_episode_takes_its_spelling_with_it(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        await memory.assert_facts([told(a("Parvez Rahman", "person"), "works_for", "Brightwater")])
        receipt = await memory.remember([note("Mr. Parvez Rahman works for Brightwater.", speaker="Rahman, Parvez")])
        assert len(spellings(await entity_named(memory, "Parvez Rahman"))) > 1
        await memory.undo(receipt.id)
        assert spellings(await entity_named(memory, "Parvez Rahman")) == {"Parvez Rahman"}


async def test_spellings_of_one_name_are_one_node_that_lists_them(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        for n, name in enumerate(["QRTX", "qrtx", " QRTX ", "ＱＲＴＸ"]):
            await memory.assert_facts([told(a(name, "product"), "part_of", f"Kit {n}")])
        (found,) = (await memory.entities(type="product")).items
        assert {"QRTX", "qrtx", "ＱＲＴＸ"} <= spellings(found.entity)
        for spelling in ("QRTX", "qrtx", " QRTX ", "ＱＲＴＸ"):
            assert len((await memory.facts(subject=spelling)).items) == 4


async def test_names_that_differ_in_a_digit_are_as_many_nodes_and_no_question(store_url: str) -> None:
    apart = ["Room 101", "Room 102", "UA123", "UA124", "2023 Tax Return", "2024 Tax Return", "ASR1603", "ASR1605"]
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        for name in apart:
            receipt = await memory.assert_facts([told("Register", "lists", name)])
            assert receipt.reviews == ()
        assert set(apart) < set(await names(memory))
        assert (await memory.reviews()).items == ()
        # The positive control: a misspelling of the same kind of name is asked about.
        await memory.assert_facts([told("Register", "lists", a("Brightwater Ledger", "document"))])
        asked = await memory.assert_facts([told("Register", "lists", a("Britewater Ledger", "document"))])
        assert len(asked.reviews) == 1


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("東京支社 Meridian Platform", "大阪支社 Meridian Platform", False),
        ("Проект Alpha", "Отдел Alpha", False),
        ("José Prado", "Jose\u0301 Prado", True),
    ],
)
async def test_every_script_counts_in_a_name(store_url: str, one: str, other: str, same: bool) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        await memory.assert_facts([told(one, "likes", "tea"), told(other, "likes", "coffee")])
        subjects = {fact.subject.id for fact in (await memory.facts()).items}
        assert len(subjects) == (1 if same else 2)
        assert (await memory.reviews()).items == ()


async def test_people_and_the_country_of_one_name_stay_apart(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        await memory.assert_facts([told(a("Jordan", "person"), "likes", "tea")])
        await memory.assert_facts([told("Lena Haddad", "lives_in", a("Jordan", "country"))])
        await memory.assert_facts([told("Omar Saleh", "lives_in", "Jordan")])
        await memory.assert_facts([told("Jordan", "works_for", "Brightwater")])
        found = {page.entity.type: page.counts.facts for page in (await memory.entities(q="jordan")).items}
        assert found == {"person": 2, "country": 2}
        assert (await memory.reviews()).items == ()


async def test_name_order_initials_and_titles_lead_to_the_only_person_they_fit(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        await memory.assert_facts([told(a("Parvez Rahman", "person"), "likes", "tea")])
        for name in ("Rahman, Parvez", "P. Rahman", "Mr. Parvez Rahman"):
            receipt = await memory.assert_facts([told(a(name, "person"), "likes", f"things of {name}")])
            assert receipt.reviews == ()
        rahman = await entity_named(memory, "P. Rahman")
        assert spellings(rahman) == {"Parvez Rahman", "Rahman, Parvez", "P. Rahman", "Mr. Parvez Rahman"}
        assert len((await memory.facts(subject="P. Rahman")).items) == 4


async def test_an_initial_that_fits_two_is_neither(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        await memory.assert_facts([told(a("Parvez Rahman", "person"), "likes", "tea")])
        await memory.assert_facts([told(a("Petra Rahman", "person"), "likes", "coffee")])
        receipt = await memory.assert_facts([told(a("P. Rahman", "person"), "likes", "cocoa")])
        assert len(receipt.reviews) == 2
        assert len(await names(memory)) == 6


async def test_identical_strong_identifiers_join_and_differing_ones_never(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")

        def firm(name: str, *identifiers: str) -> dict[str, Any]:
            return {"name": name, "type": "company", "identifiers": list(identifiers)}

        await memory.assert_facts([told(firm("Brightwater Ltd", "tax:GB1"), "likes", "tea")])
        await memory.assert_facts([told(firm("BW Trading", "tax:GB1"), "likes", "coffee")])
        await memory.assert_facts([told(firm("Brightwater Ltd", "tax:GB2"), "likes", "cocoa")])
        found = {p.counts.facts for p in (await memory.entities(type="company")).items}
        assert found == {1, 2}
        assert len((await memory.facts(subject=(await entity_named(memory, "BW Trading")).id)).items) == 2


async def test_concurrent_writers_of_one_name_make_one_entity(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        await asyncio.gather(
            *(memory.assert_facts([told(a("Alice", "person"), "likes", f"thing {n}")]) for n in range(5))
        )
        (alice,) = (await memory.entities(q="alice")).items
        assert alice.counts.facts == 5


async def test_two_facts_between_one_pair_are_two_edges(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        await memory.assert_facts(
            [told("Ana", "bought_from", "Northwind"), told("Ana", "complained_about", "Northwind")]
        )
        assert len(await pairs(memory)) == 2


async def test_a_type_learned_later_reaches_the_facts_that_are_there(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        await memory.assert_facts([told("Halcyon", "mentioned_with", "the annex")])
        given = [told(a("Halcyon", "company"), "likes", "tea")]
        tried = await memory.assert_facts(given, dry_run=True)
        receipt = await memory.assert_facts(given)
        assert {f.subject.type for f in (await memory.facts(subject="Halcyon")).items} == {"company"}
        halcyon = (await entity_named(memory, "Halcyon")).id
        for one in (tried, receipt):
            assert [c.id for c in one.changes if c.because.rule == "identity.finer-type"] == [halcyon]
        assert not [c for c in (await memory.assert_facts(given)).changes if c.kind is Kind.ENTITY]


# -- likely ones are asked about


async def asked(memory: Memory) -> tuple[str, list[str]]:
    await memory.assert_facts([told(a("Tamsin Okafor", "person"), "works_for", "Brightwater")])
    receipt = await memory.assert_facts([told(a("Tamsyn Okafor", "person"), "likes", "tea")])
    (review,) = (await memory.reviews()).items
    assert receipt.reviews == (review.id,)
    assert review.rule == "identity.likely-merge"
    assert {e.name for e in review.entities} == {"Tamsin Okafor", "Tamsyn Okafor"}
    assert review.score is not None
    assert review.features
    assert [c.name for c in review.choices] == ["merge", "different"]
    return review.id, [e.id for e in review.entities]


async def test_a_likely_match_is_joined_only_when_a_person_says_so(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        review, ids = await asked(memory)
        before = await facts_of(memory)
        receipt = await memory.resolve_review(review, "merge")
        assert {f.subject.name for f in (await memory.facts(subject="Tamsyn Okafor")).items} == {"Tamsin Okafor"}
        assert len((await memory.facts(subject="Tamsin Okafor")).items) == 2
        assert (await memory.reviews()).items == ()
        await memory.undo(receipt.id)
        assert await facts_of(memory) == before
        (again,) = (await memory.reviews()).items
        assert again.id == review
        assert (await memory.entity(ids[1])).entity.id == ids[1]


async def test_a_pair_called_different_is_never_joined_and_never_asked_about_again(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        review, ids = await asked(memory)
        with pytest.raises(Invalid, match="merge, different"):
            await memory.resolve_review(review, "perhaps")
        receipt = await memory.resolve_review(review, "different")
        with pytest.raises(Conflict, match="forbidden"):
            await memory.merge(ids)
        await memory.assert_facts([told(a("Tamsyn  Okafor", "person"), "likes", "coffee")])
        assert (await memory.reviews()).items == ()
        await memory.undo(receipt.id)
        assert len((await memory.reviews()).items) == 1
        await memory.merge(ids)
        assert (await memory.reviews()).items == ()


async def test_nobody_is_asked_about_common_words(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        await memory.assert_facts([told("Tamsin Okafor", "mentioned", "annual budget")])
        plain = await memory.assert_facts([told("Tamsin Okafor", "mentioned", "annual budgets")])
        assert plain.reviews == ()
        await memory.assert_facts([told("Tamsin Okafor", "mentioned", "Annual Ledger")])
        proper = await memory.assert_facts([told("Tamsin Okafor", "mentioned", "Annual Ledgers")])
        assert len(proper.reviews) == 1


async def test_likeness_ends_at_tenants_and_walls(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        acme, deal = engine.for_tenant("acme"), engine.for_tenant("acme", walls=["deal"])
        await acme.assert_facts([told(a("Tamsin Okafor", "person"), "likes", "tea")])
        across = await engine.for_tenant("globex").assert_facts([told(a("Tamsyn Okafor", "person"), "likes", "tea")])
        behind = await deal.assert_facts([told(a("Tamsyn Okafor", "person"), "likes", "tea", wall="deal")])
        assert across.reviews == behind.reviews == ()
        await deal.assert_facts([told(a("Tamsin Okafor", "person"), "likes", "rum", wall="deal")])
        assert len((await deal.reviews()).items) == 1
        assert (await acme.reviews()).items == ()
        people = {p.entity.id for p in (await deal.entities(q="tams")).items}
        assert len(people) == 3
        assert len((await acme.entities(q="tams")).items) == 1
        with pytest.raises((Invalid, NotFound)):
            await deal.merge(sorted(people))


# -- joined and parted by hand


async def two_firms(memory: Memory) -> tuple[str, str]:
    await memory.assert_facts(
        [
            told(a("Northwind", "company"), "headquartered_in", "Lyon", since="2020-01-01"),
            told(a("Norte Viento", "company"), "headquartered_in", "Graz", since="2023-01-01"),
            told("Ana", "bought_from", a("Northwind", "company"), since="2021-01-01"),
            told("Ana", "bought_from", a("Norte Viento", "company"), since="2022-01-01"),
            told(a("Northwind", "company"), "partner_of", a("Norte Viento", "company")),
        ]
    )
    await memory.remember([note("Norte Viento sent the invoice.", title="Norte Viento")])
    return (await entity_named(memory, "Northwind")).id, (await entity_named(memory, "Norte Viento")).id


async def test_merging_moves_facts_with_their_dates_and_leaves_no_loop(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        keep, other = await two_firms(memory)
        before = await facts_of(memory)
        preview = await memory.merge([keep, other], dry_run=True)
        assert await facts_of(memory) == before
        receipt = await memory.merge([keep, other])
        assert (preview.changes, preview.reviews) == (receipt.changes, receipt.reviews)
        assert await pairs(memory) == {
            ("Northwind", "headquartered_in", "Lyon"),
            ("Northwind", "headquartered_in", "Graz"),
            ("Ana", "bought_from", "Northwind"),
        }
        held = {f.object.name: f for f in (await memory.facts(subject=keep, include_superseded=True)).items}
        assert held["Lyon"].invalid_at == held["Graz"].valid_at
        assert (await memory.entity(other)).entity.id == keep
        assert (await memory.entity(keep)).counts.first_seen is not None
        answer = await memory.recall("What did Norte Viento send?")
        assert any("invoice" in hit.text for hit in answer.recall.hits)


@pytest.mark.parametrize("by", ["unmerge", "entity", "undo"])
async def test_parting_what_was_joined_gives_back_everything(store_url: str, by: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        keep, other = await two_firms(memory)
        before = await facts_of(memory)
        entities = [(await memory.entity(id)) for id in (keep, other)]
        receipt = await memory.merge([keep, other])
        match by:
            case "unmerge":
                await memory.unmerge(merge_of(receipt))
            case "entity":
                await memory.unmerge(other)
            case _:
                await memory.undo(receipt.id)
        assert await facts_of(memory) == before
        assert [(await memory.entity(id)) for id in (keep, other)] == entities
        with pytest.raises(Conflict):
            await memory.unmerge(merge_of(receipt))


async def test_an_undone_merge_can_be_brought_back_and_taken_back_again(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        keep, other = await two_firms(memory)
        apart = await facts_of(memory)
        merged = await memory.merge([keep, other])
        joined = await facts_of(memory)
        undone = await memory.undo(merged.id)
        assert await facts_of(memory) == apart
        again = await memory.undo(undone.id)
        assert await facts_of(memory) == joined
        await memory.undo(again.id)
        assert await facts_of(memory) == apart


async def test_three_become_one_and_three_again(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        keep, other = await two_firms(memory)
        await memory.assert_facts([told(a("NW Holdings", "company"), "uses", "trucks")])
        third = (await entity_named(memory, "NW Holdings")).id
        before = await facts_of(memory)
        receipt = await memory.merge([keep, other, third])
        assert {s for s, _, _ in await pairs(memory)} == {"Northwind", "Ana"}
        await memory.undo(receipt.id)
        assert await facts_of(memory) == before


async def test_a_chain_of_merges_comes_apart_in_any_order(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        keep, other = await two_firms(memory)
        await memory.assert_facts([told(a("NW Holdings", "company"), "uses", "trucks")])
        top = (await entity_named(memory, "NW Holdings")).id
        before = await facts_of(memory)
        first = await memory.merge([keep, other])
        second = await memory.merge([top, keep])
        assert (await memory.entity(other)).entity.id == top
        await memory.unmerge(merge_of(first))
        assert {f.object.name for f in (await memory.facts(subject=other)).items} == {"Graz"}
        assert "Norte Viento" not in spellings((await memory.entity(top)).entity)
        await memory.unmerge(merge_of(second))
        assert await facts_of(memory) == before


async def test_evidence_since_a_merge_goes_to_the_side_that_its_words_name(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        keep, other = await two_firms(memory)
        receipt = await memory.merge([keep, other])
        await memory.assert_facts(
            [
                told("Norte Viento", "uses", "barges", text="Norte Viento uses barges"),
                told("Northwind", "uses", "trains", text="Northwind uses trains"),
                told("Northwind", "uses", "kites", text="The firm uses kites"),
            ]
        )
        await memory.unmerge(merge_of(receipt))
        used = {(f.subject.name, f.object.name) for f in (await memory.facts(relation="uses")).items}
        assert used == {("Norte Viento", "barges"), ("Northwind", "trains"), ("Northwind", "kites")}


async def test_evidence_since_a_merge_goes_to_the_side_whose_id_was_named(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        keep, other = await two_firms(memory)
        receipt = await memory.merge([keep, other])
        await memory.assert_facts([told({"id": other}, "uses", "barges"), told({"id": keep}, "uses", "trains")])
        await memory.unmerge(merge_of(receipt))
        assert {f.object.name for f in (await memory.facts(subject=other, relation="uses")).items} == {"barges"}
        assert {f.object.name for f in (await memory.facts(subject=keep, relation="uses")).items} == {"trains"}


async def test_ids_and_spellings_from_before_a_merge_lead_to_the_survivor_everywhere(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        keep, other = await two_firms(memory)
        await memory.merge([keep, other])
        await memory.assert_facts([told({"id": other}, "uses", "barges"), told("norte viento", "uses", "trains")])
        for name in (keep, other, "Norte Viento", "Northwind"):
            found = {f.object.name for f in (await memory.facts(subject=name, relation="uses")).items}
            assert found == {"barges", "trains"}, name
        assert (await memory.neighbourhood([other])).entities
        assert await memory.paths("Ana", other)
        assert (await memory.entity(other)).entity.name == "Northwind"
        with pytest.raises(Invalid, match="fewer than two"):
            await memory.merge([keep, other])


async def test_a_name_whose_entity_was_merged_away_never_brings_it_back(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        await memory.assert_facts(
            [told(a("Vega", "company"), "uses", "vans"), told(a("Vega", "product"), "likes", "x")]
        )
        firm, product = (await entity_named(memory, "Vega", "company")), (await entity_named(memory, "Vega", "product"))
        await memory.merge([firm.id, product.id])
        await memory.assert_facts([told(a("Vega", "product"), "part_of", "Kit")])
        assert len((await memory.entities(q="vega")).items) == 1
        assert len((await memory.facts(subject=product.id)).items) == 3


async def test_a_forbidden_merge_stays_forbidden_until_that_is_taken_back(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        keep, other = await two_firms(memory)
        receipt = await memory.forbid_merge(keep, other)
        with pytest.raises(Conflict, match="forbidden"):
            await memory.merge([keep, other])
        undone = await memory.undo(receipt.id)
        await memory.merge([keep, other], dry_run=True)
        await memory.undo(undone.id)
        with pytest.raises(Conflict, match="forbidden"):
            await memory.merge([keep, other])


async def test_a_merge_reaches_behind_walls_and_shows_nothing_of_them(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory, deal = engine.for_tenant("acme"), engine.for_tenant("acme", walls=["deal"])
        keep, other = await two_firms(memory)
        await deal.assert_facts([told({"id": other}, "uses", "code name Heron", wall="deal")])
        receipt = await memory.merge([keep, other])
        assert {f.subject.id for f in (await deal.facts(relation="uses")).items} == {keep}
        assert (await memory.facts(relation="uses")).items == ()
        await memory.undo(receipt.id)
        assert {f.subject.id for f in (await deal.facts(relation="uses")).items} == {other}


async def test_setting_the_ontology_can_be_undone_and_the_undo_too(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        await memory.assert_facts(
            [
                told("Ana", "garrisoned_at", "Alder", since="2024-01-01"),
                told("Ana", "garrisoned_at", "Birch", since="2025-01-01"),
            ]
        )

        async def current() -> set[str]:
            return {f.object.name for f in (await memory.facts(relation="garrisoned_at")).items}

        assert await current() == {"Alder", "Birch"}
        receipt = await memory.set_ontology({"relations": [{"name": "garrisoned_at", "cardinality": "one"}]})
        assert await current() == {"Birch"}
        undone = await memory.undo(receipt.id)
        assert await current() == {"Alder", "Birch"}
        assert not (await memory.ontology()).is_functional("garrisoned_at")
        await memory.undo(undone.id)
        assert await current() == {"Birch"}


async def test_a_decided_dispute_is_open_again_when_the_decision_is_taken_back(store_url: str) -> None:
    async with engine_on(store_url) as engine:
        memory = engine.for_tenant("acme")
        await memory.assert_facts(
            [told("Ana", "lives_in", "Lyon", since="2025-01-01"), told("Ana", "lives_in", "Graz", since="2025-01-01")]
        )
        (review,) = (await memory.reviews()).items
        before = await facts_of(memory)
        lyon = next(f.id for f in review.facts if f.object.name == "Lyon")
        receipt = await memory.resolve_review(review.id, lyon)
        assert (await memory.reviews()).items == ()
        await memory.undo(receipt.id)
        assert [r.id for r in (await memory.reviews()).items] == [review.id]
        assert await facts_of(memory) == before
