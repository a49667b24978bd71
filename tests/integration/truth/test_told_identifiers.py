"""Mail addresses, telephones and numbers that are told as facts: they help to find whose a name is, and never more."""

from __future__ import annotations

from typing import Any

import pytest

from muniment.engine.memory import Memory
from muniment.engine.reading import ReadOnlyMemory
from muniment.graph_schema.records import Action, Kind
from tests.engines import changes, engine_on, memory_on

MAIL = "ana@ruiz.example"


def note(text: str, **more: Any) -> dict[str, Any]:
    return {"text": text, "kind": "note", "occurred_at": "2026-03-01T09:00:00Z", **more}


def has(name: str, relation: str, value: str, *, type: str = "person", **more: Any) -> dict[str, Any]:
    return {"subject": {"name": name, "type": type}, "relation": relation, "object": {"value": value}, **more}


def firm(name: str, relation: str, value: str, **more: Any) -> dict[str, Any]:
    return has(name, relation, value, type="company", **more)


async def known(memory: ReadOnlyMemory) -> dict[str, set[str]]:
    """Every entity's name, with what it is called."""
    found = (await memory.entities(limit=200)).items
    return {p.entity.name: set(p.entity.spellings) for p in found}


async def asked(memory: ReadOnlyMemory) -> set[frozenset[str]]:
    """The pairs that a person is asked about."""
    return {frozenset(e.name for e in review.entities) for review in (await memory.reviews()).items}


