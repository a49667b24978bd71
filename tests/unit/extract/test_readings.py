"""Readings that were untrue once: what stands around a fact must not be read into it."""

from __future__ import annotations

import pytest

from tests.unit.extract.conftest import Extract, end, triples


@pytest.mark.parametrize(
    "text",
    [
        "Dear Petra, as agreed the rate stays the same.",
        "Hi Marco, as discussed, the fee is 300 EUR.",
        "Good morning Lena and Jonas, the invoice is for 90 EUR.",
        "Petra, as promised, the price is 20 EUR.",
        "Hello Dr. Weiss: as per our call the budget is 5,000 EUR.",
    ],
)
def test_whom_a_text_is_for_takes_no_part_in_what_it_says(extract: Extract, text: str) -> None:
    said = {name for subject, _, object in triples(extract(text)) for name in (subject, object)}
    assert not said & {"Petra", "Marco", "Lena", "Jonas", "Weiss", "Dr. Weiss"}


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Orlow Systems purchasing director Lena Krug called.", "purchasing director"),
        ("Lena Krug, manager of Orlow Systems, called.", "manager"),
        ("Lena Krug, head of procurement at Orlow Systems, called.", "head of procurement"),
    ],
)
def test_a_role_ends_where_the_firm_begins(extract: Extract, text: str, role: str) -> None:
    found = triples(extract(text))
    assert {("Lena Krug", "has_role", role), ("Lena Krug", "works_for", "Orlow Systems")} <= found


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Halden Ltd asked Nora Lind to send the contract.", ("Halden Ltd", "ask_to_send", "Nora Lind")),
        ("Tom Berg reminded Nora Lind to sell the old press.", ("Tom Berg", "remind_to_sell", "Nora Lind")),
        ("Tom Berg told Nora Lind not to join Halden Ltd.", ("Tom Berg", "tell_not_to_join", "Nora Lind")),
    ],
)
def test_who_is_asked_to_do_something_has_not_done_it(extract: Extract, text: str, told: tuple[str, str, str]) -> None:
    found = triples(extract(text))
    assert told in found
    assert {subject for subject, _, _ in found} == {told[0]}


@pytest.mark.parametrize("text", ["赵敏让张伟加入蓝湖科技。", "星河物流邀请赵敏加入蓝湖科技。"])
def test_who_is_made_or_invited_to_do_something_has_not_done_it(extract: Extract, text: str) -> None:
    assert "works_for" not in {relation for _, relation, _ in triples(extract(text))}


@pytest.mark.parametrize(
    "text",
    [
        "Nora Lind doesn't want to be called by the office.",
        "See you on Fridays, Nora Lind.",
    ],
)
def test_what_is_only_meant_or_said_is_no_value(extract: Extract, text: str) -> None:
    assert not [c for c in extract(text) if c.kind.value == "fact" and c.assertion.value == "holds"]


def test_what_stands_behind_a_semicolon_is_said_anew(extract: Extract) -> None:
    found = triples(extract("Lena Krug stays your contact; Jonas Weiss works for Orlow Systems."))
    assert found == {("Jonas Weiss", "works_for", "Orlow Systems")}


def test_who_takes_over_does_what_is_said_next(extract: Extract) -> None:
    found = triples(extract("许岚接替周远负责华宁制药项目。"))
    assert {object for _, relation, object in found if relation == "has_responsible_person"} == {"许岚"}


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("许岚说合同2027年3月到期，希望改用邮件沟通，不要打电话。", None),
        ("Lena Krug prefers letters, and her lease runs until 31 March 2027.", None),
        ("Until 31 March 2027, Lena Krug prefers letters.", "2027-04-01"),
        ("Lena Krug prefers letters until 31 March 2027.", "2027-04-01"),
    ],
)
def test_a_wish_lasts_as_long_as_its_own_clause_says(extract: Extract, text: str, until: str | None) -> None:
    ends = {c.invalid_at and c.invalid_at.date().isoformat() for c in extract(text) if c.kind.value == "preference"}
    assert ends == {until}


