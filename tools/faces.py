"""Writes the verbs of `Memory` anew into the protocol `Verbs` and the synchronous `SyncMemory`: `python -m tools.faces`.

Each stands between two marks in its file. After a verb has got a parameter, run this; the client of a server
(`api/client/`) is changed by hand, and a test compares the parameters of all of them.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from muniment.engine.verbs import NOT_FOR_CALLERS

ROOT: Final = Path(__file__).resolve().parents[1]
BEGIN, END = "    # -- written by tools/faces.py\n", "    # -- end\n"
Verb = ast.AsyncFunctionDef | ast.FunctionDef


def verbs() -> Iterator[Verb]:
    """The public methods of a tenant's memory, those that write first."""
    for name in ("memory", "asking", "reading"):
        tree = ast.parse((ROOT / "engine" / f"{name}.py").read_text(encoding="utf-8"))
        for kind in tree.body:
            if isinstance(kind, ast.ClassDef) and kind.name in ("Memory", "AskedMemory", "ReadOnlyMemory"):
                yield from (one for one in kind.body if isinstance(one, Verb) and _is_for_callers(one.name))


def promised(verb: Verb) -> str:
    """The verb in the protocol."""
    keyword = "async def" if isinstance(verb, ast.AsyncFunctionDef) else "def"
    return f"    {keyword} {verb.name}({ast.unparse(verb.args)}) -> {_returns(verb)}: ...\n"


def called(verb: Verb) -> str:
    """The verb without `await`."""
    given = [one.arg for one in verb.args.args[1:]]
    given += [f"{one.arg}={one.arg}" for one in verb.args.kwonlyargs]
    given += [f"**{verb.args.kwarg.arg}"] if verb.args.kwarg else []
    streams = isinstance(verb, ast.FunctionDef)
    returns = _returns(verb).replace("AsyncIterator", "Iterator")
    said = (ast.get_docstring(verb) or "").partition("\n\n")[0].replace("\n", "\n        ")
    call = f"self._loop.{'each' if streams else 'run'}(self._memory.{verb.name}({', '.join(given)}))"
    return f'    def {verb.name}({ast.unparse(verb.args)}) -> {returns}:\n        """{said}"""\n        return {call}\n'


def write(path: Path, body: str) -> None:
    """Puts the body between the marks of a file, formatted."""
    text = path.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    path.write_text(f"{before}{BEGIN}\n{body}\n{END}{rest.partition(END)[2]}", encoding="utf-8")
    subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", str(path)], check=True, cwd=ROOT)


def main() -> None:
    found = list(verbs())
    write(ROOT / "engine" / "verbs.py", "\n".join(map(promised, found)))
    write(ROOT / "engine" / "sync.py", "\n".join(map(called, found)))


def _is_for_callers(name: str) -> bool:
    return not name.startswith("_") and name not in NOT_FOR_CALLERS


def _returns(verb: Verb) -> str:
    return ast.unparse(verb.returns) if verb.returns is not None else "None"


if __name__ == "__main__":
    main()
