"""What an extractor may say: candidates, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from muniment.graph_schema.ids import EpisodeId
from muniment.graph_schema.records import Episode, Says

if TYPE_CHECKING:
    from muniment.engine.extract.change.notes import NoteReading


class CandidateKind(StrEnum):
    ENTITY = "entity"
    FACT = "fact"
    PREFERENCE = "preference"
    SKILL = "skill"
    EVENT = "event"


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """One end of a candidate: a name as it stands in the text and what kind of thing it seems to be.

    `type` is a type of the ontology or empty; `is_value` marks a literal (amount, date, text) that no walk passes
    through. `same_as` is the full name that the text's own context gives for it ("she" → "Ana Ruiz", "Acme" →
    "Acme Robotics"), empty where there is none. `identifiers` are strong ones, `email:ana@acme.example`; `told` those that
    the text around tells as facts, which help to find whose name it is but make nothing one by themselves.
    """

    name: str
    type: str = ""
    is_value: bool = False
    same_as: str = ""
    identifiers: tuple[str, ...] = ()
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Something a text seems to say, with the words that say it.

    `text` is the exact quote, `start` and `end` its offsets in the episode's text. `relation` is a name of the ontology,
    or for an open relation the normalised phrase; `phrase` keeps the words that linked the two ends. `confidence` in
    (0, 1]: 0.85 and above for a plain statement by a rule that is sure, below 0.5 for what should not change anything.
    Times are None where the text gives none. `attributes` holds what a preference (topic, value, polarity, strength,
    constraint), skill (trigger, steps) or event has beside its ends. `by_model` marks a language model's word, which ranks
    below every other source.
    """

    kind: CandidateKind
    text: str
    start: int
    end: int
    rule: str
    confidence: float
    episode: EpisodeId
    type: str = ""
    subject: Named | None = None
    relation: str = ""
    phrase: str = ""
    object: Named | None = None
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    assertion: Says = Says.HOLDS
    importance: int = 3
    attributes: Mapping[str, Any] = field(default_factory=dict)
    by_model: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """Candidates of some episodes, in the order of the episodes and of their text; `degraded` says what was not at hand.

    `notes` are those of the episodes that are notes, as their sentences are compared with others'.
    """

    candidates: tuple[Candidate, ...]
    notes: tuple[NoteReading, ...] = ()
    degraded: tuple[str, ...] = ()


class Extractor(Protocol):
    """Finds candidates. Never reads or writes a store: what it must know of the tenant comes in by `known`."""

    @property
    def fingerprint(self) -> str: ...

    def extract(self, episodes: Sequence[Episode], *, known: KnownNames) -> Extraction: ...


class KnownNames(Protocol):
    """The names a tenant already has, as an extractor may ask for them."""

    def lookup(self, keys: Sequence[str]) -> Mapping[str, tuple[tuple[str, str], ...]]:
        """For each folded spelling that is known: the (name, type) pairs it may mean; unknown ones are left out."""
        ...

    def learn(self, episode: Episode, candidates: Sequence[Candidate]) -> None:
        """Takes in what an episode of this call names, so that those behind it are read as if it were stored already."""
        ...
