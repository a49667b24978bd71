"""API keys: made, listed, rotated, revoked and recognised.

A key is `mk_<key id>_<secret>`. The secret is 256 random bits, so a plain fast hash keeps it: there is nothing to guess
that a slow one would protect. Only the hash is stored, and it is compared in constant time.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from time import monotonic
from typing import Any, Final

from muniment.engine.ports.clock import Clock, system_clock
from muniment.engine.ports.store import Database, DocumentQuery, Unit
from muniment.engine.retrieve.browse import Listing, Slice, list_documents, seen_by
from muniment.engine.system import record, system_store, tenant_store
from muniment.engine.tenants import TENANT, ensure_tenant
from muniment.engine.write.units import in_unit
from muniment.graph_schema.errors import Conflict, Invalid, NotFound, Unauthenticated
from muniment.graph_schema.ids import KeyId, space_of, tenant_of
from muniment.graph_schema.records import Document
from muniment.graph_schema.temporal import format_time, parse_time, to_ms

KEY: Final = "key"
PREFIX: Final = "mk"
_BATCH: Final = 500
_WALL: Final = re.compile(r"[^\s*](?:.{0,126}\S)?")
_RECALLED_FOR_S: Final = 300.0
_MOST_RECALLED: Final = 10_000
_NOBODYS_HASH: Final = hashlib.sha256(b"no such key").hexdigest()


class Role(StrEnum):
    """What a key is for; each of the first four may do what the one before may."""

    READER = "reader"
    WRITER = "writer"
    CURATOR = "curator"
    ADMIN = "admin"
    OPERATOR = "operator"  # tenants, keys, health; cannot read memories


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """What is known of a key; its secret is not."""

    id: KeyId
    tenant: str  # empty for an operator of the whole database
    role: Role
    walls: frozenset[str] = frozenset()
    name: str = ""
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None

    def is_good_at(self, moment: datetime) -> bool:
        return self.revoked_at is None and (self.expires_at is None or moment < self.expires_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """A key just made, with the text that is shown this once and never again."""

    key: ApiKey
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """What a new key is to allow."""

    tenant: str
    role: Role
    walls: frozenset[str] = frozenset()
    name: str = ""
    expires_at: datetime | None = None


class KeyRing:
    """The keys of one database."""

    def __init__(
        self, database: Database, *, clock: Clock = system_clock, random_hex: Callable[[int], str] = secrets.token_hex
    ) -> None:
        self._database = database
        self._system = system_store(database)
        self._clock = clock
        self._random_hex = random_hex
        self._recalled: dict[str, tuple[ApiKey, float]] = {}  # by a hash of what was shown

    async def create(self, grant: Grant, *, actor: str) -> NewKey:
        """A new key; its tenant is made if it is not there.

        Raises TenantRequired or Invalid for a name that is none. An operator's key may be of no tenant.
        """
        _check(grant, now=self._clock())
        if grant.tenant:
            await ensure_tenant(self._database, grant.tenant, clock=self._clock)
        elif grant.role is not Role.OPERATOR:
            space_of(self._database.environment, grant.tenant)  # raises
        key = ApiKey(
            id=KeyId(self._random_hex(8)),
            tenant=grant.tenant,
            role=grant.role,
            walls=grant.walls,
            name=grant.name,
            created_at=self._clock(),
            expires_at=grant.expires_at,
        )
        secret = self._random_hex(32)
        await self._put(key, hash=_hash(secret))
        await self._audit(key, verb="keys.create", actor=actor, role=key.role.value)
        return NewKey(key=key, text=f"{PREFIX}_{key.id}_{secret}")

    async def rotate(self, id: str, *, actor: str, overlap: timedelta, tenant: str | None = None) -> NewKey:
        """A new key with the same grant; the old one goes on working for `overlap`. Raises NotFound, Conflict."""
        old, hash = await self._find(id, tenant=tenant)
        now = self._clock()
        if not old.is_good_at(now):
            raise Conflict(f"key {id!r} is revoked or expired; create a new one")
        grant = Grant(tenant=old.tenant, role=old.role, walls=old.walls, name=old.name, expires_at=old.expires_at)
        new = await self.create(grant, actor=actor)
        ends = min(filter(None, (now + overlap, old.expires_at)))
        await self._put(replace(old, expires_at=ends), hash=hash)
        await self._audit(old, verb="keys.rotate", actor=actor, to=new.key.id)
        return new

    async def revoke(self, id: str, *, actor: str, tenant: str | None = None) -> ApiKey:
        """Makes a key useless from now on; revoking it again changes nothing. Raises NotFound."""
        key, hash = await self._find(id, tenant=tenant)
        if key.revoked_at is not None:
            return key
        revoked = replace(key, revoked_at=self._clock())
        await self._put(revoked, hash=hash)
        await self._audit(key, verb="keys.revoke", actor=actor)
        return revoked

    async def list(self, *, tenant: str | None = None, limit: int = 50, cursor: str | None = None) -> Slice[ApiKey]:
        """Keys, oldest first, revoked and expired ones included; of one tenant if named. Raises Invalid for another list's
        cursor."""
        of = self._system if tenant is None else tenant_store(self._database, tenant)
        listing = Listing(name="keys", whose=seen_by(of), limit=limit, cursor=cursor)
        return await list_documents(self._system, DocumentQuery(kind=KEY, ref=tenant), listing, _key_of)

    async def get(self, id: str, *, tenant: str | None = None) -> ApiKey:
        """One key. Raises NotFound, for another tenant's too."""
        return (await self._find(id, tenant=tenant))[0]

    async def authenticate(self, text: str) -> ApiKey:
        """The key that a caller shows. Raises Unauthenticated, in the same words whatever is wrong with it."""
        parts = text.split("_", 2)
        id, secret = (parts[1], parts[2]) if len(parts) == 3 and parts[0] == PREFIX else ("", "")
        document = await self._system.document(KEY, id) if id.isalnum() and id.isascii() else None
        kept = str(document.body["hash"]) if document else _NOBODYS_HASH
        fits = hmac.compare_digest(_hash(secret), kept)
        if document is None or not fits or not (key := _key_of(document)).is_good_at(self._clock()):
            self._recalled.pop(_hash(text), None)
            raise Unauthenticated("the key is unknown, expired or revoked")
        if len(self._recalled) >= _MOST_RECALLED:
            self._recalled.clear()
        self._recalled[_hash(text)] = (key, monotonic() + _RECALLED_FOR_S)
        return key

    def recall(self, text: str) -> ApiKey | None:
        """The key that a caller shows, if `authenticate` knew it lately; another process may have revoked it since.

        For whoever begins a work and lets `authenticate` decide whether anything of it is told.
        """
        key, until = self._recalled.get(_hash(text), (None, 0.0))
        return key if key is not None and monotonic() < until and key.is_good_at(self._clock()) else None

    async def has_tenant(self, name: str) -> bool:
        """Whether a tenant is there, with memories or without."""
        if await self._system.document(TENANT, name) is not None:
            return True
        return any(tenant_of(space) == name for space in await self._database.spaces())

    async def is_empty(self) -> bool:
        """Whether no key was ever made."""
        return not await self._system.documents(DocumentQuery(kind=KEY, limit=1))

    async def _find(self, id: str, *, tenant: str | None) -> tuple[ApiKey, str]:
        document = await (self._system.document(KEY, id) if tenant is None else self._of_tenant(id, tenant))
        if document is None:
            raise NotFound.of("key", id)
        return _key_of(document), str(document.body["hash"])

    async def _of_tenant(self, id: str, tenant: str) -> Document | None:
        """A tenant's key, looked for among its own: to read another's and then refuse it takes longer than to find none."""
        async for row in self._rows(tenant):
            if row.id == id:
                return row
        return None

    async def _rows(self, tenant: str | None) -> AsyncIterator[Document]:
        after: int | None = None
        while rows := await self._system.documents(DocumentQuery(kind=KEY, ref=tenant, after_seq=after, limit=_BATCH)):
            for row in rows:
                yield row
            after = rows[-1].seq

    async def _put(self, key: ApiKey, *, hash: str) -> None:
        async def work(unit: Unit) -> None:
            there = await unit.document(KEY, key.id)
            # Numbered in the order of making, so that lists page by it; two in one millisecond still differ.
            seq = there.seq if there else max(to_ms(key.created_at), await unit.last_seq(KEY) + 1)
            await unit.put_documents([_document_of(key, hash=hash, seq=seq)])

        await in_unit(self._system, work)
        self._recalled = {shown: held for shown, held in self._recalled.items() if held[0].id != key.id}

    async def _audit(self, key: ApiKey, *, verb: str, actor: str, **detail: str) -> None:
        store = tenant_store(self._database, key.tenant) if key.tenant else self._system
        await record(store, at=self._clock(), actor=actor, verb=verb, outcome="done", ids=(key.id,), **detail)


