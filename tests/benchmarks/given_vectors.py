"""An engine whose vectors are there already, so that a speed run measures the engine and not a model."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from datetime import timedelta

import numpy as np

from muniment.engine.bootstrap import Engine, open_database
from muniment.engine.extract.extractor import RuleExtractor
from muniment.engine.models.bilingual import EmbedderSet
from muniment.engine.models.choose import ModelPolicy, choose_analyzer
from muniment.engine.ports.clock import system_clock
from muniment.engine.ports.models import Vector
from muniment.engine.rank.policy import RankingPolicy
from muniment.engine.rank.recall import Retriever
from muniment.engine.settings import Settings
from muniment.engine.tools import Tools
from muniment.engine.write.indexing import Indexer
from muniment.graph_schema.ontology import Ontology

_POOL = 4096


class GivenVectors:
    """Unit vectors of the size of the English model's, looked up by the text's checksum: as if a caller had brought them."""

    fingerprint = "given-vectors"
    dim = 384

    def __init__(self) -> None:
        made = np.random.default_rng(1).standard_normal((_POOL, self.dim)).astype(np.float32)
        self._pool: Vector = made / np.linalg.norm(made, axis=1, keepdims=True)

    def embed_documents(self, texts: Sequence[str]) -> Vector:
        return self._pool[[zlib.crc32(text.encode("utf-8", "replace")) % _POOL for text in texts]]

    def embed_query(self, text: str) -> Vector:
        found: Vector = self.embed_documents([text])[0]
        return found


async def open_with_given_vectors(url: str, settings: Settings, vectors: GivenVectors | None = None) -> Engine:
    """The engine on a store, as `open_engine` makes it but for the embedders."""
    database = await open_database(url, environment=settings.environment, vector_memory_mb=settings.vector_memory_mb)
    policy = ModelPolicy()
    vectors = vectors or GivenVectors()
    embedders = EmbedderSet(vectors, vectors)
    analyzer = choose_analyzer(policy)

    def make_retriever(ontology: Ontology) -> Retriever:
        return Retriever(
            embedders=embedders, analyzer=analyzer, ontology=ontology, policy=RankingPolicy(), clock=system_clock
        )

    def make_extractor(ontology: Ontology) -> RuleExtractor:
        return RuleExtractor(analyzer=analyzer, ontology=ontology)

    tools = Tools(
        clock=system_clock,
        indexer=Indexer(embedders),
        make_extractor=make_extractor,
        make_retriever=make_retriever,
        keep_traces=timedelta(days=settings.trace_days),
    )
    return Engine(database, settings, tools, policy)
