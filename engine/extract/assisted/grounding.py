"""Proposals held against the text: only what its very words say, of things that it names, becomes a candidate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from muniment.engine.extract.assisted.proposals import UNSURE, Proposal, ProposedEnd
from muniment.engine.extract.candidates import Candidate, CandidateKind, KnownNames, Named
from muniment.engine.extract.chinese.stance import sentence_stance as chinese_stance
from muniment.engine.extract.english.stance import orders_memory
from muniment.engine.extract.english.stance import sentence_stance as english_stance
from muniment.engine.extract.importance import importance_of
from muniment.engine.extract.topics import ban_topic, liking_topic, wish_topic
from muniment.engine.extract.wishes import NEGATIVE, POSITIVE
from muniment.engine.ingest.language import CHINESE, language_of
from muniment.graph_schema.ids import fold
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.records import Says

_LONGEST_QUOTE: Final = 600
_LONGEST_END: Final = 200
_PRONOUNS: Final = frozenset(
    """
    i me my we us our you your he him his she her it its they them their this that these those who someone somebody
    我 我们 你 您 你们 他 她 它 他们 她们 本人 这 那
    """.split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounded:
    """The candidates, and how many proposals became none."""

    candidates: tuple[Candidate, ...]
    rejected: int


def grounded(proposals: Sequence[Proposal], *, rule: str, known: KnownNames, ontology: Ontology) -> Grounded:
    """A candidate for each proposal whose quote stands in its text and whose ends are named there.

    An end may also be the speaker, named in the title, or a name that the tenant knows. May block on `known`.
    """
    keys = sorted({fold(e.name) for p in proposals for e in (p.subject, p.object) if e is not None and e.name.strip()})
    names = frozenset(known.lookup(keys)) if keys else frozenset[str]()
    found = [_candidate(p, rule, names, ontology) for p in proposals]
    kept = tuple(dict.fromkeys(_Key(c) for c in found if c is not None))
    candidates = tuple(key.candidate for key in kept)
    return Grounded(candidates=candidates, rejected=sum(c is None for c in found))


class _Key:
    """A candidate by what it says, so that the same said twice is one."""

    def __init__(self, candidate: Candidate) -> None:
        self.candidate = candidate
        c = candidate
        self._key = (c.episode, c.kind, c.subject, c.relation, c.object, c.assertion, c.valid_at, c.invalid_at)

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._key == other._key


def _candidate(proposal: Proposal, rule: str, known: frozenset[str], ontology: Ontology) -> Candidate | None:
    place = _place(proposal)
    if place is None:
        return None
    text = proposal.piece.episode.text[place[0] : place[1]]
    stance = chinese_stance(text) if language_of(text) == CHINESE else english_stance(text)
    if stance.silent or orders_memory(text):
        return None
    subject = _end(proposal.subject, proposal, known, ontology)
    if subject is None:
        return None
    says = stance.says if stance.says is not Says.HOLDS else proposal.says
    if says is Says.CORRECTED:
        return None  # that something was never so is no model's to say
    confidence = min(proposal.confidence, stance.cap)
    if proposal.kind is CandidateKind.ENTITY:
        at = proposal.piece.text.find(subject.name)
        place = (proposal.piece.start + at, proposal.piece.start + at + len(subject.name)) if at >= 0 else place
        return Candidate(
            kind=CandidateKind.ENTITY, text=subject.name, start=place[0], end=place[1], rule=f"{rule}.name", by_model=True,
            confidence=confidence, episode=proposal.piece.episode.id, type=subject.type, subject=subject,
        )  # fmt: skip
    object_ = _end(proposal.object, proposal, known, ontology) if proposal.object is not None else None
    if object_ is None or fold(object_.name) == fold(subject.name):
        return None
    start, end = proposal.valid_at, proposal.invalid_at
    if says is Says.ENDED and end is None:
        start, end = None, start
    if start is not None and end is not None and end <= start:
        start, end = None, None
    if proposal.kind is CandidateKind.PREFERENCE:
        value = object_.name
        return Candidate(
            kind=CandidateKind.PREFERENCE, text=text, start=place[0], end=place[1], rule=f"{rule}.preference", by_model=True,
            confidence=confidence, episode=proposal.piece.episode.id, subject=subject, relation=_wish_relation(proposal),
            object=object_, assertion=says, valid_at=start, invalid_at=end, importance=5 if proposal.constraint else 4,
            attributes={
                "topic": _topic(proposal, value), "value": value, "polarity": NEGATIVE if proposal.negative else POSITIVE,
                "strength": 5 if proposal.constraint else 3, "constraint": proposal.constraint,
            },
        )  # fmt: skip
    relation = "_".join(fold(proposal.relation).replace("-", " ").replace("_", " ").split())
    if not relation or len(relation) > _LONGEST_END:
        return None
    return Candidate(
        kind=CandidateKind.FACT, text=text, start=place[0], end=place[1], rule=f"{rule}.fact", by_model=True,
        confidence=confidence, episode=proposal.piece.episode.id, subject=subject, relation=relation,
        phrase=relation.replace("_", " "), object=object_, assertion=says, valid_at=start, invalid_at=end,
        importance=importance_of(relation, ontology),
        attributes={"cues": ("unsure",)} if confidence <= UNSURE else {},
    )  # fmt: skip


def _place(proposal: Proposal) -> tuple[int, int] | None:
    """Where the quote stands, letter by letter, in what the model was shown; None where it does not."""
    quote = proposal.quote.strip()
    if not quote or len(quote) > _LONGEST_QUOTE:
        return None
    at = proposal.piece.text.find(quote)
    if at < 0:
        return None
    start = proposal.piece.start + at
    return start, start + len(quote)


def _end(end: ProposedEnd | None, proposal: Proposal, known: frozenset[str], ontology: Ontology) -> Named | None:
    if end is None:
        return None
    name = " ".join(end.name.split())
    key = fold(name)
    if not key or len(name) > _LONGEST_END or key in _PRONOUNS:
        return None
    episode = proposal.piece.episode
    said = (proposal.piece.text, episode.text, episode.speaker, episode.title)
    if not any(key in fold(text) for text in said) and key not in known:
        return None
    found = ontology.entity_type(end.type) if end.type and not end.is_value else None
    return Named(name=name, type=found.name if found else "", is_value=end.is_value)


def _wish_relation(proposal: Proposal) -> str:
    if proposal.constraint:
        return "must_not" if proposal.negative else "must"
    return "avoids" if proposal.negative else "prefers"


def _topic(proposal: Proposal, value: str) -> str:
    if proposal.constraint and proposal.negative:
        return ban_topic(value)
    return liking_topic(value) if proposal.negative else wish_topic(value)