def walls_of(names: Iterable[str]) -> frozenset[str]:
    """Names of walls as a grant holds them. Raises Invalid for an empty one or a pattern."""
    walls = frozenset(names)
    for wall in sorted(walls):
        if not _WALL.fullmatch(wall):
            raise Invalid(f"wall {wall!r} is not a name: use 1 to 128 characters, not a pattern", field="walls")
    return walls


def _check(grant: Grant, *, now: datetime) -> None:
    walls_of(grant.walls)
    if grant.expires_at is not None and grant.expires_at <= now:
        raise Invalid(f"expires_at {format_time(grant.expires_at)} is past: name a later moment", field="expires_at")
    if len(grant.name) > 200:
        raise Invalid(f"name is {len(grant.name)} characters long: use at most 200", field="name")


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _document_of(key: ApiKey, *, hash: str, seq: int) -> Document:
    body: dict[str, Any] = {
        "hash": hash,
        "role": key.role.value,
        "walls": sorted(key.walls),
        "name": key.name,
        "revoked_at": format_time(key.revoked_at) if key.revoked_at else None,
    }
    return Document(
        kind=KEY,
        id=key.id,
        ref=key.tenant,
        status="revoked" if key.revoked_at else "",
        seq=seq,
        created_at=key.created_at,
        expires_at=key.expires_at,
        body=body,
    )


def _key_of(document: Document) -> ApiKey:
    revoked_at = document.body["revoked_at"]
    return ApiKey(
        id=KeyId(document.id),
        tenant=document.ref,
        role=Role(document.body["role"]),
        walls=frozenset(document.body["walls"]),
        name=str(document.body["name"]),
        created_at=document.created_at,
        expires_at=document.expires_at,
        revoked_at=parse_time(revoked_at) if revoked_at else None,
    )
