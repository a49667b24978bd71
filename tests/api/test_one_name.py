"""One thing under each of its names: parameters, the key's own tenant, walls, ends of holds."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import CliRunner

from muniment.api.cli.main import app
from tests.api.calling import EPISODE, GLOBEX, Caller, Seeded
from tests.api.running import Running
from tests.api.surfaces import Surfaces
from tests.api.ways.agent import OverMcp
from tests.api.ways.said import Refused

Check = Callable[[Any, int, str], dict[str, Any]]


def _agent(surfaces: Surfaces, tenant: str) -> OverMcp:
    """The tenant as an agent sees it, on an engine that is open already."""
    assert surfaces.engine
    return surfaces.agent(tenant)


def test_parameters_of_the_graph_have_the_names_of_python_too(seeded: Seeded, admin: Caller, problem: Check) -> None:
    ana = admin.ok("GET", "/v1/entities", params={"q": "Ana Ruiz"})["items"][0]["id"]
    around = [
        admin.ok("GET", "/v1/graph/neighbourhood", params=params)["entities"]
        for params in ({"id": ana}, {"ids": ana}, {"ids": [ana], "id": ana})
    ]
    assert around[0]
    assert around[0] == around[1] == around[2]
    problem(admin("GET", "/v1/graph/neighbourhood"), 422, "invalid")
    ends = {"a": "Ana Ruiz", "b": "Initech"}
    for name in ("relation", "relations"):
        assert admin.ok("GET", "/v1/graph/paths", params={**ends, name: "works_for"})["items"]
        assert admin.ok("GET", "/v1/graph/paths", params={**ends, name: "likes"})["items"] == []


def test_the_program_takes_every_option_of_a_question(surfaces: Surfaces, tenant: str) -> None:
    http = surfaces.running.caller(tenant)
    http.ok("POST", "/v1/facts", {"facts": [{**GLOBEX, "importance": 2}]})

    def asked(*words: str) -> dict[str, Any]:
        ran = CliRunner().invoke(
            app, [*words, "Where does Ana Ruiz work?", "--tenant", tenant, "--store", surfaces.url, "--json"]
        )
        assert ran.exit_code == 0, ran.output
        answer: dict[str, Any] = json.loads(ran.stdout)
        return answer

    def facts(*words: str) -> int:
        return len([one for one in asked("recall", *words)["hits"] if one["kind"] == "fact"])

    assert facts("--relation", "works_for", "--type", "organization", "--asked-at", "2026-03-01T00:00:00Z") == 1
    assert facts("--no-read-time-words", "--include-archived") == 1
    assert facts("--relations", "likes") == facts("--types", "product") == facts("--min-importance", "3") == 0
    block = asked("context", "--budget-tokens", "300", "--relation", "works_for")
    assert 0 < block["tokens"] <= 300
    assert asked("context", "--budget", "300", "--min-importance", "3")["empty"]


def test_an_unseen_wall_is_told_by_its_name(surfaces: Surfaces, tenant: str) -> None:
    http, agent = surfaces.running.caller(tenant), _agent(surfaces, tenant)
    fact, episode = {**GLOBEX, "wall": "matter-9"}, {**EPISODE, "wall": "matter-9"}
    for path, body in (
        ("/v1/facts", {"facts": [GLOBEX, fact]}),
        ("/v1/episodes", {"episodes": [episode]}),
        ("/v1/extract", {"episodes": [episode]}),
    ):
        told = http("POST", path, body)
        assert (told.status_code, told.json()["detail"]) == (404, "no wall 'matter-9'")
    with pytest.raises(Refused, match="no wall 'matter-9'"):
        agent.use("assert", facts=[fact])
    assert http.ok("GET", "/v1/facts")["items"] == []
    seeing = surfaces.running.caller(tenant, "admin", "matter-9")
    assert seeing.ok("POST", "/v1/facts", {"facts": [fact]})["changes"]


def test_an_entity_is_neither_forgotten_nor_pinned(seeded: Seeded, admin: Caller, problem: Check) -> None:
    ana = admin.ok("GET", "/v1/entities", params={"q": "Ana Ruiz"})["items"][0]["id"]
    said = problem(admin("POST", "/v1/forget", {"ids": [seeded.fact, ana]}), 422, "invalid")["detail"]
    assert said == f"ids has {ana!r}: an entity cannot be forgotten: forget its facts and episodes, or purge it"
    said = problem(admin("POST", f"/v1/facts/{ana}/pin"), 422, "invalid")["detail"]
    assert said == f"id has {ana!r}: an entity cannot be pinned: pin its facts"
    assert admin.ok("GET", f"/v1/facts/{seeded.fact}")["status"] != "archived"


def test_the_keys_own_tenant_may_stand_in_every_body(surfaces: Surfaces, tenant: str) -> None:
    own, admin = {"tenant": tenant}, surfaces.running.caller(tenant)
    admin.ok("POST", "/v1/episodes", {"episodes": [{**EPISODE, **own, "scope": {"user": "u", **own}}], **own})
    admin.ok("POST", "/v1/facts", {"facts": [{**GLOBEX, **own}], **own})
    command = {"op": "create", "type": "preference", "content": "prefers calls before noon", **own}
    receipt = admin.ok("POST", "/v1/commands", {"memory_commands": [command], "subject": {"name": "Ana Ruiz"}, **own})
    assert receipt["rejected"] == []
    for path in ("/v1/recall", "/v1/context"):
        assert admin.ok("POST", path, {"query": "Where does Ana Ruiz work?", "scope": {"user": "u", **own}, **own})
    assert _agent(surfaces, tenant).use("recall", query="Where does Ana Ruiz work?", **own)["hits"]
    assert admin.ok("POST", "/v1/purge", {"scope": own, "dry_run": True, **own})["scope"] == {"tenant": True}
    assert admin.ok("POST", "/v1/holds", {"scope": {"subject": "Ana Ruiz"}, "reason": "a suit", **own})["id"]


@pytest.mark.parametrize(("named", "status", "code"), [("globex", 403, "forbidden"), (7, 403, "forbidden")])
@pytest.mark.parametrize("path", ["/v1/recall", "/v1/facts", "/v1/purge"])
def test_another_tenant_in_a_body_is_refused(
    admin: Caller, problem: Check, path: str, named: object, status: int, code: str
) -> None:
    problem(admin("POST", path, {"tenant": named}), status, code)
    problem(admin("POST", path, {"scope": {"tenant": named}}), status, code)


@pytest.mark.parametrize("nobody", [None, "", " ", "*", "null", "all"])
@pytest.mark.parametrize("path", ["/v1/recall", "/v1/facts", "/v1/purge", "/v1/holds"])
def test_nobody_in_a_body_is_tenant_required(admin: Caller, problem: Check, path: str, nobody: str | None) -> None:
    problem(admin("POST", path, {"tenant": nobody}), 400, "tenant_required")
    problem(admin("POST", path, {"scope": {"tenant": nobody}}), 400, "tenant_required")


def test_a_hold_is_released_by_post_as_by_delete(running: Running, tenant: str, seeded: Seeded, problem: Check) -> None:
    admin = running.caller(tenant)
    scope = {"scope": {"subject": "Ana Ruiz"}, "reason": "a suit"}
    first, second = (admin.ok("POST", "/v1/holds", scope)["id"] for _ in range(2))
    tried = admin.ok("POST", f"/v1/holds/{first}/release", {"dry_run": True})
    assert [one["id"] for one in admin.ok("GET", "/v1/holds")["items"]] == [first, second]
    assert tried.keys() == admin.ok("POST", f"/v1/holds/{first}/release", {"reason": "settled"}).keys()
    admin.ok("DELETE", f"/v1/holds/{second}")
    assert admin.ok("GET", "/v1/holds")["items"] == []
    problem(admin("POST", f"/v1/holds/{first}/release"), 409, "conflict")
    problem(running.caller(tenant, "curator")("POST", f"/v1/holds/{first}/release"), 403, "forbidden")
