from __future__ import annotations

import pytest

from muniment.engine.models.language import cjk_runs, has_cjk, language_of, readable


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The contract was signed in Bern.", "en"),
        ("Anna Müller, Globex", "en"),
        ("4711-A / 2024", "en"),
        ("", "en"),
        ("🎉", "en"),
        ("Please die casting in the shop", "en"),
        ("合同已经签了", "zh"),
        ("王小明用 Salesforce 管理客户", "zh"),
        ("Our Shanghai contact 王小明 will call the whole team back on Monday", "en"),
        ("契約は来月に終わります", "ja"),
        ("계약은 다음 달에 끝납니다", "ko"),
        ("Договор подписан", "ru"),
        ("Der Vertrag ist noch nicht unterschrieben", "de"),
        ("Le contrat est signé avec la société", "fr"),
        ("El contrato no está firmado por los socios", "es"),
    ],
)
def test_language_is_told_by_script_and_function_words(text: str, language: str) -> None:
    assert language_of(text) == language


def test_runs_of_cjk_are_offsets_into_the_text() -> None:
    text = "ask 王小明 or 李雷 today"
    assert [text[start:end] for start, end in cjk_runs(text)] == ["王小明", "李雷"]
    assert has_cjk(text)
    assert not has_cjk("café")


def test_readable_keeps_length_and_can_be_encoded() -> None:
    rough = "a\x00b\ud800c王"
    clean = readable(rough)
    assert clean == "a b\ufffdc王"
    assert clean.encode()
