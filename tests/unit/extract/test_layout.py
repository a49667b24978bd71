"""Texts as they are laid out: chats, mails, forms, contracts, minutes; who speaks, whom a line is about, what is left out."""

from __future__ import annotations

import pytest

from tests.unit.extract.conftest import Extract, triples


def _facts(extract: Extract, text: str) -> dict[tuple[str, str, str], tuple[str, str]]:
    def day(at: object) -> str:
        return str(at)[:10] if at else ""

    return {
        (c.subject.name, c.relation, c.object.name): (day(c.valid_at), day(c.invalid_at))
        for c in extract(text)
        if c.kind.value == "fact" and c.subject and c.object and c.assertion.value == "holds" and c.confidence >= 0.5
    }


@pytest.mark.parametrize(
    ("text", "fact", "when"),
    [
        ("Customer: Alder Ltd; Owner: Mona Reis; Term: until October 2026", ("Alder Ltd", "owned_by", "Mona Reis"), ("", "")),
        ("Account: Alder Ltd | Owner: Mona Reis | Renewal: 31 March 2027", ("Alder Ltd", "owned_by", "Mona Reis"), ("", "")),
        ("Client: Alder Ltd, Owner: Mona Reis, Term: until 2027", ("Alder Ltd", "owned_by", "Mona Reis"), ("", "")),
        ("Customer: Alder Ltd; Owner: Mona Reis, since 4 May 2022; Backup: Tim Rowe", ("Alder Ltd", "owned_by", "Mona Reis"), ("2022-05-04", "")),
        ("Customer: Alder Ltd; Owner: Mona Reis, since 4 May 2022; Backup: Tim Rowe", ("Alder Ltd", "has_deputy", "Tim Rowe"), ("", "")),
        ("客户：云帆科技有限公司；负责人：孙丽；期限：至2026年10月", ("云帆科技有限公司", "led_by", "孙丽"), ("", "")),
    ],
)  # fmt: skip
def test_labelled_part_of_a_line_keeps_its_date_to_itself(
    extract: Extract, text: str, fact: tuple[str, str, str], when: tuple[str, str]
) -> None:
    assert _facts(extract, text)[fact] == when


def test_lines_of_a_form_are_about_what_its_first_line_names(extract: Extract) -> None:
    text = "Notes of today: Tessa Moor called.\n\nName: Dr. Hanna Weiss\nEmployer: Rheintal Klinik\nEmail: h.weiss@rheintal.example"
    found = triples(extract(text))
    assert ("Hanna Weiss", "works_for", "Rheintal Klinik") in found
    assert ("Hanna Weiss", "has_email", "h.weiss@rheintal.example") in found


FORM = """Customer: Halden Ltd
Address: 12 Baker Street, London NW1 6XE
Phone: +44 20 7946 0011
Term: 24 months
IBAN: DE89 3704 0044 0532 0130 00
VAT number: GB 123 4567 89"""
FORM_ZH = """客户：星河物流
地址：上海市浦东新区世纪大道100号
电话：021-6888 8888
期限：24个月
税号：9131 0115 MA1K 3X9B 2R"""


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (FORM, {
            ("Halden Ltd", "has_address", "12 Baker Street, London NW1 6XE"), ("Halden Ltd", "located_in", "London"),
            ("Halden Ltd", "has_phone", "+44 20 7946 0011"), ("Halden Ltd", "term", "24 months"),
            ("Halden Ltd", "iban", "DE89 3704 0044 0532 0130 00"), ("Halden Ltd", "tax_number", "GB 123 4567 89"),
        }),
        (FORM_ZH, {
            ("星河物流", "has_address", "上海市浦东新区世纪大道100号"), ("星河物流", "located_in", "上海市"),
            ("星河物流", "has_phone", "021-6888 8888"), ("星河物流", "期限", "24个月"), ("星河物流", "tax_number", "9131 0115 MA1K 3X9B 2R"),
        }),
        ("Contract: cold store lease\nTerm: 24 months\nNotice period: 30 days", {
            ("cold store lease", "term_of", "24 months"), ("cold store lease", "notice_period", "30 days"),
        }),
        ("合同：仓储服务合同\n期限：24个月\n押金：20000元", {
            ("仓储服务合同", "term_of", "24个月"), ("仓储服务合同", "deposit_of", "20000元"),
        }),
    ],
)  # fmt: skip
def test_value_of_a_line_is_taken_whole_with_its_unit(
    extract: Extract, text: str, facts: set[tuple[str, str, str]]
) -> None:
    found = extract(text)
    assert triples(found) == facts
    values = {object for _, relation, object in facts if relation != "located_in"}
    assert not values & {c.text for c in found if c.kind.value == "entity"}


