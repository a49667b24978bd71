"""What rules find before it becomes a candidate: two ends, a relation or a phrase, and how the clause stands to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from muniment.engine.extract.mentions import Mention
from muniment.graph_schema.records import Says


@dataclass(frozen=True, slots=True, kw_only=True)
class Stance:
    """How the words stand to what they say.

    `says` is holds, ended or corrected; `cap` is the most confidence the statement may have; `silent` drops it.
    `reasons` names the cues.
    """

    says: Says = Says.HOLDS
    cap: float = 1.0
    silent: bool = False
    reasons: tuple[str, ...] = ()

    def under(self, other: Stance) -> Stance:
        """Both stances at once: the more careful of each."""
        says = self.says if self.says is not Says.HOLDS else other.says
        return Stance(
            says=says,
            cap=min(self.cap, other.cap),
            silent=self.silent or other.silent,
            reasons=(*self.reasons, *(r for r in other.reasons if r not in self.reasons)),
        )


PLAIN = Stance()
QUESTION = Stance(silent=True, reasons=("question",))
HYPOTHESIS = Stance(cap=0.4, reasons=("hypothesis",))
FUTURE = Stance(cap=0.45, reasons=("future",))
HEARSAY = Stance(cap=0.45, reasons=("hearsay",))
DENIED = Stance(says=Says.CORRECTED, cap=0.45, reasons=("negation",))
ENDED = Stance(says=Says.ENDED, reasons=("ended",))
CORRECTED = Stance(says=Says.CORRECTED, reasons=("correction",))


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A relation between two mentions of one sentence; offsets are in the sentence's text.

    `relation` is empty for an open one, whose `name` then is its snake_case phrase. `anchor` is the offset of the word
    that carries it: a date belongs to the nearest anchor.
    """

    subject: Mention
    object: Mention
    relation: str
    phrase: str
    rule: str
    confidence: float
    anchor: int
    stance: Stance = PLAIN
    name: str = ""
    attributes: Mapping[str, Any] = field(default_factory=dict)
