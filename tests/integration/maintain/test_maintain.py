"""A round of maintenance on every store: what it drops, folds and renews, and that it leaves all else alone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytest_asyncio
from typer.testing import CliRunner

from muniment.api.cli.main import app
from muniment.engine.answers import Answer, KeptAnswers, Request
from muniment.engine.bootstrap import open_database
from muniment.engine.jobs.worker import Worker
from muniment.engine.maintain.renewing import REVECTOR, Renewing
from muniment.engine.maintain.run import Report, Upkeep, maintain
from muniment.engine.ports.models import Vector
from muniment.engine.ports.store import Database, DocumentQuery, TenantStore
from muniment.engine.rank.answer import RecallRequest
from muniment.engine.rank.policy import DEFAULT_POLICY
from muniment.engine.rank.recall import Retriever
from muniment.engine.retrieve.statistics import STATISTICS, Indexed, TenantStatistics
from muniment.engine.system import system_store
from muniment.engine.write.audit import verify
from muniment.engine.write.indexing import Indexer, fact_entry
from muniment.engine.write.ledger import add_statistics
from muniment.graph_schema.errors import ModelUnavailable
from muniment.graph_schema.ids import Space
from muniment.graph_schema.ontology import base_ontology
from muniment.graph_schema.records import Document, JobState, Kind
from tests.builders import at, document, entity, episode, fact, job

NOW = datetime(2026, 6, 1, tzinfo=UTC)
DAY = timedelta(days=1)
FOODS = ("oats", "tea")
ACME = Space("dev/acme")


@dataclass(frozen=True)
class Words:
    """An embedder of a name: each text becomes the counts of a few letters."""

    name: str

    @property
    def fingerprints(self) -> tuple[str, ...]:
        return (self.name,)

    def embed_parts(self, memories: Sequence[Sequence[str]]) -> list[dict[str, Vector]]:
        return [
            {self.name: np.asarray([[p.count(c) + 1.0 for c in "aeio"] for p in parts], "f4")} for parts in memories
        ]


@dataclass(frozen=True)
class Asking(Words):
    """The same, as a question's only model; `broken` does not answer."""

    degraded: tuple[str, ...] = ()

    @property
    def english(self) -> Any:
        return One(fingerprint=self.name)

    @property
    def other(self) -> Any:
        return self.english

    def embed_query(self, text: str, *, held: Collection[str] | None = None) -> dict[str, Vector]:
        if self.name == "broken":
            raise ModelUnavailable("no answer")
        return {self.name: self.embed_parts([[text]])[0][self.name][0]}


@dataclass(frozen=True)
class One:
    """A model of which only the name is asked."""

    fingerprint: str


class Broken(Words):
    """A model that does not answer."""

    def embed_parts(self, memories: Sequence[Sequence[str]]) -> list[dict[str, Vector]]:
        raise ModelUnavailable("no answer")


@pytest_asyncio.fixture
async def database(store_url: str) -> AsyncIterator[Database]:
    opened = await open_database(store_url, environment="dev")
    yield opened
    await opened.close()


@pytest.fixture
def store(database: Database) -> TenantStore:
    return database.space(ACME, all_walls=True)


async def round_of(database: Database, model: str = "", *, dry_run: bool = False) -> Report:
    upkeep = Upkeep(now=NOW, keep_jobs=30 * DAY, dry_run=dry_run)
    return await maintain(database, Indexer(Words(model) if model else None), upkeep, actor="test")


def counts(report: Report) -> dict[tuple[str, str], int]:
    return {(task.tenant, task.name): task.count for task in report.tasks}


