"""Accepted work: kept at once, done by a worker, seen as a job; and decisions that need something to decide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.api.calling import GLOBEX, Caller, Seeded
from tests.api.running import Running

Check = Callable[[Any, int, str], dict[str, Any]]
NOTE = {
    "text": "Ana Ruiz works for Initech.",
    "kind": "note",
    "occurred_at": "2026-03-05T09:00:00Z",
    "external_id": "later",
}


def accept(caller: Caller) -> dict[str, Any]:
    response = caller("POST", "/v1/episodes", {"episodes": [NOTE], "mode": "async"})
    assert response.status_code == 202, response.text
    receipt: dict[str, Any] = response.json()
    return receipt


def work(running: Running) -> None:
    app: Any = running.client.app
    assert running.client.portal is not None
    running.client.portal.call(app.state.service.engine.worker().run_until_idle)


def test_an_accepted_episode_is_there_at_once_and_its_facts_after_the_job(running: Running, admin: Caller) -> None:
    receipt = accept(admin)
    admin.ok("GET", f"/v1/episodes/{receipt['episodes'][0]['id']}")
    assert admin.ok("GET", "/v1/facts")["items"] == []
    assert admin.ok("GET", f"/v1/jobs/{receipt['job']}")["state"] == "queued"
    work(running)
    job = admin.ok("GET", f"/v1/jobs/{receipt['job']}")
    assert (job["state"], job["attempts"], job["reason"]) == ("done", 1, None)
    fact = admin.ok("GET", "/v1/facts")["items"][0]
    assert fact["evidence"][0]["episode"] == receipt["episodes"][0]["id"]


def test_a_job_can_be_given_up_while_it_waits_and_tried_again(running: Running, admin: Caller, problem: Check) -> None:
    job = accept(admin)["job"]
    assert admin.ok("POST", f"/v1/jobs/{job}/cancel")["state"] == "cancelled"
    problem(admin("POST", f"/v1/jobs/{job}/cancel"), 409, "conflict")
    work(running)
    assert admin.ok("GET", "/v1/facts")["items"] == []
    assert admin.ok("POST", f"/v1/jobs/{job}/retry")["state"] == "queued"
    work(running)
    assert [one["state"] for one in admin.ok("GET", "/v1/jobs")["items"]] == ["done"]
    problem(admin("POST", f"/v1/jobs/{job}/retry"), 409, "conflict")


def test_anothers_job_is_not_there(running: Running, admin: Caller, problem: Check) -> None:
    job = accept(admin)["job"]
    stranger = running.caller("job-stranger")
    for method, path in (("GET", ""), ("POST", "/retry"), ("POST", "/cancel")):
        problem(stranger(method, f"/v1/jobs/{job}{path}"), 404, "not_found")
    assert stranger.ok("GET", "/v1/jobs")["items"] == []


def test_a_review_is_decided_by_one_of_its_choices(admin: Caller, problem: Check) -> None:
    rival = {**GLOBEX, "object": {"name": "Initech"}}
    admin.ok("POST", "/v1/facts", {"facts": [GLOBEX, rival]})
    review = admin.ok("GET", "/v1/reviews")["items"][0]
    problem(admin("POST", f"/v1/reviews/{review['id']}", {"choice": "neither"}), 422, "invalid")
    choice = next(c["choice"] for c in review["choices"] if "Initech" in c["effect"])
    admin.ok("POST", f"/v1/reviews/{review['id']}", {"choice": choice, "reason": "asked her"})
    assert [f["object"]["name"] for f in admin.ok("GET", "/v1/facts")["items"]] == ["Initech"]
    assert admin.ok("GET", "/v1/reviews")["items"] == []
    problem(admin("POST", f"/v1/reviews/{review['id']}", {"choice": choice}), 409, "conflict")


def test_a_merge_is_taken_apart_by_its_id(admin: Caller, seeded: Seeded) -> None:
    receipt = admin.ok("POST", "/v1/merges", {"ids": [seeded.globex, seeded.initech]})
    assert admin.ok("GET", f"/v1/entities/{seeded.initech}")["id"] == seeded.globex
    merge = next(
        one
        for c in receipt["changes"]
        if c["action"] == "merged"
        for one in (c["id"], *c["because"]["by"])
        if one[0] == "m"
    )
    admin.ok("DELETE", f"/v1/merges/{merge}")
    assert admin.ok("GET", f"/v1/entities/{seeded.initech}")["id"] == seeded.initech


@pytest.mark.parametrize("verb", ["retract", "end", "reject"])
def test_a_change_can_be_previewed_then_done_then_undone(admin: Caller, seeded: Seeded, verb: str) -> None:
    path = f"/v1/facts/{seeded.fact}/{verb}"
    before = admin.ok("GET", "/v1/facts")["items"]
    preview = admin.ok("POST", path, {"reason": "test", "dry_run": True})
    assert admin.ok("GET", "/v1/facts")["items"] == before
    done = admin.ok("POST", path, {"reason": "test"})
    assert [c["action"] for c in preview["changes"]] == [c["action"] for c in done["changes"]]
    assert admin.ok("GET", "/v1/facts")["items"] != before
    admin.ok("POST", f"/v1/receipts/{done['id']}/undo")
    after = admin.ok("GET", "/v1/facts")["items"]
    assert [(f["id"], f["status"], f["invalid_at"]) for f in after] == [
        (f["id"], f["status"], f["invalid_at"]) for f in before
    ]
