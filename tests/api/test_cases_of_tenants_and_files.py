"""Reported troubles with tenants, sessions, files, limits and concurrency, on every store and every surface.

The ids are those of the list of cases that the project was asked to get right.
"""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, Protocol

import pytest
from typer.testing import CliRunner

from muniment.api.cli.main import app
from muniment.api.cli.parts import NOT_FOUND, WRONG
from muniment.engine.ports.store import DocumentQuery
from muniment.engine.system import system_store
from muniment.engine.write.audit import AUDIT, entry_of
from muniment.graph_schema.errors import TenantRequired
from muniment.graph_schema.records import AuditEntry
from tests.api.surfaces import Json, Refused, Surface, Surfaces, fact, moment

DAY = moment("2026-03-01")


class Asked(Protocol):
    """What agents' tools have too."""

    def tell(self, said: Any) -> Json: ...
    def keep(self, body: Any) -> Json: ...
    def note(self, text: str, *, at: str, id: str) -> Json: ...
    def facts(self, **filters: Any) -> list[Json]: ...
    def entities(self, q: str = "") -> list[Json]: ...
    def episode(self, id: str) -> Json: ...
    def recall(self, query: str, **options: Any) -> list[Json]: ...
    def context(self, query: str, **options: Any) -> Json: ...
    def block(self, query: str, **options: Any) -> str: ...
    def retract(self, id: str) -> Json: ...


@pytest.fixture(params=["python", "http", "cli", "mcp"])
def asked(surfaces: Surfaces, tenant: str, request: pytest.FixtureRequest) -> Asked:
    """The test's tenant through one of the ways in, the agents' tools among them."""
    return way(surfaces, request.param, tenant)


def way(surfaces: Surfaces, name: str, tenant: str) -> Asked:
    return surfaces.agent(tenant) if name == "mcp" else surfaces.of(name, tenant)


def name_of(request: pytest.FixtureRequest, fixture: str) -> str:
    return str(request.node.callspec.params[fixture])


def episode(text: str, **more: Any) -> Json:
    return {"text": text, "kind": "note", "occurred_at": DAY, **more}


def texts(hits: list[Json]) -> str:
    return " ".join(hit["text"] for hit in hits)


def made(receipt: Json, kind: str = "fact") -> str:
    (id,) = [c["id"] for c in receipt["changes"] if (c["action"], c["kind"]) == ("created", kind)]
    return str(id)


# O8: a tenant that is nobody, or everybody


@pytest.mark.parametrize("inside_a_loop", [True, False])
def test_o8_nobody_is_refused_by_the_engine_with_one_row(surfaces: Surfaces, tenant: str, inside_a_loop: bool) -> None:
    surface = surfaces.of("python", tenant)
    surface.tell(fact("Ana", "likes", "tea"))
    before = len(system_chain(surfaces))
    nobodies = (None, "", " ", "*", "null")
    for nobody in nobodies:

        async def inside(name: str | None = nobody) -> None:
            surfaces.engine.for_tenant(name, actor="ann")

        def outside(name: str | None = nobody) -> None:
            surfaces.engine.for_tenant(name, actor="ann")

        with pytest.raises(TenantRequired):
            surfaces.run(inside()) if inside_a_loop else outside()
    surface.reopen()
    rows = system_chain(surfaces)[before:]
    assert [(row.verb, row.actor, row.outcome, row.detail["code"]) for row in rows] == [
        ("for_tenant", "ann", "refused", "tenant_required")
    ] * len(nobodies)
    assert [one["object"]["name"] for one in surface.facts()] == ["tea"]


def test_o8_nobody_is_refused_on_the_command_line_with_one_row(surfaces: Surfaces, tenant: str) -> None:
    surfaces.of("cli", tenant).tell(fact("Ana", "likes", "tea"))
    for words, nobody in ((["recall", "tea"], ""), (["assert", "Ana", "likes", "tea"], "*"), (["jobs"], "null")):
        before = len(system_chain(surfaces))
        ran = CliRunner().invoke(app, [*words, "--store", surfaces.url, "--tenant", nobody, "--json"])
        assert (ran.exit_code, ran.stdout) == (WRONG, "")
        assert "a tenant is required" in ran.stderr
        assert [row.actor for row in system_chain(surfaces)[before:]] == ["cli"]
    assert len(surfaces.of("cli", tenant).facts()) == 1


