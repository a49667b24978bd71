"""One tenant seen through each way in: Python, HTTP and the command line; the same steps, the same answers in JSON."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from mcp import Client
from typer.testing import CliRunner

from muniment.api import shapes
from muniment.api.auth import caller_of
from muniment.api.cli.main import app
from muniment.api.cli.parts import EXITS, WRONG
from muniment.api.mcp.server import Visit, memory_server
from muniment.api.service import Service
from muniment.engine.bootstrap import Engine, open_engine
from muniment.engine.keys import ApiKey, Role
from muniment.engine.memory import Memory
from muniment.engine.settings import read_settings
from muniment.graph_schema.errors import MunimentError
from muniment.graph_schema.ids import KeyId
from tests.api.calling import Caller
from tests.api.running import Running, serving

Json = dict[str, Any]
FactSaid = Mapping[str, Any]


class Refused(Exception):
    """A verb was refused. `exit` is the exit code of its kind of error, which every surface's own code leads to."""

    def __init__(self, exit: int, said: str) -> None:
        super().__init__(said)
        self.exit = exit


class Surface(Protocol):
    """What the cases need of a tenant. A fact is said as `fact()` makes it; answers have the shapes of the contract."""

    def tell(self, said: FactSaid) -> Json: ...
    def tell_all(self, said: Sequence[FactSaid]) -> None: ...
    def note(self, text: str, *, at: str, id: str) -> Json: ...
    def command(self, body: Mapping[str, Any]) -> Json: ...
    def facts(self, **filters: Any) -> list[Json]: ...
    def fact(self, id: str) -> Json: ...
    def history(self, id: str) -> Json: ...
    def entities(self, q: str = "") -> list[Json]: ...
    def entity(self, id: str) -> Json: ...
    def paths(self, a: str, b: str) -> list[Json]: ...
    def episode(self, id: str) -> Json: ...
    def keep(self, body: Mapping[str, Any]) -> Json:
        """Keeps one episode, told as the contract has it, and derives nothing; gives the receipt."""
        ...

    def retract(self, id: str) -> Json: ...
    def forget(self, id: str) -> Json: ...
    def reviews(self) -> list[Json]: ...
    def recall(self, query: str, **options: Any) -> list[Json]: ...
    def block(self, query: str, **options: Any) -> str: ...
    def context(self, query: str, **options: Any) -> Json: ...
    def merge(self, ids: Sequence[str]) -> Json: ...
    def purge(self, episode: str) -> Json: ...
    def export(self) -> str: ...
    def audit(self) -> list[Json]: ...
    def reopen(self) -> None:
        """Closes the store and opens it anew, where the surface keeps it open."""
        ...


def fact(subject: str, relation: str, object: str, since: str = "", until: str = "", **more: Any) -> FactSaid:
    """A fact to tell; dates are days. `type` is the type of its object, `text` its sentence."""
    return {"subject": subject, "relation": relation, "object": object, "since": since, "until": until, **more}


def _body(said: FactSaid) -> Json:
    body: Json = {
        "subject": {"name": said["subject"]},
        "relation": said["relation"],
        "object": {"name": said["object"], **({"type": said["type"]} if "type" in said else {})},
    }
    for name, day in (("valid_at", said["since"]), ("invalid_at", said["until"])):
        if day:
            body[name] = moment(day)
    if "text" in said:
        body["text"] = said["text"]
    return body


def moment(day: str) -> str:
    """Midnight of a day."""
    return f"{day}T00:00:00Z"


