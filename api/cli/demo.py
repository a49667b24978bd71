"""`muniment demo`: a story over months, told to the embedded store, and what the engine makes of it.

No key, no server, no network. The store is a file in a folder that is named, or in a temporary one that is removed again.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import fields, is_dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from rich.console import Console
from rich.text import Text

from muniment.api.cli.parts import AsJson
from muniment.graph_schema.errors import Conflict, ModelUnavailable

if TYPE_CHECKING:
    from muniment.api.demo.telling import Demonstration
    from muniment.engine.bootstrap import Engine

DATABASE = "story.db"
_TOO_WEAK = frozenset({"degraded", "broken"})

Folder = Annotated[
    Path | None,
    typer.Argument(help="Where to keep the store, to look at it afterwards; a temporary folder when left out."),
]


def register(app: typer.Typer) -> None:
    """Adds the command to the program."""
    app.command()(demo)


def demo(
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    """Tell a story over months to the embedded store and show what it remembers."""
    if folder is not None and (folder / DATABASE).exists():
        raise Conflict(f"{folder / DATABASE} is there already: name another folder, or remove it")
    console = Console(highlight=False)
    progress = Console(stderr=True)
    with tempfile.TemporaryDirectory(prefix="muniment-demo-") if folder is None else nullcontext(folder) as place:
        Path(place).mkdir(parents=True, exist_ok=True)
        url = f"sqlite:///{Path(place).resolve() / DATABASE}"
        waiting = progress.status("Loading the models and telling the story") if progress.is_terminal else nullcontext()
        with waiting:
            shown = asyncio.run(_demonstrate(url))
    if as_json:
        sys.stdout.write(json.dumps(_plain(shown), ensure_ascii=False) + "\n")
        return
    _print(console, shown)
    _print_next(console, None if folder is None else url, shown)


async def _demonstrate(url: str) -> Demonstration:
    # Loaded here, so that `muniment --help` does not wait for the engine.
    from muniment.api.demo.story import read_story
    from muniment.api.demo.telling import StoryClock, demonstrate
    from muniment.engine.bootstrap import open_engine
    from muniment.engine.settings import read_settings

    story = read_story()
    clock = StoryClock(story.today)
    # Whatever the environment allows, the demonstration stays on this machine.
    settings = read_settings(embedding_url="", models_download=False)
    async with open_engine(url, settings=settings, clock=clock) as engine:
        await _check_models(engine)
        return await demonstrate(engine, clock, story)


async def _check_models(engine: Engine) -> None:
    """Raises ModelUnavailable, with the commands, where the story could not be read: patterns alone miss half of it."""
    reports = (await engine.describe())["models"]
    commands = [str(one["mend"]) for one in cast(Sequence[Mapping[str, Any]], reports) if one["health"] in _TOO_WEAK]
    if commands:
        raise ModelUnavailable(
            f"the demonstration reads its story with the offline models; run: {' && '.join(commands)}"
        )


def _print(console: Console, shown: Demonstration) -> None:
    from muniment.api.demo import tables

    earlier = shown.story.earlier.date().isoformat()
    tables.show_told(console, shown)
    tables.show_answer(console, shown.now, title="A question three facts away")
    tables.show_answer(console, shown.earlier, title=f"The same question as of {earlier}")
    tables.show_answer(console, shown.chinese, title="The same kind of question in Chinese")
    tables.show_late(console, shown)
    tables.show_closings(console, shown)
    tables.show_context(console, shown)
    tables.show_refusal(console, shown)
    tables.show_undo(console, shown)


def _print_next(console: Console, url: str | None, shown: Demonstration) -> None:
    store = "sqlite:///muniment.db"
    console.print()
    if url is not None:
        look = f'muniment recall "{shown.story.three_hop.query}" --hops 3 --tenant {shown.story.tenant} --store {url}'
        console.print(Text("The story's store is kept. Ask it more:", style="bold"))
        console.print(Text(f"  {look}"), soft_wrap=True)
    console.print(Text("Next, with your own data:", style="bold"))
    activate = Path(sys.prefix) / "bin" / "activate"
    if shutil.which("muniment") is None and activate.exists():  # run through `make`
        here = activate.relative_to(Path.cwd()) if activate.is_relative_to(Path.cwd()) else activate
        console.print(Text(f"  . {here}"), soft_wrap=True)
    for command in (
        f"muniment ingest notes.md mails.jsonl --tenant me --store {store}",
        f'muniment recall "who is our contact at …?" --tenant me --store {store}',
        f'muniment context "what should I know before …?" --tenant me --store {store}',
    ):
        console.print(Text(f"  {command}"), soft_wrap=True)


def _plain(value: Any) -> Any:
    """A record as JSON: its fields, times as text."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, datetime):
        return value.isoformat()
    return value
