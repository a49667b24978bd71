"""Reading a tenant's memory on a server: every verb of `engine/asking.py` and `engine/reading.py`, over HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from time import monotonic
from typing import Any
from urllib.parse import quote

from muniment.api.client import readers
from muniment.api.client.transport import READ_AFTER_HEADER, Call, Transport
from muniment.api.client.wire import body_of, query_of
from muniment.engine.asking import Answer, ContextAnswer
from muniment.engine.assemble.trim import Trimmed
from muniment.engine.explaining import Replay
from muniment.engine.ingest.inputs import time_in
from muniment.engine.jobs.readable import DEFAULT_WAIT_S, Token, token_text
from muniment.engine.rank.why_not import WhyNot
from muniment.engine.retrieve.browse import EntityPage, Slice
from muniment.engine.retrieve.history import History
from muniment.engine.retrieve.paths import Neighbourhood, Paths
from muniment.engine.write.audit import AuditCheck
from muniment.engine.write.erase.certificate import Certificate
from muniment.engine.write.erase.holds import Hold
from muniment.engine.write.reviews import Review
from muniment.graph_schema.errors import Invalid, NotYetReadable
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.records import AuditEntry, Episode, Fact, Job, Kind


def path_of(template: str, *ids: str) -> str:
    """A route's path with ids in their places, whatever characters they have. Raises Invalid for an empty one."""
    if not all(ids):
        raise Invalid("an id is empty", field="id")
    return template.format(*(quote(id, safe="") for id in ids))


def _at(fact: Fact, as_of: datetime | str | None) -> Fact:
    """The fact with the moment that was asked for, for which its `status` is told."""
    moment = time_in(as_of, field="as_of")
    return fact if moment is None else replace(fact, as_of=moment)


def _all_at(found: Slice[Fact], as_of: datetime | str | None) -> Slice[Fact]:
    return replace(found, items=tuple(_at(fact, as_of) for fact in found.items))


