"""Commands that keep what happened and what is held true."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from muniment.api.cli.parts import (
    Absent,
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
from muniment.api.cli.receipts import write
from muniment.graph_schema.errors import Invalid

if TYPE_CHECKING:
    from muniment.engine.memory import ExtractMode

_ENTITY_ID: Final = re.compile(r"n_[0-9a-f]{24}")

Extract = Annotated[bool, typer.Option("--extract/--no-extract", help="Whether facts are derived from the text.")]
Wall = Annotated[str, typer.Option("--in-wall", help="The closed area that it goes into.")]


def register(app: typer.Typer) -> None:
    """Adds the commands to the program."""
    app.command()(remember)
    app.command("assert")(assert_fact)
    app.command()(extract)
    app.command()(commands)
    app.command()(rules)


def remember(
    text: Annotated[str, typer.Argument(help="The words; - reads them from standard input.")],
    tenant: Tenant,
    at: Annotated[str | None, typer.Option("--at", help="When it happened; now by default.")] = None,
    kind: Annotated[str, typer.Option(help="message, document, note, event or tool.")] = "note",
    speaker: Annotated[str, typer.Option(help="Who said or wrote it.")] = "",
    title: Annotated[str, typer.Option(help="What it is about.")] = "",
    external_id: Annotated[
        str | None, typer.Option("--id", help="Your own id; the same again changes nothing.")
    ] = None,
    user: Annotated[str, typer.Option(help="Only for this user.")] = "",
    session: Annotated[str, typer.Option(help="Only for this live session.")] = "",
    metadata: Annotated[
        str | None, typer.Option(metavar="JSON", help="A JSON object that is kept and given back as it is.")
    ] = None,
    in_wall: Wall = "",
    derive: Extract = True,
    dry_run: DryRun = False,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Keep one thing that happened, and derive what follows."""
    import sys

    episode: dict[str, Any] = {
        "text": sys.stdin.read() if text == "-" else text,
        "kind": kind,
        "occurred_at": at or datetime.now(UTC),
        "speaker": speaker,
        "title": title,
        "external_id": external_id,
        "scope": {"user": user, "session": session},
        "metadata": None if metadata is None else json_object(metadata, "--metadata", field="metadata"),
        "wall": in_wall,
    }
    walls = {*(wall or ()), *([in_wall] if in_wall else ())}
    target = Target(tenant=tenant, store=store, walls=sorted(walls))
    mode: ExtractMode = "auto" if derive else "none"
    write(
        target,
        lambda memory: memory.remember([episode], extract=mode, dry_run=dry_run),
        as_json=as_json,
        absent=for_write(dry_run=dry_run),
    )


