"""`muniment ingest`: files into memory, batch by batch, and on again after a break."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muniment.api.cli.parts import (
    AsJson,
    DryRun,
    Store,
    Target,
    Tenant,
    Walls,
    for_write,
    print_json,
    say,
    with_memory,
)
from muniment.engine.ingest.inputs import MAX_ITEMS
from muniment.graph_schema.errors import Invalid, MunimentError
from muniment.graph_schema.records import HELD_KINDS, Action

if TYPE_CHECKING:
    from muniment.api.cli.files import Item, Layout
    from muniment.engine.memory import ExtractMode, Memory

DEFAULT_BATCH = 200
_SHOWN_RECEIPTS = 3


@dataclass(slots=True)
class Tally:
    """What was done so far."""

    created: int = 0
    existing: int = 0
    derived: int = 0  # facts, preferences and skills that were not there before, read from texts
    facts: int = 0  # asserted by rows that state them
    rejected: list[dict[str, str]] = field(default_factory=list)
    reviews: int = 0
    receipts: list[str] = field(default_factory=list)  # of the writes that changed something, in order
    dry_run: bool = False  # nothing was to be stored; the counts are what would have been
    log_only: bool = False  # the tenant stores nothing; the counts are what it would have stored

    def shown(self) -> dict[str, Any]:
        return {
            "episodes": {"created": self.created, "exists": self.existing},
            "derived": self.derived,
            "facts": self.facts,
            "reviews": self.reviews,
            "rejected": self.rejected,
            "receipts": self.receipts,
            "dry_run": self.dry_run,
            "log_only": self.log_only,
        }


def register(app: typer.Typer) -> None:
    """Adds the command to the program."""
    app.command()(ingest)


def ingest(
    files: Annotated[
        list[Path], typer.Argument(exists=True, help="JSON Lines, CSV, text, Markdown, or folders of them.")
    ],
    tenant: Tenant,
    format: Annotated[str | None, typer.Option("--format", help="jsonl, csv or text; else the name tells.")] = None,
    columns: Annotated[
        list[str] | None, typer.Option("--map", help="FIELD=COLUMN of a CSV, such as text=Body; repeat it.")
    ] = None,
    records: Annotated[
        str,
        typer.Option("--records", help="Rows of a CSV are accounts, contacts or deals: each states facts of its own."),
    ] = "",
    kind: Annotated[str, typer.Option(help="Kind of what has none: message, document, note, event or tool.")] = "",
    at: Annotated[str, typer.Option("--at", help="When it happened, for what does not say.")] = "",
    in_wall: Annotated[str, typer.Option("--in-wall", help="The closed area that it goes into.")] = "",
    derive: Annotated[
        bool, typer.Option("--extract/--no-extract", help="Whether facts are derived from texts.")
    ] = True,
    batch: Annotated[int, typer.Option(min=1, max=1000, help="Episodes of one write.")] = DEFAULT_BATCH,
    dry_run: DryRun = False,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Keep what files say.

    JSON Lines hold the fields of an episode. Of a folder every file whose name tells what it is, those further down too.
    What is there already by its external id is left as it is, so the same command goes on where an interrupted one
    stopped. At a broken line the good ones before it are kept. With --dry-run each batch is tried on the store as it is, without those before it.
    """
    from muniment.api.cli.files import Format, Layout, files_in, format_of
    from muniment.api.cli.records import RecordKind

    if format is not None and format not in set(Format):
        raise Invalid(f"format is {format!r}: use {', '.join(Format)}", field="format")
    if records and records not in set(RecordKind):
        raise Invalid(f"records is {records!r}: use {', '.join(RecordKind)}", field="records")
    layout = Layout(
        records=RecordKind(records) if records else None,
        format=Format(format) if format else None,
        columns=_columns(columns or ()),
        defaults={"kind": kind, "occurred_at": at, "wall": in_wall},
    )
    files = [file for path in files for file in files_in(path)]
    for path in files:
        format_of(path, layout)
    walls = {*(wall or ()), *([in_wall] if in_wall else ())}
    tally = Tally(dry_run=dry_run)
    job = Ingestion(files=files, layout=layout, derive=derive, batch=batch, quiet=as_json, tally=tally)
    try:
        with_memory(Target(tenant=tenant, store=store, walls=sorted(walls)), job.run, absent=for_write(dry_run=dry_run))
    finally:
        if as_json:
            print_json(tally.shown())
        else:
            _say(tally)


