"""A tenant's memory on a server: the verbs and records of the embedded `Memory`, over HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Mapping, Sequence
from copy import copy
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from muniment.api.client import readers
from muniment.api.client.administering import AdministeringClient
from muniment.api.client.reading import path_of
from muniment.api.client.transport import TENANT_HEADER, Call, RetryPolicy, Transport
from muniment.api.client.wire import body_of, query_of
from muniment.api.rendering import json_bytes
from muniment.engine.extract.candidates import Extraction
from muniment.engine.ingest.inputs import EpisodeIn, FactIn
from muniment.engine.memory import ExtractMode, Mode
from muniment.engine.write.commands import commands_in
from muniment.engine.write.erase.certificate import Certificate
from muniment.engine.write.erase.holds import Hold
from muniment.engine.write.erase.run import Released
from muniment.engine.write.erase.scopes import EraseScope
from muniment.engine.write.transfer.imports import GivenLines, ImportReport
from muniment.graph_schema.ids import space_of
from muniment.graph_schema.records import Job, Receipt

if TYPE_CHECKING:
    import httpx

DEFAULT_TIMEOUT_S: Final = 60.0
_LINES: Final = "application/x-ndjson"


class AsyncClient(AdministeringClient):
    """One key's view of a server. A context manager; safe to share between the tasks of one event loop.

    `tenant` is checked by the server against the key's own and may be left out. Every error is the one that the embedded
    engine raises; Unavailable where the server does not answer after the tries of `retry`. Raises Invalid for a URL or key
    that is none.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        tenant: str = "",
        timeout_s: float = DEFAULT_TIMEOUT_S,
        retry: RetryPolicy | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        connection = Transport(url, key=key, timeout_s=timeout_s, retry=retry or RetryPolicy(), transport=transport)
        super().__init__(connection, {TENANT_HEADER: tenant} if tenant else {})
        self.tenant = tenant

    def __repr__(self) -> str:
        return f"{type(self).__name__}(url={self._transport.url!r}, tenant={self.tenant!r})"

    def for_tenant(self, tenant: str | None, *, actor: str = "anonymous", walls: Iterable[str] = ()) -> AsyncClient:
        """The same connection, whose calls the server refuses where the key is not of this tenant.

        As `Engine.for_tenant`; who the actor is and which walls are seen the key says itself. Raises TenantRequired where no
        one tenant is named, Invalid for what is no name.
        """
        space_of("any", tenant)
        bound = copy(self)
        bound.tenant = str(tenant)
        bound._headers = {**self._headers, TENANT_HEADER: bound.tenant}
        return bound

    async def close(self) -> None:
        """Ends the connection, for all that share it; every later call raises Unavailable."""
        await self._transport.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # -- keeping

    async def remember(
        self,
        episodes: Sequence[EpisodeIn | Mapping[str, Any]],
        *,
        extract: ExtractMode = "auto",
        mode: Mode = "sync",
        dry_run: bool = False,
    ) -> Receipt:
        """Keeps what happened, and derives what follows from it unless `extract` is "none"."""
        return await self._write(
            "/v1/episodes", body_of(episodes=list(episodes), extract=extract, mode=mode, dry_run=dry_run)
        )

    async def assert_facts(self, facts: Sequence[FactIn | Mapping[str, Any]], *, dry_run: bool = False) -> Receipt:
        """Holds structured facts true, without extraction but under the same rules."""
        return await self._write("/v1/facts", body_of(facts=list(facts), dry_run=dry_run))

    async def extract(self, episodes: Sequence[EpisodeIn | Mapping[str, Any]]) -> Extraction:
        """The candidates that the episodes would give; nothing is stored."""
        return readers.extraction(await self._ask("/v1/extract", body_of(episodes=list(episodes))))

    async def apply_commands(self, commands: Mapping[str, Any] | str, *, dry_run: bool = False) -> Receipt:
        """Does a model's `memory_commands`; broken ones are in the receipt's `rejected`. Raises Invalid, Ambiguous."""
        return await self._write("/v1/commands", {**body_of(**commands_in(commands)), "dry_run": dry_run})

    async def record_outcome(self, skill_id: str, ok: bool, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Counts one use of a skill that went well or not; `skills` tells the counts. Raises NotFound."""
        return await self._change("/v1/skills/{}/outcomes", skill_id, ok=ok, reason=reason, dry_run=dry_run)

    # -- changing

    async def retract(self, id: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Takes back the evidence of a fact, an episode or one assertion; what it had closed opens again."""
        return await self._change("/v1/facts/{}/retract", id, reason=reason, dry_run=dry_run)

    async def end(
        self, fact_id: str, at: datetime | str | None = None, *, reason: str = "", dry_run: bool = False
    ) -> Receipt:
        """Says that a fact is no longer so from `at` (now) on."""
        return await self._change("/v1/facts/{}/end", fact_id, at=at, reason=reason, dry_run=dry_run)

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
        """Says that a fact was told wrong and what is right."""
        right = {"object": object, "valid_at": valid_at, "invalid_at": invalid_at, "text": text or None}
        return await self._change("/v1/facts/{}/correct", fact_id, **right, reason=reason, dry_run=dry_run)

    async def reject(self, fact_id: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Says that a fact is not so; telling it again does not bring it back, undoing the rejection does."""
        return await self._change("/v1/facts/{}/reject", fact_id, reason=reason, dry_run=dry_run)

    async def pin(self, id: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Marks a memory as always to be shown."""
        return await self._change("/v1/facts/{}/pin", id, reason=reason, dry_run=dry_run)

    async def unpin(self, id: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Takes the pin off."""
        return await self._change("/v1/facts/{}/unpin", id, reason=reason, dry_run=dry_run)

    async def set_ontology(self, overlay: Mapping[str, Any], *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Lays the tenant's own types and relations over the base ontology; timelines are recomputed. Raises Invalid."""
        query = query_of(reason=reason, dry_run=dry_run)
        return readers.record(Receipt, await self._do("PUT", "/v1/ontology", body_of(**overlay), query=query))

    async def merge(self, ids: Sequence[str], *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Makes the first entity stand for all; ids and spellings of the others lead to it. Raises Conflict, NotFound."""
        return await self._change("/v1/merges", ids=list(ids), reason=reason, dry_run=dry_run)

    async def unmerge(self, merge_id: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Takes a merge apart: its id, or that of the entity that was merged away. Raises NotFound, Conflict where it was
        already."""
        query = query_of(reason=reason, dry_run=dry_run)
        return readers.record(Receipt, await self._do("DELETE", path_of("/v1/merges/{}", merge_id), query=query))

    async def forbid_merge(self, a: str, b: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Says that two entities are not one and shall never be joined. Raises NotFound, Conflict where they are one."""
        return await self._change("/v1/merges/forbidden", a=a, b=b, reason=reason, dry_run=dry_run)

    async def resolve_review(self, id: str, choice: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Decides a review by one of its choices. Raises NotFound, Conflict, Invalid."""
        return await self._change("/v1/reviews/{}", id, choice=choice, reason=reason, dry_run=dry_run)

    async def undo(self, receipt_id: str, *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Takes back one write, whole. Raises NotFound, Conflict where it is undone already."""
        return await self._change("/v1/receipts/{}/undo", receipt_id, reason=reason, dry_run=dry_run)

    async def receipt(self, id: str) -> Receipt:
        """The receipt of an earlier write."""
        return readers.record(Receipt, await self._get(path_of("/v1/receipts/{}", id)))

    # -- erasing

    async def forget(self, ids: Sequence[str], *, reason: str = "", dry_run: bool = False) -> Receipt:
        """Hides memories softly: gone from every answer, kept for undo and audit."""
        return await self._change("/v1/forget", ids=list(ids), reason=reason, dry_run=dry_run)

    async def purge(
        self,
        scope: Mapping[str, Any] | EraseScope,
        *,
        reason: str = "",
        when_released: bool = False,
        dry_run: bool = False,
    ) -> Certificate:
        """Erases for good, with everything derived; see `Memory.purge`. Raises Held, NotFound, Ambiguous."""
        body = body_of(scope=scope, reason=reason, when_released=when_released, dry_run=dry_run)
        return readers.record(Certificate, await self._do("POST", "/v1/purge", body, repeats=dry_run))

    async def hold(self, scope: Mapping[str, Any] | EraseScope, *, reason: str, dry_run: bool = False) -> Hold:
        """Forbids erasing anything of a scope until the hold is released. Raises NotFound, Ambiguous, Invalid."""
        body = body_of(scope=scope, reason=reason, dry_run=dry_run)
        return readers.record(Hold, await self._do("POST", "/v1/holds", body, repeats=dry_run))

    async def release(self, hold_id: str, *, reason: str = "", dry_run: bool = False) -> Released:
        """Ends a hold; purges that waited for it run now. Raises NotFound, Conflict where it was released already."""
        path, query = path_of("/v1/holds/{}", hold_id), query_of(reason=reason, dry_run=dry_run)
        return readers.record(Released, await self._do("DELETE", path, query=query, repeats=dry_run))

    # -- administration

    async def import_(self, lines: GivenLines, *, reason: str = "", dry_run: bool = False) -> ImportReport:
        """Takes the lines of an `export` in, as text or as objects; the same lines again change nothing."""
        query = query_of(reason=reason, dry_run=dry_run)
        call = Call(method="POST", path="/v1/import", query=query, headers=self._headers)
        return readers.record(ImportReport, await self._transport.send(call, _as_lines(lines), media_type=_LINES))

    async def retry_job(self, id: str) -> Job:
        """Queues a failed or cancelled job again, with its attempts counted from none. Raises NotFound, Conflict."""
        return readers.record(Job, await self._do("POST", path_of("/v1/jobs/{}/retry", id)))

    async def cancel_job(self, id: str) -> Job:
        """Takes a job that waits out of the queue. Raises NotFound, Conflict where it runs or is over."""
        return readers.record(Job, await self._do("POST", path_of("/v1/jobs/{}/cancel", id)))

    # -- within

    async def _write(self, path: str, body: Mapping[str, Any]) -> Receipt:
        return readers.record(Receipt, await self._do("POST", path, body))

    async def _change(self, path: str, *ids: str, reason: str, dry_run: bool, **said: Any) -> Receipt:
        return await self._write(path_of(path, *ids), body_of(**said, reason=reason, dry_run=dry_run))


async def _as_lines(lines: GivenLines) -> AsyncIterator[bytes]:
    """The lines as they go out: text as it is, objects as JSON."""
    if isinstance(lines, AsyncIterable):
        async for line in lines:
            yield _as_line(line)
        return
    for line in lines:
        yield _as_line(line)


def _as_line(line: str | bytes | Mapping[str, Any]) -> bytes:
    if isinstance(line, Mapping):
        return json_bytes(line) + b"\n"
    raw = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
    return raw if raw.endswith(b"\n") else raw + b"\n"
