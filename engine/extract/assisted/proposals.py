"""What a language model proposes, before it is held against the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol, TypeVar

from pydantic import BaseModel

from muniment.engine.extract.assisted.pieces import Piece
from muniment.engine.extract.candidates import CandidateKind
from muniment.engine.ports.models import Prompt
from muniment.graph_schema.records import Says

STATED: Final = 0.6
"""Of what the model says is stated: less than any rule that is sure, and told by a source of the lowest rank."""
IMPLIED: Final = 0.5
UNSURE: Final = 0.3

Answer = TypeVar("Answer", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedEnd:
    name: str
    type: str = ""
    is_value: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One thing that a text seems to say. `quote` is empty where the prompt does not ask for one."""

    piece: Piece
    kind: CandidateKind
    subject: ProposedEnd
    relation: str = ""
    object: ProposedEnd | None = None
    quote: str = ""
    says: Says = Says.HOLDS
    confidence: float = STATED
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    negative: bool = False
    constraint: bool = False


class Ask(Protocol):
    """Puts a prompt to the model, which is asked once more where its answer has not the shape asked for."""

    def __call__(self, prompt: Prompt, shape: type[Answer]) -> Answer:
        """The answer. Raises NoAnswer."""
        ...


class NoAnswer(Exception):
    """Why there is no answer, in words for the episode's `degraded`. `final` ends the whole reading, not this call alone."""

    def __init__(self, reason: str, *, final: bool) -> None:
        super().__init__(reason)
        self.final = final


class Dialect(Protocol):
    """A way to ask: prompts, and how their answers are read."""

    @property
    def name(self) -> str:
        """Starts the rule ids of its candidates."""
        ...

    def read(self, pieces: Sequence[Piece], ask: Ask) -> list[Proposal]:
        """What the pieces of one call say. Raises what `ask` raises."""
        ...
