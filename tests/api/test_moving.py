"""A tenant's data out and in again, and whole databases."""

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


def exported(caller: Caller) -> bytes:
    response = caller("GET", "/v1/export")
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/x-ndjson"
    return bytes(response.content)


def take_in(caller: Caller, lines: bytes) -> Any:
    return caller("POST", "/v1/import", content=lines, headers={"Content-Type": "application/x-ndjson"})


def test_an_export_taken_in_elsewhere_answers_alike(running: Running, admin: Caller, seeded: Seeded) -> None:
    other = running.caller("moved-to")
    report = take_in(other, exported(admin)).json()
    assert report["complete"]
    assert report["rejected"] == []
    question = {"query": "Where does Ana Ruiz work?", "kinds": ["fact"]}
    texts = [[hit["text"] for hit in c.ok("POST", "/v1/recall", question)["hits"]] for c in (admin, other)]
    assert texts[0] == texts[1] != []
    assert take_in(other, exported(admin)).json()["created"] == {}


def test_an_export_holds_nothing_from_behind_a_wall_that_the_key_does_not_see(running: Running, tenant: str) -> None:
    inside, outside = running.caller(tenant, "admin", "m1"), running.caller(tenant, "admin")
    inside.ok("POST", "/v1/episodes", {"episodes": [{**EPISODE, "wall": "m1", "text": "Umbrella is the buyer."}]})
    assert b"Umbrella" in exported(inside)
    assert b"Umbrella" not in exported(outside)


def test_a_broken_line_is_named_by_its_number(admin: Caller, seeded: Seeded, problem: Check) -> None:
    lines = exported(admin).splitlines()
    told = problem(take_in(admin, b"\n".join([*lines[:2], b"{", *lines[2:]])), 422, "invalid")
    assert "line 3" in told["detail"]


def test_something_else_than_an_export_is_refused(admin: Caller, problem: Check) -> None:
    for lines in (b"hello", b'{"text": "x"}', b"[]", b"\xff\xfe", b"\x1f\x8b\x08"):
        problem(take_in(admin, lines), 422, "invalid")


def test_an_endless_line_is_too_large(admin: Caller, problem: Check) -> None:
    problem(take_in(admin, b"x" * (9 * 1024 * 1024)), 413, "too_large")


def test_the_command_line_moves_tenants_and_whole_databases(tmp_path: Path) -> None:
    def run(*words: str, store: str = "a.db", exits: int = 0) -> Any:
        ran = CliRunner().invoke(app, [*words, "--store", f"sqlite:///{tmp_path / store}"])
        assert ran.exit_code == exits, ran.output + str(ran.exception)
        return json.loads(ran.stdout) if "--json" in words and not exits else ran.stdout

    run("assert", "Ana", "works_for", "Globex", "--tenant", "acme")
    out, saved = str(tmp_path / "acme.jsonl"), str(tmp_path / "all.backup")
    run("export", "--tenant", "acme", "--out", out)
    run("export", "--tenant", "acme", "--out", out, exits=2)
    assert run("import", out, "--tenant", "copy", "--json")["complete"]
    facts = run("facts", "--tenant", "copy", "--json")["items"]
    assert [f["object"]["name"] for f in facts] == ["Globex"]
    assert run("backup", saved, "--json")["size_bytes"] > 0
    run("restore", saved, store="b.db")
    assert run("facts", "--tenant", "copy", "--json", store="b.db")["items"] == facts
    run("restore", saved, store="b.db", exits=6)