def test_o8_nobody_is_refused_over_http_and_by_agents_tools_with_one_row(surfaces: Surfaces, tenant: str) -> None:
    admin, operator = surfaces.running.caller(tenant), surfaces.running.caller("", "operator")
    admin.ok(
        "POST", "/v1/facts", {"facts": [{"subject": {"name": "Ana"}, "relation": "likes", "object": {"name": "tea"}}]}
    )

    def rows() -> int:
        return len([row for row in admin.ok("GET", "/v1/audit")["items"] if row["outcome"] == "refused"])

    for named in (None, "", "  ", "*", "null"):
        for path in ("/v1/recall", "/v1/episodes"):
            before = rows()
            assert admin("POST", path, {"query": "tea", "tenant": named}).status_code in (400, 403)
            assert rows() == before + 1
    for named in ("", "*"):
        before = rows()
        assert admin("GET", "/v1/facts", headers={"X-Muniment-Tenant": named}).status_code in (400, 403)
        assert rows() == before + 1
    before = rows()
    with pytest.raises(Refused, match="tenant"):
        surfaces.agent(tenant).use("recall", query="tea", tenant=None)
    assert rows() == before + 1
    whole = len(system_chain(surfaces))
    assert surfaces.running.client.get("/v1/facts").status_code == 401
    assert operator("POST", "/v1/recall", {"query": "tea"}).status_code == 403
    assert operator("POST", "/v1/keys", {"role": "reader"}).status_code == 400
    assert operator("POST", "/v1/tenants", {"name": "*"}).status_code == 400
    assert len(system_chain(surfaces)) == whole + 4
    assert len(admin.ok("GET", "/v1/facts")["items"]) == 1


def system_chain(surfaces: Surfaces) -> list[AuditEntry]:
    """The audit chain of the database itself, oldest first."""
    store = system_store(surfaces.engine.database)
    return [entry_of(one) for one in surfaces.run(store.documents(DocumentQuery(kind=AUDIT, limit=10_000)))]


# O9, G5, G10, G20: tenants apart


def test_o9_namesakes_of_two_tenants_never_meet(
    surfaces: Surfaces, asked: Asked, tenant: str, request: pytest.FixtureRequest
) -> None:
    theirs = way(surfaces, name_of(request, "asked"), f"{tenant}-other")
    salary = made(asked.tell(fact("Nadia Reyes", "salary_of", "81,000")))
    asked.keep(episode("Nadia Reyes earns 81,000 at Acme.", title="Nadia Reyes"))
    theirs.tell(fact("Nadia Reyes", "salary_of", "64,000"))
    question = "What does Nadia Reyes earn? 81,000"
    for who, own, other in ((asked, "81,000", "64,000"), (theirs, "64,000", "81,000")):
        assert own in texts(who.recall(question))
        assert other not in texts(who.recall(question))
        assert own in who.block(question)
        assert other not in who.block("What does Nadia Reyes earn?")
        (nadia,) = who.entities("nadia reyes")
        assert nadia["facts"] == 1
        assert who.entities("reye")[0]["id"] == nadia["id"]
        (held,) = who.facts(subject="Nadia Reyes", include_superseded=True)
        assert own in str(held["object"])
    assert asked.entities("nadia")[0]["id"] != theirs.entities("nadia")[0]["id"]
    (kept,) = asked.facts(subject="Nadia Reyes")
    assert (kept["id"], kept["status"]) == (salary, "current")


def test_o9_hops_and_questions_of_two_tenants_never_meet(
    surfaces: Surfaces, surface: Surface, tenant: str, request: pytest.FixtureRequest
) -> None:
    theirs = surfaces.of(name_of(request, "surface"), f"{tenant}-other")
    surface.tell(fact("Nadia Reyes", "works_for", "Acme"))
    theirs.tell(fact("Nadia Reyes", "likes", "tea"))
    theirs.tell(fact("N. Reyes", "likes", "coffee"))
    assert surface.paths("Nadia Reyes", "Acme")
    with pytest.raises(Refused, match="Acme"):
        theirs.paths("Nadia Reyes", "Acme")
    assert surface.reviews() == []


def test_g5_g20_anothers_id_is_as_absent_as_one_that_is_not_there_and_the_try_is_noted(
    surfaces: Surfaces, surface: Surface, tenant: str, request: pytest.FixtureRequest
) -> None:
    theirs = surfaces.of(name_of(request, "surface"), f"{tenant}-other")
    receipt = surface.tell(fact("Ana", "works_for", "Acme", "2024-01-01"))
    own, absent = made(receipt), "f_" + "0" * 20
    kept = surface.keep(episode("Ana works for Acme."))["episodes"][0]["id"]
    before = surface.fact(own)
    said = []
    tries = [(theirs.retract, own), (theirs.retract, absent), (theirs.forget, kept)]
    for number, (attempt, id) in enumerate(tries, 1):
        with pytest.raises(Refused) as refused:
            attempt(id)
        assert refused.value.exit == NOT_FOUND
        said.append(str(refused.value).replace(id, "ID"))
        rows = [row for row in theirs.audit() if row["outcome"] == "refused"]
        assert len(rows) == number
        assert id not in str(rows)
    assert said[0] == said[1]
    assert surface.fact(own) == before
    assert surface.episode(kept)["id"] == kept
    assert [row for row in surface.audit() if row["outcome"] == "refused"] == []
    surface.retract(own)  # whose it is may
    with pytest.raises(Refused):
        surface.fact(own)


