"""Which of two entities some words are about, as far as the words tell: for evidence that came while they were one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from muniment.graph_schema.ids import fold

_WORDLIKE = re.compile(r"[a-z0-9\u00c0-\u024f\u0370-\u052f]")


class Sides:
    """The names of an entity and those of another one; the longest name at a place counts, so that `Acme Robotics` does not
    speak of `Acme`."""

    def __init__(self, *, own: Iterable[str], others: Iterable[str]) -> None:
        self._owners = {fold(name): False for name in others} | {fold(name): True for name in own}
        self._owners.pop("", None)

    def is_own(self, words: str) -> bool:
        """Whether the words name the first entity and not the second."""
        owners = {self._owners[match.group()] for match in self._names.finditer(fold(words))} if self._owners else set()
        return owners == {True}

    @cached_property
    def _names(self) -> re.Pattern[str]:
        return re.compile("|".join(_bounded(name) for name in sorted(self._owners, key=lambda n: (-len(n), n))))


def _bounded(name: str) -> str:
    """The name as whole words, where its script has words."""
    left = r"(?<!\w)" if _WORDLIKE.match(name[0]) else ""
    right = r"(?!\w)" if _WORDLIKE.match(name[-1]) else ""
    return left + re.escape(name) + right
