"""Ids of one write, the same for a dry run and the write itself, and never those of another history of the space."""

from __future__ import annotations

from muniment.graph_schema.ids import Space, digest


class WriteIds:
    """Makes ids from the space, the number of the write in it and what came before, so that a dry run names what the
    write will make.

    `before` is the hash of the last audit entry: two databases that know a tenant of one name have other chains, so an
    import from one into the other meets no id that is already another memory's.
    """

    def __init__(self, space: Space, number: int, *, before: str) -> None:
        self._space = space
        self._number = f"{number} {before}" if before else str(number)
        self._made = 0

    def next(self, prefix: str) -> str:
        """The next id, `prefix_` and 20 hexadecimal characters."""
        self._made += 1
        return f"{prefix}_{digest(self._space, self._number, prefix, str(self._made), size=10)}"
