"""What every tenant's memory works with: models, clock, and what is made once per ontology."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from muniment.engine.assemble.tokens import TokenCounter, estimate_tokens
from muniment.engine.extract.assisted.extractor import without_model
from muniment.engine.extract.candidates import Extractor
from muniment.engine.extract.screen import ScreenPolicy
from muniment.engine.jobs.later import Later
from muniment.engine.ports.clock import Clock
from muniment.engine.ports.store import Reader, TenantStore
from muniment.engine.rank.recall import Retriever
from muniment.engine.tenant_settings import TenantSettings
from muniment.engine.write.commit import Writing
from muniment.engine.write.indexing import Indexer
from muniment.engine.write.ontology import ontology_with, overlay_of
from muniment.engine.write.screening import Screener
from muniment.engine.write.spending import Budget, at_expense_of
from muniment.engine.write.turns import Turns
from muniment.graph_schema.ids import Space
from muniment.graph_schema.ontology import Ontology

_FRESH_FOR = timedelta(seconds=2)
"""How long a tenant's ontology is read from memory; its own writes show at once, another process's after this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cached:
    ontology: Ontology
    read_at: datetime


class Tools:
    """Shared by all tenants of one engine. Extractors and retrievers are made once for each ontology in use."""

    def __init__(
        self,
        *,
        clock: Clock,
        indexer: Indexer,
        make_extractor: Callable[[Ontology], Extractor],
        make_retriever: Callable[[Ontology], Retriever],
        keep_traces: timedelta,
        screening: ScreenPolicy | None = None,
        budget: Budget | None = None,
        count_tokens: TokenCounter = estimate_tokens,
    ) -> None:
        self.clock = clock
        self.count_tokens = count_tokens
        self.indexer = indexer
        self.later = Later()
        self.turns = Turns()
        self.keep_traces = keep_traces
        self._screening = screening or ScreenPolicy()
        self.budget = budget or Budget()
        self._make_extractor = make_extractor
        self._make_retriever = make_retriever
        self._extractors: dict[str, Extractor] = {}
        self._retrievers: dict[str, Retriever] = {}
        self._ontologies: dict[Space, _Cached] = {}

    async def ontology_of(self, space: Space, reader: Reader) -> Ontology:
        """The tenant's ontology: the base one with what the tenant laid over it."""
        now = self.clock()
        cached = self._ontologies.get(space)
        if cached is not None and timedelta(0) <= now - cached.read_at < _FRESH_FOR:
            return cached.ontology
        overlay = await overlay_of(reader)
        if cached is not None and cached.ontology.overlay == overlay:
            ontology = cached.ontology
        else:
            ontology = ontology_with(overlay)
        self._ontologies[space] = _Cached(ontology=ontology, read_at=now)
        return ontology

    def forget_ontology(self, space: Space) -> None:
        """After the tenant's ontology was set."""
        self._ontologies.pop(space, None)

    def extractor_for(self, store: TenantStore, ontology: Ontology, settings: TenantSettings) -> Extractor:
        """The extractor of a tenant, who pays for what its language model costs. Call it on the event loop."""
        extractor = self.extractor(ontology)
        if not settings.language_model:
            return without_model(extractor)
        return at_expense_of(extractor, store, self.budget, self.clock)

    def screener(self, settings: TenantSettings) -> Screener:
        """What keeps a tenant's secrets out of one write."""
        base = self._screening
        policy = ScreenPolicy(
            secrets=settings.secrets or base.secrets, personal_data=settings.personal_data or base.personal_data
        )
        return Screener(policy=policy)

    def extractor(self, ontology: Ontology) -> Extractor:
        if ontology.fingerprint not in self._extractors:
            self._extractors[ontology.fingerprint] = self._make_extractor(ontology)
        return self._extractors[ontology.fingerprint]

    def retriever(self, ontology: Ontology) -> Retriever:
        if ontology.fingerprint not in self._retrievers:
            self._retrievers[ontology.fingerprint] = self._make_retriever(ontology)
        return self._retrievers[ontology.fingerprint]

    def writing(self, ontology: Ontology) -> Writing:
        return Writing(ontology=ontology, indexer=self.indexer, turns=self.turns)