async def test_what_is_past_its_time_goes_and_what_is_not_stays(database: Database, store: TenantStore) -> None:
    def trace(id: str, ends: datetime | None) -> Document:
        return document(id, kind="trace", expires_at=ends)

    async with store.write() as unit:
        await unit.put_documents(
            [
                trace("old", NOW),
                trace("new", NOW + DAY),
                trace("ever", None),
                document("key", kind="key", expires_at=NOW),
            ]
        )
        await unit.put_jobs(
            [
                job("done", state=JobState.DONE, due_at=NOW - 31 * DAY),
                job("failed", state=JobState.FAILED, due_at=NOW - 31 * DAY),
                job("fresh", state=JobState.DONE, due_at=NOW - 29 * DAY),
                job("queued", due_at=NOW - 99 * DAY),
                job("running", state=JobState.RUNNING, due_at=NOW - 99 * DAY, owner="w", lease_until=NOW),
            ]
        )
    answers = KeptAnswers(database, keep=DAY, clock=lambda: NOW - 2 * DAY)
    for key in ("a", "b"):
        request = Request(caller="k", key=key, fingerprint="f", tenant="acme")
        await answers.begin(request)
        await answers.keep(request, Answer(status=200, body={}))
    expected = {("", "answers"): 2, ("acme", "traces"): 1, ("acme", "jobs"): 2}
    assert counts(await round_of(database, dry_run=True)) == expected
    assert await store.document("trace", "old") is not None
    assert counts(await round_of(database)) == expected
    assert [d.id for d in await store.documents(DocumentQuery(kind="trace"))] == ["ever", "new"]
    assert await store.document("key", "key") is not None  # a key that ended is still listed
    assert [one.id for one in await store.jobs()] == ["fresh", "queued", "running"]
    assert counts(await round_of(database)) == {}
    system = system_store(database)
    assert (await verify(system)).ok
    rows = await system.documents(DocumentQuery(kind="audit", ref="maintain"))
    assert rows[0].body["detail"] == {"answers": "2", "traces": "1", "jobs": "2"}


async def remembered(
    store: TenantStore, model: str, *, ids: tuple[str, str] = ("e1", "f1"), text: str = "Ana likes oats"
) -> None:
    """An episode behind a wall, a fact and an ended version of it, with vectors of that model and their statistics."""
    indexer = Indexer(Words(model))
    told, held = episode(ids[0], text="an aeon", wall="deal"), fact(ids[1], text=text)
    async with store.write() as unit:
        await unit.put_episodes([told])
        await unit.put_entities([entity(held.subject.id), entity(held.object.id)])
        await unit.put_facts([held])
        made = await indexer.episode_entries([told])
        vectors = await indexer.vectors_of([held.text])
        made.append(fact_entry(held, vectors[held.text]))
        await unit.put_index(made)
        added = [
            Indexed(entry=entry, group=group, wall=wall)
            for entry, group, wall in zip(made, (str(told.kind), "fact"), ("deal", ""), strict=True)
        ]
        await add_statistics(unit, added=added, removed=[], at=at(1))


async def statistics(store: TenantStore) -> TenantStatistics:
    whole = TenantStatistics()
    for one in await store.documents(DocumentQuery(kind=STATISTICS)):
        whole.apply(one)
    return whole


async def test_vectors_of_another_model_are_made_anew_with_their_statistics(
    database: Database, store: TenantStore
) -> None:
    await remembered(store, "old")
    assert counts(await round_of(database, "new", dry_run=True))["acme", "vectors"] == 2
    assert counts(await round_of(database, "new")) == {("acme", "vectors"): 2, ("acme", "statistics"): 3}
    entries = await store.index_entries([(Kind.EPISODE, "e1"), (Kind.FACT, "f1")])
    assert {tuple(entry.vectors) for entry in entries} == {("new",)}
    view = (await statistics(store)).seen_from(frozenset({"deal"}))
    assert view.fingerprints == {"new"}
    assert (view.documents, view.groups()) == (1, {"fact": 1, "message": 1})
    assert len(await store.documents(DocumentQuery(kind=STATISTICS))) == 1
    assert counts(await round_of(database, "new")) == {}


async def test_a_worker_makes_vectors_of_another_model_anew_once(database: Database, store: TenantStore) -> None:
    await remembered(store, "old")
    workers = []
    for name in ("one", "two"):
        renewing = Renewing(database, Indexer(Words("new")), lambda: NOW)
        handlers = {REVECTOR: renewing.do}
        workers.append(Worker(database, handlers, name=name, clock=lambda: NOW, before=renewing.look))
    await asyncio.gather(*(worker.run_until_idle() for worker in workers))
    jobs = [one for one in await store.jobs() if one.kind == REVECTOR]
    assert {one.state for one in jobs} == {JobState.DONE}
    assert (await statistics(store)).fingerprints == {"new"}
    later = Renewing(database, Indexer(Words("new")), lambda: NOW)
    await later.look()
    assert len([one for one in await store.jobs() if one.kind == REVECTOR]) == len(jobs)


