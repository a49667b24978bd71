"""The Cypher statements of the store, one a file, named `<noun>_<verb>`.

Each takes the space as `$space` and everything else in one map, `$given`: the server keeps a plan for every length class of
every text and list among the parameters, but not of those inside a map, and planning a search takes far longer than running
it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import LiteralString

_SHARED = "//+ "


def _lines(name: str) -> Iterator[str]:
    text = resources.files(__name__).joinpath(f"{name}.cypher").read_text(encoding="utf-8")
    for line in map(str.strip, text.splitlines()):
        if line.startswith(_SHARED):
            yield from _lines(line.removeprefix(_SHARED))
        else:
            yield line


@cache
def statement(name: str) -> LiteralString:
    """The text of the statement, without its comments. Nothing is ever spliced into it: it takes parameters only.

    A line `//+ NAME` stands for the lines of that other file: what two statements share is written once.
    """
    lines = _lines(name)
    # The driver asks for literals, which keeps spliced texts out; ours come from files of the package.
    return " ".join(line for line in lines if line and not line.startswith("//"))  # pyright: ignore[reportReturnType]