class OverPython:
    """The façade itself; its records are told in the contract's shapes."""

    def __init__(
        self,
        run: Callable[[Any], Any],
        opened: Callable[[], Engine],
        reopen: Callable[[], None],
        tenant: str,
        walls: Sequence[str],
    ) -> None:
        self._run, self._opened, self._tenant, self._walls = run, opened, tenant, walls
        self.reopen = reopen

    def _do(self, work: Callable[[Memory], Any]) -> Any:
        memory = self._opened().for_tenant(self._tenant, actor="tester", walls=self._walls)
        try:
            return self._run(work(memory))
        except MunimentError as error:
            raise Refused(EXITS.get(error.code, WRONG), str(error)) from error

    def tell(self, said: FactSaid) -> Json:
        return shapes.receipt(self._do(lambda m: m.assert_facts([_body(said)])))

    def tell_all(self, said: Sequence[FactSaid]) -> None:
        self._do(lambda m: m.assert_facts([_body(one) for one in said]))

    def note(self, text: str, *, at: str, id: str) -> Json:
        told = {"text": text, "kind": "note", "occurred_at": moment(at), "external_id": id}
        return shapes.receipt(self._do(lambda m: m.remember([told])))

    def command(self, body: Mapping[str, Any]) -> Json:
        return shapes.receipt(self._do(lambda m: m.apply_commands(body)))

    def facts(self, **filters: Any) -> list[Json]:
        at = datetime.fromisoformat(filters["as_of"]) if "as_of" in filters else datetime.now(UTC)
        return [shapes.fact(one, at=at) for one in self._do(lambda m: m.facts(limit=200, **filters)).items]

    def fact(self, id: str) -> Json:
        return shapes.fact(self._do(lambda m: m.fact(id)), at=datetime.now(UTC))

    def history(self, id: str) -> Json:
        return shapes.history(self._do(lambda m: m.history(id)), at=datetime.now(UTC))

    def entities(self, q: str = "") -> list[Json]:
        return [shapes.entity_page(one) for one in self._do(lambda m: m.entities(q=q, limit=200)).items]

    def entity(self, id: str) -> Json:
        return shapes.entity_page(self._do(lambda m: m.entity(id)))

    def paths(self, a: str, b: str) -> list[Json]:
        return [shapes.path(one, at=datetime.now(UTC)) for one in self._do(lambda m: m.paths(a, b))]

    def episode(self, id: str) -> Json:
        return shapes.episode(self._do(lambda m: m.episode(id)))

    def keep(self, body: Mapping[str, Any]) -> Json:
        return shapes.receipt(self._do(lambda m: m.remember([body], extract="none")))

    def retract(self, id: str) -> Json:
        return shapes.receipt(self._do(lambda m: m.retract(id)))

    def forget(self, id: str) -> Json:
        return shapes.receipt(self._do(lambda m: m.forget([id])))

    def reviews(self) -> list[Json]:
        return [shapes.review(one, at=datetime.now(UTC)) for one in self._do(lambda m: m.reviews()).items]

    def recall(self, query: str, **options: Any) -> list[Json]:
        hits: list[Json] = shapes.recall(self._do(lambda m: m.recall(query, **options)))["hits"]
        return hits

    def block(self, query: str, **options: Any) -> str:
        return str(self.context(query, **options)["text"])

    def context(self, query: str, **options: Any) -> Json:
        return shapes.context(self._do(lambda m: m.context(query, **options)))

    def merge(self, ids: Sequence[str]) -> Json:
        return shapes.receipt(self._do(lambda m: m.merge(ids)))

    def purge(self, episode: str) -> Json:
        return shapes.certificate(self._do(lambda m: m.purge({"episode": episode})))

    def export(self) -> str:
        async def lines(memory: Memory) -> list[Any]:
            return [line async for line in memory.export()]

        return json.dumps(self._do(lines), ensure_ascii=False)

    def audit(self) -> list[Json]:
        return [shapes.audit_entry(one) for one in self._do(lambda m: m.audit()).items]


