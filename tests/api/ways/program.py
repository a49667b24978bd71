"""The program."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from io import StringIO, TextIOBase
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from muniment.api.cli.main import app
from tests.api.ways.said import FactSaid, Json, Refused, moment


class OverCommandLine:
    """The program; each command opens the store and closes it."""

    def __init__(self, store_url: str, tenant: str, folder: Path, walls: Sequence[str]) -> None:
        self._target = ["--store", store_url, "--tenant", tenant]
        self._walls = [word for wall in walls for word in ("--wall", wall)]
        self._folder = folder

    def _run(self, *words: str) -> Any:
        ran = CliRunner().invoke(app, [*words, *self._target, "--json"])
        if ran.exit_code:
            raise Refused(ran.exit_code, ran.stderr)
        return json.loads(ran.stdout)

    def _file(self, name: str, *rows: Any) -> str:
        file = self._folder / name
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return str(file)

    def _at_once(self, *commands: Sequence[str]) -> list[Any]:
        """The answers of commands that run at the same time, each in a thread with an engine of its own."""
        with redirect_stdout(_ByThread()) as printed, ThreadPoolExecutor(len(commands)) as pool:

            def ran(words: Sequence[str]) -> Any:
                printed.begin()
                assert not app([*words, *self._target, "--json"], standalone_mode=False)
                return json.loads(printed.ended())

            return list(pool.map(ran, commands))

    def tell(self, said: FactSaid) -> Json:
        return dict(self._run(*_told(said)))

    def tell_at_once(self, said: Sequence[FactSaid]) -> None:
        self._at_once(*(_told(one) for one in said))

    def tell_all(self, said: Sequence[FactSaid]) -> None:
        rows = [
            {
                "id": f"row-{number}",
                "kind": "fact",
                "at": moment(one["since"] or "2024-01-01"),
                "text": one.get("text", f"{one['subject']} {one['relation']} {one['object']}"),
                "subject": one["subject"],
                "relation": one["relation"],
                "object": one["object"],
                **({"valid_from": moment(one["since"])} if one["since"] else {}),
            }
            for number, one in enumerate(said)
        ]
        self._run("ingest", self._file("facts.jsonl", *rows), "--no-extract")

    def note(self, text: str, *, at: str, id: str) -> Json:
        return dict(self._run("remember", text, "--at", moment(at), "--id", id))

    def command(self, body: Mapping[str, Any]) -> Json:
        return dict(self._run("commands", self._file("commands.json", body)))

    def facts(self, **filters: Any) -> list[Json]:
        return list(self._run("facts", "--limit", "200", *_options(filters))["items"])

    def fact(self, id: str) -> Json:
        return dict(self._run("show", id))

    def history(self, id: str) -> Json:
        return dict(self._run("history", id))

    def entities(self, q: str = "") -> list[Json]:
        return list(self._run("entities", *([q] if q else []), "--limit", "200")["items"])

    def entity(self, id: str) -> Json:
        return dict(self._run("show", id))

    def paths(self, a: str, b: str, **options: Any) -> list[Json]:
        return list(self._run("paths", a, b, *_options(options))["items"])

    def episode(self, id: str) -> Json:
        return dict(self._run("show", id, *self._walls))

    def keep(self, body: Mapping[str, Any]) -> Json:
        options = {"at": body["occurred_at"], "kind": body["kind"], "id": body.get("external_id", "")}
        options |= {"title": body.get("title", ""), "in-wall": body.get("wall", ""), **body.get("scope", {})}
        options |= {"metadata": json.dumps(body["metadata"]) if "metadata" in body else ""}
        said = {name: value for name, value in options.items() if value}
        return dict(self._run("remember", body["text"], "--no-extract", *_options(said), *self._walls))

    def retract(self, id: str) -> Json:
        return dict(self._run("retract", id, *self._walls))

    def forget(self, id: str) -> Json:
        return dict(self._run("forget", id, *self._walls))

    def reviews(self) -> list[Json]:
        return list(self._run("reviews")["items"])

    def recall(self, query: str, **options: Any) -> list[Json]:
        return list(self._run("recall", query, *_question(options), *self._walls)["hits"])

    def recall_at_once(self, query: str, limits: Sequence[int]) -> list[int]:
        answers = self._at_once(*(("recall", query, "--limit", str(limit)) for limit in limits))
        return [len(one["hits"]) for one in answers]

    def block(self, query: str, **options: Any) -> str:
        return str(self.context(query, **options)["text"])

    def context(self, query: str, **options: Any) -> Json:
        return dict(self._run("context", query, *_question(options), *self._walls))

    def merge(self, ids: Sequence[str]) -> Json:
        return dict(self._run("merge", *ids))

    def purge(self, episode: str) -> Json:
        return dict(self._run("purge", "--episode", episode, "--yes"))

    def export(self) -> str:
        ran = CliRunner().invoke(app, ["export", *self._target])
        assert ran.exit_code == 0, ran.output
        return ran.stdout

    def audit(self) -> list[Json]:
        return list(self._run("audit")["items"])

    def reopen(self) -> None:
        """Every command opens the store anew."""


def _told(said: FactSaid) -> list[str]:
    given = {"--since": said["since"] and moment(said["since"]), "--until": said["until"] and moment(said["until"])}
    given |= {"--object-type": said.get("type", ""), "--text": said.get("text", "")}
    options = [word for name, value in given.items() if value for word in (name, value)]
    return ["assert", said["subject"], said["relation"], said["object"], *options]


def _question(options: Mapping[str, Any]) -> list[str]:
    """The options of a question, as the program has them."""
    given = {name: value for name, value in options.items() if name not in ("scope", "budget_tokens")}
    given |= options.get("scope", {})
    return _options(given | ({"budget": options["budget_tokens"]} if "budget_tokens" in options else {}))


def _options(given: Mapping[str, Any]) -> list[str]:
    words: list[str] = []
    for name, value in given.items():
        option = f"--{name.replace('_', '-')}"
        words += [option] if value is True else [option, str(value)]
    return words


class _ByThread(TextIOBase):
    """Standard output that keeps apart what each thread prints."""

    def __init__(self) -> None:
        self._own = threading.local()

    def begin(self) -> None:
        self._own.text = StringIO()

    def ended(self) -> str:
        return str(self._own.text.getvalue())

    def write(self, text: str, /) -> int:
        return int(self._own.text.write(text))
