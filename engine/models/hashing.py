"""The embedder of last resort: no model, words and character triples hashed into a vector.

It finds shared words and spellings, not meaning, and its fingerprint says so. Feature hashing after Weinberger et al.
2009 (signed buckets); the triples are those of fastText (Bojanowski et al. 2017), over the padded word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray

from muniment.engine.models.language import HAN, readable

DIM: Final = 384
_MAX_CHARS: Final = 4_000
_TRIPLE_WEIGHT: Final = 0.4  # a spelling part says less than a whole word
_WORD: Final = re.compile(rf"[{HAN}]+|[^\W{HAN}]+")
_IS_HAN: Final = re.compile(f"[{HAN}]")


class HashingEmbedder:
    """Unit vectors of 384 numbers from spelling alone; equal on every machine. A text without words is all zeros."""

    @property
    def fingerprint(self) -> str:
        return f"hashing-lexical-only@1;dim={DIM}"

    @property
    def dim(self) -> int:
        return DIM

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, 384)."""
        return np.stack([self.embed_query(text) for text in texts]) if texts else np.empty((0, DIM), np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """(384,)."""
        out = np.zeros(DIM, dtype=np.float32)
        for feature, weight in _features(readable(text[:_MAX_CHARS]).lower()):
            number = int.from_bytes(blake2b(feature.encode(), digest_size=8).digest(), "little")
            out[(number >> 1) % DIM] += weight if number & 1 else -weight
        length = np.linalg.norm(out)
        return out / np.float32(length) if length else out


def _features(text: str) -> Iterator[tuple[str, float]]:
    for word in _WORD.findall(text):
        if _IS_HAN.match(word):
            yield from ((word[at : at + 2], 1.0) for at in range(max(1, len(word) - 1)))
            continue
        yield word, 1.0
        padded = f"<{word}>"
        yield from ((padded[at : at + 3], _TRIPLE_WEIGHT) for at in range(len(padded) - 2))
