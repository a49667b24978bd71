"""A circuit breaker: what keeps failing is left alone for a while, so that nobody waits for it in vain."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from threading import Lock


class State(StrEnum):
    CLOSED = "closed"  # calls go through
    OPEN = "open"  # calls are refused
    TRYING = "trying"  # one call goes through to see whether it works again


@dataclass(slots=True, kw_only=True)
class Breaker:
    """Opens after `failures` calls in a row that failed, and lets one through again after `rest_s` seconds.

    After Nygard, Release It! (2007), ch. 5. Safe to use from several threads.
    """

    failures: int = 5
    rest_s: float = 30.0
    now: Callable[[], float] = time.monotonic
    _failed: int = 0
    _opened_at: float | None = None
    _trying: bool = False
    _lock: Lock = field(default_factory=Lock)

    @property
    def state(self) -> State:
        with self._lock:
            if self._opened_at is None:
                return State.CLOSED
            return State.TRYING if self._trying else State.OPEN

    def admits(self) -> bool:
        """Whether a call may go out; who is let through must say afterwards how it went."""
        with self._lock:
            if self._opened_at is None:
                return True
            if self._trying or self.now() - self._opened_at < self.rest_s:
                return False
            self._trying = True
            return True

    def succeeded(self) -> None:
        with self._lock:
            self._failed, self._opened_at, self._trying = 0, None, False

    def failed(self) -> None:
        with self._lock:
            self._failed += 1
            if self._trying or self._failed >= self.failures:
                self._opened_at, self._trying = self.now(), False
