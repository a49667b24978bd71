"""Timelines as text, for people: one line a claim, time from left to right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from muniment.engine.resolve.timeline import BEGINNING, Stretch

WIDTH = 56
"""Columns for time, so that a line with its label fits 80."""
_LABEL = 16


def draw(stretches: Sequence[Stretch], labels: Mapping[str, str] | None = None, *, width: int = WIDTH) -> str:
    """The stretches of one slot, drawn to scale between the first and the last date in them.

    `├──┤` is a closed stretch, `├──▶` an open one, `◀──┤` one whose beginning nobody told, `×××` a denied one. `labels` names
    the claims. Stretches of one claim stand on one line, in the order in which claims first began.
    """
    if not stretches:
        return ""
    dates = sorted({d for s in stretches for d in (s.start, s.end) if d is not None and d != BEGINNING})
    scale = _Scale(dates, width)
    rows: dict[str, list[str]] = {}
    for stretch in sorted(stretches, key=lambda s: (s.start, s.id)):
        row = rows.setdefault(stretch.claim, [" "] * (width + 1))
        _put(row, stretch, scale)
    names = labels or {}
    lines = [f"{names.get(claim, claim):<{_LABEL}.{_LABEL}}{''.join(row).rstrip()}" for claim, row in rows.items()]
    return "\n".join([" " * _LABEL + scale.header(), *lines])


class _Scale:
    """Which column a moment has. Some room is left on both sides for what is open."""

    def __init__(self, dates: Sequence[datetime], width: int) -> None:
        self._dates = dates
        self._left, self._right = 6, width - 10
        self._width = width

    def column(self, moment: datetime) -> int:
        first, last = self._dates[0], self._dates[-1]
        if first == last:
            return self._left
        share = (moment - first) / (last - first)
        return self._left + round(share * (self._right - self._left))

    def header(self) -> str:
        """The dates where they stand; one that has no room beside its neighbour is left out."""
        line = [" "] * (self._width + 12)
        free = 0
        for date in self._dates:
            at = self.column(date)
            if at >= free:
                text = f"{date:%Y-%m-%d}"
                line[at : at + len(text)] = text
                free = at + len(text) + 1
        return "".join(line).rstrip()


def _put(row: list[str], stretch: Stretch, scale: _Scale) -> None:
    start = 0 if stretch.start == BEGINNING else scale.column(stretch.start)
    end = len(row) - 1 if stretch.end is None else scale.column(stretch.end)
    for at in range(start, end + 1):
        row[at] = "×" if stretch.denied else "─"
    if stretch.denied:
        return
    row[start] = "◀" if stretch.start == BEGINNING else "├"
    if end > start:
        row[end] = "▶" if stretch.end is None else "┤"
