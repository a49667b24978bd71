"""A tenant's own questions are judged, and two policies compared, on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from muniment.api.cli.main import app
from muniment.engine.judging import JudgedQuestion, scored

NOTES = [
    ("berth-old", "The night ferry berths at quay two.", "2003-02-01T09:00:00Z"),
    ("berth-new", "The night ferry was late at its quay again.", "2026-05-20T09:00:00Z"),
    ("crane", "The crane on the north pier lifts forty tonnes.", "2024-05-01T09:00:00Z"),
    ("crew", "Ulla Brandt is the mate of the night ferry.", "2024-06-01T09:00:00Z"),
]
QUESTIONS: list[Mapping[str, Any]] = [
    {"id": "q1", "text": "At which quay does the night ferry berth?", "gold": ["berth-old"], "stale": ["berth-new"], "category": "berth"},
    {"id": "q2", "text": "How much does the crane lift?", "gold": ["crane"], "category": "crane", "answer": "40 t"},
    {"id": "q3", "text": "Who is the mate?", "gold": ["crew"], "path": ["crew", "absent"], "forbidden": ["crane-secret"]},
]  # fmt: skip


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Any]:
    store = f"sqlite:///{tmp_path / 'm.db'}"

    def run(*words: str, exit_code: int = 0) -> Any:
        result = CliRunner().invoke(app, [*words, "--store", store])
        assert result.exit_code == exit_code, result.output
        return json.loads(result.stdout) if "--json" in words else result.output

    rows = tmp_path / "notes.jsonl"
    notes = [{"external_id": id, "text": text, "kind": "note", "occurred_at": at} for id, text, at in NOTES]
    rows.write_text("\n".join(map(json.dumps, notes)), encoding="utf-8")
    (tmp_path / "questions.jsonl").write_text("\n".join(map(json.dumps, QUESTIONS)), encoding="utf-8")
    (tmp_path / "newer.json").write_text('{"recency": 2, "half_life_days": {"note": 3650}}', encoding="utf-8")
    run("ingest", str(rows), "--tenant", "acme")
    return run


def test_questions_are_judged_and_policies_compared(run: Callable[..., Any], tmp_path: Path) -> None:
    questions, newer = str(tmp_path / "questions.jsonl"), str(tmp_path / "newer.json")
    told = run("eval", questions, "--tenant", "acme", "--k", "1", "--json")
    (own,) = told["judged"]
    figures = {one["name"]: one for one in own["figures"]}
    assert figures["recall@1"]["value"] == figures["right first"]["value"] == figures["fresh"]["value"] == 1
    assert figures["path@1"]["value"] == pytest.approx(2 / 3)
    assert 0 <= figures["path@1"]["low"] < 2 / 3 < figures["path@1"]["high"] <= 1
    assert figures["p95 ms"]["value"] >= figures["p50 ms"]["value"] > 0
    assert (own["leaks"], own["missed"], told["differences"]) == (0, [], [])
    assert [one["name"] for one in own["categories"]] == ["berth", "crane"]

    told = run("eval", questions, "--tenant", "acme", "--k", "1", "--policy", newer, "--json")
    assert [one["name"] for one in told["judged"]] == ["own", "newer"]
    assert told["worse"] == told["judged"][1]["missed"]
    assert "q1" in told["worse"]
    changed = {one["name"]: one["value"] for one in told["differences"]}
    assert changed["fresh"] == -1
    assert "worse under newer" in run("eval", questions, "--tenant", "acme", "--policy", newer)
    # The same weights as the tenant's own change nothing, and nothing of all this counts as used.
    run("tenants", "set", "acme", "ranking.recency=2", "ranking.half_life_days.note=3650")
    told = run("eval", questions, "--tenant", "acme", "--k", "1", "--policy", newer, "--json")
    assert [one["value"] for one in told["differences"] if one["name"] != "ms"] == [0] * 6
    assert run("recall", "crane", "--tenant", "acme", "--json")["recent"] == []


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ({"id": "q", "text": "x"}, "give gold, path, stale or forbidden"),
        ({"id": "q", "text": "x", "gold": "crane"}, "gold is 'crane': give a list of ids"),
        ({"id": "q", "text": " ", "gold": ["crane"]}, "text is ' '"),
        ({"id": "q", "text": "x", "gold": ["crane"], "as_of": "yesterday"}, "as_of"),
    ],
)
def test_a_broken_question_is_named(
    run: Callable[..., Any], tmp_path: Path, line: Mapping[str, Any], says: str
) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text(json.dumps(line), encoding="utf-8")
    assert says in run("eval", str(path), "--tenant", "acme", exit_code=2)


def test_figures_of_one_ranking() -> None:
    question = JudgedQuestion(
        id="q",
        text="x",
        gold=frozenset({"a", "b"}),
        stale=frozenset({"old"}),
        forbidden=frozenset({"theirs", "hidden"}),
    )
    place = {"old": 0, "a": 1, "b": 7, "theirs": 30}
    assert scored(question, place, k=5) == {
        "leaks": 1, "recall@5": 0.5, "path@5": 0, "right first": 0, "fresh": 0, "stale": 1,
    }  # fmt: skip
    assert scored(question, {}, k=5)["fresh"] == 0
