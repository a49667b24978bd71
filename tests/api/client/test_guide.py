"""The examples of the guide to the clients run as they stand, embedded and on a server."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

from tests.api.client.live import live

GUIDE = (Path(__file__).resolve().parents[3] / "docs" / "howto" / "clients.md").read_text(encoding="utf-8")
PLAIN, AWAITING = re.findall(r"```python\n(.*?)```", GUIDE, flags=re.DOTALL)


def test_the_plain_example_runs_embedded(tmp_path: Path) -> None:
    assert "Ana Ruiz works for Borealis" in _run(PLAIN, f"sqlite:///{tmp_path / 'own.db'}", "")


def test_both_examples_run_on_a_server(tmp_path: Path) -> None:
    with live(f"sqlite:///{tmp_path / 'served.db'}", with_worker=True) as server:
        key = server.key("acme")
        assert "Ana Ruiz works for Borealis" in _run(PLAIN, server.url, key)
        assert "Ana Ruiz lives in Oslo" in _run(AWAITING, server.url, key)


def _run(program: str, url: str, key: str) -> str:
    said = io.StringIO()
    with redirect_stdout(said):
        exec(compile(program, "clients.md", "exec"), {"URL": url, "KEY": key})
    return said.getvalue()