async def test_a_worker_whose_model_fails_tries_again(database: Database, store: TenantStore) -> None:
    await remembered(store, "old")
    renewing = Renewing(database, Indexer(Broken("new")), lambda: NOW)
    worker = Worker(database, {REVECTOR: renewing.do}, name="w", clock=lambda: NOW, before=renewing.look)
    await worker.run_until_idle()
    (waiting,) = await store.jobs()
    assert (waiting.state, waiting.attempts) == (JobState.QUEUED, 1)
    assert waiting.due_at > NOW
    assert (await statistics(store)).fingerprints == {"old"}


@pytest.mark.parametrize(
    ("model", "held", "told"),
    [
        (None, ("old",), "no embedder is set up"),
        ("new", ("old",), "of another model: ranked by words and graph until"),
        ("new", ("old", "new"), "some stored vectors are of another model"),
        ("broken", ("broken",), "the embedder does not answer"),
        ("new", ("new",), ""),
    ],
)
async def test_recall_is_never_blind_and_says_what_is_missing(
    database: Database, store: TenantStore, model: str | None, held: tuple[str, ...], told: str
) -> None:
    for number, name in enumerate(held):
        await remembered(store, name, ids=(f"e{number}", f"f{number}"), text=f"Ana likes {FOODS[number]}")
    asked = None if model is None else Asking(model)
    retriever = Retriever(
        embedders=asked, analyzer=None, ontology=base_ontology(), policy=DEFAULT_POLICY, clock=lambda: NOW
    )
    reader = database.space(ACME, walls=frozenset({"deal"}))
    answer = await retriever.recall(reader, RecallRequest(query="Ana likes oats and tea"))
    assert {f"Ana likes {FOODS[number]}" for number in range(len(held))} <= {hit.text for hit in answer.hits}
    assert [told in one for one in answer.degraded] == ([True] if told else [])
    meant = {hit.id for hit in answer.hits if hit.kind is Kind.FACT and hit.parts.get("dense")}
    assert meant == ({f"f{number}" for number, name in enumerate(held) if name == "new"} if model == "new" else set())


async def test_without_an_embedder_old_vectors_stay_and_are_counted(database: Database, store: TenantStore) -> None:
    await remembered(store, "old")
    report = await round_of(database)
    assert [(task.name, task.count, task.waiting) for task in report.tasks] == [("vectors", 0, 2)]
    assert {tuple(e.vectors) for e in await store.index_entries([(Kind.EPISODE, "e1")])} == {("old",)}


async def test_an_episode_that_a_job_is_to_derive_is_left_to_the_job(database: Database, store: TenantStore) -> None:
    await remembered(store, "old")
    async with store.write() as unit:
        await unit.put_jobs([job("j", kind="derive", payload={"episodes": ["e1"]})])
    assert counts(await round_of(database, "new"))["acme", "vectors"] == 1


async def test_one_tenant_can_be_tended_alone(database: Database, store: TenantStore) -> None:
    other = database.space(Space("dev/globex"))
    for one in (store, other):
        async with one.write() as unit:
            await unit.put_documents([document("old", kind="trace", expires_at=NOW)])
    upkeep = Upkeep(now=NOW, keep_jobs=DAY, tenant="globex")
    report = await maintain(database, Indexer(None), upkeep, actor="test")
    assert counts(report) == {("globex", "traces"): 1}
    assert report.store == {}
    assert await store.document("trace", "old") is not None


async def test_a_file_gives_back_what_is_free_in_it(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    database = await open_database(f"sqlite:///{path}", environment="dev")
    try:
        store = database.space(ACME)
        async with store.write() as unit:
            await unit.put_documents(
                [document(f"d{n}", kind="trace", expires_at=NOW, body={"x": "y" * 2**20}) for n in range(20)]
            )
        report = await round_of(database)
        assert report.store["given_back_bytes"] > 19 * 2**20
        assert path.stat().st_size < 2**20
        assert "given_back_bytes" not in (await round_of(database)).store
    finally:
        await database.close()


def test_the_command_reports_and_can_be_run_again(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    url = f"sqlite:///{path}"

    def run(*words: str) -> str:
        result = CliRunner().invoke(app, [*words, "--store", url])
        assert result.exit_code == 0, result.output
        return result.output

    run("assert", "Ana", "likes", "oats", "--tenant", "acme")
    run("recall", "What does Ana like?", "--tenant", "acme")
    planned = json.loads(run("maintain", "--dry-run", "--json"))
    assert planned["dry_run"] is True
    told = json.loads(run("maintain", "--json"))
    assert told["store"]["analyzed"] == 1
    assert told["store"]["log_emptied"] == 1
    assert "nothing to do" in run("maintain", "--no-vectors")
