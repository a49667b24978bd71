"""The rules first, then a language model: what it adds beside them, and what is said when it cannot."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from pydantic import ValidationError

from muniment.engine.extract.assisted.grounding import grounded
from muniment.engine.extract.assisted.pieces import Piece, calls_of, pieces_of
from muniment.engine.extract.assisted.proposals import Answer, Dialect, NoAnswer, Proposal
from muniment.engine.extract.assisted.purse import NoLimit, Purse, Usage
from muniment.engine.extract.candidates import Candidate, CandidateKind, Extraction, Extractor, KnownNames
from muniment.engine.ports.models import LanguageModel, Prompt
from muniment.graph_schema.errors import ModelUnavailable, MunimentError
from muniment.graph_schema.ids import EpisodeId, fold
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.records import Episode

logger = logging.getLogger(__name__)

VERSION: Final = "1"
_CHARS_A_TOKEN: Final = 2  # on the safe side: what is set aside before a call
_SHOWN_OF_ANSWER: Final = 2_000


class AssistedExtractor:
    """Implements `Extractor`. The rules' candidates come as they are; the model adds those that the rules do not have.

    Where the model fails, answers wrongly twice or is over its cap, what the rules found stands and `degraded` says so.
    """

    def __init__(
        self,
        *,
        rules: Extractor,
        model: LanguageModel,
        dialect: Dialect,
        ontology: Ontology,
        purse: Purse | None = None,
    ) -> None:
        self._rules = rules
        self._model = model
        self._dialect = dialect
        self._ontology = ontology
        self._purse = purse or NoLimit()

    @property
    def rules(self) -> Extractor:
        return self._rules

    @property
    def fingerprint(self) -> str:
        return f"{self._rules.fingerprint}+{self._dialect.name}:{VERSION}:{self._model.fingerprint}"

    def paid_from(self, purse: Purse) -> AssistedExtractor:
        """The same extractor at a tenant's expense."""
        return AssistedExtractor(
            rules=self._rules, model=self._model, dialect=self._dialect, ontology=self._ontology, purse=purse
        )

    def extract(self, episodes: Sequence[Episode], *, known: KnownNames) -> Extraction:
        """Candidates by episode, the rules' first. Raises what the rules raise; the model's failures are told, not raised."""
        by_rules = self._rules.extract(episodes, known=known)
        reading = _Reading(self._model, self._purse)
        proposals = reading.of(list(pieces_of(episodes)), self._dialect)
        found = grounded(proposals, rule=self._dialect.name, known=known, ontology=self._ontology)
        if found.rejected:
            count(self._purse, Usage(rejected_statements=found.rejected))
        logger.info(
            "language model read",
            extra={"proposed": len(proposals), "taken": len(found.candidates), "rejected": found.rejected},
        )
        added = _beside(found.candidates, by_rules.candidates, self._ontology)
        return Extraction(
            candidates=_by_episode(episodes, by_rules.candidates, added),
            notes=by_rules.notes,
            degraded=(*by_rules.degraded, *reading.degraded),
        )


def without_model(extractor: Extractor) -> Extractor:
    """The rules alone."""
    return extractor.rules if isinstance(extractor, AssistedExtractor) else extractor


class _Reading:
    """One extraction's calls."""

    def __init__(self, model: LanguageModel, purse: Purse) -> None:
        self._model = model
        self._purse = purse
        self.degraded: list[str] = []

    def of(self, pieces: Sequence[Piece], dialect: Dialect) -> list[Proposal]:
        """What all calls propose; a call without an answer costs what it would have said."""
        proposals: list[Proposal] = []
        for call in calls_of(pieces):
            try:
                proposals += dialect.read(call, self.ask)
            except NoAnswer as none:
                reason = f"language model: {none}; the rules alone were used"
                if reason not in self.degraded:
                    self.degraded.append(reason)
                if none.final:
                    break
        return proposals

    def ask(self, prompt: Prompt, shape: type[Answer]) -> Answer:
        """The answer, asked for a second time with the error where it has not the shape. Raises NoAnswer."""
        said = self._paid(prompt)
        try:
            return _read(said, shape)
        except ValueError as error:
            told = f"{prompt.user}\n\n{_mend(said, error)}"
        said = self._paid(replace(prompt, user=told))
        try:
            answer = _read(said, shape)
        except ValueError as error:
            count(self._purse, Usage(rejected_answers=1))
            raise NoAnswer("its answer was not of the shape asked for, twice", final=False) from error
        count(self._purse, Usage(repaired_answers=1))
        return answer

    def _paid(self, prompt: Prompt) -> str:
        schema = json.dumps(prompt.schema)
        most_in = (len(prompt.system) + len(prompt.user) + len(schema)) // _CHARS_A_TOKEN
        if not self._may_spend(most_in, prompt.max_tokens):
            raise NoAnswer("the day's cap is reached", final=True)
        used = Usage(calls=1, failed_calls=1)
        try:
            done = self._model.complete(prompt)
            used = Usage(calls=1, tokens_in=done.tokens_in, tokens_out=done.tokens_out)
            return done.text
        except ModelUnavailable as error:
            raise NoAnswer(str(error), final=True) from error
        finally:
            count(self._purse, used, tokens_in=most_in, tokens_out=prompt.max_tokens)

    def _may_spend(self, tokens_in: int, tokens_out: int) -> bool:
        try:
            return self._purse.take(tokens_in=tokens_in, tokens_out=tokens_out)
        except MunimentError as error:
            raise NoAnswer("what it costs could not be counted", final=True) from error


