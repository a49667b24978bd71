"""The real models, opened once for all tests of this folder."""

from __future__ import annotations

import pytest

from muniment.engine.models.bert_onnx import BgeEmbedder
from muniment.engine.models.use_numpy import UseEmbedder


@pytest.fixture(scope="session")
def bge() -> BgeEmbedder:
    return BgeEmbedder()


@pytest.fixture(scope="session")
def use() -> UseEmbedder:
    return UseEmbedder()


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any try to open a connection fails the test."""
    import socket

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a model tried to open a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
