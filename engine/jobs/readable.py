"""Reading one's own writes: waiting, with a bound, until what a token stands for can be read.

A write that was done at once is readable when its receipt is out. One that was accepted for later is readable when its
job is done; the job and what it makes are one transaction, so there is nothing in between.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Final

from muniment.engine.ports.store import TenantStore
from muniment.engine.write.undo import receipt_of
from muniment.graph_schema.errors import Conflict, Invalid, NotFound, NotYetReadable
from muniment.graph_schema.ids import JobId, ReceiptId
from muniment.graph_schema.records import Job, JobState, Receipt

DEFAULT_WAIT_S: Final = 10.0
_FIRST_LOOK_S: Final = 0.02
_LONGEST_LOOK_S: Final = 0.25  # between two looks: late enough for the store, early enough for a person
JOB_MARK: Final = "j_"
_RECEIPT: Final = "r_"

Token = str | Receipt | Job
"""What a read may wait for: a receipt, a job, or the `token` of either."""


def token_text(token: Token) -> str:
    """The token as it goes over a wire; empty where there is nothing to wait for. Raises Invalid."""
    text = token.token if isinstance(token, Receipt | Job) else token
    if text and not text.startswith((JOB_MARK, _RECEIPT)):
        raise Invalid(f"read_after {text!r} is no token: use that of a receipt or a job", field="read_after")
    return text


async def wait_until_readable(store: TenantStore, token: Token, *, timeout_s: float = DEFAULT_WAIT_S) -> None:
    """Returns as soon as all that the token stands for can be read.

    Raises NotFound for another's or an unknown one, Conflict where the job failed or was cancelled, NotYetReadable once
    `timeout_s` is over.
    """
    text = token_text(token)
    if not text:
        return
    if text.startswith(JOB_MARK):
        await _until_done(store, JobId(text), timeout_s=timeout_s)
        return
    id = (await receipt_of(store, ReceiptId(text))).job
    if id is not None and await store.job(id) is not None:  # one that ended long ago is not kept
        await _until_done(store, id, timeout_s=timeout_s)


async def _until_done(store: TenantStore, id: JobId, *, timeout_s: float) -> None:
    until = monotonic() + timeout_s
    pause = _FIRST_LOOK_S
    while True:
        job = await store.job(id)
        if job is None:
            raise NotFound.of("job", id)
        if job.state is JobState.DONE:
            return
        if job.state in (JobState.FAILED, JobState.CANCELLED):
            raise Conflict(f"job {id!r} is {job.state}: what it was to make is not coming; retry the job")
        left = until - monotonic()
        if left <= 0:
            raise NotYetReadable(
                f"job {id!r} is still {job.state} after {timeout_s:g} s; ask again, or see the workers"
            )
        await asyncio.sleep(min(pause, left))
        pause = min(2 * pause, _LONGEST_LOOK_S)
