"""Purging as a caller asks for it: the transaction, what waits in memory, the files, and the look afterwards."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial

from muniment.engine.jobs.later import Later
from muniment.engine.ports.store import DocumentQuery, Reader, TenantStore, Unit
from muniment.engine.retrieve.browse import Listing, Slice, list_documents
from muniment.engine.write.changes import Hand
from muniment.engine.write.commit import Writing
from muniment.engine.write.erase.certificate import Certificate, certificate_of
from muniment.engine.write.erase.gather import gather
from muniment.engine.write.erase.holds import Hold, let_wait, lift_hold, note_refusal, waiting_purges
from muniment.engine.write.erase.listed import CERTIFICATE, WAITING
from muniment.engine.write.erase.purge import purge
from muniment.engine.write.erase.scopes import EraseScope, Reach, Sight
from muniment.engine.write.rehearse import rehearsed
from muniment.engine.write.units import in_unit
from muniment.graph_schema.errors import Held, NotFound, StoreUnavailable

logger = logging.getLogger(__name__)

SCRUBBED = "scrubbed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Released:
    """A hold that ended, and the certificates of the purges that had waited for it."""

    hold: Hold
    certificates: tuple[Certificate, ...]
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Eraser:
    """Purges one tenant. `store` sees every wall; `scrub` cleans what lies outside of the tenant's rows: kept answers, files."""

    store: TenantStore
    later: Later
    scrub: Callable[[], Awaitable[None]]
    writing: Writing

    async def purge(
        self, scope: EraseScope, sight: Sight, hand: Hand, *, when_released: bool = False, dry_run: bool = False
    ) -> Certificate:
        """Erases a scope. Raises Held where a hold is in the way; with `when_released` the purge then waits for its end."""
        if dry_run:
            return await purge(self.store, scope, sight, hand, self.writing, dry_run=True)
        try:
            async with self.later.thrown_away(self.store.space):
                certificate = await purge(self.store, scope, sight, hand, self.writing)
        except Held as held:
            await self._refused(scope, sight, hand, held, when_released=when_released)
            if not when_released:
                raise
            named = ", ".join(held.holds)
            raise Held(
                f"held by {named}: the purge waits, and is done when they are released", holds=held.holds
            ) from held
        logger.info("purged", extra={"certificate": certificate.id, **certificate.counts})
        return await self._scrubbed(certificate)

    async def replay(self, hand: Hand) -> Certificate | None:
        """Erases what is stored though the purge list names it, because an old copy brought it; None where nothing is."""
        scope = EraseScope(reach=Reach.LISTED, value="")
        sight = Sight(walls=frozenset(), all_walls=True)
        if not await gather(self.store, scope, sight):
            return None
        return await self.purge(scope, sight, hand)

    async def release(self, hold_id: str, hand: Hand, *, dry_run: bool = False) -> Released:
        """Ends a hold and runs the purges that nothing holds any more; those that others still hold go on waiting.

        With `dry_run` it is all worked out and nothing is kept. Raises NotFound, Conflict where it was released already.
        """
        if dry_run:
            return await rehearsed(self.store, lambda inside: _would_release(inside, hold_id, hand, self.writing))
        hold = await lift_hold(self.store, hold_id, hand)
        certificates: list[Certificate] = []
        for waiting in await waiting_purges(self.store, self.store.space):
            asked = Hand(actor=waiting.actor, at=hand.at, reason=waiting.reason)
            try:
                certificates.append(await self.purge(waiting.scope, waiting.sight, asked))
            except Held:
                continue
            except NotFound:  # erased by another purge meanwhile
                logger.info("waiting purge found nothing", extra={"waiting": waiting.id})
            await in_unit(self.store, partial(_drop_waiting, id=waiting.id))
        if certificates:
            await self.scrub()  # the names in the waiting purges themselves
        return Released(hold=hold, certificates=tuple(certificates))

    async def _refused(self, scope: EraseScope, sight: Sight, hand: Hand, held: Held, *, when_released: bool) -> None:
        if when_released:
            await let_wait(self.store, scope, sight, hand, held.holds)
            return
        await in_unit(self.store, lambda unit: note_refusal(unit, hand, held.holds, waits=False))

    async def _scrubbed(self, certificate: Certificate) -> Certificate:
        """The certificate once the files are clean. Where they cannot be now, it says so, and the next purge does it."""
        try:
            await self.scrub()
        except StoreUnavailable as error:
            logger.warning("files not scrubbed", extra={"certificate": certificate.id, "cause": str(error)})
            return certificate

        async def work(unit: Unit) -> None:
            document = await unit.document(CERTIFICATE, certificate.id)
            if document is not None:
                await unit.put_documents([replace(document, status=SCRUBBED)])

        await in_unit(self.store, work)
        return replace(certificate, scrubbed=True)


async def _drop_waiting(unit: Unit, *, id: str) -> None:
    await unit.drop_documents(WAITING, [id])


async def _would_release(inside: TenantStore, hold_id: str, hand: Hand, writing: Writing) -> Released:
    """What ending a hold does to the rows; `inside` keeps nothing, so there is nothing to scrub and no trace to throw away."""
    hold = await lift_hold(inside, hold_id, hand)
    certificates: list[Certificate] = []
    for waiting in await waiting_purges(inside, inside.space):
        asked = Hand(actor=waiting.actor, at=hand.at, reason=waiting.reason)
        try:
            certificates.append(await purge(inside, waiting.scope, waiting.sight, asked, writing))
        except (Held, NotFound):
            continue
    return Released(
        hold=replace(hold, dry_run=True),
        certificates=tuple(replace(one, dry_run=True) for one in certificates),
        dry_run=True,
    )


async def list_certificates(reader: Reader, listing: Listing) -> Slice[Certificate]:
    """Certificates, oldest first; names in their scopes are hashes."""
    return await list_documents(reader, DocumentQuery(kind=CERTIFICATE), listing, certificate_of)


async def certificate(reader: Reader, id: str) -> Certificate:
    """One certificate. Raises NotFound."""
    document = await reader.document(CERTIFICATE, id)
    if document is None:
        raise NotFound.of("certificate", id)
    return certificate_of(document)
