"""`muniment extract` and `doctor` with a language model."""

from __future__ import annotations

import re
from pathlib import Path

from typer.testing import CliRunner

from muniment.api.cli.main import app
from tests.chat_server import ChatServer, Reply


def test_extract_marks_what_it_finds_and_says_what_was_not_at_hand(tmp_path: Path, server: ChatServer) -> None:
    server.otherwise = lambda _: Reply(status=401)
    path = tmp_path / "note.txt"
    path.write_text("Ana Ruiz works for Kestrel Freight.", encoding="utf-8")
    env = {"MUNIMENT_LLM_URL": server.url, "MUNIMENT_LLM_MODEL": "m1", "FORCE_COLOR": "1", "COLUMNS": "200"}
    run = CliRunner().invoke(app, ["extract", str(path), "--tenant", "acme", "--store", "sqlite://"], env=env)
    assert run.exit_code == 0, run.output
    marked = run.output.partition("marked:")[0]
    assert re.search(r"\x1b\[[\d;]+mAna Ruiz\x1b", marked), repr(marked)
    assert "en.verb" in run.output
    assert "degraded: language model: the language model answered 401" in run.output


def test_doctor_shows_the_language_model_and_not_its_key(server: ChatServer) -> None:
    env = {
        "MUNIMENT_LLM_URL": server.url,
        "MUNIMENT_LLM_MODEL": "m1",
        "MUNIMENT_LLM_API_KEY": "sesame",
        "COLUMNS": "300",
    }
    run = CliRunner().invoke(app, ["doctor", "--store", "sqlite://"], env=env)
    assert "endpoint, model m1" in run.output
    assert "extract beside the rules" in run.output
    assert "sesame" not in run.output
    assert server.bodies == []


def test_an_endpoint_without_a_model_is_refused() -> None:
    run = CliRunner().invoke(app, ["doctor", "--store", "sqlite://"], env={"MUNIMENT_LLM_URL": "http://127.0.0.1:1/v1"})
    assert run.exit_code == 2
    assert "MUNIMENT_LLM_MODEL" in run.output
