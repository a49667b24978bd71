"""What a language model may cost, and what it did cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What some calls cost and what came of them. Counts; `tokens_in` are those of the questions."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    failed_calls: int = 0  # no answer came
    repaired_answers: int = 0  # of the wrong shape, and right when asked once more
    rejected_answers: int = 0  # of the wrong shape twice
    rejected_statements: int = 0  # without a quote in the text, or of things that it does not name

    def plus(self, other: Usage) -> Usage:
        return Usage(
            calls=self.calls + other.calls,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            failed_calls=self.failed_calls + other.failed_calls,
            repaired_answers=self.repaired_answers + other.repaired_answers,
            rejected_answers=self.rejected_answers + other.rejected_answers,
            rejected_statements=self.rejected_statements + other.rejected_statements,
        )


class Purse(Protocol):
    """What is left to spend. Both methods may block."""

    def take(self, *, tokens_in: int, tokens_out: int) -> bool:
        """Sets aside the most that a call can cost; False, and nothing set aside, where that is over the cap."""
        ...

    def settle(self, usage: Usage, *, tokens_in: int, tokens_out: int) -> None:
        """Counts what was used, and gives back what was set aside for it."""
        ...


class NoLimit:
    """A purse without a bottom; it counts what went."""

    def __init__(self) -> None:
        self.usage = Usage()

    def take(self, *, tokens_in: int, tokens_out: int) -> bool:
        return True

    def settle(self, usage: Usage, *, tokens_in: int, tokens_out: int) -> None:
        self.usage = self.usage.plus(usage)
