"""The command line: what it prints, what it exits with, and that a broken or repeated ingest loses and doubles nothing."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import muniment
from muniment.api.cli.main import app
from muniment.api.cli.parts import Target
from muniment.graph_schema.errors import ModelUnavailable

AT = "2026-03-05T09:00:00Z"
Run = Callable[..., Any]


@pytest.fixture
def store(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'cli.db'}"


@pytest.fixture
def run(store: str) -> Run:
    """Runs a command on the test's store; gives what it printed, as JSON where it was asked for."""

    def command(*words: str, exits: int = 0, tenant: str | None = "acme", given: str | None = None) -> Any:
        options = ["--store", store, *(["--tenant", tenant] if tenant is not None else [])]
        ran = CliRunner().invoke(app, [*words, *options], input=given)
        assert ran.exit_code == exits, ran.output + str(ran.exception)
        if exits:
            return ran.stderr
        return json.loads(ran.stdout) if "--json" in words else ran.stdout

    return command


@pytest.fixture
def made(run: Run) -> None:
    """The store is there, and empty."""
    run("tenants", "create", "acme", tenant=None)


def rows(path: Path, *items: Any) -> str:
    path.write_text("".join((i if isinstance(i, str) else json.dumps(i)) + "\n" for i in items), encoding="utf-8")
    return str(path)


def fact(id: str, object: str, since: str, **more: str) -> dict[str, str]:
    text = f"Ana Ruiz works for {object}"
    row = {"id": id, "text": text, "at": since, "kind": "fact", "subject": "Ana Ruiz", "relation": "works_for"}
    return {**row, "object": object, "valid_from": since, **more}


def test_the_version_is_printed_without_a_command() -> None:
    ran = CliRunner().invoke(app, ["--version"])
    assert (ran.exit_code, ran.stdout) == (0, f"{muniment.__version__}\n")


WRITING = (
    "remember|assert|commands|retract|end|correct|reject|pin|unpin|merge|unmerge|forbid-merge|resolve|undo|forget|purge|"
    "import|ontology set|hold place|hold release|ingest|record-outcome"
)


@pytest.mark.parametrize("words", WRITING.split("|"))
def test_a_command_that_writes_can_be_tried_first(words: str) -> None:
    ran = CliRunner().invoke(app, [*words.split(), "--help"], env={"COLUMNS": "200"})
    assert ran.exit_code == 0, ran.output
    assert "--dry-run" in ran.output


def test_an_ingest_can_be_tried_first(run: Run, tmp_path: Path) -> None:
    note = {"id": "n1", "text": "Tom Berg lives in Oslo.", "at": AT, "kind": "note"}
    file = rows(tmp_path / "a.jsonl", note, fact("f1", "Globex", AT))
    tried = run("ingest", file, "--dry-run", "--json")
    assert (tried["dry_run"], tried["log_only"], tried["facts"]) == (True, False, 1)
    assert run("facts", exits=5).startswith("error: there is no store at ")
    done = run("ingest", file, "--json")
    assert done == {**tried, "dry_run": False, "receipts": done["receipts"]}
    assert tried["receipts"] == []
    assert run("ingest", file, "--dry-run", "--json")["episodes"] == {"created": 0, "exists": 2}


def test_notes_of_a_folder_share_a_write_whose_receipt_takes_them_all_back(run: Run, tmp_path: Path) -> None:
    for n, city in enumerate(("Oslo", "Bergen", "Turku")):
        (tmp_path / f"n{n}.md").write_text(f"Person{n} Berg lives in {city}.", encoding="utf-8")
    done = run("ingest", str(tmp_path), "--json")
    assert done["episodes"] == {"created": 3, "exists": 0}
    (receipt,) = done["receipts"]
    assert len(run("facts", "--json")["items"]) == 3
    run("undo", receipt, "--json")
    assert run("facts", "--json")["items"] == []


def test_outcomes_of_a_skill_are_counted(run: Run, store: str, tmp_path: Path) -> None:
    told = {"op": "create", "type": "skill", "content": "When an order is late: call first, then write."}
    file = tmp_path / "commands.json"
    file.write_text(json.dumps({"memory_commands": [told]}), encoding="utf-8")
    skill = next(c["id"] for c in run("commands", str(file), "--json")["changes"] if c["kind"] == "skill")
    assert run("record-outcome", skill, "--failed", "--dry-run", "--json")["dry_run"] is True
    receipt = run("record-outcome", skill, "--worked", "--reason", "the customer thanked us", "--json")
    assert [(c["kind"], c["id"]) for c in receipt["changes"]] == [("skill", skill)]
    with muniment.open(store) as engine:
        (kept,) = engine.for_tenant("acme").skills().items
    assert kept.attributes["outcomes"] == {"ok": 1, "failed": 0}
    assert run("show", skill, "--json")["attributes"]["outcomes"] == {"ok": 1, "failed": 0}
    run("record-outcome", "f_0123456789ab", "--worked", exits=3)


