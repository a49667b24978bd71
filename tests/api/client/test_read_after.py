"""A read with a write's token sees that write, or says in time that it is not there yet."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from uuid import uuid4

import httpx
import pytest

from muniment import AsyncClient
from muniment.graph_schema.errors import Conflict, Invalid, NotFound, NotYetReadable
from tests.api.client.live import Live

NOTE = {"text": "Ana Ruiz works for Globex.", "kind": "note", "occurred_at": "2026-03-05T09:00:00Z"}
QUESTION = "Where does Ana Ruiz work?"


@pytest.fixture
async def memory(server: Live) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(server.url, server.key(f"t-{uuid4().hex[:12]}")) as client:
        yield client


async def _work(server: Live) -> None:
    await asyncio.to_thread(server.run, server.service.engine.worker().run_until_idle())


async def test_a_read_waits_for_the_job_of_an_accepted_write(server: Live, memory: AsyncClient) -> None:
    receipt = await memory.remember([NOTE], mode="async")
    assert receipt.token == receipt.job
    with pytest.raises(NotYetReadable):
        await memory.recall(QUESTION, read_after=receipt)
    waiting = asyncio.create_task(memory.wait_for(receipt.token, timeout_s=60))
    await _work(server)
    await waiting
    found = await memory.recall(QUESTION, kinds=["fact"], read_after=receipt)
    assert [hit.text for hit in found.recall.hits] == ["Ana Ruiz works for Globex."]
    assert (await memory.context(QUESTION, read_after=await memory.job(str(receipt.job)))).context.tokens


async def test_what_was_done_at_once_is_not_waited_for(memory: AsyncClient) -> None:
    receipt = await memory.remember([NOTE])
    assert receipt.token == receipt.id
    await memory.wait_for(receipt, timeout_s=0)
    assert not (await memory.remember([NOTE], dry_run=True)).token


async def test_a_job_that_was_given_up_is_a_conflict(memory: AsyncClient) -> None:
    receipt = await memory.remember([NOTE], mode="async")
    await memory.cancel_job(receipt.token)
    with pytest.raises(Conflict, match="cancelled"):
        await memory.recall(QUESTION, read_after=receipt)


async def test_the_token_of_another_tenant_is_one_that_is_not_there(server: Live, memory: AsyncClient) -> None:
    async with AsyncClient(server.url, server.key(f"t-{uuid4().hex[:12]}")) as other:
        receipt = await other.remember([NOTE], mode="async")
    told = []
    for token in (receipt.token, "j_0000000000"):
        with pytest.raises(NotFound) as caught:
            await memory.wait_for(token)
        told.append(str(caught.value).replace(token, ""))
    assert told[0] == told[1]
    entries = (await memory.audit()).items
    assert [entry.outcome for entry in entries[:2]] == ["refused", "refused"]


async def test_a_token_that_is_none_is_refused(server: Live, memory: AsyncClient) -> None:
    with pytest.raises(Invalid, match="read_after"):
        await memory.recall(QUESTION, read_after="yesterday")
    headers = {
        "Authorization": f"Bearer {server.key('acme')}",
        "X-Muniment-Read-After": ",".join(f"j_{n}" for n in range(21)),
    }
    async with httpx.AsyncClient(base_url=server.url, headers=headers) as http:
        assert (await http.get("/v1/facts")).status_code == 422
