"""Lines broken to fit a width: names go on over them, and lists, notes and addresses stay line by line."""

from __future__ import annotations

import pytest

from muniment.engine.extract.reading import readable_sentences
from muniment.engine.extract.wrapping import SOFT_BREAK, unwrapped
from tests.unit.extract.conftest import Extract, triples

MAIL = """\
From: Ana Ruiz <ana@acme.example>
To: Tom Lee <tom@halden.example>
Subject: Changes

Dear Tom,

just to let you know that Nora Lind has moved from Leeds to New
York in February. She works for Brightwell Foods now, and Kestrel
Freight is no longer her employer. The contract between Halden
Systems and Brightwell Foods runs until 31 March
2027. Please write to accounts@halden.example from now on.

Kind regards
Ana
"""
MAIL_ZH = """\
您好，

王芳上个月已经从云帆物流离职，现在住在乌鲁木齐，任职于蓝湖
科技，负责采购工作。蓝湖科技与云帆物流的合同金额不是80万
元，而是88万元。
"""


def test_a_name_or_date_goes_on_behind_the_end_of_a_line(extract: Extract) -> None:
    facts = triples(extract(MAIL))
    assert ("Nora Lind", "lives_in", "New York") in facts
    assert "2027-03-31" in {obj for _, relation, obj in facts if relation == "expires_on"}
    assert ("王芳", "works_for", "蓝湖科技") in triples(extract(MAIL_ZH))


@pytest.mark.parametrize("text", [MAIL, MAIL_ZH])
def test_what_is_read_keeps_its_place_in_what_was_written(text: str) -> None:
    for sentence in readable_sentences(text):
        assert not {"\n", SOFT_BREAK} & set(sentence.text)
        for at in (0, len(sentence.text) // 2, len(sentence.text) - 1):
            if sentence.text[at] != " ":
                assert text[sentence.place(at)] == sentence.text[at]
    assert len(unwrapped(text)) == len(text)


@pytest.mark.parametrize(
    "text",
    [
        "Call with Nora Lind about the renewal of the frame contract\nTom Berg sends the quote to Brightwell Foods on Monday\nAna checks the York depot",
        "- Nora Lind lives in York and works there for Halden Systems\n- Tom Berg lives in Leeds.",
        "Owner: Nora Lind, head of procurement at Halden Systems Ltd\nTerm: until 31 March 2027, renewed for another year then\nValue: EUR 80,000.",
        "Nora Lind\nHead of Sales\nHalden Systems",
        "王芳住在上海\n张伟住在北京\n李娜住在广州",
        "Mara: I have told Nora that the contract with Halden is signed\nTom: and when does it begin, do you know that as well?",
    ],
)
def test_lines_that_stand_for_themselves_are_read_one_by_one(text: str) -> None:
    assert unwrapped(text) == text
