from __future__ import annotations

from datetime import UTC, datetime

import pytest

from muniment.engine.retrieve.question import read_question


@pytest.mark.parametrize(
    ("text", "now", "history"),
    [
        ("How many bikes do I have?", True, False),
        ("Where is the yard?", True, False),
        ("What is her current rank?", True, False),
        ("How many bikes did I have before?", False, False),
        ("Which suppliers have we had over time?", False, True),
        ("How has the rent changed?", False, True),
        ("现在谁负责采购？", True, False),
        ("历任经理都有谁？", False, True),
        ("Any tips for painting a shed?", False, False),
    ],
)
def test_what_a_question_wants_of_time(text: str, now: bool, history: bool) -> None:
    question = read_question(text)

    assert (question.wants_now, question.wants_history) == (now, history)


def test_language_and_first_person_are_read() -> None:
    assert read_question("我的车在哪？").lang == "zh"
    assert read_question("Where is my car?").lang == "en"
    assert [read_question(t).first_person for t in ("Where is my car?", "我在哪", "我们在哪", "Where is it?")] == [
        True,
        True,
        False,
        False,
    ]


def test_time_words_can_be_left_alone() -> None:
    assert not read_question("What happened in March 2026?", read_time_words=False).time
    assert read_question("What happened in March 2026?").time


def test_a_question_of_marks_alone_has_no_terms() -> None:
    assert read_question('? " ( ) : * ~').terms == ()


@pytest.mark.parametrize(
    ("text", "ahead"),
    [
        ("What will the Nova Plan cost?", True),
        ("Prepare the renewal for January 2027", True),
        ("Who is on call on 3 December 2026?", True),
        ("What is planned for next month?", True),
        ("明年的租金是多少？", True),
        ("2027年的租金是多少？", True),
        ("What does the Nova Plan cost?", False),
        ("What did the Nova Plan cost in January 2026?", False),
        ("Where does Will Marsh live?", False),
        ("三月的会议在哪里？", False),
        ("常委会在二月通过了什么？", False),
        ("谁是将军的秘书？", False),
    ],
)
def test_whether_a_question_looks_ahead(text: str, ahead: bool) -> None:
    assert read_question(text, now=datetime(2026, 11, 20, tzinfo=UTC)).looks_ahead is ahead
