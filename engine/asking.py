"""Asking one tenant's memory: answers, blocks for prompts, and why they are as they are.

Bound to a space and to the walls that its caller may see. Times are aware; naive ones are refused.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from muniment.engine.assemble.context import Context, ContextSection, assemble
from muniment.engine.assemble.disputes import rivals_of
from muniment.engine.assemble.lapsed import lapses_of
from muniment.engine.assemble.spoken import without_spoken
from muniment.engine.explaining import Replay, replay, why_not_in
from muniment.engine.jobs.readable import DEFAULT_WAIT_S, Token, wait_until_readable
from muniment.engine.ports.spans import span
from muniment.engine.ports.store import (
    TenantStore,
)
from muniment.engine.rank.answer import Recall, RecallRequest
from muniment.engine.rank.asked import Under
from muniment.engine.rank.hits import Hit, Omitted, Scored, hit_of
from muniment.engine.rank.policy import RankingPolicy
from muniment.engine.rank.why_not import WhyNot, memory_of, why_not
from muniment.engine.requests import recall_request
from muniment.engine.retrieve.pinned import standing
from muniment.engine.retrieve.question import is_question
from muniment.engine.tenant_settings import TenantSettings
from muniment.engine.tools import Tools
from muniment.engine.traces import TRACE, may_read, trace_document, uses_of
from muniment.graph_schema.errors import Invalid, NotFound
from muniment.graph_schema.ids import EntityId, EpisodeId, FactId, Space, TraceId
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.records import (
    Episode,
    Fact,
)

CONTEXT_LIMIT = 30
"""How many hits a context block is made from, unless the caller says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What `recall` gives: the ranking, the id under which its trace is kept, and how long it took in milliseconds."""

    recall: Recall
    trace_id: TraceId
    took_ms: float

    @property
    def hits(self) -> tuple[Hit, ...]:
        """Best first."""
        return self.recall.hits

    @property
    def recent(self) -> tuple[Hit, ...]:
        """Lately used memories that are no hits."""
        return self.recall.recent

    @property
    def omitted(self) -> tuple[Omitted, ...]:
        """What was nearly shown, and what stopped it."""
        return self.recall.omitted

    @property
    def degraded(self) -> tuple[str, ...]:
        """What works less well than it could, in plain words."""
        return self.recall.degraded

    @property
    def empty(self) -> str:
        """Of an answer without hits what was looked at."""
        return self.recall.empty


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextAnswer:
    """What `context` gives: the block and the id under which its trace is kept.

    `degraded` says what works less well than it could, `empty` of a block that holds nothing why that is.
    """

    context: Context
    trace_id: TraceId
    degraded: tuple[str, ...] = ()
    empty: str = ""

    @property
    def text(self) -> str:
        """What goes into the prompt."""
        return self.context.text

    @property
    def tokens(self) -> int:
        return self.context.tokens

    @property
    def sections(self) -> tuple[ContextSection, ...]:
        return self.context.sections

    @property
    def omitted(self) -> tuple[Omitted, ...]:
        """What was left out, and why."""
        return self.context.omitted


class AskedMemory:
    """What answers questions over the memory of one tenant; `ReadOnlyMemory` adds the lists."""

    def __init__(
        self,
        store: TenantStore,
        whole: TenantStore,
        tools: Tools,
        *,
        actor: str,
        scrub: Callable[[], Awaitable[None]],
        settings: Callable[[], Awaitable[TenantSettings]],
        behind: Callable[[frozenset[str]], TenantStore],
        notes_missing: bool = True,
    ) -> None:
        self._notes_missing = notes_missing
        self._store = store
        self._behind = behind  # the same space with these walls open
        self._scrub = scrub
        self._settings = settings
        self._whole = whole  # the same space with every wall: for what concerns the tenant as a whole
        self._tools = tools
        self.actor = actor

    @property
    def space(self) -> Space:
        return self._store.space

    async def wait_for(self, token: Token, *, timeout_s: float = DEFAULT_WAIT_S) -> None:
        """Returns once what a receipt or job stands for can be read: at once, or when its job is done.

        Raises NotYetReadable after `timeout_s`, Conflict where the job failed or was cancelled, NotFound.
        """
        await wait_until_readable(self._store, token, timeout_s=timeout_s)

    async def recall(self, query: str, *, read_after: Token | None = None, **options: Any) -> Answer:
        """Ranked memories for a question, with why; `engine/requests.py` tells the options.

        With `read_after` (a receipt, a job, or the token of either) it first waits for that write, as `wait_for` does.
        What is handed out counts as used, and its trace can be explained for some days.
        """
        if read_after is not None:
            await self.wait_for(read_after)
        return await self._answer(await self._request(query, **options))

    async def context(
        self,
        query: str,
        *,
        budget_tokens: int = 900,
        sections: Iterable[str] | None = None,
        messages: Sequence[Mapping[str, Any]] = (),
        read_after: Token | None = None,
        **options: Any,
    ) -> ContextAnswer:
        """The block for a prompt: budgeted, fenced, dated, each item with its id.

        What stands in `messages` (the conversation so far) word for word is left out as a duplicate, and so is the question
        itself. `read_after` as in
        `recall`.
        """
        if read_after is not None:
            await self.wait_for(read_after)
        request = await self._request(query, **{"limit": CONTEXT_LIMIT, **options})
        age = self._tools.later.age(self.space)
        settings = await self._settings()
        found = await self._found(request, settings.ranking)
        asked = ({"content": request.query},) if is_question(request.query) else ()
        hits, spoken = without_spoken(found.hits, (*messages, *asked))
        ontology, pinned = await self.ontology(), await self._pinned(request)
        rivals = await rivals_of(
            self._store,
            (*hits, *pinned),
            scope=request.scope,
            as_of=request.as_of or self._tools.clock(),
            known_at=request.known_at,
        )
        lapses = await lapses_of(
            self._store,
            (*hits, *pinned),
            scope=request.scope,
            as_of=request.as_of or self._tools.clock(),
            known_at=request.known_at,
            successions=found.trace.body["successions"],
        )
        with span("context.assemble", space=self.space, hits=len(hits)) as opened:
            block = assemble(
                hits,
                pinned=pinned,
                omitted=(*spoken, *found.omitted),
                budget_tokens=budget_tokens,
                sections=sections,
                template=settings.template,
                shares=settings.shares,
                count_tokens=self._tools.count_tokens,
                rivals=rivals,
                lapses=lapses,
                about=_asked_about(found),
                zone=ontology.zone,
                decided=lambda hit: _holds_one_value(hit, ontology),
            )
            opened.set(tokens=block.tokens)
        return ContextAnswer(
            context=block,
            trace_id=self._keep(found, age=age, block=block),
            degraded=found.degraded,
            empty="" if block.sections else found.empty or _why_empty(block, budget_tokens),
        )

    async def ranked_episodes(self, query: str, **options: Any) -> list[Episode]:
        """The episodes that a recall ranks or cites as evidence, best first; nothing counts as used by it."""
        return await self.episodes_of(await self.ranked(query, **options))

    async def ranking_policy(self) -> RankingPolicy:
        """The weights by which the tenant's memories are ranked."""
        return (await self._settings()).ranking

    async def known_among(self, ids: Sequence[str]) -> frozenset[str]:
        """Those of the ids, or external ids of episodes, under which the caller has a memory here."""
        episodes = await self._store.episodes([EpisodeId(id) for id in ids])
        facts = await self._store.facts([FactId(id) for id in ids])
        entities = await self._store.entities([EntityId(id) for id in ids])
        told = await self._store.episodes_by_external_id(ids)
        return frozenset((*told, *(e.id for e in episodes), *(f.id for f in facts), *(e.id for e in entities)))

    async def episodes_of(self, found: Recall) -> list[Episode]:
        """The episodes that an answer ranks or cites as evidence, best first."""
        return await self._store.episodes(found.episodes)

    async def ranked(self, query: str, *, policy: RankingPolicy | None = None, **options: Any) -> Recall:
        """An answer that is not handed out: no trace is kept, nothing counts as used. `policy` instead of the tenant's."""
        request = await self._request(query, **options)
        return await self._found(request, policy or await self.ranking_policy())

    async def explain(self, trace_id: str) -> Mapping[str, Any]:
        """Why each hit of an answer, and why not each near miss. Raises NotFound."""
        waiting = self._tools.later.document(self.space, trace_id)
        document = waiting or await self._store.document(TRACE, trace_id)
        now = self._tools.clock()
        if document is None or (document.expires_at is not None and document.expires_at <= now):
            raise NotFound.of("trace", trace_id)
        if not may_read(document.body, self._store):
            raise NotFound.of("trace", trace_id)
        return {"trace_id": document.id, **document.body}

    async def why_not(
        self, id: str, *, trace_id: str | None = None, query: str | None = None, **options: Any
    ) -> WhyNot:
        """What stopped one memory from being a hit: of an earlier answer, or of a question with the options of `recall`.

        Nothing counts as used by it. Raises NotFound for an unknown id or trace, Invalid unless one of both is given.
        """
        if (trace_id is None) == (query is None):
            raise Invalid("give a trace_id or a query, one of both", field="trace_id")
        retriever = self._tools.retriever(await self.ontology())
        if trace_id is not None:
            body = await self.explain(trace_id)
            return await why_not_in(self._store, self._as_seen(body), retriever, trace_id, body, id)
        memory = await memory_of(self._store, id)
        under = Under(policy=await self.ranking_policy())
        ranked = await retriever.ranked(self._store, await self._request(query or "", **options), under)
        return await why_not(self._store, ranked, memory)

    async def replay(self, trace_id: str) -> Replay:
        """An earlier answer given once more, under its clocks and weights, and what differs. Nothing counts as used by it.

        Raises NotFound; Invalid for the trace of a write.
        """
        body = await self.explain(trace_id)
        return await replay(self._as_seen(body), self._tools.retriever(await self.ontology()), trace_id, body)

    def _as_seen(self, body: Mapping[str, Any]) -> TenantStore:
        """The store as it was seen by whoever asked: the walls of a trace, which its reader sees too."""
        return self._store if body.get("all_walls") else self._behind(frozenset(body.get("walls", ())))

    async def ontology(self) -> Ontology:
        """The types and relations in force."""
        return await self._tools.ontology_of(self.space, self._whole)

    # -- within

    async def _request(self, query: str, **options: Any) -> RecallRequest:
        """What is asked, with relations and types under the names by which they are stored, lower types among them."""
        request = recall_request(query, **options)
        ontology = await self.ontology()
        return replace(
            request,
            relations=frozenset(ontology.relation(name).relation.name for name in request.relations),
            types=_types(request.types, ontology),
            time_zone=ontology.time_zone,
        )

    async def _answer(self, request: RecallRequest) -> Answer:
        started = time.perf_counter()
        age = self._tools.later.age(self.space)
        found = await self._found(request, await self.ranking_policy())
        trace_id = self._keep(found, age=age)
        took_ms = (time.perf_counter() - started) * 1000
        return Answer(recall=found, trace_id=trace_id, took_ms=round(took_ms, 3))

    async def _found(self, request: RecallRequest, policy: RankingPolicy) -> Recall:
        retriever = self._tools.retriever(await self.ontology())
        with span("recall", space=self.space, limit=request.limit, hops=request.hops) as opened:
            found = await retriever.recall(self._store, request, Under(policy=policy))
            opened.set(hits=len(found.hits), degraded=len(found.degraded))
        return found

    def _keep(self, found: Recall, *, age: int, block: Context | None = None) -> TraceId:
        """Keeps the trace of an answer and counts its hits as used, later; `age` is that of before it was read."""
        now = self._tools.clock()
        more = {} if block is None else {"block": _told(block)}
        trace = trace_document(found, self._store, at=now, keep=self._tools.keep_traces, more=more)
        self._tools.later.add(self._store, documents=[trace], uses=uses_of(found, at=now), age=age)
        return TraceId(trace.id)

    async def _pinned(self, request: RecallRequest) -> list[Hit]:
        now = self._tools.clock()
        as_of = request.as_of or now
        memories = await standing(self._store, scope=request.scope, as_of=as_of, known_at=request.known_at or now)
        return [hit_of(Scored(memory=memory, parts={"pinned": 1.0}), at=as_of) for memory in memories]