class OverHttp:
    """The service, called with an administrator's key."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def _ask(self, method: str, path: str, body: Any = None, **params: Any) -> Any:
        answer = self._caller(method, f"/v1{path}", body, params=params or None)
        if answer.is_success:
            return answer.json()
        problem = answer.json()
        raise Refused(EXITS.get(problem["code"], WRONG), problem["detail"])

    def tell(self, said: FactSaid) -> Json:
        return dict(self._ask("POST", "/facts", {"facts": [_body(said)]}))

    def tell_all(self, said: Sequence[FactSaid]) -> None:
        self._ask("POST", "/facts", {"facts": [_body(one) for one in said]})

    def note(self, text: str, *, at: str, id: str) -> Json:
        told = {"text": text, "kind": "note", "occurred_at": moment(at), "external_id": id}
        return dict(self._ask("POST", "/episodes", {"episodes": [told]}))

    def command(self, body: Mapping[str, Any]) -> Json:
        return dict(self._ask("POST", "/commands", body))

    def facts(self, **filters: Any) -> list[Json]:
        return list(self._ask("GET", "/facts", limit=200, **filters)["items"])

    def fact(self, id: str) -> Json:
        return dict(self._ask("GET", f"/facts/{id}"))

    def history(self, id: str) -> Json:
        return dict(self._ask("GET", f"/facts/{id}/history"))

    def entities(self, q: str = "") -> list[Json]:
        return list(self._ask("GET", "/entities", q=q, limit=200)["items"])

    def entity(self, id: str) -> Json:
        return dict(self._ask("GET", f"/entities/{id}"))

    def paths(self, a: str, b: str) -> list[Json]:
        return list(self._ask("GET", "/graph/paths", a=a, b=b)["items"])

    def episode(self, id: str) -> Json:
        return dict(self._ask("GET", f"/episodes/{id}"))

    def keep(self, body: Mapping[str, Any]) -> Json:
        return dict(self._ask("POST", "/episodes", {"episodes": [body], "extract": "none"}))

    def retract(self, id: str) -> Json:
        kind = "episodes" if id.startswith("e_") else "facts"
        return dict(self._ask("POST", f"/{kind}/{id}/retract"))

    def forget(self, id: str) -> Json:
        return dict(self._ask("POST", "/forget", {"ids": [id]}))

    def reviews(self) -> list[Json]:
        return list(self._ask("GET", "/reviews")["items"])

    def recall(self, query: str, **options: Any) -> list[Json]:
        return list(self._ask("POST", "/recall", {"query": query, **options})["hits"])

    def block(self, query: str, **options: Any) -> str:
        return str(self.context(query, **options)["text"])

    def context(self, query: str, **options: Any) -> Json:
        return dict(self._ask("POST", "/context", {"query": query, **options}))

    def merge(self, ids: Sequence[str]) -> Json:
        return dict(self._ask("POST", "/merges", {"ids": list(ids)}))

    def purge(self, episode: str) -> Json:
        return dict(self._ask("POST", "/purge", {"scope": {"episode": episode}}))

    def export(self) -> str:
        answer = self._caller("GET", "/v1/export")
        assert answer.is_success, answer.text
        return str(answer.text)

    def audit(self) -> list[Json]:
        return list(self._ask("GET", "/audit")["items"])

    def reopen(self) -> None:
        """The service stays up."""


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

    def tell(self, said: FactSaid) -> Json:
        words = ["assert", said["subject"], said["relation"], said["object"]]
        given = {"--since": said["since"] and moment(said["since"]), "--until": said["until"] and moment(said["until"])}
        given |= {"--object-type": said.get("type", ""), "--text": said.get("text", "")}
        return dict(self._run(*words, *(word for name, value in given.items() if value for word in (name, value))))

    def tell_all(self, said: Sequence[FactSaid]) -> None:
        rows = [
            {
                "id": f"row-{number}",
                "kind": "fact",
                "at": moment(one["since"]),
                "text": one.get("text", f"{one['subject']} {one['relation']} {one['object']}"),
                "subject": one["subject"],
                "relation": one["relation"],
                "object": one["object"],
                "valid_from": moment(one["since"]),
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

    def paths(self, a: str, b: str) -> list[Json]:
        return list(self._run("paths", a, b)["items"])

    def episode(self, id: str) -> Json:
        return dict(self._run("show", id, *self._walls))

    def keep(self, body: Mapping[str, Any]) -> Json:
        options = {"at": body["occurred_at"], "kind": body["kind"], "id": body.get("external_id", "")}
        options |= {"title": body.get("title", ""), "in-wall": body.get("wall", ""), **body.get("scope", {})}
        said = {name: value for name, value in options.items() if value}
        return dict(self._run("remember", body["text"], "--no-extract", *_options(said), *self._walls))

    def retract(self, id: str) -> Json:
        return dict(self._run("retract", id, *self._walls))

    def forget(self, id: str) -> Json:
        return dict(self._run("forget", id, *self._walls))

    def reviews(self) -> list[Json]:
        return list(self._run("reviews")["items"])

    def recall(self, query: str, **options: Any) -> list[Json]:
        return list(self._run("recall", query, *_options(options))["hits"])

    def block(self, query: str, **options: Any) -> str:
        return str(self.context(query, **options)["text"])

    def context(self, query: str, **options: Any) -> Json:
        given = {name: value for name, value in options.items() if name not in ("scope", "budget_tokens")}
        given |= options.get("scope", {})
        given |= {"budget": options["budget_tokens"]} if "budget_tokens" in options else {}
        return dict(self._run("context", query, *_options(given), *self._walls))

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


class OverMcp:
    """The tools for agents, over the protocol's own client; they have a part of the verbs."""

    def __init__(self, run: Callable[[Any], Any], opened: Callable[[], Engine], tenant: str) -> None:
        self._run, self._opened = run, opened
        self._caller = caller_of(
            ApiKey(id=KeyId("agent"), tenant=tenant, role=Role.CURATOR, created_at=datetime.now(UTC))
        )

    def use(self, tool: str, **arguments: Any) -> Json:
        """What a tool answers."""
        result = self._run(self._called(tool, arguments))
        answer: Json = result.structured_content
        if result.is_error:
            raise Refused(EXITS.get(answer["code"], WRONG), answer["detail"])
        return answer

    async def _called(self, tool: str, arguments: Json) -> Any:
        service = Service(self._opened())

        async def receive(context: Any) -> Visit:
            return Visit(service=service, caller=self._caller, request_id="r")

        async with Client(memory_server(receive)) as agent:
            return await agent.call_tool(tool, arguments)

    def tell(self, said: FactSaid) -> Json:
        return self.use("assert", facts=[_body(said)])

    def note(self, text: str, *, at: str, id: str) -> Json:
        told = {"text": text, "kind": "note", "occurred_at": moment(at), "external_id": id}
        return self.use("remember", episodes=[told])

    def keep(self, body: Mapping[str, Any]) -> Json:
        return self.use("remember", episodes=[dict(body)], extract="none")

    def facts(self, **filters: Any) -> list[Json]:
        return list(self.use("facts", limit=200, **filters)["items"])

    def history(self, id: str) -> Json:
        return self.use("history", id=id)

    def entities(self, q: str = "") -> list[Json]:
        return list(self.use("entities", q=q, limit=200)["items"])

    def episode(self, id: str) -> Json:
        return self.use("episode", id=id)

    def recall(self, query: str, **options: Any) -> list[Json]:
        return list(self.use("recall", query=query, **options)["hits"])

    def context(self, query: str, **options: Any) -> Json:
        return self.use("context", query=query, **options)

    def block(self, query: str, **options: Any) -> str:
        return str(self.context(query, **options)["text"])

    def retract(self, id: str) -> Json:
        return self.use("retract", id=id)


