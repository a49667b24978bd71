"""ms-marco-MiniLM-L-12 as int8 ONNX: how well a passage answers a question. English only; off unless the settings ask.

Each pair is scored alone, for the reason given in `bert_onnx`: in a batch its score would depend on its neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Final

import numpy as np
from numpy.typing import NDArray

from muniment.engine.models.catalog import KNOWN, MINILM_RERANKER, ModelSources, find
from muniment.engine.models.language import readable
from muniment.engine.models.onnx_session import Session, open_session, row
from muniment.engine.models.wordpiece import WordPiece

MAX_QUERY_PIECES: Final = 64
MAX_PIECES: Final = 192  # question and passage together; at 192 twenty passages take about half a second


class CrossEncoder:
    """Scores of passages for a question. Loaded at first use; may be used from several threads."""

    def __init__(self, sources: ModelSources | None = None) -> None:
        self._sources = sources or ModelSources()
        self._loading = Lock()
        self._loaded: tuple[Session, WordPiece] | None = None

    @property
    def fingerprint(self) -> str:
        return f"{MINILM_RERANKER}-int8@{KNOWN[MINILM_RERANKER].sha256['model.onnx'][:16]};max={MAX_PIECES}"

    def load(self) -> tuple[Session, WordPiece]:
        """The model, opened once. Raises ModelUnavailable."""
        with self._loading:
            if self._loaded is None:
                files = find(MINILM_RERANKER, self._sources).paths
                self._loaded = open_session(files["model.onnx"]), WordPiece(files["vocab.txt"])
            return self._loaded

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n,), about -12 to 12, higher is better; comparable within one question only. Raises ModelUnavailable."""
        session, tokenizer = self._loaded or self.load()
        question = tokenizer.pieces(readable(query), limit=MAX_QUERY_PIECES)
        out = np.empty(len(texts), dtype=np.float32)
        for number, text in enumerate(texts):
            passage = tokenizer.pieces(readable(text), limit=MAX_PIECES - len(question) - 3)
            ids = row([tokenizer.first, *question, tokenizer.separator, *passage, tokenizer.separator])
            kinds = np.zeros_like(ids)
            kinds[0, len(question) + 2 :] = 1
            feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": kinds}
            out[number] = session.run(None, feed)[0][0, 0]
        return out
