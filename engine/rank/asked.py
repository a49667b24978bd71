"""A question with all that is needed to search with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from muniment.engine.ports.models import Vector
from muniment.engine.ports.search import ReadFilter
from muniment.engine.rank.answer import RecallRequest
from muniment.engine.rank.policy import RankingPolicy
from muniment.engine.retrieve.question import Question
from muniment.engine.retrieve.seeds import Seed
from muniment.engine.retrieve.statistics import StatisticsView
from muniment.graph_schema.ids import EntityId


@dataclass(frozen=True, slots=True, kw_only=True)
class Under:
    """What a question is answered under: the weights, the moment that counts as now, and for an earlier answer the
    number up to which the tenant's statistics were counted then, and whether its hits were read once more. None: as it is
    at present."""

    policy: RankingPolicy | None = None
    now: datetime | None = None
    statistics_seq: int | None = None
    reread: bool | None = None


AS_IT_IS: Final = Under()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question ready to be searched with. `ontology` is the fingerprint of the one it was read by, `titles` are the entities
    that it names by their whole title, those of one title together."""

    request: RecallRequest
    policy: RankingPolicy
    ontology: str
    question: Question
    filter: ReadFilter
    statistics: StatisticsView
    vectors: Mapping[str, Vector]
    weights: Mapping[str, float]
    seeds: tuple[Seed, ...]
    titles: tuple[frozenset[EntityId], ...]
    degraded: tuple[str, ...]
    now: datetime

    @property
    def marked_at(self) -> datetime:
        """The moment by which hits are marked: a day ahead that only the question's words name is not yet here."""
        as_of = self.filter.clocks.as_of
        return as_of if self.request.as_of is not None else min(as_of, self.now)

    @property
    def entities(self) -> frozenset[EntityId]:
        """The entities that the question names."""
        return frozenset(id for seed in self.seeds for id in seed.ids)
