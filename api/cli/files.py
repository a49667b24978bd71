"""Files as episodes: JSON Lines (the outward fields, or the bench's), CSV, text and Markdown.

Each item is parsed when it is reached, so that the good ones before a broken one can be kept.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from muniment.api.cli.records import RecordKind, RecordReader
from muniment.engine.ingest.inputs import EpisodeIn, episode_in, fact_in
from muniment.graph_schema.errors import Invalid, TooLarge

# The bench's words for fields that have another name here; its `session` groups, it does not hide.
_BENCH_FIELDS: Final = {"id": "external_id", "at": "occurred_at", "session": "thread"}
_FACT_FIELDS: Final = ("subject", "relation", "object")
_FACT_TIMES: Final = {"valid_from": "valid_at", "valid_to": "invalid_at"}
_HEADING_MARKS: Final = "# "
MAX_FILE_TEXT: Final = 2_000_000
"""Characters of one text in a file. A call of the service carries less; a file of one's own holds books and logs too."""
_WORTH_A_CHECK: Final = 50
_ROW_HASH_DIGITS: Final = 16  # 64 bits: no two rows of one file meet by chance


class Format(StrEnum):
    JSON_LINES = "jsonl"
    CSV = "csv"
    TEXT = "text"


_BY_SUFFIX: Final = {
    ".jsonl": Format.JSON_LINES,
    ".ndjson": Format.JSON_LINES,
    ".json": Format.JSON_LINES,
    ".csv": Format.CSV,
    ".tsv": Format.CSV,
    ".txt": Format.TEXT,
    ".md": Format.TEXT,
    ".markdown": Format.TEXT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How to read a file. `columns` names for episode fields the column of a CSV that holds them; other columns become
    metadata. `defaults` are fields for every episode that has none of its own.
    """

    format: Format | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    records: RecordKind | None = None  # of a CSV: each row is a record of this kind
    defaults: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One episode of a file, the facts that it states in so many fields (if it does), and how far the file is read."""

    episode: EpisodeIn
    facts: tuple[Mapping[str, Any], ...] = ()
    where: str
    done_bytes: int


def format_of(path: Path, layout: Layout) -> Format:
    """The format said, or told by the name. Raises Invalid where neither tells."""
    if layout.format is not None:
        return layout.format
    if (known := _BY_SUFFIX.get(path.suffix.lower())) is None:
        raise Invalid(f"{path}: its name does not tell the format; use --format {' or '.join(Format)}", field="format")
    return known


def files_in(path: Path) -> list[Path]:
    """The file itself; of a folder its files, and those of folders in it, whose names tell what they are, by name. Hidden
    ones are left out. Raises Invalid where a folder has none.
    """
    if not path.is_dir():
        return [path]
    found = sorted(
        file
        for file in path.rglob("*")
        if file.suffix.lower() in _BY_SUFFIX
        and file.is_file()
        and not any(part.startswith(".") for part in file.relative_to(path).parts)
    )
    if not found:
        raise Invalid(
            f"{path}: no file in this folder is named {', '.join(f'*{end}' for end in _BY_SUFFIX)}", field="files"
        )
    return found


def items_in(path: Path, layout: Layout) -> Iterator[Item]:
    """The items of a file in its order. Raises Invalid or TooLarge naming line and field, after those before it."""
    reader = {Format.JSON_LINES: _json_lines, Format.CSV: _csv_rows, Format.TEXT: _document}[format_of(path, layout)]
    try:
        yield from reader(path, layout)
    except UnicodeDecodeError as cause:
        raise Invalid(f"{path}: not UTF-8: {cause}", field="file") from cause
    except OSError as cause:
        raise Invalid(f"{path}: cannot be read: {cause.strerror}", field="file") from cause


def _json_lines(path: Path, layout: Layout) -> Iterator[Item]:
    done = 0
    alike: Counter[str] = Counter()
    with path.open("rb") as lines:
        for number, raw in enumerate(lines, 1):
            done += len(raw)
            where = f"line {number}"
            try:
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            except UnicodeDecodeError as cause:
                raise Invalid(f"{path}: {where} is not UTF-8: {cause}", field=where) from cause
            if not line:
                continue
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as cause:
                raise Invalid(f"{path}: {where} is not JSON: {cause}", field=where) from cause
            if not isinstance(row, dict):
                raise Invalid(f"{path}: {where} is {type(row).__name__}: give one JSON object a line", field=where)
            yield _item(path, where, _with_id(path, row, alike), layout, done)


def _csv_rows(path: Path, layout: Layout) -> Iterator[Item]:
    with path.open(encoding="utf-8-sig", newline="") as text:
        delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
        rows = csv.DictReader(text, delimiter=delimiter)
        if layout.records is not None:
            yield from _records(path, rows, layout.records, layout)
            return
        _check_columns(path, rows.fieldnames or [], layout)
        done = 0
        alike: Counter[str] = Counter()
        try:
            for row in rows:
                done += sum(len(str(value)) + 1 for value in row.values())
                where = f"line {rows.line_num}"
                if None in row:
                    raise Invalid(f"{path}: {where} has more fields than the header", field=where)
                yield _item(path, where, _with_id(path, _from_columns(row, layout), alike), layout, done)
        except csv.Error as cause:
            raise Invalid(f"{path}: line {rows.line_num}: {cause}", field=f"line {rows.line_num}") from cause


def _records(path: Path, rows: csv.DictReader[str], kind: RecordKind, layout: Layout) -> Iterator[Item]:
    """Rows of accounts, contacts or deals; what does not say when it was written is as old as the file."""
    changed = datetime.fromtimestamp(path.stat().st_mtime, tz=UTC).isoformat()
    done = 0
    seen: set[str] = set()
    try:
        reader = RecordReader(kind, rows.fieldnames or [], layout.columns)
        for row in rows:
            done += sum(len(str(value)) + 1 for value in row.values())
            where = f"line {rows.line_num}"
            if None in row:
                raise Invalid(f"{where} has more fields than the header", field=where)
            record = reader.read(row, where=where)
            if (id := str(record.episode["external_id"])) in seen:
                continue  # the same row twice says nothing new
            seen.add(id)
            given = {**record.episode, "source": path.as_posix()}
            item = parse_row(given, _dated(layout, changed), where=where, done_bytes=done)
            since = {"valid_at": item.episode.occurred_at, "wall": item.episode.wall}
            facts = tuple({**fact, **since} for fact in record.facts)
            for fact in facts:
                fact_in(fact, field=where)
            yield replace(item, facts=facts)
    except csv.Error as cause:
        raise Invalid(f"{path}: line {rows.line_num}: {cause}", field=f"line {rows.line_num}") from cause
    except Invalid as error:
        raise Invalid(f"{path}: {error}", field=error.field) from error


def _dated(layout: Layout, changed: str) -> Layout:
    told = {name: value for name, value in layout.defaults.items() if value not in (None, "")}
    return replace(layout, defaults={"occurred_at": changed, **told, "kind": "note"})


def _with_id(path: Path, row: Mapping[str, Any], alike: Counter[str]) -> Mapping[str, Any]:
    """The row with an id of its own: the file, what the row says and, where rows are alike, which of them it is.

    Not its line number, so that a file may grow at either end and what is kept is still known.
    """
    if row.get("external_id") or row.get("id"):
        return row
    digest = sha256(json.dumps(row, sort_keys=True, default=str).encode()).hexdigest()[:_ROW_HASH_DIGITS]
    alike[digest] += 1
    return {**row, "external_id": f"{path.as_posix()}#{digest}" + (f".{n}" if (n := alike[digest]) > 1 else "")}


def _document(path: Path, layout: Layout) -> Iterator[Item]:
    """The whole file as one document: its name is its id, its first heading its title, its date that of the file."""
    text = path.read_text(encoding="utf-8-sig")
    stat = path.stat()
    row = {
        "text": text,
        "kind": "document",
        "external_id": path.as_posix(),
        "title": _title(text) or _named_in(path.stem),
        "source": path.as_posix(),
        "occurred_at": datetime.fromtimestamp(stat.st_mtime, tz=UTC),
    }
    row |= {name: value for name, value in layout.defaults.items() if value not in (None, "")}
    yield _item(path, "document", row, Layout(), stat.st_size)


def _item(path: Path, where: str, row: Mapping[str, Any], layout: Layout, done: int) -> Item:
    try:
        return parse_row(row, layout, where=where, done_bytes=done)
    except Invalid as error:
        raise Invalid(f"{path}: {error}", field=error.field) from error
    except TooLarge as error:
        raise TooLarge(f"{path}: {error}") from error


def parse_row(row: Mapping[str, Any], layout: Layout, *, where: str, done_bytes: int = 0) -> Item:
    """One row as an item; `where` names it in errors. Raises Invalid, TooLarge."""
    left = {name: value for name, value in row.items() if value is not None}
    fact = _fact(left, where) if left.get("kind") == "fact" else None
    if fact is not None:
        left["kind"] = "note"
    theirs: dict[str, str] = {}
    for bench, ours in _BENCH_FIELDS.items():
        if bench in left and ours not in left:
            theirs[ours] = bench
            left[ours] = left.pop(bench)
    for name, value in layout.defaults.items():
        if value not in (None, ""):
            left.setdefault(name, value)
    with _named_as_given(theirs, where):
        episode = episode_in(left, field=where, longest=MAX_FILE_TEXT)
    return Item(episode=episode, facts=(fact,) if fact is not None else (), where=where, done_bytes=done_bytes)


@contextmanager
def _named_as_given(theirs: Mapping[str, str], where: str) -> Iterator[None]:
    """Errors about a field name it as the row does; `theirs` has that name by ours."""
    try:
        yield
    except Invalid as error:
        name = theirs.get((error.field or "").removeprefix(f"{where}."))
        if name is None or error.field is None:
            raise
        told = f"{where}.{name}"
        raise Invalid(str(error).replace(error.field, told, 1), field=told) from error


def _fact(row: dict[str, Any], where: str) -> Mapping[str, Any]:
    """Takes the fact's fields out of the row; the rest is the episode that proves it."""
    given: dict[str, Any] = {}
    theirs: dict[str, str] = {}
    for name in _FACT_FIELDS:
        if name not in row:
            raise Invalid(f"{where}.{name} is missing: a row of kind fact has one", field=f"{where}.{name}")
        given[name] = row.pop(name)
    for bench, ours in _FACT_TIMES.items():
        if bench in row:
            theirs[ours] = bench
        value = row.pop(bench, row.pop(ours, None))
        if value is not None:
            given[ours] = value
    given["text"] = row.get("text", "")
    for name in ("confidence", "importance", "wall", "scope"):
        if name in row:
            given[name] = row[name] if name != "confidence" else row.pop(name)
    if "valid_at" not in given and (at := "at" if "at" in row else "occurred_at") in row:
        theirs["valid_at"] = at
        given["valid_at"] = row[at]
    with _named_as_given(theirs, where):
        fact_in(given, field=where)
    return given


def _check_columns(path: Path, header: list[str] | tuple[str, ...] | Any, layout: Layout) -> None:
    columns = list(header)
    for name, column in layout.columns.items():
        if column not in columns:
            raise Invalid(
                f"{path}: no column {column!r} for {name}; there are {', '.join(map(repr, columns))}", field=name
            )
    if "text" not in layout.columns and "text" not in columns:
        raise Invalid(
            f"{path}: which column holds the text? Say --map text=COLUMN; there are {', '.join(map(repr, columns))}",
            field="text",
        )


def _from_columns(row: Mapping[str, str | None], layout: Layout) -> dict[str, Any]:
    """The episode's fields from their columns; numbers where a field wants one; the other columns as metadata."""
    names = {column: name for name, column in layout.columns.items()}
    known = {*EpisodeIn.__dataclass_fields__, *_BENCH_FIELDS} - {"metadata", "scope"}
    taken: dict[str, Any] = {}
    metadata: dict[str, Any] = {}
    for column, value in row.items():
        name = names.get(column, column if column in known and column not in layout.columns else "")
        if value is None or value == "":
            continue
        if name in ("user", "agent", "scope.session"):
            taken.setdefault("scope", {})[name.removeprefix("scope.")] = value
        elif name == "importance":
            taken[name] = int(value) if value.strip().isdecimal() else value
        elif name:
            taken[name] = value
        else:
            metadata[column] = value
    if metadata:
        taken["metadata"] = metadata
    return taken


def _named_in(stem: str) -> str:
    """A file's name as a title where it is written like the name of something: "Kestrel Freight", no `notes-0412`."""
    words = stem.split()
    is_written = (
        len(words) > 1 and all(word[:1].isupper() or word.islower() for word in words) and words[0][:1].isupper()
    )
    return stem if is_written and not re.search(r"[\d_]", stem) else ""


def _title(text: str) -> str:
    """The first heading of a Markdown text, if it begins with one."""
    for line in text.splitlines()[:_WORTH_A_CHECK]:
        if line.startswith(_HEADING_MARKS):
            return line.removeprefix(_HEADING_MARKS).strip()
        if line.strip():
            return ""
    return ""
