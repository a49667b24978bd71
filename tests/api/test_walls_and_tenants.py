"""What one tenant, or one side of a wall, can learn of another: nothing; and every try is written down."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.api.calling import EPISODE, INITECH, Caller, Seeded
from tests.api.running import Running

Check = Callable[[Any, int, str], dict[str, Any]]


@pytest.fixture
def stranger(running: Running, tenant: str) -> Caller:
    return running.caller(f"{tenant}-other")


def _tries(seeded: Seeded) -> Iterator[tuple[str, str, Any]]:
    """Every way to name another's memory by its id."""
    for collection, id in (
        ("facts", seeded.fact),
        ("episodes", seeded.episode),
        ("entities", seeded.ana),
        ("receipts", seeded.receipt),
        ("traces", seeded.trace),
    ):
        yield "GET", f"/v1/{collection}/{id}", None
    yield "GET", f"/v1/facts/{seeded.fact}/history", None
    yield "GET", f"/v1/graph/neighbourhood?id={seeded.ana}", None
    yield "GET", f"/v1/graph/paths?a={seeded.ana}&b={seeded.initech}", None
    for verb in ("retract", "end", "reject", "pin", "unpin"):
        yield "POST", f"/v1/facts/{seeded.fact}/{verb}", None
    yield "POST", f"/v1/facts/{seeded.fact}/correct", {"object": {"name": "X"}}
    yield "POST", f"/v1/episodes/{seeded.episode}/retract", None
    yield "POST", f"/v1/receipts/{seeded.receipt}/undo", None
    yield "POST", f"/v1/skills/{seeded.skill}/outcomes", {"ok": True}
    yield "POST", "/v1/merges", {"ids": [seeded.ana, seeded.globex]}
    yield "POST", "/v1/merges/forbidden", {"a": seeded.ana, "b": seeded.globex}
    yield "POST", "/v1/forget", {"ids": [seeded.episode]}
    yield "POST", "/v1/facts", {"facts": [{**INITECH, "evidence": [seeded.episode]}]}
    yield "POST", "/v1/facts", {"facts": [{**INITECH, "subject": {"id": seeded.ana}}]}


def test_anothers_ids_are_not_found_in_the_words_for_absent_ones(
    admin: Caller, stranger: Caller, seeded: Seeded, problem: Check
) -> None:
    before = admin.ok("GET", f"/v1/facts/{seeded.fact}")
    tries = list(_tries(seeded))
    assert len(tries) > 20
    for method, path, body in tries:
        told = problem(stranger(method, path, body), 404, "not_found")
        assert "Ana" not in told["detail"]
        absent = _renamed(seeded, path), json.loads(_renamed(seeded, json.dumps(body)))
        other = problem(stranger(method, *absent), 404, "not_found")
        assert _renamed(seeded, told["detail"]) == other["detail"]
    assert admin.ok("GET", f"/v1/facts/{seeded.fact}") == before


def test_a_try_at_anothers_id_is_written_down_like_one_at_an_absent_id(stranger: Caller, seeded: Seeded) -> None:
    for id in (seeded.fact, "f_" + "0" * 20):
        assert stranger("POST", f"/v1/facts/{id}/reject").status_code == 404
    rows = stranger.ok("GET", "/v1/audit", params={"limit": 2})["items"]
    assert [(row["verb"], row["outcome"], row["detail"]["code"]) for row in rows] == [
        ("correct", "refused", "not_found")
    ] * 2
    assert seeded.fact not in str(rows)
    assert stranger.ok("GET", "/v1/audit/verify")["ok"]


def _renamed(seeded: Seeded, text: str) -> str:
    """The text with ids that exist replaced by ones that do not."""
    for id in (seeded.fact, seeded.episode, seeded.ana, seeded.receipt, seeded.trace, seeded.skill):
        text = text.replace(id, id[:2] + "0" * len(id[2:]))
    return text