class ReadOnlyClient:
    """The reading verbs on a server; `AsyncClient` adds the writes."""

    def __init__(self, transport: Transport, headers: Mapping[str, str]) -> None:
        self._transport = transport
        self._headers = dict(headers)

    # -- asking

    async def wait_for(self, token: Token, *, timeout_s: float = DEFAULT_WAIT_S) -> None:
        """Returns once what a receipt or job stands for can be read; the server waits, and is asked again until then.

        Raises NotYetReadable after `timeout_s` (or the server's own bound, where that is longer), Conflict, NotFound.
        """
        text = token_text(token)
        if not text:
            return
        until = monotonic() + timeout_s
        while True:
            try:
                await self._get("/v1/episodes", query_of(limit=1), read_after=text)
                return
            except NotYetReadable:
                if monotonic() >= until:
                    raise

    async def recall(self, query: str, *, read_after: Token | None = None, **options: Any) -> Answer:
        """Ranked memories for a question, with why, with the records of what was found."""
        body = body_of(query=query, records=True, **options)
        return readers.answer(await self._ask("/v1/recall", body, read_after=read_after))

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
        """The block for a prompt: budgeted, fenced, dated, each item with its id."""
        body = body_of(query=query, budget_tokens=budget_tokens, sections=sections, messages=messages, **options)
        return readers.context_answer(await self._ask("/v1/context", body, read_after=read_after))

    async def trim(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        soft: int,
        hard: int,
        on_overflow: str = "raise",
        keep_last: int = 4,
    ) -> Trimmed:
        """Chat history cut to a budget by the server; `engine.assemble.trim` does the same without one."""
        body = body_of(messages=messages, soft=soft, hard=hard, on_overflow=on_overflow, keep_last=keep_last)
        return readers.record(Trimmed, await self._ask("/v1/trim", body))

    async def explain(self, trace_id: str) -> Mapping[str, Any]:
        """Why each hit of an answer, and why not each near miss. Raises NotFound."""
        told: Mapping[str, Any] = await self._get(path_of("/v1/traces/{}", trace_id))
        return told

    async def why_not(
        self, id: str, *, trace_id: str | None = None, query: str | None = None, **options: Any
    ) -> WhyNot:
        """What stopped one memory from being a hit: of an earlier answer, or of a question with the options of `recall`.

        Raises NotFound for an unknown id or trace, Invalid unless one of both is given.
        """
        if (trace_id is None) == (query is None):
            raise Invalid("give a trace_id or a query, one of both", field="trace_id")
        if trace_id is not None:
            return readers.record(WhyNot, await self._get(path_of("/v1/traces/{}/why-not/{}", trace_id, id)))
        return readers.record(WhyNot, await self._ask("/v1/why-not", body_of(id=id, query=query, **options)))

    async def replay(self, trace_id: str) -> Replay:
        """An earlier answer given once more, under its clocks and weights, and what differs. Raises NotFound, Invalid."""
        return readers.record(Replay, await self._get(path_of("/v1/traces/{}/replay", trace_id)))

    # -- browsing

    async def episode(self, id: str, *, include_archived: bool = False) -> Episode:
        """The evidence itself; one that was forgotten only with `include_archived`. Raises NotFound."""
        query = query_of(include_archived=include_archived)
        return readers.record(Episode, await self._get(path_of("/v1/episodes/{}", id), query))

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
        """Episodes, newest first; of one `thread`, or of all whose names begin with it where it ends with `/`."""
        query = query_of(
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
        return readers.page(Episode, await self._get("/v1/episodes", query))

    async def fact(
        self,
        id: str,
        *,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        include_archived: bool = False,
    ) -> Fact:
        """A fact as it stands, or as known at a moment, with its status at `as_of`. Raises NotFound, a retracted fact included."""
        query = query_of(as_of=as_of, known_at=known_at, include_archived=include_archived)
        return _at(readers.record(Fact, await self._get(path_of("/v1/facts/{}", id), query)), as_of)

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
        """Facts, newest first; `subject` and `object` are ids or names, `relation` any name that the ontology knows."""
        filters = {"subject": subject, "object": object, "relation": relation, "q": q, "status": status, "user": user}
        query = query_of(
            **filters,
            type=type,
            kind=list(kinds),
            session=session,
            as_of=as_of,
            known_at=known_at,
            include_superseded=include_superseded,
            include_archived=include_archived,
            limit=limit,
            cursor=cursor,
        )
        return _all_at(readers.page(Fact, await self._get("/v1/facts", query)), as_of)

    async def preferences(self, **filters: Any) -> Slice[Fact]:
        """Preferences and constraints; filters as for `facts`."""
        return await self.facts(kinds=(Kind.PREFERENCE,), **filters)

    async def skills(self, **filters: Any) -> Slice[Fact]:
        """Skills, with how often they went well; filters as for `facts`."""
        return _all_at(readers.page(Fact, await self._get("/v1/skills", query_of(**filters))), filters.get("as_of"))

    async def history(self, id: str) -> History:
        """Every assertion and change of a fact, with its reason. Raises NotFound."""
        return readers.record(History, await self._get(path_of("/v1/facts/{}/history", id)))

    async def entity(
        self, id: str, *, as_of: datetime | str | None = None, known_at: datetime | str | None = None
    ) -> EntityPage:
        """An entity, through merges, with what held of it then, as known then. Raises NotFound."""
        query = query_of(as_of=as_of, known_at=known_at)
        return readers.record(EntityPage, await self._get(path_of("/v1/entities/{}", id), query))

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
        """Entities, newest first; `q` is a part of any of their spellings; `user` and `session`: of which theirs tell."""
        query = query_of(
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
        return readers.page(EntityPage, await self._get("/v1/entities", query))

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
        query = query_of(id=list(ids), hops=hops, as_of=as_of, known_at=known_at, limit=limit)
        return readers.neighbourhood(await self._get("/v1/graph/neighbourhood", query))

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
        query = query_of(a=a, b=b, hops=hops, k=k, relation=list(relations), as_of=as_of, known_at=known_at)
        shape = await self._get("/v1/graph/paths", query)
        return Paths((readers.path(one) for one in shape["items"]), empty=shape["empty"] or "")

    async def reviews(
        self, *, status: str = "open", kind: str = "", limit: int = 50, cursor: str | None = None
    ) -> Slice[Review]:
        """What a person should decide, with both sides and the effect of each choice; `kind` is the rule that raised it."""
        query = [("status", status), *query_of(kind=kind, limit=limit, cursor=cursor)]  # an empty one means both
        return readers.page(Review, await self._get("/v1/reviews", query))

    async def ontology(self) -> Ontology:
        """The types and relations in force."""
        return readers.ontology(await self._get("/v1/ontology"))

    # -- administration

    async def export(
        self,
        *,
        vectors: bool = False,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
    ) -> AsyncIterator[dict[str, Any]]:
        """The tenant's data as JSON objects, in the order in which `import_` takes them; with `as_of` a picture."""
        query = query_of(vectors=vectors, as_of=as_of, known_at=known_at)
        async for line in self._transport.lines(
            Call(method="GET", path="/v1/export", query=query, headers=self._headers)
        ):
            yield line

    async def holds(self, *, include_released: bool = False, limit: int = 50, cursor: str | None = None) -> Slice[Hold]:
        """The legal holds in force, oldest first; released ones too where asked."""
        query = query_of(include_released=include_released, limit=limit, cursor=cursor)
        return readers.page(Hold, await self._get("/v1/holds", query))

    async def certificates(self, *, limit: int = 50, cursor: str | None = None) -> Slice[Certificate]:
        """What was purged, oldest first; names in the scopes are hashes."""
        return readers.page(Certificate, await self._get("/v1/certificates", query_of(limit=limit, cursor=cursor)))

    async def certificate(self, id: str) -> Certificate:
        """The certificate of one purge. Raises NotFound."""
        return readers.record(Certificate, await self._get(path_of("/v1/certificates/{}", id)))

    async def jobs(self, *, state: str = "", kind: str = "", limit: int = 50, cursor: str | None = None) -> Slice[Job]:
        """Accepted work, by id."""
        query = query_of(state=state, kind=kind, limit=limit, cursor=cursor)
        return readers.page(Job, await self._get("/v1/jobs", query))

    async def job(self, id: str) -> Job:
        """One piece of accepted work. Raises NotFound."""
        return readers.record(Job, await self._get(path_of("/v1/jobs/{}", id)))

    async def audit(
        self, *, verb: str = "", outcome: str = "", limit: int = 50, cursor: str | None = None
    ) -> Slice[AuditEntry]:
        """Who did or tried what, newest first; of one `verb` or `outcome` (done, refused, failed) where named."""
        query = query_of(verb=verb, outcome=outcome, limit=limit, cursor=cursor)
        return readers.page(AuditEntry, await self._get("/v1/audit", query))

    async def verify_audit(self) -> AuditCheck:
        """Whether the chain is whole."""
        return readers.record(AuditCheck, await self._get("/v1/audit/verify"))

    # -- within

    async def _get(self, path: str, query: Sequence[tuple[str, str]] = (), *, read_after: Token | None = None) -> Any:
        headers = self._reading_after(read_after)
        return await self._transport.json(Call(method="GET", path=path, query=query, headers=headers))

    async def _ask(self, path: str, body: Mapping[str, Any], *, read_after: Token | None = None) -> Any:
        """A question that is posted because it is long; it changes nothing."""
        headers = self._reading_after(read_after)
        return await self._transport.json(Call(method="POST", path=path, body=body, headers=headers))

    async def _do(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        query: Sequence[tuple[str, str]] = (),
        repeats: bool = True,
    ) -> Any:
        call = Call(method=method, path=path, query=query, body=body, headers=self._headers, repeats=repeats)
        return await self._transport.json(call)

    def _reading_after(self, token: Token | None) -> dict[str, str]:
        text = "" if token is None else token_text(token)
        return {**self._headers, READ_AFTER_HEADER: text} if text else self._headers
