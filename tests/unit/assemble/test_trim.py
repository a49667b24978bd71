from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.engine.assemble.trim import message_tokens, trim
from muniment.graph_schema.errors import ContextHardStop, Invalid


def say(role: str, words: int = 10) -> dict[str, Any]:
    return {"role": role, "content": " ".join(["word"] * words)}


def test_history_inside_the_soft_limit_is_untouched() -> None:
    history = [say("system"), say("user"), say("assistant")]

    kept = trim(history, soft=1000, hard=2000)

    assert list(kept.messages) == history
    assert (kept.dropped, kept.degraded) == (0, False)
    assert kept.tokens == sum(message_tokens(m) for m in history)


def test_soft_limit_drops_the_oldest_that_is_not_system() -> None:
    history = [say("system"), *[{"role": "user", "content": f"turn {i} " + "x" * 200} for i in range(10)]]

    kept = trim(history, soft=300, hard=2000)

    assert kept.messages[0]["role"] == "system"
    assert kept.messages[1:] == tuple(history[-len(kept.messages) + 1 :])
    assert 0 < kept.dropped < 10


def test_tool_call_and_its_results_go_together() -> None:
    call = {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "function": {"name": "f"}}]}
    results = [{"role": "tool", "tool_call_id": "1", "content": "y" * 400}, {"role": "tool", "content": "z" * 400}]
    history = [say("user"), call, *results, say("assistant"), say("user"), say("assistant"), say("user")]

    kept = trim(history, soft=100, hard=2000)

    assert call not in kept.messages
    assert not any(m["role"] == "tool" for m in kept.messages)


def test_tool_parts_inside_contents_stay_together() -> None:
    call = {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "input": {"q": "a"}}]}
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "x" * 800}]}

    kept = trim([say("user"), call, result], soft=20, hard=5000, keep_last=1)

    assert kept.messages == (call, result)


def test_over_the_hard_limit_raises_when_asked_to() -> None:
    with pytest.raises(ContextHardStop, match="hard limit of 60"):
        trim([say("user", 400)], soft=50, hard=60)


def test_degraded_history_is_system_notice_and_tail() -> None:
    history = [say("system"), *[say("user", 60) for _ in range(8)], {"role": "user", "content": "the question"}]

    kept = trim(history, soft=100, hard=150, on_overflow="degrade")

    assert kept.degraded
    assert kept.messages[0] == history[0]
    assert "left out" in kept.messages[1]["content"]
    assert kept.messages[-1] == history[-1]
    assert kept.tokens <= 150


def test_a_last_message_that_is_too_long_alone_is_shortened() -> None:
    kept = trim([say("system"), say("user", 5000)], soft=100, hard=120, on_overflow="degrade")

    assert kept.tokens <= 120
    assert kept.messages[-1]["content"].endswith("[shortened to fit the context limit]")


def test_system_messages_over_the_hard_limit_cannot_be_degraded() -> None:
    with pytest.raises(ContextHardStop, match="system messages alone"):
        trim([say("system", 500)], soft=50, hard=60, on_overflow="degrade")


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"soft": 0, "hard": 10}, "soft"),
        ({"soft": 10, "hard": 5}, "hard"),
        ({"soft": 5, "hard": 5, "keep_last": 0}, "keep_last"),
        ({"soft": 5, "hard": 5, "on_overflow": "explode"}, "on_overflow"),
    ],
)
def test_senseless_limits_are_refused(arguments: dict[str, Any], field: str) -> None:
    with pytest.raises(Invalid) as caught:
        trim([say("user")], **arguments)
    assert caught.value.field == field


_texts = st.text(max_size=300)
_messages = st.lists(
    st.one_of(
        st.builds(lambda t: {"role": "user", "content": t}, _texts),
        st.builds(lambda t: {"role": "assistant", "content": [{"type": "text", "text": t}]}, _texts),
        st.builds(lambda t: {"role": "assistant", "content": t, "tool_calls": [{"id": "1"}]}, _texts),
        st.builds(lambda t: {"role": "tool", "content": t}, _texts),
        st.builds(lambda t: {"role": "tool", "content": t, "tool_call_id": "1"}, _texts),
        st.builds(lambda t: {"role": "system", "content": t[:20]}, _texts),
        st.builds(lambda: {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}),
    ),
    max_size=25,
)


