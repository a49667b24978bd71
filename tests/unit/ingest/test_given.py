"""Options of Python calls are of the right type, or refused in words that name them."""

from __future__ import annotations

from typing import Any

import pytest

from muniment.engine.assemble.context import assemble
from muniment.engine.assemble.spoken import without_spoken
from muniment.engine.assemble.trim import trim
from muniment.engine.requests import recall_request
from muniment.graph_schema.errors import Invalid
from muniment.graph_schema.records import Kind

HELLO = [{"role": "user", "content": "Hello"}]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"relations": "owns"}, r"relations is 'owns': give a list of strings, such as \['owns'\]"),
        ({"types": "person"}, r"types is 'person': give a list of strings, such as \['person'\]"),
        ({"kinds": "fact"}, r"kinds is 'fact': give a list of strings, such as \['fact'\]"),
        ({"relations": [1]}, "relations holds 1: give a list of strings"),
        ({"types": 7}, "types is 7: give a list of strings"),
        ({"include_superseded": "false"}, "include_superseded is 'false': give True or False"),
        ({"include_archived": 1}, "include_archived is 1: give True or False"),
        ({"read_time_words": None}, "read_time_words is None: give True or False"),
        ({"limit": True}, "limit is True: give a whole number from 1 to 200"),
        ({"limit": 9.0}, r"limit is 9\.0: give a whole number from 1 to 200"),
        ({"hops": "2"}, "hops is '2': give a whole number from 0 to 4"),
        ({"speaker": 5}, "speaker is 5: give a string"),
    ],
)
def test_an_option_of_another_type_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(Invalid, match=f"^{said}$") as refused:
        recall_request("tea", **options)
    assert refused.value.field == next(iter(options))


def test_lists_of_every_sort_are_taken() -> None:
    asked = recall_request("tea", relations=("owns", "likes"), types={"person"}, kinds=iter(["fact"]), speaker=None)  # type: ignore[arg-type]
    assert asked.relations == frozenset({"owns", "likes"})
    assert asked.types == frozenset({"person"})
    assert asked.kinds == frozenset({Kind.FACT})
    assert asked.speaker == ""


@pytest.mark.parametrize("budget", ["9", True, 900.5, 0, None])
def test_a_budget_is_a_whole_number(budget: Any) -> None:
    with pytest.raises(Invalid, match=r"^budget_tokens is .*: give a whole number of 1 or more$"):
        assemble([], budget_tokens=budget)


@pytest.mark.parametrize("name", ["soft", "hard", "keep_last"])
@pytest.mark.parametrize("value", ["5", True, 5.5, 0, None])
def test_limits_of_trimming_are_whole_numbers(name: str, value: Any) -> None:
    limits: dict[str, Any] = {"soft": 10, "hard": 20, name: value}
    with pytest.raises(Invalid, match=rf"^{name} is .*: give a whole number of 1 or more$"):
        trim(HELLO, **limits)


@pytest.mark.parametrize("messages", ["Hello", {"role": "user"}, 5, None])
def test_messages_are_a_list(messages: Any) -> None:
    with pytest.raises(Invalid, match=r"^messages is .*: give a list of"):
        trim(messages, soft=10, hard=20)
    with pytest.raises(Invalid, match=r"^messages is .*: give a list of"):
        without_spoken([], messages)


def test_sections_are_a_list() -> None:
    with pytest.raises(Invalid, match=r"^sections is 'facts': give a list of strings, such as \['facts'\]$"):
        assemble([], sections="facts")