def test_what_it_says_to_run_next_can_be_run(run: Run) -> None:
    told = run("assert", "Ana Ruiz", "works_for", "Globex")
    asked = run("recall", "Where does Ana Ruiz work?")
    for answer, verb in ((told, "undo"), (asked, "explain")):
        words = re.search(rf"muniment ({verb} \S+ --tenant acme --store \S+)", answer)
        assert words is not None, answer
        assert CliRunner().invoke(app, words[1].split()).exit_code == 0


def test_what_it_says_to_run_next_holds_walls_and_no_password() -> None:
    target = Target(tenant="a b", store="neo4j://u:secret@db", walls=["deal"])
    assert target.options() == " --tenant 'a b' --wall deal"


def test_a_fact_asserted_is_shown_in_every_way(run: Run) -> None:
    receipt = run("assert", "Ana Ruiz", "works_for", "Globex", "--since", AT, "--json")
    id = next(c["id"] for c in receipt["changes"] if c["kind"] == "fact")
    assert run("show", id, "--json")["status"] == "current"
    assert run("history", id, "--json")["assertions"][0]["rule"] == "asserted"
    assert run("facts", "--subject", "Ana Ruiz", "--json")["items"][0]["id"] == id
    assert [e["name"] for e in run("entities", "ana", "--json")["items"]] == ["Ana Ruiz"]
    assert run("paths", "Ana Ruiz", "Globex").strip() == "Ana Ruiz —works_for→ Globex"
    for words in (["show", id], ["history", id], ["facts"], ["entities"], ["show", receipt["id"]]):
        assert "Globex" in run(*words) or receipt["id"] in run(*words)


def test_what_is_remembered_is_recalled_with_why_and_explained(run: Run) -> None:
    run("remember", "Ana Ruiz works for Globex.", "--at", AT)
    answer = run("recall", "Where does Ana Ruiz work?", "--json")
    assert "Globex" in answer["hits"][0]["text"]
    assert run("explain", answer["trace_id"], "--json")["trace_id"] == answer["trace_id"]
    assert "Globex" in run("recall", "Where does Ana Ruiz work?")
    block = run("context", "Where does Ana Ruiz work?", "--budget", "200", "--json")
    assert 0 < block["tokens"] <= 200


def test_changes_are_previewed_done_and_undone(run: Run) -> None:
    receipt = run("assert", "Ana Ruiz", "works_for", "Globex", "--since", AT, "--json")
    id = next(c["id"] for c in receipt["changes"] if c["kind"] == "fact")
    assert run("reject", id, "--dry-run", "--json")["dry_run"]
    assert run("show", id, "--json")["status"] == "current"
    rejected = run("reject", id, "--reason", "never so", "--json")
    assert run("facts", "--json")["items"] == []
    run("undo", rejected["id"])
    assert run("show", id, "--json")["status"] == "current"
    assert "already undone" in run("undo", rejected["id"], exits=6)


def test_a_file_of_facts_closes_older_values_and_a_second_run_changes_nothing(run: Run, tmp_path: Path) -> None:
    file = rows(tmp_path / "f.jsonl", fact("1", "Globex", "2025-01-01T00:00:00Z"), fact("2", "Initech", AT))
    first = run("ingest", file, "--json")
    assert (first["episodes"], first["facts"]) == ({"created": 2, "exists": 0}, 2)
    facts = run("facts", "--include-superseded", "--json")["items"]
    assert {f["object"]["name"]: f["status"] for f in facts} == {"Globex": "superseded", "Initech": "current"}
    assert all(f["evidence"] for f in facts)
    audit = run("audit", "--json")["items"]
    second = run("ingest", file, "--json")
    assert (second["episodes"], second["facts"]) == ({"created": 0, "exists": 2}, 0)
    assert run("facts", "--include-superseded", "--json")["items"] == facts
    assert len(run("audit", "--json")["items"]) <= len(audit) + 1