CHAT = """Mara: Morning! I work for Tolverne Logistics now.
Tom Berg: ok. Who signs?
Mara: I prefer email.
Tom Berg: I report to Jonas Beck."""
CHAT_ZH = """王芳：早上好，蓝湖科技的采购经理换人了。
陈杰：合同谁签？
王芳：周敏签，她负责采购。"""


def test_each_turn_of_a_chat_is_its_speakers(extract: Extract) -> None:
    found = triples(extract(CHAT))
    assert {"Mara", "Tom Berg"} <= {c.text for c in extract(CHAT) if c.type == "person"}
    assert {("Mara", "works_for", "Tolverne Logistics"), ("Tom Berg", "reports_to", "Jonas Beck")} <= found
    assert [(c.subject and c.subject.name, c.attributes["value"]) for c in extract(CHAT) if c.kind.value == "preference"] == [("Mara", "email")]  # fmt: skip


def test_name_before_a_turn_takes_no_part_in_what_is_said(extract: Extract) -> None:
    assert not [fact for fact in triples(extract(CHAT_ZH)) if "王芳" in fact or "陈杰" in fact]


MAIL = """From: Ines Faber <ines@kestrel.example>
To: support@halden.example
Subject: Our address

Dear Owen,
I moved to Leeds in May 2024. I prefer letters.

Best regards
Ines Faber
Head of Finance, Kestrel Mills
"""


def test_mail_is_its_senders_and_its_head_and_greeting_say_nothing(extract: Extract) -> None:
    found = triples(extract(MAIL))
    assert ("Ines Faber", "lives_in", "Leeds") in found
    assert not [fact for fact in found if "Kestrel Mills" in fact or "Owen" in fact]
    assert "Ines Faber" in {c.subject.name for c in extract(MAIL) if c.kind.value == "preference" and c.subject}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("发件人：刘洋\n收件人：张伟\n主题：地址\n\n蓝湖科技的总部在杭州。\n\n此致\n敬礼\n刘洋", True),
        ("All fine here.\n\nFrom: Dan Holt\nSent: Monday\nTo: Ines Faber\nSubject: Re\n\nKestrel Mills is based in York.", False),
        ("收到。\n\n发件人：刘洋\n主题：地址\n\n蓝湖科技的总部在杭州。", False),
    ],
)  # fmt: skip
def test_a_mails_own_words_are_read_and_those_it_quotes_are_not(extract: Extract, text: str, told: bool) -> None:
    assert bool(triples(extract(text))) is told


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ('This is made between Oakmere Foods plc ("the Supplier") and Varley Retail GmbH ("the Customer"). The Supplier is based in Leeds.', ("Oakmere Foods plc", "headquartered_in", "Leeds")),
        ("甲方：云帆科技有限公司，乙方：明德机械有限公司。乙方的总部在苏州。", ("明德机械有限公司", "headquartered_in", "苏州")),
        ("云帆科技有限公司（以下简称“云帆方”）与明德机械有限公司签约。云帆方的总部在苏州。", ("云帆科技有限公司", "headquartered_in", "苏州")),
    ],
)  # fmt: skip
def test_terms_of_a_contract_mean_its_parties(extract: Extract, text: str, fact: tuple[str, str, str]) -> None:
    found = extract(text)
    assert fact in triples(found)
    assert not {"Supplier", "Customer", "甲方", "乙方", "云帆方"} & {c.text for c in found if c.kind.value == "entity"}


