"""Reported troubles with tenants, collections, files and writers at the same time, on every store and every surface.

The ids are those of the list of cases that the project was asked to get right. `asked` is each way in, agents' tools among
them; `desk` is the same way, or where agents have no tool for a verb (forget, reviews, audit), somebody beside them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from typer.testing import CliRunner

from muniment.api.cli.main import app
from muniment.api.cli.parts import NOT_FOUND, WRONG
from muniment.engine.ports.store import DocumentQuery
from muniment.engine.system import system_store
from muniment.engine.write.audit import AUDIT, entry_of
from muniment.graph_schema.errors import TenantRequired
from muniment.graph_schema.records import AuditEntry
from tests.api.surfaces import Asked, Surface, Surfaces
from tests.api.ways.said import Refused, episode, fact, made, texts

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
        chain = admin.ok("GET", "/v1/audit", params={"limit": 200})["items"]
        return len([row for row in chain if row["outcome"] == "refused"])

    for named in (None, "", "  ", "*", "null"):
        for path in ("/v1/recall", "/v1/episodes"):
            before = rows()
            assert admin("POST", path, {"query": "tea", "tenant": named}).status_code in (400, 403)
            assert rows() == before + 1
    for named in ("", "*"):
        before = rows()
        assert admin("GET", "/v1/facts", headers={"X-Muniment-Tenant": named}).status_code in (400, 403)
        assert rows() == before + 1
    agent = surfaces.agent(tenant)
    for named in (None, "", "  ", "*", "null"):
        for tool in ("recall", "remember"):
            before = rows()
            with pytest.raises(Refused, match="tenant"):
                agent.use(tool, query="tea", tenant=named)
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


# O9, G5, G20: tenants apart


def test_o9_namesakes_of_two_tenants_never_meet(surfaces: Surfaces, asked: Asked, tenant: str, way: str) -> None:
    theirs = surfaces.way(way, f"{tenant}-other")
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
    surfaces: Surfaces, asked: Asked, desk: Surface, tenant: str, way: str
) -> None:
    theirs = surfaces.way(way, f"{tenant}-other")
    asked.tell(fact("Nadia Reyes", "works_for", "Acme"))
    theirs.tell(fact("Nadia Reyes", "likes", "tea"))
    theirs.tell(fact("N. Reyes", "likes", "coffee"))
    assert asked.paths("Nadia Reyes", "Acme")
    with pytest.raises(Refused, match="Acme"):
        theirs.paths("Nadia Reyes", "Acme")
    assert desk.reviews() == []


def test_g5_g20_anothers_id_is_as_absent_as_one_that_is_not_there_and_the_try_is_noted(
    surfaces: Surfaces, asked: Asked, desk: Surface, tenant: str, way: str
) -> None:
    theirs = surfaces.way(way, f"{tenant}-other")
    their_desk = surfaces.of("python" if way == "mcp" else way, f"{tenant}-other")
    own, absent = made(asked.tell(fact("Ana", "works_for", "Acme", "2024-01-01"))), "f_" + "0" * 20
    kept = asked.keep(episode("Ana works for Acme."))["episodes"][0]["id"]
    before = asked.fact(own)
    ana = before["subject"]["id"]
    said = []
    tries: list[tuple[Callable[[str], Any], str]] = [
        (theirs.retract, own),
        (theirs.retract, absent),
        (theirs.retract, kept),
        (their_desk.forget, kept),
        (lambda id: theirs.tell(fact(id, "likes", "tea")), ana),
        (lambda id: theirs.tell(fact("Ben", "knows", id)), ana),
    ]
    for number, (attempt, id) in enumerate(tries, 1):
        with pytest.raises(Refused) as refused:
            attempt(id)
        assert refused.value.exit == NOT_FOUND
        said.append(str(refused.value).replace(id, "ID"))
        rows = [row for row in their_desk.audit() if row["outcome"] == "refused"]
        assert len(rows) == number
        assert id not in str(rows)
    assert said[0] == said[1]
    for read, id in ((theirs.history, own), (theirs.episode, kept)):
        with pytest.raises(Refused) as refused:
            read(id)
        assert refused.value.exit == NOT_FOUND
    assert theirs.entities() == theirs.facts() == []
    assert asked.fact(own) == before
    assert asked.episode(kept)["id"] == kept
    assert [row for row in desk.audit() if row["outcome"] == "refused"] == []
    asked.retract(own)  # whose it is may
    assert asked.facts() == []


# O12: collections apart


def test_o12_a_source_in_two_collections_is_deleted_from_one(surfaces: Surfaces, tenant: str, way: str) -> None:
    alfa, beta = (surfaces.way(way, tenant, walls=[wall]) for wall in ("alfa", "beta"))
    both = {
        wall: who.keep(episode("Petra Novak signed for dock 4.", external_id="doc-1", wall=wall))["episodes"][0]
        for wall, who in (("alfa", alfa), ("beta", beta))
    }
    assert [one["status"] for one in both.values()] == ["created", "created"]
    question = "What did Petra Novak sign for?"
    assert "dock 4" in alfa.block(question)
    alfa.retract(both["alfa"]["id"])
    assert "dock 4" not in alfa.block(question)
    assert "dock 4" not in texts(alfa.recall(question))
    assert "dock 4" in beta.block(question)
    assert "dock 4" in texts(beta.recall(question))
    assert beta.episode(both["beta"]["id"])["text"] == "Petra Novak signed for dock 4."
    for id in (both["alfa"]["id"], both["beta"]["id"]):
        with pytest.raises(Refused):
            alfa.episode(id)


# G6: writers at the same time


def test_g6_writers_at_the_same_time_make_one_entity(asked: Asked) -> None:
    asked.tell_at_once([fact("Alice Brand", "likes", f"dish {n}") for n in range(5)])
    (alice,) = asked.entities("alice brand")
    assert alice["facts"] == 5


def test_g6_writers_of_all_surfaces_at_the_same_time_make_one_entity(surfaces: Surfaces, tenant: str) -> None:
    def told(first: int) -> list[Any]:
        return [fact("Alice Brand", "likes", f"dish {n}") for n in range(first, first + 3)]

    python, http, cli = (surfaces.of(name, tenant) for name in ("python", "http", "cli"))
    with ThreadPoolExecutor(2) as pool:
        others = [pool.submit(who.tell_at_once, told(first)) for who, first in ((http, 3), (cli, 6))]
        python.tell_at_once(told(0))
        for other in others:
            other.result()
    for who in (http, cli, surfaces.agent(tenant)):
        (alice,) = who.entities("alice")
        assert alice["facts"] == 9


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


def test_g9_nested_metadata_comes_back_as_given(asked: Asked) -> None:
    for number, given in enumerate(
        ({"meta": {"tags": ["x", {"y": [1, 2.5, None, True]}]}, "名": "值"}, {"a": [[], {}]})
    ):
        told = episode("An order with details.", metadata=given, external_id=f"o-{number}")
        kept = asked.keep(told)["episodes"][0]["id"]
        assert asked.episode(kept)["metadata"] == given


@pytest.mark.parametrize("metadata", [{"a": float("nan")}, {"a": {"b": [float("inf")]}}])
def test_g9_what_json_cannot_say_is_refused(surfaces: Surfaces, tenant: str, metadata: Any) -> None:
    for name in ("python", "cli"):  # the clients of the protocols cannot send it
        asked = surfaces.way(name, tenant)
        with pytest.raises(Refused) as refused:
            asked.keep(episode("An order.", metadata=metadata))
        assert refused.value.exit == WRONG
    assert surfaces.running.caller(tenant).ok("GET", "/v1/episodes")["items"] == []