def test_g5_agents_tools_note_a_try_at_anothers_id(surfaces: Surfaces, tenant: str) -> None:
    own = made(surfaces.agent(tenant).tell(fact("Ana", "works_for", "Acme")))
    theirs = surfaces.agent(f"{tenant}-other")
    for number, id in enumerate((own, "f_" + "0" * 20), 1):
        with pytest.raises(Refused) as refused:
            theirs.retract(id)
        assert refused.value.exit == NOT_FOUND
        rows = surfaces.of("python", f"{tenant}-other").audit()
        assert [row["outcome"] for row in rows] == ["refused"] * number
    assert [one["id"] for one in surfaces.agent(tenant).facts()] == [own]
    surfaces.agent(tenant).retract(own)
    assert surfaces.agent(tenant).facts() == []


def test_g10_a_tenants_only_match_is_found_behind_sixty_of_anothers(surfaces: Surfaces, tenant: str) -> None:
    other = surfaces.of("python", f"{tenant}-other")
    other.tell_all([fact(f"Zoo {n}", "keeps", "zebra", text=f"Zoo {n} keeps a zebra") for n in range(60)])
    surfaces.of("python", tenant).tell(fact("Small zoo", "keeps", "zebra", text="The small zoo keeps a zebra"))
    for name in ("python", "http", "cli", "mcp"):
        found = way(surfaces, name, tenant).recall("zebra", limit=50)
        assert [hit["text"] for hit in found] == ["The small zoo keeps a zebra"]
        assert len(way(surfaces, name, f"{tenant}-other").recall("zebra", limit=50)) == 50


# O10, O12: sessions and collections apart


@pytest.mark.parametrize("name", ["python", "http", "cli", "mcp"])
def test_o10_another_sessions_words_are_in_no_block(surfaces: Surfaces, tenant: str, name: str) -> None:
    asked = way(surfaces, name, tenant)
    for session, text in (("a", "The launch code is heliotrope."), ("b", "The launch is on Tuesday.")):
        asked.keep(episode(text, kind="message", scope={"session": session}))
    question = "The launch code is heliotrope."
    assert "heliotrope" in asked.block(question, scope={"session": "a"})
    assert "heliotrope" not in asked.block(question, scope={"session": "b"})
    assert "Tuesday" in asked.block("When is the launch?", scope={"session": "b"})
    assert "Tuesday" not in asked.block("When is the launch?", scope={"session": "a"})
    assert "heliotrope" not in asked.block("launch code")  # without a session no session's words are read


@pytest.mark.parametrize("name", ["python", "http", "cli"])
def test_o12_a_source_in_two_collections_is_deleted_from_one(surfaces: Surfaces, tenant: str, name: str) -> None:
    alfa, beta = (surfaces.of(name, tenant, walls=[wall]) for wall in ("alfa", "beta"))
    both = {
        wall: who.keep(episode("Petra Novak signed for dock 4.", external_id="doc-1", wall=wall))["episodes"][0]
        for wall, who in (("alfa", alfa), ("beta", beta))
    }
    assert [one["status"] for one in both.values()] == ["created", "created"]
    alfa.retract(both["alfa"]["id"])
    assert "dock 4" not in alfa.block("What did Petra Novak sign for?")
    assert "dock 4" in beta.block("What did Petra Novak sign for?")
    assert beta.episode(both["beta"]["id"])["text"] == "Petra Novak signed for dock 4."
    with pytest.raises(Refused):
        alfa.episode(both["alfa"]["id"])
    with pytest.raises(Refused):
        alfa.episode(both["beta"]["id"])


# O15: budgets


