"""Files as episodes: what is read, under which names, and how a broken place is told."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from muniment.api.cli.files import MAX_FILE_TEXT, Format, Item, Layout, items_in
from muniment.graph_schema.errors import Invalid, TooLarge

AT = "2026-03-05T09:00:00Z"
GOOD = {"text": "Ana called.", "occurred_at": AT, "external_id": "1"}
FACT = {"text": "Ana likes tea.", "kind": "fact", "subject": "Ana", "relation": "likes", "object": "tea"}


def lines(path: Path, *rows: Any) -> Path:
    path.write_bytes(b"".join(_line(row) + b"\n" for row in rows))
    return path


def _line(row: Any) -> bytes:
    if isinstance(row, bytes):
        return row
    return (row if isinstance(row, str) else json.dumps(row)).encode()


def read(path: Path, **layout: Any) -> list[Item]:
    return list(items_in(path, Layout(**layout)))


def test_lines_with_the_fields_of_an_episode_are_taken_as_they_are(tmp_path: Path) -> None:
    row = {**GOOD, "kind": "note", "scope": {"user": "u1"}, "metadata": {"a": [1]}, "thread": "t"}
    episode = read(lines(tmp_path / "a.jsonl", row, "", row))[1].episode
    assert (episode.external_id, episode.scope.user, episode.metadata, episode.thread) == ("1", "u1", {"a": [1]}, "t")


def test_lines_of_a_bench_are_read_by_its_names_and_its_session_hides_nothing(tmp_path: Path) -> None:
    row = {"id": "m1", "text": "hi", "at": AT, "recorded_at": AT, "session": "s1", "speaker": "Tom", "kind": "message"}
    episode = read(lines(tmp_path / "a.jsonl", row))[0].episode
    assert (episode.external_id, episode.thread, episode.scope.session) == ("m1", "s1", "")
    assert episode.occurred_at == episode.recorded_at == datetime(2026, 3, 5, 9, tzinfo=UTC)


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv"])
def test_rows_without_an_id_get_one_that_stays_when_the_file_grows(tmp_path: Path, name: str) -> None:
    def ids(*texts: str) -> list[str | None]:
        path = tmp_path / name
        if name.endswith(".csv"):
            path.write_text("\n".join(["text,occurred_at", *(f"{t},{AT}" for t in texts)]), encoding="utf-8")
        else:
            lines(path, *({"text": t, "occurred_at": AT} for t in texts))
        return [item.episode.external_id for item in read(path)]

    yes, no, again = ids("Yes.", "No.", "Yes.")
    assert len({yes, no, again}) == 3
    assert ids("Perhaps.", "Yes.", "No.", "Yes.")[1:] == [yes, no, again]


def test_a_row_of_kind_fact_is_a_note_and_the_fact_that_it_states(tmp_path: Path) -> None:
    row = {
        "id": "f1",
        "text": "Ana works for Globex",
        "at": AT,
        "kind": "fact",
        "subject": "Ana",
        "relation": "works_for",
    }
    row |= {"object": "Globex", "valid_from": "2025-01-01T00:00:00Z", "valid_to": "2026-01-01T00:00:00Z"}
    item = read(lines(tmp_path / "a.jsonl", row))[0]
    assert (item.episode.kind, item.episode.text) == ("note", "Ana works for Globex")
    (fact,) = item.facts
    assert (fact["subject"], fact["valid_at"], fact["invalid_at"]) == (
        "Ana",
        "2025-01-01T00:00:00Z",
        "2026-01-01T00:00:00Z",
    )


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ("{", "line 2 is not JSON"),
        ("[1]", "line 2 is list"),
        ({**GOOD, "occurred_at": "2026-03-05"}, "line 2.occurred_at"),
        ({**GOOD, "when": AT}, "line 2 has unknown fields: when"),
        ({"occurred_at": AT}, "line 2.text"),
        ({**GOOD, "kind": "fact", "relation": "likes", "object": "tea"}, "line 2.subject"),
        ({"text": "x", "at": "2026-03-05"}, "line 2.at "),
        ({**FACT, "at": "2026-03-05"}, "line 2.at "),
        ({**FACT, "valid_from": "2026-03-05"}, "line 2.valid_from "),
        (b'{"text": "caf\xe9"}', "line 2 is not UTF-8"),
    ],
)
def test_a_broken_line_is_named_after_the_good_ones_before_it(tmp_path: Path, broken: Any, told: str) -> None:
    items = items_in(lines(tmp_path / "a.jsonl", GOOD, broken, GOOD), Layout())
    assert next(items).where == "line 1"
    with pytest.raises(Invalid) as error:
        next(items)
    assert "a.jsonl" in str(error.value)
    assert told in str(error.value)


def test_a_table_is_read_by_its_columns_and_the_others_are_metadata(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('Body,Date,Who,importance,Ticket\n"two\nlines",2026-03-05T09:00:00Z,Tom,4,77\n', encoding="utf-8")
    item = read(path, columns={"text": "Body", "occurred_at": "Date", "speaker": "Who"})[0]
    episode = item.episode
    assert (episode.text, episode.speaker, episode.importance) == ("two\nlines", "Tom", 4)
    assert (episode.metadata, item.where) == ({"Ticket": "77"}, "line 3")


@pytest.mark.parametrize("columns", [{}, {"text": "Missing"}])
def test_a_table_whose_text_cannot_be_found_says_which_columns_there_are(
    tmp_path: Path, columns: dict[str, str]
) -> None:
    path = tmp_path / "a.csv"
    path.write_text("Body,Date\nx,y\n", encoding="utf-8")
    with pytest.raises(Invalid, match="'Body', 'Date'"):
        read(path, columns=columns)


def test_a_text_is_one_document_named_by_its_path_and_titled_by_its_heading(tmp_path: Path) -> None:
    path = tmp_path / "plan.md"
    path.write_text("\n# The plan\n\nWe go.\n", encoding="utf-8")
    episode = read(path)[0].episode
    assert (episode.kind, episode.title, episode.external_id) == ("document", "The plan", path.as_posix())
    assert (tmp_path / "plan.md").stat().st_mtime == pytest.approx(episode.occurred_at.timestamp(), abs=0.01)


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("Kestrel Freight.txt", "Kestrel Freight"),
        ("Visit to Oslo.txt", "Visit to Oslo"),
        ("plan.txt", ""),
        ("README.txt", ""),
        ("notes-0412.txt", ""),
        ("call_with_ana.txt", ""),
        ("Minutes 2026 03.txt", ""),
    ],
)
def test_a_text_without_a_heading_is_titled_by_a_name_that_is_written_as_one(
    tmp_path: Path, name: str, title: str
) -> None:
    path = tmp_path / name
    path.write_text("We go.\n# not a heading of the whole", encoding="utf-8")
    assert read(path)[0].episode.title == title


def test_a_text_over_the_limit_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("x" * (MAX_FILE_TEXT + 1), encoding="utf-8")
    with pytest.raises(TooLarge, match=r"long\.txt"):
        read(path)


def test_a_text_longer_than_a_call_may_carry_is_read(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text("We met. " * 30_000, encoding="utf-8")
    assert len(read(path)[0].episode.text) == 240_000


def test_bytes_that_are_no_text_are_told_so(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Invalid, match="UTF-8"):
        read(path)


def test_a_name_that_tells_no_format_asks_for_it(tmp_path: Path) -> None:
    path = lines(tmp_path / "data.dat", GOOD)
    with pytest.raises(Invalid, match="--format"):
        read(path)
    assert len(read(path, format=Format.JSON_LINES)) == 1


def test_defaults_fill_what_a_row_does_not_say(tmp_path: Path) -> None:
    path = lines(tmp_path / "a.jsonl", {"text": "x"}, {"text": "y", "kind": "event", "at": AT})
    first, second = (item.episode for item in read(path, defaults={"kind": "note", "occurred_at": AT, "wall": ""}))
    assert (first.kind, second.kind, first.occurred_at) == ("note", "event", second.occurred_at)
