"""Tables in plain text and Markdown: each row a thing, each other column something that is said of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from muniment.engine.extract.dates import Clock, find_dates
from muniment.engine.extract.identifiers import find_identifiers
from muniment.engine.extract.links import Link
from muniment.engine.extract.mentions import VALUE_TYPES, Mention
from muniment.engine.extract.rulebook import confidence_of
from muniment.engine.extract.wordings import Wordings, spread
from muniment.engine.ingest.language import has_han
from muniment.graph_schema.ontology import relation_key

_SEPARATORS = ("|", "\t", ";", ",", "；", "，")
_RULE_LINE = re.compile(r"^[\s|:+-]+$")
_NUMBER = re.compile(r"^[-+]?[\d.,]+%?$")
# A comma also parts the words of a sentence: only a table whose cells are short counts as one.
MAX_CELL_CHARS = 60
MIN_COLUMNS = 2
MIN_COMMA_COLUMNS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """Text of a cell; offsets are in the text the table was found in."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A header and at least one row with as many cells; offsets cover the header and all rows."""

    start: int
    end: int
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def find_tables(text: str) -> list[Table]:
    """The tables of a text in order of place: lines in a row with one separator and equally many short cells."""
    lines = [(m.start(), m.end()) for m in re.finditer(r"[^\n]+", text)]
    found: list[Table] = []
    at = 0
    while at < len(lines) - 1:
        table, used = _table_at(text, lines, at)
        if table is not None:
            found.append(table)
        at += max(used, 1)
    return found


def without_tables(text: str, tables: Sequence[Table]) -> str:
    """The text with its tables overwritten by spaces, so that offsets stay."""
    for table in tables:
        text = text[: table.start] + re.sub(r"[^\n]", " ", text[table.start : table.end]) + text[table.end :]
    return text


def _table_at(text: str, lines: Sequence[tuple[int, int]], at: int) -> tuple[Table | None, int]:
    for separator in _SEPARATORS:
        header = _cells(text, *lines[at], separator)
        least = MIN_COMMA_COLUMNS if separator in ",，" else MIN_COLUMNS
        if len(header) < least or not _is_header(header):
            continue
        rows: list[tuple[Cell, ...]] = []
        last = at
        for number in range(at + 1, len(lines)):
            if "\n\n" in text[lines[number - 1][1] : lines[number][0]]:
                break
            if separator == "|" and _RULE_LINE.match(text[slice(*lines[number])]):
                last = number
                continue
            cells = _cells(text, *lines[number], separator)
            if len(cells) != len(header) or any(len(c.text) > MAX_CELL_CHARS for c in cells):
                break
            rows.append(cells)
            last = number
        if rows and (len(rows) > 1 or separator == "|") and _has_data(rows):
            table = Table(
                start=lines[at][0], end=lines[last][1], header=tuple(c.text for c in header), rows=tuple(rows)
            )
            return table, last - at + 1
    return None, 1


def _cells(text: str, start: int, end: int, separator: str) -> tuple[Cell, ...]:
    line = text[start:end]
    if separator not in line:
        return ()
    cells: list[Cell] = []
    at = 0
    for piece in line.split(separator):
        bare = piece.strip()
        lead = at + len(piece) - len(piece.lstrip())
        cells.append(Cell(start=start + lead, end=start + lead + len(bare), text=bare))
        at += len(piece) + 1
    if separator == "|":
        cells = cells[1:] if cells and not cells[0].text else cells
        cells = cells[:-1] if cells and not cells[-1].text else cells
    return tuple(cells)


def _is_header(cells: Sequence[Cell]) -> bool:
    """Names of columns: short words, none a number, no full stop."""
    return all(0 < len(c.text) <= 30 and not _NUMBER.match(c.text) and not c.text.endswith((".", "。")) for c in cells)


def _has_data(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether some column holds numbers, codes or dates, or the cells are few words each: prose does neither."""
    cells = [c.text for row in rows for c in row[1:] if c.text]
    return bool(cells) and (
        any(any(ch.isdigit() for ch in c) for c in cells) or all(len(c.split()) <= 4 for c in cells)
    )


def table_links(table: Table, wordings: Wordings, clock: Clock) -> Iterator[tuple[Cell, Cell, Link]]:
    """What every row says of the thing in its first cell: the row's first cell, the value's cell and the link."""
    for row in table.rows:
        if not row[0].text or _NUMBER.match(row[0].text):
            continue
        type_ = _type_of(table.header[0], wordings)
        owner = Mention(
            start=row[0].start, end=row[0].end, text=row[0].text, type=type_, sure=bool(type_), rule="table"
        )
        for name, cell in zip(table.header[1:], row[1:], strict=True):
            if cell.text and cell.text not in ("-", "–", "n/a", "无"):
                yield row[0], cell, _link(owner, name, cell, wordings, clock)


def _type_of(title: str, wordings: Wordings) -> str:
    """The type of what a column names, where its title is the name of one: Company, Contract, 客户."""
    type_ = wordings.type_nouns.get(title.replace("_", " ").strip().casefold(), "")
    return "" if type_ in VALUE_TYPES else type_


def _link(owner: Mention, name: str, cell: Cell, wordings: Wordings, clock: Clock) -> Link:
    value = _value(cell, clock)
    if not value.type and not value.is_value:
        value = replace(value, type=_type_of(name, wordings))
    words = name.replace("_", " ").split()
    chosen = (
        wordings.choose(wordings.han_nouns.get(re.sub(r"[（(].*", "", name), ()), owner, value)
        if has_han(name)
        else wordings.noun(spread(words), owner, value)
    )
    if chosen is None:
        return Link(
            subject=owner, object=replace(value, is_value=value.is_value or not value.type), relation="", name=relation_key(name), phrase=name, rule="table",
            confidence=confidence_of("table") * 0.9, anchor=cell.start,
        )  # fmt: skip
    return Link(
        subject=chosen.subject, object=chosen.object, relation=chosen.relation.name, phrase=name, rule="table",
        confidence=confidence_of("table"), anchor=cell.start,
    )  # fmt: skip


def _value(cell: Cell, clock: Clock) -> Mention:
    lang = "zh" if has_han(cell.text) else "en"
    dates = find_dates(cell.text, lang=lang, clock=clock)
    plain = Mention(start=cell.start, end=cell.end, text=cell.text, type="", rule="table")
    if dates and dates[0].end - dates[0].start == len(cell.text):
        return replace(plain, type="date", is_value=True, sure=True, same_as=dates[0].since.date().isoformat())
    found = [m for m in find_identifiers(cell.text, lang=lang) if m.end - m.start == len(cell.text)]
    if found:
        return replace(
            plain, type=found[0].type, is_value=found[0].is_value, sure=found[0].sure, identifiers=found[0].identifiers
        )
    if _NUMBER.match(cell.text):
        return replace(plain, type="quantity", is_value=True)
    return plain
