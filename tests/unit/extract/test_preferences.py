"""Wishes, likes and constraints: whose they are, what about, and what replaces what."""

from __future__ import annotations

import pytest

from muniment.engine.extract.candidates import Candidate, CandidateKind
from tests.unit.extract.conftest import Extract, end, triples


def _wishes(candidates: list[Candidate]) -> list[Candidate]:
    return [c for c in candidates if c.kind is CandidateKind.PREFERENCE]


@pytest.mark.parametrize(
    ("text", "who", "value", "polarity", "constraint"),
    [
        ("I prefer email over phone calls.", "Pat Doe", "email", "positive", False),
        ("Nora Lind hates long meetings.", "Nora Lind", "long meetings", "negative", False),
        ("My colleague Nora loves hiking.", "Nora", "hiking", "positive", False),
        ("Nora does not like loud rooms.", "Nora", "loud rooms", "negative", False),
        ("Nora can't stand cilantro.", "Nora", "cilantro", "negative", False),
        ("Nora is allergic to peanuts.", "Nora", "peanuts", "negative", True),
        ("Please never call Nora before 10.", "Nora", "never call Nora before 10", "negative", True),
        ("Preference noted for Nora Lind: net-60 terms.", "Nora Lind", "net-60 terms", "positive", False),
        ("我喜欢用微信沟通。", "Pat Doe", "用微信沟通", "positive", False),
        ("陈总对海鲜过敏。", "陈总", "海鲜", "negative", True),
        ("赵敏讨厌冗长的会议。", "赵敏", "冗长的会议", "negative", False),
        ("Nora Lind must never be offered credit.", "Nora Lind", "never be offered credit", "negative", True),
        ("Bolt Ltd is not to be sent drafts.", "Bolt Ltd", "not to be sent drafts", "negative", True),
        ("不得向王芳提供折扣。", "王芳", "不得向王芳提供折扣", "negative", True),
        ("请勿在晚上九点以后给孙经理打电话。", "孙经理", "请勿在晚上九点以后给孙经理打电话", "negative", True),
    ],
)
def test_wish_is_told_with_its_owner(
    extract: Extract, text: str, who: str, value: str, polarity: str, constraint: bool
) -> None:
    found = _wishes(extract(text, speaker="Pat Doe"))
    assert [
        (end(c.subject), c.attributes["value"], c.attributes["polarity"], c.attributes["constraint"]) for c in found
    ] == [(who, value, polarity, constraint)]
    assert 1 <= found[0].attributes["strength"] <= 5


@pytest.mark.parametrize(
    "text",
    [
        "Nora Lind was not offered the job.",
        "Nora Lind is not to be given discounts this week.",
        "The contract must not be shown to third parties.",
        "She must not be offered credit.",
        "不得向第三方披露信息。",
        "我们不能向王芳提供折扣。",
    ],
)
def test_what_befalls_nobody_named_or_happened_once_is_no_constraint(extract: Extract, text: str) -> None:
    assert _wishes(extract(text, speaker="Pat Doe")) == []


def _topic(extract: Extract, text: str) -> str:
    return str(_wishes(extract(text, speaker="Pat Doe"))[0].attributes["topic"])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I prefer phone calls.", "I prefer email."),
        ("Nora prefers net-60 terms.", "Nora prefers net-30 terms."),
        ("Nora prefers the aisle seat.", "Nora prefers window seats."),
        ("Never call me before 10.", "Never call me before 9."),
        ("我更喜欢电话沟通。", "我更喜欢发邮件。"),
        ("I like tea.", "I hate tea."),
    ],
)
def test_newer_wish_replaces_the_older_on_one_topic(extract: Extract, one: str, other: str) -> None:
    assert _topic(extract, one) == _topic(extract, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I like tea.", "I like coffee."),
        ("Please don't call me.", "Please don't text me."),
        ("我喜欢绿茶。", "我喜欢咖啡。"),
    ],
)
def test_two_likes_stay_side_by_side(extract: Extract, one: str, other: str) -> None:
    assert _topic(extract, one) != _topic(extract, other)


@pytest.mark.parametrize(
    ("text", "who", "value", "polarity"),
    [
        ("Please remember that we never call Nora on Mondays.", "Nora", "never call Nora on Mondays", "negative"),
        ("Nora Lind is away, and please don't email her after six.", "Nora Lind", "don't email her after six", "negative"),
        ("Note that Tom Berg must not be phoned before noon.", "Tom Berg", "not be phoned before noon", "negative"),
        ("Remember: Tom Berg only takes calls in the afternoon.", "Tom Berg", "only takes calls in the afternoon", "positive"),
        ("Please make sure nobody calls Nora on Fridays.", "Nora", "nobody calls Nora on Fridays", "negative"),
        ("We must not call Nora Lind before ten.", "Nora Lind", "must not call Nora Lind before ten", "negative"),
        ("Keep in mind: never text Halden Ltd after six.", "Halden Ltd", "never text Halden Ltd after six", "negative"),
        ("请不要在周三给赵敏打电话", "赵敏", "请不要在周三给赵敏打电话", "negative"),
        ("以后别发微信了", "Pat Doe", "别发微信了", "negative"),
        ("请记住，我们周一从不给赵敏打电话。", "赵敏", "周一从不给赵敏打电话", "negative"),
        ("赵敏出差了，请别给她发邮件。", "赵敏", "请别给她发邮件", "negative"),
        ("周五不要给赵敏打电话。", "赵敏", "周五不要给赵敏打电话", "negative"),
    ],
)  # fmt: skip
def test_instruction_inside_a_sentence_is_a_constraint(
    extract: Extract, text: str, who: str, value: str, polarity: str
) -> None:
    found = _wishes(extract(text, speaker="Pat Doe"))
    assert [(end(c.subject), c.attributes["value"], c.attributes["polarity"]) for c in found] == [
        (who, value, polarity)
    ]
    assert found[0].attributes["constraint"]
    assert found[0].attributes["strength"] == 5
    assert found[0].confidence > 0.5


