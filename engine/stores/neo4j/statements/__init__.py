"""The Cypher statements of the store, one a file, named `<noun>_<verb>`.

Each takes the space as `$space` and everything else in one map, `$given`: the server keeps a plan for every length class of
every text and list among the parameters, but not of those inside a map, and planning a search takes far longer than running
it.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import LiteralString


@cache
def statement(name: str) -> LiteralString:
    """The text of the statement, without its comments. Nothing is ever spliced into it: it takes parameters only."""
    text = resources.files(__name__).joinpath(f"{name}.cypher").read_text(encoding="utf-8")
    lines = (line.strip() for line in text.splitlines())
    # The driver asks for literals, which keeps spliced texts out; ours come from files of the package.
    return " ".join(line for line in lines if line and not line.startswith("//"))  # pyright: ignore[reportReturnType]
