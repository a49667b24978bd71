"""What the client does when the server is busy, refuses, or is gone; and that a key never shows."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from starlette.responses import Response

from muniment import AsyncClient, RetryPolicy
from muniment.graph_schema import errors
from tests.api.client.live import Live, live
from tests.api.client.trouble import Moody, cutting, nobodys_url

QUICK = RetryPolicy(attempts=3, first_pause_s=0.01)
NOTE = {"text": "Ana Ruiz lives in Lyon.", "kind": "note", "occurred_at": "2026-03-05T09:00:00Z"}
SKILL = {"memory_commands": [{"op": "create", "type": "skill", "content": "When it rains: close the window."}]}


class Shop:
    """A live server that a test makes moody, and a tenant of it."""

    def __init__(self, server: Live, mood: Moody) -> None:
        self.server, self.mood = server, mood
        self.tenant = f"t-{uuid4().hex[:12]}"
        self.key = server.key(self.tenant)
        mood.first.clear()
        mood.keys.clear()

    def client(self, url: str = "", **options: Any) -> AsyncClient:
        return AsyncClient(url or self.server.url, self.key, **{"retry": QUICK, **options})


@pytest.fixture(scope="module")
def moody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Live, Moody]]:
    moods: list[Moody] = []

    def around(app: Any) -> Moody:
        moods.append(Moody(app))
        return moods[-1]

    with live(f"sqlite:///{tmp_path_factory.mktemp('moody') / 'm.db'}", around=around) as server:
        yield server, moods[0]


@pytest.fixture
def shop(moody: tuple[Live, Moody]) -> Shop:
    return Shop(*moody)


def problem(status: int, code: str, **headers: str) -> Response:
    body = {"code": code, "detail": "not now", "status": status, "request_id": "req-7"}
    return Response(json.dumps(body), status, headers, "application/problem+json")


@pytest.mark.parametrize(
    "answers",
    [
        [problem(503, "store_unavailable", **{"Retry-After": "0"}), Response("<html>", 503)],
        [problem(429, "rate_limited", **{"Retry-After": "0"}), problem(409, "conflict", **{"Retry-After": "0"})],
        [Response("bad gateway", 502), Response("gateway time-out", 504)],
    ],
    ids=["503", "429 and under way", "a proxy's"],
)
async def test_a_write_is_tried_again_with_the_same_idempotency_key(shop: Shop, answers: list[Response]) -> None:
    shop.mood.first.extend(answers)
    async with shop.client() as memory:
        receipt = await memory.remember([NOTE])
        assert [one.id for one in (await memory.episodes()).items] == [one.id for one in receipt.episodes]
    first, *again = shop.mood.keys[:3]
    assert first
    assert again == [first, first]


async def test_retry_after_is_heeded(shop: Shop, caplog: pytest.LogCaptureFixture) -> None:
    shop.mood.first.append(problem(429, "rate_limited", **{"Retry-After": "1"}))
    with caplog.at_level(logging.INFO, logger="muniment"):
        async with shop.client() as memory:
            await memory.episodes()
    (said,) = [record for record in caplog.records if record.message == "request tried again"]
    assert said.__dict__["pause_s"] >= 1


async def test_a_wait_that_is_too_long_is_the_callers_to_decide(shop: Shop) -> None:
    shop.mood.first.append(problem(429, "rate_limited", **{"Retry-After": "3600"}))
    async with shop.client() as memory:
        with pytest.raises(errors.RateLimited) as caught:
            await memory.remember([NOTE])
    assert caught.value.retry_after_s == 3600
    assert caught.value.__notes__ == ["request id req-7"]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (problem(503, "lane_unavailable"), errors.LaneUnavailable),
        (problem(503, "a_word_of_later"), errors.MunimentError),
        (Response("<html>", 502), errors.Unavailable),
    ],
)
async def test_after_the_last_try_the_error_is_raised(shop: Shop, answer: Response, kind: type[Exception]) -> None:
    shop.mood.first.extend([answer] * QUICK.attempts)
    async with shop.client() as memory:
        with pytest.raises(kind):
            await memory.recall("Where does Ana live?")
    assert shop.mood.first == []


async def test_a_write_whose_answer_was_lost_is_written_once(shop: Shop) -> None:
    async with cutting(shop.server.port) as url, shop.client(url) as memory:
        receipt = await memory.remember([NOTE])
        assert len(shop.mood.keys) == 2
        assert [one.id for one in (await memory.episodes()).items] == [one.id for one in receipt.episodes]


async def test_an_outcome_whose_answer_was_lost_is_counted_once(shop: Shop) -> None:
    async with shop.client() as memory, cutting(shop.server.port) as url, shop.client(url) as broken:
        await memory.apply_commands(SKILL)
        await broken.record_outcome((await memory.skills()).items[0].id, True)
        (counted,) = (await memory.skills()).items
    assert counted.attributes["outcomes"] == {"ok": 1, "failed": 0}


async def test_what_could_be_done_twice_is_not_tried_again_blindly(shop: Shop) -> None:
    async with shop.client() as memory, cutting(shop.server.port) as url, shop.client(url) as broken:
        await memory.remember([NOTE], extract="none")
        (episode,) = (await memory.episodes()).items
        with pytest.raises(errors.Unavailable, match="not known"):
            await broken.hold({"episode": episode.id}, reason="case 7")
        assert len(await memory.holds()) == 1


async def test_nobody_at_home_is_unavailable() -> None:
    async with AsyncClient(nobodys_url(), "mk_1_2", retry=QUICK) as memory:
        with pytest.raises(errors.Unavailable, match="nothing was done"):
            await memory.remember([NOTE])


async def test_a_key_of_another_tenant_or_of_nobody_is_refused(shop: Shop) -> None:
    async with shop.client(tenant="somebody-else") as other:
        with pytest.raises(errors.Forbidden):
            await other.episodes()
    async with AsyncClient(shop.server.url, "mk_1_2") as nobody:
        with pytest.raises(errors.Unauthenticated):
            await nobody.episodes()


@pytest.mark.parametrize("url", ["ftp://127.0.0.1", "127.0.0.1:8377", "http://", "http://ana:pass@127.0.0.1"])
def test_a_url_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(errors.Invalid) as caught:
        AsyncClient(url, "mk_1_2")
    assert "pass" not in str(caught.value).replace("apart", "")


@pytest.mark.parametrize("key", ["", " ", "mk_1_2\n", "mk_ü"])
def test_a_key_that_is_none_is_refused_without_showing_it(key: str) -> None:
    with pytest.raises(errors.Invalid) as caught:
        AsyncClient("http://127.0.0.1", key)
    assert not key.strip() or key.strip() not in str(caught.value)


async def test_the_key_stands_in_no_log_and_no_text(shop: Shop, caplog: pytest.LogCaptureFixture) -> None:
    shop.mood.first.append(problem(503, "store_unavailable", **{"Retry-After": "0"}))
    secret = shop.key.rpartition("_")[2]
    with caplog.at_level(logging.DEBUG):
        async with shop.client() as memory:
            await memory.remember([NOTE])
            with pytest.raises(errors.NotFound) as caught:
                await memory.fact("f_0")
            shown = [repr(memory), str(memory), repr(vars(memory)), repr(vars(memory._transport)), repr(caught.value)]
    said = [f"{record.getMessage()} {record.__dict__}" for record in caplog.records]
    assert said
    assert [text for text in (*shown, *said) if secret in text] == []


async def test_a_closed_client_says_so(shop: Shop) -> None:
    memory = shop.client()
    await memory.close()
    with pytest.raises(errors.Unavailable, match="closed"):
        await memory.episodes()
