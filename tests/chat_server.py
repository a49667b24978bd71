"""A server on this machine that speaks the chat part of OpenAI's protocol over real HTTP, and fails as it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer. `content` is the message's text; `raw` replaces the whole body; the server first waits until `hold`
    is set, if there is one."""

    content: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    tokens: tuple[int, int] = (100, 20)
    hold: threading.Event | None = None

    def body(self, model: str) -> bytes:
        if self.raw is not None:
            return self.raw
        if self.status >= 400:
            return json.dumps({"error": {"message": "no", "type": "server_error"}}).encode()
        message = {"role": "assistant", "content": self.content, "refusal": None}
        return json.dumps(
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 1,
                "model": model,
                "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
                "usage": {
                    "prompt_tokens": self.tokens[0],
                    "completion_tokens": self.tokens[1],
                    "total_tokens": sum(self.tokens),
                },
            }
        ).encode()


@dataclass
class ChatServer:
    """What it was asked, and what it answers: `replies` in turn, then what `otherwise` makes of the request."""

    url: str = ""
    replies: list[Reply] = field(default_factory=list[Reply])
    otherwise: Callable[[Body], Reply] = field(default=lambda _: Reply(content=reading()))
    bodies: list[Any] = field(default_factory=list[Any])
    keys: list[str | None] = field(default_factory=list[str | None])
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, body: Body) -> Reply:
        with self.lock:
            self.bodies.append(body)
            return self.replies.pop(0) if self.replies else self.otherwise(body)


@contextmanager
def chat_server() -> Iterator[ChatServer]:
    """A running server on a port of its own."""
    state = ChatServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.keys.append(self.headers["Authorization"])
            reply = Reply(status=404) if self.path != "/v1/chat/completions" else state.answer(body)
            if reply.hold is not None:
                reply.hold.wait(10)
            said = reply.body(body["model"])
            try:
                self.send_response(reply.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(said)))
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(said)
            except OSError:
                pass  # who asked did not wait

        def log_message(self, format: str, *args: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    state.url = f"http://127.0.0.1:{http.server_port}/v1"
    try:
        yield state
    finally:
        http.shutdown()
        http.server_close()


def reading(*facts: Body, preferences: Sequence[Body] = (), entities: Sequence[Body] = ()) -> str:
    """An answer of the shape that our own prompt asks for."""
    return json.dumps(
        {"facts": list(facts), "preferences": list(preferences), "entities": list(entities)}, ensure_ascii=False
    )


def fact(subject: str, relation: str, object: str, quote: str, **more: Any) -> dict[str, Any]:
    """One fact of such an answer."""
    return {
        "text": more.get("text", 1),
        "quote": quote,
        "subject": {"name": subject, "type": more.get("subject_type", ""), "is_value": False},
        "relation": relation,
        "object": {"name": object, "type": more.get("object_type", ""), "is_value": more.get("is_value", False)},
        "state": more.get("state", "holds"),
        "certainty": more.get("certainty", "stated"),
        "valid_at": more.get("valid_at"),
        "invalid_at": more.get("invalid_at"),
    }