@pytest.mark.parametrize(
    "text",
    [
        "Should we never call Nora on Fridays?",
        "If Nora complains, don't call her on Fridays.",
        "Last year Nora asked us not to call her on Fridays.",
        "Nora had asked us never to email her.",
        "Nora is ill, and we did not call her on Friday.",
        "We greet Tom and never call Nora on Fridays.",
        "The invoice is late, so don't send it yet.",
        "Maybe we should not call Nora on Fridays.",
        "Someone rang. Please don't call her.",
        "去年赵敏要求我们不要给她打电话。",
        "周五可以不要给赵敏打电话吗？",
        "我们从不给赵敏打电话。",
        "如果赵敏不在，不要打她手机。",
    ],
)
def test_what_is_asked_supposed_or_told_of_then_is_no_constraint(extract: Extract, text: str) -> None:
    assert not [c for c in _wishes(extract(text, speaker="Pat Doe")) if c.confidence > 0.5]


@pytest.mark.parametrize("text", ["Do you like tea?", "你喜欢喝茶吗？", "Never mind.", "Don't worry about Nora."])
def test_what_is_no_wish_gives_none(extract: Extract, text: str) -> None:
    assert _wishes(extract(text, speaker="Pat Doe")) == []


def test_a_word_with_a_hyphen_is_one_wish(extract: Extract) -> None:
    wishes = _wishes(extract("Nora Lind prefers e-mail."))
    assert [end(c.object) for c in wishes] == ["e-mail"]


def test_an_order_about_him_is_about_the_one_named_before(extract: Extract) -> None:
    (wish,) = _wishes(extract("We spoke to Tom Berg. Never call him before ten.", speaker="Pat Doe"))
    assert end(wish.subject) == "Tom Berg"


def test_an_order_about_me_is_the_speakers(extract: Extract) -> None:
    (wish,) = _wishes(extract("Please never call me on Fridays.", speaker="Pat Doe"))
    assert end(wish.subject) == "Pat Doe"


def test_who_is_to_do_something_is_not_what_is_liked(extract: Extract) -> None:
    found = [
        c
        for c in extract("I would like Halden Systems to use Jira.", speaker="Ana Ruiz")
        if c.kind.value == "preference"
    ]
    assert "Halden Systems" not in {c.attributes["value"] for c in found}


@pytest.mark.parametrize(
    ("text", "who", "value"),
    [
        ("Nora Lind asked us: never ring on Mondays.", "Nora Lind", "never ring on Mondays"),
        ("Nora Lind asked not to be rung on Mondays.", "Nora Lind", "not to be rung on Mondays"),
        ("Nora Lind has requested that she not be visited.", "Nora Lind", "not be visited"),
        ("Nora Lind said: please don't mail me on Mondays.", "Nora Lind", "don't mail me on Mondays"),
        ("Tom Berg asked us never to ring Nora Lind.", "Nora Lind", "never to ring Nora Lind"),
        ("Nobody may contact Halden Systems directly.", "Halden Systems", "contact Halden Systems directly"),
        ("We may not contact Halden Systems directly.", "Halden Systems", "may not contact Halden Systems directly"),
        ("No letters to Nora Lind before noon.", "Nora Lind", "No letters to Nora Lind before noon"),
        ("赵敏说：请不要在周一给我打电话。", "赵敏", "请不要在周一给我打电话"),
        ("任何人不得直接联系蓝湖科技。", "蓝湖科技", "不得直接联系蓝湖科技"),
        ("我们不能直接联系蓝湖科技。", "蓝湖科技", "不能直接联系蓝湖科技"),
    ],
)
def test_what_is_barred_is_a_constraint_of_whom_it_protects(extract: Extract, text: str, who: str, value: str) -> None:
    found = extract(text, speaker="Pat Doe")
    (told,) = [c for c in found if c.kind is CandidateKind.PREFERENCE]
    assert (end(told.subject), told.relation, told.attributes["value"]) == (who, "must_not", value)
    assert told.attributes["constraint"] is True
    assert triples(found) == set()


@pytest.mark.parametrize(
    "text", ["No letters to Nora Lind were answered on Mondays.", "我们不能按时给蓝湖科技发货。", "No calls today."]
)
def test_what_was_not_done_bars_nothing(extract: Extract, text: str) -> None:
    assert [c for c in extract(text, speaker="Pat Doe") if c.attributes.get("constraint")] == []


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("赵敏说：请不要给我打电话，我更喜欢用微信沟通。", ("赵敏", "用微信沟通")),
        ('Nora Lind wrote, "I prefer green tea."', ("Nora Lind", "green tea")),
        ("As Nora Lind said, I prefer green tea.", ("Pat Doe", "green tea")),
    ],
)
def test_i_in_what_somebody_says_is_who_says_it(extract: Extract, text: str, wish: tuple[str, str]) -> None:
    found = extract(text, speaker="Pat Doe")
    assert wish in {(end(c.subject), c.attributes["value"]) for c in found if c.relation == "prefers"}