def _asked_about(found: Recall) -> frozenset[EntityId]:
    """The entities that the question names, and those to which its hits were followed from there."""
    named = {EntityId(id) for one in found.trace.body["read"]["entities"] for id in one["ids"]}
    return frozenset(named.union(*({step.source.id, step.target.id} for hit in found.hits for step in hit.path)))


def _holds_one_value(hit: Hit, ontology: Ontology) -> bool:
    """Whether it is a fact whose slot has one value at a time, so that being in force says that nothing has replaced it."""
    fact = hit.memory
    return isinstance(fact, Fact) and ontology.relation(fact.relation).relation.is_functional


def _why_empty(block: Context, budget_tokens: int) -> str:
    """Why a block holds nothing though something was found."""
    counts = Counter(one.reason for one in block.omitted)
    told = ", ".join(f"{count} ({reason})" for reason, count in sorted(counts.items()))
    return f"of what was found nothing stands in a block of {budget_tokens} tokens: left out {told or 'by the sections asked for'}"


def _types(names: Iterable[str], ontology: Ontology) -> frozenset[str]:
    wanted = [ontology.types_below(name) for name in names]
    return frozenset[str]().union(*wanted) if all(wanted) else frozenset()


def _told(block: Context) -> dict[str, Any]:
    """What a trace keeps of a block: which hits it holds, and why it left others out."""
    return {
        "tokens": block.tokens,
        "items": [item.id for section in block.sections for item in section.items],
        "omitted": [{"id": one.id, "reason": one.reason} for one in block.omitted],
    }
