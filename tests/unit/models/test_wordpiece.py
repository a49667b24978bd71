"""Expected pieces were taken once from the reference tokenizer for the same vocabulary."""

from __future__ import annotations

import pytest

from muniment.engine.models.catalog import BGE, ModelSources, find
from muniment.engine.models.wordpiece import WordPiece, words


@pytest.fixture(scope="module")
def tokenizer() -> WordPiece:
    return WordPiece(find(BGE, ModelSources()).paths["vocab.txt"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The renewal of Brightwater's lease", [1996, 14524, 1997, 4408, 5880, 1005, 1055, 10084]),
        ("Café déjà vu — naïve façade", [7668, 2139, 3900, 24728, 1517, 15743, 8508]),
        ("王小明在上海负责采购", [1909, 1829, 1865, 100, 1742, 1902, 100, 100, 100, 100]),
        ("4,200€ (50%) a_b c-d", [1018, 1010, 3263, 30102, 1006, 2753, 1003, 1007, 1037, 1035, 1038, 1039, 1011, 1040]),
        (
            "unbelievably antidisestablishmentarian",
            [4895, 8671, 2666, 3567, 6321, 3424, 10521, 4355, 7875, 13602, 3672, 12199],
        ),
        ("🎉 ok", [100, 7929]),
        ("İstanbul ÅNGSTRÖM", [9960, 17076, 15687]),
        ("x" * 101, [100]),
        ("tab\there\x00nul\u200bzero", [21628, 2182, 11231, 23858, 10624]),
    ],
)
def test_pieces_are_those_of_the_reference(tokenizer: WordPiece, text: str, expected: list[int]) -> None:
    assert tokenizer.pieces(text, limit=100) == expected


def test_pieces_stop_at_the_limit(tokenizer: WordPiece) -> None:
    assert tokenizer.pieces("one two three four", limit=2) == tokenizer.pieces("one two", limit=9)


def test_a_special_token_spelled_in_a_text_is_text(tokenizer: WordPiece) -> None:
    assert tokenizer.separator not in tokenizer.pieces("end [SEP] start", limit=20)


def test_words_split_at_marks_and_chinese_characters() -> None:
    assert words("Café, naïve_x 王小明!") == ["cafe", ",", "naive", "_", "x", "王", "小", "明", "!"]
