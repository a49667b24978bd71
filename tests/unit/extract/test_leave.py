"""Leave to do what was barred: of whom, about what, and what only sounds like it."""

from __future__ import annotations

import pytest

from muniment.engine.extract.candidates import CandidateKind
from tests.unit.extract.conftest import Extract, end


def allowed(extract: Extract, text: str) -> list[tuple[str, str]]:
    return [
        (end(c.subject), str(c.attributes["topic"]))
        for c in extract(text)
        if c.kind is CandidateKind.PREFERENCE and c.attributes["polarity"] == "positive" and c.confidence >= 0.5
    ]


@pytest.mark.parametrize(
    ("ban", "leave", "who"),
    [
        ("Please don't call me.", "You can call me again.", "I"),
        ("Please don't call me.", "Calls are fine again.", "I"),
        ("Never phone Nora Lind.", "You may ring Nora Lind again.", "Nora Lind"),
        ("Nora Lind must not be called.", "Nora Lind may be called again.", "Nora Lind"),
        ("Don't email Nora Lind.", "Nora Lind says that we can email her again.", "Nora Lind"),
        ("请不要给我打电话。", "打电话也可以了。", "我"),
        ("请勿致电王芳。", "现在可以给王芳打电话了。", "王芳"),
        ("不要给王芳发邮件。", "王芳说可以再给她发邮件了。", "王芳"),
    ],
)
def test_leave_is_about_what_was_barred(extract: Extract, ban: str, leave: str, who: str) -> None:
    (barred,) = [c for c in extract(ban) if c.kind is CandidateKind.PREFERENCE]
    assert allowed(extract, leave) == [(who, barred.attributes["topic"])]


@pytest.mark.parametrize(
    "text",
    [
        "You can't call me again.",
        "Can you call me again?",
        "You can call me Al.",
        "You can call me about the invoice.",
        "We can call Nora Lind again tomorrow.",
        "If I agree, you can call me again.",
        "I heard that we can call Nora Lind again.",
        "Feel free to call me if you have questions.",
        "Deliveries are fine.",
        "可以给我打电话吗？",
        "不可以给我打电话。",
        "如果着急，可以给王芳打电话。",
        "你可以给王芳打电话咨询。",
        "请不要再给我打电话了。",
    ],
)
def test_what_is_denied_asked_or_polite_is_no_leave(extract: Extract, text: str) -> None:
    assert allowed(extract, text) == []


def test_leave_bars_nothing(extract: Extract) -> None:
    assert not [c for c in extract("You may call Nora Lind again.") if c.relation == "must_not"]
    assert [c.relation for c in extract("Nobody may call Nora Lind.") if c.relation == "must_not"]
