"""Texts, JSON and times lie in columns without loss, and compare there as they do here."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from muniment.engine.stores.sqlite.codec import (
    dumped,
    end_ms,
    end_time,
    listed,
    loaded_object,
    loaded_strings,
    restored,
    stored,
)
from muniment.engine.stores.sqlite.searching import tokens_of
from muniment.graph_schema.temporal import FOREVER_MS, from_ms

# Every code point, lone surrogates too, and often the characters that are escaped.
texts = st.text(st.one_of(st.characters(), st.sampled_from('\\\0\ud800\udfff"u0123')))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | texts, lambda some: st.lists(some) | st.dictionaries(texts, some)
)


@given(texts)
def test_a_text_comes_back(text: str) -> None:
    assert restored(stored(text)) == text
    assert "\0" not in stored(text)
    stored(text).encode()


@given(texts, texts)
def test_different_texts_stay_different(one: str, two: str) -> None:
    assert (stored(one) == stored(two)) == (one == two)
    assert stored(one) + stored(two) == stored(one + two)


@given(st.dictionaries(texts, values))
def test_json_comes_back(value: dict[str, object]) -> None:
    assert loaded_object(dumped(value)) == value


@given(st.lists(texts))
def test_lists_of_texts_come_back(value: list[str]) -> None:
    assert loaded_strings(dumped(value)) == tuple(value)
    assert [restored(text) for text in json.loads(listed(value))] == value


def test_an_open_end_is_no_real_moment() -> None:
    last = from_ms(FOREVER_MS)
    assert end_time(end_ms(None)) is None
    assert end_time(end_ms(last)) == last
    assert end_ms(datetime(9999, 12, 31, 23, 59, 59, 999999, UTC)) < end_ms(None)


def test_tokens_of_two_spaces_have_nothing_in_common() -> None:
    ours, theirs = (set(tokens_of(space, "zebra 北京 c++ zebra").split()) for space in ("dev/a", "dev/b"))
    assert len(ours) == len(theirs) == 3
    assert not ours & theirs
    assert all(token.isalnum() and token.isascii() for token in ours)