def test_another_tenant_sees_nothing_in_any_list_or_answer(stranger: Caller, seeded: Seeded) -> None:
    for path in ("/v1/facts", "/v1/episodes", "/v1/entities", "/v1/preferences", "/v1/skills", "/v1/reviews"):
        assert stranger.ok("GET", path)["items"] == []
    for path in ("/v1/recall", "/v1/context"):
        text = json.dumps(stranger.ok("POST", path, {"query": "Where does Ana Ruiz work?"}))
        assert not any(word in text for word in ("Initech", "Globex", "Lyon", seeded.fact, seeded.episode))


@pytest.mark.parametrize(
    "named",
    [
        {"headers": {"X-Muniment-Tenant": "globex"}},
        {"params": {"tenant": "globex"}},
        {"body": {"query": "x", "tenant": "globex"}},
        {"body": {"query": "x", "scope": {"tenant": "globex"}}},
        {"headers": {"X-Muniment-Tenant": "acme*"}},
    ],
)
def test_a_named_tenant_that_is_not_the_keys_is_refused_and_written_down(
    admin: Caller, problem: Check, named: dict[str, Any]
) -> None:
    options = {"body": {"query": "x"}, **named}
    problem(admin("POST", "/v1/recall", options.pop("body"), **options), 403, "forbidden")
    row = admin.ok("GET", "/v1/audit")["items"][0]
    assert (row["verb"], row["outcome"], row["detail"]["code"]) == ("recall", "refused", "forbidden")


@pytest.mark.parametrize(
    "body",
    [{"episodes": [{**EPISODE, "tenant": "globex"}]}, {"episodes": [{**EPISODE, "scope": {"tenant": "globex"}}]}],
)
def test_a_tenant_named_in_an_item_is_refused(admin: Caller, problem: Check, body: dict[str, Any]) -> None:
    problem(admin("POST", "/v1/episodes", body), 403, "forbidden")


@pytest.mark.parametrize("nobody", ["", "  ", None, "*"])
def test_a_tenant_that_is_nobody_is_refused_and_written_down(admin: Caller, problem: Check, nobody: str | None) -> None:
    problem(admin("POST", "/v1/recall", {"query": "x", "tenant": nobody}), 400, "tenant_required")
    assert admin.ok("GET", "/v1/audit")["items"][0]["detail"]["code"] == "tenant_required"


def test_the_keys_own_tenant_may_be_named(admin: Caller, tenant: str) -> None:
    admin.ok("GET", "/v1/facts", headers={"X-Muniment-Tenant": tenant}, params={"tenant": tenant})


def test_what_a_role_may_not_do_is_written_down(running: Running, admin: Caller, tenant: str, problem: Check) -> None:
    problem(running.caller(tenant, "reader")("POST", "/v1/facts", {"facts": [INITECH]}), 403, "forbidden")
    row = admin.ok("GET", "/v1/audit")["items"][0]
    assert (row["verb"], row["outcome"]) == ("assert", "refused")
    assert admin.ok("GET", "/v1/audit/verify")["ok"]


def test_what_stands_behind_a_wall_is_not_there_for_others(running: Running, tenant: str, problem: Check) -> None:
    inside, outside = running.caller(tenant, "admin", "matter-7"), running.caller(tenant, "admin")
    episode = {**EPISODE, "wall": "matter-7", "text": "Ana Ruiz works for Umbrella."}
    fact = {**INITECH, "wall": "matter-7", "object": {"name": "Umbrella"}}
    id = inside.ok("POST", "/v1/episodes", {"episodes": [episode]})["episodes"][0]["id"]
    inside.ok("POST", "/v1/facts", {"facts": [fact]})
    assert "Umbrella" in json.dumps(inside.ok("POST", "/v1/recall", {"query": "Where does Ana Ruiz work?"}))
    problem(outside("GET", f"/v1/episodes/{id}"), 404, "not_found")
    seen = [outside.ok("GET", path) for path in ("/v1/episodes", "/v1/facts", "/v1/entities")]
    seen += [outside.ok("POST", path, {"query": "Where does Ana Ruiz work?"}) for path in ("/v1/recall", "/v1/context")]
    assert "Umbrella" not in json.dumps(seen)


def test_nobody_writes_behind_a_wall_that_they_do_not_see(admin: Caller, problem: Check) -> None:
    problem(admin("POST", "/v1/episodes", {"episodes": [{**EPISODE, "wall": "matter-7"}]}), 404, "not_found")


