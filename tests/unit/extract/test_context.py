"""Whom pronouns and short names mean, told by the episode and the names the tenant has."""

from __future__ import annotations

import pytest

from muniment.engine.extract.candidates import CandidateKind
from tests.unit.extract.conftest import Extract, end, triples


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I work for Halden Systems.", ("Pat Doe", "works_for", "Halden Systems")),
        ("Anna Lind met Tom Berg. She works for Halden Systems.", ("Anna Lind", "works_for", "Halden Systems")),
        ("Anna Lind met Tom Berg. He works for Halden Systems.", ("Tom Berg", "works_for", "Halden Systems")),
        ("Halden Systems called. The company uses Jira.", ("Halden Systems", "uses", "Jira")),
        ("Halden Systems called. Halden uses Jira.", ("Halden Systems", "uses", "Jira")),
        ("张敏来电。她任职于蓝湖科技。", ("张敏", "works_for", "蓝湖科技")),
        ("蓝湖科技来电。该公司使用钉钉。", ("蓝湖科技", "uses", "钉钉")),
    ],
)
def test_reference_is_resolved(extract: Extract, text: str, fact: tuple[str, str, str]) -> None:
    assert fact in triples(extract(text, speaker="Pat Doe"))


@pytest.mark.parametrize("text", ["She works for Halden Systems.", "We use Jira.", "他任职于蓝湖科技。"])
def test_reference_without_an_antecedent_gives_nothing(extract: Extract, text: str) -> None:
    assert triples(extract(text)) == set()


def test_known_name_tells_type_and_full_name(extract: Extract) -> None:
    known = {"brightwell": (("Brightwell Foods Ltd", "customer"),)}
    entities = [c for c in extract("Lunch with Brightwell today.", known=known) if c.kind is CandidateKind.ENTITY]
    assert [(end(c.subject), c.type) for c in entities] == [("Brightwell Foods Ltd", "customer")]


def test_known_chinese_name_is_kept_whole(extract: Extract) -> None:
    known = {"鹭岛纸品": (("鹭岛纸品", "customer"),)}
    assert ("鹭岛纸品", "has_account_manager", "罗婷") in triples(extract("鹭岛纸品的客户经理是罗婷。", known=known))


def test_name_with_several_meanings_stays_open(extract: Extract) -> None:
    known = {"brightwell": (("Brightwell Foods", "customer"), ("Brightwell Motors", "customer"))}
    entities = [c for c in extract("Lunch with Brightwell today.", known=known) if c.kind is CandidateKind.ENTITY]
    assert [(c.subject.name, c.subject.same_as) for c in entities if c.subject] == [("Brightwell", "")]


def test_chinese_names_are_kept_as_written(extract: Extract) -> None:
    found = extract("王小明在上海分公司负责采购。")
    assert {"王小明", "上海分公司"} <= {c.subject.name for c in found if c.kind is CandidateKind.ENTITY and c.subject}
    assert ("王小明", "buyer_at", "上海分公司") in triples(found)


def test_quoted_mail_is_no_new_evidence(extract: Extract) -> None:
    text = "Thanks!\n\n> Nora Lind works for Halden Systems.\n"
    assert triples(extract(text)) == set()


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        (
            "I'm Jane Poe, head of procurement at Norwick. Our auditor is Halden Ltd.",
            ("Norwick", "audited_by", "Halden Ltd"),
        ),
        ("I'm Jane Poe, head of procurement at Norwick. I report to Tom Berg.", ("Jane Poe", "reports_to", "Tom Berg")),
        ("Hello from us at Brightwell Foods. We use Jira.", ("Brightwell Foods", "uses", "Jira")),
        ("我是星河物流的采购经理赵敏。我们的总部在苏州。", ("星河物流", "headquartered_in", "苏州")),
    ],
)
def test_our_is_the_firm_that_the_speaker_names_as_theirs(
    extract: Extract, text: str, fact: tuple[str, str, str]
) -> None:
    assert fact in triples(extract(text))


@pytest.mark.parametrize(
    "text",
    [
        "Our auditor is Halden Ltd.",
        "Nora Lind works for Norwick. Our auditor is Halden Ltd.",
        "I might join Norwick. Our auditor is Halden Ltd.",
        "赵敏在星河物流工作。我们的总部在苏州。",
    ],
)
def test_our_is_nobody_where_the_speaker_names_no_firm(extract: Extract, text: str) -> None:
    assert not [fact for fact in triples(extract(text)) if fact[1] in ("audited_by", "headquartered_in")]


