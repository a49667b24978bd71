"""Memories that only repeat the conversation."""

from __future__ import annotations

import pytest

from muniment.engine.assemble.spoken import without_spoken
from muniment.graph_schema.errors import Invalid
from tests.unit.assemble.builders import fact, hit


def test_what_a_message_says_already_is_left_out_as_a_duplicate() -> None:
    told, new = hit(fact("f1", "Ana works for Globex.")), hit(fact("f2", "Ana lives in Lyon."))
    kept, repeated = without_spoken([told, new], [{"role": "user", "content": "Hi. ana works  for GLOBEX. And now?"}])
    assert [hit.id for hit in kept] == ["f2"]
    assert [(one.id, one.reason) for one in repeated] == [("f1", "duplicate")]


def test_parts_of_a_message_are_read_and_pictures_passed_over() -> None:
    parts = [{"type": "image", "url": "x"}, {"type": "text", "text": "Ana works for Globex."}]
    kept, _ = without_spoken([hit(fact("f1", "Ana works for Globex."))], [{"role": "user", "content": parts}])
    assert kept == []


def test_a_short_text_is_kept_for_it_stands_in_messages_by_chance() -> None:
    kept, _ = without_spoken([hit(fact("f1", "tea"))], [{"role": "user", "content": "the team"}])
    assert [hit.id for hit in kept] == ["f1"]


def test_something_that_is_no_message_is_refused() -> None:
    with pytest.raises(Invalid, match=r"messages\[0\]"):
        without_spoken([], ["hello"])  # type: ignore[list-item]
