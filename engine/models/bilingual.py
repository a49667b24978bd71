"""Which embedder a text goes to: the default pair of an English model and a multilingual one.

Vectors of two models are never compared: each vector carries its model's fingerprint, and a search compares a
question's vector only with rows of the same fingerprint. The rule:

- A document gets a vector by the model of its language. With `Bridge.SENTENCES` a short English document gets a second
  one by the multilingual model, so that a question in another language finds it by meaning too.
- A question gets a vector by the model of its language; an English one also by the multilingual model, if the tenant
  holds rows of it. The English model is never asked for a text it cannot read: its answers there are noise.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Final

import numpy as np

from muniment.engine.models.language import language_of
from muniment.engine.ports.models import Embedder, Vector

_BRIDGED_CHARS: Final = 240  # about 40 words: the multilingual model is made for sentences and blurs on passages


class Bridge(StrEnum):
    """Whether English documents are found by meaning from questions in other languages."""

    OFF = "off"
    SENTENCES = "sentences"


class EmbedderSet:
    """The embedders of one engine, chosen text by text.

    `degraded` says in plain words what is worse than it could be because a model is missing; empty when all is there.
    """

    def __init__(
        self, english: Embedder, other: Embedder, *, bridge: Bridge = Bridge.OFF, degraded: Sequence[str] = ()
    ) -> None:
        self.english = english
        self.other = other
        self.degraded = tuple(degraded)
        self._bridge = bridge

    @property
    def embedders(self) -> tuple[Embedder, ...]:
        """Each model once; the English one first."""
        return (self.english,) if self._is_one else (self.english, self.other)

    @property
    def fingerprints(self) -> tuple[str, ...]:
        """Of the models that rows may be stored with now; rows of any other must be embedded again."""
        return tuple(embedder.fingerprint for embedder in self.embedders)

    def embedders_for_document(self, text: str) -> tuple[Embedder, ...]:
        """The model of the text's language first; then the bridge's, if there is one."""
        if self._is_one:
            return (self.english,)
        if language_of(text) != "en":
            return (self.other,)
        bridged = self._bridge is Bridge.SENTENCES and len(text) <= _BRIDGED_CHARS
        return (self.english, self.other) if bridged else (self.english,)

    def embed_documents(self, texts: Sequence[str]) -> list[dict[str, Vector]]:
        """For each text its (dim,) vectors by fingerprint, that of its own language's model first.

        Raises ModelUnavailable.
        """
        wanted = [self.embedders_for_document(text) for text in texts]
        made: list[dict[str, Vector]] = [{} for _ in texts]
        for embedder in self.embedders:
            places = [place for place, chosen in enumerate(wanted) if embedder in chosen]
            if places:
                vectors = embedder.embed_documents([texts[place] for place in places])
                for place, values in zip(places, vectors, strict=True):
                    made[place][embedder.fingerprint] = values
        return made

    def embed_parts(self, memories: Sequence[Sequence[str]]) -> list[dict[str, Vector]]:
        """For each memory, given as the texts of its parts, its (k, dim) rows by fingerprint, in the parts' order.

        Parts in different languages go to different models, so k may be smaller than the number of parts. A memory
        without parts has no vectors. Raises ModelUnavailable.
        """
        made = iter(self.embed_documents([text for parts in memories for text in parts]))
        out: list[dict[str, Vector]] = []
        for parts in memories:
            rows: dict[str, list[Vector]] = {}
            for _ in parts:
                for fingerprint, values in next(made).items():
                    rows.setdefault(fingerprint, []).append(values)
            out.append({fingerprint: np.stack(values) for fingerprint, values in rows.items()})
        return out

    def embed_query(self, text: str, *, held: Collection[str] | None = None) -> dict[str, Vector]:
        """The question's (dim,) vectors by fingerprint, that of its own language's model first; at least one.

        `held` are the fingerprints of the rows that the tenant has: other models are left out, which saves their time.
        None means any. Raises ModelUnavailable.
        """
        own = self.english if self._is_one or language_of(text) == "en" else self.other
        wanted = (own,) if own is self.other else self.embedders
        chosen = [embedder for embedder in wanted if held is None or embedder.fingerprint in held] or [own]
        return {embedder.fingerprint: embedder.embed_query(text) for embedder in chosen}

    @property
    def _is_one(self) -> bool:
        return self.english.fingerprint == self.other.fingerprint
