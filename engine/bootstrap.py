"""Puts the engine together: the one place that knows stores and models by name."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Coroutine, Generator, Iterable
from dataclasses import asdict, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from muniment.engine.answers import forget_answers
from muniment.engine.assemble.tokens import TokenCounter, counter_named, estimate_tokens
from muniment.engine.backup import BackupReport, RestoreReport, backup, restore
from muniment.engine.extract.assisted.extractor import AssistedExtractor
from muniment.engine.extract.assisted.graphiti_prompt import GraphitiPrompt
from muniment.engine.extract.assisted.own_prompt import OwnPrompt
from muniment.engine.extract.assisted.proposals import Dialect
from muniment.engine.extract.candidates import Extractor
from muniment.engine.extract.extractor import RuleExtractor
from muniment.engine.extract.screen import ScreenPolicy, SecretPolicy
from muniment.engine.jobs.worker import Worker, WorkerPolicy
from muniment.engine.maintain.renewing import REVECTOR, Renewing
from muniment.engine.maintain.run import Report, Upkeep, maintain
from muniment.engine.memory import Memory
from muniment.engine.models.bilingual import Bridge, EmbedderSet
from muniment.engine.models.catalog import ModelSources
from muniment.engine.models.chat_endpoint import AnswerFormat, ChatSettings
from muniment.engine.models.choose import (
    ModelPolicy,
    Rerank,
    choose_analyzer,
    choose_embedders,
    choose_language_model,
    choose_reranker,
)
from muniment.engine.models.endpoint import EmbeddingEndpoint
from muniment.engine.models.routing import RoutingAnalyzer
from muniment.engine.ports.clock import Clock, system_clock
from muniment.engine.ports.models import Reranker
from muniment.engine.ports.store import Database
from muniment.engine.rank.policy import RankingPolicy
from muniment.engine.rank.recall import Retriever
from muniment.engine.refusals import Refusals
from muniment.engine.resolve.spelt import names_spelt_like
from muniment.engine.settings import Settings, read_settings, switch_telemetry_off
from muniment.engine.tenants import tenant_settings
from muniment.engine.tools import Tools
from muniment.engine.webhooks.addresses import networks_in
from muniment.engine.webhooks.delivery import FIRST_PAUSE_S, LONGEST_PAUSE_S, Deliverer
from muniment.engine.webhooks.events import DELIVER
from muniment.engine.webhooks.relay import relay
from muniment.engine.write.commit import commit
from muniment.engine.write.indexing import Indexer
from muniment.engine.write.remember import DERIVE, draft_derivation
from muniment.engine.write.spending import Budget
from muniment.graph_schema.errors import Invalid, ModelUnavailable, StoreUnavailable, TenantRequired
from muniment.graph_schema.ids import Space, space_of, tenant_of
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.records import Job

NEO4J_SCHEMES: Final = frozenset({"neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc"})
_MIB: Final = 1024 * 1024
_DELIVERERS: Final = 4  # deliveries under way at a time in one process


async def open_database(
    url: str,
    *,
    environment: str,
    clock: Clock = system_clock,
    vector_memory_mb: int = 1024,
    neo4j_user: str = "",
    neo4j_password: str = "",
    neo4j_database: str = "",
    must_exist: bool = False,
) -> Database:
    """The store at a URL: `sqlite:///relative/file.db`, `sqlite:////absolute/file.db`, `sqlite://` for one in memory that is
    gone when closed, or `neo4j://…`, `bolt://…`, with `+s` or `+ssc` for TLS.

    A file that is not there is made, unless it `must_exist`. Raises Invalid for another URL, NoStore for such a file,
    StoreUnavailable where the store does not answer or is not ours, WrongEnvironment where it carries another environment's stamp.
    """
    scheme, mark, rest = url.partition("://")
    if scheme == "sqlite" and mark and (not rest or rest.startswith("/")):
        from muniment.engine.stores.sqlite.database import open_sqlite

        path = unquote(rest[1:])
        if "\0" in path:
            raise Invalid(f"store URL {url!r} names a file with a NUL in it: leave it out", field="store_url")
        return await open_sqlite(
            path,
            environment=environment,
            image_budget_bytes=vector_memory_mb * _MIB,
            must_exist=must_exist,
        )
    if scheme in NEO4J_SCHEMES and rest:
        try:
            from muniment.engine.stores.neo4j.database import open_neo4j
        except ImportError as cause:
            raise StoreUnavailable(f"the Neo4j store cannot be loaded: {cause}") from cause
        return await open_neo4j(
            url,
            environment=environment,
            clock=clock,
            user=neo4j_user or None,
            password=neo4j_password or None,
            database=neo4j_database or None,
        )
    raise Invalid(
        f"store URL {url.partition('@')[2] or url!r} is not one we know: use sqlite:///file.db, sqlite://, or "
        "neo4j://host:7687",
        field="store_url",
    )


class Engine:
    """An opened store with its models; gives each tenant's `Memory`. Made by `open_engine`."""

    def __init__(self, database: Database, settings: Settings, tools: Tools, models: ModelPolicy) -> None:
        self.database = database
        self.settings = settings
        self.tools = tools
        self._models = models
        self._refusals = Refusals(database, tools.clock)

    def for_tenant(
        self,
        tenant: str | None,
        *,
        actor: str = "anonymous",
        walls: Iterable[str] = (),
        all_walls: bool = False,
        notes_missing: bool = True,
    ) -> Memory:
        """The memory of one tenant, for a caller who may see these walls; the open area is always seen.

        `all_walls` is for the tenant's own administration. Writes that name what is not there leave a row in the tenant's
        audit chain, unless `notes_missing` is false for one who notes them otherwise. Raises TenantRequired where no one tenant is named, Invalid for
        what is no name; either leaves a row in the database's own audit chain.
        """
        try:
            space = space_of(self.settings.environment, tenant)
        except (TenantRequired, Invalid) as error:
            self._refusals.note(error, actor=actor)
            raise
        return Memory(
            self.database.space(space, walls=frozenset(walls), all_walls=all_walls),
            self.database.space(space, all_walls=True),
            self.tools,
            actor=actor,
            scrub=lambda: self._scrub(tenant_of(space)),
            settings=lambda: tenant_settings(self.database, tenant_of(space)),
            behind=lambda walls: self.database.space(space, walls=walls),
            notes_missing=notes_missing,
        )

    async def _scrub(self, tenant: str) -> None:
        """What a purge leaves outside the tenant's own rows: answers kept for repeated requests, and bytes in files."""
        await forget_answers(self.database, tenant)
        await self.database.scrub()

    def worker(self, *, name: str = "") -> Worker:
        """A worker for this store's jobs; many may run, here and elsewhere."""
        policy = WorkerPolicy(
            lease_s=self.settings.worker_lease_s,
            poll_s=self.settings.worker_poll_s,
            attempts=self.settings.job_attempts,
        )
        renewing = Renewing(self.database, self.tools.indexer, self.tools.clock)
        return Worker(
            self.database,
            {DERIVE: self._derive, REVECTOR: renewing.do},
            name=name or f"worker-{secrets.token_hex(4)}",
            clock=self.tools.clock,
            policy=policy,
            before=renewing.look,
        )

    def deliverers(self, *, name: str = "") -> tuple[Worker, ...]:
        """Workers that tell webhooks of what happened, to be run beside `worker`; none where webhooks are off.

        Several, because a receiver may keep one waiting; the first also looks for what there is to tell.
        """
        settings, clock = self.settings, self.tools.clock
        if not settings.webhooks:
            return ()
        policy = WorkerPolicy(
            lease_s=settings.worker_lease_s,
            poll_s=max(1.0, settings.worker_poll_s),
            attempts=settings.webhook_attempts,
            first_pause_s=FIRST_PAUSE_S,
            longest_pause_s=LONGEST_PAUSE_S,
        )
        deliver = Deliverer(
            self.database,
            clock,
            networks=networks_in(settings.webhook_networks),
            timeout_s=settings.webhook_timeout_s,
        )
        own = name or f"deliverer-{secrets.token_hex(4)}"
        return tuple(
            Worker(
                self.database,
                {DELIVER: deliver},
                name=f"{own}-{number}",
                clock=clock,
                policy=policy,
                before=partial(relay, self.database, clock) if number == 0 else None,
            )
            for number in range(_DELIVERERS)
        )

    async def _derive(self, space: Space, job: Job) -> None:
        """What follows from episodes that were kept raw."""
        store = self.database.space(space, all_walls=True)
        ontology = await self.tools.ontology_of(space, store)
        settings = await tenant_settings(self.database, tenant_of(space))
        draft = await draft_derivation(
            store,
            job,
            actor="worker",
            now=self.tools.clock(),
            indexer=self.tools.indexer,
            extractor=self.tools.extractor_for(store, ontology, settings),
            ontology=ontology,
        )
        await commit(store, draft, self.tools.writing(ontology))

    async def maintain(
        self, *, tenant: str = "", vectors: bool = True, dry_run: bool = False, actor: str = "maintain"
    ) -> Report:
        """One round of maintenance, of the whole database or of one tenant: see `engine/maintain/run.py`."""
        upkeep = Upkeep(
            now=self.tools.clock(),
            keep_jobs=timedelta(days=self.settings.job_keep_days),
            tenant=tenant,
            vectors=vectors,
            dry_run=dry_run,
        )
        return await maintain(self.database, self.tools.indexer, upkeep, actor=actor)

    async def backup(self, path: Path | str) -> BackupReport:
        """Writes every tenant, key and memory to a new file, while all is in use. Raises Invalid where the file is there."""
        return await backup(self.database, self.tools, Path(path))

    async def restore(self, path: Path | str, *, purges: Iterable[Path | str] = ()) -> RestoreReport:
        """Takes a backup into this store, which must be empty; `purges` are newer backups or exports whose purge lists and
        rejections are obeyed too. Raises Conflict, WrongEnvironment, Invalid; then nothing was written.
        """
        return await restore(self.database, self.tools, Path(path), purges=[Path(one) for one in purges])

    async def describe(self) -> dict[str, object]:
        """What is live for each job, and the store. Loads no model, holds no secret."""
        return {
            "environment": self.settings.environment,
            "store": await self.describe_store(),
            "models": _described(self._models),
        }

    async def describe_store(self) -> dict[str, object]:
        """What the store is, what it can do and where it stands."""
        return {**asdict(self.database.capabilities), **await self.database.describe()}

    async def close(self) -> None:
        """Writes what waits, then closes the store."""
        await self.tools.turns.close()
        await self.tools.later.close()
        await self._refusals.close()
        await self.database.close()

    async def __aenter__(self) -> Engine:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class _Opening:
    """Lets an engine be had both ways: `await open_engine(…)` and `async with open_engine(…)`."""

    def __init__(self, opening: Callable[[], Coroutine[Any, Any, Engine]]) -> None:
        self._open = opening
        self._engine: Engine | None = None

    def __await__(self) -> Generator[Any, None, Engine]:
        return self._open().__await__()

    async def __aenter__(self) -> Engine:
        self._engine = await self._open()
        return self._engine

    async def __aexit__(self, *_: object) -> None:
        if self._engine is not None:
            await self._engine.close()


