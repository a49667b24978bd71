"""Ids of one write, the same for a dry run and the write itself."""

from __future__ import annotations

from muniment.graph_schema.ids import Space, digest


class WriteIds:
    """Makes ids from the space and the number of the write in it, so that a dry run names what the write will make."""

    def __init__(self, space: Space, number: int) -> None:
        self._space = space
        self._number = number
        self._made = 0

    def next(self, prefix: str) -> str:
        """The next id, `prefix_` and 20 hexadecimal characters."""
        self._made += 1
        return f"{prefix}_{digest(self._space, str(self._number), prefix, str(self._made), size=10)}"