def test_a_trace_of_what_stands_behind_a_wall_is_not_there_for_others(
    running: Running, tenant: str, problem: Check
) -> None:
    inside, outside = running.caller(tenant, "admin", "matter-7"), running.caller(tenant, "admin")
    trace = inside.ok("POST", "/v1/recall", {"query": "anything"})["trace_id"]
    inside.ok("GET", f"/v1/traces/{trace}")
    problem(outside("GET", f"/v1/traces/{trace}"), 404, "not_found")


# keys over HTTP


def test_an_admin_makes_lists_and_revokes_keys_of_the_own_tenant(
    admin: Caller, running: Running, problem: Check
) -> None:
    made = admin("POST", "/v1/keys", {"role": "reader", "name": "bot"})
    assert made.status_code == 200
    bot = Caller(running.client, made.json()["key"])
    bot.ok("GET", "/v1/facts")
    listed = admin.ok("GET", "/v1/keys")["items"]
    assert [key["name"] for key in listed] == [None, "bot"]
    assert "key" not in listed[1]
    admin.ok("DELETE", f"/v1/keys/{made.json()['id']}")
    problem(bot("GET", "/v1/facts"), 401, "unauthenticated")


@pytest.mark.parametrize(
    "more", [{"role": "operator"}, {"role": "reader", "walls": ["matter-7"]}, {"role": "reader", "tenant": "x"}]
)
def test_an_admin_gives_no_more_than_they_have(admin: Caller, problem: Check, more: dict[str, Any]) -> None:
    problem(admin("POST", "/v1/keys", more), 403, "forbidden")


def test_another_tenants_key_is_not_there(admin: Caller, stranger: Caller, problem: Check) -> None:
    id = stranger.key.split("_")[1]
    for method, path in (("GET", ""), ("DELETE", ""), ("POST", "/rotate")):
        problem(admin(method, f"/v1/keys/{id}{path}"), 404, "not_found")
    stranger.ok("GET", "/v1/facts")


def test_an_operator_runs_tenants_and_keys_and_reads_no_memory(running: Running, tenant: str, problem: Check) -> None:
    operator = running.caller(tenant, "operator")
    assert operator("POST", "/v1/tenants", {"name": f"{tenant}-new"}).status_code == 200
    made = operator.ok("POST", "/v1/keys", {"role": "writer", "tenant": f"{tenant}-new", "walls": ["matter-7"]})
    assert f"{tenant}-new" in [one["name"] for one in operator.every("/v1/tenants")]
    assert [k["id"] for k in operator.ok("GET", "/v1/keys", params={"tenant": f"{tenant}-new"})["items"]] == [
        made["id"]
    ]
    problem(operator("POST", "/v1/recall", {"query": "x"}), 403, "forbidden")
    problem(operator("POST", "/v1/keys", {"role": "reader"}), 400, "tenant_required")


def test_a_write_behind_a_wall_is_undone_only_by_who_sees_the_wall(running: Running, problem: Check) -> None:
    outside, inside = running.caller("acme"), running.caller("acme", "admin", "matter-7")
    walled = inside.ok("POST", "/v1/facts", {"facts": [{**INITECH, "wall": "matter-7"}]})
    fact = next(c["id"] for c in walled["changes"] if c["kind"] == "fact")
    pinned = inside.ok("POST", f"/v1/facts/{fact}/pin")
    for receipt in (walled["id"], pinned["id"]):
        told = problem(outside("GET", f"/v1/receipts/{receipt}"), 404, "not_found")
        assert problem(outside("POST", f"/v1/receipts/{receipt}/undo"), 404, "not_found")["detail"] == told["detail"]
    assert inside.ok("GET", f"/v1/facts/{fact}")["pinned"]
    undone = inside.ok("POST", f"/v1/receipts/{pinned['id']}/undo")
    problem(outside("GET", f"/v1/receipts/{undone['id']}"), 404, "not_found")
    inside.ok("POST", f"/v1/receipts/{walled['id']}/undo")
    problem(inside("GET", f"/v1/facts/{fact}"), 404, "not_found")
