"""The verbs without `await`, for plain code and any number of threads.

The asynchronous engine (or client) runs in an event loop in a thread of its own; a call waits for its answer there. So
there is one implementation of every verb, and several threads may share one `SyncMemory`.
"""

from __future__ import annotations

from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from muniment.engine.jobs.readable import DEFAULT_WAIT_S
from muniment.engine.loop_thread import LoopThread
from muniment.engine.verbs import Tenants, Verbs
from muniment.graph_schema.records import Kind

if TYPE_CHECKING:
    from muniment.engine.asking import Answer, ContextAnswer
    from muniment.engine.explaining import Replay
    from muniment.engine.extract.candidates import Extraction
    from muniment.engine.ingest.inputs import EpisodeIn, FactIn
    from muniment.engine.jobs.readable import Token
    from muniment.engine.memory import ExtractMode, Mode
    from muniment.engine.rank.why_not import WhyNot
    from muniment.engine.retrieve.browse import EntityPage, Slice
    from muniment.engine.retrieve.history import History
    from muniment.engine.retrieve.paths import Neighbourhood, Paths
    from muniment.engine.write.audit import AuditCheck
    from muniment.engine.write.erase.certificate import Certificate
    from muniment.engine.write.erase.holds import Hold
    from muniment.engine.write.erase.run import Released
    from muniment.engine.write.erase.scopes import EraseScope
    from muniment.engine.write.reviews import Review
    from muniment.engine.write.transfer.imports import GivenLines, ImportReport
    from muniment.graph_schema.ontology import Ontology
    from muniment.graph_schema.records import AuditEntry, Episode, Fact, Job, Receipt

T = TypeVar("T")