def open_engine(
    url: str | None = None,
    *,
    settings: Settings | None = None,
    clock: Clock = system_clock,
    count_tokens: TokenCounter | None = None,
    must_exist: bool = False,
) -> _Opening:
    """The engine on a store URL, else on the one of the settings: `async with open_engine("sqlite:///memory.db") as engine`.

    Models are chosen now and loaded at first use. `count_tokens` counts for the budgets of blocks, such as a model's own
    tokenizer; without one that of the settings, else an estimate by characters. An embedded store that is not there is made,
    unless it `must_exist`. Raises what `open_database` raises, Invalid for
    a counter of the settings that cannot be used.
    """
    return _Opening(lambda: _open(url, settings or read_settings(), clock, count_tokens, must_exist))


async def _open(
    url: str | None, settings: Settings, clock: Clock, count_tokens: TokenCounter | None, must_exist: bool
) -> Engine:
    if count_tokens is None:
        count_tokens = counter_named(settings.count_tokens) if settings.count_tokens else estimate_tokens
    database = await open_database(
        url or settings.store_url,
        environment=settings.environment,
        clock=clock,
        vector_memory_mb=settings.vector_memory_mb,
        neo4j_user=settings.neo4j_user,
        neo4j_password=settings.neo4j_password.get_secret_value(),
        neo4j_database=settings.neo4j_database,
        must_exist=must_exist,
    )
    policy = _model_policy(settings)
    return Engine(database, settings, _tools(policy, clock, settings, count_tokens), policy)


