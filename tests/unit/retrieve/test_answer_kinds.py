"""The kind of answer that a question wants, and the texts that tell one."""

from __future__ import annotations

import pytest

from muniment.engine.retrieve.answer_kinds import AnswerKind, asked_kinds, telling_share, tells

CASES = [
    (AnswerKind.AGE, "How old is Pia's brother?", "He turned 41 in May.", "He turned left at 41 Mill Lane."),
    (AnswerKind.AGE, "小陈今年多大了？", "小陈刚满28岁。", "小陈有28个客户。"),
    (AnswerKind.MONEY, "What does Halden pay for the storage?", "The rent is £410 a month.", "The rent went up again."),
    (AnswerKind.MONEY, "仓库的租金是多少钱？", "每月租金三千元。", "租金下个月谈。"),
    (
        AnswerKind.SPAN,
        "How long is the warranty on the pump?",
        "We grant 18 months on pumps.",
        "We grant a warranty on pumps.",
    ),
    (AnswerKind.SPAN, "退货期限多长时间？", "收货后七天内可以退。", "退货请找前台。"),
    (AnswerKind.DAY, "When did Marta visit the fair?", "Marta went to the fair last weekend.", "Marta liked the fair."),
    (
        AnswerKind.CLOCK,
        "At what time does the gate close?",
        "The gate is locked at 7 pm.",
        "The gate is locked by Tom.",
    ),
    (AnswerKind.NUMBER, "Which extension has the front desk?", "Front desk: ext. 212.", "The front desk moved."),
    (AnswerKind.SHARE, "What percentage does the broker keep?", "The broker keeps 4 %.", "The broker keeps the rest."),
    (
        AnswerKind.RULE,
        "How does Ms Oduya like to get reports?",
        "She wants reports as one page.",
        "She got the report.",
    ),
    (AnswerKind.RULE, "去车间有什么要求？", "进车间必须戴安全帽。", "车间在二楼。"),
]


@pytest.mark.parametrize(("kind", "question", "telling", "other"), CASES)
def test_a_question_wants_a_kind_of_answer_that_some_texts_tell(
    kind: AnswerKind, question: str, telling: str, other: str
) -> None:
    assert kind in asked_kinds(question)
    assert tells(frozenset({kind}), telling)
    assert not tells(frozenset({kind}), other)


@pytest.mark.parametrize(
    "question", ["Who must sign the order?", "谁要求改合同？", "Which firm runs the port?", "", "?"]
)
def test_other_questions_want_no_rule(question: str) -> None:
    assert AnswerKind.RULE not in asked_kinds(question)


def test_a_text_earns_by_the_share_of_its_sentences_that_tell_a_rule() -> None:
    rule = frozenset({AnswerKind.RULE})
    assert telling_share(rule, "Never ring after six. Mail only. The office is green. It was built in 1970.") == 0.5
    assert telling_share(rule, "Must I ring first?") == 0.0
    assert telling_share(rule, "") == 0.0
