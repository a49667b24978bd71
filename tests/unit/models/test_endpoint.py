"""The endpoint embedder against a real HTTP server on this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from muniment.engine.models.choose import ModelPolicy, choose_embedders
from muniment.engine.models.endpoint import EmbeddingEndpoint, EndpointEmbedder
from muniment.graph_schema.errors import ModelUnavailable

DIM = 3


@dataclass
class Server:
    """What it was asked, and what it answers with."""

    url: str = ""
    status: int = 200
    dim: int = DIM
    bodies: list[Any] = field(default_factory=list[Any])
    keys: list[str | None] = field(default_factory=list[str | None])


@pytest.fixture
def server() -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.bodies.append((self.path, body))
            state.keys.append(self.headers["Authorization"])
            rows = [
                {"index": n, "embedding": [float(len(text)), 1.0, 2.0][: state.dim]}
                for n, text in enumerate(body["input"])
            ]
            answer = json.dumps({"data": rows[::-1]}).encode()  # out of order, as the protocol allows
            self.send_response(state.status)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    state.url = f"http://127.0.0.1:{http.server_port}/v1"
    yield state
    http.shutdown()
    http.server_close()


def embedder(server: Server, *, api_key: str = "") -> EndpointEmbedder:
    return EndpointEmbedder(
        EmbeddingEndpoint(url=server.url, model="m1", dim=DIM, api_key=api_key, query_prefix="query: ", timeout_s=5)
    )


def test_rows_come_back_in_the_order_asked_at_length_one(server: Server) -> None:
    vectors = embedder(server).embed_documents(["a", "four"])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1])
    assert vectors[0] == pytest.approx(np.array([1, 1, 2]) / np.sqrt(6))
    assert vectors[1] == pytest.approx(np.array([4, 1, 2]) / np.sqrt(21))


def test_queries_carry_the_prefix_and_the_key(server: Server) -> None:
    embedder(server, api_key="k1").embed_query("who?")
    assert server.bodies == [("/v1/embeddings", {"model": "m1", "input": ["query: who?"]})]
    assert server.keys == ["Bearer k1"]


def test_many_texts_go_in_several_requests(server: Server) -> None:
    assert embedder(server).embed_documents(["x"] * 130).shape == (130, DIM)
    assert [len(body["input"]) for _, body in server.bodies] == [64, 64, 2]


def test_rough_texts_can_be_sent(server: Server) -> None:
    assert embedder(server).embed_documents(["", "\ud800\x00", "x" * 20_000]).shape == (3, DIM)


def test_an_error_status_is_model_unavailable_and_does_not_show_the_key(server: Server) -> None:
    server.status = 500
    with pytest.raises(ModelUnavailable, match="answered 500") as caught:
        embedder(server, api_key="k1-secret").embed_query("who?")
    assert "k1-secret" not in str(caught.value)


def test_vectors_of_another_size_are_refused(server: Server) -> None:
    server.dim = 2
    with pytest.raises(ModelUnavailable, match="expected \\(3,\\)"):
        embedder(server).embed_query("who?")


def test_a_dead_endpoint_is_model_unavailable() -> None:
    gone = EndpointEmbedder(EmbeddingEndpoint(url="http://127.0.0.1:9/v1", model="m", dim=DIM, timeout_s=2))
    with pytest.raises(ModelUnavailable, match="does not answer"):
        gone.embed_query("who?")


def test_a_configured_endpoint_replaces_both_local_models(server: Server) -> None:
    endpoint = EmbeddingEndpoint(url=server.url, model="m1", dim=DIM, api_key="k1-secret")
    chosen = choose_embedders(ModelPolicy(endpoint=endpoint))
    assert len(chosen.fingerprints) == 1
    assert list(chosen.embed_query("合同")) == list(chosen.fingerprints)
    assert "k1-secret" not in repr(endpoint)
    assert server.url not in chosen.fingerprints[0]