def count(purse: Purse, usage: Usage, *, tokens_in: int = 0, tokens_out: int = 0) -> None:
    """Counts what was used. Counts that cannot be kept are no reason to lose what was read."""
    try:
        purse.settle(usage, tokens_in=tokens_in, tokens_out=tokens_out)
    except MunimentError:
        logger.warning("language model use not counted", extra={"calls": usage.calls})


def _read(said: str, shape: type[Answer]) -> Answer:
    """Raises ValueError saying what is wrong, in words that the model can use."""
    text = said.strip()
    if text.startswith("```"):
        text = text.partition("\n")[2].rpartition("```")[0]
    try:
        given: Any = json.loads(text)
    except RecursionError as error:
        raise ValueError("too deeply nested") from error
    try:
        return shape.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[:5]
        wrong = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'the whole'}: {e['msg']}" for e in first)
        raise ValueError(wrong) from error


def _mend(said: str, error: ValueError) -> str:
    return (
        "Your last answer could not be used. It began with:\n"
        f"{said[:_SHOWN_OF_ANSWER]}\n"
        f"What is wrong with it: {error}\n"
        "Answer again, with one JSON object of the schema and nothing else."
    )


def _beside(found: Sequence[Candidate], by_rules: Sequence[Candidate], ontology: Ontology) -> tuple[Candidate, ...]:
    """The model's candidates that the rules do not have already; where a rule read the value of a single-valued relation
    in the same episode, the model's other reading of it is left out."""
    said = {_said(c, ontology) for c in by_rules if c.object is not None}
    slots = {_said(c, ontology)[:4] for c in by_rules if c.object is not None and _is_single(c, ontology)}
    topics = {(c.episode, str(c.attributes.get("topic"))) for c in by_rules if c.kind is CandidateKind.PREFERENCE}
    named = {(c.episode, fold(c.text)) for c in by_rules if c.kind is CandidateKind.ENTITY}
    kept = []
    for candidate in found:
        if candidate.kind is CandidateKind.ENTITY:
            is_new = (candidate.episode, fold(candidate.text)) not in named
        elif candidate.kind is CandidateKind.PREFERENCE:
            is_new = (candidate.episode, str(candidate.attributes["topic"])) not in topics
        else:
            what = _said(candidate, ontology)
            is_new = what not in said and not (_is_single(candidate, ontology) and what[:4] in slots)
        if is_new:
            kept.append(candidate)
    return tuple(kept)


def _said(candidate: Candidate, ontology: Ontology) -> tuple[EpisodeId, str, str, str, str]:
    """Episode, relation, what it says, and both ends, the way they are stored."""
    subject, object_ = (fold(e.same_as or e.name) if e else "" for e in (candidate.subject, candidate.object))
    stored = ontology.canonical(candidate.relation, subject, object_)
    return (candidate.episode, stored.relation, candidate.assertion.value, stored.subject, stored.object)


def _is_single(candidate: Candidate, ontology: Ontology) -> bool:
    return ontology.is_functional(ontology.relation(candidate.relation).relation.name)


def _by_episode(
    episodes: Sequence[Episode], first: Sequence[Candidate], then: Sequence[Candidate]
) -> tuple[Candidate, ...]:
    if not then:
        return tuple(first)
    groups: dict[EpisodeId, list[Candidate]] = {episode.id: [] for episode in episodes}
    for candidate in (*first, *then):
        groups[candidate.episode].append(candidate)
    return tuple(candidate for group in groups.values() for candidate in group)
