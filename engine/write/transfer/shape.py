"""What the lines of an export are: a word for each sort of record, and the header and end around them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from muniment.graph_schema.ids import AssertionId, FactId
from muniment.graph_schema.records import Assertion, Document, Entity, Episode, Fact, Job, Kind, Mention, Summary

FORMAT: Final = "muniment"
VERSION: Final = 1


class Line(StrEnum):
    """The word under `record` in each line."""

    HEADER = "header"
    DOCUMENT = "document"
    ENTITY = "entity"
    EPISODE = "episode"
    MENTION = "mention"
    SENTENCE = "sentence"
    INDEX = "index"
    ASSERTION = "assertion"
    FACT = "fact"  # in a picture only
    MARKS = "marks"
    SUMMARY = "summary"
    USE = "use"
    JOB = "job"
    END = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The first line. `complete`: every wall was open, so receipts and the audit chain are there too.

    `known_at`: what was heard of later is left out. `as_of`: a picture, which no import takes in.
    """

    format: str
    version: int
    tenant: str
    at: datetime
    complete: bool = False
    vectors: bool = False
    as_of: datetime | None = None
    known_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """What people marked on a fact. It is found again by its id, else by one of its assertions. `forgotten_at`: when its episodes
    were forgotten, by which it is archived and stands no more."""

    fact: FactId
    assertions: tuple[AssertionId, ...]
    pinned: bool = False
    archived: bool = False
    forgotten_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """How often and when last a memory was handed out."""

    kind: Kind
    id: str
    count: int
    last_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """The last line: how many lines of each sort came before, so that a cut file is noticed."""

    counts: dict[str, Any] = field(default_factory=dict)


RECORDS: Final[dict[Line, type[Any]]] = {
    Line.HEADER: Header,
    Line.DOCUMENT: Document,
    Line.ENTITY: Entity,
    Line.EPISODE: Episode,
    Line.MENTION: Mention,
    Line.ASSERTION: Assertion,
    Line.FACT: Fact,
    Line.MARKS: Marks,
    Line.SUMMARY: Summary,
    Line.USE: Used,
    Line.JOB: Job,
    Line.END: End,
}
"""Lines whose fields are those of a record. `sentence` and `index` carry vectors and are read apart."""