def test_day_of_a_document_is_not_the_day_of_what_is_said_of_it(extract: Extract) -> None:
    text = "Halden Systems is no longer bound by the Framework Agreement dated 2 May 2022."
    assert all(c.invalid_at is None and c.valid_at is None for c in extract(text) if c.kind.value == "fact")


MINUTES = """# Minutes of 5 May

Present: Anna Keller (chair), Bo Nilsson, Chen Wei

## Actions
1. Chen Wei sends the plan by Friday.
2. Ruth will not attend.

## When a delivery is late
1. Call the dispatcher.
2. Log the delay.
"""


def test_procedure_of_one_part_is_found_beside_other_numbered_lists(extract: Extract) -> None:
    (skill,) = [c for c in extract(MINUTES) if c.kind.value == "skill"]
    assert skill.attributes["trigger"] == "a delivery is late"
    assert skill.attributes["steps"] == ["Call the dispatcher", "Log the delay"]
    assert MINUTES[skill.start : skill.end].startswith("## When a delivery")


def test_a_bracket_in_a_list_says_nothing_of_the_next_in_it(extract: Extract) -> None:
    assert not [fact for fact in triples(extract(MINUTES)) if "Bo Nilsson" in fact]


def test_first_column_says_of_what_kind_a_tables_rows_are(extract: Extract) -> None:
    text = "| Contract | Customer | Governing law |\n|---|---|---|\n| MSA-25-044 | Larkspur Ltd | Germany |"
    found = triples(extract(text))
    assert ("MSA-25-044", "customer", "Larkspur Ltd") in found
    assert ("MSA-25-044", "governed_by", "Germany") in found


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("陳志明是台北龍騰科技的業務總監。", ("陳志明", "works_for", "台北龍騰科技")),
        ("龍騰科技的總部在新竹。", ("龍騰科技", "headquartered_in", "新竹")),
        ("Acme Robotics 的CTO是 John Park。", ("John Park", "has_role", "CTO")),
        ("周敏 is the new procurement lead.", ("周敏", "has_role", "procurement lead")),
    ],
)
def test_traditional_and_mixed_sentences_are_read_and_kept_as_written(
    extract: Extract, text: str, fact: tuple[str, str, str]
) -> None:
    assert fact in triples(extract(text))


def test_date_of_the_other_language_keeps_its_role(extract: Extract) -> None:
    (fact,) = [
        c for c in extract("合同编号 HT-2026-018, 金额 ¥860,000, valid until 2027-03-31.") if c.kind.value == "fact"
    ]
    assert (fact.valid_at, str(fact.invalid_at)[:10]) == (None, "2027-04-01")


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Come Together was performed by Vera Moss.", ("Come Together", "performed_by", "Vera Moss")),
        ("Today and Tomorrow was written by Ada Quill.", ("Today and Tomorrow", "written_by", "Ada Quill")),
        ("Lady Vey was performed by Vey.", ("Lady Vey", "performed_by", "Vey")),
        ("Nora Lind plays the position of starting guard.", ("Nora Lind", "plays_position", "starting guard")),
        ("Otto III of Castile is a citizen of Castile.", ("Otto III of Castile", "citizen_of", "Castile")),
    ],
)
def test_names_are_whole_and_told_apart(extract: Extract, text: str, fact: tuple[str, str, str]) -> None:
    found = [c for c in extract(text) if c.kind.value == "fact"]
    assert fact in triples(found)
    assert all(c.valid_at is None for c in found)


def test_role_with_a_plain_word_in_it_makes_nobody_head_of_that_word(extract: Extract) -> None:
    found = triples(extract("Halden Systems: Petra Lind is their new head of operations."))
    assert ("Petra Lind", "has_role", "head of operations") in found
    assert not [fact for fact in found if fact[1] == "led_by"]