class SyncMemory:
    """One tenant's memory; the verbs are those of `Memory`, called without `await`. Raises Unavailable once closed."""

    def __init__(self, memory: Verbs, loop: LoopThread) -> None:
        self._memory = memory
        self._loop = loop

    @property
    def asynchronous(self) -> Verbs:
        """The memory behind it, whose verbs are awaited; only work given to `run` may do that."""
        return self._memory

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What some work on `asynchronous` gives. Raises Unavailable once closed, RuntimeError from the loop's own thread."""
        return self._loop.run(work)

    # -- written by tools/faces.py

    def remember(
        self,
        episodes: Sequence[EpisodeIn | Mapping[str, Any]],
        *,
        extract: ExtractMode = "auto",
        mode: Mode = "sync",
        dry_run: bool = False,
    ) -> Receipt:
        """Keeps what happened, and derives what follows from it unless `extract` is "none"."""
        return self._loop.run(self._memory.remember(episodes, extract=extract, mode=mode, dry_run=dry_run))

    def assert_facts(self, facts: Sequence[FactIn | Mapping[str, Any]], *, dry_run: bool = False) -> Receipt:
        """Holds structured facts true, without extraction but under the same rules."""
        return self._loop.run(self._memory.assert_facts(facts, dry_run=dry_run))

    def extract(self, episodes: Sequence[EpisodeIn | Mapping[str, Any]]) -> Extraction:
        """The candidates that the episodes would give; nothing is stored."""
        return self._loop.run(self._memory.extract(episodes))

    def apply_commands(self, commands: Mapping[str, Any] | str, *, dry_run: bool = False) -> Receipt:
        """Does a model's `memory_commands`; broken ones are in the receipt's `rejected`. Raises Invalid, Ambiguous."""
        return self._loop.run(self._memory.apply_commands(commands, dry_run=dry_run))

    def record_outcome(self, skill_id: str, ok: bool, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Counts one use of a skill that went well or not; `skills` tells the counts. Raises NotFound."""
        return self._loop.run(self._memory.record_outcome(skill_id, ok, reason=reason, dry_run=dry_run))

    def retract(self, id: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Takes back the evidence of a fact, an episode or one assertion; what it had closed opens again."""
        return self._loop.run(self._memory.retract(id, reason=reason, dry_run=dry_run))

    def end(
        self, fact_id: str, at: datetime | str | None = None, *, reason: str = "", dry_run: bool = False
    ) -> Receipt:
        """Says that a fact is no longer so from `at` (now) on."""
        return self._loop.run(self._memory.end(fact_id, at, reason=reason, dry_run=dry_run))

    def correct(
        self,
        fact_id: str,
        *,
        object: Mapping[str, Any] | str | None = None,
        valid_at: datetime | str | None = None,
        invalid_at: datetime | str | None = None,
        text: str = "",
        reason: str = "",
        dry_run: bool = False,
    ) -> Receipt:
        """Says that a fact was told wrong and what is right. Raises Invalid where the settings refuse what stands in it."""
        return self._loop.run(
            self._memory.correct(
                fact_id,
                object=object,
                valid_at=valid_at,
                invalid_at=invalid_at,
                text=text,
                reason=reason,
                dry_run=dry_run,
            )
        )

    def reject(self, fact_id: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Says that a fact is not so; telling it again does not bring it back, undoing the rejection does."""
        return self._loop.run(self._memory.reject(fact_id, reason=reason, dry_run=dry_run))

    def pin(self, id: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Marks a memory as always to be shown."""
        return self._loop.run(self._memory.pin(id, reason=reason, dry_run=dry_run))

    def unpin(self, id: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Takes the pin off."""
        return self._loop.run(self._memory.unpin(id, reason=reason, dry_run=dry_run))

    def forget(self, ids: Sequence[str], *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Hides memories softly: gone from every answer, kept for undo and audit."""
        return self._loop.run(self._memory.forget(ids, reason=reason, dry_run=dry_run))

    def purge(
        self,
        scope: Mapping[str, Any] | EraseScope,
        *,
        reason: str = "",
        when_released: bool = False,
        dry_run: bool = False,
    ) -> Certificate:
        """Erases for good, with everything derived: an `episode`, `external_id`, `fact`, `subject`, `user`, `agent`,
        `session`, `wall` or the whole `tenant` (`{"tenant": True}`); `wall` beside another narrows it."""
        return self._loop.run(self._memory.purge(scope, reason=reason, when_released=when_released, dry_run=dry_run))

    def hold(self, scope: Mapping[str, Any] | EraseScope, *, reason: str, dry_run: bool = False) -> Hold:
        """Forbids erasing anything of a scope until the hold is released. Raises NotFound, Ambiguous, Invalid."""
        return self._loop.run(self._memory.hold(scope, reason=reason, dry_run=dry_run))

    def release(self, hold_id: str, *, reason: str = "", dry_run: bool = False) -> Released:
        """Ends a hold; purges that waited for it run now. Raises NotFound, Conflict where it was released already."""
        return self._loop.run(self._memory.release(hold_id, reason=reason, dry_run=dry_run))

    def import_(self, lines: GivenLines, *, reason: str = "", dry_run: bool = False) -> ImportReport:
        """Takes the lines of an `export` in, as text or as objects; the same lines again change nothing."""
        return self._loop.run(self._memory.import_(lines, reason=reason, dry_run=dry_run))

    def set_ontology(self, overlay: Mapping[str, Any], *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Lays the tenant's own types and relations over the base ontology; timelines are recomputed. Raises Invalid."""
        return self._loop.run(self._memory.set_ontology(overlay, reason=reason, dry_run=dry_run))

    def merge(self, ids: Sequence[str], *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Makes the first entity stand for all; ids and spellings of the others lead to it. Raises Conflict, NotFound."""
        return self._loop.run(self._memory.merge(ids, reason=reason, dry_run=dry_run))

    def unmerge(self, merge_id: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Takes a merge apart: its id, or that of the entity that was merged away. Raises NotFound, Conflict where it was
        already."""
        return self._loop.run(self._memory.unmerge(merge_id, reason=reason, dry_run=dry_run))

    def forbid_merge(self, a: str, b: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Says that two entities are not one and shall never be joined. Raises NotFound, Conflict where they are one."""
        return self._loop.run(self._memory.forbid_merge(a, b, reason=reason, dry_run=dry_run))

    def resolve_review(self, id: str, choice: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Decides a review by one of its choices. Raises NotFound, Conflict, Invalid."""
        return self._loop.run(self._memory.resolve_review(id, choice, reason=reason, dry_run=dry_run))

    def undo(self, receipt_id: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Takes back one write, whole. Raises NotFound, Conflict where it is undone already."""
        return self._loop.run(self._memory.undo(receipt_id, reason=reason, dry_run=dry_run))

    def receipt(self, id: str) -> Receipt:
        """The receipt of an earlier write."""
        return self._loop.run(self._memory.receipt(id))

    def retry_job(self, id: str) -> Job:
        """Queues a failed or cancelled job again, with its attempts counted from none. Raises NotFound, Conflict."""
        return self._loop.run(self._memory.retry_job(id))

    def cancel_job(self, id: str) -> Job:
        """Takes a job that waits out of the queue. Raises NotFound, Conflict where it runs or is over."""
        return self._loop.run(self._memory.cancel_job(id))

    def wait_for(self, token: Token, *, timeout_s: float = DEFAULT_WAIT_S) -> None:
        """Returns once what a receipt or job stands for can be read: at once, or when its job is done."""
        return self._loop.run(self._memory.wait_for(token, timeout_s=timeout_s))

    def recall(self, query: str, *, read_after: Token | None = None, **options: Any) -> Answer:
        """Ranked memories for a question, with why; `engine/requests.py` tells the options."""
        return self._loop.run(self._memory.recall(query, read_after=read_after, **options))

    def context(
        self,
        query: str,
        *,
        budget_tokens: int = 900,
        sections: Iterable[str] | None = None,
        messages: Sequence[Mapping[str, Any]] = (),
        read_after: Token | None = None,
        **options: Any,
    ) -> ContextAnswer:
        """The block for a prompt: budgeted, fenced, dated, each item with its id."""
        return self._loop.run(
            self._memory.context(
                query,
                budget_tokens=budget_tokens,
                sections=sections,
                messages=messages,
                read_after=read_after,
                **options,
            )
        )

    def explain(self, trace_id: str) -> Mapping[str, Any]:
        """Why each hit of an answer, and why not each near miss. Raises NotFound."""
        return self._loop.run(self._memory.explain(trace_id))

    def why_not(self, id: str, *, trace_id: str | None = None, query: str | None = None, **options: Any) -> WhyNot:
        """What stopped one memory from being a hit: of an earlier answer, or of a question with the options of `recall`."""
        return self._loop.run(self._memory.why_not(id, trace_id=trace_id, query=query, **options))

    def replay(self, trace_id: str) -> Replay:
        """An earlier answer given once more, under its clocks and weights, and what differs. Nothing counts as used by it."""
        return self._loop.run(self._memory.replay(trace_id))

    def ontology(self) -> Ontology:
        """The types and relations in force."""
        return self._loop.run(self._memory.ontology())

    def episode(self, id: str, *, include_archived: bool = False) -> Episode:
        """The evidence itself; one that was forgotten only with `include_archived`. Raises NotFound."""
        return self._loop.run(self._memory.episode(id, include_archived=include_archived))

    def episodes(
        self,
        *,
        q: str = "",
        kind: str = "",
        thread: str = "",
        user: str = "",
        session: str = "",
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        include_archived: bool = False,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Slice[Episode]:
        """Episodes, newest first; of one `thread`, or of all whose names begin with it where it ends with `/`."""
        return self._loop.run(
            self._memory.episodes(
                q=q,
                kind=kind,
                thread=thread,
                user=user,
                session=session,
                as_of=as_of,
                known_at=known_at,
                include_archived=include_archived,
                limit=limit,
                cursor=cursor,
            )
        )

    def fact(
        self,
        id: str,
        *,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        include_archived: bool = False,
    ) -> Fact:
        """A fact as it stands, or as known at a moment; a skill with how often it went well so far."""
        return self._loop.run(self._memory.fact(id, as_of=as_of, known_at=known_at, include_archived=include_archived))

    def facts(
        self,
        *,
        subject: str = "",
        object: str = "",
        relation: str = "",
        q: str = "",
        type: str = "",
        status: str = "",
        kinds: Iterable[Kind] = (Kind.FACT,),
        user: str = "",
        session: str = "",
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        include_superseded: bool = False,
        include_archived: bool = False,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Slice[Fact]:
        """Facts, newest first; `subject` and `object` are ids or names, `relation` any name that the ontology knows."""
        return self._loop.run(
            self._memory.facts(
                subject=subject,
                object=object,
                relation=relation,
                q=q,
                type=type,
                status=status,
                kinds=kinds,
                user=user,
                session=session,
                as_of=as_of,
                known_at=known_at,
                include_superseded=include_superseded,
                include_archived=include_archived,
                limit=limit,
                cursor=cursor,
            )
        )

    def preferences(self, **filters: Any) -> Slice[Fact]:
        """Preferences and constraints; filters as for `facts`."""
        return self._loop.run(self._memory.preferences(**filters))

    def skills(self, **filters: Any) -> Slice[Fact]:
        """Skills, with how often they went well; filters as for `facts`."""
        return self._loop.run(self._memory.skills(**filters))

    def history(self, id: str) -> History:
        """Every assertion and change of a fact, with its reason. Raises NotFound."""
        return self._loop.run(self._memory.history(id))

    def entity(
        self, id: str, *, as_of: datetime | str | None = None, known_at: datetime | str | None = None
    ) -> EntityPage:
        """An entity, through merges, with what held of it then, as known then. Raises NotFound."""
        return self._loop.run(self._memory.entity(id, as_of=as_of, known_at=known_at))

    def entities(
        self,
        *,
        q: str = "",
        type: str = "",
        user: str = "",
        session: str = "",
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        include_archived: bool = False,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Slice[EntityPage]:
        """Entities, newest first; `q` is a part of any of their spellings, `type` takes what is of a type below it too."""
        return self._loop.run(
            self._memory.entities(
                q=q,
                type=type,
                user=user,
                session=session,
                as_of=as_of,
                known_at=known_at,
                include_archived=include_archived,
                limit=limit,
                cursor=cursor,
            )
        )

    def neighbourhood(
        self,
        ids: Sequence[str],
        *,
        hops: int = 1,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        limit: int = 100,
    ) -> Neighbourhood:
        """Entities and facts within `hops` of some entities."""
        return self._loop.run(self._memory.neighbourhood(ids, hops=hops, as_of=as_of, known_at=known_at, limit=limit))

    def paths(
        self,
        a: str,
        b: str,
        *,
        hops: int = 4,
        k: int = 3,
        relations: Sequence[str] = (),
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
    ) -> Paths:
        """The shortest chains of facts between two entities, each by id or name; of none `empty` says what was looked at. Raises
        NotFound for an unknown one."""
        return self._loop.run(
            self._memory.paths(a, b, hops=hops, k=k, relations=relations, as_of=as_of, known_at=known_at)
        )

    def export(
        self, *, vectors: bool = False, as_of: datetime | str | None = None, known_at: datetime | str | None = None
    ) -> Iterator[dict[str, Any]]:
        """The tenant's data as JSON objects, one a line: a header, then records in the order in which `import_` takes them."""
        return self._loop.each(self._memory.export(vectors=vectors, as_of=as_of, known_at=known_at))

    def holds(self, *, include_released: bool = False, limit: int = 50, cursor: str | None = None) -> Slice[Hold]:
        """The legal holds in force, oldest first; released ones too where asked."""
        return self._loop.run(self._memory.holds(include_released=include_released, limit=limit, cursor=cursor))

    def certificates(self, *, limit: int = 50, cursor: str | None = None) -> Slice[Certificate]:
        """What was purged, oldest first; names in the scopes are hashes."""
        return self._loop.run(self._memory.certificates(limit=limit, cursor=cursor))

    def certificate(self, id: str) -> Certificate:
        """The certificate of one purge. Raises NotFound."""
        return self._loop.run(self._memory.certificate(id))

    def reviews(
        self, *, status: str = "open", kind: str = "", limit: int = 50, cursor: str | None = None
    ) -> Slice[Review]:
        """What a person should decide, with both sides and the effect of each choice; `kind` is the rule that raised it."""
        return self._loop.run(self._memory.reviews(status=status, kind=kind, limit=limit, cursor=cursor))

    def jobs(self, *, state: str = "", kind: str = "", limit: int = 50, cursor: str | None = None) -> Slice[Job]:
        """Accepted work, by id. Raises Invalid for an unknown state."""
        return self._loop.run(self._memory.jobs(state=state, kind=kind, limit=limit, cursor=cursor))

    def job(self, id: str) -> Job:
        """One piece of accepted work. Raises NotFound."""
        return self._loop.run(self._memory.job(id))

    def audit(
        self, *, verb: str = "", outcome: str = "", limit: int = 50, cursor: str | None = None
    ) -> Slice[AuditEntry]:
        """Who did or tried what, newest first; of one `verb` or `outcome` (done, refused, failed) where named."""
        return self._loop.run(self._memory.audit(verb=verb, outcome=outcome, limit=limit, cursor=cursor))

    def verify_audit(self) -> AuditCheck:
        """Whether the chain is whole."""
        return self._loop.run(self._memory.verify_audit())

    # -- end


class SyncEngine:
    """An opened engine or server; gives each tenant's `SyncMemory`. Made by `muniment.open`; a context manager.

    Closing waits for the calls under way; afterwards every call raises Unavailable.
    """

    def __init__(self, opening: Coroutine[Any, Any, Tenants]) -> None:
        self._loop = LoopThread(name="muniment")
        try:
            self._tenants = self._loop.run(opening)
        except BaseException:
            self._loop.close()
            raise

    def for_tenant(self, tenant: str | None, *, actor: str = "anonymous", walls: Iterable[str] = ()) -> SyncMemory:
        """The memory of one tenant. A server's key says itself who the actor is and which walls it sees.

        Raises TenantRequired, Invalid.
        """
        return SyncMemory(self._loop.run(self._verbs(tenant, actor, walls)), self._loop)

    async def _verbs(self, tenant: str | None, actor: str, walls: Iterable[str]) -> Verbs:
        # Inside the loop, where the row of a refused try can be written at once.
        return self._tenants.for_tenant(tenant, actor=actor, walls=walls)

    def close(self) -> None:
        """Ends it, once the calls under way are over. Closing again changes nothing."""
        if not self._loop.is_closed:
            self._loop.close(self._tenants.close())

    def __enter__(self) -> SyncEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
