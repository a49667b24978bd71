"""What the README shows is so: its Python, its curl lines and its commands run, its links lead somewhere."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from muniment.api.cli.main import PANELS, app
from muniment.engine.stores.neo4j.local.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PORT = "8377"


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)


def block_with(language: str, words: str) -> str:
    (found,) = [block for block in blocks(language) if words in block]
    return found


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """An environment of its own, in which `muniment` is this tree's."""
    command = tmp_path / "bin" / "muniment"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "from muniment.api.cli.main import main; main()" "$@"\n')
    command.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MUNIMENT_")}
    return {**kept, "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "src")}


def run(command: list[str], cwd: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=180, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_python_of_the_first_screen_runs(tmp_path: Path, shell: dict[str, str]) -> None:
    output = run([sys.executable, "-c", block_with("python", "muniment.open")], tmp_path, shell)
    march, july, *block = output.splitlines()
    assert "Tom Berg lives in Oslo.']" in march
    assert "Tom Berg lives in Bergen.']" in july
    assert any("Bergen" in line for line in block)


needs_curl = pytest.mark.skipif(
    not os.environ.get("CI") and not (shutil.which("curl") and shutil.which("bash")),
    reason="a user's machine may have no curl or bash; the gate installs them, and there their lack is a failure",
)


@needs_curl
def test_the_curl_of_the_first_screen_runs(tmp_path: Path, shell: dict[str, str]) -> None:
    script = block_with("sh", "curl").replace(PORT, str(free_port()))
    output = run(["bash", "-e", "-c", script], tmp_path, shell)
    # Each line's answer: the receipt, the hits, the block, the facts.
    assert '"status":"created"' in output.replace(" ", "")
    assert output.count("Borealis") >= 3
    assert '"tokens"' in output


@needs_curl
def test_the_curl_of_the_guide_runs(tmp_path: Path, shell: dict[str, str]) -> None:
    guide = ROOT / "docs" / "howto"
    (service,) = [one for one in blocks("sh", (guide / "service.md").read_text(encoding="utf-8")) if "curl" in one]
    (webhooks,) = [one for one in blocks("sh", (guide / "webhooks.md").read_text(encoding="utf-8")) if "curl" in one]
    script = (service + webhooks.replace("curl ", "curl -s --fail-with-body ") + "\nkill %1\n").replace(
        PORT, str(free_port())
    )
    answers = [json.loads(line) for line in run(["bash", "-e", "-c", script], tmp_path, shell).splitlines() if line]
    _, recalled, history, facts, undone, audit, webhook = answers
    assert "Oslo" in recalled["hits"][0]["text"]
    assert history["fact"]["object"]["name"] == "Oslo"
    assert [one["object"]["name"] for one in facts["items"]] == ["Bergen"]
    assert undone["verb"] == "undo"
    assert [row["verb"] for row in audit["items"]] == ["undo", "correct", "derive"]
    assert webhook["secret"].startswith("whsec_")


def test_the_commands_of_the_tour_run(tmp_path: Path, shell: dict[str, str]) -> None:
    lines = [line for line in block_with("sh", "muniment assert").splitlines() if line]
    outputs = [run(["bash", "-c", line], tmp_path, shell) for line in lines]
    shown = dict(zip([line.split()[1] for line in lines], outputs, strict=True))
    assert "Initech" in shown["facts"]
    assert "Initech" in shown["recall"]
    assert "Initech" in shown["context"]
    assert "Ana Ruiz" in shown["entities"]


def test_the_commands_that_are_named_are_those_that_exist() -> None:
    tour = README.partition("## The command line")[2].partition("## Settings")[0]
    named = {
        name
        for row in re.findall(r"^\|.*\|(.*)\|$", tour, flags=re.MULTILINE)
        for name in re.findall(r"`([\w-]+)`", row)
    }
    known = set(getattr(get_command(app), "commands", {}))
    assert named == known
    assert {name for names in PANELS.values() for name in names.split()} == known


@pytest.mark.parametrize(
    "page", ["README.md", *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs").rglob("*.md"))]
)
def test_every_link_leads_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    targets = [target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]
    missing = [target for target in targets if target and not (ROOT / page).parent.joinpath(target).exists()]
    assert missing == []


def test_every_make_target_that_is_named_exists() -> None:
    named = set(re.findall(r"(?:^|`)make (\w+)", README, flags=re.MULTILINE))
    known = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert {"demo", "test"} <= named <= known