_LOADED: dict[str, tuple[EmbedderSet, RoutingAnalyzer]] = {}


def _models(policy: ModelPolicy) -> tuple[EmbedderSet, RoutingAnalyzer]:
    """The models for these settings. Local ones hold nothing of a store or tenant and are big: one set serves the process."""
    if policy.endpoint is not None:
        return choose_embedders(policy), choose_analyzer(policy)
    key = repr(replace(policy, chat=None, chat_prompts="", chat_needs=()))
    if key not in _LOADED:
        _LOADED[key] = (choose_embedders(policy), choose_analyzer(policy))
    return _LOADED[key]


def _tools(policy: ModelPolicy, clock: Clock, settings: Settings, count_tokens: TokenCounter) -> Tools:
    embedders, analyzer = _models(policy)
    reranker, notes = _reranker(policy)

    def make_retriever(ontology: Ontology) -> Retriever:
        return Retriever(
            embedders=embedders,
            analyzer=analyzer,
            ontology=ontology,
            policy=RankingPolicy(),
            clock=clock,
            reranker=reranker,
            notes=notes,
            respell=names_spelt_like,
        )

    language_model = choose_language_model(policy)

    def make_extractor(ontology: Ontology) -> Extractor:
        rules = RuleExtractor(analyzer=analyzer, ontology=ontology, zone=ontology.zone)
        if language_model is None:
            return rules
        dialect = _dialect(policy, ontology)
        return AssistedExtractor(rules=rules, model=language_model, dialect=dialect, ontology=ontology)

    return Tools(
        clock=clock,
        indexer=Indexer(embedders),
        make_extractor=make_extractor,
        make_retriever=make_retriever,
        keep_traces=timedelta(days=settings.trace_days),
        count_tokens=count_tokens,
        screening=ScreenPolicy(
            secrets=SecretPolicy(settings.secrets), personal_data=SecretPolicy(settings.personal_data)
        ),
        budget=Budget(
            daily_tokens=settings.llm_daily_tokens,
            daily_cost=settings.llm_daily_cost,
            price_in=settings.llm_price_in,
            price_out=settings.llm_price_out,
        ),
    )


