"""A question with all that is needed to search with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from muniment.engine.ports.models import Vector
from muniment.engine.ports.search import ReadFilter
from muniment.engine.rank.answer import RecallRequest
from muniment.engine.retrieve.question import Question
from muniment.engine.retrieve.seeds import Seed
from muniment.engine.retrieve.statistics import StatisticsView
from muniment.graph_schema.ids import EntityId


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question ready to be searched with."""

    request: RecallRequest
    question: Question
    filter: ReadFilter
    statistics: StatisticsView
    vectors: Mapping[str, Vector]
    weights: Mapping[str, float]
    seeds: tuple[Seed, ...]
    degraded: tuple[str, ...]
    now: datetime

    @property
    def entities(self) -> frozenset[EntityId]:
        """The entities that the question names."""
        return frozenset(id for seed in self.seeds for id in seed.ids)