def test_the_rest_of_a_letter_is_read(extract: Extract) -> None:
    assert triples(extract("Dear Petra, Marco Brandt joined Orlow Systems.")) == {
        ("Marco Brandt", "works_for", "Orlow Systems")
    }


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        (
            "The lease is governed by the law of England and Wales.",
            ("lease", "governed_by", "law of England and Wales"),
        ),
        (
            "This Agreement shall be governed by the laws of the State of Ohio.",
            ("Agreement", "governed_by", "laws of the State of Ohio"),
        ),
        ("In 1843, Lena Krug was born in Leeds.", ("Lena Krug", "born_in", "Leeds")),
        ("华宁制药的主要联系人是许岚。", ("华宁制药", "has_primary_contact", "许岚")),
        ("许岚从南京搬到了苏州。", ("许岚", "lives_in", "苏州")),
        ("远达物流从南京迁到苏州。", ("远达物流", "headquartered_in", "苏州")),
        ("远达物流的合同将于2027年3月31日到期。", ("远达物流的合同", "expires_on", "2027-03-31")),
        ("与远达物流签订的运输协议2027年3月底到期。", ("远达物流签订的运输协议", "expires_on", "2027-03-22")),
    ],
)
def test_a_plain_sentence_gives_this_fact_and_no_other(extract: Extract, text: str, fact: tuple[str, str, str]) -> None:
    assert triples(extract(text)) == {fact}


@pytest.mark.parametrize(
    ("title", "text", "fact"),
    [
        ("华宁制药", "主要联系人是许岚。", ("华宁制药", "has_primary_contact", "许岚")),
        ("远达物流运输合同", "本合同于2027年3月31日到期。", ("远达物流运输合同", "expires_on", "2027-03-31")),
        ("运输合同", "合同到期日为2027年3月31日。", ("运输合同", "expires_on", "2027-03-31")),
    ],
)
def test_what_names_nobody_is_about_the_title(
    extract: Extract, title: str, text: str, fact: tuple[str, str, str]
) -> None:
    assert triples(extract(text, title=title)) == {fact}


@pytest.mark.parametrize("text", ["华宁制药的联系人是许岚。", "运输合同2027年签订。", "许岚的护照2027年到期。"])
def test_a_noun_is_no_deed_and_no_contract(extract: Extract, text: str) -> None:
    assert not {t for t in triples(extract(text)) if t[1] in ("complained_about", "contacted", "expires_on")}


@pytest.mark.parametrize(
    ("text", "speaker", "wish"),
    [
        ("Please send statements by e-mail, not by post.", "Lena Krug", ("Lena Krug", "contact channel", "by e-mail")),
        ("Lena Krug wants invoices by post, not by e-mail.", "", ("Lena Krug", "invoicing", "invoices by post")),
        ("Lena Krug rang. Phone, not e-mail.", "", ("Lena Krug", "contact channel", "Phone")),
        ("By text please rather than by phone.", "Lena Krug", ("Lena Krug", "contact channel", "By text")),
    ],
)
def test_one_way_and_not_the_other_is_a_wish(
    extract: Extract, text: str, speaker: str, wish: tuple[str, str, str]
) -> None:
    found = [c for c in extract(text, speaker=speaker) if c.kind.value == "preference"]
    assert [(end(c.subject), c.attributes["topic"], c.attributes["value"]) for c in found] == [wish]


def test_what_was_done_once_is_no_wish(extract: Extract) -> None:
    assert not [c for c in extract("Lena Krug replied by e-mail, not by post.") if c.kind.value == "preference"]


@pytest.mark.parametrize("sign", ["- ", "* ", "• ", "1. ", "2) ", "## ", "- [ ] ", "14.2 ", "（3）"])
def test_the_sign_of_a_list_is_no_part_of_the_quote(extract: Extract, sign: str) -> None:
    text = f"{sign}Marco Brandt works for Orlow Systems."
    (fact,) = [c for c in extract(text) if c.kind.value == "fact"]
    assert fact.text == text[fact.start : fact.end] == "Marco Brandt works for Orlow Systems."


@pytest.mark.parametrize(
    "text", ["-5 degrees were measured at Orlow Systems.", "3.5 litres were lost at Orlow Systems."]
)
def test_a_number_is_no_sign_of_a_list(extract: Extract, text: str) -> None:
    assert all(c.text in (text, "Orlow Systems") or c.text == text[c.start : c.end] for c in extract(text))
    assert not any(c.text.startswith(("5 degrees", "5 litres")) for c in extract(text))
