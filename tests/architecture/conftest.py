"""The project's tree as the architecture tests see it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("graph_schema", "engine", "api")
# Never part of the project, wherever the tree was unpacked without git.
IGNORED = {".git", ".venv", "__pycache__", "dist", "build", "node_modules", "htmlcov", "bench-out", ".muniment"}


@pytest.fixture(scope="session")
def root() -> Path:
    """The top folder of the project."""
    return ROOT


@pytest.fixture(scope="session")
def project_files() -> list[Path]:
    """Every file of the project, relative to its top: what git tracks or would, or all files where there is no git."""
    if names := _known_to_git():
        return [Path(name) for name in names if (ROOT / name).is_file() and not (ROOT / name).is_symlink()]
    found: list[Path] = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in IGNORED and not name.endswith(("_cache", ".egg-info"))]
        found += [Path(folder, name).relative_to(ROOT) for name in files if name not in IGNORED]
    return found


@pytest.fixture(scope="session")
def modules(project_files: list[Path]) -> list[Path]:
    """The Python files of the three packages, relative to the top."""
    return [path for path in project_files if path.suffix == ".py" and path.parts[0] in PACKAGES]


def _known_to_git() -> list[str]:
    """What git tracks or would track here; empty without git, in an unpacked archive, in a clone of another user."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        return []
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    return [name for name in answer.stdout.split("\0") if name]
