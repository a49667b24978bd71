"""Answers as tables for people. Everything here takes the JSON shapes, so that a table never shows more than `--json`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from muniment.api.cli.parts import Target, printable

Json = Mapping[str, Any]
_LONGEST_CELL: Final = 400
_LONGEST_NAME: Final = 80
_WIDTH_OF_A_FILE: Final = 160
_SHOWN_TEXTS: Final = 20
_LONGEST_TEXT: Final = 4_000

_STATUS_STYLE: Final = {
    "current": "green",
    "future": "cyan",
    "ended": "yellow",
    "superseded": "yellow",
    "rejected": "red",
    "archived": "dim",
    "done": "green",
    "failed": "red",
    "refused": "red",
}


def console() -> Console:
    """Where tables go; colour only on a terminal, and room enough where there is none."""
    made = Console(highlight=False)
    return made if made.is_terminal else Console(highlight=False, width=_WIDTH_OF_A_FILE)


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str = "") -> None:
    """A table of plain values; statuses in colour."""
    made = Table(title=title or None, header_style="bold", title_justify="left", pad_edge=False)
    for column in columns:
        made.add_column(column, overflow="fold", no_wrap=column in ("id", "status", "since", "until"))
    count = 0
    for row in rows:
        made.add_row(*(_cell(column, value) for column, value in zip(columns, row, strict=True)))
        count += 1
    if count:
        console().print(made)
    else:
        console().print(f"{title + ': ' if title else ''}nothing")


def _cell(column: str, value: object) -> Text:
    text = "" if value is None else printable(str(value))
    if len(text) > _LONGEST_CELL:
        text = text[: _LONGEST_CELL - 1] + "…"
    return Text(text, style=_STATUS_STYLE.get(text, "") if column in ("status", "state", "outcome") else "")


def hits(answer: Json, target: Target) -> None:
    """The hits of a recall, with what their score is made of and how they were found."""
    made = Table(header_style="bold", pad_edge=False, show_lines=False)
    for column in ("#", "score", "memory", "when", "why"):
        made.add_column(column, overflow="fold", no_wrap=column in ("#", "score", "when"))
    for number, hit in enumerate(answer["hits"], 1):
        memory = Text(printable(hit["text"][:_LONGEST_CELL]))
        memory.append(f"\n{hit['kind']} {hit['id']}", style="dim")
        if hit["status"] != "current":
            memory.append(f" {hit['status']}", style=_STATUS_STYLE.get(hit["status"], ""))
        made.add_row(str(number), f"{hit['score']:.3f}", memory, _when(hit), Text(printable(_why(hit))))
    out = console()
    out.print(made if answer["hits"] else Text(f"nothing found: {answer['empty']}"))
    for note in answer["degraded"]:
        out.print(Text(f"degraded: {note}", style="yellow"))
    why = f"muniment explain {answer['trace_id']}{target.options()}"
    out.print(
        Text(f"{answer['took_ms']:.0f} ms, with the loading of models; why each: {why}", style="dim"), soft_wrap=True
    )


def _when(hit: Json) -> str:
    if hit["occurred_at"]:
        return str(hit["occurred_at"])[:10]
    return interval(hit)


def interval(value: Json) -> str:
    start, end = value["valid_at"], value["invalid_at"]
    return f"{start[:10] if start else '…'} – {end[:10] if end else ''}"


def _why(hit: Json) -> str:
    parts = sorted(hit["parts"].items(), key=lambda part: -abs(part[1]))[:3]
    told = ", ".join(f"{name} {value:.2f}" for name, value in parts)
    if hit["path"]:
        names = [hit["path"][0]["from"]["name"], *(step["to"]["name"] for step in hit["path"])]
        told += "; " + " → ".join(names)
    return told


def receipt(value: Json, target: Target, names: Mapping[str, str]) -> None:
    """What a write did, in a few lines; `names` says by id what a change is of."""
    out = console()
    created = sum(e["status"] == "created" for e in value["episodes"])
    existing = len(value["episodes"]) - created
    head = "would do" if value["dry_run"] else "receipt"
    out.print(Text(f"{head} {value['id']}", style="bold"))
    if value["episodes"]:
        out.print(f"  episodes: {created} kept" + (f", {existing} already there" if existing else ""))
    if value["changes"]:
        table(
            ["action", "kind", "what", "rule", "id"],
            (
                [c["action"], c["kind"], _short(names.get(c["id"], "")), c["because"]["rule"], c["id"]]
                for c in value["changes"]
            ),
        )
    if value["reviews"]:
        out.print(Text(f"  to decide: {', '.join(value['reviews'])}  (muniment reviews)", style="yellow"))
    for rejected in value["rejected"]:
        out.print(Text(printable(f"  not taken: {rejected['input']}: {rejected['detail']}"), style="red"))
    for one in value["screened"]:
        out.print(Text(f"  {one['input']}: {one['count']} × {one['kind']} {one['done']}", style="yellow"))
    for note in value["degraded"]:
        out.print(Text(printable(f"  degraded: {note}"), style="yellow"))
    if value["job"]:
        out.print(f"  job: {value['job']}")
    if value["trace_id"]:
        why = f"muniment explain {value['trace_id']}{target.options()}"
        out.print(Text(f"  log-only: nothing was stored; all that was found: {why}", style="yellow"), soft_wrap=True)
    if not value["dry_run"] and (value["changes"] or created):
        out.print(Text(f"  take it back: muniment undo {value['id']}{target.options()}", style="dim"), soft_wrap=True)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_NAME else text[: _LONGEST_NAME - 1] + "…"


_KIND_STYLE: Final = {
    "entity": "bold cyan",
    "fact": "underline green",
    "preference": "underline magenta",
    "skill": "underline blue",
    "event": "underline yellow",
}


def highlighted(texts: Sequence[str], candidates: Iterable[Json]) -> None:
    """Texts with what was found in them marked by kind; `draft_3` is the fourth text. Long ones are cut."""
    found: dict[int, list[Json]] = {}
    for one in candidates:
        number = str(one["episode"]).removeprefix("draft_")
        if number.isdigit():
            found.setdefault(int(number), []).append(one)
    out = console()
    for place, text in enumerate(texts[:_SHOWN_TEXTS]):
        shown = Text(printable(text[:_LONGEST_TEXT]))
        marked = found.get(place, [])
        for one in [*(c for c in marked if c["kind"] != "entity"), *(c for c in marked if c["kind"] == "entity")]:
            start, end = one["start"], one["end"]
            if text[start:end] == one["text"] and 0 <= start < end:
                shown.stylize(_KIND_STYLE.get(one["kind"], ""), start, end)
        out.print(shown, soft_wrap=True)
        out.print()
    marks = Text("marked: ")
    for kind, style in _KIND_STYLE.items():
        marks.append(kind, style=style).append(" ")
    out.print(marks)


def facts(items: Iterable[Json], *, title: str = "") -> None:
    table(
        ["status", "subject", "relation", "object", "since", "until", "text", "id"],
        (
            [
                f["status"],
                f["subject"]["name"],
                f["relation"],
                f["object"].get("name") or f["object"].get("value"),
                (f["valid_at"] or "…")[:10],
                (f["invalid_at"] or "")[:10],
                f["text"],
                f["id"],
            ]
            for f in items
        ),
        title=title,
    )


def record(value: Json) -> None:
    """One record, a field a line; empty ones left out."""
    made = Table(show_header=False, box=None, pad_edge=False)
    made.add_column(style="bold", no_wrap=True)
    made.add_column(overflow="fold")
    for name, field in value.items():
        if field not in (None, "", [], {}, ()):
            made.add_row(name, Text(printable(_plain(field))))
    console().print(made)


def _plain(value: object) -> str:
    if isinstance(value, Mapping):
        named = value.get("name") or value.get("value")
        if named is not None:
            return str(named)
        return ", ".join(f"{k} {_plain(v)}" for k, v in value.items() if v not in (None, "", [], {}))
    if isinstance(value, list | tuple):
        return "\n".join(_plain(one) for one in value)
    return str(value)
