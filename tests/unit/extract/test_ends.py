"""What ends or changes: homes, marriages, posts; and what is put right within one sentence."""

from __future__ import annotations

import pytest

from muniment.engine.extract.candidates import CandidateKind
from tests.unit.extract.conftest import Extract, end

Told = tuple[str, str, str, str]


def told(extract: Extract, text: str, *, least: float = 0.5) -> set[Told]:
    """What a text says surely enough to change something: how, subject, relation, object."""
    return {
        (c.assertion.value, end(c.subject), c.relation, end(c.object))
        for c in extract(text)
        if c.kind is CandidateKind.FACT and c.confidence >= least and not c.rule.endswith(("open.verb", "open.gap"))
    }


@pytest.mark.parametrize(
    "text",
    [
        "Mei Tan does not live in Shanghai.",
        "王芳不住在上海。",
        "王芳没住在上海。",
        "Mei Tan and Tom Berg are not divorced.",
        "王芳和张伟没有离婚。",
        "Nora Lind did not move to York.",
        "Nora Lind may move from Leeds to York.",
        "Nora Lind and Tom Berg plan to get divorced.",
        "王芳打算跟张伟离婚。",
        "听说王芳和张伟离婚了。",
        "Nora Lind and Tom Berg will divorce next year.",
        "Nora Lind did not step down as CEO of Halden Systems.",
        "Nora Lind will step down as CEO of Halden Systems in June.",
        "王芳没有辞去云帆物流总经理职务。",
        "王芳将卸任云帆物流总经理。",
        "Nora Lind left Oslo on Monday.",
        "王芳周一离开了上海。",
        "Nora Lind left her desk.",
        "If the price of Halden Portal is not $10 but $12, we leave.",
    ],
)
def test_what_is_denied_planned_or_only_a_journey_changes_nothing(extract: Extract, text: str) -> None:
    assert told(extract, text) == set()


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Nora Lind and Tom Berg are divorced.", {("holds", "Nora Lind", "divorced_from", "Tom Berg")}),
        ("Nora Lind and Tom Berg got divorced in May 2024.", {("holds", "Nora Lind", "divorced_from", "Tom Berg")}),
        ("Nora Lind and Tom Berg are no longer married.", {("ended", "Nora Lind", "married_to", "Tom Berg")}),
        ("Halden Systems and Brightwell Foods merged in 2024.", {("holds", "Halden Systems", "merged_with", "Brightwell Foods")}),
        ("王芳跟张伟离婚了。", {("holds", "王芳", "divorced_from", "张伟")}),
        ("Nora Lind moved to York on 3 February 2024.", {("holds", "Nora Lind", "lives_in", "York")}),
        (
            "Nora Lind moved from Leeds to York.",
            {("ended", "Nora Lind", "lives_in", "Leeds"), ("holds", "Nora Lind", "lives_in", "York")},
        ),
        (
            "Halden Systems moved from Leeds to Selby in May 2024.",
            {("ended", "Halden Systems", "headquartered_in", "Leeds"), ("holds", "Halden Systems", "headquartered_in", "Selby")},
        ),
        ("王芳搬家到了北京。", {("holds", "王芳", "lives_in", "北京")}),
        ("王芳已经不在上海住了。", {("ended", "王芳", "lives_in", "上海")}),
        ("云帆物流2024年2月迁到北京。", {("holds", "云帆物流", "headquartered_in", "北京")}),
        ("云帆物流的仓库搬到了苏州。", set()),
        ("Nora Lind left Halden Systems on Monday.", {("ended", "Nora Lind", "works_for", "Halden Systems")}),
        ("Nora Lind left her job at Halden Systems.", {("ended", "Nora Lind", "works_for", "Halden Systems")}),
        (
            "Nora Lind stepped down as CEO of Halden Systems in May.",
            {("ended", "Nora Lind", "has_role", "CEO"), ("ended", "Halden Systems", "has_ceo", "Nora Lind")},
        ),
        (
            "Nora Lind is no longer the CEO of Halden Systems.",
            {("ended", "Nora Lind", "has_role", "CEO"), ("ended", "Halden Systems", "has_ceo", "Nora Lind")},
        ),
        (
            "Nora Lind left Halden Systems to join Brightwell Foods as CFO.",
            {
                ("ended", "Nora Lind", "works_for", "Halden Systems"),
                ("holds", "Nora Lind", "works_for", "Brightwell Foods"),
                ("holds", "Nora Lind", "has_role", "CFO"),
            },
        ),
        (
            "Nora Lind, CEO of Halden Systems, left the company in May.",
            {
                ("ended", "Nora Lind", "works_for", "Halden Systems"),
                ("ended", "Nora Lind", "has_role", "CEO"),
                ("ended", "Halden Systems", "has_ceo", "Nora Lind"),
            },
        ),
        (
            "Nora Lind, office manager at Halden Systems, has resigned.",
            {("ended", "Nora Lind", "works_for", "Halden Systems"), ("ended", "Nora Lind", "has_role", "office manager")},
        ),
        (
            "云帆物流总经理王芳上周离职。",
            {
                ("ended", "王芳", "works_for", "云帆物流"),
                ("ended", "王芳", "has_role", "总经理"),
                ("ended", "云帆物流", "has_managing_director", "王芳"),
            },
        ),
        (
            "王芳辞去了云帆物流总经理职务。",
            {("ended", "王芳", "has_role", "总经理"), ("ended", "云帆物流", "has_managing_director", "王芳")},
        ),
        ("The price of Halden Portal is not $10 but $12.", {("holds", "Halden Portal", "price_of", "$12")}),
        ("The price of Halden Portal isn't $10, it's $12.", {("holds", "Halden Portal", "price_of", "$12")}),
        ("Nora Lind works not for Halden Systems but for Brightwell Foods.", {("holds", "Nora Lind", "works_for", "Brightwell Foods")}),
        ("The account manager of Halden Systems is not Nora Lind but Tom Berg.", {("holds", "Halden Systems", "has_account_manager", "Tom Berg")}),
    ],
)  # fmt: skip
def test_a_change_is_told_as_what_ends_and_what_begins(extract: Extract, text: str, facts: set[Told]) -> None:
    assert told(extract, text) == facts