@pytest.mark.parametrize("name", ["python", "http", "mcp"])
def test_o15_a_budget_never_gives_nothing_without_a_reason(surfaces: Surfaces, tenant: str, name: str) -> None:
    asked = way(surfaces, name, tenant)
    rule = {"op": "create", "type": "constraint", "content": "Never call Ana Ruiz before noon."}
    surfaces.of("python", tenant).command({"memory_commands": [rule], "subject": {"name": "Ana Ruiz"}})
    long = "The harbour contract of Ana Ruiz covers mooring, pilotage and towage. " * 170
    best = asked.keep(episode(long, title="Harbour contract of Ana Ruiz"))["episodes"][0]["id"]
    notes = [episode(f"Ana Ruiz asked about berth {n}.", external_id=f"n{n}") for n in range(10)]
    surfaces.running.caller(tenant).ok("POST", "/v1/episodes", {"episodes": notes, "extract": "none"})
    told = asked.context("What does the harbour contract of Ana Ruiz cover?", budget_tokens=900)
    assert 0 < told["tokens"] <= 900
    assert "before noon" in told["text"]
    items = {item["id"]: item for section in told["sections"] for item in section["items"]}
    omitted = {one["id"]: one["reason"] for one in told["omitted"]}
    assert (best in items and items[best]["shortened"] and best in told["text"]) or omitted.get(best) == "budget"
    tiny = asked.context("What does the harbour contract of Ana Ruiz cover?", budget_tokens=60)
    assert tiny["tokens"] <= 60 or "before noon" in tiny["text"]
    assert tiny["sections"] or {one["reason"] for one in tiny["omitted"]} >= {"budget"}


# G6, G12: at the same time


def test_g6_writers_at_the_same_time_make_one_entity(surfaces: Surfaces, tenant: str) -> None:
    caller = surfaces.running.caller(tenant)
    memory = surfaces.engine.for_tenant(tenant)

    def body(n: int) -> Json:
        return {"subject": {"name": "Alice Brand"}, "relation": "likes", "object": {"name": f"dish {n}"}}

    async def here() -> None:
        await asyncio.gather(*(memory.assert_facts([body(n)]) for n in range(5)))

    with ThreadPoolExecutor(5) as pool:
        there = [pool.submit(caller, "POST", "/v1/facts", {"facts": [body(n)]}) for n in range(5, 10)]
        surfaces.run(here())
        assert [one.result().status_code for one in there] == [200] * 5
    (alice,) = surfaces.of("http", tenant).entities("alice brand")
    assert alice["facts"] == 10
    assert [one["id"] for one in surfaces.of("cli", tenant).entities("alice")] == [alice["id"]]


def test_g12_each_caller_gets_its_own_count(surfaces: Surfaces, tenant: str) -> None:
    told = [fact(f"Crane {n}", "stands_in", f"Dock {n}", text=f"Crane {n} stands in dock {n}") for n in range(60)]
    surfaces.of("python", tenant).tell_all(told)
    memory, caller = surfaces.engine.for_tenant(tenant), surfaces.running.caller(tenant)
    limits = [1, 50, 1, 50]

    async def here() -> list[int]:
        found = await asyncio.gather(*(memory.recall("crane in a dock", limit=limit) for limit in limits))
        return [len(one.recall.hits) for one in found]

    with ThreadPoolExecutor(4) as pool:
        there = [pool.submit(caller.ok, "POST", "/v1/recall", {"query": "crane in a dock", "limit": n}) for n in limits]
        assert surfaces.run(here()) == limits
        assert [len(one.result()["hits"]) for one in there] == limits


# G7, G9: what is kept


def test_g7_the_same_episode_again_is_there_already(asked: Asked, surfaces: Surfaces, tenant: str) -> None:
    first = asked.note("Ana Ruiz works for Acme.", at="2026-03-01", id="crm-17")
    again = asked.note("Ana Ruiz works for Acme.", at="2026-03-01", id="crm-17")
    assert [one["status"] for one in (*first["episodes"], *again["episodes"])] == ["created", "exists"]
    assert first["episodes"][0]["id"] == again["episodes"][0]["id"]
    assert again["changes"] == []
    other = asked.note("Ana Ruiz works for Acme.", at="2026-03-01", id="crm-18")
    assert other["episodes"][0]["status"] == "created"
    assert len(surfaces.running.caller(tenant).ok("GET", "/v1/episodes")["items"]) == 2


