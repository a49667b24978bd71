"""How well one fact, walked from one of its ends, answers one chunk of a question."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from muniment.engine.ingest.language import has_han
from muniment.engine.retrieve.chunks import Chunk
from muniment.engine.retrieve.kin import kin_of
from muniment.engine.retrieve.relation_words import LIGHT_STEMS, Known, RelationWords, content_stems
from muniment.graph_schema.ids import EntityId
from muniment.graph_schema.ontology import ANY_TYPE, Relation
from muniment.graph_schema.records import Fact

_WRONG_WAY: Final = 0.15  # the right relation, asked from its other end
_KIN: Final = 0.75  # a relation that people use for the one that is asked for
_KIND: Final = 0.5  # it ends at the kind of thing that is asked for
_VAGUE: Final = frozenset({"thing", "person", "value", "text", ""})
_WORDS: Final = 0.85  # the chunk's own words in the phrase that links the two ends
_BEGINNING: Final = 4  # letters that a stem and its word have in common
_SENTENCE: Final = 0.45  # in the sentence around it only
_OTHER_RELATION: Final = 0.8  # words match, but the fact's relation is known and another one than asked for
_OTHER_WAY: Final = 0.3
_SAME_SIGNATURE: Final = 0.35  # another relation between the same kinds of things


@dataclass(slots=True)
class Matcher:
    """Matches facts to chunks, each pair of relation, phrase and direction once a question."""

    words: RelationWords
    _asked: dict[Chunk, dict[Known, float]] = field(default_factory=dict)
    _wanted: dict[Chunk, tuple[str, ...]] = field(default_factory=dict)
    _stems: dict[str, frozenset[str]] = field(default_factory=dict)
    _relations: dict[str, Relation] = field(default_factory=dict)
    _seen: dict[tuple[str, str, bool, str, Chunk], float] = field(default_factory=dict)

    def match(self, fact: Fact, known: EntityId, chunk: Chunk) -> float:
        """In [0, 1]: how well `fact`, taken from the end `known` to the other, is what the chunk asks for."""
        from_subject = fact.subject.id == known
        phrase = str(fact.attributes.get("phrase") or "")
        target = fact.object.type if from_subject else fact.subject.type
        key = (fact.relation, phrase or fact.id, from_subject, target, chunk)
        if key not in self._seen:
            self._seen[key] = self._match(fact, phrase, from_subject, chunk)
        return self._seen[key]

    def steps(self, chunks: Iterable[Chunk]) -> list[Chunk]:
        """The chunks with those cut in two that hold two relation words side by side, as Chinese writes them."""
        return [
            replace(chunk, words=(piece,)) if has_han(chunk.text) else chunk
            for chunk in chunks
            for piece in (self.words.steps_han(chunk.text) if has_han(chunk.text) else (chunk.text,))
        ]

    def is_light(self, chunk: Chunk) -> bool:
        """Whether the chunk only says what kind of thing is meant."""
        return all(stem in LIGHT_STEMS for stem in self._wanted_of(chunk))

    def asked(self, chunk: Chunk) -> dict[Known, float]:
        """The relations that the chunk may ask for."""
        if chunk not in self._asked:
            self._asked[chunk] = self.words.asked(chunk.words, chunk.role)
        return self._asked[chunk]

    def _match(self, fact: Fact, phrase: str, from_subject: bool, chunk: Chunk) -> float:
        asked = self.asked(chunk)
        relation = self._relation(fact.relation)
        best = 0.0
        for known, sure in asked.items():
            if known.relation == fact.relation:
                right_way = relation.symmetric or known.subject == from_subject
                best = max(best, sure * (1.0 if right_way else _WRONG_WAY))
            elif (same_way := kin_of(known.relation).get(fact.relation)) is not None:
                right_way = known.subject == (from_subject == same_way)
                best = max(best, sure * (_KIN if right_way else _KIN * _WRONG_WAY))
            elif relation.known:
                best = max(best, sure * self._signature(known, fact, from_subject))
        target = fact.object.type if from_subject else fact.subject.type
        if target == ANY_TYPE:  # nobody said what the thing is; what its relation leads to is known
            kinds = relation.object_types if from_subject else relation.subject_types
            target = kinds[0] if len(kinds) == 1 else target
        best = max(best, self._by_kind_of_target(target, chunk))
        if relation.known and not best:
            best = self._by_kind_of_relation(
                target, relation.object_types if from_subject else relation.subject_types, chunk
            )
        return max(best, self._by_words(fact, phrase, from_subject, chunk, asked, is_known=relation.known))

    def _relation(self, name: str) -> Relation:
        if name not in self._relations:
            self._relations[name] = self.words.ontology.relation(name).relation
        return self._relations[name]

    def _by_kind_of_target(self, target: str, chunk: Chunk) -> float:
        """Something for a step that ends at the kind of thing that the chunk names ("which country")."""
        kind = self.words.ontology.entity_type(chunk.words[-1].lower())
        if kind is None or kind.name in _VAGUE or target in _VAGUE:
            return 0.0
        return _KIND * self.words.ontology.is_a(target, kind.name)

    def _by_kind_of_relation(self, target: str, kinds: Iterable[str], chunk: Chunk) -> float:
        """The same for a thing of which only a broader kind is known, where its relation leads to the kind that is named."""
        kind = self.words.ontology.entity_type(chunk.words[-1].lower())
        if kind is None or kind.name in _VAGUE or kind.name not in kinds:
            return 0.0
        return _KIND * self.words.ontology.is_a(kind.name, target)

    def _by_words(
        self, fact: Fact, phrase: str, from_subject: bool, chunk: Chunk, asked: dict[Known, float], *, is_known: bool
    ) -> float:
        own = f"{fact.relation.replace('_', ' ')} {phrase}"
        if has_han(chunk.text):
            score = _han_overlap(chunk.text, own) * _WORDS
            score = max(score, _han_overlap(chunk.text, fact.text) * _SENTENCE)
        else:
            wanted = self._wanted_of(chunk)
            if not wanted:
                return 0.0
            near = self._stems_of(own)
            score = _WORDS * sum(s in near for s in wanted) / len(wanted)
            # Stemming a sentence costs; one without the beginning of any wanted word cannot have it.
            told = fact.text.lower()
            if score < _SENTENCE and any(s[:_BEGINNING] in told for s in wanted):
                around = self._stems_of(self._sentence(fact))
                score = max(score, _SENTENCE * sum(s in around for s in wanted) / len(wanted))
        if not score or not is_known or not asked:
            return score
        same = [known for known in asked if known.relation == fact.relation]
        if not same:
            return score * _OTHER_RELATION
        return score if any(known.subject == from_subject for known in same) else score * _OTHER_WAY

    def _signature(self, known: Known, fact: Fact, from_subject: bool) -> float:
        """A little for a relation between the same kinds of things, from the same end."""
        if known.subject != from_subject:
            return 0.0
        ontology = self.words.ontology
        wanted = self._relation(known.relation)
        if "thing" in wanted.subject_types or "thing" in wanted.object_types:
            return 0.0
        fits_subject = any(ontology.is_a(fact.subject.type, t) for t in wanted.subject_types)
        fits_object = any(ontology.is_a(fact.object.type, t) for t in wanted.object_types)
        return _SAME_SIGNATURE if fits_subject and fits_object else 0.0

    def _sentence(self, fact: Fact) -> str:
        text = fact.text
        for name in (fact.subject.name, fact.object.name):
            text = text.replace(name, " ")
        return text

    def _wanted_of(self, chunk: Chunk) -> tuple[str, ...]:
        if chunk not in self._wanted:
            self._wanted[chunk] = tuple(content_stems(chunk.text))
        return self._wanted[chunk]

    def _stems_of(self, text: str) -> frozenset[str]:
        if text not in self._stems:
            self._stems[text] = frozenset(content_stems(text))
        return self._stems[text]


def _han_overlap(wanted: str, text: str) -> float:
    """The share of the chunk's pairs of characters that the text has."""
    pairs = [wanted[i : i + 2] for i in range(len(wanted) - 1)] or [wanted]
    return sum(pair in text for pair in pairs) / len(pairs)
