"""Which relations the words of a question ask for."""

import pytest

from muniment.engine.retrieve.chunks import Chunk
from muniment.engine.retrieve.matching import Matcher
from muniment.engine.retrieve.relation_words import RelationWords
from muniment.graph_schema.ontology import base_ontology

WORDS = RelationWords(base_ontology())


@pytest.mark.parametrize(
    ("piece", "steps"),
    [
        ("上级住", ["上级", "住"]),
        ("主要联系人", ["主要联系人"]),
        ("主要联系人电话号码", ["主要联系人", "电话号码"]),
        ("总部所在地", ["总部所在地"]),
        ("城市", ["城市"]),
    ],
)
def test_a_piece_of_chinese_is_cut_where_a_wording_ends(piece: str, steps: list[str]) -> None:
    assert WORDS.steps_han(piece) == steps


def test_only_chinese_chunks_are_cut() -> None:
    english = Chunk(words=("primary", "contact"), role="subject")
    cut = Matcher(words=WORDS).steps([english, Chunk(words=("上级住",))])
    assert cut == [english, Chunk(words=("上级",)), Chunk(words=("住",))]
