from __future__ import annotations

import numpy as np
import pytest

from muniment.engine.models.bert_onnx import BgeEmbedder
from muniment.engine.models.bilingual import Bridge, EmbedderSet
from muniment.engine.models.hashing import HashingEmbedder
from muniment.engine.models.use_numpy import UseEmbedder

ENGLISH = "The lease ends in June."
CHINESE = "租约六月到期。"
LONG_ENGLISH = "The lease of the hall ends in June, and the landlord has said so twice. " * 8


@pytest.fixture
def pair(bge: BgeEmbedder, use: UseEmbedder) -> EmbedderSet:
    return EmbedderSet(bge, use)


def test_each_document_goes_to_the_model_of_its_language(pair: EmbedderSet, bge: BgeEmbedder, use: UseEmbedder) -> None:
    english, chinese = pair.embed_documents([ENGLISH, CHINESE])
    assert list(english) == [bge.fingerprint]
    assert list(chinese) == [use.fingerprint]
    assert np.array_equal(english[bge.fingerprint], bge.embed_documents([ENGLISH])[0])


def test_english_question_also_asks_the_other_model_when_the_tenant_holds_its_rows(
    pair: EmbedderSet, bge: BgeEmbedder, use: UseEmbedder
) -> None:
    assert list(pair.embed_query(ENGLISH, held=[bge.fingerprint])) == [bge.fingerprint]
    assert list(pair.embed_query(ENGLISH, held=[bge.fingerprint, use.fingerprint])) == [
        bge.fingerprint,
        use.fingerprint,
    ]


def test_chinese_question_never_asks_the_english_model(pair: EmbedderSet, bge: BgeEmbedder, use: UseEmbedder) -> None:
    assert list(pair.embed_query(CHINESE, held=[bge.fingerprint])) == [use.fingerprint]
    assert list(pair.embed_query(CHINESE)) == [use.fingerprint]


def test_an_empty_tenant_still_gets_the_questions_own_vector(pair: EmbedderSet, bge: BgeEmbedder) -> None:
    assert list(pair.embed_query(ENGLISH, held=[])) == [bge.fingerprint]


def test_bridge_gives_short_english_documents_a_second_vector(bge: BgeEmbedder, use: UseEmbedder) -> None:
    bridged = EmbedderSet(bge, use, bridge=Bridge.SENTENCES)
    short, long = bridged.embed_documents([ENGLISH, LONG_ENGLISH])
    assert list(short) == [bge.fingerprint, use.fingerprint]
    assert list(long) == [bge.fingerprint]


def test_parts_of_a_memory_are_grouped_by_model_in_their_order(
    pair: EmbedderSet, bge: BgeEmbedder, use: UseEmbedder
) -> None:
    parts = [ENGLISH, CHINESE, "A second English part."]
    mixed, nothing = pair.embed_parts([parts, []])
    assert nothing == {}
    assert mixed[bge.fingerprint].shape == (2, bge.dim)
    assert mixed[use.fingerprint].shape == (1, use.dim)
    assert np.array_equal(mixed[bge.fingerprint][1], bge.embed_documents([parts[2]])[0])


def test_one_model_for_both_is_asked_once() -> None:
    hashing = HashingEmbedder()
    single = EmbedderSet(hashing, HashingEmbedder(), degraded=["no model"])
    assert single.fingerprints == (hashing.fingerprint,)
    assert list(single.embed_query(CHINESE)) == [hashing.fingerprint]
    assert single.degraded == ("no model",)
