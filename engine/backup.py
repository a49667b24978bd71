"""Backup of a whole database and restore into an empty one, the same on every store.

A backup is a compressed file of JSON Lines: for each space what its export gives, vectors included, so that it can be
taken while the database is in use, restored into either store, and restored without embedding anything. It holds every
memory and the hashes of API keys: keep it as you keep the database.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from muniment.engine.answers import ANSWER
from muniment.engine.ports.store import Database
from muniment.engine.tools import Tools
from muniment.engine.write.changes import Hand
from muniment.engine.write.erase.listed import PURGE
from muniment.engine.write.transfer.denials import Denials, Replayed, latest, replay_denials
from muniment.engine.write.transfer.export import ExportChoice, export_lines
from muniment.engine.write.transfer.imports import ImportReport, import_lines
from muniment.engine.write.transfer.lines import Parsed, check_header, parsed
from muniment.engine.write.transfer.shape import Line
from muniment.graph_schema.errors import Conflict, Invalid, WrongEnvironment
from muniment.graph_schema.ids import Space, space_of
from muniment.graph_schema.records import Document
from muniment.graph_schema.temporal import format_time, parse_time

FORMAT: Final = "muniment-backup"
VERSION: Final = 1
ACTOR: Final = "restore"
_CHOICE: Final = ExportChoice(vectors=True, leave_out=frozenset({ANSWER}))
_CHUNK: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupReport:
    """What a backup holds: lines by space, and the file's size."""

    path: str
    at: datetime
    spaces: Mapping[Space, int]
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreReport:
    """What each space took in, and what of the denials of newer files was applied to it."""

    spaces: Mapping[Space, ImportReport]
    rejections: Mapping[Space, Replayed] = field(default_factory=dict)


@dataclass(slots=True)
class _Checked:
    """What a file says of itself, once all of it was read."""

    environment: str = ""
    at: datetime | None = None
    spaces: list[Space] = field(default_factory=list)
    purged: dict[Space, list[Document]] = field(default_factory=dict)
    denials: dict[Space, Denials] = field(default_factory=dict)


async def backup(database: Database, tools: Tools, path: Path) -> BackupReport:
    """Writes all of a database to a file, which is there whole or not at all. Raises Invalid where it is there already."""
    at = tools.clock()
    part = path.with_name(path.name + ".part")
    counts: Counter[Space] = Counter()
    file = await asyncio.to_thread(_created, part, path)
    try:
        async for chunk in _in_chunks(_lines(database, at, counts)):
            await asyncio.to_thread(file.write, chunk)
        file.close()
        size = await asyncio.to_thread(_settle, part, path)
    finally:
        await asyncio.to_thread(_discard, file, part)
    return BackupReport(path=str(path), at=at, spaces=dict(counts), size_bytes=size)


async def restore(database: Database, tools: Tools, path: Path, *, purges: Iterable[Path] = ()) -> RestoreReport:
    """Takes a backup into an empty database, after reading the whole file once to see that it is sound.

    `purges` are newer backups or exports, whose purge lists and denials are obeyed: what was erased or rejected after this backup
    was made is not brought back. Raises Conflict where the database is not empty, WrongEnvironment where the backup is of another
    environment, Invalid where a file is cut or broken; then nothing was written.
    """
    if await database.spaces():
        raise Conflict("the database is not empty: restore into a new one")
    checked = await asyncio.to_thread(_checked, path)
    if checked.environment != database.environment:
        raise WrongEnvironment(
            f"the backup is of environment {checked.environment!r}, the database of {database.environment!r}"
        )
    newer = [await asyncio.to_thread(_of_newer, other, database.environment) for other in purges]
    reports: dict[Space, ImportReport] = {}
    rejections: dict[Space, Replayed] = {}
    for space, lines in _by_space(path):
        purged = [d for one in newer for d in one.purged.get(space, ())]
        store = database.space(space, all_walls=True)
        hand = Hand(actor=ACTOR, at=tools.clock())
        writing = tools.writing(await tools.ontology_of(space, store))
        reports[space] = await import_lines(store, lines, hand, writing, purged=purged)
        tools.forget_ontology(space)
        told = latest([one.denials[space] for one in newer if space in one.denials], since=checked.at or hand.at)
        if told.assertions:
            writing = tools.writing(await tools.ontology_of(space, store))
            rejections[space] = await replay_denials(store, told, hand, writing)
    return RestoreReport(spaces=reports, rejections=rejections)


async def _lines(database: Database, at: datetime, counts: Counter[Space]) -> AsyncIterator[dict[str, Any]]:
    yield {
        "record": "backup",
        "format": FORMAT,
        "version": VERSION,
        "environment": database.environment,
        "at": format_time(at),
    }
    for space in await database.spaces():
        yield {"record": "space", "space": space}
        async for line in export_lines(database.space(space, all_walls=True), at=at, choice=_CHOICE):
            counts[space] += 1
            yield line
    yield {"record": "backup_end", "spaces": len(counts), "lines": sum(counts.values())}


async def _in_chunks(lines: AsyncIterator[dict[str, Any]]) -> AsyncIterator[bytes]:
    waiting: list[str] = []
    async for line in lines:
        waiting.append(json.dumps(line))
        if len(waiting) >= _CHUNK:
            yield ("\n".join(waiting) + "\n").encode()
            waiting = []
    yield ("\n".join(waiting) + "\n").encode()