def test_g7_a_file_taken_in_twice_and_a_request_sent_twice_change_nothing_more(surfaces: Surfaces, tenant: str) -> None:
    caller = surfaces.running.caller(tenant)
    rows = surfaces.folder / f"{tenant}.jsonl"
    rows.write_text("".join(json.dumps(episode(f"Note {n}.", external_id=f"n{n}")) + "\n" for n in range(3)))
    plain = surfaces.folder / f"{tenant}.txt"
    plain.write_text("A page without an id of its own.")
    replayed = []
    for _ in range(2):
        for file in (rows, plain):
            words = ["ingest", str(file), "--no-extract", "--tenant", tenant, "--store", surfaces.url, "--json"]
            assert CliRunner().invoke(app, words).exit_code == 0
        body = {"episodes": [episode("Sent once, or twice?")], "extract": "none"}
        sent = caller("POST", "/v1/episodes", body, headers={"Idempotency-Key": f"{tenant}-1"})
        assert sent.status_code == 200
        replayed.append(sent.headers.get("Idempotency-Replayed"))
    assert replayed == [None, "true"]
    assert len(caller.ok("GET", "/v1/episodes")["items"]) == 5


def test_g9_nested_metadata_comes_back_as_given(
    asked: Asked, surfaces: Surfaces, tenant: str, request: pytest.FixtureRequest
) -> None:
    given = {"meta": {"tags": ["x", {"y": [1, 2.5, None, True]}]}, "名": "值"}
    told = episode("An order with details.", metadata=given, external_id="o-1")
    kept = surfaces.of("http", tenant).keep(told)["episodes"][0]["id"]
    assert asked.episode(kept)["metadata"] == given
    if name_of(request, "asked") != "cli":  # whose `remember` takes no metadata; files do
        own = asked.keep({**told, "external_id": "o-2"})["episodes"][0]["id"]
        assert asked.episode(own)["metadata"] == given


# G11, G13, G14, G16: asking


@pytest.mark.parametrize(
    "question",
    [
        "Please tell me whatever you may know, "
        + "for the sake of completeness and good order, " * 30
        + "of the Kestrel manifest",
        'the "Kestrel" manifest? (all: of * it ~ now / then) AND NOT OR NEAR [x] {y} ^ - + \\ \'',
        "Kestrel* manifest:",
        "AND Kestrel manifest OR",
        '"Kestrel manifest',
    ],
)
def test_g11_long_and_odd_questions_are_answered(surfaces: Surfaces, tenant: str, question: str) -> None:
    surfaces.of("python", tenant).keep(episode("The Kestrel manifest lists forty crates."))
    surfaces.of("python", tenant).keep(episode("Lunch is at noon."))
    for name in ("python", "http", "mcp", *(["cli"] if "NEAR" in question else [])):
        asked = way(surfaces, name, tenant)
        hits = asked.recall(question)
        assert "forty crates" in hits[0]["text"]
        assert hits[0]["parts"]["lexical"] > 0
        assert "forty crates" in asked.block(question)


def test_g13_two_facts_of_one_pair_stay_two(asked: Asked) -> None:
    asked.tell(fact("Globex", "bought_from", "Initech"))
    asked.tell(fact("Globex", "complained_about", "Initech"))
    found = asked.facts(subject="Globex", object="Initech")
    assert sorted(one["relation"] for one in found) == ["bought_from", "complained_about"]
    assert len({one["id"] for one in found}) == 2


def test_g14_the_depth_asked_for_is_the_depth_walked(surfaces: Surfaces, tenant: str) -> None:
    chain = ["Alder", "Birch", "Cedar", "Dogwood", "Elm"]
    surface = surfaces.of("python", tenant)
    surface.tell_all([fact(a, "supplies", b) for a, b in pairwise(chain)])
    start = next(one["id"] for one in surface.entities("alder"))
    caller, memory = surfaces.running.caller(tenant), surfaces.engine.for_tenant(tenant)
    for hops in (1, 2, 3):
        near = surfaces.run(memory.neighbourhood([start], hops=hops))
        assert {one.name for one in near.entities} == set(chain[: hops + 1])
        over = caller.ok("GET", "/v1/graph/neighbourhood", params={"id": start, "hops": hops})
        assert {one["name"] for one in over["entities"]} == set(chain[: hops + 1])
    assert surfaces.run(memory.paths("Alder", "Cedar", hops=2))
    assert surfaces.run(memory.paths("Alder", "Dogwood", hops=2)) == []


def test_g16_chinese_names_are_kept_as_written_and_found_by_every_part(asked: Asked) -> None:
    asked.note("王小明在上海分公司负责采购", at="2026-03-01", id="zh-1")
    asked.note("李雷在北京分公司负责销售", at="2026-03-01", id="zh-2")
    for words in ("王小明", "上海分公司", "采购"):
        first = next(hit for hit in asked.recall(words) if hit["kind"] == "episode")
        assert first["text"] == "王小明在上海分公司负责采购"
    names = {one["name"] for one in asked.entities()}
    assert "王小明" in names
    assert all(name.isascii() is False for name in names)
