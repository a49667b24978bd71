from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from muniment.engine.models.bert_onnx import BgeEmbedder
from muniment.engine.models.hashing import HashingEmbedder
from muniment.engine.models.use_numpy import UseEmbedder
from muniment.engine.ports.models import Embedder

from .samples import ACROSS, CHINESE, ENGLISH, ROUGH_TEXTS

EMBEDDERS: tuple[Callable[[], Embedder], ...] = (BgeEmbedder, UseEmbedder, HashingEmbedder)


@pytest.fixture(scope="module", params=EMBEDDERS, ids=lambda kind: kind.__name__)
def embedder(request: pytest.FixtureRequest) -> Embedder:
    made: Embedder = request.param()
    return made


def mean_reciprocal_rank(embedder: Embedder, pairs: Sequence[tuple[str, str]], facts: Sequence[str]) -> float:
    """Ties count against the model."""
    documents = embedder.embed_documents(facts)
    ranks: list[int] = []
    for fact, question in pairs:
        scores = documents @ embedder.embed_query(question)
        ranks.append(int((scores >= scores[facts.index(fact)]).sum()))
    return float(np.mean([1 / rank for rank in ranks]))


def test_rows_have_length_one_and_the_stated_size(embedder: Embedder) -> None:
    vectors = embedder.embed_documents(["a red door", "合同到期"])
    assert vectors.shape == (2, embedder.dim)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-5)


def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert embedder.embed_documents([]).shape == (0, embedder.dim)


def test_a_text_has_the_same_vector_alone_as_among_others(embedder: Embedder) -> None:
    texts = ["short", "a somewhat longer text about contracts and prices", *(fact for fact, _ in ENGLISH)]
    together = embedder.embed_documents(texts)
    alone = np.vstack([embedder.embed_documents([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-5


def test_a_new_instance_gives_the_same_vectors(embedder: Embedder) -> None:
    again = type(embedder)()
    assert again.fingerprint == embedder.fingerprint
    assert np.array_equal(again.embed_query("when does it end?"), embedder.embed_query("when does it end?"))


@pytest.mark.parametrize("number", range(len(ROUGH_TEXTS)))
def test_rough_texts_give_finite_vectors(embedder: Embedder, number: int) -> None:
    vector = embedder.embed_documents([ROUGH_TEXTS[number]])[0]
    assert np.isfinite(vector).all()
    assert np.linalg.norm(vector) <= 1 + 1e-5


def test_threads_get_the_vectors_that_one_thread_gets(embedder: Embedder) -> None:
    texts = [fact for fact, _ in ENGLISH]
    alone = [embedder.embed_query(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        threaded = list(pool.map(embedder.embed_query, texts))
    assert np.abs(np.vstack(alone) - np.vstack(threaded)).max() < 1e-5


def test_fingerprints_differ_between_models() -> None:
    assert len({make().fingerprint for make in EMBEDDERS}) == len(EMBEDDERS)


def test_hashing_says_that_it_is_lexical_only() -> None:
    assert "lexical-only" in HashingEmbedder().fingerprint


def test_bge_finds_english_paraphrases_better_than_hashing(bge: BgeEmbedder) -> None:
    facts = [fact for fact, _ in ENGLISH]
    reached = mean_reciprocal_rank(bge, ENGLISH, facts)
    assert reached >= 0.85
    assert reached > mean_reciprocal_rank(HashingEmbedder(), ENGLISH, facts) + 0.1


def test_use_finds_chinese_paraphrases(use: UseEmbedder) -> None:
    assert mean_reciprocal_rank(use, CHINESE, [fact for fact, _ in CHINESE]) >= 0.7


def test_use_crosses_languages_where_bge_does_not(use: UseEmbedder, bge: BgeEmbedder) -> None:
    facts = [fact for fact, _ in CHINESE + ENGLISH]
    reached = mean_reciprocal_rank(use, ACROSS, facts)
    assert reached >= 0.8
    assert reached > mean_reciprocal_rank(bge, ACROSS, facts) + 0.2  # the control: this is why languages are routed


def test_embedding_opens_no_connection(no_network: None) -> None:
    assert BgeEmbedder().embed_query("offline").shape == (384,)
    assert UseEmbedder().embed_query("离线").shape == (512,)
