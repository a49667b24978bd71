"""The examples of the documentation run as they are, and say what the documentation says they do."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "docs" / "examples"
SAID = {
    "langgraph_store": ["agent: I drink my coffee without sugar."],
    "langchain_retriever": ["works for Globex. (since 2026-01-10", "works for Initech. (since 2026-06-01"],
    "llama_index_retriever": ["status: current\n\nAna Ruiz works for Globex."],
    "chat_messages": ["assistant: - [f_", "I work for Globex now"],
}


def test_every_example_is_tested() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == SAID.keys()


@pytest.mark.parametrize("name", SAID)
def test_an_example_runs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    said = capsys.readouterr().out
    assert [words for words in SAID[name] if words not in said] == []
