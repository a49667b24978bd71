"""Reading one tenant's memory: every verb that changes nothing.

Bound to a space and to the walls that its caller may see. Times are aware; naive ones are refused.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from muniment.engine.asking import AskedMemory
from muniment.engine.ingest.given import flag, texts, whole
from muniment.engine.ingest.inputs import time_in
from muniment.engine.ports.search import ReadFilter
from muniment.engine.ports.store import (
    LONGEST_THREAD_PREFIX,
    DocumentQuery,
    EntityQuery,
    EpisodeQuery,
    FactQuery,
)
from muniment.engine.retrieve.browse import (
    EntityPage,
    Listing,
    Slice,
    as_stored,
    entities_named,
    entity_pages,
    list_documents,
    list_entities,
    list_episodes,
    list_facts,
    seen_by,
)
from muniment.engine.retrieve.history import History, history
from muniment.engine.retrieve.known import as_known
from muniment.engine.retrieve.paths import Neighbourhood, Paths, neighbourhood, paths
from muniment.engine.write import changes
from muniment.engine.write.audit import AUDIT, AuditCheck, append, entry_of, verify
from muniment.engine.write.erase.certificate import Certificate
from muniment.engine.write.erase.holds import Hold, list_holds
from muniment.engine.write.erase.run import certificate, list_certificates
from muniment.engine.write.outcomes import with_outcomes
from muniment.engine.write.reviews import Review, list_reviews
from muniment.engine.write.spending import DayOfUse, days_of_use
from muniment.engine.write.survivors import survivors
from muniment.engine.write.taken_back import counted
from muniment.engine.write.transfer.export import ExportChoice, export_lines
from muniment.engine.write.units import in_unit
from muniment.graph_schema.errors import Invalid, NotFound
from muniment.graph_schema.ids import EntityId, EpisodeId, FactId, JobId
from muniment.graph_schema.records import (
    AuditEntry,
    Episode,
    Fact,
    Job,
    JobState,
    Kind,
    Status,
)
from muniment.graph_schema.temporal import Clocks

MAX_LIMIT = 200
MAX_HOPS = 4
MAX_DAYS = 366


class ReadOnlyMemory(AskedMemory):
    """What a reader may do with the memory of one tenant; `Memory` adds the writes."""

    # -- reading

    async def model_use(self, *, limit: int = 31, cursor: str | None = None) -> Slice[DayOfUse]:
        """What the tenant's use of a language model cost on its last days, newest first; at most 366 days a page."""
        return await days_of_use(
            self._whole, replace(self._listing("model_use", 1, cursor), limit=whole("limit", limit, 1, MAX_DAYS))
        )

    async def episode(self, id: str, *, include_archived: bool = False) -> Episode:
        """The evidence itself; one that was forgotten only with `include_archived`. Raises NotFound."""
        found = await self._store.episodes([EpisodeId(id)])
        if not found or (found[0].archived and not flag("include_archived", include_archived)):
            raise NotFound.of("episode", id)
        return found[0]

    async def episodes(
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
        """Episodes, newest first; of one `thread`, or of all whose names begin with it where it ends with `/`.

        `as_of` leaves out what happened later, `known_at` what was heard of later.
        """
        if thread.endswith("/") and len(thread) > LONGEST_THREAD_PREFIX:
            raise Invalid(
                f"thread has {len(thread)} characters: at most {LONGEST_THREAD_PREFIX} begin others", field="thread"
            )
        query = EpisodeQuery(
            text=q,
            kind=kind,
            thread=thread,
            user=user,
            session=session,
            as_of=time_in(as_of, field="as_of"),
            known_at=time_in(known_at, field="known_at"),
            include_archived=flag("include_archived", include_archived),
        )
        return await list_episodes(self._store, query, self._listing("episodes", limit, cursor, asdict(query)))

    async def used_as_evidence(self, ids: Sequence[str]) -> frozenset[EpisodeId]:
        """Those of some episodes that something was derived or asserted from, even if it was retracted since; not what a write
        told that was undone."""
        found = await counted(self._store, await self._store.assertions_of_episodes([EpisodeId(id) for id in ids]))
        return frozenset(one.episode for one in found if one.episode is not None)

    async def fact(
        self,
        id: str,
        *,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        include_archived: bool = False,
    ) -> Fact:
        """A fact as it stands, or as known at a moment; a skill with how often it went well so far.

        Its `status` is the one at `as_of`. One that was archived with its forgotten episode only with `include_archived`. Raises
        NotFound, a retracted fact included; Invalid.
        """
        if flag("include_archived", include_archived):
            kept = await self._forgotten(FactId(id), time_in(known_at, field="known_at"))
            if kept is not None:
                return kept
        told_of = time_in(as_of, field="as_of")
        moment = time_in(known_at, field="known_at")
        if moment is None:
            found = [await changes.standing_fact(self._store, FactId(id))]
        else:
            found = await self._heard(await self._store.facts([FactId(id)], known_at=moment), moment)
        if not found:
            raise NotFound.of("fact", id)
        if found[0].kind is Kind.SKILL:
            found = await with_outcomes(self._store, found)
        return found[0] if told_of is None else replace(found[0], as_of=told_of)

    async def facts(
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
        """Facts, newest first; `subject` and `object` are ids or names, `relation` any name that the ontology knows.

        An inverse name asks for the stored facts the other way round; a symmetric fact is found from either end. With `type` the
        subject or the object is of that type of the ontology, or of one below it.
        """
        moment = time_in(as_of, field="as_of")
        query = FactQuery(
            kinds=frozenset(kinds),
            subjects=await entities_named(self._store, subject) if subject else None,
            objects=await entities_named(self._store, object) if object else None,
            types=await self._types_of(type),
            text=q,
            status=_status(status),
            user=user,
            session=session,
            as_of=moment or self._tools.clock(),
            known_at=time_in(known_at, field="known_at"),
            include_superseded=flag("include_superseded", include_superseded),
            include_archived=flag("include_archived", include_archived),
        )
        queries = as_stored(query, relation, await self.ontology())
        asked = {**asdict(query), "subject": subject, "object": object, "relation": relation, "as_of": moment}
        asked = {name: value for name, value in asked.items() if name not in ("subjects", "objects", "relations")}
        found = await list_facts(self._store, queries, self._listing("facts", limit, cursor, asked))
        items = await self._heard(found.items, known_at)
        return replace(found, items=tuple(items if moment is None else (replace(f, as_of=moment) for f in items)))

    async def preferences(self, **filters: Any) -> Slice[Fact]:
        """Preferences and constraints; filters as for `facts`."""
        return await self.facts(kinds=(Kind.PREFERENCE,), **filters)

    async def skills(self, **filters: Any) -> Slice[Fact]:
        """Skills, with how often they went well; filters as for `facts`."""
        found = await self.facts(kinds=(Kind.SKILL,), **filters)
        return replace(found, items=tuple(await with_outcomes(self._store, list(found.items))))

    async def history(self, id: str) -> History:
        """Every assertion and change of a fact, with its reason. Raises NotFound."""
        return await history(self._store, FactId(id))

    async def entity(
        self, id: str, *, as_of: datetime | str | None = None, known_at: datetime | str | None = None
    ) -> EntityPage:
        """An entity, through merges, with what held of it then, as known then. Raises NotFound, also where nothing was known of
        it by then."""
        found = await survivors(self._store, [EntityId(id)])
        entity = found[EntityId(id)]
        if entity.archived:
            raise NotFound.of("entity", id)
        clocks = self._clocks(as_of, known_at)
        (page,) = await entity_pages(self._store, [entity], clocks)
        if known_at is not None and not page.was_known(clocks.known_at):
            raise NotFound.of("entity", id)
        return page

    async def entities(
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
        """Entities, newest first; `q` is a part of any of their spellings, `type` takes what is of a type below it too.

        `user` and `session`: of which a memory of theirs tells. The clocks are those of what is counted; of what nothing was known
        at `known_at` is left out, so a page may hold fewer than `limit` before the last.
        """
        query = EntityQuery(
            text=q,
            types=await self._types_of(type),
            user=user,
            session=session,
            include_archived=flag("include_archived", include_archived),
        )
        clocks = self._clocks(as_of, known_at)
        moments = {"as_of": as_of and clocks.as_of, "known_at": known_at and clocks.known_at}
        listing = self._listing("entities", limit, cursor, {**asdict(query), **moments})
        found = await list_entities(self._store, query, listing, clocks=clocks)
        if known_at is None:
            return found
        return replace(found, items=tuple(page for page in found.items if page.was_known(clocks.known_at)))

    async def neighbourhood(
        self,
        ids: Sequence[str],
        *,
        hops: int = 1,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        limit: int = 100,
    ) -> Neighbourhood:
        """Entities and facts within `hops` of some entities."""
        seeds = list(await survivors(self._store, [EntityId(id) for id in texts("ids", ids)]))
        found = await neighbourhood(
            self._store, seeds, hops=_hops(hops), filter=self._filter(as_of, known_at), cap=_limit(limit)
        )
        return replace(found, facts=tuple(await self._heard(found.facts, known_at)))

    async def paths(
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
        ends = [await entities_named(self._store, name) for name in (a, b)]
        for name, found in zip((a, b), ends, strict=True):
            if not found:
                raise NotFound.of("entity", name)
        ontology = await self.ontology()
        names = [ontology.relation(name).relation.name for name in texts("relations", relations)]
        chains = await paths(
            self._store,
            sorted(ends[0]),
            sorted(ends[1]),
            filter=self._filter(as_of, known_at),
            max_hops=_hops(hops),
            k=whole("k", k, 1),
            relations=names,
        )
        heard = {f.id: f for f in await self._heard([leg.fact for path in chains for leg in path.legs], known_at)}
        return Paths(
            (replace(path, legs=tuple(replace(leg, fact=heard[leg.fact.id]) for leg in path.legs)) for path in chains),
            empty=chains.empty,
        )

    def export(
        self,
        *,
        vectors: bool = False,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
    ) -> AsyncIterator[dict[str, Any]]:
        """The tenant's data as JSON objects, one a line: a header, then records in the order in which `import_` takes them.

        What stands behind walls that the caller does not see is left out; receipts and the audit chain are there when every
        wall is open. `vectors` adds those of the index; `known_at` leaves out what was heard of later.

        With `as_of` it is a picture instead: the facts, preferences and skills in force then, as known then, with the entities
        and episodes behind them; `import_` refuses it. Each export leaves a row in the audit chain. Raises Invalid.
        """
        choice = ExportChoice(
            vectors=flag("vectors", vectors),
            as_of=time_in(as_of, field="as_of"),
            known_at=time_in(known_at, field="known_at"),
        )
        if choice.vectors and choice.as_of is not None:
            raise Invalid("vectors cannot be had with as_of: a picture is not taken in again", field="vectors")
        lines = export_lines(self._store, at=self._tools.clock(), choice=choice)
        return self._noted(lines, "export") if self._notes_missing else lines

    async def holds(self, *, include_released: bool = False, limit: int = 50, cursor: str | None = None) -> Slice[Hold]:
        """The legal holds in force, oldest first; released ones too where asked."""
        wanted = flag("include_released", include_released)
        listing = self._listing("holds", limit, cursor, {"include_released": wanted})
        return await list_holds(self._whole, listing, include_released=wanted)

    async def certificates(self, *, limit: int = 50, cursor: str | None = None) -> Slice[Certificate]:
        """What was purged, oldest first; names in the scopes are hashes."""
        return await list_certificates(self._whole, self._listing("certificates", limit, cursor))

    async def certificate(self, id: str) -> Certificate:
        """The certificate of one purge. Raises NotFound."""
        return await certificate(self._whole, id)

    async def reviews(
        self, *, status: str = "open", kind: str = "", limit: int = 50, cursor: str | None = None
    ) -> Slice[Review]:
        """What a person should decide, with both sides and the effect of each choice; `kind` is the rule that raised it."""
        listing = self._listing("reviews", limit, cursor, {"status": status, "kind": kind})
        return await list_reviews(self._store, listing, status=status, rule=kind)

    async def jobs(self, *, state: str = "", kind: str = "", limit: int = 50, cursor: str | None = None) -> Slice[Job]:
        """Accepted work, by id. Raises Invalid for an unknown state."""
        wanted = JobState(state) if state in list(JobState) else None
        if state and wanted is None:
            raise Invalid(f"state is {state!r}: use one of {', '.join(JobState)}", field="state")
        listing = self._listing("jobs", limit, cursor, {"state": state, "kind": kind})
        place = listing.place()
        after = JobId(place[1]) if place else None
        rows = await self._store.jobs(state=wanted, kind=kind, limit=listing.limit + 1, after=after)
        return listing.slice(rows, [(0, row.id) for row in rows])

    async def job(self, id: str) -> Job:
        """One piece of accepted work. Raises NotFound."""
        found = await self._store.job(JobId(id))
        if found is None:
            raise NotFound.of("job", id)
        return found

    # -- the audit chain

    async def audit(
        self, *, verb: str = "", outcome: str = "", limit: int = 50, cursor: str | None = None
    ) -> Slice[AuditEntry]:
        """Who did or tried what, newest first; of one `verb` or `outcome` (done, refused, failed) where named."""
        query = DocumentQuery(kind=AUDIT, ref=verb or None, status=outcome or None, newest_first=True)
        listing = self._listing("audit", limit, cursor, {"verb": verb, "outcome": outcome})
        return await list_documents(self._store, query, listing, entry_of)

    async def verify_audit(self) -> AuditCheck:
        """Whether the chain is whole."""
        return await verify(self._store)

    # -- within

    async def _noted(self, lines: AsyncIterator[dict[str, Any]], verb: str) -> AsyncIterator[dict[str, Any]]:
        """The lines, with a row in the audit chain from the first of them on; the row itself is not among them."""
        first = await anext(lines)
        at = self._tools.clock()
        await in_unit(self._whole, lambda unit: append(unit, at=at, actor=self.actor, verb=verb, outcome="done"))
        yield first
        async for line in lines:
            yield line

    async def _forgotten(self, id: FactId, known_at: datetime | None) -> Fact | None:
        """What is kept of a fact whose episodes were forgotten, if they had been by then."""
        found = await self._store.facts([id])
        if not found or not found[0].is_forgotten or (known_at is not None and known_at < found[0].created_at):
            return None
        return found[0]

    async def _types_of(self, type: str) -> frozenset[str]:
        return (await self.ontology()).types_below(type) if type else frozenset()

    def _listing(self, name: str, limit: int, cursor: str | None, filters: Mapping[str, Any] | None = None) -> Listing:
        whose = seen_by(self._store)
        return Listing(name=name, whose=whose, limit=_limit(limit), cursor=cursor, filters=filters or {})

    async def _heard(self, facts: Sequence[Fact], known_at: datetime | str | None) -> list[Fact]:
        """The facts without evidence that was heard of later than the moment."""
        return await as_known(self._store, facts, time_in(known_at, field="known_at"))

    def _filter(self, as_of: datetime | str | None, known_at: datetime | str | None) -> ReadFilter:
        return ReadFilter(clocks=self._clocks(as_of, known_at), scope=None)

    def _clocks(self, as_of: datetime | str | None, known_at: datetime | str | None) -> Clocks:
        now = self._tools.clock()
        return Clocks(as_of=time_in(as_of, field="as_of") or now, known_at=time_in(known_at, field="known_at") or now)


def _limit(limit: int) -> int:
    return whole("limit", limit, 1, MAX_LIMIT)


def _hops(hops: int) -> int:
    return whole("hops", hops, 1, MAX_HOPS)


def _status(status: str) -> Status | None:
    if not status:
        return None
    try:
        return Status(status)
    except ValueError as cause:
        raise Invalid(f"status is {status!r}: use one of {', '.join(Status)}", field="status") from cause
