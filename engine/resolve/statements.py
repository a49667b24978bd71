"""What is to be held true, before it is known which entities the names mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from muniment.engine.extract.candidates import Candidate, CandidateKind, Named
from muniment.graph_schema.ids import EntityId, EpisodeId
from muniment.graph_schema.records import GUESSED_BELOW, SHARED, Episode, Kind, Says, Scope

RANK_GUESS = 0
"""Hearsay, hypotheses, and a language model's word."""
RANK_TOLD = 2
"""What a message, note or document states, and what a caller asserts."""
RANK_DECIDED = 3
"""What a person decided: corrections, rejections, resolved reviews."""

FIRST_PERSON = frozenset({"i", "me", "my", "我", "本人"})

_KINDS = {
    CandidateKind.FACT: Kind.FACT,
    CandidateKind.EVENT: Kind.FACT,
    CandidateKind.PREFERENCE: Kind.PREFERENCE,
    CandidateKind.SKILL: Kind.SKILL,
}


ASSERTED = "asserted"
"""The rule of structured facts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """An assertion whose ends are still names or ids. `input` says to the caller which of the inputs it came from."""

    kind: Kind = Kind.FACT
    says: Says = Says.HOLDS
    subject: Named | EntityId
    relation: str
    object: Named | EntityId
    text: str = ""
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    told_at: datetime
    recorded_at: datetime
    confidence: float = 1.0
    importance: int = 3
    rank: int = RANK_TOLD
    episode: EpisodeId | None = None
    quote: str = ""
    start: int = -1
    end: int = -1
    rule: str
    scope: Scope = SHARED
    wall: str = ""
    attributes: Mapping[str, Any] = field(default_factory=dict)
    input: str = ""
    worded: bool = True  # False where nobody gave a sentence: it is made of the names that the ends turn out to have


def from_candidate(candidate: Candidate, episode: Episode) -> Statement | None:
    """The statement that a candidate makes; None for one that only names an entity or lacks an end."""
    kind = _KINDS.get(candidate.kind)
    subject, object_ = (whom(end, episode) for end in _ends(candidate))
    if kind is None or subject is None or object_ is None or not candidate.relation:
        return None
    attributes = dict(candidate.attributes)
    if candidate.phrase:
        attributes["phrase"] = candidate.phrase
    if candidate.kind is CandidateKind.EVENT:
        attributes["event"] = True
    return Statement(
        kind=kind,
        says=candidate.assertion,
        subject=subject,
        relation=candidate.relation,
        object=object_,
        text=candidate.text.strip(),
        valid_from=candidate.valid_at,
        valid_to=candidate.invalid_at,
        told_at=episode.occurred_at,
        recorded_at=episode.recorded_at,
        confidence=candidate.confidence,
        importance=candidate.importance,
        rank=RANK_GUESS if candidate.by_model or candidate.confidence < GUESSED_BELOW else RANK_TOLD,
        episode=episode.id,
        quote=candidate.text,
        start=candidate.start,
        end=candidate.end,
        rule=candidate.rule,
        scope=lasting_scope(episode.scope),
        wall=episode.wall,
        attributes=attributes,
    )


def _ends(candidate: Candidate) -> tuple[Named | None, Named | None]:
    """The ends of what a candidate states; a procedure is told of its trigger, and is its steps."""
    if candidate.kind is CandidateKind.SKILL and candidate.attributes.get("steps"):
        trigger = str(candidate.attributes.get("trigger") or candidate.text.splitlines()[0])
        steps = "; ".join(map(str, candidate.attributes["steps"]))
        return Named(name=trigger, is_value=True), Named(name=steps, is_value=True)
    return candidate.subject, candidate.object


def whom(end: Named | None, episode: Episode) -> Named | None:
    """The end itself; for an "I" that nothing explained the user whose episode it is, and nobody where there is none."""
    if end is None or end.is_value or end.same_as or end.name.casefold() not in FIRST_PERSON:
        return end
    return Named(name=episode.scope.user, type="person") if episode.scope.user else None


def lasting_scope(scope: Scope) -> Scope:
    """Where what follows from an episode lives: with its user or agent across sessions, else in the session alone."""
    if scope.user or scope.agent:
        return Scope(user=scope.user, agent=scope.agent)
    return scope