def test_a_move_from_and_to_has_one_day(extract: Extract) -> None:
    found = extract("Nora Lind moved from Leeds to York on 3 February 2024.")
    days = {end(c.object): (c.valid_at, c.invalid_at) for c in found if c.relation == "lives_in"}
    assert days["York"][0] == days["Leeds"][1] is not None


def test_a_day_of_departure_is_of_who_departs_and_not_of_what_is_left(extract: Extract) -> None:
    def days(text: str) -> int:
        return sum(c.relation == "departs_on" for c in extract(text))

    assert days("Nora Lind departs on 3 May 2024.") == 1
    assert days("Nora Lind left Halden Systems on Monday.") == 0


@pytest.mark.parametrize(
    ("title", "text", "facts"),
    [
        ("Halden Portal", "The monthly fee is not $10 but $12.", {("holds", "Halden Portal", "price_of", "$12")}),
        ("Halden Systems", "The head office is in Leeds.", {("holds", "Halden Systems", "headquartered_in", "Leeds")}),
        ("Halden Portal", "We use Brightwell Desk. The monthly fee is $12.", set()),
        ("Halden Portal", "If the fee is $12, we sign.", set()),
        ("K-204合同", "金额不是80万元，是88万元。", {("holds", "K-204合同", "contract_value", "88万元")}),
        ("云帆物流", "负责人不是张敏，是李娜。", {("holds", "云帆物流", "led_by", "李娜")}),
        ("", "云帆物流的合同金额不是80万元，而是88万元。", {("holds", "云帆物流", "contract_value", "88万元")}),
        (
            "",
            "云帆物流与蓝湖科技的合同金额为80万元。",
            {("holds", "云帆物流与蓝湖科技的合同", "contract_value", "80万元")},
        ),
        ("", "云帆物流的合同金额是80万元吗？", set()),
    ],
)
def test_an_amount_or_post_without_a_name_is_of_the_title(
    extract: Extract, title: str, text: str, facts: set[Told]
) -> None:
    found = {
        (c.assertion.value, end(c.subject), c.relation, end(c.object))
        for c in extract(text, title=title)
        if c.kind is CandidateKind.FACT
        and c.confidence >= 0.5
        and c.relation != "uses"
        and not c.rule.endswith("open.verb")
    }
    assert found == facts


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        (
            "Nora Lind is the CEO of Halden Systems. In May she left Halden Systems.",
            {("Nora Lind", "works_for"), ("Nora Lind", "has_role"), ("Halden Systems", "has_ceo")},
        ),
        ("Nora Lind is the CEO of Halden Systems. Tom Berg left Halden Systems.", {("Tom Berg", "works_for")}),
        ("Nora Lind is the CEO of Halden Systems. She left Brightwell Foods in May.", {("Nora Lind", "works_for")}),
        (
            "王芳是云帆物流的总经理。她上周离开了云帆物流。",
            {("王芳", "works_for"), ("王芳", "has_role"), ("云帆物流", "has_managing_director")},
        ),
    ],
)
def test_posts_end_with_the_job_that_a_later_sentence_ends(
    extract: Extract, text: str, ended: set[tuple[str, str]]
) -> None:
    assert {(who, relation) for says, who, relation, _ in told(extract, text) if says == "ended"} == ended
