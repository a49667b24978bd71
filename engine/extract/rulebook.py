"""The rules of extraction as a list that people can read: id, confidence, what each finds, an example."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """`confidence` is what a candidate of the rule has at most, in (0, 1]; types that fit badly lower it."""

    id: str
    lang: str
    finds: str
    example: str
    confidence: float


_RULES: Final = (
    Rule(id="en.verb", lang="en", finds="a verb of the ontology between its subject and an object", example="Ana Ruiz works for Acme Robotics.", confidence=0.92),
    Rule(id="en.noun.is", lang="en", finds="the N of A is B", example="The chief executive officer of Acme is Ana Ruiz.", confidence=0.92),
    Rule(id="en.noun.copula", lang="en", finds="B is the N of A", example="Ana Ruiz is the chief executive officer of Acme.", confidence=0.92),
    Rule(id="en.noun.appositive", lang="en", finds="B, the N of A", example="Ana Ruiz, chief executive officer of Acme, called.", confidence=0.9),
    Rule(id="en.noun.possessive", lang="en", finds="A's N B, A's N is B", example="Acme's auditor is Northgate.", confidence=0.9),
    Rule(id="en.noun.colon", lang="en", finds="A: N B, N of A: B", example="Halden Systems: pipeline stage set to won.", confidence=0.88),
    Rule(id="en.noun.line", lang="en", finds="lines of `key: value` under a title", example="Industry: logistics", confidence=0.85),
    Rule(id="en.role", lang="en", finds="the role that a person has", example="Ana Ruiz is the head of procurement.", confidence=0.9),
    Rule(id="en.role.employer", lang="en", finds="a role at a firm, hence the employer", example="Ana Ruiz is IT manager at Acme.", confidence=0.88),
    Rule(id="en.from", lang="en", finds="a person from, of or at a firm", example="Tom from Acme called.", confidence=0.85),
    Rule(id="en.place", lang="en", finds="a place in a place, and where a person is of", example="Tom Lee, 40, of Leeds, called.", confidence=0.8),
    Rule(id="en.relative", lang="en", finds="the N that V-ed A is B", example="The company that produced the Falcon is Acme.", confidence=0.88),
    Rule(id="en.ended.verb", lang="en", finds="a verb that says that a relation ended", example="Ana Ruiz left Acme in May.", confidence=0.9),
    Rule(id="en.pair", lang="en", finds="what two do to each other, told of both", example="Ana Ruiz and Tom Lee are married.", confidence=0.9),
    Rule(id="en.moved", lang="en", finds="from A to B: A ended, B began", example="Ana moved from Oslo to Leeds.", confidence=0.85),
    Rule(id="en.open.verb", lang="en", finds="any verb phrase between two names", example="Ana Ruiz took a call from Tom Lee.", confidence=0.7),
    Rule(id="en.open.asked", lang="en", finds="who asked whom to do something, not that it was done", example="Halden Systems asked Ana Ruiz to send the contract.", confidence=0.65),
    Rule(id="en.open.gap", lang="en", finds="the words between two neighbouring names", example="Ana Ruiz, golf with Tom Lee.", confidence=0.55),
    Rule(id="en.open.value", lang="en", finds="one name and the literal that its sentence gives", example="Acme moved to negotiation.", confidence=0.55),
    Rule(id="en.open.line", lang="en", finds="a line `key: value` of a key that the ontology lacks, with a measured value", example="Customer: Acme Ltd\nPallet height: 180 days", confidence=0.6),
    Rule(id="en.preference", lang="en", finds="likes, dislikes, wishes and constraints", example="I prefer email over phone calls.", confidence=0.9),
    Rule(id="zh.verb", lang="zh", finds="a verb of the ontology between its subject and an object", example="李娜任职于蓝海科技。", confidence=0.92),
    Rule(id="zh.noun.is", lang="zh", finds="A的N是B", example="蓝海科技的总部是上海。", confidence=0.92),
    Rule(id="zh.noun.copula", lang="zh", finds="B是A的N", example="张伟是蓝海科技的董事长。", confidence=0.92),
    Rule(id="zh.noun.name", lang="zh", finds="A的N B", example="蓝海科技的法定代表人张伟来电。", confidence=0.88),
    Rule(id="zh.noun.colon", lang="zh", finds="N：B", example="客户经理：张伟", confidence=0.85),
    Rule(id="zh.role", lang="zh", finds="the role that a person has", example="张伟担任采购总监。", confidence=0.9),
    Rule(id="zh.role.employer", lang="zh", finds="a role at a firm, hence the employer", example="张伟是蓝海科技的采购总监。", confidence=0.9),
    Rule(id="zh.of", lang="zh", finds="a firm's person", example="华星制造的王经理来电。", confidence=0.85),
    Rule(id="zh.ended.verb", lang="zh", finds="a verb that says that a relation ended", example="张伟已从蓝海科技离职。", confidence=0.9),
    Rule(id="zh.open.verb", lang="zh", finds="any verb between two names of a clause", example="李娜感谢张伟。", confidence=0.65),
    Rule(id="zh.open.line", lang="zh", finds="a line of a key that the ontology lacks, with a measured value", example="客户：蓝湖科技\n服务窗口：30天", confidence=0.6),
    Rule(id="zh.preference", lang="zh", finds="likes, dislikes, wishes and constraints", example="我喜欢用微信沟通。", confidence=0.9),
    Rule(id="contact", lang="", finds="a mail address or telephone number right beside a name", example="Please reach Ana Ruiz at ana@acme.example.", confidence=0.88),
    Rule(id="table", lang="", finds="what a row of a table says of the thing in its first cell", example="account;plan\nAcme;Gold\nHalden;Silver", confidence=0.85),
    Rule(id="steps", lang="", finds="a procedure told as numbered steps", example="How to refund: 1. Open the order. 2. Press Refund.", confidence=0.85),
    Rule(id="event", lang="", finds="something that happens at a time", example="Meeting with Acme on 3 May at 10am.", confidence=0.8),
    Rule(id="name", lang="", finds="a name that stands in no relation", example="Spoke about Acme Robotics.", confidence=0.7),
)  # fmt: skip

RULES: Final = {rule.id: rule for rule in _RULES}


def rules() -> tuple[Rule, ...]:
    """Every rule of extraction, by language and id; `docs/extraction.md` shows them."""
    return _RULES


def confidence_of(rule: str) -> float:
    return RULES[rule].confidence
