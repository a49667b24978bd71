"""Judged sets in a folder: each through its own runner, which ingests, asks, scores and times by the command line.

The folder holds sets; beside or above it stands `run_engine.sh SET_DIR STORE_URL OUT_DIR`, which writes `score.json`. What a
baseline gets may stand in `BASELINES.md` beside the runner; its lines for whole sets are put beside ours.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RUNNER = "run_engine.sh"
_PAGE = "BASELINES.md"
_MAIN = "main metric"
_COMMAND = f"{sys.executable} -m tests.benchmarks.cli"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRun:
    """One set, scored on one store."""

    name: str
    questions: int
    main: str  # the set's main figure
    value: float
    figures: Mapping[str, float]
    forbidden: int
    ingest_per_s: float  # of processor time, start of the program and loading of models included
    rank_ms: float  # the same
    baselines: Mapping[str, float]  # of the main figure, in per cent


def find_runner(folder: Path) -> Path:
    """The runner of a folder of sets. Raises FileNotFoundError."""
    for place in (folder, folder.parent):
        if (place / RUNNER).exists():
            return place / RUNNER
    raise FileNotFoundError(f"no {RUNNER} in {folder} or above it")


def page_beside(folder: Path) -> Path:
    """Where the figures of baselines stand, if they do."""
    return next((p for p in (folder / _PAGE, folder.parent / _PAGE) if p.exists()), folder / _PAGE)


def main_figure(name: str, page: Path) -> str:
    """A set's main figure, as the page of baselines names it; `recall@10` where it does not say."""
    column = None
    for line in page.read_text(encoding="utf-8").splitlines() if page.exists() else ():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if cells[0] == "set" and _MAIN in cells:
            column = cells.index(_MAIN)
        elif column is not None and cells[0] == name:
            return cells[column]
    return "recall@10"


def sets_in(folder: Path) -> list[Path]:
    """The sets of a folder, or the folder itself where it is one."""
    if any(folder.glob("*/questions.jsonl")):
        return [folder]
    return sorted(place for place in folder.iterdir() if any(place.glob("*/questions.jsonl")))


def run_set(runner: Path, one: Path, *, store: str, out: Path) -> SetRun:
    """Runs one set on an empty store. Raises CalledProcessError with what the runner said."""
    out.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "MUNIMENT": os.environ.get("MUNIMENT", _COMMAND), "PYTHON": sys.executable}
    subprocess.run(["bash", str(runner), str(one), store, str(out)], env=environment, check=True, stdout=sys.stderr)
    return read_run(one.name, out, baselines=runner.parent / _PAGE)


def read_run(name: str, out: Path, *, baselines: Path) -> SetRun:
    """What a finished run left in its folder."""
    score = json.loads((out / "score.json").read_text(encoding="utf-8"))
    steps = [json.loads(line) for line in (out / "timing.jsonl").read_text(encoding="utf-8").splitlines()]
    overall = score["overall"]
    main = score["main"]
    return SetRun(
        name=name,
        questions=int(overall["n"]),
        main=main,
        value=float(overall[main]),
        figures={key: float(value) for key, value in overall.items() if isinstance(value, int | float)},
        forbidden=int(overall["forbidden"]),
        ingest_per_s=_rate(steps, "ingest"),
        rank_ms=1_000 / rate if (rate := _rate(steps, "rank")) else 0.0,
        baselines=baselines_of(name, main, baselines),
    )


def baselines_of(name: str, figure: str, page: Path) -> dict[str, float]:
    """What each baseline gets in a set's main figure, in per cent; nothing where the page does not say.

    Read from the page's first table with the columns `set` and `main metric`; what follows them are the baselines.
    """
    if not page.exists():
        return {}
    names: list[str] = []
    for line in page.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if cells[0] == "set" and _MAIN in cells:
            names = cells[cells.index(_MAIN) + 1 :]
        elif names and cells[0] == name and figure in cells:
            values = [re.search(r"\d+(?:\.\d+)?", cell) for cell in cells[cells.index(figure) + 1 :]]
            return {key: float(value[0]) for key, value in zip(names, values, strict=False) if value}
    return {}


def _rate(steps: Sequence[Mapping[str, Any]], step: str) -> float:
    """Rows a second of processor time, all tenants together: on a shared machine wall time says little."""
    part = [line for line in steps if line["step"] == step]
    seconds = sum(float(line["cpu_s"]) for line in part)
    return sum(int(line["rows"]) for line in part) / seconds if seconds else 0.0
