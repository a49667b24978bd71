"""One tenant's memory: the verbs that agents and programs use.

A `Memory` is bound to a space, to the walls that its caller may see and to the caller's name; no verb takes a tenant.
Each verb reads its input at the edge, lets the stages do the work, and gives a record back. Times are aware; naive ones
are refused. Every write gives a `Receipt` that `undo` takes back; `dry_run` gives the same receipt and writes nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

from muniment.engine.batches import uncollected
from muniment.engine.extract.candidates import Extraction
from muniment.engine.ingest.given import flag, texts
from muniment.engine.ingest.inputs import EpisodeIn, FactIn, end_in, episodes_in, facts_in, time_in
from muniment.engine.jobs.queue import cancel, retry
from muniment.engine.missing import noting_missing
from muniment.engine.ports.store import Unit
from muniment.engine.reading import ReadOnlyMemory
from muniment.engine.tenant_settings import TenantSettings
from muniment.engine.traces import log_only_document
from muniment.engine.write import changes
from muniment.engine.write.assert_facts import draft_facts
from muniment.engine.write.audit import append
from muniment.engine.write.commands import draft_commands
from muniment.engine.write.commit import commit, commit_drafted
from muniment.engine.write.draft import Draft
from muniment.engine.write.erase.certificate import Certificate
from muniment.engine.write.erase.holds import Hold, place_hold
from muniment.engine.write.erase.listed import PURGE
from muniment.engine.write.erase.run import Eraser, Released
from muniment.engine.write.erase.scopes import EraseScope, Sight, erase_scope_in
from muniment.engine.write.merges import draft_forbid, draft_merge, draft_unmerge, merge_of
from muniment.engine.write.ontology import draft_ontology
from muniment.engine.write.outcomes import draft_outcome
from muniment.engine.write.remember import draft_memories, draft_raw, extract, hear
from muniment.engine.write.reviews import draft_identity_decision, draft_resolution, review_of
from muniment.engine.write.survivors import survivors
from muniment.engine.write.transfer.imports import GivenLines, ImportReport, import_lines
from muniment.engine.write.undo import concerns_every_wall, receipt_of, undo_in
from muniment.engine.write.units import in_unit
from muniment.graph_schema.errors import Invalid, MunimentError, NotFound
from muniment.graph_schema.ids import EntityId, FactId, JobId, MergeId, ReceiptId, TraceId, tenant_of
from muniment.graph_schema.records import Job, Receipt

ExtractMode = Literal["auto", "none"]
Mode = Literal["sync", "async"]


class Memory(ReadOnlyMemory):
    """The memory of one tenant, for one caller. Made by `Engine.for_tenant`."""

    @noting_missing
    async def remember(
        self,
        episodes: Sequence[EpisodeIn | Mapping[str, Any]],
        *,
        extract: ExtractMode = "auto",
        mode: Mode = "sync",
        dry_run: bool = False,
    ) -> Receipt:
        """Keeps what happened, and derives what follows from it unless `extract` is "none".

        With `mode` "async" the episodes are kept and a job of the receipt derives the rest: a worker must run. Secrets are
        taken out, or texts with them refused, as the settings say. For a tenant in log-only mode nothing is stored; the
        receipt's `trace` leads to what would have been.
        """
        given = episodes_in(episodes)
        self._see_walls(one.wall for one in given)
        now = self._tools.clock()
        ontology, settings = await self.ontology(), await self._settings()
        screener = self._tools.screener(settings)
        kept = screener.episodes(given)
        heard = await hear(self._store, kept.inputs, now=now, numbers=kept.numbers)
        heard = replace(heard, rejected=(*screener.rejected, *heard.rejected))
        if _mode(mode) == "async" and _extract_mode(extract) == "auto" and not settings.log_only:
            raw = replace(await draft_raw(heard, actor=self.actor, now=now), screened=screener.report)
            return await self._commit(raw, dry_run=dry_run)
        draft = await draft_memories(
            self._store,
            heard,
            verb="remember",
            actor=self.actor,
            now=now,
            indexer=self._tools.indexer,
            extractor=self._tools.extractor_for(self._whole, ontology, settings)
            if _extract_mode(extract) == "auto"
            else None,
            ontology=ontology,
        )
        return await self._learn(replace(draft, screened=screener.report), settings, dry_run=dry_run)

    @noting_missing
    async def assert_facts(self, facts: Sequence[FactIn | Mapping[str, Any]], *, dry_run: bool = False) -> Receipt:
        """Holds structured facts true, without extraction but under the same rules."""
        given = facts_in(facts)
        self._see_walls(one.wall for one in given)
        with uncollected(len(given)):
            settings = await self._settings()
            screener = self._tools.screener(settings)
            kept = screener.facts(given)
            draft = await draft_facts(
                self._store,
                kept.inputs,
                actor=self.actor,
                now=self._tools.clock(),
                indexer=self._tools.indexer,
                numbers=kept.numbers,
            )
            draft = replace(draft, rejected=(*screener.rejected, *draft.rejected), screened=screener.report)
            return await self._learn(draft, settings, dry_run=dry_run)

    async def extract(self, episodes: Sequence[EpisodeIn | Mapping[str, Any]]) -> Extraction:
        """The candidates that the episodes would give; nothing is stored."""
        given = episodes_in(episodes)
        self._see_walls(one.wall for one in given)
        settings = await self._settings()
        kept = self._tools.screener(settings).episodes(given)
        now, ontology = self._tools.clock(), await self.ontology()
        heard = await hear(self._store, kept.inputs, now=now, numbers=kept.numbers)
        extractor = self._tools.extractor_for(self._whole, ontology, settings)
        return await extract(self._store, heard.new, extractor, ontology=ontology, now=now)

    @noting_missing
    async def apply_commands(self, commands: Mapping[str, Any] | str, *, dry_run: bool = False) -> Receipt:
        """Does a model's `memory_commands`; broken ones are in the receipt's `rejected`. Raises Invalid, Ambiguous."""
        settings = await self._settings()
        screener = self._tools.screener(settings)
        draft = await draft_commands(
            self._store, commands, self._hand(""), indexer=self._tools.indexer, screener=screener
        )
        return await self._learn(draft, settings, dry_run=dry_run)

    @noting_missing
    async def record_outcome(self, skill_id: str, ok: bool, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Counts one use of a skill that went well or not; `skills` tells the counts. Raises NotFound."""
        hand = self._hand(reason)
        return await commit_drafted(
            self._store,
            lambda unit: draft_outcome(unit, FactId(skill_id), ok=ok, hand=hand),
            self._tools.writing(await self.ontology()),
            dry_run=dry_run,
        )

    @noting_missing
    async def retract(self, id: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Takes back the evidence of a fact, an episode or one assertion; what it had closed opens again."""
        return await self._commit(await changes.draft_retraction(self._store, id, self._hand(reason)), dry_run=dry_run)

    @noting_missing
    async def end(
        self, fact_id: str, at: datetime | str | None = None, *, reason: str = "", dry_run: bool = False
    ) -> Receipt:
        """Says that a fact is no longer so from `at` (now) on."""
        moment = time_in(at, field="at")
        draft = await changes.draft_end(self._store, FactId(fact_id), moment, self._hand(reason))
        return await self._commit(draft, dry_run=dry_run)

    @noting_missing
    async def correct(
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
        screener = self._tools.screener(await self._settings())
        given = None if object is None else screener.told(object, "object")
        draft = await changes.draft_correction(
            self._store,
            FactId(fact_id),
            self._hand(reason),
            object=None if given is None else end_in(given, field="object", literal=True),
            valid_at=time_in(valid_at, field="valid_at"),
            invalid_at=time_in(invalid_at, field="invalid_at"),
            text=screener.told(text, "text"),
        )
        return await self._commit(replace(draft, screened=screener.report), dry_run=dry_run)

    @noting_missing
    async def reject(self, fact_id: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Says that a fact is not so; telling it again does not bring it back, undoing the rejection does."""
        draft = await changes.draft_rejection(self._store, FactId(fact_id), self._hand(reason))
        return await self._commit(draft, dry_run=dry_run)

    @noting_missing
    async def pin(self, id: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Marks a memory as always to be shown."""
        draft = await changes.draft_pin(self._store, id, self._hand(reason), pinned=True)
        return await self._commit(draft, dry_run=dry_run)

    @noting_missing
    async def unpin(self, id: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Takes the pin off."""
        draft = await changes.draft_pin(self._store, id, self._hand(reason), pinned=False)
        return await self._commit(draft, dry_run=dry_run)

    @noting_missing
    async def forget(self, ids: Sequence[str], *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Hides memories softly: gone from every answer, kept for undo and audit."""
        draft = await changes.draft_forgetting(self._store, texts("ids", ids), self._hand(reason))
        return await self._commit(draft, dry_run=dry_run)

    @noting_missing
    async def purge(
        self,
        scope: Mapping[str, Any] | EraseScope,
        *,
        reason: str = "",
        when_released: bool = False,
        dry_run: bool = False,
    ) -> Certificate:
        """Erases for good, with everything derived: an `episode`, `external_id`, `fact`, `subject`, `user`, `agent`,
        `session`, `wall` or the whole `tenant` (`{"tenant": True}`); `wall` beside another narrows it.

        Facts that other evidence supports stay, told anew from it; a fact's own episodes stay, they are memories of their
        own. Every trace of the tenant goes too. Cannot be undone. Raises Held (with `when_released` the purge then waits for
        the hold's end), NotFound, Ambiguous.
        """
        flag("dry_run", dry_run)
        given = erase_scope_in(scope, tenant=tenant_of(self.space))
        eraser, sight = await self._eraser(), Sight.of(self._store)
        return await eraser.purge(given, sight, self._hand(reason), when_released=when_released, dry_run=dry_run)

    @noting_missing
    async def hold(self, scope: Mapping[str, Any] | EraseScope, *, reason: str, dry_run: bool = False) -> Hold:
        """Forbids erasing anything of a scope until the hold is released. Raises NotFound, Ambiguous, Invalid."""
        if not reason.strip():
            raise Invalid("reason is empty: say on what ground this is held", field="reason")
        flag("dry_run", dry_run)
        given = erase_scope_in(scope, tenant=tenant_of(self.space))
        return await place_hold(self._whole, given, Sight.of(self._store), self._hand(reason), dry_run=dry_run)

    @noting_missing
    async def release(self, hold_id: str, *, reason: str = "", dry_run: bool = False) -> Released:
        """Ends a hold; purges that waited for it run now. Raises NotFound, Conflict where it was released already."""
        released = await (await self._eraser()).release(hold_id, self._hand(reason), dry_run=dry_run)
        self._tools.forget_ontology(self.space)
        return released

    async def import_(self, lines: GivenLines, *, reason: str = "", dry_run: bool = False) -> ImportReport:
        """Takes the lines of an `export` in, as text or as objects; the same lines again change nothing.

        What was purged here stays purged, what was rejected stays rejected, timelines are computed anew. A dry run is one
        transaction, whatever the length of the lines. Raises Invalid for a broken line, naming line and field, once
        everything before it is kept.
        """
        hand = self._hand(reason)
        try:
            writing = self._tools.writing(await self.ontology())
            report = await import_lines(self._store, lines, hand, writing, dry_run=dry_run)
        finally:
            self._tools.forget_ontology(self.space)
        if report.created.get(PURGE) and not dry_run:
            await (await self._eraser()).replay(hand)
        return report

    async def set_ontology(self, overlay: Mapping[str, Any], *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Lays the tenant's own types and relations over the base ontology; timelines are recomputed. Raises Invalid."""
        draft, ontology = await draft_ontology(self._whole, overlay, self._hand(reason))
        receipt = await commit(self._whole, draft, self._tools.writing(ontology), dry_run=dry_run)
        self._tools.forget_ontology(self.space)
        return receipt

    @noting_missing
    async def merge(self, ids: Sequence[str], *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Makes the first entity stand for all; ids and spellings of the others lead to it. Raises Conflict, NotFound."""
        entities = [EntityId(id) for id in texts("ids", ids)]
        await survivors(self._store, entities)
        ontology, hand = await self.ontology(), self._hand(reason)
        return await self._commit_whole(lambda unit: draft_merge(unit, entities, ontology, hand), dry_run=dry_run)

    @noting_missing
    async def unmerge(self, merge_id: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Takes a merge apart: its id, or that of the entity that was merged away. Raises NotFound, Conflict where it was
        already."""
        id = MergeId((await merge_of(self._store, merge_id)).id)
        ontology, hand = await self.ontology(), self._hand(reason)
        return await self._commit_whole(lambda unit: draft_unmerge(unit, id, ontology, hand), dry_run=dry_run)

    @noting_missing
    async def forbid_merge(self, a: str, b: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Says that two entities are not one and shall never be joined. Raises NotFound, Conflict where they are one."""
        await survivors(self._store, [EntityId(a), EntityId(b)])
        hand = self._hand(reason)
        return await self._commit_whole(
            lambda unit: draft_forbid(unit, EntityId(a), EntityId(b), hand), dry_run=dry_run
        )

    @noting_missing
    async def resolve_review(self, id: str, choice: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Decides a review by one of its choices. Raises NotFound, Conflict, Invalid."""
        review = await review_of(self._store, id)
        ontology, hand = await self.ontology(), self._hand(reason)
        if review.entities:
            return await self._commit_whole(
                lambda unit: draft_identity_decision(unit, id, choice, ontology, hand), dry_run=dry_run
            )
        return await commit_drafted(
            self._store,
            lambda unit: draft_resolution(unit, id, choice, hand),
            self._tools.writing(ontology),
            dry_run=dry_run,
        )

    @noting_missing
    async def undo(self, receipt_id: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Takes back one write, whole. Raises NotFound, Conflict where it is undone already."""
        receipt = await receipt_of(self._store, ReceiptId(receipt_id))
        writing = self._tools.writing(await self.ontology())
        store = self._whole if concerns_every_wall(receipt) else self._store
        try:
            return await undo_in(store, receipt.id, self._hand(reason), writing, dry_run=dry_run)
        finally:
            self._tools.forget_ontology(self.space)

    async def receipt(self, id: str) -> Receipt:
        """The receipt of an earlier write."""
        return await receipt_of(self._store, ReceiptId(id))

    @noting_missing
    async def retry_job(self, id: str) -> Job:
        """Queues a failed or cancelled job again, with its attempts counted from none. Raises NotFound, Conflict."""
        return await retry(self._store, JobId(id), at=self._tools.clock(), actor=self.actor)

    @noting_missing
    async def cancel_job(self, id: str) -> Job:
        """Takes a job that waits out of the queue. Raises NotFound, Conflict where it runs or is over."""
        return await cancel(self._store, JobId(id), at=self._tools.clock(), actor=self.actor)

    async def note_missing(self, verb: str, error: MunimentError) -> None:
        """Notes a write that named what is not there or is another's, or that something stood against, unless whoever asks for the caller does so."""
        if self._notes_missing:
            await self.refused(verb, detail={"code": error.code})

    async def refused(self, verb: str, *, detail: Mapping[str, Any] | None = None) -> None:
        """Writes a refused try into the audit chain."""
        at = self._tools.clock()
        await in_unit(
            self._whole,
            lambda unit: append(unit, at=at, actor=self.actor, verb=verb, outcome="refused", detail=detail),
        )

    async def _eraser(self) -> Eraser:
        writing = self._tools.writing(await self.ontology())
        return Eraser(store=self._whole, later=self._tools.later, scrub=self._scrub, writing=writing)

    def _see_walls(self, walls: Iterable[str]) -> None:
        """Raises NotFound for a wall that the caller does not see, by the name under which it was told."""
        for wall in walls:
            if wall and not self._store.all_walls and wall not in self._store.walls:
                raise NotFound.of("wall", wall)

    def _hand(self, reason: str) -> changes.Hand:
        return changes.Hand(actor=self.actor, at=self._tools.clock(), reason=reason)

    async def _commit_whole(self, drawn: Callable[[Unit], Awaitable[Draft]], *, dry_run: bool) -> Receipt:
        """Commits what concerns every wall of the tenant, whichever the caller may see."""
        flag("dry_run", dry_run)
        return await commit_drafted(self._whole, drawn, self._tools.writing(await self.ontology()), dry_run=dry_run)

    async def _learn(self, draft: Draft, settings: TenantSettings, *, dry_run: bool) -> Receipt:
        """Commits what was told; for a tenant in log-only mode it is worked out, kept as a trace, and not done."""
        receipt = await self._commit(draft, dry_run=dry_run or settings.log_only)
        if not settings.log_only:
            return receipt
        trace = log_only_document(receipt, draft, self._store, keep=self._tools.keep_traces)
        self._tools.later.add(self._store, documents=[trace])
        return replace(receipt, trace=TraceId(trace.id))

    async def _commit(self, draft: Draft, *, dry_run: bool) -> Receipt:
        flag("dry_run", dry_run)
        ontology = await self.ontology()
        return await commit(self._store, draft, self._tools.writing(ontology), dry_run=dry_run)


def _mode(mode: Mode) -> Mode:
    if mode in ("sync", "async"):
        return mode
    raise Invalid(f"mode is {mode!r}: use 'sync' or 'async'", field="mode")


def _extract_mode(mode: ExtractMode) -> ExtractMode:
    if mode in ("auto", "none"):
        return mode
    raise Invalid(f"extract is {mode!r}: use 'auto' or 'none'", field="extract")
