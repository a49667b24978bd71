"""Bad input: every error has one shape, names what is wrong, and is never a server error."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest

from muniment.api.errors import TABLE
from muniment.graph_schema import errors
from tests.api.calling import EPISODE, INITECH, Caller, Seeded
from tests.api.running import Running

Check = Callable[[Any, int, str], dict[str, Any]]


def _cursor(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


DEEP = '{"a":' * 500 + "1" + "}" * 500


def test_every_error_raised_on_purpose_has_a_status() -> None:
    kinds = [
        kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.MunimentError)
    ]
    assert len(kinds) > 15
    assert {kind.code for kind in kinds} == set(TABLE)


def test_an_unknown_path_is_not_found(admin: Caller, problem: Check) -> None:
    problem(admin("GET", "/v2/nothing"), 404, "not_found")


def test_a_method_that_a_path_does_not_take_says_which_it_takes(admin: Caller, problem: Check) -> None:
    response = admin("DELETE", "/v1/recall")
    problem(response, 405, "invalid")
    assert "POST" in response.headers["allow"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "query"),
        ({"query": ""}, "query"),
        ({"query": 7}, "query"),
        ({"query": "x", "limit": 0}, "limit"),
        ({"query": "x", "limit": 201}, "limit"),
        ({"query": "x", "limit": "5"}, "limit"),
        ({"query": "x", "limit": True}, "limit"),
        ({"query": "x", "hops": 5}, "hops"),
        ({"query": "x", "as_of": "2026-03-01T09:00:00"}, "as_of"),
        ({"query": "x", "as_of": "yesterday"}, "as_of"),
        ({"query": "x", "as_of": 1700000000}, "as_of"),
        ({"query": "x", "kinds": ["facts"]}, "kinds[0]"),
        ({"query": "x", "scope": {"team": "a"}}, "scope.team"),
        ({"query": "x", "min_importance": 6}, "min_importance"),
        ({"query": "x", "qeury": "y"}, "qeury"),
    ],
)
def test_a_wrong_value_is_named(admin: Caller, problem: Check, body: dict[str, Any], field: str) -> None:
    told = problem(admin("POST", "/v1/recall", body), 422, "invalid")
    assert field in told["detail"]
    assert told["errors"][0]["field"] == field


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"occurred_at": "2026-03-05T09:00:00"}, "episodes[1].occurred_at"),
        ({"kind": "letter"}, "episodes[1].kind"),
        ({"importance": 0}, "episodes[1].importance"),
        ({"text": "  "}, "episodes[1].text"),
        ({"metadata": []}, "episodes[1].metadata"),
        ({"occured_at": "x"}, "episodes[1].occured_at"),
    ],
)
def test_a_wrong_item_is_named_by_its_place_and_nothing_of_its_call_is_kept(
    admin: Caller, problem: Check, change: dict[str, Any], field: str
) -> None:
    body = {"episodes": [EPISODE, {**EPISODE, "external_id": "note-2", **change}]}
    told = problem(admin("POST", "/v1/episodes", body), 422, "invalid")
    assert told["errors"][0]["field"] == field
    assert admin.ok("GET", "/v1/episodes")["items"] == []


@pytest.mark.parametrize(
    "raw",
    [
        b"{",
        b'{"query": NaN}',
        b'{"query": "x", "min_importance": Infinity}',
        b"\xff\xfe",
        DEEP.encode(),
    ],
)
def test_a_body_that_is_no_object_of_json_is_told_so(admin: Caller, problem: Check, raw: bytes) -> None:
    problem(admin("POST", "/v1/recall", content=raw, headers={"Content-Type": "application/json"}), 422, "invalid")


@pytest.mark.parametrize(
    ("raw", "told_as"), [(b"null", "null"), (b"", "missing"), (b"[]", "a list"), (b'"x"', "a text")]
)
@pytest.mark.parametrize(
    ("path", "needed"),
    [
        ("/v1/recall", ["query"]),
        ("/v1/episodes", ["episodes"]),
        ("/v1/purge", ["scope"]),
        ("/v1/merges/forbidden", ["a", "b"]),
    ],
)
def test_what_stands_in_place_of_an_object_is_named_with_what_is_wanted(
    admin: Caller, problem: Check, path: str, needed: list[str], raw: bytes, told_as: str
) -> None:
    told = problem(admin("POST", path, content=raw, headers={"Content-Type": "application/json"}), 422, "invalid")
    assert told["errors"][0]["field"] == "body"
    assert told_as in told["detail"]
    assert told["detail"].endswith(f"send a JSON object with {', '.join(needed)}")


@pytest.mark.parametrize("path", ["/v1/purge", "/v1/holds"])
def test_a_scope_of_no_tenant_is_wrong_and_no_try_at_anothers(admin: Caller, problem: Check, path: str) -> None:
    for scope in ({"tenant": False}, {"tenant": False, "episode": "e_1"}):
        told = problem(admin("POST", path, {"scope": scope, "reason": "asked to"}), 422, "invalid")
        assert told["errors"][0]["field"] == "scope.tenant"
        assert "scope.tenant is false" in told["detail"]
    wrong = problem(admin("POST", "/v1/recall", {"query": "x", "tenant": False}), 422, "invalid")
    assert wrong["errors"][0]["field"] == "tenant"
    assert not [row for row in admin.ok("GET", "/v1/audit")["items"] if row["outcome"] == "refused"]


def test_a_body_of_another_type_is_told_so(admin: Caller, problem: Check) -> None:
    told = problem(admin("POST", "/v1/recall", data={"query": "x"}), 422, "invalid")
    assert "application/json" in told["detail"]


def test_a_body_without_a_type_is_read_as_json(admin: Caller) -> None:
    assert admin("POST", "/v1/recall", content=b'{"query": "x"}').status_code == 200


def test_a_body_over_the_limit_is_too_large(admin: Caller, problem: Check) -> None:
    body = json.dumps({"query": "x" * (9 * 1024 * 1024)}).encode()
    problem(admin("POST", "/v1/recall", content=body, headers={"Content-Type": "application/json"}), 413, "too_large")


def test_a_body_over_the_limit_that_does_not_announce_itself_is_too_large(admin: Caller, problem: Check) -> None:
    chunks = (b"x" * 1024 * 1024 for _ in range(9))
    problem(admin("POST", "/v1/recall", content=chunks, headers={"Content-Type": "application/json"}), 413, "too_large")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/facts", {"facts": [INITECH] * 1001}),
        ("/v1/episodes", {"episodes": [{**EPISODE, "text": "x" * 200_001}]}),
        ("/v1/recall", {"query": "x" * 8001}),
    ],
)
def test_what_is_over_a_limit_is_too_large(admin: Caller, problem: Check, path: str, body: Any) -> None:
    problem(admin("POST", path, body), 413, "too_large")


def test_texts_at_their_limits_are_taken(admin: Caller) -> None:
    admin.ok("POST", "/v1/episodes", {"episodes": [{**EPISODE, "text": "wide " * 40_000}], "extract": "none"})
    admin.ok("POST", "/v1/recall", {"query": "wide " * 1600})


@pytest.mark.parametrize(
    "text",
    ["🙂👩‍👩‍👧", "مرحبا بالعالم", "tab\tnul\x00bell\x07", "a\u202eb", "\ufeffbom", "王小明在上海分公司负责采购"],
    ids=["emoji", "rtl", "control", "override", "bom", "han"],
)
def test_any_text_comes_back_as_it_was(admin: Caller, text: str) -> None:
    episode = {**EPISODE, "text": text, "metadata": {"deep": {"er": [text, None, 1.5, {"x": []}]}}}
    id = admin.ok("POST", "/v1/episodes", {"episodes": [episode]})["episodes"][0]["id"]
    kept = admin.ok("GET", f"/v1/episodes/{id}")
    assert (kept["text"], kept["metadata"]) == (text, episode["metadata"])
    admin.ok("POST", "/v1/recall", {"query": text})


def test_half_a_character_survives(admin: Caller) -> None:
    raw = b'{"episodes": [{"text": "half \\ud800 of it", "occurred_at": "2026-03-05T09:00:00Z"}]}'
    kept = admin("POST", "/v1/episodes", content=raw, headers={"Content-Type": "application/json"}).json()
    id = kept["episodes"][0]["id"]
    assert admin.ok("GET", f"/v1/episodes/{id}")["text"] == "half \ud800 of it"
    assert admin.ok("POST", "/v1/recall", {"query": "half of it"})["hits"][0]["id"] == id


@pytest.mark.parametrize(
    "query", ['? " ( ) : * ~ /', "AND OR NOT", "a" * 8000, "word " * 200, "'; DROP TABLE x; --", "%_\\"]
)
def test_a_strange_question_is_answered(admin: Caller, query: str) -> None:
    admin.ok("POST", "/v1/recall", {"query": query})


@pytest.mark.parametrize(
    "path",
    [
        "/v1/facts?as_of=2026-03-01",
        "/v1/facts?status=alive",
        "/v1/facts?limit=0",
        "/v1/facts?limit=many",
        "/v1/facts?cursor=garbage",
        "/v1/facts?cursor=" + _cursor('["fact", 1e308, "a"]'),
        "/v1/facts?cursor=" + _cursor('["fact", 1000000000000000000000000000000, "a"]'),
        "/v1/facts?cursor=" + _cursor("[" * 5000),
        "/v1/episodes?cursor=" + _cursor('["episodes", 1, "\\ud800"]'),
        "/v1/audit?cursor=x",
        "/v1/audit?cursor=%C2%B2",
        "/v1/audit?cursor=99999999999999999999",
        "/v1/episodes?known_at=now",
        "/v1/entities?cursor=e30",
        "/v1/graph/paths?a=x",
        "/v1/graph/neighbourhood",
        "/v1/audit?cursor=x&limit=500",
    ],
)
def test_a_wrong_parameter_is_named(admin: Caller, problem: Check, path: str) -> None:
    problem(admin("GET", path), 422, "invalid")


@pytest.mark.parametrize("path", ["/v1/facts", "/v1/skills", "/v1/episodes", "/v1/preferences"])
def test_a_cursor_of_another_list_is_refused(admin: Caller, seeded: Seeded, problem: Check, path: str) -> None:
    cursor = admin.ok("GET", "/v1/entities", params={"limit": 1})["next_cursor"]
    assert len(admin.ok("GET", "/v1/entities", params={"cursor": cursor})["items"]) >= 1
    told = problem(admin("GET", path, params={"cursor": cursor}), 422, "invalid")
    assert told["errors"][0]["field"] == "cursor"


@pytest.mark.parametrize(
    ("method", "path", "known"),
    [
        ("GET", "/v1/entities?include_superseded=true", "q, type"),
        ("GET", "/v1/facts?subjekt=Ana", "subject"),
        ("GET", "/v1/episodes?include_superseded=true", "known_at"),
        ("GET", "/v1/reviews?subject=Ana", "status"),
        ("POST", "/v1/episodes?mode=async", "none"),
    ],
)
def test_a_parameter_that_is_not_known_is_refused(
    admin: Caller, problem: Check, method: str, path: str, known: str
) -> None:
    name = path.partition("?")[2].partition("=")[0]
    told = problem(admin(method, path, {"episodes": [EPISODE]} if method == "POST" else None), 422, "invalid")
    assert told["errors"][0]["field"] == name
    assert known in told["detail"]


def test_the_state_of_jobs_may_be_called_status(admin: Caller, problem: Check) -> None:
    admin.ok("POST", "/v1/episodes", {"episodes": [EPISODE], "mode": "async"})
    counts = [len(admin.ok("GET", f"/v1/jobs?{name}=queued")["items"]) for name in ("state", "status")]
    assert counts == [1, 1]
    assert admin.ok("GET", "/v1/jobs?status=done")["items"] == []
    problem(admin("GET", "/v1/jobs?status=done&state=queued"), 422, "invalid")


def test_a_speaker_and_a_title_of_spaces_are_none(admin: Caller) -> None:
    blank = {**EPISODE, "external_id": "blank", "speaker": " ", "title": "\u3000"}
    (kept,) = admin.ok("POST", "/v1/episodes", {"episodes": [blank]})["episodes"]
    assert admin.ok("GET", f"/v1/episodes/{kept['id']}")["speaker"] is None


def test_a_literal_is_no_longer_than_a_text(admin: Caller, problem: Check) -> None:
    fact = {"subject": {"name": "Ana"}, "relation": "has_note", "object": {"value": "v" * 200_001}}
    problem(admin("POST", "/v1/facts", {"facts": [fact]}), 413, "too_large")


def test_an_offset_whose_plus_sign_was_not_escaped_is_understood(admin: Caller) -> None:
    admin.ok("GET", "/v1/facts?as_of=2026-03-01T09:00:00+01:00")


@pytest.mark.parametrize(
    "path",
    [
        "/v1/facts/x",
        "/v1/facts/x/history",
        "/v1/episodes/x",
        "/v1/entities/x",
        "/v1/traces/x",
        "/v1/receipts/x",
        "/v1/keys/x",
    ],
)
def test_what_is_not_there_is_not_found(admin: Caller, problem: Check, path: str) -> None:
    problem(admin("GET", path), 404, "not_found")


@pytest.mark.parametrize("key", ["", "Bearer", "Bearer ", "Basic eDp5", "Bearer mk_a_b", "bearer nonsense"])
def test_a_wrong_key_is_told_what_is_needed(running: Running, problem: Check, key: str) -> None:
    response = running.client.get("/v1/facts", headers={"Authorization": key})
    problem(response, 401, "unauthenticated")


def test_an_unexpected_error_tells_nothing_and_logs_no_text(
    running: Running, admin: Caller, problem: Check, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from muniment.engine.memory import Memory

    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the secret plan of Ana Ruiz")

    monkeypatch.setattr(Memory, "recall", broken)
    told = problem(admin("POST", "/v1/recall", {"query": "x"}), 500, "internal")
    assert "secret" not in json.dumps(told)
    assert "unexpected error" in caplog.text
    assert "secret" not in caplog.text + str([vars(record) for record in caplog.records])
