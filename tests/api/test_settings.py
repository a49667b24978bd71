"""A tenant's settings over HTTP and on the command line."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from muniment.api.cli.main import app
from tests.api.calling import Caller
from tests.api.running import Running

NOTE = {"text": "Ana Ruiz works for Kestrel Freight.", "kind": "note", "occurred_at": "2026-03-02T10:00:00Z"}


def test_an_admin_sets_the_own_tenant_to_log_only_and_reads_the_trace(running: Running, tenant: str) -> None:
    admin, operator = running.caller(tenant), running.caller(tenant, "operator")
    changed = admin("PATCH", "/v1/settings", {"log_only": True}).json()
    assert (changed["name"], changed["settings"]) == (tenant, {"log_only": True})
    receipt = admin("POST", "/v1/episodes", {"episodes": [NOTE], "mode": "async"}).json()
    assert (receipt["dry_run"], receipt["job"]) == (True, None)
    trace = admin("GET", f"/v1/traces/{receipt['trace_id']}").json()
    assert [s["relation"] for s in trace["statements"]] == ["works_for"]
    assert admin("GET", "/v1/episodes").json()["items"] == []
    back = operator("PATCH", f"/v1/tenants/{tenant}", {"log_only": None, "secrets": "refuse"}).json()
    assert back["settings"] == {"secrets": "refuse"}
    assert admin("GET", "/v1/settings").json() == back
    refused = admin("POST", "/v1/episodes", {"episodes": [{**NOTE, "text": "password: Tr0ub4dor&3"}]}).json()
    assert refused["screened"] == [{"input": "episodes[0]", "kind": "password", "count": 1, "done": "refused"}]
    assert [r["input"] for r in refused["rejected"]] == ["episodes[0]"]


def test_a_wrong_setting_is_a_problem(admin: Caller) -> None:
    assert admin("PATCH", "/v1/settings", {"secrets": "burn"}).status_code == 422
    assert admin("PATCH", "/v1/settings", {}).status_code == 422


def test_the_command_line_sets_shows_and_ingests_log_only(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'm.db'}"
    rows = tmp_path / "rows.jsonl"
    row = {**NOTE, "external_id": "n1"}
    fact = {"id": "f1", "text": "Ana likes tea", "kind": "fact", "at": NOTE["occurred_at"], "subject": "Ana", "relation": "likes", "object": "tea"}  # fmt: skip
    rows.write_text(f"{json.dumps(row)}\n{json.dumps(fact)}\n", encoding="utf-8")

    def run(*words: str) -> str:
        result = CliRunner().invoke(app, [*words, "--store", store])
        assert result.exit_code == 0, result.output
        return result.output

    run("tenants", "create", "acme")
    assert "log_only True" in run("tenants", "set", "acme", "log_only=on", "secrets=refuse")
    shown = json.loads(run("tenants", "show", "acme", "--json"))
    assert shown["settings"] == {"log_only": True, "secrets": "refuse"}
    assert shown["model_use"] == []
    told = json.loads(run("ingest", str(rows), "--tenant", "acme", "--json"))
    assert told["log_only"] is True
    assert "log-only" in run("remember", NOTE["text"], "--tenant", "acme")
    assert json.loads(run("facts", "--tenant", "acme", "--json"))["items"] == []
    run("tenants", "set", "acme", "log_only=default")
    told = json.loads(run("ingest", str(rows), "--tenant", "acme", "--json"))
    assert (told["log_only"], told["facts"]) == (False, 1)
