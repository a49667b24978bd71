"""Sentences, windows and languages of a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.engine.ingest.language import language_of, language_runs
from muniment.engine.ingest.sentences import sentence_spans
from muniment.engine.ingest.windows import MAX_WINDOWS, WINDOW_WORDS, count_words, windows


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Dr. Ruiz met J. Roe. They agreed.", ["Dr. Ruiz met J. Roe.", "They agreed."]),
        ("The fee is 4.5 percent. Paid!", ["The fee is 4.5 percent.", "Paid!"]),
        ("张伟来了。他说“好的。”然后走了！", ["张伟来了。", "他说“好的。”", "然后走了！"]),
        ("one\ntwo\n\n three ", ["one", "two", "three"]),
        ("He joined Acme Ltd.", ["He joined Acme Ltd."]),
        ("He joined Acme Corp. On 7 May he left.", ["He joined Acme Corp.", "On 7 May he left."]),
        ("She sold it to Roe Inc. The price was low.", ["She sold it to Roe Inc.", "The price was low."]),
        ("Acme Co. Ltd and Roe Inc. Holdings met Will.", ["Acme Co. Ltd and Roe Inc. Holdings met Will."]),
        ("Old Town F.C. is in Leeds. Go! was sung.", ["Old Town F.C. is in Leeds.", "Go! was sung."]),
        ("", []),
    ],
)
def test_text_is_cut_into_sentences(text: str, sentences: list[str]) -> None:
    assert _sentences(text) == sentences


def test_each_window_has_whole_sentences_and_its_title() -> None:
    text = " ".join(f"Sentence number {n} says that the meeting was moved once again." for n in range(20))
    found = windows(text, title="Minutes")
    assert len(found) > 1
    assert all(window.startswith("Minutes. Sentence") and window.endswith("again.") for window in found)
    assert all(count_words(window) <= WINDOW_WORDS + 1 for window in found)


def test_speaker_leads_where_there_is_no_title() -> None:
    assert windows("I like tea.", speaker="Ana") == ["Ana: I like tea."]


def test_chinese_windows_have_no_spaces_put_in() -> None:
    text = "我们今天讨论了新的合同条款和付款安排。" * 20
    found = windows(text)
    assert len(found) > 1
    assert "".join(found) == text


def test_long_texts_give_a_limited_number() -> None:
    assert len(windows("word " * 5000)) == MAX_WINDOWS


def test_empty_text_gives_one_window() -> None:
    assert windows("") == [""]


@given(st.text(max_size=400))
def test_runs_cover_the_text(text: str) -> None:
    runs = language_runs(text)
    assert "".join(text[run.start : run.end] for run in runs) == text


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("The account is closed", "en"),
        ("我用Salesforce管理客户", "zh"),
        ("ask 张伟 about the renewal today", "en"),
        ("12:30", "und"),
    ],
)
def test_language_is_told_by_script(text: str, lang: str) -> None:
    assert language_of(text) == lang


def test_mixed_text_is_cut_at_sentences() -> None:
    text = "Call me tomorrow. 张伟负责这个项目。Thanks."
    assert [(text[run.start : run.end].strip(), run.lang) for run in language_runs(text)] == [
        ("Call me tomorrow.", "en"),
        ("张伟负责这个项目。", "zh"),
        ("Thanks.", "en"),
    ]
