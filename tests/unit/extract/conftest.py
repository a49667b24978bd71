"""One extractor over the real analyzers for all tests of extraction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

import pytest

from muniment.engine.extract.candidates import Candidate, CandidateKind
from muniment.engine.extract.extractor import RuleExtractor
from muniment.engine.models.choose import choose_analyzer
from muniment.graph_schema.ids import EpisodeId
from muniment.graph_schema.ontology import base_ontology
from muniment.graph_schema.records import Episode, EpisodeKind

MAY = datetime(2024, 5, 15, 9, 30, tzinfo=UTC)  # a Wednesday

Extract = Callable[..., list[Candidate]]


class Names:
    """Known names given by a test."""

    def __init__(self, names: Mapping[str, tuple[tuple[str, str], ...]] | None = None) -> None:
        self._names = names or {}

    def lookup(self, keys: Sequence[str]) -> Mapping[str, tuple[tuple[str, str], ...]]:
        return {key: self._names[key] for key in keys if key in self._names}

    def learn(self, episode: Episode, candidates: Sequence[Candidate]) -> None:
        """Nothing: each test says what is known."""


def episode(text: str, *, speaker: str = "", title: str = "", at: datetime = MAY) -> Episode:
    return Episode(
        id=EpisodeId("e1"), text=text, kind=EpisodeKind.NOTE, occurred_at=at, recorded_at=at, speaker=speaker, title=title
    )  # fmt: skip


@pytest.fixture(scope="session")
def extractor() -> RuleExtractor:
    return RuleExtractor(analyzer=choose_analyzer(), ontology=base_ontology())


@pytest.fixture(scope="session")
def extract(extractor: RuleExtractor) -> Extract:
    """`extract(text, speaker=…, known={…})` gives the candidates of one note."""

    def run(
        text: str, *, known: Mapping[str, tuple[tuple[str, str], ...]] | None = None, speaker: str = "", title: str = ""
    ) -> list[Candidate]:
        note = episode(text, speaker=speaker, title=title)
        return list(extractor.extract([note], known=Names(known)).candidates)

    return run


def end(named: object) -> str:
    """The full name of a candidate's end."""
    same_as = getattr(named, "same_as", "")
    return str(same_as or getattr(named, "name", ""))


def triples(candidates: Sequence[Candidate], *, least: float = 0.5) -> set[tuple[str, str, str]]:
    """Plain facts: held to be so, and surely enough to change something."""
    return {
        (end(c.subject), c.relation, end(c.object))
        for c in candidates
        if c.kind is CandidateKind.FACT and c.confidence >= least and c.assertion.value == "holds"
    }
