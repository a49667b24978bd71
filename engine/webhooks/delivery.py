"""One delivery: signed, to an address that was checked, without following where it leads.

Signed as Standard Webhooks says (https://www.standardwebhooks.com, version 1): HMAC-SHA256 over id, time and body, so that a
receiver can tell a forged, changed or replayed one. The id stays the same however often it is tried.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import ssl
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from muniment.engine.ports.clock import Clock
from muniment.engine.ports.store import Database
from muniment.engine.system import system_store
from muniment.engine.webhooks.addresses import Network, Resolve, address_of, resolved
from muniment.engine.webhooks.subscriptions import SECRET_MARK, WEBHOOK
from muniment.graph_schema.errors import Unavailable
from muniment.graph_schema.ids import Space, tenant_of
from muniment.graph_schema.records import Document, Job, JobState

ATTEMPTS: Final = 8
FIRST_PAUSE_S: Final = 30.0
LONGEST_PAUSE_S: Final = 3600.0
"""Eight tries, half a minute to an hour apart: about an hour in all, which bridges a receiver's restart or release."""
_GONE: Final = 410


class Deliverer:
    """Does jobs of the kind `deliver`. `verify` are the certificates to trust, else those of the usual authorities."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        networks: Sequence[Network] = (),
        timeout_s: float = 10.0,
        resolve: Resolve = resolved,
        verify: ssl.SSLContext | None = None,
    ) -> None:
        self._database = database
        self._system = system_store(database)
        self._clock = clock
        self._networks = networks
        self._timeout_s = timeout_s
        self._resolve = resolve
        self._verify = verify

    async def __call__(self, space: Space, job: Job) -> None:
        """Delivers, and marks the job done. Raises Unavailable or Forbidden where it could not."""
        webhook = await self._system.document(WEBHOOK, str(job.payload.get("webhook", "")))
        if webhook is None or webhook.ref != tenant_of(space):
            await self._end(space, job, JobState.CANCELLED, "the webhook was deleted")
        elif await self._post(webhook, job) == _GONE:
            await self._end(space, job, JobState.CANCELLED, "the receiver says that it is gone (410)")
        else:
            await self._end(space, job, JobState.DONE, "")

    async def _post(self, webhook: Document, job: Job) -> int:
        """The status of the answer: 2xx or 410. The answer's body is not read."""
        import httpx

        url = httpx.URL(str(webhook.body["url"]))
        address = await address_of(str(url), allowed=self._networks, resolve=self._resolve)
        body = body_of(job)
        headers = {
            "Host": url.netloc.decode("ascii"),
            "Content-Type": "application/json",
            "User-Agent": "muniment-webhooks",
            **signed(str(webhook.body["secret"]), job.id, body, at=self._clock()),
        }
        client = httpx.AsyncClient(
            timeout=self._timeout_s,
            follow_redirects=False,
            trust_env=False,
            verify=self._verify if self._verify is not None else True,
        )
        try:
            async with (
                client,
                client.stream(
                    "POST",
                    url.copy_with(host=address),
                    content=body,
                    headers=headers,
                    extensions={"sni_hostname": url.host},  # the certificate must be the name's, not the number's
                ) as response,
            ):
                status = response.status_code
        except httpx.HTTPError as cause:
            raise Unavailable(f"the receiver cannot be reached ({type(cause).__name__})") from cause
        if not 200 <= status < 300 and status != _GONE:
            raise Unavailable(f"the receiver answered {status}")
        return status

    async def _end(self, space: Space, job: Job, state: JobState, reason: str) -> None:
        now = self._clock()
        ended = replace(job, state=state, reason=reason, updated_at=now, due_at=now, owner="", lease_until=None)
        await self._database.finish_job(space, ended, owner=job.owner)


def body_of(job: Job) -> bytes:
    """What a subscriber is told: type, time, ids and counts."""
    told: dict[str, Any] = {
        "type": job.payload["type"],
        "timestamp": job.payload["at"],
        "data": job.payload["data"],
    }
    return json.dumps(told, separators=(",", ":"), sort_keys=True).encode()


def signed(secret: str, id: str, body: bytes, *, at: datetime) -> dict[str, str]:
    """The headers by which a receiver knows that the body is ours, whole and of just now."""
    second = str(int(at.timestamp()))
    key = base64.b64decode(secret.removeprefix(SECRET_MARK))
    mark = hmac.new(key, b".".join((id.encode(), second.encode(), body)), hashlib.sha256).digest()
    return {
        "webhook-id": id,
        "webhook-timestamp": second,
        "webhook-signature": "v1," + base64.b64encode(mark).decode(),
    }