async def test_a_told_address_shows_whose_a_short_name_is_until_it_is_taken_back(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        first = await memory.remember([note(f"Ana Ruiz's email is {MAIL}.")])
        second = await memory.remember([note(f"A. Ruiz leads the tender. A. Ruiz's email is {MAIL.upper()}.")])
        assert (await known(memory))["Ana Ruiz"] == {"Ana Ruiz", "A. Ruiz"}
        assert "A. Ruiz" not in await known(memory)
        assert await asked(memory) == set()
        (why,) = [c.because for c in changes(second, Action.UPDATED, Kind.ENTITY)]
        assert (why.rule, why.evidence) == ("identity.same-identifier", (second.episodes[0].id,))

        await memory.undo(second.id)
        assert (await known(memory))["Ana Ruiz"] == {"Ana Ruiz"}
        await memory.retract(first.episodes[0].id)
        await memory.remember([note(f"A. Ruiz's email is {MAIL}.")])
        assert (await known(memory))["A. Ruiz"] == {"A. Ruiz"}


@pytest.mark.parametrize(
    ("one", "other", "joined"),
    [
        (has("Ana Ruiz", "has_email", MAIL), has("Ana Ruiz Soto", "email", MAIL), True),
        (has("Ana Ruiz", "has_phone", "+34 600 111 222"), has("A. Ruiz", "phone number", "0034-600-111-222"), True),
        (firm("Brightwater Ltd", "tax_number", "GB 123 456 789"), firm("Brightwater Trading", "tax id", "GB123456789"), True),
        (firm("Brightwater", "registration_number", "0912 345"), firm("Brightwater Group", "company number", "0912345"), True),
        (has("Ana Ruiz", "has_email", MAIL), has("Anna Ruiz", "has_email", MAIL), False),
        (has("Jan Holm", "has_phone", "+47 2233 4455"), has("Jon Holm", "has_phone", "+47 2233 4455"), False),
        (has("Jan Holm", "has_phone", "+47 2233 4455"), has("Holm", "has_phone", "+47 2233 4455"), False),
        (has("Jan Holm", "has_email", "h@holm.example"), has("Jan Holm Jr", "has_email", "h@holm.example"), False),
        (firm("Brightwater Ltd", "tax_number", "GB123456789"), firm("Greenfield Ltd", "tax_number", "GB123456789"), False),
        (firm("Brightwater Ltd", "has_email", "info@b.example"), firm("Copper Mill", "has_email", "info@b.example"), False),
    ],
)  # fmt: skip
async def test_sharing_an_identifier_joins_names_that_fit_and_asks_of_others(
    store_url: str, one: dict[str, Any], other: dict[str, Any], joined: bool
) -> None:
    names = {one["subject"]["name"], other["subject"]["name"]}
    async with engine_on(store_url) as engine:
        for tenant, facts in (("there", [one, other]), ("back", [other, one])):
            memory = engine.for_tenant(tenant, actor="tester")
            for fact in facts:
                await memory.assert_facts([fact])
            found = {name for name in await known(memory) if name in names}
            assert len(found) == (1 if joined else 2), tenant
            assert await asked(memory) == (set() if joined else {frozenset(names)}), tenant


async def test_what_an_office_or_many_share_asks_nobody(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        for name in ("Ida Berg", "Ida Berg Dahl"):
            await memory.assert_facts([has(name, "has_email", "sales@berg.example")])
        assert {"Ida Berg", "Ida Berg Dahl"} <= (await known(memory)).keys()
        people = ["Per Holm", "Eva Lind", "Jon Dahl", "Kim Moe", "Ola Vik"]
        for name in people:
            await memory.assert_facts([has(name, "has_phone", "+47 22 33 44 55")])
        pairs = {pair for pair in await asked(memory) if pair <= set(people)}
        assert len(pairs) == 6
        assert not any("Ola Vik" in pair for pair in pairs)


async def test_differing_numbers_keep_names_apart_but_one_name_may_get_another(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts([firm("Brightwater Ltd", "tax_number", "GB111222333")])
        await memory.assert_facts([firm("Brightwater", "tax_number", "GB444555666")])
        assert {"Brightwater Ltd", "Brightwater"} <= (await known(memory)).keys()
        await memory.assert_facts([firm("Brightwater Ltd", "tax_number", "GB777888999")])
        held = {(f.subject.name, f.object.name) for f in (await memory.facts(relation="tax_number")).items}
        assert held == {("Brightwater Ltd", "GB777888999"), ("Brightwater", "GB444555666")}


async def test_who_was_known_before_is_asked_about_and_not_joined(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await memory.assert_facts([has("Ana Ruiz", "likes", "tea"), has("Ana Ruiz Soto", "likes", "coffee")])
        await memory.assert_facts([has("Ana Ruiz", "has_email", MAIL), has("Ana Ruiz Soto", "has_email", MAIL)])
        assert {"Ana Ruiz", "Ana Ruiz Soto"} <= (await known(memory)).keys()
        assert await asked(memory) == {frozenset({"Ana Ruiz", "Ana Ruiz Soto"})}


async def test_given_and_told_identifiers_meet_but_not_across_walls_or_tenants(store_url: str) -> None:
    def given(name: str) -> dict[str, Any]:
        subject = {"name": name, "type": "person", "identifiers": [f"email:{MAIL}"]}
        return {"subject": subject, "relation": "likes", "object": {"value": "tea"}}

    async def joined(memory: Memory, *facts: dict[str, Any]) -> bool:
        for fact in facts:
            await memory.assert_facts([fact])
        return "Ana Ruiz Soto" not in await known(memory)

    async with engine_on(store_url) as engine:
        mail = has("Ana Ruiz", "has_email", MAIL)
        open_ = engine.for_tenant("told", actor="tester", all_walls=True)
        assert await joined(open_, mail, given("Ana Ruiz Soto"))
        assert await joined(
            engine.for_tenant("given", actor="tester"), given("Ana Ruiz"), has("Ana Ruiz Soto", "has_email", MAIL)
        )
        walled = engine.for_tenant("walled", actor="tester", all_walls=True)
        assert not await joined(walled, mail, has("Ana Ruiz Soto", "has_email", MAIL, wall="deal"))
        assert not await joined(engine.for_tenant("other", actor="tester"), has("Ana Ruiz Soto", "has_email", MAIL))