def _options(given: Mapping[str, Any]) -> list[str]:
    words: list[str] = []
    for name, value in given.items():
        option = f"--{name.replace('_', '-')}"
        words += [option] if value is True else [option, str(value)]
    return words


class Surfaces:
    """The ways into one store: an engine, a service, and the program."""

    def __init__(self, store_url: str, running: Running, runner: asyncio.Runner, folder: Path) -> None:
        self._url, self._running, self._runner, self._folder = store_url, running, runner, folder
        self._engine: Engine | None = None

    def of(self, name: str, tenant: str, walls: Sequence[str] = ()) -> Surface:
        """A tenant through the surface of this name, for a caller who sees these walls."""
        if name == "python":
            return OverPython(self._runner.run, self._opened, self._reopen, tenant, walls)
        if name == "http":
            return OverHttp(self._running.caller(tenant, "admin", *walls))
        return OverCommandLine(self._url, tenant, self._folder, walls)

    def agent(self, tenant: str) -> OverMcp:
        """A tenant as an agent sees it, over the protocol of its tools."""
        return OverMcp(self._runner.run, self._opened, tenant)

    @property
    def engine(self) -> Engine:
        """The engine of the Python surface; `run` runs what it does."""
        return self._opened()

    @property
    def run(self) -> Callable[[Any], Any]:
        return self._runner.run

    @property
    def running(self) -> Running:
        return self._running

    @property
    def url(self) -> str:
        return self._url

    @property
    def folder(self) -> Path:
        return self._folder

    def close(self) -> None:
        if self._engine is not None:
            self._runner.run(self._engine.close())
            self._engine = None

    def _opened(self) -> Engine:
        if self._engine is None:
            self._engine = self._runner.run(_open(self._url))
        return self._engine

    def _reopen(self) -> None:
        self.close()


async def _open(url: str) -> Engine:
    return await open_engine(url, settings=read_settings(store_url=url))


@contextmanager
def surfaces_on(store_url: str, folder: Path) -> Iterator[Surfaces]:
    """All surfaces on a store."""
    with serving(store_url) as running, asyncio.Runner() as runner:
        surfaces = Surfaces(store_url, running, runner, folder)
        try:
            yield surfaces
        finally:
            surfaces.close()
