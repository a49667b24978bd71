"""How somebody is reached: heads of mails, and addresses and numbers beside a name."""

from __future__ import annotations

import pytest

from muniment.engine.extract.candidates import CandidateKind
from tests.unit.extract.conftest import Extract, end, triples

_MAIL = """From: Orla Finch <orla.finch@larch.example>
To: Tom Hale <tom@kestrel.example>; "Vale, Mara" <m.vale@kestrel.example>
Cc: Sales Team <sales@kestrel.example>
Subject: Spring order

Hi Tom,

Mara works for Kestrel Ltd. She asked for a discount.

Best regards,
Orla
"""


def test_the_head_of_a_mail_names_people_by_their_addresses(extract: Extract) -> None:
    found = extract(_MAIL)
    people = {end(c.subject): c.subject.identifiers for c in found if c.rule == "name.mail" and c.subject}
    assert people == {
        "Orla Finch": ("email:orla.finch@larch.example",),
        "Tom Hale": ("email:tom@kestrel.example",),
        "Mara Vale": ("email:m.vale@kestrel.example",),
    }
    for c in found:
        assert c.start < 0 or _MAIL[c.start : c.end] == c.text
    assert ("Mara Vale", "works_for", "Kestrel Ltd") in triples(found)  # the short form means the one of the head


def test_a_chinese_head_names_people_and_a_quoted_one_nobody(extract: Extract) -> None:
    head = "发件人：王芳 <wangfang@lanhu.example>\n收件人：客服部 <kf@lanhu.example>\n主题：续签\n\n合同已寄出。"
    named = [c for c in extract(head) if c.rule == "name.mail"]
    assert [(c.text, c.subject.identifiers) for c in named if c.subject] == [
        ("王芳", ("email:wangfang@lanhu.example",))
    ]
    assert not [c for c in extract(f"转发如下。\n\n{head}") if c.rule == "name.mail"]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Finch's mail is orla@larch.example.", {("Finch", "has_email", "orla@larch.example")}),
        (
            "Orla Finch (orla@larch.example, +44 20 7946 0958) takes over.",
            {("Orla Finch", "has_email", "orla@larch.example"), ("Orla Finch", "has_phone", "+44 20 7946 0958")},
        ),
        (
            "Please contact Orla Finch at orla@larch.example or on 020 7946 0958.",
            {("Orla Finch", "has_email", "orla@larch.example"), ("Orla Finch", "has_phone", "020 7946 0958")},
        ),
        (
            "Orla Finch: orla@larch.example; Tom Hale: tom@larch.example",
            {("Orla Finch", "has_email", "orla@larch.example"), ("Tom Hale", "has_email", "tom@larch.example")},
        ),
        (
            "王芳（wangfang@lanhu.example，13812345678）负责对接。",
            {("王芳", "has_email", "wangfang@lanhu.example"), ("王芳", "has_phone", "13812345678")},
        ),
        ("Orla Finch forwarded the list to orla@larch.example.", set()),
        ("Is Orla Finch at orla@larch.example?", set()),
        ("Orla Finch's mail is not orla@larch.example.", set()),
    ],
)
def test_an_address_right_beside_a_name_is_theirs(
    extract: Extract, text: str, facts: set[tuple[str, str, str]]
) -> None:
    found = {triple for triple in triples(extract(text)) if triple[1] in ("has_email", "has_phone")}
    assert found == facts


def test_what_an_address_is_told_of_is_one_fact(extract: Extract) -> None:
    found = [c for c in extract("Finch's mail is orla@larch.example.") if c.kind is CandidateKind.FACT]
    assert [c.relation for c in found] == ["has_email"]
