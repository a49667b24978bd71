"""What the lexical channel counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.engine.ingest.terms import index_terms, query_terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The invoices were renewed", ["invoic", "renew"]),
        ("Matter 517-11", ["matter", "517-11", "517", "11"]),
        ("write to ana@acme.example", ["write", "ana@acme.example", "ana", "acm", "exampl"]),
        ("EUR 4,200.50", ["eur", "4200.50", "4200"]),
        ("model GX2000", ["model", "gx2000", "gx", "2000"]),
        ("Anna’s follow-up", ["anna", "follow"]),
        ("Zoë in Zürich", ["zoe", "zurich"]),
        ("北京分公司", ["北京", "京分", "分公", "公司"]),
        ("他 喜欢", ["他", "喜欢"]),
        ("使用Salesforce系统", ["使用", "salesforc", "系统"]),
        ("ＡＢＣ１２３", ["abc123", "abc", "123"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("", []),
    ],
)
def test_text_gives_terms(text: str, terms: list[str]) -> None:
    assert index_terms(text) == terms


def test_question_words_are_no_terms() -> None:
    assert query_terms("Who did I meet when my contract was renewed, and why?") == ["meet", "contract", "renew"]


def test_question_terms_are_named_once() -> None:
    assert query_terms("budget of the budget") == ["budget"]


def test_chinese_question_words_part_the_pairs() -> None:
    assert query_terms("张伟什么时候离职？") == ["张伟", "离职"]


def test_particle_parts_two_words_but_not_one() -> None:
    assert query_terms("张伟的电话") == ["张伟", "电话"]
    assert query_terms("目的地") == ["目的", "的地"]


@given(st.text())
def test_any_text_gives_short_folded_terms(text: str) -> None:
    terms = index_terms(text)
    assert all(0 < len(term) <= 64 for term in terms)
    assert index_terms(text) == terms


@given(st.text(alphabet="abc 12-@.张伟", max_size=40))
def test_question_terms_are_index_terms(text: str) -> None:
    assert set(query_terms(text)) <= set(index_terms(text))
