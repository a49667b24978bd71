"""Hiding, erasing and forbidding it, over HTTP and on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from muniment.api.cli.main import app
from tests.api.calling import EPISODE, Caller, Seeded
from tests.api.running import Running

Check = Callable[[Any, int, str], dict[str, Any]]
READS = ("/v1/episodes", "/v1/facts?include_superseded=true", "/v1/entities", "/v1/audit")


def all_that_can_be_read(admin: Caller) -> str:
    found = [admin("GET", path).text for path in READS]
    found += [
        admin("POST", path, {"query": "Where does Ana Ruiz work?"}).text for path in ("/v1/recall", "/v1/context")
    ]
    return "".join(found)


def test_a_forgotten_episode_is_gone_from_answers_until_undone(admin: Caller, seeded: Seeded) -> None:
    receipt = admin.ok("POST", "/v1/forget", {"ids": [seeded.episode], "reason": "a slip"})
    assert admin.ok("GET", "/v1/episodes")["items"] == []
    assert admin("GET", f"/v1/episodes/{seeded.episode}").status_code == 404
    admin.ok("POST", f"/v1/receipts/{receipt['id']}/undo")
    admin.ok("GET", f"/v1/episodes/{seeded.episode}")


def test_a_purged_subject_is_gone_from_every_answer_and_its_trace_too(
    admin: Caller, seeded: Seeded, problem: Check
) -> None:
    assert "Ana Ruiz" in all_that_can_be_read(admin)
    preview = admin.ok("POST", "/v1/purge", {"scope": {"subject": "Ana Ruiz"}, "dry_run": True})
    assert "Ana Ruiz" in all_that_can_be_read(admin)
    certificate = admin.ok("POST", "/v1/purge", {"scope": {"subject": "Ana Ruiz"}, "reason": "asked to"})
    assert certificate["counts"] == preview["counts"]
    assert (certificate["remaining"], certificate["held"]) == (0, [])
    assert "Ana Ruiz" not in all_that_can_be_read(admin)
    problem(admin("GET", f"/v1/traces/{seeded.trace}"), 404, "not_found")
    kept = admin.ok("GET", f"/v1/certificates/{certificate['id']}")
    assert "Ana" not in json.dumps(kept)
    assert admin.ok("GET", "/v1/audit/verify")["ok"]


def test_the_answer_kept_for_a_repeated_request_is_erased_too(admin: Caller) -> None:
    body = {"episodes": [EPISODE]}
    first = admin("POST", "/v1/episodes", body, headers={"Idempotency-Key": "k"})
    admin.ok("POST", "/v1/purge", {"scope": {"tenant": True}})
    again = admin("POST", "/v1/episodes", body, headers={"Idempotency-Key": "k"})
    assert "idempotency-replayed" not in again.headers
    assert again.json()["id"] != first.json()["id"]


def test_answers_that_hold_memories_or_secrets_are_never_kept(admin: Caller, seeded: Seeded, problem: Check) -> None:
    repeated = {"Idempotency-Key": "k"}
    for _ in range(2):
        response = admin("POST", "/v1/recall", {"query": "Ana Ruiz"}, headers=repeated)
        assert response.is_success
        assert "idempotency-replayed" not in response.headers
    made = admin("POST", "/v1/keys", {"role": "reader"}, headers=repeated).json()
    again = problem(admin("POST", "/v1/keys", {"role": "reader"}, headers=repeated), 409, "conflict")
    assert made["key"] not in str(again)


def test_what_is_held_is_not_erased_until_the_hold_ends(admin: Caller, seeded: Seeded, problem: Check) -> None:
    scope = {"episode": seeded.episode}
    hold = admin.ok("POST", "/v1/holds", {"scope": scope, "reason": "case 44/26"})
    told = problem(admin("POST", "/v1/purge", {"scope": scope}), 423, "held")
    assert told["holds"] == [hold["id"]]
    assert [one["id"] for one in admin.ok("GET", "/v1/holds")["items"]] == [hold["id"]]
    problem(admin("POST", "/v1/purge", {"scope": scope, "when_released": True}), 423, "held")
    ended = admin.ok("DELETE", f"/v1/holds/{hold['id']}")
    assert len(ended["purged"]) == 1
    problem(admin("GET", f"/v1/episodes/{seeded.episode}"), 404, "not_found")
    problem(admin("DELETE", f"/v1/holds/{hold['id']}"), 409, "conflict")


def test_nobody_erases_or_holds_what_is_anothers(
    running: Running, admin: Caller, seeded: Seeded, problem: Check
) -> None:
    stranger = running.caller("erasing-stranger")
    for path in ("/v1/purge", "/v1/holds"):
        for scope in ({"episode": seeded.episode}, {"fact": seeded.fact}, {"subject": seeded.ana}):
            problem(stranger("POST", path, {"scope": scope, "reason": "x"}), 404, "not_found")
        problem(stranger("POST", path, {"scope": {"tenant": "acme"}, "reason": "x"}), 403, "forbidden")
    admin.ok("GET", f"/v1/episodes/{seeded.episode}")


def test_a_scope_names_one_thing(admin: Caller, problem: Check) -> None:
    for scope in ({}, {"user": "u", "session": "s"}, {"user": "*"}, {"user": ""}, {"team": "x"}):
        problem(admin("POST", "/v1/purge", {"scope": scope}), 422, "invalid")


def test_the_command_line_asks_before_it_erases(tmp_path: Path) -> None:
    options = ["--tenant", "acme", "--store", f"sqlite:///{tmp_path / 'purge.db'}"]

    def run(*words: str, given: str | None = None) -> Any:
        return CliRunner().invoke(app, [*words, *options], input=given)

    run("remember", "Ana called.", "--no-extract", "--user", "u1")
    assert run("purge", "--user", "u1", given="n\n").exit_code == 1
    hold = json.loads(run("hold", "place", "--user", "u1", "--reason", "case", "--json").stdout)
    assert run("purge", "--user", "u1", "--yes").exit_code == 4
    assert hold["id"] in run("hold", "list").stdout
    assert run("hold", "release", hold["id"]).exit_code == 0
    certificate = json.loads(run("purge", "--user", "u1", "--yes", "--json").stdout)
    assert (certificate["remaining"], certificate["counts"]["episode"]) == (0, 1)
    assert json.loads(run("purge", "--user", "u1", "--yes", "--json").stdout)["counts"].get("episode", 0) == 0
    assert run("purge", "--episode", "nothing", "--yes").exit_code == 3
    assert run("purge", "--yes").exit_code == 2
