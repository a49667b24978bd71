"""What every timed run needs: milliseconds, quantiles, and progress where it does not mix with the result."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence


def ms_since(started: float) -> float:
    """Milliseconds since a reading of `time.perf_counter`."""
    return (time.perf_counter() - started) * 1_000


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which that share of the values lies, one of them."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def say(text: str) -> None:
    """A line of progress."""
    print(text, file=sys.stderr, flush=True)