@given(history=_messages, soft=st.integers(1, 300), extra=st.integers(0, 300), keep=st.integers(1, 6))
def test_degrading_keeps_order_system_messages_and_the_limit(
    history: list[dict[str, Any]], soft: int, extra: int, keep: int
) -> None:
    try:
        kept = trim(history, soft=soft, hard=soft + extra, on_overflow="degrade", keep_last=keep)
    except ContextHardStop:
        system = [m for m in history if m["role"] == "system"]
        assert sum(message_tokens(m) for m in system) > soft + extra
        return

    assert kept.tokens <= soft + extra
    assert kept.tokens == sum(message_tokens(m) for m in kept.messages)
    ours = [m for m in kept.messages if not (m["role"] == "system" and "left out" in str(m["content"]))]
    assert [m for m in ours if m["role"] == "system"] == [m for m in history if m["role"] == "system"]
    places = [next(i for i, m in enumerate(history) if m is o) for o in ours if any(m is o for m in history)]
    assert places == sorted(places)
    called = False
    for message in kept.messages:
        called = called or bool(message.get("tool_calls"))
        if message.get("tool_call_id") and any(one.get("tool_calls") for one in history[: _place(history, message)]):
            assert called  # no tool result without its call
    for i, message in enumerate(kept.messages):
        was = next((n for n, m in enumerate(history) if m is message), None)
        if (
            message["role"] == "tool"
            and was
            and (history[was - 1].get("tool_calls") or history[was - 1]["role"] == "tool")
        ):
            assert kept.messages[i - 1] is history[was - 1]


def _place(history: list[dict[str, Any]], message: Any) -> int:
    """Where the message, or the one that was cut to it, stands."""
    return next((n for n, one in enumerate(history) if one is message), len(history))


def test_a_result_goes_with_its_call_wherever_it_stands() -> None:
    call = {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "function": {"name": "f"}}]}
    result = {"role": "tool", "tool_call_id": "c1", "content": "found " * 20}
    for between in (say("system", 2), say("user", 2)):
        history = [say("user"), call, between, result, say("assistant"), say("user")]
        for soft in range(10, 200, 5):
            kept = trim(history, soft=soft, hard=1000, keep_last=2).messages
            assert (call in kept) is (result in kept)
            assert [id(m) for m in history if any(m is one for one in kept)] == [id(m) for m in kept]


@pytest.mark.parametrize(
    "result",
    [
        {"role": "tool", "tool_call_id": "c1", "content": "found " * 400},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "found " * 400}]},
    ],
)
def test_a_result_that_is_too_long_is_shortened_and_stays_with_its_call(result: dict[str, Any]) -> None:
    parts = [{"type": "tool_use", "id": "c1", "name": "f", "input": {}}]
    call: dict[str, Any] = {"role": "assistant", "content": parts}
    kept = trim([say("user", 200), call, result], soft=50, hard=120, on_overflow="degrade", keep_last=2)
    assert kept.tokens <= 120
    notice, again, short = kept.messages
    assert (notice["role"], again) == ("system", call)
    assert "shortened" in str(short["content"])
    assert "c1" in str(short)


def test_everything_that_a_message_says_is_counted() -> None:
    long = "thinking it over " * 100
    plain = message_tokens({"role": "assistant", "content": long})
    for said in (
        {"content": [{"type": "thinking", "thinking": long}]},
        {"content": [{"type": "document", "source": {"type": "text", "data": long}}]},
        {"content": "", "reasoning_content": long},
    ):
        assert message_tokens({"role": "assistant", **said}) >= plain
    picture = {"type": "image", "source": {"type": "base64", "data": "x" * 90_000}}
    assert message_tokens({"role": "user", "content": [picture]}) < 100