def test_an_ingest_goes_on_after_the_broken_line_was_mended(run: Run, tmp_path: Path) -> None:
    good = [fact(str(n), f"Firm {n}", f"2025-01-0{n}T00:00:00Z") for n in range(1, 5)]
    path = tmp_path / "f.jsonl"
    told = run("ingest", rows(path, *good[:2], {**good[2], "at": "soon"}, good[3]), "--batch", "1", exits=2)
    assert "line 3.at " in told
    assert len(run("facts", "--include-superseded", "--json")["items"]) == 2
    mended = run("ingest", rows(path, *good), "--json")
    assert (mended["episodes"], mended["facts"]) == ({"created": 2, "exists": 2}, 2)


def test_a_fact_whose_ingest_died_before_it_was_asserted_is_asserted_by_the_next(run: Run, tmp_path: Path) -> None:
    row = fact("1", "Globex", AT)
    run("remember", row["text"], "--id", "1", "--at", AT, "--no-extract")
    assert run("ingest", rows(tmp_path / "f.jsonl", row), "--json")["facts"] == 1
    assert len(run("facts", "--json")["items"]) == 1


def test_tables_and_texts_are_ingested_with_what_the_options_say(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "mail.csv"
    table.write_text(f"Body,Sent,Who\nHello there,{AT},Tom\n", encoding="utf-8")
    text = tmp_path / "plan.md"
    text.write_text("# The plan\nWe go.", encoding="utf-8")
    run("ingest", str(table), "--map", "text=Body", "--map", "occurred_at=Sent", "--map", "speaker=Who", "--no-extract")
    run("ingest", str(text), "--no-extract")
    kept = {e["text"]: e for e in run_episodes(run)}
    assert kept["Hello there"]["speaker"] == "Tom"
    assert kept["# The plan\nWe go."]["title"] == "The plan"


def test_a_folder_is_ingested_with_what_is_in_it(run: Run, tmp_path: Path) -> None:
    deeper = tmp_path / "matter" / "mails"
    deeper.mkdir(parents=True)
    (tmp_path / "matter" / "parties.md").write_text("Tom Berg lives in Oslo.", encoding="utf-8")
    (tmp_path / "matter" / ".draft.md").write_text("Tom Berg lives in Rome.", encoding="utf-8")
    (tmp_path / "matter" / "scan.pdf").write_bytes(b"%PDF")
    rows(deeper / "a.jsonl", {"id": "m1", "text": "Tom Berg works for Globex.", "at": AT, "kind": "note"})
    done = run("ingest", str(tmp_path / "matter"), "--json")
    assert (done["episodes"], done["derived"]) == ({"created": 2, "exists": 0}, 2)
    assert "2 were there already; facts: 0 derived" in run("ingest", str(tmp_path / "matter"))
    (tmp_path / "empty").mkdir()
    assert "*.md" in run("ingest", str(tmp_path / "empty"), exits=2)


def test_a_receipt_names_what_it_changed(run: Run) -> None:
    told = run("assert", "Ana Ruiz", "works_for", "Globex", "--since", "2025-01-01T00:00:00Z")
    assert "Ana Ruiz · works_for · Globex" in told
    moved = run("assert", "Ana Ruiz", "works_for", "Initech", "--since", AT)
    assert re.search(r"closed .*Ana Ruiz · works_for · Globex", moved)
    receipt = re.search(r"receipt (r_\w+)", moved)
    assert receipt is not None
    assert re.search(r"archived .*Ana Ruiz · works_for · Initech", run("undo", receipt[1]))


def run_episodes(run: Run) -> list[dict[str, Any]]:
    found = run("recall", "Hello there, the plan: we go", "--kind", "episode", "--json")["hits"]
    return [run("show", hit["id"], "--json") for hit in found]


def test_rank_names_the_episodes_that_recall_ranks(run: Run, tmp_path: Path) -> None:
    run("ingest", rows(tmp_path / "f.jsonl", fact("1", "Globex", "2025-01-01T00:00:00Z"), fact("2", "Initech", AT)))
    asked = [
        {"id": "q1", "text": "Where does Ana Ruiz work?", "category": "ignored"},
        {"id": "q2", "text": "Where does Ana Ruiz work?", "as_of": "2025-06-01T00:00:00Z"},
    ]
    out = tmp_path / "ranks.jsonl"
    run("rank", rows(tmp_path / "q.jsonl", *asked), "--limit", "50", "--out", str(out))
    ranked = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [r["id"] for r in ranked] == ["q1", "q2"]
    assert [r["episodes"][0] for r in ranked] == ["2", "1"]


def test_an_ontology_is_set_from_a_file_and_shown(run: Run, tmp_path: Path) -> None:
    overlay = {"relations": [{"name": "sponsors", "cardinality": "one", "aliases": ["pays for"]}]}
    file = tmp_path / "o.json"
    file.write_text(json.dumps(overlay), encoding="utf-8")
    run("ontology", "set", str(file))
    relations = {r["name"]: r for r in run("ontology", "show", "--json")["relations"]}
    assert relations["sponsors"]["cardinality"] == "one"
    assert "sponsors" in run("ontology", "show")


def test_a_key_is_made_with_its_tenant_listed_without_its_secret_and_revoked(run: Run) -> None:
    made = run("keys", "create", "--role", "writer", "--wall", "m1", "--json", tenant="globex")
    assert made.keys() == {"id", "key"}
    assert re.fullmatch(rf"mk_{made['id']}_[0-9a-f]{{64}}", made["key"])
    assert [t["name"] for t in run("tenants", "list", "--json", tenant=None)["items"]] == ["globex"]
    listed = run("keys", "list", "--json", tenant="globex")["items"][0]
    assert (listed["role"], listed["walls"], "key" in listed) == ("writer", ["m1"], False)
    assert made["key"].split("_")[2] not in run("keys", "list", tenant="globex")
    run("keys", "revoke", made["id"], tenant=None)
    assert run("keys", "list", "--json", tenant="globex")["items"][0]["revoked_at"]


def test_the_audit_chain_is_listed_and_verified(run: Run) -> None:
    run("assert", "Ana", "likes", "tea", "--value")
    assert run("audit", "--json")["items"][0]["verb"] == "assert_facts"
    assert run("audit", "verify", "--json")["ok"]


def test_a_wall_hides_from_who_does_not_name_it(run: Run) -> None:
    run("assert", "Ana", "works_for", "Umbrella", "--in-wall", "m1")
    assert run("facts", "--json")["items"] == []
    assert len(run("facts", "--wall", "m1", "--json")["items"]) == 1


def test_accepted_jobs_are_listed(run: Run, made: None) -> None:
    assert run("jobs", "--json") == {"items": [], "next_cursor": None}


@pytest.mark.parametrize(
    ("words", "exits", "told"),
    [
        (["show", "nothing"], 3, "error: no memory 'nothing'"),
        (["recall", ""], 2, "error: query is ''"),
        (["recall", "x", "--as-of", "2026-01-01"], 2, "error: as_of"),
        (["jobs", "retry", "nothing"], 3, "error: no job 'nothing'"),
        (["ontology", "set", "nothing.json"], 2, "error: nothing.json cannot be read"),
        (["commands", "nothing.json"], 2, "error: nothing.json cannot be read"),
        (["remember", "x", "--metadata", "{'a': 1}"], 2, "error: --metadata is not JSON: "),
        (["remember", "x", "--metadata", ""], 2, "error: --metadata is not JSON: "),
        (["remember", "x", "--metadata", "[1]"], 2, "error: --metadata holds list: give one JSON object"),
        (["remember", "x", "--metadata", '{"a": NaN}'], 2, "error: episodes[0].metadata holds what JSON cannot: "),
        (["assert", "n_" + "0" * 24, "likes", "tea"], 3, "error: no entity 'n_000000000000000000000000'"),
        (["keys", "create", "--role", "king"], 2, "error: role is 'king'"),
    ],
)
def test_an_error_is_one_clear_line_and_an_exit_code(
    run: Run, made: None, words: list[str], exits: int, told: str
) -> None:
    lines = run(*words, exits=exits).strip().splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(told)


@pytest.mark.parametrize("tenant", ["", "*", "null", "a/b", "_system"])
def test_a_tenant_that_is_none_or_everybody_is_refused(run: Run, tenant: str) -> None:
    for words in (["recall", "x"], ["remember", "x"], ["facts"], ["audit"], ["keys", "create", "--role", "reader"]):
        assert run(*words, exits=2, tenant=tenant).startswith("error: ")


def test_a_store_that_does_not_answer_is_told_by_doctor(run: Run) -> None:
    ran = CliRunner().invoke(app, ["doctor", "--json", "--store", "neo4j://127.0.0.1:1"])
    assert ran.exit_code == 5
    report = json.loads(ran.stdout)
    assert (report["ok"], report["error"]["code"]) == (False, "store_unavailable")
    assert "neo4j://127.0.0.1:1" in report["store"]["error"]
    assert "muniment neo4j start" in report["store"]["mend"]
    assert report["models"]
    assert report["limits"]
    told = CliRunner().invoke(app, ["doctor", "--store", "neo4j://127.0.0.1:1"])
    assert told.exit_code == 5
    assert {"models", "limits"} <= {line.strip() for line in told.stdout.splitlines()}


def test_a_damaged_model_is_told_by_doctor_and_is_not_well(
    store: str, made: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def damaged(path: Path, sha256: str) -> None:
        raise ModelUnavailable(f"{path.name} is not the known file")

    monkeypatch.setattr("muniment.engine.models.describe.verify", damaged)
    ran = CliRunner().invoke(app, ["doctor", "--json", "--store", store])
    report = json.loads(ran.stdout)
    assert (ran.exit_code, report["ok"], report["error"]["code"]) == (5, False, "unavailable")
    assert "analyze English" in report["error"]["detail"]


def test_doctor_says_what_is_live_and_no_secret(store: str, made: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUNIMENT_NEO4J_PASSWORD", "hunter2")
    ran = CliRunner().invoke(app, ["doctor", "--json", "--store", store])
    report = json.loads(ran.stdout)
    assert (ran.exit_code, report["ok"], report["environment"]) == (0, True, "dev")
    assert report["models"]
    assert report["limits"]["limit"] == 200
    assert "hunter2" not in ran.output


READING = (
    "recall x|context x|show f_1|history f_1|facts|entities|paths Ana Bo|explain t_1|reviews|jobs|audit|audit verify|"
    "ontology show|export|retract f_1 --reason x|undo r_1|purge --episode e_1 --yes|hold list"
)


@pytest.mark.parametrize("command", [*READING.split("|"), "assert Ana likes tea --dry-run", "remember x --dry-run"])
def test_what_reads_makes_no_store(run: Run, tmp_path: Path, command: str) -> None:
    dry = command.endswith("--dry-run")
    told = run(*command.split(), exits=0 if dry else 5)
    assert dry or told.splitlines()[-1].startswith(f"error: there is no store at {tmp_path / 'cli.db'}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["doctor", "keys list", "tenants list", "maintain", "backup copy.jsonl"])
def test_what_looks_after_a_store_makes_none(store: str, tmp_path: Path, command: str) -> None:
    ran = CliRunner().invoke(app, [*command.split(), "--store", store])
    assert ran.exit_code == 5
    assert "there is no store at " in ran.stderr
    assert list(tmp_path.iterdir()) == []


def test_doctor_looks_at_a_machine_without_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MUNIMENT_STORE_URL", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    ran = CliRunner().invoke(app, ["doctor", "--json"])
    report = json.loads(ran.stdout)
    assert (ran.exit_code, report["ok"]) == (0, True)
    assert report["store"]["where"].endswith("muniment.db: not there yet, the first write makes it")
    assert list(tmp_path.iterdir()) == []


def test_a_stored_text_cannot_steer_the_terminal(run: Run) -> None:
    run("assert", "Ana", "likes", "\x1b[2Jtea [bold]x[/bold]", "--value")
    shown = run("facts")
    assert "\x1b" not in shown
    assert "[bold]x[/bold]" in shown


def test_a_database_of_another_environment_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("assert", "Ana", "likes", "tea", "--value")
    monkeypatch.setenv("MUNIMENT_ENVIRONMENT", "prod")
    assert "environment" in run("facts", exits=4)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "example.org"])
def test_serving_others_in_the_clear_is_refused(host: str) -> None:
    ran = CliRunner().invoke(app, ["serve", "--host", host])
    assert ran.exit_code == 2
    assert "--behind-proxy" in ran.stderr


HEAVY = {"fastapi", "neo4j", "numpy", "onnxruntime", "pydantic", "spacy", "uvicorn"}
PROBE = "import sys; import muniment.api.cli.main; print(sorted({n.partition('.')[0] for n in sys.modules}))"


def test_the_program_starts_without_loading_what_only_some_commands_need() -> None:
    environment = {"PYTHONPATH": "src", "PATH": ""}
    root = Path(__file__).resolve().parents[2]
    ran = subprocess.run(
        [sys.executable, "-c", PROBE], capture_output=True, text=True, check=True, cwd=root, env=environment
    )
    assert set(json.loads(ran.stdout.replace("'", '"'))) & HEAVY == set()