def test_context_handed_back_is_not_learned(extract: Extract) -> None:
    block = "<<memory 0a1b2c>>\nNora Lind works for Halden Systems.\n<<end of memory 0a1b2c>>"
    assert extract(block) == []
    assert triples(extract(block + "\nTom Berg works for Brightwell.")) == {("Tom Berg", "works_for", "Brightwell")}


def test_table_rows_are_read_as_records(extract: Extract) -> None:
    text = "client;account manager;plan\nHalden Systems;Nora Lind;Gold\nBrightwell;Tom Berg;Silver"
    assert ("Brightwell", "has_account_manager", "Tom Berg") in triples(extract(text))


def test_title_owns_key_value_lines(extract: Extract) -> None:
    found = triples(extract("CEO: Nora Lind\nHead office: Leeds", title="Halden Systems"))
    assert {("Halden Systems", "has_ceo", "Nora Lind"), ("Halden Systems", "headquartered_in", "Leeds")} <= found


def test_numbered_steps_are_a_skill(extract: Extract) -> None:
    found = extract("How to refund an order:\n1. Open the order.\n2. Press Refund.\n3. Confirm the amount.")
    skill = next(c for c in found if c.kind is CandidateKind.SKILL)
    assert skill.attributes == {
        "trigger": "refund an order", "steps": ["Open the order", "Press Refund", "Confirm the amount"],
    }  # fmt: skip


def test_identifiers_are_strong_and_folded(extract: Extract) -> None:
    facts = [c for c in extract("刘洋的邮箱是Liu@haitian.example。") if c.kind is CandidateKind.FACT]
    assert [c.object.identifiers for c in facts if c.object] == [("email:liu@haitian.example",)]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        # the last fitting person, and nobody where an earlier one fits more surely
        ("Tina Vogel met Maria Lopez. She lives in Leeds.", ("Maria Lopez", "lives_in", "Leeds")),
        ("Maria Lopez met Quillan Ashdown. She lives in Leeds.", None),
        ("Doran Ashdown works for Harrow Ltd. He lives in Leeds.", ("Doran Ashdown", "lives_in", "Leeds")),
        # who is greeted is spoken to
        ("Hi Maria, she lives in Leeds.", None),
        ("Dear Ms Lopez, she lives in Leeds.", None),
        ("Hi Maria, Tina Vogel works for Harrow Ltd. She lives in Leeds.", ("Tina Vogel", "lives_in", "Leeds")),
        ("Hi Maria. Maria has moved, says Tom Hale. She lives in Leeds.", ("Maria", "lives_in", "Leeds")),
        ("张总您好，李雷来电。他住在苏州。", ("李雷", "lives_in", "苏州")),
        ("王芳您好，她住在苏州。", None),
    ],
)
def test_he_and_she_are_the_last_whom_they_fit(extract: Extract, text: str, fact: tuple[str, str, str] | None) -> None:
    homes = {triple for triple in triples(extract(text)) if triple[1] == "lives_in"}
    assert homes == ({fact} if fact else set())


@pytest.mark.parametrize(
    "text",
    [
        'Maria Lopez wrote: "We met in May. I live in Leeds. My desk is upstairs." I answered at once.',
        'Maria Lopez said: "I am pleased. I live in Leeds." I work for Harrow Ltd.',
    ],
)
def test_words_between_marks_are_one_speakers_over_sentences(extract: Extract, text: str) -> None:
    found = triples(extract(text, speaker="Tom Hale"))
    assert ("Maria Lopez", "lives_in", "Leeds") in found
    assert ("Tom Hale", "lives_in", "Leeds") not in found
    assert ("Maria Lopez", "works_for", "Harrow Ltd") not in found


def test_chinese_words_between_marks_are_one_speakers_over_sentences(extract: Extract) -> None:
    found = triples(extract("王芳说：“我在蓝湖科技工作。我住在苏州。”我的邮箱没变。", speaker="李雷"))
    assert {("王芳", "works_for", "蓝湖科技"), ("王芳", "lives_in", "苏州")} <= found
