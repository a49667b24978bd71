"""Embeddings from an OpenAI-compatible endpoint, used only when the settings name one."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from muniment.engine.models.language import readable
from muniment.graph_schema.errors import ModelUnavailable

if TYPE_CHECKING:
    import httpx

logger = logging.getLogger(__name__)

_BATCH: Final = 64
_MAX_CHARS: Final = 8_000  # below the 8,191 tokens that common endpoints allow, in any script


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingEndpoint:
    """Where and how to ask for embeddings. `dim` is what the model answers with; other answers are refused."""

    url: str  # up to and including the version: http://127.0.0.1:8080/v1
    model: str
    dim: int
    api_key: str = field(default="", repr=False)
    query_prefix: str = ""
    document_prefix: str = ""
    timeout_s: float = 30.0


class EndpointEmbedder:
    """Unit vectors from `POST {url}/embeddings`. One connection pool, opened at first use."""

    def __init__(self, endpoint: EmbeddingEndpoint, *, transport: httpx.BaseTransport | None = None) -> None:
        self._endpoint = endpoint
        self._transport = transport
        self._opening = Lock()
        self._client: httpx.Client | None = None

    @property
    def fingerprint(self) -> str:
        """Names model, dim and prefixes; the address only as a hash, for it may hold a customer's name."""
        to = self._endpoint
        said = "\x00".join((to.url, to.query_prefix, to.document_prefix))
        return f"endpoint:{to.model}@{sha256(said.encode()).hexdigest()[:12]};dim={to.dim}"

    @property
    def dim(self) -> int:
        return self._endpoint.dim

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dim), each row of length 1. Raises ModelUnavailable if the endpoint fails or answers in another shape."""
        out = np.empty((len(texts), self.dim), dtype=np.float32)
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            out[start : start + len(batch)] = self._ask([self._endpoint.document_prefix + text for text in batch])
        return out

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """(dim,), of length 1. Raises ModelUnavailable."""
        first: NDArray[np.float32] = self._ask([self._endpoint.query_prefix + text])[0]
        return first

    def close(self) -> None:
        """Close the connections; a later call opens new ones."""
        with self._opening:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _ask(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import httpx

        body = {"model": self._endpoint.model, "input": [readable(text[:_MAX_CHARS]) or " " for text in texts]}
        try:
            response = self._open().post("embeddings", json=body)
            response.raise_for_status()
            return _vectors(response.json(), rows=len(texts), dim=self.dim)
        except httpx.HTTPStatusError as error:
            status = error.response.status_code
            raise ModelUnavailable(f"the embedding endpoint answered {status} for {self._endpoint.model!r}") from error
        except httpx.HTTPError as error:
            raise ModelUnavailable(f"the embedding endpoint does not answer: {type(error).__name__}") from error
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise ModelUnavailable(f"the embedding endpoint's answer cannot be used: {error}") from error

    def _open(self) -> httpx.Client:
        try:
            import httpx
        except ImportError as error:
            raise ModelUnavailable("httpx is not installed; run: pip install httpx") from error
        to = self._endpoint
        with self._opening:
            if self._client is None:
                headers = {"Authorization": f"Bearer {to.api_key}"} if to.api_key else {}
                base = to.url.rstrip("/") + "/"
                self._client = httpx.Client(
                    base_url=base, headers=headers, timeout=to.timeout_s, transport=self._transport
                )
            return self._client


def _vectors(answer: Any, *, rows: int, dim: int) -> NDArray[np.float32]:
    """The rows of the answer in the order asked, at length 1. Raises ValueError, KeyError or TypeError."""
    out = np.zeros((rows, dim), dtype=np.float32)
    data = answer["data"]
    if sorted(item["index"] for item in data) != list(range(rows)):
        raise ValueError(f"{len(data)} rows for {rows} texts")
    for item in data:
        values = np.asarray(item["embedding"], dtype=np.float32)
        if values.shape != (dim,):
            raise ValueError(f"vectors of shape {values.shape}, expected ({dim},)")
        out[item["index"]] = values
    lengths = np.linalg.norm(out, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not lengths.all():
        raise ValueError("a vector of length zero or not finite")
    unit: NDArray[np.float32] = out / lengths
    return unit
