"""A sentence out of its context says whom it is about."""

from __future__ import annotations

import pytest

from muniment.engine.assemble.context import assemble
from muniment.engine.rank.hits import Scored, hit_of
from muniment.graph_schema.records import Kind
from tests.builders import NOW, fact, ref


def test_pronoun_gets_the_name_in_front() -> None:
    told = fact("f_1", subject=ref("ana ruiz"), text="She prefers email.")
    block = assemble([hit_of(Scored(memory=told, parts={}), at=NOW)])
    assert "Ana Ruiz: She prefers email." in block.text


def test_sentence_with_the_name_stays_as_told() -> None:
    told = fact("f_1", subject=ref("ana ruiz"), text="Her assistant writes for Ana Ruiz: she prefers email.")
    block = assemble([hit_of(Scored(memory=told, parts={}), at=NOW)])
    assert ") Her assistant writes for Ana Ruiz: she prefers email." in block.text


@pytest.mark.parametrize("words", ["Never call before ten.", "以后请不要用微信联系我。"])
def test_a_wish_says_whose_it_is(words: str) -> None:
    told = fact("f_1", subject=ref("ana ruiz"), text=words, kind=Kind.PREFERENCE)
    block = assemble([hit_of(Scored(memory=told, parts={}), at=NOW)])
    assert f") Ana Ruiz: {words}" in block.text
