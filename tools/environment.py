#!/usr/bin/env python3
"""Makes the project's virtual environment from the hashed lock and says what it does.

Run by every target of the Makefile. When the environment already fits the lock it answers within a blink; otherwise it
creates the environment, installs uv as the lock names it (checked against its hash), lets uv install the rest and puts
the project in as an editable install. Standard library only, and plain enough in syntax that an old Python can still
read the file and say that it is too old.

Exit status: 0 when the environment is ready, 1 with a message on standard error when it is not.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "locks" / "dev.lock"
OLDEST, NEWEST = (3, 11), (3, 13)  # what the lock was resolved for
STEPS = 4


class CannotBuild(Exception):
    """The environment cannot be made; the text says why and what helps."""


def main(arguments: list[str]) -> int:
    """Bring the environment in the folder `arguments[0]` (default .venv) up to date; the exit status."""
    venv = ROOT / (arguments[0] if arguments else ".venv")
    try:
        check_python(sys.version_info[:2])
        wanted = fingerprint(LOCK.read_text(), (ROOT / "pyproject.toml").read_text())
        if not is_current(venv, wanted):
            build(venv, wanted)
    except CannotBuild as problem:
        print(f"\nerror: {problem}", file=sys.stderr)
        return 1
    return 0


def check_python(version: tuple[int, ...]) -> None:
    """Refuse a Python for which the lock was not resolved."""
    if not OLDEST <= version <= NEWEST:
        found, oldest, newest = (".".join(map(str, v)) for v in (version, OLDEST, NEWEST))
        raise CannotBuild(
            f"Muniment needs Python {oldest} to {newest}, and {sys.executable} is {found}.\n"
            "       Name another one: make PYTHON=/path/to/python3.11"
        )


def fingerprint(lock: str, project: str) -> str:
    """A digest of all that the environment is made from: the lock, what of `project` (pyproject.toml) the install reads,
    the interpreter and the place of the clone. A changed setting of a linter makes nothing anew.
    """
    import tomllib  # not there in a Python that check_python refuses

    read = tomllib.loads(project)
    parts = [
        lock,
        read.get("project"),
        read.get("build-system"),
        read.get("tool", {}).get("hatch"),
        sys.version,
        str(ROOT),
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def is_current(venv: Path, wanted: str) -> bool:
    """Whether the environment was made from exactly these inputs and its interpreter is still there."""
    stamp = stamp_of(venv)
    return stamp.is_file() and stamp.read_text() == wanted and python_of(venv).exists()


def build(venv: Path, wanted: str) -> None:
    """Make the environment from nothing, in four steps, and stamp it last, so that a broken run is done again."""
    started = time.monotonic()
    stamp_of(venv).unlink(missing_ok=True)
    lock = LOCK.read_text()
    say(1, f"creating {venv.name} with Python {sys.version.split()[0]}")
    create(venv)
    say(2, "installing uv from the lock, checked against its hash")
    pip_install(venv, requirement("uv", lock))
    count = sum(line[:1].isalnum() for line in lock.splitlines())
    say(3, f"installing up to {count} packages from {LOCK.relative_to(ROOT)}, each checked against its hash")
    sync(venv, lock)
    say(4, "installing muniment itself, editable")
    uv(venv, "install", "--quiet", "--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    stamp_of(venv).write_text(wanted)
    print(f"==> environment ready in {time.monotonic() - started:.0f} s\n", flush=True)


def create(venv: Path) -> None:
    """Create the folder of the environment, with pip in it or with one that can be pointed at it."""
    if starts("import ensurepip; ensurepip.version()"):
        run(sys.executable, "-m", "venv", "--clear", str(venv))
    elif starts("import pip"):  # Debian without python3-venv: borrow the system's pip for the first step
        run(sys.executable, "-m", "venv", "--clear", "--without-pip", str(venv))
    elif shutil.which("uv"):
        run("uv", "venv", "--quiet", "--clear", "--seed", "--python", sys.executable, str(venv))
    else:
        raise CannotBuild(
            f"{sys.executable} can make no virtual environment: it has neither ensurepip nor pip.\n"
            "       On Debian or Ubuntu:  apt-get install python3-venv   (as root), then run make again.\n"
            "       Or name a complete Python:  make PYTHON=/path/to/python3.11"
        )


def requirement(name: str, lock: str) -> str:
    """The lines of `lock` that pin `name`, hashes included."""
    block: list[str] = []
    for line in lock.splitlines():
        if block and not line.startswith(" "):
            break
        if block or line.startswith(f"{name}=="):
            block.append(line)
    if not block:
        raise CannotBuild(f"{LOCK.name} does not pin {name}; run: make lock")
    return "\n".join(block) + "\n"


def pip_install(venv: Path, requirements: str) -> None:
    """Install hashed `requirements` with pip: the environment's own, or the starting Python's pointed at it."""
    python = str(python_of(venv))
    pip = [python, "-m", "pip"]
    if not starts("import pip", python=python):
        pip = [sys.executable, "-m", "pip", "--python", python]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "requirements.txt"
        file.write_text(requirements)
        run(*pip, "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes", "-r", str(file))


def sync(venv: Path, lock: str) -> None:
    """Make the installed packages those of `lock`. Where uv cannot reach the index, pip tries with its own settings."""
    try:
        uv(venv, "sync", "--require-hashes", str(LOCK))
    except CannotBuild as problem:
        print(f"    {problem}\n    trying pip instead, which is slower", flush=True)
        pip_install(venv, lock)


def uv(venv: Path, command: str, *arguments: str) -> None:
    """Run a `uv pip` command on the environment; pip's index setting counts where uv has none of its own."""
    environment = dict(os.environ)
    if "PIP_INDEX_URL" in environment:
        environment.setdefault("UV_DEFAULT_INDEX", environment["PIP_INDEX_URL"])
    run(str(venv / "bin" / "uv"), "pip", command, "--python", str(python_of(venv)), *arguments, environment=environment)


def run(*command: str, environment: dict[str, str] | None = None) -> None:
    """Run `command` and pass its output on as it comes, less uv's one line for each package."""
    try:
        with subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            for line in process.stdout or ():
                if not line.startswith((" + ", " - ", " ~ ")):
                    print(f"    {line.rstrip()}", flush=True)
    except OSError as error:
        raise CannotBuild(f"{command[0]} could not start: {error}") from error
    if process.returncode:
        raise CannotBuild(f"{' '.join(command[:4])} failed with status {process.returncode}, see above")


def starts(code: str, *, python: str = sys.executable) -> bool:
    """Whether `python` runs `code` without an error, in a process of its own."""
    return subprocess.run([python, "-c", code], capture_output=True, check=False).returncode == 0


def python_of(venv: Path) -> Path:
    """The interpreter of the environment."""
    return venv / "bin" / "python"


def stamp_of(venv: Path) -> Path:
    """The file that says what the environment was made from."""
    return venv / ".muniment-stamp"


def say(step: int, text: str) -> None:
    """One line of progress."""
    print(f"==> [{step}/{STEPS}] {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