def assert_fact(
    subject: Annotated[str, typer.Argument(help="What the fact is about: a name, or the id of an entity.")],
    relation: Annotated[str, typer.Argument(help="Name or wording of a relation.")],
    object: Annotated[str, typer.Argument(help="What is said of it: a name, the id of an entity, or a --value.")],
    tenant: Tenant,
    value: Annotated[bool, typer.Option("--value", help="The object is a bare value, not a thing.")] = False,
    since: Annotated[str | None, typer.Option("--since", help="Since when it is true.")] = None,
    until: Annotated[str | None, typer.Option("--until", help="Until when.")] = None,
    subject_type: Annotated[str, typer.Option(help="Type of the subject, such as person.")] = "",
    object_type: Annotated[str, typer.Option(help="Type of the object.")] = "",
    text: Annotated[str, typer.Option(help="The sentence that says it.")] = "",
    confidence: Annotated[float, typer.Option(min=0.0, max=1.0)] = 1.0,
    evidence: Annotated[list[str] | None, typer.Option(help="Id of an episode that proves it; repeat it.")] = None,
    in_wall: Wall = "",
    dry_run: DryRun = False,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Hold a structured fact true."""
    fact: dict[str, Any] = {
        "subject": _end(subject, subject_type),
        "relation": relation,
        "object": {"value": object} if value else _end(object, object_type),
        "valid_at": since,
        "invalid_at": until,
        "text": text,
        "confidence": confidence,
        "evidence": evidence or [],
        "wall": in_wall,
    }
    walls = {*(wall or ()), *([in_wall] if in_wall else ())}
    target = Target(tenant=tenant, store=store, walls=sorted(walls))
    write(
        target,
        lambda memory: memory.assert_facts([fact], dry_run=dry_run),
        as_json=as_json,
        absent=for_write(dry_run=dry_run),
    )


def extract(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="Text, or JSON Lines of episodes.")],
    tenant: Tenant,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """See what would be derived from a file; nothing is stored."""
    from muniment.api import shapes
    from muniment.api.cli.files import Layout, items_in
    from muniment.api.cli.tables import highlighted, table

    episodes = [item.episode for item in items_in(file, Layout())]
    target = Target(tenant=tenant, store=store, walls=wall or ())
    found = with_memory(target, lambda memory: memory.extract(episodes), absent=Absent.EMPTY)
    shown = shapes.extraction(found)
    if as_json:
        print_json(shown)
        return
    highlighted([episode.text for episode in episodes], shown["candidates"])
    table(
        ["kind", "quote", "subject", "relation", "object", "says", "sure", "rule"],
        (
            [
                c["kind"],
                c["text"],
                _name(c["subject"]),
                c["relation"],
                _name(c["object"]),
                c["assertion"],
                f"{c['confidence']:.2f}",
                c["rule"],
            ]
            for c in shown["candidates"]
        ),
    )
    for note in shown["degraded"]:
        say(f"degraded: {note}")


def commands(
    file: Annotated[Path, typer.Argument(help="JSON with memory_commands; - reads standard input.")],
    tenant: Tenant,
    dry_run: DryRun = False,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Apply a model's memory commands."""
    from muniment.engine.write.commands import commands_in

    given = commands_in(read_text(file))
    target = Target(tenant=tenant, store=store, walls=wall or ())
    write(
        target,
        lambda memory: memory.apply_commands(given, dry_run=dry_run),
        as_json=as_json,
        absent=for_write(dry_run=dry_run),
    )


def rules(
    area: Annotated[str, typer.Option(help="Only fact, date, name, identifier, guard or secret.")] = "",
    lang: Annotated[str, typer.Option(help="Only rules of this language: en or zh.")] = "",
    as_json: AsJson = False,
) -> None:
    """Every rule by which texts are read, with an example of each."""
    from muniment.api.cli.tables import table
    from muniment.engine.extract.rule_list import Area, listed_rules

    if area and area not in set(Area):
        raise Invalid(f"area is {area!r}: use {', '.join(Area)}", field="area")
    found = [r for r in listed_rules() if area in ("", r.area) and lang in ("", r.lang)]
    if as_json:
        shown = [{**asdict(rule), "area": rule.area.value, "confidence": rule.confidence or None} for rule in found]
        print_json({"items": shown})
        return
    table(
        ["rule", "area", "lang", "reads", "sure", "example"],
        (
            [r.id, r.area.value, r.lang, r.reads, f"{r.confidence:.2f}" if r.confidence else "", r.example]
            for r in found
        ),
    )


def read_text(file: Path) -> str:
    """What stands in a file; `-` is standard input. Raises Invalid naming the file."""
    import sys

    try:
        return sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as cause:
        raise Invalid(f"{file} cannot be read: {cause}", field="file") from cause


def read_json(file: Path) -> dict[str, Any]:
    """The JSON object in a file; `-` is standard input. Raises Invalid naming the file."""
    return json_object(read_text(file), str(file), field="file")


def json_object(text: str, where: str, *, field: str) -> dict[str, Any]:
    """The JSON object in a text. Raises Invalid that says where the text stands."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as cause:
        raise Invalid(f"{where} is not JSON: {cause}", field=field) from cause
    if not isinstance(value, dict):
        raise Invalid(f"{where} holds {type(value).__name__}: give one JSON object", field=field)
    return value


def _end(said: str, type: str) -> dict[str, Any]:
    """An end of a fact as the engine takes it."""
    return {"id": said} if _ENTITY_ID.fullmatch(said) else {"name": said, "type": type}


def _name(end: dict[str, Any] | None) -> str:
    return "" if end is None else str(end.get("name") or end.get("value") or end.get("id"))