def _reranker(policy: ModelPolicy) -> tuple[Reranker | None, tuple[str, ...]]:
    """The reranker, or what to say of one that is asked for and missing."""
    try:
        return choose_reranker(policy), ()
    except ModelUnavailable as cause:
        return None, (str(cause),)


def _dialect(policy: ModelPolicy, ontology: Ontology) -> Dialect:
    if policy.chat_prompts == "graphiti":
        switch_telemetry_off()
        return GraphitiPrompt(ontology, zone=ontology.zone)
    return OwnPrompt(ontology, zone=ontology.zone)


def describe_models(settings: Settings) -> list[dict[str, object]]:
    """What is live for each job by these settings, also where no store can be opened. Raises Invalid for settings that are
    wrong in themselves."""
    return _described(_model_policy(settings))


def _described(policy: ModelPolicy) -> list[dict[str, object]]:
    from muniment.engine.models.describe import describe

    return [asdict(report) for report in describe(policy)]


def _model_policy(settings: Settings) -> ModelPolicy:
    endpoint = None
    if settings.embedding_url:
        endpoint = EmbeddingEndpoint(
            url=settings.embedding_url,
            model=settings.embedding_model,
            dim=settings.embedding_dim,
            api_key=settings.embedding_api_key.get_secret_value(),
            query_prefix=settings.embedding_query_prefix,
            document_prefix=settings.embedding_document_prefix,
            timeout_s=settings.embedding_timeout_s,
        )
    chat = None
    if settings.llm_url:
        if not settings.llm_model:
            raise Invalid("MUNIMENT_LLM_MODEL is empty: name the model that the endpoint is to use", field="llm_model")
        chat = ChatSettings(
            url=settings.llm_url,
            model=settings.llm_model,
            api_key=settings.llm_api_key.get_secret_value(),
            format=AnswerFormat(settings.llm_format),
            timeout_s=settings.llm_timeout_s,
            tries=settings.llm_tries,
        )
    return ModelPolicy(
        chat=chat,
        chat_prompts=settings.llm_prompts,
        chat_needs=("graphiti_core",) if settings.llm_prompts == "graphiti" else (),
        sources=ModelSources(cache=settings.models_dir, allow_download=settings.models_download),
        endpoint=endpoint,
        bridge=Bridge(settings.bridge),
        rerank=Rerank(settings.rerank),
        spacy_model=settings.spacy_model,
    )