def _say(tally: Tally) -> None:
    if tally.dry_run:
        say("dry run: nothing was kept; this would have been:")
    elif tally.log_only:
        say("log-only: the tenant's settings store nothing; these would have been:")
    facts = f"facts: {tally.derived} derived, {tally.facts} asserted"
    say(f"episodes: {tally.created} kept, {tally.existing} were there already; {facts}")
    for rejected in tally.rejected[:20]:
        say(f"not taken: {rejected['input']}: {rejected['detail']}")
    if len(tally.rejected) > 20:
        say(f"… and {len(tally.rejected) - 20} more not taken (--json lists them)")
    if tally.reviews:
        say(f"{tally.reviews} to decide: muniment reviews")
    if tally.receipts:
        last, more = tally.receipts[: -_SHOWN_RECEIPTS - 1 : -1], len(tally.receipts) - _SHOWN_RECEIPTS
        before = f" and {more} before (--json lists them)" if more > 0 else ""
        say(f"receipts, the last first: {', '.join(last)}{before}; muniment undo RECEIPT takes one back")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingestion:
    """One run of the command."""

    files: Sequence[Path]
    layout: Layout
    derive: bool
    batch: int
    quiet: bool
    tally: Tally

    async def run(self, memory: Memory) -> None:
        """Writes every file. Raises what reading a file raises, after writing what came before."""
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(stderr=True)
        bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f}%"),
            TextColumn("{task.fields[rows]} rows"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=self.quiet or not console.is_terminal,
        )
        with bar:
            sizes = [path.stat().st_size for path in self.files]
            task = bar.add_task(", ".join(path.name for path in self.files[:3]), total=sum(sizes) or 1, rows=0)
            rows = 0
            for items, fault in batches(self._items(sizes), self.batch):
                if items:
                    await self._write_batch(memory, items)
                    rows += len(items)
                    bar.update(task, completed=items[-1].done_bytes, rows=rows)
                if fault is not None:
                    raise fault

    def _items(self, sizes: Sequence[int]) -> Iterator[Item]:
        """What all files hold, one after another: notes of a folder share writes as rows of a file do."""
        from muniment.api.cli.files import items_in

        before = 0
        for path, size in zip(self.files, sizes, strict=True):
            for item in items_in(path, self.layout):
                yield replace(item, done_bytes=before + item.done_bytes)
            before += size

    async def _write_batch(self, memory: Memory, items: Sequence[Item]) -> None:
        states_facts = bool(items[0].facts)
        episodes = [item.episode for item in items]
        extract: ExtractMode = "auto" if self.derive and not states_facts else "none"
        receipt = await memory.remember(episodes, extract=extract, dry_run=self.tally.dry_run)
        self._count(receipt, items)
        if states_facts:
            await self._assert(memory, items, {e.external_id: e for e in receipt.episodes}, receipt.episodes)

    async def _assert(self, memory: Memory, items: Sequence[Item], by_id: Mapping[str | None, Any], all_: Any) -> None:
        """Asserts what the rows state, each with its episode as evidence; what an earlier run asserted is left alone."""
        there = [one.id for one in all_ if one.status == "exists"]
        used = await memory.used_as_evidence(there) if there else frozenset()
        facts = []
        for n, item in enumerate(items):
            kept = by_id.get(item.episode.external_id) if item.episode.external_id else all_[n]
            if kept is None:
                continue
            if kept.id in used:
                continue
            is_kept = kept.status == "exists" or not (self.tally.dry_run or self.tally.log_only)
            evidence = {"evidence": [kept.id]} if is_kept else {}
            facts.append([{**fact, **evidence} for fact in item.facts])
        for together in _calls(facts):
            receipt = await memory.assert_facts(together, dry_run=self.tally.dry_run)
            self._keep(receipt)
            self.tally.facts += len(together) - len(receipt.rejected)
            self.tally.reviews += len(receipt.reviews)
            self.tally.rejected += [{"input": r.input, "code": r.code, "detail": r.detail} for r in receipt.rejected]

    def _keep(self, receipt: Any) -> None:
        kept = any(e.status == "created" for e in receipt.episodes)
        if (receipt.changes or kept) and not receipt.dry_run:
            self.tally.receipts.append(receipt.id)

    def _count(self, receipt: Any, items: Sequence[Item]) -> None:
        self._keep(receipt)
        self.tally.log_only = receipt.dry_run and not self.tally.dry_run
        self.tally.created += sum(e.status == "created" for e in receipt.episodes)
        self.tally.existing += sum(e.status == "exists" for e in receipt.episodes)
        self.tally.derived += sum(c.kind in HELD_KINDS and c.action is Action.CREATED for c in receipt.changes)
        self.tally.reviews += len(receipt.reviews)
        self.tally.rejected += [
            {"input": _where(r.input, items), "code": r.code, "detail": r.detail} for r in receipt.rejected
        ]


def _calls(rows: Sequence[Sequence[Mapping[str, Any]]]) -> Iterator[list[Mapping[str, Any]]]:
    """The facts of rows in calls that are not too large; those of one row stay together, so that none is half done."""
    call: list[Mapping[str, Any]] = []
    for row in rows:
        if call and len(call) + len(row) > MAX_ITEMS:
            yield call
            call = []
        call.extend(row)
    if call:
        yield call


def batches(items: Iterator[Item], size: int) -> Iterable[tuple[list[Item], MunimentError | None]]:
    """Items in batches of one kind (rows that state a fact apart from texts), in order; a fault comes with the batch
    before it."""
    batch: list[Item] = []
    while True:
        try:
            item = next(items, None)
        except MunimentError as error:
            yield batch, error
            return
        if item is None:
            yield batch, None
            return
        if batch and (len(batch) >= size or bool(item.facts) != bool(batch[0].facts)):
            yield batch, None
            batch = []
        batch.append(item)


def _columns(told: Sequence[str]) -> dict[str, str]:
    columns: dict[str, str] = {}
    for one in told:
        name, mark, column = one.partition("=")
        if not (name and mark and column):
            raise Invalid(f"--map {one!r}: say FIELD=COLUMN, such as text=Body", field="map")
        columns[name] = column
    return columns


def _where(input: str, items: Sequence[Item]) -> str:
    """The line of an input that the engine names by its place in the call."""
    number = input.partition("[")[2].partition("]")[0]
    return items[int(number)].where if number.isdigit() and int(number) < len(items) else input
