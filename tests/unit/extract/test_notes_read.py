"""How a note is read for comparison: names, values, relations, cues, the start of validity."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from muniment.engine.extract.change.reader import is_note
from muniment.engine.extract.change.wordlists import change_words
from muniment.engine.extract.extractor import RuleExtractor
from muniment.graph_schema.records import EpisodeKind
from tests.builders import episode


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("the account manager is away", {"care"}),
        ("the manager is away", {"lead", "work"}),
        ("they quoted a new unit price", {"price"}),
    ],
)
def test_longer_entries_of_the_lists_use_up_their_words(text: str, told: set[str]) -> None:
    assert change_words().relations_of(text.split()) == told


def test_every_relation_of_the_lists_has_a_value_and_an_entry() -> None:
    lists = change_words()
    assert set(lists.values) == set().union(*lists.relations.values())


class NoNames:
    def lookup(self, keys: object) -> dict[str, tuple[tuple[str, str], ...]]:
        return {}

    def learn(self, episode: object, candidates: object) -> None:
        """Nothing."""


def test_a_note_is_read_with_what_stands_before_each_sentence(extractor: RuleExtractor) -> None:
    note = episode(
        "e1", kind=EpisodeKind.NOTE, occurred_at=datetime(2026, 5, 11, tzinfo=UTC),
        text="Harbour Mills pays 12,600 a year. Since 4 May, Ana Ruiz looks after it. She may leave, if they let her.",
    )  # fmt: skip
    (read,) = extractor.extract([note], known=NoNames()).notes
    price, care, doubt = read.sentences
    assert price.names == ("harbour mills",)
    assert price.amounts == {"12600"}
    assert "price" in price.relations
    assert care.since == datetime(2026, 5, 4, tzinfo=UTC)
    assert (care.starts, care.changes, care.doubtful) == (True, True, False)
    assert "care" in care.relations
    assert care.meant == ("harbour mills",)
    assert "Ana" not in care.masked
    assert doubt.doubtful
    assert doubt.meant == ("ana ruiz",)
    assert note.text[care.start : care.end] == "Since 4 May, Ana Ruiz looks after it."


def test_rows_of_a_table_are_read_in_the_words_of_its_header(extractor: RuleExtractor) -> None:
    table = episode("e1", kind=EpisodeKind.DOCUMENT, text="account;plan;fee\nHarbour;Gold;11900\nFerry;Silver;2150\n")
    (read,) = extractor.extract([table], known=NoNames()).notes
    assert [row.names for row in read.sentences] == [("harbour",), ("ferry",)]
    assert [row.amounts for row in read.sentences] == [{"11900"}, {"2150"}]
    assert all(row.row for row in read.sentences)
    assert "price" in read.sentences[0].relations


@pytest.mark.parametrize(
    ("speaker", "kind", "read"),
    [("user", "message", False), ("Ana", "message", True), ("", "note", True), ("", "tool", False)],
)
def test_the_parts_of_a_chat_and_tools_are_not_read(speaker: str, kind: str, read: bool) -> None:
    assert is_note(episode("e1", speaker=speaker, kind=EpisodeKind(kind))) is read


def test_a_chinese_note_is_read_by_its_own_lists(extractor: RuleExtractor) -> None:
    note = episode(
        "e1", kind=EpisodeKind.NOTE, occurred_at=datetime(2026, 5, 11, tzinfo=UTC),
        text="从6月1日起，远江冷链交给李建国负责。听说年费可能涨到19800元。月台的事别找小邓。",
    )  # fmt: skip
    (read,) = extractor.extract([note], known=NoNames()).notes
    care, price, refused = read.sentences
    assert care.names[0].startswith("远江")
    assert care.names[1] == "李建国"
    assert "care" in care.relations
    assert "supply" not in care.relations
    assert (care.changes, care.starts, care.doubtful) == (True, True, False)
    assert care.since is not None
    assert care.since.date().isoformat() in ("2026-05-31", "2026-06-01")
    assert "李建国" not in care.masked
    assert price.doubtful
    assert price.amounts == {"19800元"}
    assert refused.names == ()


def test_a_note_says_which_names_stand_in_a_list_behind_a_place_or_own_something(extractor: RuleExtractor) -> None:
    note = episode(
        "e1", kind=EpisodeKind.NOTE, occurred_at=datetime(2026, 5, 11, tzinfo=UTC),
        text="The board has Ana Ruiz (chair) and Tom Lee. Harbour Mills's warehouse is run by Kim Roe. The press stands in Marsh Hall. "
        "They come within 4 hours. Nights are Kim Roe's from then on.",
    )  # fmt: skip
    (read,) = extractor.extract([note], known=NoNames()).notes
    board, store, press, speed, nights = read.sentences
    assert board.listed == ("ana ruiz", "tom lee")
    assert store.owning == ("harbour mills",)
    assert press.placed == ("marsh hall",)
    assert "4hours" in speed.amounts
    assert "care" in nights.relations
