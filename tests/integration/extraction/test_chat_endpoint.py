"""The chat endpoint against a server on this machine: tries, pauses, and the breaker."""

from __future__ import annotations

import threading

import pytest

from muniment.engine.models.breaker import Breaker
from muniment.engine.models.chat_endpoint import AnswerFormat, ChatEndpoint, ChatSettings
from muniment.engine.ports.models import Prompt
from muniment.graph_schema.errors import ModelUnavailable
from tests.chat_server import ChatServer, Reply

ASK = Prompt(system="Be brief.", user="Who?", name="answer", schema={"type": "object"}, max_tokens=50)


class Pauses(list[float]):
    """Remembers pauses instead of making them."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


def endpoint(server: ChatServer, pauses: Pauses | None = None, **given: object) -> ChatEndpoint:
    breaker = given.pop("breaker", None)
    settings = ChatSettings(url=server.url, model="m1", **{"timeout_s": 5.0, **given})  # type: ignore[arg-type]
    return ChatEndpoint(settings, breaker=breaker, pause=pauses if pauses is not None else Pauses())  # type: ignore[arg-type]


def test_a_call_speaks_the_protocol(server: ChatServer) -> None:
    server.replies = [Reply(content="{}", tokens=(12, 3))]
    done = endpoint(server, api_key="k1").complete(ASK)
    assert (done.text, done.tokens_in, done.tokens_out) == ("{}", 12, 3)
    assert server.keys == ["Bearer k1"]
    assert server.bodies == [
        {
            "model": "m1",
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who?"}],
            "temperature": 0,
            "max_tokens": 50,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "answer", "strict": True, "schema": {"type": "object"}},
            },
        }
    ]


@pytest.mark.parametrize(
    ("format", "sent"), [(AnswerFormat.JSON_OBJECT, {"type": "json_object"}), (AnswerFormat.TEXT, None)]
)
def test_older_servers_are_asked_for_less(server: ChatServer, format: AnswerFormat, sent: object) -> None:
    endpoint(server, format=format).complete(ASK)
    assert server.bodies[0].get("response_format") == sent
    assert server.bodies[0]["messages"][0]["content"].endswith('{"type": "object"}'), "the schema stands in the prompt"


def test_a_field_that_a_model_refuses_is_not_sent_again(server: ChatServer) -> None:
    refusals = [
        b'{"error": {"message": "Unsupported parameter: use max_completion_tokens", "param": "max_tokens"}}',
        b'{"error": {"message": "Unsupported value", "param": "temperature"}}',
    ]
    server.replies = [Reply(status=400, raw=raw) for raw in refusals] + [Reply(content="{}"), Reply(content="[]")]
    asked = endpoint(server, tries=1)
    assert asked.complete(ASK).text == "{}"
    assert asked.complete(ASK).text == "[]"
    sent = [sorted(body.keys() & {"temperature", "max_tokens", "max_completion_tokens"}) for body in server.bodies]
    assert sent == [["max_tokens", "temperature"], ["max_completion_tokens", "temperature"], ["max_completion_tokens"], ["max_completion_tokens"]]  # fmt: skip
    server.otherwise = lambda _: Reply(status=400, raw=refusals[0])
    with pytest.raises(ModelUnavailable, match="400"):
        asked.complete(ASK)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_passes_is_tried_again_with_growing_pauses(server: ChatServer, status: int) -> None:
    pauses = Pauses()
    server.replies = [Reply(status=status), Reply(status=status), Reply(content="{}")]
    assert endpoint(server, pauses).complete(ASK).text == "{}"
    assert len(server.bodies) == 3
    assert 0.25 <= pauses[0] <= 0.5 <= pauses[1] <= 1.0


def test_retry_after_is_obeyed_within_reason(server: ChatServer) -> None:
    pauses = Pauses()
    server.replies = [
        Reply(status=429, headers={"Retry-After": "2"}),
        Reply(status=429, headers={"Retry-After": "3600"}),
        Reply(status=503, headers={"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}),
        Reply(content="{}"),
    ]
    endpoint(server, pauses, tries=4).complete(ASK)
    assert pauses == [2.0, 20.0, 0.0]


def test_a_refused_key_is_not_tried_again(server: ChatServer) -> None:
    server.replies = [Reply(status=401)]
    with pytest.raises(ModelUnavailable, match="401"):
        endpoint(server).complete(ASK)
    assert len(server.bodies) == 1


def test_no_answer_in_time_is_a_failure(server: ChatServer) -> None:
    let_go = threading.Event()
    server.otherwise = lambda _: Reply(content="{}", hold=let_go)
    try:
        with pytest.raises(ModelUnavailable, match="ReadTimeout, 2 tries"):
            endpoint(server, timeout_s=0.05, tries=2).complete(ASK)
    finally:
        let_go.set()


@pytest.mark.parametrize("raw", [b'{"choices": [{"mess', b"[]", b'{"choices": []}', b"<html>gateway</html>"])
def test_half_an_answer_is_a_failure(server: ChatServer, raw: bytes) -> None:
    server.otherwise = lambda _: Reply(raw=raw)
    with pytest.raises(ModelUnavailable, match="sent what is no answer"):
        endpoint(server, tries=2).complete(ASK)
    assert len(server.bodies) == 2


def test_a_server_that_does_not_count_tokens_is_counted_for(server: ChatServer) -> None:
    server.replies = [Reply(raw=b'{"choices": [{"message": {"content": "abcdef"}}]}')]
    done = endpoint(server).complete(ASK)
    assert done.tokens_in >= 4
    assert done.tokens_out == 3


def test_the_breaker_opens_lets_one_through_and_closes(server: ChatServer) -> None:
    now = [0.0]
    asked = endpoint(server, tries=1, breaker=Breaker(failures=2, rest_s=30, now=lambda: now[0]))
    server.replies = [Reply(status=500), Reply(status=500), Reply(status=500), Reply(content="{}")]
    for _ in range(2):
        with pytest.raises(ModelUnavailable, match="500"):
            asked.complete(ASK)
    assert asked.breaker.state.value == "open"
    with pytest.raises(ModelUnavailable, match="left alone"):
        asked.complete(ASK)
    assert len(server.bodies) == 2, "an open breaker asks nothing"
    now[0] = 31.0
    with pytest.raises(ModelUnavailable, match="500"):
        asked.complete(ASK)
    with pytest.raises(ModelUnavailable, match="left alone"):
        asked.complete(ASK)
    now[0] = 62.0
    assert asked.complete(ASK).text == "{}"
    assert asked.breaker.state.value == "closed"
    assert asked.complete(ASK).text