def _created(part: Path, path: Path) -> gzip.GzipFile:
    """A new compressed file that only its owner may read. Raises Invalid where the one it is to become is there already."""
    if path.exists():
        raise Invalid(f"{path.name} is there already: name another file", field="path")
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    except OSError as cause:
        raise Invalid(f"{path.name} cannot be written: {cause}", field="path") from cause
    os.close(descriptor)
    return gzip.GzipFile(part, "wb", compresslevel=6)


def _settle(part: Path, path: Path) -> int:
    """Puts the file under its own name, on the disk; gives its size."""
    with part.open("rb") as file:
        os.fsync(file.fileno())
    part.replace(path)
    return path.stat().st_size


def _discard(file: gzip.GzipFile, part: Path) -> None:
    file.close()
    part.unlink(missing_ok=True)


def _read(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The lines of a file, compressed or not, with their numbers. Raises Invalid."""
    try:
        with path.open("rb") as raw:
            is_compressed = raw.read(2) == b"\x1f\x8b"
        with gzip.open(path, "rb") if is_compressed else path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield number, _object(line, number)
    except (OSError, EOFError) as cause:
        raise Invalid(f"{path.name} cannot be read: {cause}", field="path") from cause


def _object(line: bytes, number: int) -> Mapping[str, Any]:
    try:
        body = json.loads(line)
    except (ValueError, RecursionError) as cause:
        raise Invalid(f"line {number} is not JSON: {cause}", field=f"line {number}") from cause
    if not isinstance(body, Mapping):
        raise Invalid(f"line {number} is {type(body).__name__}: give an object", field=f"line {number}")
    return body


def _checked(path: Path, *, environment: str = "") -> _Checked:
    """Reads a backup through: every line is a record, every part has as many as it says. An export is one part of one.

    Raises Invalid.
    """
    found = _Checked(environment=environment)
    part = _Part(space=Space(""))
    is_ended = False
    for number, body in _read(path):
        match body.get("record"):
            case "backup":
                if body.get("format") != FORMAT or body.get("version") != VERSION:
                    raise Invalid(f"line {number}: this is no backup that this version knows", field=f"line {number}")
                found.environment = str(body.get("environment"))
                found.at = parse_time(str(body.get("at")), field=f"line {number}: at")
            case "space":
                part.close(number)
                part = _Part(space=Space(str(body.get("space"))))
                found.spaces.append(part.space)
            case "backup_end":
                is_ended = body.get("spaces") == len(found.spaces)
            case _:
                line = parsed(body, number)
                if line.sort is Line.HEADER:
                    header = check_header(line)
                    if not part.space:
                        part.space = space_of(found.environment, header.tenant)
                        is_ended = True
                    found.denials[part.space] = Denials(at=header.known_at or header.at)
                part.take(line)
                if line.sort is Line.DOCUMENT and line.record.kind == PURGE:
                    found.purged.setdefault(part.space, []).append(line.record)
                elif line.sort is Line.ASSERTION and part.space in found.denials:
                    found.denials[part.space].take(line.record)
    part.close(0)
    if not is_ended:
        raise Invalid(f"{path.name} has no end: it was cut, or never finished", field="path")
    return found


def _of_newer(path: Path, environment: str) -> _Checked:
    """What a newer file says of purges and denials, with the entities that it denies something of. Raises Invalid."""
    found = _checked(path, environment=environment)
    wanted = {space: told.ends for space, told in found.denials.items()}
    if not any(wanted.values()):
        return found
    space = next(iter(found.denials))  # that of an export, whose lines name none
    for number, body in _read(path):
        if body.get("record") == "space":
            space = Space(str(body["space"]))
        elif body.get("record") == Line.ENTITY.value and body.get("id") in wanted.get(space, ()):
            entity = parsed(body, number).record
            found.denials[space].entities[entity.id] = entity
    return found


@dataclass(slots=True)
class _Part:
    """The lines of one space so far."""

    space: Space
    counts: Counter[str] = field(default_factory=Counter)
    told: Mapping[str, Any] | None = None

    def take(self, line: Parsed) -> None:
        if line.sort is Line.END:
            self.told = line.record.counts
        elif line.sort is not Line.HEADER:
            self.counts[line.sort.value] += 1

    def close(self, number: int) -> None:
        if self.space and (self.told is None or dict(self.told) != dict(self.counts)):
            where = f"line {number}" if number else "the end"
            raise Invalid(f"{where}: the part of {self.space!r} is not whole", field=where)


def _by_space(path: Path) -> Iterator[tuple[Space, Iterator[Mapping[str, Any]]]]:
    """The lines of each space of a checked file, read as they are asked for: one space is to be used up before the next."""
    for space, marked in groupby(_marked(path), key=lambda row: row[0]):
        yield space, (body for _, body in marked)


def _marked(path: Path) -> Iterator[tuple[Space, Mapping[str, Any]]]:
    space = Space("")
    for _, body in _read(path):
        if body.get("record") == "space":
            space = Space(str(body["space"]))
        elif body.get("record") not in ("backup", "backup_end"):
            yield space, body
