"""Small protocols for models; each implementation carries a fingerprint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]


class Embedder(Protocol):
    """Turns text into unit vectors. Vectors of two fingerprints must never be compared."""

    @property
    def fingerprint(self) -> str: ...

    @property
    def dim(self) -> int: ...

    def embed_documents(self, texts: Sequence[str]) -> Vector:
        """(n, dim) float32, each row of length 1."""
        ...

    def embed_query(self, text: str) -> Vector:
        """(dim,) float32 of length 1."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One token; `head` is the index of its syntactic head in the same analysis, itself for a root."""

    text: str
    lemma: str
    pos: str
    tag: str = ""
    start: int
    end: int
    head: int = -1
    dep: str = ""
    is_stop: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A named stretch of text: PERSON, ORG, LOC, PRODUCT, DATE, MONEY …"""

    text: str
    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """What an analyzer saw; all offsets are in characters of the text given."""

    lang: str
    tokens: tuple[Token, ...]
    entities: tuple[Span, ...]
    sentences: tuple[tuple[int, int], ...]


class Analyzer(Protocol):
    """Tokens, parts of speech, names and, where the model has it, the parse of a text."""

    @property
    def fingerprint(self) -> str: ...

    def analyze(self, text: str) -> Analysis: ...

    def analyze_many(self, texts: Sequence[str]) -> list[Analysis]: ...


class Reranker(Protocol):
    """Scores passages against a query; higher is better, comparable within one call only."""

    @property
    def fingerprint(self) -> str: ...

    def score(self, query: str, texts: Sequence[str]) -> Vector: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What a language model is asked: who it is to be, what it reads, and the JSON schema of its answer.

    `schema` is a JSON Schema object named `name`; `max_tokens` bounds the answer.
    """

    system: str
    user: str
    name: str
    schema: Mapping[str, Any]
    max_tokens: int = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What it answered, as text, and the tokens that the question and the answer cost."""

    text: str
    tokens_in: int
    tokens_out: int


class LanguageModel(Protocol):
    """Answers prompts; what it says is never trusted to have the shape that was asked for."""

    @property
    def fingerprint(self) -> str: ...

    def complete(self, prompt: Prompt) -> Completion:
        """Blocks. Raises ModelUnavailable where no answer came, after as many tries as are allowed."""
        ...
